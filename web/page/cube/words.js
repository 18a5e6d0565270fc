// words.js: a cube and its turns in words, for people who do not see it.

import { FACES } from '../../client/cube.js';
import { CORNERS, cubieOf, cubiesOfEdge, EDGES, kindOf, lettersOf, placesNamed, placeWords, SIDE_NAMES } from './cubies.js';
import { t } from '../words.js';

const ROTATIONS = { U: 'y', R: 'x', F: 'z', D: 'y', L: 'x', B: 'z' };
const SLICES = { L: 'M', D: 'E', F: 'S' };
const AMOUNTS = { '-1': (turn) => t('{turn} prime', { turn }), 2: (turn) => `${turn} 2`, '-2': (turn) => `${turn} 2` };
const LISTED_MAX = 8;

/** Names what turns, as it is read. */
function partWords({ face, from, to }, n) {
  if (from === 1 && to === n) return t('rotate {axis}', { axis: ROTATIONS[face] });
  if (from === 1 && to === 1) return face;
  if (from === to && 2 * from === n + 1 && SLICES[face]) return SLICES[face];
  if (from === to) return t('layer {n} of {face}', { n: from, face });
  if (from === 1) return to > 2 ? t('{face} wide, {n} layers', { face, n: to }) : t('{face} wide', { face });
  return t('layers {from} to {to} of {face}', { from, to, face });
}

/** A turn as it is read: `R`, `R prime`, `U 2`, `R wide`, `layer 3 of R`, `rotate x prime`. */
export function turnWords(turn, n) {
  const { face, from, to, turns } = turn;
  const backwards = 'DLB'.includes(face) && from === 1 && to === n;
  const part = partWords(turn, n);
  return AMOUNTS[backwards ? -turns : turns]?.(part) ?? part;
}

/** Several turns: all of them, or how many and the last one. */
export function turnsWords(turns, n) {
  if (turns.length <= LISTED_MAX) return turns.map((turn) => turnWords(turn, n)).join(', ');
  return t('{n} turns, the last one {turn}', { n: turns.length, turn: turnWords(turns.at(-1), n) });
}

const names = (colours, cube) => colours.map((colour) => cube.names[colour] ?? t('empty'));

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
  if (name !== lettersOf(places, cube.n)) return t('it belongs at {place}', { place: name });
  const right = places.every((place, i) => faces[i] === Math.floor(place / (cube.n * cube.n)));
  if (right) return t('it is in its place');
  return places.length === 3 ? t('it is in its place, but twisted') : t('it is in its place, but flipped');
}

/** `white on U, red on F` */
const sides = (places, cube) => places.map((place, i) => t('{colour} on {face}', { colour: names([cube.stickers[place]], cube)[0], face: lettersOf(places, cube.n)[i] })).join(', ');

const PIECES = {
  corner: (colours) => t('the {colours} corner', { colours }),
  edge: (colours) => t('the {colours} edge', { colours }),
  centre: (colours) => t('the {colours} centre', { colours }),
  middle: (colours) => t('the {colours} middle', { colours }),
};

/** A piece: its colours, which side shows which, and where it belongs. */
function pieceAnswer(places, cube) {
  const colours = names(places.map((place) => cube.stickers[place]), cube).join('-');
  return `${PIECES[kindOf(places, cube.n)](colours)}: ${[sides(places, cube), belongs(places, cube)].filter(Boolean).join('; ')}.`;
}

function edgeAnswer(name, cube) {
  const cubies = cubiesOfEdge(name, cube.n);
  if (cubies.length === 0) return t('A 2x2x2 has no edges.');
  if (cubies.length === 1) return t('At {place}: {answer}', { place: name, answer: pieceAnswer(cubies[0], cube) });
  const rows = cubies.slice(0, LISTED_MAX).map((places, i) => `${i + 1}: ${sides(places, cube)}`);
  const more = cubies.length - rows.length;
  const list = more > 0 ? [...rows, t('and {n} more', { n: more })] : rows;
  return t('Between {a} and {b}, {n} pieces: {list}.', { a: name[0], b: name[1], n: cubies.length, list: list.join('; ') });
}

/** A sticker, and the piece it is on. */
function stickerAnswer(place, cube) {
  const places = cubieOf(place, cube.n);
  const [colour] = names([cube.stickers[place]], cube);
  const on = places.length > 1 ? t('It is on {piece}', { piece: pieceAnswer(places, cube) }) : '';
  return `${placeWords(place, cube.n)}: ${colour}. ${on}`.trimEnd();
}

function faceAnswer(face, cube) {
  const { n, stickers } = cube;
  const counts = new Map();
  for (const colour of stickers.subarray(face * n * n, (face + 1) * n * n)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([colour, count]) => `${count} ${names([colour], cube)}`);
  return t('{face}, the {side}: {list}.', { face: FACES[face], side: SIDE_NAMES[face], list: words.join(', ') });
}

const HELP = t('Write a corner (UFR), an edge (UF), a sticker (U1, counted row by row, or U 1 3 for row 1, column 3) or a face (U).');

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
    if (numbers.some((number) => number < 1 || number > n)) return t('Rows and columns go from 1 to {n}.', { n });
    return stickerAnswer((face * n + numbers[0] - 1) * n + numbers[1] - 1, cube);
  }
  if (upper.length === 1 && numbers.length === 1) {
    if (numbers[0] < 1 || numbers[0] > n * n) return t('The stickers of a face are 1 to {n}.', { n: n * n });
    return stickerAnswer(face * n * n + numbers[0] - 1, cube);
  }
  if (numbers.length > 0) return HELP;
  if (upper.length === 1) return faceAnswer(face, cube);
  const name = inOrder(upper);
  if (!name) return `${t('{place} is not a place: these faces do not meet.', { place: upper })} ${HELP}`;
  return name.length === 3 ? t('At {place}: {answer}', { place: name, answer: pieceAnswer(placesNamed(name, n), cube) }) : edgeAnswer(name, cube);
}

/** A cell of the table: `U, row 1, column 3: green`. */
export const cellWords = (place, cube) => `${placeWords(place, cube.n)}: ${names([cube.stickers[place]], cube)}`;

/** A face's caption: `U, top (white)`, of the colour in its middle. */
export function faceWords(face, { stickers, n, names: colours }) {
  const middle = n % 2 ? ` (${colours[stickers[face * n * n + (n * n - 1) / 2]] ?? t('empty')})` : '';
  return `${FACES[face]}, ${SIDE_NAMES[face]}${middle}`;
}

