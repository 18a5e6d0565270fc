// cubies.js: which stickers are on one piece, and how places and pieces are named, for a cube of any size.

import { FACES, SIDES } from '../../client/cube.js';
import { t } from '../words.js';

/** In Kociemba's order; the faces of a corner are clockwise as one looks at it. */
export const CORNERS = ['URF', 'UFL', 'ULB', 'UBR', 'DFR', 'DLF', 'DBL', 'DRB'];
export const EDGES = ['UR', 'UF', 'UL', 'UB', 'DR', 'DF', 'DL', 'DB', 'FR', 'FL', 'BL', 'BR'];

/** The faces as one holds the cube. */
export const SIDE_NAMES = [t('top'), t('right'), t('front'), t('bottom'), t('left'), t('back')];

const faceOf = (place, n) => Math.floor(place / (n * n));

/** @returns {number[]} x, y and z of the cubie that has this place, each from 1-n to n-1 */
export function coordinatesOf(place, n) {
  const { axis, sign, right, down } = SIDES[faceOf(place, n)];
  const at = [0, 0, 0];
  at[axis] = sign * (n - 1);
  at[right[0]] = right[1] * (2 * (place % n) + 1 - n);
  at[down[0]] = down[1] * (2 * (Math.floor(place / n) % n) + 1 - n);
  return at;
}

/** The place on `face` of the cubie at these coordinates; -1 if it has none there. */
export function placeOn(face, at, n) {
  const { axis, sign, right, down } = SIDES[face];
  if (at[axis] !== sign * (n - 1)) return -1;
  const column = (right[1] * at[right[0]] + n - 1) / 2;
  const row = (down[1] * at[down[0]] + n - 1) / 2;
  return (face * n + row) * n + column;
}

/** The places of the cubie that has `place`: of an edge or a corner in the order of its name. */
export function cubieOf(place, n) {
  const at = coordinatesOf(place, n);
  const faces = [0, 1, 2, 3, 4, 5].filter((face) => placeOn(face, at, n) >= 0);
  return facesInOrder(faces).map((face) => placeOn(face, at, n));
}

/** Numbers of two or three faces that meet, in the order of the name of their edge or corner. */
function facesInOrder(faces) {
  const letters = faces.map((face) => FACES[face]);
  const name = [...CORNERS, ...EDGES].find((one) => one.length === letters.length && letters.every((letter) => one.includes(letter)));
  return name ? Array.from(name, (letter) => FACES.indexOf(letter)) : faces;
}

/** The cubie of a corner, or the middle one of an edge (n odd), by its name. */
function cubieNamed(name, n) {
  const at = [0, 0, 0];
  const faces = Array.from(name, (letter) => FACES.indexOf(letter));
  for (const face of faces) at[SIDES[face].axis] = SIDES[face].sign * (n - 1);
  return faces.map((face) => placeOn(face, at, n));
}

/**
 * The places that a diagnosis names (docs/reference/diagnosis.md): `URF`, `UF`, a wing with its first facelet `UF13`, a
 * centre with its facelet `F21`.
 * @returns {number[]} in the order of the name's letters; empty if there is none
 */
export function placesNamed(name, n) {
  const [, letters, digits] = /^([URFDLB]{1,3})(\d*)$/.exec(name ?? '') ?? [];
  if (!letters) return [];
  if (!digits) return letters.length > 1 ? cubieNamed(letters, n) : [];
  const first = Number(digits);
  if (first >= 6 * n * n) return [];
  const at = coordinatesOf(first, n);
  return Array.from(letters, (letter) => placeOn(FACES.indexOf(letter), at, n)).filter((place) => place >= 0);
}

/** All cubies between two faces, in the direction in which the first face is read. */
export function cubiesOfEdge(name, n) {
  const [a, b] = Array.from(name, (letter) => FACES.indexOf(letter));
  const cubies = [];
  for (let place = a * n * n; place < (a + 1) * n * n; place++) {
    const cubie = cubieOf(place, n);
    if (cubie.length === 2 && cubie.some((other) => faceOf(other, n) === b)) cubies.push(cubie);
  }
  return cubies;
}

/** Every corner, then every edge, as lists of places. */
export function outerCubies(n) {
  return [...CORNERS.map((name) => cubieNamed(name, n)), ...EDGES.flatMap((name) => cubiesOfEdge(name, n))];
}

/** @returns {string} for example `URF`, `UF` or `U` */
export const lettersOf = (places, n) => places.map((place) => FACES[faceOf(place, n)]).join('');

/** Row and column of a place on its face, from 1. */
export const rowAndColumn = (place, n) => [(Math.floor(place / n) % n) + 1, (place % n) + 1];

/** Describes the place of a sticker: `U, row 1, column 3`. */
export function placeWords(place, n) {
  const [row, column] = rowAndColumn(place, n);
  return t('{face}, row {row}, column {column}', { face: FACES[faceOf(place, n)], row, column });
}

/** The middle of a face of an odd cube. */
export function isMiddle(place, n) {
  const [row, column] = rowAndColumn(place, n);
  return n % 2 === 1 && 2 * row === n + 1 && 2 * column === n + 1;
}

const KINDS = ['', 'centre', 'edge', 'corner'];

/** Returns the kind of piece that has these places. */
export function kindOf(places, n) {
  if (places.length === 1 && isMiddle(places[0], n)) return 'middle';
  return KINDS[places.length];
}
