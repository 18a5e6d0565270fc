// cube.js: the cube as a string of colours, the turns of canonical move text, and what a turn does.
// Faces, axes and the order of facelets are those of docs/reference/conventions.md.

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

/** The places of the faces in the unfolding, in columns and rows of faces. */
export const UNFOLDED = [[1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [3, 1]];

const MOVE = /^(?:(?:(\d+)-)?(\d+))?([URFDLB]w?|[MESmesxyz])(\d*)('?)$/;
/** Letters that mean layers of a face: the face, and its first and last layer on a cube of size n. */
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

function parseMove(text, n) {
  const found = MOVE.exec(text);
  if (!found) throw new Error(`cannot read "${text}"`);
  const [, first, last, family, digits, prime] = found;
  const amount = (digits === '' ? 1 : Number(digits)) % 4;
  const turns = (prime ? -amount : amount) % 4;
  const quarters = turns === 3 ? -1 : turns === -3 ? 1 : turns;
  if (NAMED[family]) {
    const [face, layers] = NAMED[family];
    const [from, to] = layers(n);
    return { face: FACES.indexOf(face), from, to, quarters };
  }
  const wide = family.length === 2;
  const to = Number(last ?? (wide ? 2 : 1));
  const from = Number(first ?? (wide ? 1 : to));
  return { face: FACES.indexOf(family[0]), from, to, quarters };
}

/** The turns of canonical text as the server writes it: {face, from, to, quarters}, clockwise looking at the face. */
export function parseMoves(text, n) {
  return text.split(' ').filter(Boolean).map((word) => parseMove(word, n));
}

/** A turn in space: its axis, the range of its layers there counted from the negative end (0 .. n), right-handed quarters. */
export function turnInSpace({ face, from, to, quarters }, n) {
  const { axis, sign } = SIDES[face];
  return { axis, low: sign > 0 ? n - to : from - 1, high: sign > 0 ? n - from + 1 : to, quarters: -sign * quarters };
}

/** For cubes of n, where each facelet goes in a right-handed quarter turn of the whole cube about each axis; computed on first use. */
const quarterMaps = new Map();

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

function quarterMap(n, axis) {
  const key = n * 3 + axis;
  if (!quarterMaps.has(key)) {
    if (quarterMaps.size > 12) quarterMaps.clear();
    quarterMaps.set(key, makeMap(n, axis));
  }
  return quarterMaps.get(key);
}

/** The layer of a facelet along an axis, 0 .. n-1 from the negative end. */
function layerOf(n, axis, face, row, column) {
  const side = SIDES[face];
  if (side.axis === axis) return side.sign > 0 ? n - 1 : 0;
  const [sign, steps] = side.right[0] === axis ? [side.right[1], column] : [side.down[1], row];
  return sign > 0 ? steps : n - 1 - steps;
}

/** The colours (numbers of faces) after a turn. */
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

export const fromFacelets = (facelets) => Uint8Array.from(facelets, (letter) => FACES.indexOf(letter));
export const toFacelets = (stickers) => Array.from(stickers, (colour) => FACES[colour]).join('');

/** Whether every face shows one colour. */
export function isSolved(stickers, n) {
  return stickers.every((colour, place) => colour === stickers[place - (place % (n * n))]);
}
