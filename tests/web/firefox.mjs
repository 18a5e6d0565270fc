// The page in Firefox: the first screen, hands, a friend in Chromium, the timer, a lesson, two tabs, no network; with WebGL, and
// unfolded without it. Usage: node firefox.mjs [path of the binary]

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromFacelets, toFacelets, turnedAll } from '../../clients/js/src/cube.js';
import { Cubed } from '../../clients/js/src/index.js';
import { parseMoves } from '../../clients/js/src/moves.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { coloursOfPicture, launch, until, visitor } from './browser.mjs';
import { Firefox } from './firefox_driver.mjs';

const SHOTS = process.env.SHOTS; // a folder for pictures of what people see
const PHONE = { viewport: { width: 390, height: 844 } };
const VISITED = { 'cubed.settings': { welcome: false, hint: false } };

const server = await Server.start(binaryArgument(), 'memory:', ['--allow-host', 'cube.test']);
/** Plain HTTP at another name than that of this machine, as phones at home have it: browsers offer less there. */
const OUTSIDE = `http://cube.test:${server.port}`;

const SOLVED = [...'URFDLB'].map((face) => face.repeat(9)).join('');
/** Returns a cube after moves. */
const after = (facelets, moves) => toFacelets(turnedAll(fromFacelets(facelets), 3, parseMoves(moves, 3)));
const SCRAMBLED = after(SOLVED, "R U2 F' L D B");
const faceletsOf = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const revisionOf = (page) => page.evaluate(() => globalThis.cubed.app.cube.revision);
const watchersOf = (page) => page.evaluate(() => globalThis.cubed.app.cube.presence?.watchers ?? null);
const isShown = (page, selector) => until(() => page.isVisible(selector), true, selector);

async function shot(page, name) {
  if (SHOTS) writeFileSync(join(SHOTS, `firefox-${name}.png`), Buffer.from(await page.screenshot(), 'base64'));
}

/** Opens the page for somebody who was there before. */
async function open(firefox, url = server.url, options = {}) {
  const page = await firefox.visitor(url, { kept: VISITED, ...options });
  await until(() => page.evaluate(() => Boolean(globalThis.cubed?.app.room)), true, 'a cube is open');
  return page;
}

/** Returns the hues that fill a part of the cube's picture. */
async function huesOf(firefox, page) {
  const blank = await firefox.visitor('about:blank');
  const counts = await coloursOfPicture(blank, await page.screenshot('#view'));
  await blank.close();
  return Object.keys(counts).filter((name) => counts[name] > 300);
}

/** Drags along the upper row of the front, which turns the upper layer, and checks what became of the cube. */
async function dragsUpperRow(page, pointerType) {
  const places = await page.evaluate(() => {
    const { view } = globalThis.cubed.app;
    const { left, top } = view.canvas.getBoundingClientRect();
    return [18, 19, 20].map((place) => view.placeOnScreen(place)).map(([x, y]) => [left + x, top + y]);
  });
  const before = await faceletsOf(page);
  await page.drag(places, pointerType);
  await until(() => faceletsOf(page), after(before, "U'"), `by ${pointerType}`);
}

for (const webgl of [true, false]) {
  const how = webgl ? 'in 3D' : 'unfolded, without WebGL';
  const firefox = await Firefox.launch({ webgl });
  let page;

  await check(`the first screen: the cube ${how}`, async () => {
    page = await firefox.visitor(server.url);
    for (const one of ['#welcome', '#hint', '#pad button', '#larger']) await isShown(page, one);
    await until(() => page.textOf('#state'), '3×3×3');
    assert.deepEqual(await page.evaluate(() => [globalThis.cubed.app.view.hasSpace, globalThis.cubed.app.view.isFlat]), [webgl, !webgl]);
    await shot(page, webgl ? 'first' : 'first-unfolded');
    const hues = await huesOf(firefox, page);
    assert.ok(hues.length >= (webgl ? 4 : 6), `colours: ${hues}`);
    assert.deepEqual(page.faults, []);
  });

  for (const pointerType of ['mouse', 'touch']) {
    await check(`a drag turns a sticker: ${pointerType}, ${how}`, async () => {
      await dragsUpperRow(page, pointerType);
      await until(() => page.isVisible('#hint'), false);
      assert.deepEqual(page.faults, []);
    });
  }
  if (webgl) await firefox.close();
  else await others(firefox);
}

