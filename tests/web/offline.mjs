// The page without a network, once somebody has used it: turns, moves that are typed, a solution, a scramble, a painted cube
// with its diagnosis, and a lesson to its end, all by the library in the page. And with a network, but without WebAssembly.
// Usage: node offline.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { doesAll, isIndependent, solves, turnOnce, turns, types } from './alone.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const NOBODY = /^The server does not answer, and this browser cannot find it out alone\./;

const nameOf = (url) => url.replace(/^.*\/assets\/[0-9a-f]+/, '').replace(/\?.*$/, '');

/** Opens a page whose requests are gathered in `page.asked`, ready to be used. */
async function open({ before = () => {}, address = server.url } = {}) {
  const page = await visitor(browser, 'about:blank');
  page.asked = [];
  page.on('request', (request) => page.asked.push(nameOf(request.url())));
  await before(page);
  await page.goto(address);
  await page.locator('#moment').waitFor(); // it comes after the first screen
  return page;
}

/** A page that has all it needs. */
async function prepared(options) {
  const page = await open(options);
  await turnOnce(page);
  await until(() => isIndependent(page), true, 'the library is there');
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

// ---- without a network ----

async function cancels(page) {
  await page.click('#tab-solver');
  await page.click('#shortest');
  await page.click('#stop');
  await until(() => page.locator('#stop').isVisible(), false);
  assert.equal(await page.locator('#found').textContent(), '');
  await solves(page);
}

await check('nothing of it is loaded before the page is used', async () => {
  const page = await open();
  assert.deepEqual(page.asked.filter((name) => /wasm|offline|panels\/(?!turn)/.test(name)), []);
  await turnOnce(page);
  await until(() => isIndependent(page), true);
  assert.equal(page.asked.filter((name) => name === '/libcube.wasm').length, 1);
  await close(page);
});

await check('all of it with the network cut', async () => {
  const page = await prepared();
  await page.context().setOffline(true);
  const asked = page.asked.length;
  await doesAll(page);
  assert.deepEqual(page.asked.slice(asked).filter((name) => /v1\/(algorithm|validate|solve|scramble)/.test(name)), [], 'nothing is asked of the server');
  await page.context().setOffline(false);
  await page.click('#tab-turn');
  await turns(page);
  await solves(page);
  assert.ok(page.asked.some((name) => name.endsWith('/v1/solve')), 'back online the server is asked again');
  await close(page);
});

await check('a search that is stopped without a network, and another one', async () => {
  const page = await prepared();
  await page.context().setOffline(true);
  await cancels(page);
  await page.context().setOffline(false);
  await close(page);
});

/** When the tables that this browser keeps were made; null if it keeps none. With `change`, one byte of them is changed. */
const tablesMade = (page, { change = false } = {}) => page.evaluate(async (isChanged) => {
  const ended = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  if (!(await indexedDB.databases()).some(({ name }) => name === 'cubed-tables')) return null;
  const database = await ended(indexedDB.open('cubed-tables'));
  const store = database.transaction('tables', 'readwrite').objectStore('tables');
  const kept = await ended(store.get('two_phase'));
  if (isChanged) {
    kept.bytes[kept.bytes.length >> 1] ^= 1;
    await ended(store.put(kept, 'two_phase'));
  }
  database.close();
  return kept?.made ?? null;
}, change);

async function solvesInNewVisit(page) {
  await page.reload();
  await page.locator('#moment').waitFor();
  await turnOnce(page);
  await until(() => isIndependent(page), true);
  await page.context().setOffline(true);
  await solves(page);
  await page.context().setOffline(false);
}

await check('tables are kept for other visits, and made again if they are damaged', async () => {
  const page = await prepared();
  assert.equal(await tablesMade(page), null, 'nothing was searched');
  await solvesInNewVisit(page);
  await until(() => tablesMade(page).then((made) => made !== null), true);
  const made = await tablesMade(page);
  await solvesInNewVisit(page);
  assert.equal(await tablesMade(page), made, 'the kept ones were taken');
  assert.equal(await tablesMade(page, { change: true }), made);
  await solvesInNewVisit(page);
  await until(() => tablesMade(page).then((now) => now > made), true);
  await close(page);
});

await check('without WebAssembly the server answers', async () => {
  const page = await open({ before: (one) => one.addInitScript(() => delete globalThis.WebAssembly) });
  await doesAll(page);
  assert.deepEqual(page.asked.filter((name) => name === '/libcube.wasm'), []);
  assert.equal(await isIndependent(page), false);
  await page.context().setOffline(true);
  await page.click('#tab-turn');
  await page.fill('#moves', '(R U)2');
  await page.press('#moves', 'Enter');
  await until(() => page.locator('#fault').textContent().then((text) => NOBODY.test(text)), true, 'neither can answer');
  await close(page);
});

await check('a module that does not come, comes when the network is back', async () => {
  const page = await open({ before: (one) => one.route('**/libcube.wasm', (route) => route.abort()) });
  await turnOnce(page);
  await until(() => page.asked.includes('/libcube.wasm'), true);
  await types(page);
  assert.equal(await isIndependent(page), false);
  await page.unroute('**/libcube.wasm');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await until(() => isIndependent(page), true);
  await close(page);
});

await check('the server stops while the page is open', async () => {
  const page = await prepared();
  await server.stop();
  await doesAll(page);
  await close(page);
});

await browser.close();
finish();
