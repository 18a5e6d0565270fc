// index.js: what users of the package see, in browsers, Deno and bundlers that know new URL(..., import.meta.url).

import { CubeError } from './calls.js';
import { Cube, Library, Pattern } from './cube.js';
import { helperOf } from './helper.js';
import { Solver } from './solver.js';

export { Cube, CubeError, Library, Pattern, Solver };

/** @typedef {import('./calls.js').Problem} Problem */
/** @typedef {import('./cube.js').SolveOptions} SolveOptions */
/** @typedef {import('./cube.js').Solution} Solution */
/** @typedef {import('./cube.js').Lesson} Lesson */
/** @typedef {import('./cube.js').Step} Step */
/** @typedef {import('./cube.js').RowOptions} RowOptions */
/** @typedef {import('./cube.js').Rows} Rows */
/** @typedef {import('./solver.js').Progress} Progress */

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

async function compile() {
  const response = await fetch(new URL('./libcube.wasm', import.meta.url));
  if (!response.ok) throw new Error(`libcube.wasm: ${response.status}`);
  // Not every server says application/wasm, which compileStreaming() demands.
  return WebAssembly.compile(await response.arrayBuffer());
}

function whole() {
  compiled ??= compile().catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** Loads the library. The module is fetched and compiled once, and again after a failure. */
export async function load() {
  return new Library(await whole());
}

/** Loads the library for searches in a worker, which starts with the first search. */
export async function newSolver() {
  return new Solver(await whole(), () => helperOf(new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })));
}
