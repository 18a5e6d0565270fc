// moves.js: reads and writes plain moves, such as the server writes them.

/** @import {Face} from './types.js' */

/**
 * A turn of the layers `from` to `to`, counted from a face; `turns` quarters, clockwise looking at it.
 * @typedef {{face: Face, from: number, to: number, turns: number}} LayerTurn
 */

const MOVE = /^(?:(?:([1-9]\d*)-)?([1-9]\d*))?([URFDLB]w?|[MESmesxyz])(\d{0,9})(['’‘‛ʼʹˋ′´`＇]?)(?:@\d+)?$/;

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
 * The turns of plain moves for a cube of size n: faces, wide turns, slices and rotations, separated by spaces. Null if
 * there is anything else: groups, comments, other dialects are left to the server.
 * @param {string} text
 * @param {number} n
 */
export function parseMoves(text, n) {
  const turns = text.split(' ').filter(Boolean).map((word) => parseMove(word, n));
  return turns.includes(null) ? null : /** @type {LayerTurn[]} */ (turns);
}

/**
 * The first move that parseMoves() does not read, without its time, and its position in code units. Null if it reads
 * all of them.
 * @param {string} text
 * @param {number} n
 */
export function unreadPart(text, n) {
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    if (!parseMove(word, n)) return { index, word: word.replace(/(.)@\d+$/, '$1') };
  }
  return null;
}

/** Letters of rotations, by the face that they turn like. @type {Partial<Record<Face, string>>} */
const ROTATIONS = { R: 'x', U: 'y', F: 'z' };

/**
 * A turn as the server writes it; empty if it turns nothing.
 * @param {LayerTurn} turn
 * @param {number} n
 * @returns {string}
 */
export function moveText({ face, from, to, turns }, n) {
  if (turns === 0) return '';
  const amount = ["2'", "'", '', '', '2'][turns + 2];
  if (from === 1 && to === n) {
    const letter = ROTATIONS[face];
    return letter ? letter + amount : moveText({ face: OPPOSITE[face], from, to, turns: -turns }, n);
  }
  const first = from > 1 && from < to ? `${from}-` : '';
  const last = to > 2 || (to === 2 && from === 2) ? to : '';
  return `${first}${last}${face}${from < to ? 'w' : ''}${amount}`;
}

/** @type {Record<Face, Face>} */
const OPPOSITE = { U: 'D', R: 'L', F: 'B', D: 'U', L: 'R', B: 'F' };

/**
 * Plain moves as the server writes them, without times. Null if parseMoves() does not read them.
 * @param {string} text
 * @param {number} n
 */
export function canonicalMoves(text, n) {
  const words = text.split(' ').filter(Boolean).map((word) => canonicalMove(word, n));
  return words.includes(null) ? null : words.filter(Boolean).join(' ');
}

/**
 * @param {string} word
 * @param {number} n
 */
function canonicalMove(word, n) {
  const turn = parseMove(word, n);
  if (!turn) return null;
  const letter = /[MESmes]/.exec(word)?.[0];
  if (!letter) return moveText(turn, n);
  return turn.turns === 0 ? '' : letter + moveText({ face: 'R', from: 1, to: 1, turns: turn.turns }, n).slice(1);
}

/**
 * The turn that takes another one back.
 * @param {LayerTurn} turn
 * @returns {LayerTurn}
 */
export const inverseTurn = (turn) => ({ ...turn, turns: -turn.turns });

/**
 * When each of these moves was made that turns anything, in milliseconds; null if they have no times.
 * @param {string} text
 * @param {number} n
 */
export function timesOf(text, n) {
  const words = text.split(' ').filter((word) => word.includes('@') && canonicalMove(word, n));
  return words.length > 0 ? words.map((word) => Number(word.slice(word.indexOf('@') + 1))) : null;
}

/**
 * Returns the moves that take back moves that moveText() or the server wrote.
 * @param {string} moves
 */
export function inverseMoves(moves) {
  const words = moves.split(' ').filter(Boolean).reverse();
  return words.map((word) => (word.endsWith("'") ? word.slice(0, -1) : `${word}'`)).join(' ');
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
