// The package in a browser: as modules that are loaded as they are, and as one file, each with its worker. Usage: node browser.mjs,
// after `make wasm`.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { launch } from '../web/browser.mjs';
import { serveFolder } from './serve.mjs';

const PACKAGE = fileURLToPath(new URL('../../build/wasm/package/', import.meta.url));
/** The policy that README.md demands of a page that has one. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:";

const server = await serveFolder(PACKAGE, '<!doctype html><title>cubes</title>', { 'Content-Security-Policy': POLICY });

const browser = await launch();
const page = await browser.newPage();
await page.goto(server.url);

/** Runs in the page: what the library answers, and what the worker does. */
async function use(path) {
  const { load, newSolver } = await import(path);
  const library = await load();
  const cube = library.cube(3, library.scramble(3, 'a'));
  const solver = await newSolver();
  const { moves } = await solver.solve(cube.facelets);
  const stop = new AbortController();
  const seen = [];
  const end = await solver
    .solve(cube.facelets, { enough: 10, signal: stop.signal, onProgress: ({ best }) => seen.push(best) && best > 0 && stop.abort() })
    .catch(({ name }) => name);
  const again = await solver.solve(cube.facelets);
  solver.close();
  return { solved: cube.turn(moves).solved, end, seen: Math.max(...seen) > 0, same: again.moves === moves };
}

for (const path of ['/src/index.js', '/inline/index.js']) {
  await check(`${path} turns a cube, and solves it in a worker that can be cancelled`, async () => {
    assert.deepEqual(await page.evaluate(use, new URL(path, server.url).href), { solved: true, end: 'AbortError', seen: true, same: true });
  });
}

await browser.close();
server.close();
finish();
