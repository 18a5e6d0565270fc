// diagnosis.js: what is wrong with a painted cube, in words, and which stickers that is about.
//
// The server finds it when all stickers are painted. Before that, `faultsSoFar` finds what can no longer become right.

import { FACES } from '../../client/cube.js';
import { coordinatesOf, kindOf, lettersOf, outerCubies, placesNamed, rowAndColumn, SIDE_NAMES } from '../cube/cubies.js';
import { EMPTY } from './painted.js';
import { t } from '../words.js';

const numbersOf = (letters) => Array.from(letters ?? '', (letter) => FACES.indexOf(letter)).filter((face) => face >= 0);
const opposite = (a, b) => a !== b && (a + 3) % 6 === b;
const sameSet = (a, b) => a.length === b.length && [...a].sort().join() === [...b].sort().join();
const listed = (words) => (words.length < 2 ? words.join('') : t('{list} and {last}', { list: words.slice(0, -1).join(', '), last: words.at(-1) }));

/** `white-green-red corner`, of letters of faces or numbers of colours. */
export function pieceWords(colours, names) {
  const numbers = typeof colours === 'string' ? numbersOf(colours) : colours;
  const values = { colours: numbers.map((colour) => names[colour]).join('-') };
  if (numbers.length === 1) return t('{colours} centre', values);
  return numbers.length === 3 ? t('{colours} corner', values) : t('{colours} edge', values);
}

/** Names the place of a piece, as one holds the cube: `top-right-front`; for an inner one, also its position in its
 * row. */
export function whereWords(places, n) {
  if (places.length === 1) return stickerWords(places[0], n);
  const sides = places.map((place) => SIDE_NAMES[Math.floor(place / (n * n))]).join('-');
  if (places.length === 3 || n <= 3) return sides;
  const [row, column] = rowAndColumn(places[0], n);
  return t('{sides}, row {row}, column {column} of the {side}', { sides, row, column, side: SIDE_NAMES[Math.floor(places[0] / (n * n))] });
}

/** `top, row 3, column 1` */
function stickerWords(place, n) {
  const [row, column] = rowAndColumn(place, n);
  return t('{face}, row {row}, column {column}', { face: SIDE_NAMES[Math.floor(place / (n * n))], row, column });
}

