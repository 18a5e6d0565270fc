// lesson.js: a lesson of the server as steps on a playback: what to say, what to light, and where each step begins and
// ends. Pure: tested without a browser.

import { FACES } from '../../client/cube.js';
import { coordinatesOf } from '../cube/cubies.js';

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

/** Returns how many times moves are an algorithm; 0: they are something else. */
function timesOf(moves, algorithm) {
  const times = moves.length / algorithm.length;
  return Number.isInteger(times) && moves.every((move, i) => move === algorithm[i % algorithm.length]) ? times : 0;
}

/**
 * Divides the moves of a step into `setup`, a turn of the top layer or nothing, and `algorithm`, made `times` times. `name`
 * is that of the algorithm, null if it has none. Steps of the same `kind` are made alike; null: there is no algorithm.
 */
export function partsOf(moves, algorithms) {
  const froms = /^U/.test(moves[0]) ? [0, 1] : [0];
  for (const from of froms) {
    for (const { name, moves: text } of algorithms) {
      const algorithm = wordsOf(text);
      const times = timesOf(moves.slice(from), algorithm);
      if (times > 0) return { setup: moves.slice(0, from), algorithm, times, name, kind: text };
    }
  }
  const algorithm = moves.slice(froms.at(-1));
  return { setup: moves.slice(0, froms.at(-1)), algorithm, times: 1, name: null, kind: algorithm.join(' ') || null };
}

/**
 * The steps of a lesson: what the server says, the positions on the playback of its solution: `from` before the whole
 * cube is turned, `start` when it is held as the step says, `end`; the `parts` of the moves, and if the step is `known`:
 * an earlier one was made alike, or there is no algorithm to learn.
 */
export function stepsOf({ stages }) {
  const steps = [];
  const kinds = new Set([null]);
  for (const { name, title, aim, picture, algorithms, steps: own } of stages) {
    own.forEach(({ text, hint, piece, hold, moves }, i) => {
      const from = steps.at(-1)?.end ?? 0;
      const start = from + wordsOf(hold.moves).length;
      const words = wordsOf(moves);
      const parts = partsOf(words, algorithms);
      steps.push({ stage: name, title, aim, picture, algorithms, number: i + 1, of: own.length, text, hint, hold: hold.text, piece, moves: words, parts, known: kinds.has(parts.kind), from, start, end: start + words.length });
      kinds.add(parts.kind);
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
