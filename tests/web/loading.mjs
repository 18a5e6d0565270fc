// A slow line, or a server that does not answer: the page says within a second that it is loading, and never stays empty.
// Usage: node loading.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const SECOND = 1000;
const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit' });
await session.turn('R');
const browser = await launch();
const page = await visitor(browser, `${server.url}/docs`);

let held = [];
/** Requests for these addresses get no answer until release(). */
const hold = (pattern) => page.route(pattern, (route) => held.push(route));
async function release() {
  await page.unrouteAll();
  await Promise.all(held.map((route) => route.continue().catch(() => {})));
  held = [];
}

const LOADING = 'Loading…';

/** Waits for a text; at most a second. */
async function soon(selector, text) {
  const start = performance.now();
  await until(() => page.locator(selector).first().textContent(), text);
  const took = performance.now() - start;
  assert.ok(took < SECOND, `${selector} after ${Math.round(took)} ms`);
}

await check('before the script is there', async () => {
  await hold(/pack\/page\.js$/);
  await page.goto(server.url, { waitUntil: 'commit' });
  await soon('#state', LOADING);
  const { x, y } = await page.locator('#state').boundingBox();
  assert.ok(x >= 0 && y > 100, 'where the cube will be');
  await release();
  await until(() => page.locator('#state').textContent(), '3×3×3');
  await page.locator('#pad button:enabled').first().waitFor();
});

await check('a session whose server does not answer', async () => {
  await hold(/\/v1\//);
  await page.goto(`${server.url}/c/${session.id}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.cubed);
  await soon('#panel-turn', LOADING);
  await soon('#state', LOADING);
  await until(() => page.locator('#notice-text').textContent(), 'The server has not answered yet. Still trying…');
  await release();
  await page.locator('#pad button:enabled').first().waitFor();
  assert.equal(await page.locator('#state').textContent(), '3×3×3');
});

await check('panels, and what they read', async () => {
  await hold(/\/v1\/(sessions\?|sessions\/\w+\/(history|tokens)|patterns|match)|panels\.(history|ask|cubes)\.js$/);
  for (const [name, part] of [['history', '#no-entries'], ['cubes', '#panel-cubes section:last-child p'], ['ask', '#panel-ask [role=status]']]) {
    await page.evaluate((panel) => void globalThis.cubed.app.panel(panel), name);
    await soon(`#panel-${name}`, LOADING);
    const isModule = (route) => route.request().url().endsWith(`panels.${name}.js`);
    await until(() => held.some(isModule), true, 'the module is asked for');
    const [module] = held.splice(held.findIndex(isModule), 1);
    await module.continue();
    await soon(part, LOADING);
  }
  await release();
  await until(() => page.locator('#panel-ask [role=status]').textContent(), 'The cube is now:');
  await until(() => page.locator('#panel-cubes section:last-child p').textContent(), 'Nobody shows a cube to everybody at the moment.');
  await until(() => page.locator('#panel-history [data-entry]').count(), 1);
  assert.equal(await page.locator('#no-entries').getAttribute('hidden'), '');
});

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));
await browser.close();
await server.stop();
finish();
