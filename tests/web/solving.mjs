// The way to a solved cube in a browser: found, turned part by part, taught, given up when somebody else turns.
// Usage: node solving.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const MOVES = "R U F' D2 L B2 U R2 F L' D B";

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();
const ask = async (path, body) => (await fetch(server.url + path, {
  method: body ? 'POST' : 'GET', headers: body ? { 'Content-Type': 'application/json' } : {}, body: body && JSON.stringify(body),
})).json();

/** A page with a cube of that size, turned. */
async function opened(size, moves) {
  const { id } = await ask('/v1/sessions', { size, access: 'edit' });
  const path = `/v1/sessions/${id}`;
  await ask(`${path}/moves`, { moves });
  const page = await visitor(browser, `${server.url}/#${id}`);
  await page.waitForSelector('#solve:visible');
  return { page, path };
}

const found = (page) => page.innerText('#found');

await check('a way is found, and turned part by part', async () => {
  const { page, path } = await opened(3, MOVES);
  await page.click('#solve');
  await page.waitForSelector('#next:visible');
  assert.match(await found(page), /^\d+ turns.*: [URFDLB]/);
  await page.click('#next');
  await page.click('#next');
  await until(async () => (await ask(path)).revision, 3);
  await page.click('#rest');
  await until(() => found(page), 'Solved: this was the last step.');
  assert.equal((await ask(path)).cube.solved, true);
  await until(() => page.isVisible('#next'), false);
  assert.deepEqual(page.faults, []);
});

await check('a solved cube has nothing to be done', async () => {
  const { page } = await opened(3, 'x');
  await page.click('#solve');
  await until(() => found(page), 'The cube is solved.');
  assert.deepEqual(page.faults, []);
});

await check('a lesson shows each step, and ends when the cube is turned differently', async () => {
  const { page, path } = await opened(3, MOVES);
  await page.click('#lesson');
  await page.waitForSelector('#steps li[aria-current]');
  const steps = await page.locator('#steps li').count();
  assert.ok(steps > 10);
  assert.equal(await page.locator('#steps li:has(small)').count(), steps);
  const first = await page.innerText('#steps li[aria-current] code');
  await page.click('#next');
  await until(() => page.locator('#steps li.past').count(), 1);
  assert.equal((await ask(`${path}/history?after=1`)).items[0].moves, first);
  await ask(`${path}/moves`, { moves: 'M' });
  await until(() => found(page), 'The cube was turned differently. Solve it again.');
  assert.equal(await page.isVisible('#next'), false);
  assert.deepEqual(page.faults, []);
});

await check('larger cubes have no lesson', async () => {
  const { page } = await opened(2, 'R U');
  assert.equal(await page.isVisible('#lesson'), false);
  await page.click('#solve');
  await until(() => found(page), "2 turns, a shortest solution: U' R'");
  assert.deepEqual(page.faults, []);
});

await check('a scramble is one of the server', async () => {
  const { page, path } = await opened(3, 'R');
  await page.click('#scramble');
  await until(async () => (await ask(`${path}/history`)).items.map(({ kind }) => kind), ['moves', 'scramble']);
  assert.equal((await ask(path)).cube.solved, false);
  assert.deepEqual(page.faults, []);
});

await check('a solve of a scramble is timed, and its stages are told', async () => {
  const { page, path } = await opened(3, 'R');
  assert.equal(await page.isVisible('#times'), false);
  await ask(`${path}/scramble`, { moves: "R U F'" });
  await ask(`${path}/moves`, { moves: 'F' });
  await ask(`${path}/moves`, { moves: "U' R' R'" });
  await page.waitForSelector('#solves li');
  assert.match(await page.innerText('#averages'), /^best \d+\.\d\d · mean \d+\.\d\d$/);
  assert.match(await page.innerText('#solves summary'), /^\d+\.\d\d 4 turns/);
  await page.click('#solves summary');
  await until(() => page.locator('#solves ul li').count().then((count) => count > 0), true);
  assert.deepEqual(page.faults, []);
});

await browser.close();
await server.stop();
finish();
