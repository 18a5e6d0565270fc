// The page without a network, once somebody has used it: turns, moves that are typed, a solution, a scramble, a painted cube
// with its diagnosis, and a lesson to its end, all by the library in the page. And with a network, but without WebAssembly.
// Usage: node offline.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
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

const isIndependent = (page) => page.evaluate(() => globalThis.cubed.app.independent);
const turnOnce = (page) => page.locator('#pad button:enabled').first().click();

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

const facelets = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const revision = (page) => page.evaluate(() => globalThis.cubed.app.cube.revision);
const solvedByWay = (page) => page.evaluate(() => {
  const { shown } = globalThis.cubed.app;
  const end = Array.from(shown.stickersAt(shown.length));
  return end.every((colour, place) => colour === end[place - (place % (shown.size ** 2))]);
});

// ---- what people do ----

async function turns(page) {
  const before = await facelets(page);
  await turnOnce(page);
  assert.notEqual(await facelets(page), before);
  await page.click('#undo');
  assert.equal(await facelets(page), before);
}

async function types(page) {
  await page.click('#tab-turn');
  const before = await revision(page);
  await page.fill('#moves', 'R U Q');
  await page.press('#moves', 'Enter');
  await until(() => page.locator('#fault p').textContent(), `"Q" at column 5: unknown move; write moves such as R, U', F2, Rw and M.`);
  assert.equal(await page.locator('#fault mark').textContent(), 'Q');
  await page.fill('#moves', '[R, U] (F D)2');
  await page.press('#moves', 'Enter');
  await until(() => revision(page), before + 1);
  assert.equal(await page.evaluate(() => globalThis.cubed.app.cube.entries.at(-1).moves), "R U R' U' F D F D");
  await page.click('#typed summary');
  await until(() => page.locator('#notation option').count(), 6);
  await page.selectOption('#notation', 'kociemba');
  await page.fill('#moves', 'R1 U3');
  await page.press('#moves', 'Enter');
  await until(() => revision(page), before + 2);
  await page.selectOption('#notation', 'sign');
  await page.click('#typed summary');
}

async function solves(page) {
  await page.click('#tab-solver');
  await page.click('#solve');
  await until(() => page.locator('#found').textContent().then((text) => /^\d+ turns/.test(text)), true);
  assert.ok(await solvedByWay(page));
}

async function cancels(page) {
  await page.click('#tab-solver');
  await page.click('#shortest');
  await page.click('#stop');
  await until(() => page.locator('#stop').isVisible(), false);
  assert.equal(await page.locator('#found').textContent(), '');
  await solves(page);
}

async function times(page) {
  await page.click('#tab-timer');
  await page.click('#panel-timer [data-mode=hand]');
  await until(() => page.locator('#timing .scrambled .scramble').textContent().then((text) => text.split(' ').length > 15 && /^[URFDLB2' ]+$/.test(text)), true, 'a scramble');
  await page.click('#panel-timer [data-mode=page]');
}

const paintButton = (page, text) => page.locator('#panel-paint button', { hasText: text });
const verdictSays = (page, words) => until(() => page.locator('#panel-paint .verdict').textContent().then((text) => text.includes(words)), true, words);

/** Paints a cube with a twisted corner, reads the diagnosis, repairs it. */
async function paints(page) {
  await page.click('#tab-paint');
  await paintButton(page, /^Solved$/).click();
  await verdictSays(page, 'This cube is solved.');
  for (const [name, place] of [['green', 8], ['white', 9], ['red', 20]]) {
    await page.locator(`#panel-paint .swatch[aria-label^="${name}"]`).click();
    await page.locator(`#panel-paint .cell[data-place="${place}"]`).click();
  }
  await verdictSays(page, 'A corner is twisted in its place');
  await paintButton(page, 'Repair it').click();
  await verdictSays(page, 'This cube is solved.');
  await page.click('#panel-paint .paste summary');
  await page.fill('#paste', "R U R' U'");
  await paintButton(page, 'Read it').click();
  await verdictSays(page, 'This cube can be solved.');
  await page.click('#panel-paint .paste summary');
}

/** Paints the cube of the page, which is not solved, and takes a lesson on it to its end. */
async function learns(page) {
  await page.click('#tab-paint');
  await paintButton(page, 'This cube').click();
  await verdictSays(page, 'This cube can be solved.');
  await paintButton(page, 'Take a lesson').click();
  await page.locator('#lesson-step').waitFor();
  await page.click('#lesson-about summary');
  assert.match(await page.innerText('#lesson-about'), /How to read moves/);
  await page.click('#lesson-about summary');
  const main = page.locator('#lesson-main');
  while ((await main.textContent()) !== 'End the lesson') await main.click();
  assert.match(await page.textContent('#lesson-meaning'), /solved/i);
  assert.ok(await solvedByWay(page));
  await page.click('#lesson-close');
}

async function doesAll(page) {
  await turns(page);
  await types(page);
  await solves(page);
  await times(page);
  await paints(page);
  await learns(page);
}

// ---- without a network ----

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
