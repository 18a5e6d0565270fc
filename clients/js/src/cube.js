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
 * Where each facelet goes in a right-handed quarter turn of the whole cube about an axis; made on first use.
 * @type {Map<number, Int32Array>}
 */
const quarterMaps = new Map();
const MAPS_MAX = 12;

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
 */
function quarterMap(n, axis) {
  const key = n * 3 + axis;
  const known = quarterMaps.get(key);
  if (known) return known;
  if (quarterMaps.size >= MAPS_MAX) quarterMaps.clear();
  const map = makeMap(n, axis);
  quarterMaps.set(key, map);
  return map;
}

/**
 * The layer of a facelet along an axis, 0 .. n-1 from the negative end.
 * @param {number} n
 * @param {number} axis
 * @param {number} face
 * @param {number} row
 * @param {number} column
 */
function layerOf(n, axis, face, row, column) {
  const side = SIDES[face];
  if (side.axis === axis) return side.sign > 0 ? n - 1 : 0;
  const [sign, steps] = side.right[0] === axis ? [side.right[1], column] : [side.down[1], row];
  return sign > 0 ? steps : n - 1 - steps;
}

/**
 * The stickers (numbers of faces) after a turn.
 * @param {Uint8Array} stickers
 * @param {number} n
 * @param {LayerTurn} turn
 */
export function turned(stickers, n, turn) {
  const { axis, low, high, quarters } = turnInSpace(turn, n);
  const map = quarterMap(n, axis);
  const after = stickers.slice();
  const steps = ((quarters % 4) + 4) % 4;
  for (let face = 0, place = 0; face < 6; face++) {
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++, place++) {
        const layer = layerOf(n, axis, face, row, column);
        if (layer < low || layer >= high) continue;
        let to = place;
        for (let i = 0; i < steps; i++) to = map[to];
        after[to] = stickers[place];
      }
    }
  }
  return after;
}

/**
 * The stickers after several turns.
 * @param {Uint8Array} stickers
 * @param {number} n
 * @param {LayerTurn[]} turns
 */
export function turnedAll(stickers, n, turns) {
  return turns.reduce((now, turn) => turned(now, n, turn), stickers);
}

/**
 * @param {string} facelets letters of faces, as the server answers them
 * @returns {Uint8Array}
 */
export const fromFacelets = (facelets) => Uint8Array.from(facelets, (letter) => FACES.indexOf(letter));

/** @param {Uint8Array} stickers */
export const toFacelets = (stickers) => Array.from(stickers, (colour) => FACES[colour]).join('');

/**
 * Whether every face shows one colour.
 * @param {Uint8Array} stickers
 * @param {number} n
 */
export function isSolved(stickers, n) {
  return stickers.every((colour, place) => colour === stickers[place - (place % (n * n))]);
}
