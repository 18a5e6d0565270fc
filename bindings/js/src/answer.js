// answer.js: the worker's side: one library, which is made for the first question.

import { CubeError } from './calls.js';
import { Library } from './cube.js';

/** The least time between two reports about the same best solution, in milliseconds. */
const PAUSE = 100;

/** @type {Library | null} */
let library = null;

/** @typedef {Record<string, (library: Library, ...args: any[]) => unknown>} Table */

/** @type {Table} */
const CALLS = {
  solve: (lib, facelets, options) => lib.solve(lib.read(facelets), options),
  lesson: (lib, facelets) => lib.lesson(lib.read(facelets)),
  scramble: (lib, ...args) => lib.scramble(...args),
};

/**
 * Reports progress when there is a better solution, and now and then.
 * @param {(message: unknown) => void} send
 * @returns {import('./calls.js').CarryOn}
 */
function reporter(send) {
  let last = -Infinity;
  let shown = -2;
  return (nodes, depth, best) => {
    const now = performance.now();
    if (best !== shown || now - last >= PAUSE) {
      last = now;
      shown = best;
      send({ progress: { nodes, depth, best } });
    }
    return true;
  };
}

/**
 * Answers a question of a Solver.
 * @param {{ module: WebAssembly.Module, call: string, args: any[], watched: boolean }} question
 * @param {(message: unknown) => void} send
 * @param {Table} [table] what can be asked
 */
export async function answer({ module, call, args, watched }, send, table = CALLS) {
  try {
    library ??= new Library(module);
    library.calls.carryOn = watched ? reporter(send) : null;
    send({ result: await table[call](library, ...args) });
  } catch (error) {
    const { message, column, length, expected, suggestion, problems } = error instanceof CubeError ? error : new CubeError(String(error));
    send({ error: { message, column, length, expected, suggestion, problems } });
  }
}
