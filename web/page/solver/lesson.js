// lesson.js: a lesson of the server as steps on a playback: what to say, what to light, and where each step begins and
// ends. Pure: tested without a browser.

import { FACES } from '../../client/cube.js';
import { coordinatesOf } from '../cube/cubies.js';

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

/**
 * The steps of a lesson: what the server says, and the positions on the playback of its solution: `from` before the
 * whole cube is turned, `start` when it is held as the step says, `end`.
 */
export function stepsOf({ stages }) {
  const steps = [];
  for (const { name, title, aim, picture, algorithms, steps: own } of stages) {
    own.forEach(({ text, hint, piece, hold, moves }, i) => {
      const from = steps.at(-1)?.end ?? 0;
      const start = from + wordsOf(hold.moves).length;
      const words = wordsOf(moves);
      steps.push({ stage: name, title, aim, picture, algorithms, number: i + 1, of: own.length, text, hint, hold: hold.text, piece, moves: words, from, start, end: start + words.length });
    });
  }
  return steps;
}

/** The index of the step that is under way at a position: at its end, the next one. */
export function stepAt(steps, position) {
  const at = steps.findIndex(({ end }) => position < end);
  return at < 0 ? steps.length - 1 : at;
}

/** The limits of a cue: its marks, and the places of each. */
const MARKS_MAX = 16;
const PLACES_MAX = 100;

/** Marks as a cue takes them: those with many places in parts. */
export function marksOfCue(marks) {
  const parts = marks.flatMap(({ places, kind }) => Array.from({ length: Math.ceil(places.length / PLACES_MAX) },
    (_, i) => ({ places: places.slice(i * PLACES_MAX, (i + 1) * PLACES_MAX), kind })));
  return parts.slice(0, MARKS_MAX);
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

/** Returns the places of the piece with these colours (letters of faces), on a larger cube of all pieces of an edge; empty if
 * it is nowhere. */
export function placesOf(piece, stickers, n) {
  const wanted = [...piece].map((letter) => FACES.indexOf(letter)).sort().join();
  return piecesOf(n).filter((places) => places.map((place) => stickers[place]).sort().join() === wanted).flat();
}

/** Pieces that are elsewhere, or turned, in one of two cubes. */
function movedTo(before, after, n) {
  return piecesOf(n).filter((places) => places.some((place) => before[place] !== after[place]));
}

/**
 * Returns the marks for a position of a step: the piece and its goal; or, for steps about more than one piece, those
 * that will be in their places after it.
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
