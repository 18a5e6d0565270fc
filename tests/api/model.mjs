// A cube of its own for the tests: stickers as points with normals, turns as rotations of space.
// It shares nothing with the server but the conventions: facelets in the order U R F D L B, each face row
// by row; x to the right, y up, z towards the viewer; turns clockwise as seen looking at the face.

export const FACES = 'URFDLB';

const NORMALS = { U: [0, 1, 0], R: [1, 0, 0], F: [0, 0, 1], D: [0, -1, 0], L: [-1, 0, 0], B: [0, 0, -1] };
const ROTATIONS = { x: 'R', y: 'U', z: 'F' };
const SLICES = { M: 'L', E: 'D', S: 'F' };

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Returns the position of a facelet: coordinates run from 1-n to n-1 in steps of two. */
function position(size, face, row, column) {
  const r = 2 * row - size + 1;
  const c = 2 * column - size + 1;
  const e = size - 1;
  return { U: [c, e, r], R: [e, -r, -c], F: [c, -r, e], D: [c, -e, -r], L: [-e, -r, c], B: [-c, -r, -e] }[face];
}

/** A point after a quarter turn, clockwise as seen from outside along `axis`. */
function rotate(axis, point) {
  const along = dot(axis, point);
  const sideways = cross(axis, point);
  return point.map((_, i) => axis[i] * along - sideways[i]);
}

const geometries = new Map();

/** All facelets of a size, their index by place, and the quarter turns of single layers found so far. */
function geometry(size) {
  if (!geometries.has(size)) {
    const stickers = [];
    for (const face of FACES) {
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
          stickers.push({ at: position(size, face, row, column), normal: NORMALS[face] });
        }
      }
    }
    const index = new Map(stickers.map((s, i) => [`${s.at}|${s.normal}`, i]));
    geometries.set(size, { stickers, index, layers: new Map() });
  }
  return geometries.get(size);
}

/** Pairs [from, to] of facelets for one quarter turn of one layer, counted from the face. */
function quarterTurn(size, face, layer) {
  const { stickers, index, layers } = geometry(size);
  const key = face + layer;
  if (!layers.has(key)) {
    const axis = NORMALS[face];
    const height = size - 1 - 2 * (layer - 1);
    const pairs = [];
    stickers.forEach(({ at, normal }, from) => {
      if (dot(axis, at) === height) {
        pairs.push([from, index.get(`${rotate(axis, at).map((v) => v + 0)}|${rotate(axis, normal).map((v) => v + 0)}`)]);
      }
    });
    layers.set(key, pairs);
  }
  return layers.get(key);
}

/** The piece that a facelet of the solved cube is on, as a text. */
export const pieceOf = (size, facelet) => geometry(size).stickers[facelet].at.join();

/** Reads one canonical turn: "R", "2-3Rw2'", "M'", "x2". */
export function parseTurn(size, text) {
  const found = /^(?:(\d+)-)?(\d+)?([URFDLBMESmesxyz])(w?)(\d*)('?)$/.exec(text);
  if (!found) throw new Error(`the model cannot read the turn ${JSON.stringify(text)}`);
  const [, low, high, family, wide, digits, prime] = found;
  const turns = (digits === '' ? 1 : Number(digits)) * (prime ? -1 : 1);
  if (family in ROTATIONS) return { face: ROTATIONS[family], from: 1, to: size, turns };
  if (family in SLICES) return { face: SLICES[family], from: (size + 1) / 2, to: (size + 1) / 2, turns };
  if (family.toUpperCase() in SLICES) return { face: SLICES[family.toUpperCase()], from: 2, to: size - 1, turns };
  if (wide && !low) return { face: family, from: 1, to: Number(high ?? 2), turns };
  const to = Number(high ?? 1);
  return { face: family, from: Number(low ?? to), to, turns };
}

export class Cube {
  constructor(size, facelets) {
    this.size = size;
    this.colors = facelets ? [...facelets] : [...FACES].flatMap((face) => Array(size * size).fill(face));
  }

  turn({ face, from, to, turns }) {
    const quarters = ((turns % 4) + 4) % 4;
    for (let quarter = 0; quarter < quarters; quarter++) {
      for (let layer = from; layer <= to; layer++) {
        const before = this.colors.slice();
        for (const [source, target] of quarterTurn(this.size, face, layer)) this.colors[target] = before[source];
      }
    }
    return this;
  }

  /** Applies canonical text without brackets; answers itself. */
  apply(text) {
    for (const token of text.split(' ').filter(Boolean)) this.turn(parseTurn(this.size, token));
    return this;
  }

  copy() {
    return new Cube(this.size, this.facelets);
  }

  get facelets() {
    return this.colors.join('');
  }

  get faces() {
    const { size, colors } = this;
    const row = (face, r) => colors.slice((face * size + r) * size, (face * size + r + 1) * size);
    return Object.fromEntries([...FACES].map((f, i) => [f, Array.from({ length: size }, (_, r) => row(i, r))]));
  }

  /** The unfolding as text: U above F, L F R B in a row, D below F. */
  get net() {
    const { size, faces } = this;
    const margin = ' '.repeat(2 * size + 1);
    const lines = [];
    for (const f of ['U', '', 'D']) {
      for (let r = 0; r < size; r++) {
        lines.push(f ? margin + faces[f][r].join(' ') : [...'LFRB'].map((g) => faces[g][r].join(' ')).join('  '));
      }
    }
    return lines.map((line) => `${line}\n`).join('');
  }
}
