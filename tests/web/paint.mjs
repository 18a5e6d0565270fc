// Painting a real cube as people do it: with a mouse, a finger, keys and the clipboard; the diagnosis, its repair, and
// solving what was painted. Usage: node paint.mjs [path of the binary]

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

const TWISTED = 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';
const scrambled = (await cubed.apply({ moves: "R U2 F' L D B" })).cube.facelets;

/** The stickers that are painted, as letters; `?` for a empty one. */
const paintedOf = (page) => page.evaluate(() => Array.from(globalThis.cubed.app.shown.stickers, (colour) => 'URFDLB?'[colour]).join(''));
const marksOf = (page) => page.locator('#panel-paint .cell.wrong').evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.place)));
const verdictOf = (page) => page.locator('#panel-paint .verdict').textContent();
const empty = (n) => Array.from({ length: 6 }, (_, face) => '?'.repeat((n * n - (n % 2)) / 2) + (n % 2 ? 'URFDLB'[face] : '') + '?'.repeat((n * n - (n % 2)) / 2)).join('');

async function open(options) {
  const page = await visitor(browser, `${server.url}/`, options);
  await page.click('#tab-paint');
  await until(() => paintedOf(page), empty(3));
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

const button = (page, text) => page.locator('#panel-paint button', { hasText: text });
const cell = (page, place) => page.locator(`#panel-paint .cell[data-place="${place}"]`);
const swatch = (page, name) => page.locator(`#panel-paint .swatch[aria-label^="${name}"]`);

async function paste(page, text) {
  if (!(await page.locator('#paste').isVisible())) await page.click('#panel-paint .paste summary');
  await page.fill('#paste', text);
  await button(page, 'Read it').click();
}

/** A click on the stage, on a sticker that can be seen. */
async function clickOnStage(page, place, how = 'click') {
  await until(() => page.evaluate(() => globalThis.cubed.app.view.busy), false);
  const [x, y] = await page.evaluate((one) => globalThis.cubed.app.view.placeOnScreen(one), place);
  const { x: left, y: top } = await page.locator('#view').boundingBox();
  if (how === 'tap') await page.touchscreen.tap(left + x, top + y);
  else await page.mouse.click(left + x, top + y);
}

await check('a whole cube by a mouse, on the unfolding', async () => {
  const page = await open(DESKTOP);
  const names = { U: 'white', R: 'red', F: 'green', D: 'yellow', L: 'orange', B: 'blue' };
  for (const letter of 'URFDLB') {
    await swatch(page, names[letter]).click();
    for (const [place, colour] of [...scrambled].entries()) if (colour === letter && place % 9 !== 4) await cell(page, place).click();
    await until(() => swatch(page, names[letter]).getAttribute('aria-label'), `${names[letter]}, 0 left`);
  }
  assert.equal(await paintedOf(page), scrambled);
  await until(async () => /can be solved/.test(await verdictOf(page)), true);
  await close(page);
});

await check('stickers are painted on the cube itself; the middles stay; undo and redo', async () => {
  const page = await open(DESKTOP);
  await swatch(page, 'blue').click();
  await clickOnStage(page, 8);
  await until(async () => (await paintedOf(page))[8], 'B');
  await clickOnStage(page, 22);
  assert.equal((await paintedOf(page))[22], 'F');
  await until(() => page.locator('#notice-text').textContent(), 'The middle of a face stays: it says how the cube is held.');
  await button(page, 'Undo').click();
  await until(() => paintedOf(page), empty(3));
  await button(page, 'Redo').click();
  await until(async () => (await paintedOf(page))[8], 'B');
  await swatch(page, 'erase').click();
  await clickOnStage(page, 8);
  await until(() => paintedOf(page), empty(3));
  await close(page);
});

await check('in the unfolded view too', async () => {
  const page = await open(DESKTOP);
  await page.evaluate(() => globalThis.cubed.app.settings.set('unfolded', true));
  await swatch(page, 'orange').click();
  await clickOnStage(page, 27);
  await until(async () => (await paintedOf(page))[27], 'L');
  await close(page);
});

await check('by keys: letters of colours or faces paint and step on, arrows move, Backspace erases', async () => {
  const page = await open(DESKTOP);
  await cell(page, 0).focus();
  await page.keyboard.type('uuwu');
  await page.keyboard.type('uwuu');
  await page.keyboard.type('rrrrrrrr');
  assert.equal((await paintedOf(page)).slice(0, 18), 'UUUUUUUUURRRRRRRRR');
  await page.keyboard.press('Backspace');
  const at = () => page.evaluate(() => Number(document.activeElement.dataset.place));
  assert.equal(await at(), 17);
  assert.equal((await paintedOf(page)).slice(16, 19), 'R??');
  await page.keyboard.press('Control+z');
  assert.equal((await paintedOf(page)).slice(16, 19), 'RR?');
  await cell(page, 20).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await at(), 9, 'from the front to the right');
  await page.keyboard.press('ArrowUp');
  assert.equal(await at(), 9, 'nothing is above');
  await close(page);
});

await check('letters paint while the stage or a tab has the focus, and do not turn the cube that is open', async () => {
  const page = await open(DESKTOP);
  const before = await page.evaluate(() => globalThis.cubed.app.cube.facelets);
  await page.locator('#view canvas').first().focus();
  await page.keyboard.press('r');
  await until(async () => (await paintedOf(page))[18], 'R');
  await page.locator('#tab-paint').focus();
  await page.keyboard.press('g');
  await until(async () => (await paintedOf(page))[19], 'F');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.cube.facelets), before);
  await close(page);
});

