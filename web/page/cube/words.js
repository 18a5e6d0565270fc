// words.js: a cube and its turns in words, for people who do not see it.

import { FACES } from '../../client/cube.js';
import { CORNERS, cubieOf, cubiesOfEdge, EDGES, kindOf, lettersOf, placesNamed, placeWords, SIDE_NAMES } from './cubies.js';

const ROTATIONS = { U: 'y', R: 'x', F: 'z', D: 'y', L: 'x', B: 'z' };
const SLICES = { L: 'M', D: 'E', F: 'S' };
const AMOUNTS = { 1: '', '-1': ' prime', 2: ' 2', '-2': ' 2' };
const LISTED_MAX = 8;

/** A turn as it is read: `R`, `R prime`, `U 2`, `R wide`, `layer 3 of R`, `rotate x prime`. */
export function turnWords({ face, from, to, turns }, n) {
  const backwards = 'DLB'.includes(face) && from === 1 && to === n;
  const amount = AMOUNTS[backwards ? -turns : turns] ?? '';
  if (from === 1 && to === n) return `rotate ${ROTATIONS[face]}${amount}`;
  if (from === 1 && to === 1) return `${face}${amount}`;
  if (from === to && 2 * from === n + 1 && SLICES[face]) return `${SLICES[face]}${amount}`;
  if (from === to) return `layer ${from} of ${face}${amount}`;
  if (from === 1) return `${face} wide${to > 2 ? `, ${to} layers` : ''}${amount}`;
  return `layers ${from} to ${to} of ${face}${amount}`;
}

/** Several turns: all of them, or how many and the last one. */
export function turnsWords(turns, n) {
  if (turns.length <= LISTED_MAX) return turns.map((turn) => turnWords(turn, n)).join(', ');
  return `${turns.length} turns, the last one ${turnWords(turns.at(-1), n)}`;
}

const names = (colours, cube) => colours.map((colour) => cube.names[colour] ?? 'empty');

/**
 * Returns the face where each colour belongs. Odd cubes have it in their middles; on others the corner DBL counts as
 * home.
 */
function homeOf({ stickers, n }) {
  const faces = Array(7).fill(-1);
  const known = n % 2 ? [0, 1, 2, 3, 4, 5].map((face) => face * n * n + (n * n - 1) / 2) : placesNamed('DBL', n);
  for (const place of known) {
    const face = Math.floor(place / (n * n));
    const colour = stickers[place];
    if (colour > 5) continue;
    faces[colour] = face;
    faces[(colour + 3) % 6] = (face + 3) % 6;
  }
  return faces;
}

const inOrder = (letters) => [...CORNERS, ...EDGES].find((name) => name.length === letters.length && [...letters].every((letter) => name.includes(letter)));

/** Describes the place where the piece at these places belongs. */
function belongs(places, cube) {
  const home = homeOf(cube);
  const faces = places.map((place) => home[cube.stickers[place]]);
  const name = inOrder(faces.map((face) => FACES[face] ?? '?').join(''));
  if (!name) return '';
  if (name !== lettersOf(places, cube.n)) return `; it belongs at ${name}`;
  const right = places.every((place, i) => faces[i] === Math.floor(place / (cube.n * cube.n)));
  return right ? '; it is in its place' : `; it is in its place, but ${places.length === 3 ? 'twisted' : 'flipped'}`;
}

/** `white on U, red on F` */
const sides = (places, cube) => places.map((place, i) => `${names([cube.stickers[place]], cube)} on ${lettersOf(places, cube.n)[i]}`).join(', ');

/** A piece: its colours, which side shows which, and where it belongs. */
function pieceAnswer(places, cube) {
  const colours = names(places.map((place) => cube.stickers[place]), cube).join('-');
  return `the ${colours} ${kindOf(places, cube.n)}: ${sides(places, cube)}${belongs(places, cube)}.`;
}

function edgeAnswer(name, cube) {
  const cubies = cubiesOfEdge(name, cube.n);
  if (cubies.length === 0) return 'A 2x2x2 has no edges.';
  if (cubies.length === 1) return `At ${name}: ${pieceAnswer(cubies[0], cube)}`;
  const rows = cubies.slice(0, LISTED_MAX).map((places, i) => `${i + 1}: ${sides(places, cube)}`);
  const more = cubies.length > rows.length ? `; and ${cubies.length - rows.length} more` : '';
  return `Between ${name[0]} and ${name[1]}, ${cubies.length} pieces: ${rows.join('; ')}${more}.`;
}

/** A sticker, and the piece it is on. */
function stickerAnswer(place, cube) {
  const places = cubieOf(place, cube.n);
  const [colour] = names([cube.stickers[place]], cube);
  const on = places.length > 1 ? ` It is on ${pieceAnswer(places, cube)}` : '';
  return `${placeWords(place, cube.n)}: ${colour}.${on}`;
}

function faceAnswer(face, cube) {
  const { n, stickers } = cube;
  const counts = new Map();
  for (const colour of stickers.subarray(face * n * n, (face + 1) * n * n)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([colour, count]) => `${count} ${names([colour], cube)}`);
  return `${FACES[face]}, the ${SIDE_NAMES[face]}: ${words.join(', ')}.`;
}

const HELP = 'Write a corner (UFR), an edge (UF), a sticker (U1, counted row by row, or U 1 3 for row 1, column 3) or a face (U).';

/**
 * Describes the piece at a place that somebody names: `UF`, `ufr`, `U5`, `U 2 3`, `F`.
 * @param {string} text
 * @param {{stickers: Uint8Array, n: number, names: string[]}} cube
 */
export function whatIsAt(text, cube) {
  const { n } = cube;
  const [, letters, rest] = /^\s*([urfdlb]{1,3})([\s\S]*)$/i.exec(text) ?? [];
  if (!letters) return HELP;
  const upper = letters.toUpperCase();
  const numbers = rest.match(/\d+/g)?.map(Number) ?? [];
  const face = FACES.indexOf(upper);
  if (upper.length === 1 && numbers.length === 2) {
    if (numbers.some((number) => number < 1 || number > n)) return `Rows and columns go from 1 to ${n}.`;
    return stickerAnswer((face * n + numbers[0] - 1) * n + numbers[1] - 1, cube);
  }
  if (upper.length === 1 && numbers.length === 1) {
    if (numbers[0] < 1 || numbers[0] > n * n) return `The stickers of a face are 1 to ${n * n}.`;
    return stickerAnswer(face * n * n + numbers[0] - 1, cube);
  }
  if (numbers.length > 0) return HELP;
  if (upper.length === 1) return faceAnswer(face, cube);
  const name = inOrder(upper);
  if (!name) return `${upper} is not a place: these faces do not meet. ${HELP}`;
  return name.length === 3 ? `At ${name}: ${pieceAnswer(placesNamed(name, n), cube)}` : edgeAnswer(name, cube);
}

/** A cell of the table: `U, row 1, column 3: green`. */
export const cellWords = (place, cube) => `${placeWords(place, cube.n)}: ${names([cube.stickers[place]], cube)}`;

/** A face's caption: `U, top (white)`, of the colour in its middle. */
export function faceWords(face, { stickers, n, names: colours }) {
  const middle = n % 2 ? ` (${colours[stickers[face * n * n + (n * n - 1) / 2]] ?? 'empty'})` : '';
  return `${FACES[face]}, ${SIDE_NAMES[face]}${middle}`;
}

