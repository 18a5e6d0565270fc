// The first screen of somebody who is new: the hint at the cube, the three ways to begin, other sizes.
// Usage: node welcome.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();
const PHONES = [{ width: 390, height: 844 }, { width: 320, height: 568 }, { width: 844, height: 390 }];
const WAYS = { 'Solve my cube': '#panel-paint', 'Play with a friend': '#panel-friends', 'Time myself': '#panel-timer' };

const newcomer = (options = {}) => visitor(browser, server.url, { newcomer: true, ...options });
const stateOf = (page) => page.locator('#state').textContent();

for (const [way, panel] of Object.entries(WAYS)) {
  await check(`"${way}" begins with one tap`, async () => {
    const page = await newcomer({ viewport: PHONES[0], hasTouch: true });
    await page.getByRole('navigation').getByText(way).tap();
    await page.locator(panel).waitFor();
    await page.locator('#tab-turn').tap();
    await page.locator('#panel-turn').waitFor();
    assert.equal(await page.locator('#welcome').isVisible(), false, 'it is offered once');
    await page.reload();
    await page.locator('#pad button').first().waitFor();
    assert.equal(await page.locator('#welcome').isVisible(), false, 'also after a reload');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

await check('a drag at the cube turns a sticker, and the hint has done its work', async () => {
  const page = await newcomer();
  await page.locator('#hint').waitFor();
  const [from, to] = await page.evaluate(() => {
    const { view } = globalThis.cubed.app;
    const box = view.canvas.getBoundingClientRect();
    return [18, 20].map((place) => view.placeOnScreen(place)).map(([x, y]) => [box.left + x, box.top + y]); // along the front's upper row
  });
  const before = await page.evaluate(() => globalThis.cubed.app.cube.revision);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.revision), before + 1);
  await page.locator('#hint').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#welcome').isVisible(), true, 'the ways to begin stay');
  await page.getByRole('navigation').getByRole('button', { name: 'Close' }).click();
  await page.locator('#welcome').waitFor({ state: 'hidden' });
  await page.reload();
  await page.locator('#pad button').first().waitFor();
  assert.deepEqual([await page.locator('#welcome').isVisible(), await page.locator('#hint').isVisible()], [false, false]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('sizes are one step away, and a step back finds the cube as it was', async () => {
  const page = await newcomer();
  await page.locator('#pad button:enabled').first().click();
  const facelets = () => page.evaluate(() => globalThis.cubed.app.cube.facelets);
  const three = await facelets();
  await page.getByRole('button', { name: 'A larger cube' }).click();
  await until(() => stateOf(page), '4×4×4');
  await page.getByRole('button', { name: 'A smaller cube' }).click();
  await until(() => stateOf(page), '3×3×3');
  assert.equal(await facelets(), three);
  await page.getByRole('button', { name: 'A smaller cube' }).click();
  await until(() => stateOf(page), '2×2×2');
  await page.getByRole('button', { name: 'A smaller cube' }).waitFor({ state: 'hidden' });
  await page.reload();
  await until(() => stateOf(page), '2×2×2');
  await page.evaluate(() => globalThis.cubed.app.show(globalThis.cubed.app.cube)); // nothing else is on the stage
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a turn that solves the cube is celebrated, with the number of turns; a reset is not', async () => {
  const page = await newcomer({ reducedMotion: 'no-preference' });
  await page.waitForSelector('#timeline .bar:visible'); // the modules after the first screen are loaded
  const act = (name, ...values) => page.evaluate(([one, all]) => globalThis.cubed.app[one](...all), [name, values]);
  await act('change', 'reset');
  assert.equal(await page.locator('#celebration').count(), 0);
  await act('change', 'scramble', { moves: "R U R' U'" });
  await act('turn', "y U F U' F' y'");
  assert.equal(await page.locator('#celebration').textContent(), 'Solved in 4 turns!');
  await act('turn', 'R');
  assert.equal(await page.locator('#celebration').count(), 0, 'it ends with the next turn');
  assert.ok(await page.locator('#stage').evaluate((stage) => {
    stage.setAttribute('aria-busy', 'true'); // as while the cube turns
    return document.getElementById('sizes').getBoundingClientRect().top - stage.getBoundingClientRect().top < 10;
  }), 'the size stays where it is');
  await act('undo');
  assert.equal(await page.locator('#celebration').count(), 0, 'taking back is no solution');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

for (const viewport of PHONES) {
  await check(`the first screen fits ${viewport.width}x${viewport.height}`, async () => {
    const page = await newcomer({ viewport, hasTouch: true });
    await page.locator('#pad button').first().waitFor();
    const found = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('#welcome [data-panel], #sizes button:not([hidden]), #hint, #tabs button')].map((one) => [one, one.getBoundingClientRect()]);
      const cube = document.getElementById('view').getBoundingClientRect();
      return {
        wide: document.documentElement.scrollWidth > innerWidth,
        outside: boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5).map(([one]) => one.textContent),
        cut: boxes.filter(([one]) => one.scrollWidth > one.clientWidth + 1).map(([one]) => one.textContent),
        small: boxes.filter(([one, box]) => one.id !== 'hint' && Math.min(box.width, box.height) < 24).map(([one]) => one.textContent),
        stage: cube.height >= 100,
      };
    });
    assert.deepEqual(found, { wide: false, outside: [], cut: [], small: [], stage: true });
    assert.deepEqual(await violationsIn(page), []);
    await page.context().close();
  });
}

await check('a shared cube has neither hint nor ways to begin', async () => {
  const page = await visitor(browser, `${server.url}/#alg=R_U`, { newcomer: true });
  await until(() => stateOf(page), '3×3×3');
  assert.deepEqual([await page.locator('#welcome').isVisible(), await page.locator('#hint').isVisible(), await page.locator('#larger').isVisible()], [false, false, false]);
  assert.deepEqual(page.faults, []);
});

await browser.close();
await server.stop();
finish();
