// node.js: what users of the package see in Node, where fetch() reads no files and workers are threads.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Library } from './cube.js';
import './node-random.js';
import { Solver } from './solver.js';

export { CubeError } from './calls.js';
export { Cube, Library, Pattern } from './cube.js';
export { Solver };

let compiled = null;

function whole() {
  compiled ??= readFile(new URL('./libcube.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

export async function load() {
  return new Library(await whole());
}

function startWorker() {
  const worker = new Worker(new URL('./worker-node.js', import.meta.url), { execArgv: [] });
  worker.unref();
  return {
    postMessage(message) {
      worker.ref(); // a search keeps the program alive, a worker that waits does not
      worker.postMessage(message);
    },
    terminate: () => worker.terminate(),
    listen(onMessage, onError) {
      worker.removeAllListeners();
      worker.on('message', (message) => {
        if (!message.progress) worker.unref();
        onMessage(message);
      });
      worker.on('error', onError);
    },
  };
}

export async function newSolver() {
  return new Solver(await whole(), startWorker);
}
