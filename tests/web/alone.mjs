// alone.mjs: what people do with the page that needs no network, for tests that take it away.

import assert from 'node:assert/strict';
import { until } from './browser.mjs';

export const isIndependent = (page) => page.evaluate(() => globalThis.cubed.app.independent);
export const turnOnce = (page) => page.locator('#pad button:enabled').first().click();
const facelets = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const revision = (page) => page.evaluate(() => globalThis.cubed.app.cube.revision);
const solvedByWay = (page) => page.evaluate(() => {
  const { shown } = globalThis.cubed.app;
  const end = Array.from(shown.stickersAt(shown.length));
  return end.every((colour, place) => colour === end[place - (place % (shown.size ** 2))]);
});

export async function turns(page) {
  const before = await facelets(page);
  await turnOnce(page);
  assert.notEqual(await facelets(page), before);
  await page.click('#undo');
  assert.equal(await facelets(page), before);
}

export async function types(page) {
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

export async function solves(page) {
  await page.click('#tab-solver');
  await page.click('#solve');
  await until(() => page.locator('#found').textContent().then((text) => /^\d+ turns/.test(text)), true);
  assert.ok(await solvedByWay(page));
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

export async function doesAll(page) {
  await turns(page);
  await types(page);
  await solves(page);
  await times(page);
  await paints(page);
  await learns(page);
}
