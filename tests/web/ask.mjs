// "Is this ...?" as people ask it: what the cube is now, a search by the names people know, where a pattern fits, when it
// was there, and which public cubes show it. Usage: node ask.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const browser = await launch();

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const cards = (page) => page.locator('#panel-ask > .cards .name').allTextContents();
const detailOf = (page) => page.locator('#panel-ask .detail').textContent();

/** The page with a cube after these moves, and the panel. */
async function open(moves, options = DESKTOP) {
  const page = await visitor(browser, `${server.url}/`, options);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.evaluate(async (text) => {
    const { app } = globalThis.cubed;
    const cube = new app.cube.constructor({ size: 3 }); // a LocalCube
    await cube.turn(text);
    app.openLocal(cube);
  }, moves);
  await page.click('#tab-ask');
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

await check('what the cube is now, and after a turn', async () => {
  const page = await open('M2 E2 S2');
  await until(async () => (await cards(page)).includes('Two colours on each face, of it and of the one opposite'), true);
  await page.evaluate(() => globalThis.cubed.app.turn('S2'));
  await until(async () => (await cards(page)).includes('Two colours on each face, of it and of the one opposite'), false);
  await until(() => page.locator('#panel-ask .cards .picture svg').count().then((count) => count > 0), true);
  await close(page);
});

await check('a search by the names that people know; a pattern that does not fit, with its algorithm', async () => {
  const page = await open('R U');
  await page.fill('#ask-search', 't perm');
  await until(async () => (await cards(page))[0], 'T perm');
  await page.locator('#panel-ask .cards button').first().click();
  await until(async () => /The cube does not fit it now/.test(await detailOf(page)), true);
  await until(async () => /R U R' U' R' F R2 U' R' U' R U R' F'/.test(await detailOf(page)), true);
  await page.fill('#ask-search', 'xyzzy');
  await until(() => page.locator('#panel-ask > [role=status]').textContent(), 'No pattern has this name.');
  await close(page);
});

await check('where it fits is lit, one place after the other; asking for its algorithm is help in a solve', async () => {
  const page = await open("R U R' U R U2 R'");
  await page.evaluate(() => {
    const { app } = globalThis.cubed;
    globalThis.marks = [];
    globalThis.assisted = 0;
    const { mark } = app.view;
    app.view.mark = (list) => {
      globalThis.marks = list.flatMap(({ places }) => [...places].sort((a, b) => a - b));
      mark.call(app.view, list);
    };
    app.on('assisted', () => globalThis.assisted++);
  });
  await page.fill('#ask-search', '2x2x2');
  await page.locator('#panel-ask .cards button').first().click();
  await until(async () => /Yes, in 4 places; this is place 1/.test(await detailOf(page)), true);
  const lit = () => page.evaluate(() => globalThis.marks);
  const first = await lit();
  assert.equal(first.length, 12);
  await page.locator('#panel-ask button', { hasText: 'Next place' }).click();
  await until(async () => /this is place 2/.test(await detailOf(page)), true);
  assert.notDeepEqual(await lit(), first);
  assert.equal(await page.evaluate(() => globalThis.assisted), 0);
  await page.fill('#ask-search', 'antisune');
  await page.locator('#panel-ask .cards button').first().click();
  await until(() => page.evaluate(() => globalThis.assisted), 1);
  await page.click('#tab-turn');
  await until(lit, []);
  await close(page);
});

await check('a cube of your own shows the pattern, and the cube before comes back', async () => {
  const page = await open('R U');
  const facelets = () => page.evaluate(() => globalThis.cubed.app.cube.facelets);
  const revision = () => page.evaluate(() => globalThis.cubed.app.cube.revision);
  const kept = () => page.evaluate(() => localStorage.getItem('cubed.local'));
  await page.evaluate(() => globalThis.cubed.app.turn('F'));
  const before = [await facelets(), await revision(), await kept()];
  await page.fill('#ask-search', 'checkerboard');
  await page.locator('#panel-ask .cards button').first().focus();
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.dataset.card), /checkerboard/, 'the keyboard stays where it was');
  await page.locator('#panel-ask button', { hasText: 'Try it' }).click();
  await until(facelets, (await cubed.apply({ moves: 'M2 E2 S2' })).cube.facelets);
  await until(async () => /the cube fits it now/.test(await detailOf(page)), true);
  assert.equal(await kept(), before[2], 'a reload leads back, too');
  await page.click('#notice-action');
  await until(async () => [await facelets(), await revision(), await kept()], before);
  await close(page);
});

await check('when it was there in a session, and which public cubes show it', async () => {
  const session = await cubed.createSession({ size: 3, access: 'edit', name: 'Mine' });
  await session.turn('M2 E2 S2');
  await session.turn('R');
  const other = await cubed.createSession({ size: 3, listed: true, name: 'Chess', cube: { moves: 'M2 E2 S2' } });
  const page = await visitor(browser, `${server.url}/c/${session.id}`, DESKTOP);
  await page.click('#tab-ask');
  await page.fill('#ask-search', 'checkerboard');
  await page.locator('#panel-ask .cards button').first().click();
  await page.locator('#panel-ask button', { hasText: 'When was it there?' }).click();
  await page.locator('#panel-ask .found button', { hasText: 'From change 1, move 3 to 2' }).click();
  await until(() => page.evaluate(() => Array.from(globalThis.cubed.app.shown.stickers, (colour) => 'URFDLB'[colour]).join('')), (await cubed.apply({ moves: 'M2 E2 S2' })).cube.facelets);
  await page.locator('#panel-ask button', { hasText: 'Which public cubes' }).click();
  await until(() => page.locator('#panel-ask .found a').getAttribute('href'), `/c/${other.id}`);
  await close(page);
});

await check('a tab that is chosen while the cube is being opened stays chosen', async () => {
  const session = await cubed.createSession({ size: 3, access: 'edit' });
  const page = await visitor(browser, 'about:blank', DESKTOP);
  await page.route('**/v1/**', async (route) => {
    await new Promise((done) => setTimeout(done, 700));
    await route.continue();
  });
  await page.goto(`${server.url}/c/${session.id}`);
  await page.click('#tab-ask');
  await until(() => page.evaluate(() => Boolean(globalThis.cubed.app.room)), true);
  await page.locator('#panel-ask .cards button').first().waitFor();
  assert.equal(await page.locator('#panel-turn').isVisible(), false);
  await close(page);
});

await check('on a phone: within the width, targets of 44 pixels', async () => {
  const page = await open("R U R' U R U2 R'", PHONE);
  await page.locator('#panel-ask summary').last().tap();
  await until(() => page.locator('#panel-ask details .cards button').count(), 3);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const heights = await page.locator('#panel-ask button:visible, #panel-ask summary').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(Math.min(...heights) >= 43.5, String(Math.min(...heights)));
  await close(page);
});

await browser.close();
await server.stop();
finish();
