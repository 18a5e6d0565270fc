// The package in the bundles of Vite and of webpack, run by a browser. Usage: node bundlers.mjs, after `make wasm`. It installs the
// bundlers, which need Node 20.19, from npm: it is a part of `make prove`, not of `make test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';
import { launch } from '../web/browser.mjs';
import { serveFolder } from './serve.mjs';

const BUILD = fileURLToPath(new URL('../../build/', import.meta.url));
const BUNDLERS = ['vite@8.4.0', 'webpack@5.113.0', 'webpack-cli@7.3.1'];

const folder = temporaryDirectory();

/** Runs a program of the folder that must succeed. */
function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600000 });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
}

const [packed] = readdirSync(BUILD).filter((name) => /^cubed-cube-.*\.tgz$/.test(name));
writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>cubes</title><script type="module" src="/page.js"></script>');
writeFileSync(join(folder, 'page.js'), `
import { load, newSolver } from 'cubed-cube';
async function use() {
  const library = await load();
  const cube = library.cube(3, library.scramble(3, 'a'));
  const { moves } = await (await newSolver()).solve(cube.facelets);
  return cube.turn(moves).solved;
}
globalThis.result = use();
`);
run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...BUNDLERS, join(BUILD, packed));

const browser = await launch();

/** Answers what the page of a folder finds out about its cube. */
async function solvedIn(name) {
  const server = await serveFolder(join(folder, name), '<!doctype html><title>cubes</title><script type="module" src="main.js"></script>');
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.result);
  const solved = await page.evaluate(() => globalThis.result);
  await page.close();
  server.close();
  return solved;
}

await check('Vite bundles it with its module and its worker', async () => {
  run('node_modules/.bin/vite', 'build', '--outDir', 'vite');
  assert.equal(await solvedIn('vite'), true);
});

await check('webpack bundles it with its module and its worker', async () => {
  run('node_modules/.bin/webpack', '--mode', 'production', '--entry', './page.js', '-o', 'webpack');
  assert.equal(await solvedIn('webpack'), true);
});

await browser.close();
finish();