await check('pasted: facelets, names of colours, an unfolding, moves; a fault is told', async () => {
  const page = await open(DESKTOP);
  const { cube } = await cubed.convert({ cube: scrambled }, { as: 'net' });
  for (const text of [scrambled, cube.net, "R U2 F' L D B"]) {
    await button(page, 'Empty').click();
    await until(() => paintedOf(page), empty(3));
    await paste(page, text);
    await until(() => paintedOf(page), scrambled);
  }
  await paste(page, 'R Q U');
  const fault = () => page.locator('#paste-fault').textContent();
  await until(async () => (await fault()) !== '', true);
  assert.match(await fault(), /unknown move/);
  assert.equal(await paintedOf(page), scrambled);
  await close(page);
});

await check('a twisted corner: words, lit on both, repaired by one button, then solved', async () => {
  const page = await open(DESKTOP);
  await paste(page, TWISTED);
  await until(() => marksOf(page).then((places) => places.sort((a, b) => a - b)), [8, 9, 20]);
  const words = await verdictOf(page);
  assert.match(words, /A corner is twisted in its place, perhaps the green-white-red corner \(top-right-front\)\./);
  assert.match(words, /Twist the green-white-red corner at top-right-front a third counterclockwise\./);
  await button(page, 'Repair it').click();
  await until(() => verdictOf(page).then((text) => text.startsWith('This cube is solved.')), true);
  assert.deepEqual(await marksOf(page), []);
  await button(page, 'Undo').click();
  await until(() => paintedOf(page), TWISTED);
  await paste(page, scrambled);
  await button(page, 'Solve it').click();
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.facelets), scrambled);
  await until(() => page.locator('#panel-solver').isVisible(), true);
  await page.context().close();
});

await check('what is wrong is told while the rest is empty', async () => {
  const page = await open(DESKTOP);
  await cell(page, 8).focus();
  await page.keyboard.type('w'); // and steps to R
  await page.keyboard.type('y');
  await cell(page, 20).click(); // with the brush, white
  await until(async () => /The corner at top-right-front has white and yellow/.test(await verdictOf(page)), true);
  assert.deepEqual((await marksOf(page)).sort((a, b) => a - b), [8, 9, 20]);
  assert.match(await verdictOf(page), /45 stickers are still empty/);
  await close(page);
});

await check('other sizes: 2 and 4 without middles, 20 as pictures; a reload keeps the painting', async () => {
  const page = await open(DESKTOP);
  for (const n of [2, 4, 5]) {
    await page.fill('#paint-size', String(n));
    await page.press('#paint-size', 'Enter');
    await until(() => paintedOf(page), empty(n));
    await paste(page, "R U F'");
    const { cube } = await cubed.apply({ size: n, moves: "R U F'" });
    await until(() => paintedOf(page), cube.facelets);
    await until(async () => /can be solved/.test(await verdictOf(page)), true);
  }
  await page.fill('#paint-size', '20');
  await page.press('#paint-size', 'Enter');
  await until(() => paintedOf(page), empty(20));
  assert.equal(await page.textContent('#state'), '20×20×20');
  await swatch(page, 'red').click();
  await page.locator('#panel-paint .face-U canvas').click({ position: { x: 2, y: 2 } });
  await until(async () => (await paintedOf(page))[0], 'R');
  await page.reload();
  await page.click('#tab-paint');
  await until(async () => (await paintedOf(page)).slice(0, 2), 'R?');
  await close(page);
});

await check('with a finger on a phone: one face at a time, the next one by a button, and taps on the cube', async () => {
  const page = await open(PHONE);
  const shown = () => page.locator('#panel-paint .face:visible').getAttribute('aria-label');
  assert.equal(await shown(), 'F, front');
  await swatch(page, 'green').tap();
  for (const place of [18, 19, 20, 21, 23, 24, 25, 26]) await cell(page, place).tap();
  await until(async () => (await paintedOf(page)).slice(18, 27), 'FFFFFFFFF');
  await button(page, 'Next face').tap();
  await until(shown, 'R, right');
  await swatch(page, 'red').tap();
  await clickOnStage(page, 12, 'tap');
  await until(async () => (await paintedOf(page))[12], 'R');
  for (const selector of ['.swatch', '.face-tabs button', '.face.current .cell', '.aside button']) {
    const sizes = await page.locator(`#panel-paint ${selector}`).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)));
    assert.ok(Math.min(...sizes) >= 43.5, `${selector}: ${Math.min(...sizes)}`);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await close(page);
});

await check('leaving the panel shows the cube again, with its marks gone', async () => {
  const page = await open(DESKTOP);
  await paste(page, TWISTED);
  await until(async () => (await marksOf(page)).length, 3);
  await page.click('#tab-turn');
  await until(() => page.evaluate(() => globalThis.cubed.app.shown === globalThis.cubed.app.cube), true);
  await page.click('#tab-paint');
  await until(() => paintedOf(page), TWISTED);
  await close(page);
});

await check('a face that is painted is looked at; without the panel the cube is seen from where it was seen before', async () => {
  const page = await open(PHONE);
  const looking = () => page.evaluate(() => globalThis.cubed.app.view.looking);
  const tabs = page.locator('#panel-paint .face-tabs button');
  for (const leave of [() => page.tap('#tab-turn'), () => button(page, 'Turn').tap()]) {
    await page.tap('#tab-turn');
    await page.evaluate(() => globalThis.cubed.app.view.look(0.3, 0.2, 1.2));
    const before = await looking();
    await page.tap('#tab-paint');
    await button(page, 'Solved').tap();
    await button(page, 'Turn it').waitFor();
    await tabs.nth(3).tap();
    await until(async () => (await looking()).pitch < 0, true, 'from below');
    await leave();
    await until(looking, before);
  }
  await close(page);
});

await browser.close();
await server.stop();
finish();
