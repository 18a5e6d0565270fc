// Without WebGL, and when its context is lost: the cube is unfolded and can be turned by hand. Usage: node webgl.mjs

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { until } from './browser.mjs';
import { openStage, serveStage } from './view/stage.mjs';

const stage = await serveStage();
const EXPECTED = /Multiple readback operations|WebGL|context|GPU/i;
const faultsOf = (page) => page.faults.filter((one) => !EXPECTED.test(one));

/** Drags the sticker in the middle of F to the right by a quarter of the unfolded 3x3x3. */
async function dragUnfolded(page) {
  const [x, y] = await page.evaluate(() => stage.view.placeOnScreen(22));
  const [right] = await page.evaluate(() => stage.view.placeOnScreen(23));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (right - x) * 2.4, y, { steps: 6 });
  await page.waitForTimeout(100);
  await page.mouse.up();
  await page.evaluate(() => stage.still());
}

for (const args of [['--disable-gpu', '--disable-webgl', '--disable-webgl2', '--disable-software-rasterizer'], ['--disable-gpu', '--disable-3d-apis', '--disable-software-rasterizer']]) {
  await check(`with ${args.join(' ')} the cube is unfolded and turns under the hand`, async () => {
    const { browser, page } = await openStage(stage.url, { args, software: false });
    try {
      await page.evaluate(() => stage.open(3));
      assert.equal(await page.evaluate(() => stage.view.hasSpace), false);
      await dragUnfolded(page);
      assert.deepEqual(await page.evaluate(() => stage.turns), [{ face: 'D', from: 2, to: 2, turns: 1 }]);
      assert.equal(await page.evaluate(() => stage.isRight()), true);
      assert.deepEqual(faultsOf(page), []);
    } finally {
      await browser.close();
    }
  });
}

await check('a context that is lost leaves the unfolded cube, which can be turned, and comes back', async () => {
  const { browser, page } = await openStage(stage.url);
  try {
    await page.evaluate(() => stage.open(3));
    const solid = await page.evaluate(() => stage.picture());
    const picture = () => page.evaluate(() => stage.picture());
    await page.evaluate(async () => {
      const { Solid } = await import('/client/view/solid.js');
      globalThis.lost = Solid.shared.gl.getExtension('WEBGL_lose_context');
      lost.loseContext();
    });
    await until(async () => (await page.evaluate(() => stage.view.isFlat)), true, 'it is unfolded');
    await page.evaluate(() => stage.still());
    assert.equal(await page.evaluate(() => stage.isRight()), true);
    assert.notEqual((await picture()).split(' ')[0], '0');
    await dragUnfolded(page);
    assert.equal((await page.evaluate(() => stage.turns)).length, 1);
    await page.evaluate(() => lost.restoreContext());
    await until(async () => (await page.evaluate(() => stage.view.isFlat)), false, 'it is in 3D again');
    await page.evaluate(() => stage.model.turn([{ face: 'D', from: 2, to: 2, turns: -1 }]));
    await page.mouse.move(2, 2);
    await page.evaluate(() => stage.still());
    assert.equal(await picture(), solid);
    assert.deepEqual(faultsOf(page), []);
  } finally {
    await browser.close();
  }
});

stage.close();
finish();
