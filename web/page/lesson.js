// lesson.js: a lesson of the server as steps on a playback: what to say, what to light, and where each step begins and
// ends. Pure: tested without a browser.

import { FACES } from '../client/cube.js';
import { coordinatesOf } from './cubies.js';

const TITLES = {
  cross: 'The cross', 'first-layer': 'The first layer', f2l: 'The second layer', 'last-cross': 'The last cross',
  'last-edges': 'The last edges', 'last-corners-placed': 'The last corners, to their places', solved: 'The last corners, turned',
};

const COLOURS = { U: 'white', R: 'red', F: 'green', D: 'yellow', L: 'orange', B: 'blue' };

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

/** The title of a stage. */
export const titleOf = (name) => TITLES[name] ?? name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());

/** A piece in words: "the white and green edge". `colours`: names by face. */
export function nameOf(piece, colours = COLOURS) {
  const names = [...piece].map((face) => colours[face] ?? face);
  const kind = piece.length === 2 ? 'edge' : 'corner';
  return `the ${names.slice(0, -1).join(', ')} and ${names.at(-1)} ${kind}`;
}

/** The steps of a solution with stages: {stage, title, number, of, text, piece, moves, start, end}. */
export function stepsOf({ stages }) {
  const steps = [];
  for (const { name, steps: own } of stages) {
    own.forEach(({ text, piece, moves }, i) => {
      const start = steps.at(-1)?.end ?? 0;
      const words = wordsOf(moves);
      if (words.length === 0) return;
      steps.push({ stage: name, title: titleOf(name), number: i + 1, of: own.length, text, piece, moves: words, start, end: start + words.length });
    });
  }
  return steps;
}

/** The index of the step that is under way at a position: at its end, the next one. */
export function stepAt(steps, position) {
  const at = steps.findIndex(({ end }) => position < end);
  return at < 0 ? steps.length - 1 : at;
}

/** The facelets of each piece, as lists of places; a piece is what has the same place in space. */
const pieces = new Map();

/** @param {number} n */
export function piecesOf(n) {
  const known = pieces.get(n);
  if (known) return known;
  const found = new Map();
  for (let place = 0; place < 6 * n * n; place++) {
    const key = coordinatesOf(place, n).join();
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(place);
  }
  const list = [...found.values()];
  pieces.set(n, list);
  return list;
}

/** Where the piece with these colours (letters of faces) is; empty if it is nowhere. */
export function placesOf(piece, stickers, n) {
  const wanted = [...piece].map((letter) => FACES.indexOf(letter)).sort().join();
  return piecesOf(n).find((places) => places.map((place) => stickers[place]).sort().join() === wanted) ?? [];
}

/** Pieces that are elsewhere, or turned, in one of two cubes. */
function movedTo(before, after, n) {
  return piecesOf(n).filter((places) => places.some((place) => before[place] !== after[place]));
}

/**
 * What to light at a position of a step: the piece and its goal; or, for steps about more than one piece, what will be
 * in its place after it.
 */
export function marksOf(step, stickersAt, position, n) {
  const [now, end] = [stickersAt(position), stickersAt(step.end)];
  if (!step.piece) {
    const start = stickersAt(step.start);
    return position === step.end ? [] : [{ places: movedTo(start, end, n).flat(), kind: 'piece' }].filter(({ places }) => places.length > 0);
  }
  const piece = placesOf(step.piece, now, n);
  const goal = placesOf(step.piece, end, n);
  const marks = [];
  if (goal.length > 0 && goal.join() !== piece.join()) marks.push({ places: goal, kind: 'goal' });
  if (piece.length > 0) marks.push({ places: piece, kind: 'piece' });
  return marks;
}

const WHERE = { U: 'top', D: 'bottom', F: 'front', B: 'back', R: 'right', L: 'left' };

/** Where a piece is, in words: "bottom front". */
export function placeWords(places, n) {
  const faces = new Set(places.map((place) => FACES[Math.floor(place / (n * n))]));
  return [...'UDFBRL'].filter((face) => faces.has(face)).map((face) => WHERE[face]).join(' ');
}

/** A hint before the answer: what the step is about, without its moves. */
export function hintOf(step, stickersAt, n, colours) {
  const count = `${step.moves.length} ${step.moves.length === 1 ? 'move' : 'moves'}`;
  if (!step.piece) return `Look at the lit pieces: how do they come to their places? It takes ${count}.`;
  const [from, to] = [step.start, step.end].map((at) => placesOf(step.piece, stickersAt(at), n));
  const name = nameOf(step.piece, colours);
  if (placeWords(from, n) === placeWords(to, n)) return `Look for ${name}: it is in its place, at the ${placeWords(to, n)}, but the wrong way round. It takes ${count}.`;
  return `Look for ${name}, at the ${placeWords(from, n)}. It belongs to the ${placeWords(to, n)}. How does it get there? It takes ${count}.`;
}
