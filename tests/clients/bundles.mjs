// The JavaScript client in bundles for older browsers, and with require(): no module may wait for something while it is
// loaded. Usage: node bundles.mjs [path of the binary]

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { PROGRAMS, ROOT, run, unpack } from './support/packed.mjs';

const ENTRIES = ['index.js', 'cube.js', 'element.js', 'view/view.js'];
const SOURCE = join(ROOT, 'clients/js/src');

const folder = temporaryDirectory();
unpack(folder);
const server = await Server.start(binaryArgument(), 'memory:');

const PROGRAM = `
const { Cubed, Problem } = require('cubed-client');
const cubed = new Cubed('${server.url}');
(async () => {
  const session = await cubed.createSession({ size: 3 });
  const cube = await session.live();
  await cube.turn('R');
  cube.close();
  const refused = await cubed.apply({ moves: 'Q' }).catch((error) => error);
  console.log(cube.revision, cube.facelets.length, refused instanceof Problem, require('cubed-client/cube.js').isSolved(cube.stickers, 3));
  console.log(Object.keys(require('cubed-client/view.js')).join(), Object.keys(require('cubed-client/element.js')).join());
})();
`;

const bundle = (entry, ...switches) => run(join(PROGRAMS, 'esbuild'), ['--bundle', '--log-level=error', ...switches, join(SOURCE, entry)]);

for (const entry of ENTRIES) {
  await check(`${entry} is bundled for browsers of 2020, as modules and as a script`, () => {
    assert.match(bundle(entry, '--target=es2020', '--format=esm'), /export \{/);
    assert.match(bundle(entry, '--target=es2020', '--format=iife'), /^"use strict";\s*\(\(\) => \{/);
  });
}

await check('a script in one file turns a cube, and asks a server', async () => {
  const script = bundle('index.js', '--target=es2020', '--format=iife', '--global-name=cubed');
  const { fetch, AbortController, URLSearchParams, TextDecoder, TextEncoder, Blob, setTimeout, clearTimeout } = globalThis;
  const page = vm.createContext({ crypto: webcrypto, fetch, AbortController, URLSearchParams, TextDecoder, TextEncoder, Blob, setTimeout, clearTimeout });
  vm.runInContext(script, page);
  assert.equal(vm.runInContext("const local = new cubed.LocalCube({ size: 2 }); local.turn('R'); local.solved", page), false);
  const asked = vm.runInContext(`new cubed.Cubed('${server.url}').createSession({ size: 2 }).then(({ token }) => token)`, page);
  assert.equal(typeof await asked, 'string');
});

await check('require() loads the package', () => {
  writeFileSync(join(folder, 'program.cjs'), PROGRAM);
  const [first, second] = run(process.execPath, ['program.cjs'], { cwd: folder }).trim().split('\n');
  assert.equal(first, '1 54 true false');
  assert.equal(second, 'CubeView CubedCube');
});

await check('require() loads the modules themselves, where Node can do that', () => {
  if (!process.features.require_module) return;
  const require = createRequire(import.meta.url);
  for (const entry of ENTRIES) assert.ok(require(join(SOURCE, entry)), entry);
});

await check('a strict compiler reads the types for require()', () => {
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  writeFileSync(join(folder, 'typed.ts'), `
import { Cubed, Problem } from 'cubed-client';
import { CubedCube } from 'cubed-client/element.js';
import cube = require('cubed-client/cube.js');
export const solved: boolean = cube.isSolved(new Uint8Array(6), 1);
export const name = (error: unknown): string | null => (error instanceof Problem ? error.kind : null);
export const make = (): Cubed => new Cubed('http://localhost:8080');
export const element = (): CubedCube => new CubedCube();
`);
  run(join(PROGRAMS, 'tsc'), ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', 'typed.ts'], { cwd: folder });
});

await check('each export of the package is there, with its types, for both ways to load it', () => {
  const inside = join(folder, 'node_modules/cubed-client');
  const { exports } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  const paths = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one).flatMap((way) => Object.values(way))));
  assert.equal(paths.length, 4 * ENTRIES.length + 1);
  for (const path of paths) assert.ok(readFileSync(join(inside, path)).length > 0, path);
});

await server.stop();
finish();