/** Checks all that does not depend on the way in which the cube is drawn. */
async function others(firefox) {
  await check('Firefox and Chromium at one cube', async () => {
    const ann = await open(firefox, OUTSIDE);
    await ann.click('#tab-friends');
    await ann.click('#play');
    await isShown(ann, '#invitation svg.qr');
    await ann.click('#copy-link');
    await until(() => ann.textOf('#copy-link'), 'Copied');
    const browser = await launch({ args: ['--host-resolver-rules=MAP cube.test 127.0.0.1'] });
    const bo = await visitor(browser, await ann.evaluate(() => document.querySelector('#link').value));
    await bo.waitForFunction(() => globalThis.cubed?.app.may.turn);
    const start = await faceletsOf(ann);
    await bo.locator('#pad').getByText('R', { exact: true }).click();
    await until(() => faceletsOf(ann), after(start, 'R'), 'Firefox shows what was turned in Chromium');
    await ann.click('#tab-turn');
    await ann.click('#pad button', 'U');
    await until(() => faceletsOf(bo), after(start, 'R U'), 'Chromium shows what was turned in Firefox');
    await until(() => watchersOf(ann), 2);
    await shot(ann, 'together');
    assert.deepEqual([ann.faults, bo.faults.filter((one) => !/Cross-Origin-Opener-Policy/.test(one))], [[], []]);
    await browser.close();
    await until(() => watchersOf(ann), 1);
    await ann.close();
  });

  await check('two tabs at one cube are one person', async () => {
    const { id, token } = await new Cubed(server.url).createSession({ size: 3, access: 'view' });
    const one = await open(firefox, `${server.url}/c/${id}#${token}`);
    const other = await one.another();
    await other.goto(`${server.url}/c/${id}`);
    for (const page of [one, other]) await until(() => page.evaluate(() => globalThis.cubed?.app.may.own), true);
    await other.click('#pad button', 'F');
    await until(() => faceletsOf(one), after(SOLVED, 'F'));
    await until(() => watchersOf(one), 1);
    assert.deepEqual([one.faults, other.faults], [[], []]);
    await other.close();
    await one.close();
  });

  await check('the timer: by the space bar, and by a finger', async () => {
    const page = await open(firefox, server.url, { kept: { ...VISITED, 'cubed.timer': { calls: 'none', mode: 'hand' } } });
    await page.click('#tab-timer');
    await until(() => page.textOf('#timing .scrambled .scramble').then((text) => /^[URFDLB2' ]{20,}$/.test(text)), true, 'a scramble');
    const state = () => page.evaluate(() => document.querySelector('#timing .pad').dataset.state);
    const times = () => page.evaluate(() => [...document.querySelectorAll('#panel-timer .solves summary b')].map((one) => one.textContent));
    const pad = await page.middle('#timing .pad');
    const bar = [() => page.keyDown(' '), () => page.keyUp(' ')];
    const finger = [() => page.press(pad, 'touch'), () => page.release('touch')];
    const shown = [];
    for (const [down, up] of [bar, finger]) {
      await down();
      await until(state, 'armed');
      await up();
      await until(state, 'running');
      await until(async () => Number(await page.textOf('#timing .pad .time')) > 0.1, true, 'the time passes');
      await down();
      await up();
      await until(state, 'rest');
      shown.unshift(await page.textOf('#timing .pad .time'));
      assert.match(shown[0], /^\d+\.\d\d$/);
      await until(times, shown);
    }
    await shot(page, 'timer');
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  await check('a painted cube, and its lesson', async () => {
    const page = await open(firefox, server.url, PHONE);
    await page.tap('#tab-paint');
    await page.tap('#panel-paint .swatch[aria-label^="green"]');
    await until(() => page.evaluate(() => document.querySelector('#panel-paint .swatch[aria-pressed="true"]').ariaLabel), 'green, 8 left');
    await page.tap('#panel-paint .cell[data-place="18"]');
    const painted = () => page.evaluate(() => Array.from(globalThis.cubed.app.shown.stickers, (colour) => 'URFDLB?'[colour]).join(''));
    await until(async () => (await painted())[18], 'F');
    await page.tap('#panel-paint .paste summary');
    await page.tap('#paste');
    await page.type(SCRAMBLED);
    await page.tap('#panel-paint button', 'Read it');
    await until(painted, SCRAMBLED);
    await shot(page, 'paint');
    await page.tap('#panel-paint button', 'Solve it');
    await until(() => faceletsOf(page), SCRAMBLED);
    await page.tap('#lesson');
    await isShown(page, '#lesson-step');
    await isShown(page, '#lesson-hint');
    await shot(page, 'lesson');
    for (let step = 1; step <= 3; step++) {
      await until(async () => new RegExp(`step ${step} of \\d\\d$`).test(await page.textOf('#lesson-step .title')), true, `step ${step}`);
      await page.tap('#lesson-main', 'Show moves');
      await until(() => page.textOf('#lesson-main'), 'First move');
      const moves = await page.evaluate(() => document.querySelectorAll('#lesson-step .cards b').length);
      const position = () => page.evaluate(() => globalThis.cubed.app.shown.position);
      const start = await position();
      for (let i = 1; i <= moves; i++) {
        await page.tap('#lesson-main');
        await until(position, start + i);
      }
      await page.tap('#lesson-main', 'Next step');
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  await check('the page is kept, and opens without the server', async () => {
    const page = await open(firefox);
    await page.click('#pad button', 'R');
    await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state)), ['activated']);
    await page.click('#adjust');
    await until(() => page.textOf('#keeping'), 'The page is kept in this browser.');
    assert.deepEqual(await page.evaluate(() => ['unfolded', 'back'].map((name) => document.getElementById(`set-${name}`)).map(({ checked, disabled }) => [checked ?? null, disabled])), [[true, true], [null, true]], 'without WebGL it is unfolded');
    await shot(page, 'settings');
    assert.deepEqual(page.faults, []);
    await server.stop();
    const later = await page.another();
    await later.goto(server.url);
    const before = await faceletsOf(page);
    await later.click('#pad button', 'U');
    await until(() => faceletsOf(later), after(before, 'U'));
    await later.click('#tab-solver');
    await later.click('#solve');
    await until(async () => /^\d+ turns/.test(await later.textOf('#found')), true, 'it solves');
    assert.deepEqual(later.faults.filter((one) => !/^NS_ERROR_CONNECTION_REFUSED/.test(one)), []);
  });

  await firefox.close();
}

finish();
