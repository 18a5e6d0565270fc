// Fingers on the cube: what they turn, when they look around, zoom or scroll the page. Usage: node touch.mjs

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { until } from './browser.mjs';
import { openStage, serveStage } from './view/stage.mjs';

const stage = await serveStage();
const { browser, page } = await openStage(stage.url, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 }, deviceScaleFactor: 2 });
const devtools = await page.context().newCDPSession(page);

const F_MIDDLE = 22;
const BESIDE = [20, 250];
const turnsMade = () => page.evaluate(() => stage.turns);
const look = () => page.evaluate(() => stage.view.looking);
const placeOnScreen = (place) => page.evaluate((one) => stage.view.placeOnScreen(one), place);
const scrolled = () => page.evaluate(() => scrollY);

const pointsOf = (fingers) => fingers.map(([x, y], id) => ({ x, y, id }));
const touch = (type, fingers, time = {}) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: pointsOf(fingers), ...time });

/** Puts fingers down, moves each to its end in steps, rests, and takes them away. */
async function swipe(froms, tos, { steps = 8, wait = 100 } = {}) {
  await touch('touchStart', froms);
  for (let i = 1; i <= steps; i++) {
    await touch('touchMove', froms.map(([x, y], k) => [x + ((tos[k][0] - x) * i) / steps, y + ((tos[k][1] - y) * i) / steps]));
    await page.waitForTimeout(16);
  }
  await page.waitForTimeout(wait);
  await touch('touchEnd', []);
  await page.evaluate(() => stage.still());
}

async function open(size = 3, { tall = false, ...options } = {}) {
  await page.evaluate(([n, high, settings]) => {
    Object.assign(document.getElementById('host').style, { width: '390px', height: '500px' });
    document.body.classList.toggle('tall', high);
    scrollTo(0, 0);
    return stage.open(n, settings);
  }, [size, tall, options]);
}

for (const unfolded of [false, true]) {
  for (const tall of [false, true]) {
    await check(`a finger on a sticker turns its layer, ${unfolded ? 'unfolded' : 'in 3D'}, and the page ${tall ? 'does not scroll though it could' : 'cannot scroll'}`, async () => {
      await open(3, { tall, unfolded });
      const from = await placeOnScreen(F_MIDDLE);
      const beside = await placeOnScreen(F_MIDDLE + 3); // below it
      const way = [0, 1].map((i) => (beside[i] - from[i]) * 2.3);
      await swipe([from], [[from[0] + way[0], from[1] + way[1]]]);
      assert.deepEqual(await turnsMade(), [{ face: 'L', from: 2, to: 2, turns: 1 }]);
      assert.equal(await scrolled(), 0);
    });
  }
}

await check('a flick with a finger is a quarter', async () => {
  await open();
  const from = await placeOnScreen(F_MIDDLE);
  // Events of 16 ms each, however slow this machine is.
  const start = Date.now() / 1000;
  const time = (i) => ({ timestamp: start + i * 0.016 });
  await touch('touchStart', [from], time(0));
  for (let i = 1; i <= 5; i++) await touch('touchMove', [[from[0] + 10 * i, from[1] + 3 * i]], time(i));
  await touch('touchEnd', [], time(6));
  await page.evaluate(() => stage.still());
  assert.deepEqual(await turnsMade(), [{ face: 'D', from: 2, to: 2, turns: 1 }]);
});

await check('a swipe beside the cube scrolls a page that can be scrolled, and looks around sideways', async () => {
  await open(3, { tall: true });
  const home = await look();
  await swipe([[20, 450]], [[20, 250]]);
  await until(async () => (await scrolled()) > 100, true, 'it scrolled');
  assert.deepEqual(await look(), home);
  await page.evaluate(() => scrollTo(0, 0));
  await swipe([BESIDE], [[140, 252]]);
  assert.ok((await look()).yaw > home.yaw + 0.5);
  assert.equal(await scrolled(), 0);
  assert.deepEqual(await turnsMade(), []);
});

await check('on a page that cannot be scrolled any swipe beside the cube looks around', async () => {
  await open();
  const home = await look();
  await swipe([[20, 300]], [[20, 380]]);
  assert.ok((await look()).pitch > home.pitch + 0.3);
});

await check('two fingers look around and zoom; a layer that one of them held goes back', async () => {
  for (const tall of [false, true]) {
    await open(3, { tall });
    const home = await look();
    const middle = await placeOnScreen(F_MIDDLE);
    await touch('touchStart', [middle]);
    for (let i = 1; i <= 4; i++) await touch('touchMove', [[middle[0] + 12 * i, middle[1]]]);
    assert.notEqual(await page.evaluate(() => stage.view.heldAngle), null);
    const first = [middle[0] + 48, middle[1]];
    const second = [first[0] - 60, first[1] + 40];
    await touch('touchStart', [first, second]);
    assert.equal(await page.evaluate(() => stage.view.heldAngle), null);
    for (let i = 1; i <= 6; i++) await touch('touchMove', [[first[0] + 10 * i, first[1]], [second[0] - 6 * i, second[1] + 4 * i]]);
    await touch('touchEnd', []);
    await page.evaluate(() => stage.still());
    const now = await look();
    assert.ok(now.zoom > 1.3, `zoom ${now.zoom}`);
    assert.notEqual(now.yaw, home.yaw);
    assert.deepEqual(await turnsMade(), []);
    assert.equal(await scrolled(), 0);
    assert.equal(await page.evaluate(() => stage.isRight()), true);
  }
});

await check('two taps beside the cube look from the front again', async () => {
  await open();
  const home = await look();
  await swipe([BESIDE], [[100, 300]]);
  assert.notDeepEqual(await look(), home);
  for (let i = 0; i < 2; i++) {
    await touch('touchStart', [BESIDE]);
    await touch('touchEnd', []);
  }
  assert.deepEqual(await look(), home);
});

await check('a touched layer is lit until the finger is away', async () => {
  await open();
  const picture = () => page.evaluate(() => stage.picture());
  const dark = await picture();
  await touch('touchStart', [await placeOnScreen(F_MIDDLE)]);
  await until(async () => (await picture()) !== dark, true);
  await touch('touchEnd', []);
  await page.evaluate(() => stage.still());
  assert.equal(await picture(), dark);
});

const EXPECTED = /Multiple readback operations/;
await check('nothing went wrong in the page', () => assert.deepEqual(page.faults.filter((one) => !EXPECTED.test(one)), []));
await browser.close();
stage.close();
finish();
