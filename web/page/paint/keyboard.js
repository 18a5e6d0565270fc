// keyboard.js: painting by keys: arrows move over the unfolding, letters of colours or faces paint and step on.

import { isMiddle } from '../cube/cubies.js';
import { EMPTY } from './painted.js';

/** W R G Y O B are colours, U R F D L B faces; R and B are both. */
const COLOURS = { U: 0, W: 0, R: 1, F: 2, G: 2, D: 3, Y: 3, L: 4, O: 4, B: 5 };

/** The faces of the unfolding: their column and row. */
const UNFOLDED = [[1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [3, 1]];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The colour of a key; -1: none. Keys are known by their letter or, without Latin letters, by their place. */
export function colourOfKey({ key, code }) {
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : (/^Key([A-Z])$/.exec(code)?.[1] ?? '');
  return COLOURS[letter] ?? (/^[1-6]$/.test(key) ? Number(key) - 1 : -1);
}

/** The next place in the order of facelets that can be painted. */
export function nextPlace(place, n, step = 1) {
  const count = 6 * n * n;
  let next = place;
  do next = (next + step + count) % count;
  while (isMiddle(next, n));
  return next;
}

/** The place beside another in the unfolding; the same if there is none. */
export function placeBeside(place, n, key) {
  const [right, down] = ARROWS[key];
  const face = Math.floor(place / (n * n));
  const column = UNFOLDED[face][0] * n + (place % n) + right;
  const row = UNFOLDED[face][1] * n + (Math.floor(place / n) % n) + down;
  const to = UNFOLDED.findIndex(([x, y]) => Math.floor(column / n) === x && Math.floor(row / n) === y);
  return to < 0 ? place : (to * n + (row % n)) * n + (column % n);
}

/**
 * Returns the command of a key: `move` to a place, `paint` a colour, `erase` the sticker before, `undo` or `redo`;
 * null: nothing.
 * @param {KeyboardEvent} event
 */
export function commandOf(event, place, n) {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === 'z') return { does: event.shiftKey ? 'redo' : 'undo' };
    return event.key.toLowerCase() === 'y' ? { does: 'redo' } : null;
  }
  if (ARROWS[event.key]) return { does: 'move', place: placeBeside(place, n, event.key) };
  if (event.key === 'Backspace') return { does: 'erase' };
  if (event.key === 'Delete') return { does: 'paint', colour: EMPTY };
  const colour = colourOfKey(event);
  return colour < 0 ? null : { does: 'paint', colour };
}
