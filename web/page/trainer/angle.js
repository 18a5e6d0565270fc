// angle.js: an algorithm as it is done on a certain cube: which turns of the top it needs there, before and after. Pure.

import { isSolved, turnedAll } from '../../client/cube.js';
import { parseMoves } from '../../client/moves.js';

const U_TURNS = ['', 'U', 'U2', "U'"];
/** A 2x2x2 has no centres: its first layer may stand in any way, and both layers of PBL may be on top. */
const GRIPS = { 2: ['', 'y', 'y2', "y'", 'x2', 'x2 y', 'x2 y2', "x2 y'"], 3: [''] };

/**
 * Adds to an algorithm the turns before and after it that take this cube to the end of the step. Returns null if no such
 * turns exist.
 * @param {{before: string, moves: string, after: string}} algorithm
 * @param {{size: number, stickers: Uint8Array}} cube
 * @param {((stickers: Uint8Array) => boolean) | null} end as of endOf()
 */
export function fitted({ moves }, { size, stickers }, end) {
  const isDone = end ?? ((after) => isSolved(after, size));
  const turnedBy = (from, text) => turnedAll(from, size, parseMoves(text, size));
  for (const grip of GRIPS[size]) {
    for (const turn of U_TURNS) {
      const before = `${grip} ${turn}`.trim();
      const there = turnedBy(stickers, `${before} ${moves}`);
      const after = U_TURNS.find((last) => isDone(turnedBy(there, last)));
      if (after !== undefined) return { before, moves, after };
    }
  }
  return null;
}