/** Explains why no piece has these colours. `where`: {kind, place} in words. */
function impossibleWords(colours, names, where) {
  for (const [i, colour] of colours.entries()) {
    const values = { ...where, colour: names[colour] };
    if (colours.indexOf(colour) !== i) return t('The {kind} at {place} has {colour} twice, and no piece has a colour twice.', values);
    const other = colours.find((one) => opposite(one, colour));
    if (other !== undefined) return t('The {kind} at {place} has {colour} and {other}, which are on opposite sides of a real cube.', { ...values, other: names[other] });
  }
  return t('The {kind} at {place} has colours that are on no piece together.', where);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Places with the same colours on the same kind of piece, in the cube. */
function sameColours(places, stickers, n) {
  const colours = places.map((place) => stickers[place]);
  return outerCubies(n).filter((cubie) => sameSet(cubie.map((place) => stickers[place]), colours)).flat();
}

/** The sides of a cube as problems and repairs name them. */
const sideWord = (letter) => SIDE_NAMES[FACES.indexOf(letter)];
const QUARTERS = ['', t('a quarter clockwise'), t('by half a turn'), t('a quarter counterclockwise')];
/** The kinds of pieces. */
const PIECES = { corner: t('corner'), edge: t('edge'), centre: t('centre'), middle: t('centre') };

/** The sentence for each kind of problem; `places` are those of the piece. */
const WORDS = {
  face_turned: ({ place, amount }) => t('The {side} seems to have been painted turned {quarters}.', { side: sideWord(place), quarters: QUARTERS[amount] }),
  faces_exchanged: ({ letters }) => t("The {a} and the {b} seem to have been painted in each other's place.", { a: sideWord(letters[0]), b: sideWord(letters[1]) }),
  wrong_count({ letters, amount }, _, { n, names }) {
    const [colour, left] = [names[numbersOf(letters)[0]], amount - n * n];
    const stickers = t('{n} sticker|{n} stickers', { n: amount });
    return `${capital(colour)}: ${stickers}, ${left > 0 ? t('{n} too many', { n: left }) : t('{n} too few', { n: -left })}.`;
  },
  centers({ place, piece, letters }, places, { n, names }) {
    const pairs = () => listed([0, 1, 2].map((face) => t('{a} is opposite {b}', { a: names[face], b: names[face + 3] })));
    if (!place) return t('The middles do not belong together: on a real cube {pairs}.', { pairs: pairs() });
    return t('There is one {colour} centre too many ({place}), and one {other} centre too few.', { colour: names[numbersOf(letters)[0]], place: whereWords(places, n), other: names[numbersOf(piece)[0]] });
  },
  impossible_piece({ letters }, places, { n, names }) {
    return impossibleWords(numbersOf(letters), names, { kind: PIECES[kindOf(places, n)], place: whereWords(places, n) });
  },
  mirrored_corner({ letters }, places, { n, names }) {
    return t('The {piece} at {place} has its colours in the wrong order, as in a mirror.', { piece: pieceWords(letters, names), place: whereWords(places, n) });
  },
  duplicate_piece({ letters }, places, { n, names }) {
    return t('The {piece} is there twice; once at {place}.', { piece: pieceWords(letters, names), place: whereWords(places, n) });
  },
  missing_piece: ({ piece }, _, { names }) => t('The {piece} is missing.', { piece: pieceWords(piece.replace(/\d+/, ''), names) }),
  corner_twisted({ letters }, places, { n, names }) {
    return t('A corner is twisted in its place, perhaps the {piece} ({place}).', { piece: pieceWords(letters, names), place: whereWords(places, n) });
  },
  edge_flipped({ letters }, places, { n, names }) {
    return t('An edge is flipped in its place, perhaps the {piece} ({place}).', { piece: pieceWords(letters, names), place: whereWords(places, n) });
  },
  parity({ letters }, places, { n, names }) {
    return t('Two pieces are swapped, perhaps the {piece} ({place}) and another.', { piece: pieceWords(letters, names), place: whereWords(places, n) });
  },
};

/** The faces that problems with whole faces are about. */
const FACE_LETTERS = { face_turned: ({ place }) => place, faces_exchanged: ({ letters }) => letters };
const placesOfSide = (face, n) => Array.from({ length: n * n }, (_, i) => face * n * n + i);

/** The problems to light: if faces were painted wrongly, all others follow from that. */
export function causes(problems) {
  const faces = problems.filter(({ kind }) => kind in FACE_LETTERS);
  return faces.length > 0 ? faces : problems;
}

/** The places that a problem is about. */
function placesOf(problem, { stickers, n }) {
  if (problem.kind === 'centers' && !problem.place) return [0, 1, 2, 3, 4, 5].map((face) => face * n * n + (n * n - 1) / 2);
  if (problem.kind in FACE_LETTERS) return [...FACE_LETTERS[problem.kind](problem)].flatMap((letter) => placesOfSide(FACES.indexOf(letter), n));
  const places = placesNamed(problem.place, n);
  return problem.kind === 'duplicate_piece' ? sameColours(places, stickers, n) : places;
}

/**
 * A problem in words.
 * @param {{kind: string, place?: string, piece?: string, letters?: string, amount?: number}} problem as the server answers it
 * @param {{stickers: Uint8Array, n: number, names: string[]}} cube
 * @returns {{text: string, places: number[]}}
 */
export function explain(problem, cube) {
  const places = placesOf(problem, cube);
  const text = WORDS[problem.kind]?.(problem, placesNamed(problem.place, cube.n), cube) ?? t('These colours do not go together.');
  return { text, places };
}

/**
 * A repair in words, and the places it changes.
 * @param {NonNullable<ReturnType<typeof import('./repair.js').readRepair>>} repair
 * @param {{stickers: Uint8Array, n: number, names: string[]}} cube
 */
export function explainRepair({ kind, places = [], others = [], colours = [], clockwise, quarters }, { stickers, n, names }) {
  const at = (place) => names[stickers[place]];
  const piece = (list) => pieceWords(list.map((place) => stickers[place]), names);
  const pieceAt = (list) => ({ piece: piece(list), place: whereWords(list, n) });
  const side = (place) => SIDE_NAMES[Math.floor(place / (n * n))];
  const all = kind === 'turn' ? places : [...places, ...others];
  const words = {
    turn: () => t('Turn the stickers of the {side} {quarters}.', { side: side(places[0]), quarters: QUARTERS[quarters] }),
    faces: () => t('Exchange the stickers of the {a} with those of the {b}.', { a: side(places[0]), b: side(others[0]) }),
    recolour: () => t('Paint {list}.', { list: listed(places.map((place, i) => t('{place} {colour} instead of {other}', { place: stickerWords(place, n), colour: names[colours[i]], other: at(place) }))) }),
    exchange: () => t('Exchange the {a} sticker at {place} with the {b} one at {other}.', { a: at(places[0]), place: stickerWords(places[0], n), b: at(places[1]), other: stickerWords(places[1], n) }),
    scheme: () => t('Exchange {a} and {b} on the whole cube.', { a: names[colours[0]], b: names[colours[1]] }),
    twist: () => (clockwise ? t('Twist the {piece} at {place} a third clockwise.', pieceAt(places)) : t('Twist the {piece} at {place} a third counterclockwise.', pieceAt(places))),
    flip: () => t('Turn over the {piece} at {place}.', pieceAt(places)),
    swap: () => t('Swap the {piece} at {place} and the {piece2} at {place2}.', { ...pieceAt(places), piece2: piece(others), place2: whereWords(others, n) }),
  };
  return { text: words[kind](), places: all };
}

// ---- while stickers are empty ----

/** Returns true if three different colours, in the order of a corner's name, are as in a mirror. */
function isMirrored([a, b, c]) {
  const axes = [a % 3, b % 3, c % 3];
  const even = 'URF,RFU,FUR'.split(',').includes(axes.map((axis) => FACES[axis]).join(''));
  const below = [a, b, c].filter((colour) => colour > 2).length;
  return even !== (below % 2 === 0);
}

/** Finds the fault of a cubie whose stickers are all painted; null: it has none. */
function faultOf(places, colours, n) {
  const fault = { place: placeName(places, n), letters: colours.map((colour) => FACES[colour]).join('') };
  const impossible = colours.some((colour, i) => colours.indexOf(colour) !== i || colours.some((other) => opposite(other, colour)));
  if (impossible) return { kind: 'impossible_piece', ...fault };
  return colours.length === 3 && isMirrored(colours) ? { kind: 'mirrored_corner', ...fault } : null;
}

function placeName(places, n) {
  const wing = places.length === 2 && n > 3 && !coordinatesOf(places[0], n).includes(0);
  return `${lettersOf(places, n)}${wing ? places[0] : ''}`;
}

/**
 * Finds what can no longer become right in a cube that is not complete: too many stickers of a colour, and pieces that
 * do not exist or are there twice. Returns problems in the server's form.
 * @param {Uint8Array} stickers
 * @param {number} n
 */
export function faultsSoFar(stickers, n) {
  const counts = Array(7).fill(0);
  for (const colour of stickers) counts[colour]++;
  const faults = [];
  for (let colour = 0; colour < EMPTY; colour++) {
    if (counts[colour] > n * n) faults.push({ kind: 'wrong_count', letters: FACES[colour], amount: counts[colour] });
  }
  const seen = new Map();
  for (const places of outerCubies(n)) {
    const colours = places.map((place) => stickers[place]);
    if (colours.includes(EMPTY)) continue;
    const fault = faultOf(places, colours, n);
    const key = [...colours].sort().join();
    const most = colours.length === 3 ? 1 : n - 2;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (fault) faults.push(fault);
    else if (seen.get(key) === most + 1) faults.push({ kind: 'duplicate_piece', place: placeName(places, n), letters: colours.map((colour) => FACES[colour]).join('') });
  }
  return faults;
}
