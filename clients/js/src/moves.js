// moves.js: reads plain moves, such as the server writes them.

/** @import {Face} from './types.js' */

/**
 * A turn of the layers `from` to `to`, counted from a face; `turns` quarters, clockwise looking at it.
 * @typedef {{face: Face, from: number, to: number, turns: number}} LayerTurn
 */

const MOVE = /^(?:(?:([1-9]\d*)-)?([1-9]\d*))?([URFDLB]w?|[MESmesxyz])(\d{0,9})('?)(?:@\d+)?$/;

/**
 * Letters that mean layers of a face: the face, and the first and last layer on a cube of size n.
 * @type {Record<string, [Face, (n: number) => [number, number]]>}
 */
const NAMED = {
  M: ['L', (n) => [(n + 1) / 2, (n + 1) / 2]],
  E: ['D', (n) => [(n + 1) / 2, (n + 1) / 2]],
  S: ['F', (n) => [(n + 1) / 2, (n + 1) / 2]],
  m: ['L', (n) => [2, n - 1]],
  e: ['D', (n) => [2, n - 1]],
  s: ['F', (n) => [2, n - 1]],
  x: ['R', (n) => [1, n]],
  y: ['U', (n) => [1, n]],
  z: ['F', (n) => [1, n]],
};

/**
 * @param {string} text
 * @param {number} n
 * @returns {LayerTurn | null}
 */
function parseMove(text, n) {
  const [, first, last, family, digits, prime] = MOVE.exec(text) ?? [];
  if (!family) return null;
  const amount = (digits === '' ? 1 : Number(digits)) % 4;
  const turns = [0, prime ? -1 : 1, prime ? -2 : 2, prime ? 1 : -1][amount];
  if (NAMED[family]) {
    const [face, layersOf] = NAMED[family];
    const [from, to] = layersOf(n);
    return last || !Number.isInteger(from) || from > to ? null : { face, from, to, turns };
  }
  const wide = family.length === 2;
  const to = Number(last ?? (wide ? 2 : 1));
  const from = Number(first ?? (wide ? 1 : to));
  const whole = from === 1 && to === n;
  return from > to || to > n || whole ? null : { face: /** @type {Face} */ (family[0]), from, to, turns };
}

/**
 * The turns of plain moves for a cube of size n: faces, wide turns, slices and rotations, separated by blanks. Null if
 * there is anything else: groups, comments, other dialects are left to the server.
 * @param {string} text
 * @param {number} n
 */
export function parseMoves(text, n) {
  const turns = text.split(' ').filter(Boolean).map((word) => parseMove(word, n));
  return turns.includes(null) ? null : /** @type {LayerTurn[]} */ (turns);
}

/**
 * @param {LayerTurn[]} a
 * @param {LayerTurn[]} b
 */
export function sameTurns(a, b) {
  return a.length === b.length && a.every(({ face, from, to, turns }, i) => {
    const other = b[i];
    return face === other.face && from === other.from && to === other.to && turns === other.turns;
  });
}
