// moves.js: moves as people write and read them.

import { moveText } from '../../client/moves.js';

/** Faces like which the middle layers turn, with their letters. */
const SLICES = { L: ['M', 1], R: ['M', -1], D: ['E', 1], U: ['E', -1], F: ['S', 1], B: ['S', -1] };

/** A turn as text; of the middle layer as M, E or S. */
export function moveOf(turn, n) {
  const { face, from, to, turns } = turn;
  if (from !== to || 2 * from !== n + 1) return moveText(turn, n);
  const [letter, sign] = SLICES[face];
  return letter + moveText({ face: 'R', from: 1, to: 1, turns: sign * turns }, n).slice(1);
}

/** Moves as they are shown: with primes instead of apostrophes. */
export const shownMoves = (moves) => moves.replaceAll("'", '′');
