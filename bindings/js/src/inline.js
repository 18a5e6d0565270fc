// inline.js: the package in one file, for pages and bundlers that load no others. tools/pack-wasm puts the module and the
// worker in.

import { Library } from './cube.js';
import { helperOf } from './helper.js';
import { Solver } from './solver.js';
// @ts-expect-error: made when the package is packed
import wasm from './libcube.wasm';
// @ts-expect-error: made when the package is packed
import worker from './worker.txt';

export { CubeError } from './calls.js';
export { Cube, Library, Pattern } from './cube.js';
export { Solver };

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

function whole() {
  compiled ??= WebAssembly.compile(wasm);
  return compiled;
}

export async function load() {
  return new Library(await whole());
}

/** The address of the worker's text, once there is one. */
let url = '';

/** Loads the library for searches in a worker. In Node, where workers have no such addresses, use `cubed-cube` itself. */
export async function newSolver() {
  return new Solver(await whole(), () => {
    url ||= URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
    return helperOf(new Worker(url, { type: 'module' })); // Deno has no others
  });
}
