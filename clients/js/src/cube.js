// cube.js: a cube of any size as its stickers, and what a turn does to them.
// Faces, axes and the order of facelets are those of docs/reference/conventions.md.

/** @import {LayerTurn} from './moves.js' */

export const FACES = 'URFDLB';

/** For each face: the axis of its normal and its sign; the axes and signs of its right and down. */
export const SIDES = [
  { axis: 1, sign: 1, right: [0, 1], down: [2, 1] }, // U
  { axis: 0, sign: 1, right: [2, -1], down: [1, -1] }, // R
  { axis: 2, sign: 1, right: [0, 1], down: [1, -1] }, // F
  { axis: 1, sign: -1, right: [0, 1], down: [2, -1] }, // D
  { axis: 0, sign: -1, right: [2, 1], down: [1, -1] }, // L
  { axis: 2, sign: -1, right: [0, -1], down: [1, -1] }, // B
];

/**
 * A turn in space: its axis, its layers there counted from the negative end (low up to, but not including, high), and
 * right-handed quarters.
 * @param {LayerTurn} turn
 * @param {number} n
 */
export function turnInSpace({ face, from, to, turns }, n) {
  const { axis, sign } = SIDES[FACES.indexOf(face)];
  return { axis, low: sign > 0 ? n - to : from - 1, high: sign > 0 ? n - from + 1 : to, quarters: -sign * turns };
}

/**
 * The place to which each facelet goes in right-handed quarter turns of the whole cube about an axis; made on first
 * use.
 * @type {Map<number, Int32Array>}
 */
const maps = new Map();
const MAPS_MAX = 36;

/**
 * @param {number} n
 * @param {number} axis
 */
function makeMap(n, axis) {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3]; // a turns to b, b to -a
  const map = new Int32Array(6 * n * n);
  const at = [0, 0, 0];
  for (let face = 0; face < 6; face++) {
    const side = SIDES[face];
    const normal = [0, 0, 0];
    normal[side.axis] = side.sign;
    [normal[a], normal[b]] = [-normal[b], normal[a]];
    const to = SIDES.findIndex((one) => normal[one.axis] === one.sign);
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        at[side.axis] = side.sign * (n - 1);
        at[side.right[0]] = side.right[1] * (2 * column + 1 - n);
        at[side.down[0]] = side.down[1] * (2 * row + 1 - n);
        [at[a], at[b]] = [-at[b], at[a]];
        const { right, down } = SIDES[to];
        const toColumn = (right[1] * at[right[0]] + n - 1) / 2;
        const toRow = (down[1] * at[down[0]] + n - 1) / 2;
        map[(face * n + row) * n + column] = (to * n + toRow) * n + toColumn;
      }
    }
  }
  return map;
}

/**
 * @param {number} n
 * @param {number} axis
 * @param {number} quarters 1 to 3
 * @returns {Int32Array}
 */
function mapOf(n, axis, quarters) {
  const key = (n * 3 + axis) * 4 + quarters;
  const known = maps.get(key);
  if (known) return known;
  const once = quarters === 1 ? null : mapOf(n, axis, 1);
  const before = quarters === 1 ? null : mapOf(n, axis, quarters - 1);
  const map = once && before ? before.map((place) => once[place]) : makeMap(n, axis);
  if (maps.size >= MAPS_MAX) maps.clear();
  maps.set(key, map);
  return map;
}

/**
 * Calls `visit` with the runs of facelets in layers of an axis: the first, and how many follow each other.
 * @param {number} n
 * @param {ReturnType<typeof turnInSpace>} turn
 * @param {(first: number, count: number) => void} visit
 */
function eachRun(n, { axis, low, high }, visit) {
  for (let face = 0; face < 6; face++) {
    const { axis: normal, sign, right, down } = SIDES[face];
    const first = face * n * n;
    if (normal === axis) {
      if (sign > 0 ? high === n : low === 0) visit(first, n * n);
      continue;
    }
    const along = right[0] === axis ? right[1] : down[1];
    const from = along > 0 ? low : n - high;
    if (right[0] !== axis) visit(first + from * n, (high - low) * n);
    else for (let row = 0; row < n; row++) visit(first + row * n + from, high - low);
  }
}

let scratch = new Uint8Array(0);

/**
 * Turns stickers (numbers of faces) in place. The time it takes is that of the stickers that move.
 * @param {Uint8Array} stickers
 * @param {number} n
 * @param {LayerTurn} layers
 */
export function turnInPlace(stickers, n, layers) {
  const turn = turnInSpace(layers, n);
  const quarters = ((turn.quarters % 4) + 4) % 4;
  if (quarters === 0) return;
  const map = mapOf(n, turn.axis, quarters);
  if (scratch.length < stickers.length) scratch = new Uint8Array(stickers.length);
  const after = scratch;
  eachRun(n, turn, (first, count) => {
    for (let place = first; place < first + count; place++) after[map[place]] = stickers[place];
  });
  eachRun(n, turn, (first, count) => {
    for (let place = first; place < first + count; place++) stickers[place] = after[place];
  });
}

/**
 * The stickers after a turn.
 * @param {Uint8Array} stickers
 * @param {number} n
 * @param {LayerTurn} turn
 */
export function turned(stickers, n, turn) {
  return turnedAll(stickers, n, [turn]);
}

/**
 * The stickers after several turns.
 * @param {Uint8Array} stickers
 * @param {number} n
 * @param {LayerTurn[]} turns
 */
export function turnedAll(stickers, n, turns) {
  const after = stickers.slice();
  for (const turn of turns) turnInPlace(after, n, turn);
  return after;
}

/**
 * @param {string} facelets letters of faces, as the server answers them
 * @returns {Uint8Array}
 */
export const fromFacelets = (facelets) => Uint8Array.from(facelets, (letter) => FACES.indexOf(letter));

/** @param {Uint8Array} stickers */
export const toFacelets = (stickers) => Array.from(stickers, (colour) => FACES[colour]).join('');

/**
 * Returns true if two cubes show the same stickers.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export const isSame = (a, b) => a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

/**
 * Returns true if every face shows one colour.
 * @param {Uint8Array} stickers
 * @param {number} n
 */
export function isSolved(stickers, n) {
  return stickers.every((colour, place) => colour === stickers[place - (place % (n * n))]);
}
