// Hands on the cube, on a page that has nothing but the view: what a drag turns, with mouse, pen and fingers; looking
// around; zooming; turns of others meanwhile; turns that are refused; without WebGL. Usage: node hands.mjs

import assert from 'node:assert/strict';
import { SIDES, turned } from '../../clients/js/src/cube.js';
import { check, finish } from '../api/report.mjs';
import { openStage, serveStage } from './view/stage.mjs';

const stage = await serveStage();
const { browser, page } = await openStage(stage.url);

/** Looks from which each of the faces URFDLB is seen. */
const LOOKS = { URF: [-0.62, 0.5], DLB: [-0.62 + Math.PI, -0.5] };
const lookAt = (face) => (face < 3 ? LOOKS.URF : LOOKS.DLB);

const open = (size, options) => page.evaluate(([n, settings]) => stage.open(n, settings), [size, options]);
const still = () => page.evaluate(() => stage.still());
const placeOnScreen = (place) => page.evaluate((one) => stage.view.placeOnScreen(one), place);
const turnsMade = () => page.evaluate(() => stage.turns);
const stickers = () => page.evaluate(() => [...stage.model.stickers]);

/** The place beside one, in a direction on its face: [columns, rows]. */
function neighbour(place, n, [columns, rows]) {
  const [face, row, column] = [Math.floor(place / (n * n)), Math.floor(place / n) % n, place % n];
  const [toRow, toColumn] = [row + rows, column + columns];
  return toRow < 0 || toRow >= n || toColumn < 0 || toColumn >= n ? null : (face * n + toRow) * n + toColumn;
}

/** From where to where a hand drags a sticker by a quarter in a direction. */
async function pathOf(place, n, direction) {
  const from = await placeOnScreen(place);
  const [beside, sign] = [[neighbour(place, n, direction), 1], [neighbour(place, n, direction.map((step) => -step)), -1]].find(([one]) => one !== null);
  const to = await placeOnScreen(beside);
  const cells = (sign * n * Math.PI) / 4;
  return [from, [from[0] + (to[0] - from[0]) * cells, from[1] + (to[1] - from[1]) * cells]];
}

/** Drags with the mouse, and stops before it is let go, so that it is no flick. */
async function drag([from, to], { button = 'left', steps = 6, wait = 100 } = {}) {
  await page.mouse.move(...from);
  await page.mouse.down({ button });
  await page.mouse.move(...to, { steps });
  await page.waitForTimeout(wait);
  await page.mouse.up({ button });
  await still();
}

/** That a turn carries the sticker of a place over the edge of its face in a direction. */
function assertMoves(turn, place, n, [columns, rows], what) {
  const plan = new Uint8Array(6 * n * n);
  plan[place] = 1;
  const to = SIDES[Math.floor(turned(plan, n, turn).indexOf(1) / (n * n))];
  const side = SIDES[Math.floor(place / (n * n))];
  const [axis, sign] = columns ? side.right : side.down;
  assert.deepEqual([to.axis, to.sign], [axis, sign * (columns + rows)], what);
}

const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1]];

for (const unfolded of [false, true]) {
  for (const n of [2, 3, 5, 20, 100]) {
    await check(`a drag turns the layer that moves the sticker that way: ${n}, ${unfolded ? 'unfolded' : 'in 3D'}`, async () => {
      await open(n, { unfolded });
      for (let face = 0; face < 6; face++) {
        await page.evaluate(([yaw, pitch]) => stage.view.look(yaw, pitch), lookAt(face));
        for (const direction of DIRECTIONS) {
          const place = face * n * n + Math.floor(Math.random() * n * n);
          const before = await stickers();
          await drag(await pathOf(place, n, direction), { wait: unfolded ? 85 : 100 });
          const what = `place ${place} towards ${direction}`;
          const [turn, ...more] = await page.evaluate(() => stage.turns.splice(0));
          assert.ok(turn && more.length === 0, `${what}: ${JSON.stringify([turn, ...more])}`);
          assert.equal(turn.from, turn.to, what);
          assertMoves(turn, place, n, direction, `${what}: ${JSON.stringify(turn)}`);
          assert.deepEqual(await stickers(), [...turned(Uint8Array.from(before), n, turn)], what);
        }
      }
    });
  }
}

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));
await browser.close();
stage.close();
finish();
