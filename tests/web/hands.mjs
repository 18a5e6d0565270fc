// Hands on the cube, on a page that has only the view: what a drag turns, with mouse, pen and fingers; looking
// around; zooming; turns of others meanwhile; turns that are refused; without WebGL. Usage: node hands.mjs

import assert from 'node:assert/strict';
import { SIDES, turned } from '../../clients/js/src/cube.js';
import { check, finish } from '../api/report.mjs';
import { LONG, until, visitor } from './browser.mjs';
import { openStage, serveStage } from './view/stage.mjs';

const stage = await serveStage();
const { browser, page } = await openStage(stage.url);
const devtools = await page.context().newCDPSession(page);

/** Looks from which each of the faces URFDLB is seen. */
const LOOKS = { URF: [-0.62, 0.5], DLB: [-0.62 + Math.PI, -0.5] };
const lookAt = (face) => (face < 3 ? LOOKS.URF : LOOKS.DLB);

/** Pixels of the device are twice as wide as those of CSS. */
const devicePixels = (edge) => Math.round(edge / 2);

const open = (size, options) => page.evaluate(([n, settings]) => stage.open(n, settings), [size, options]);
const still = () => page.evaluate(() => stage.still());
const placeOnScreen = (place) => page.evaluate((one) => stage.view.placeOnScreen(one), place);
const turnsMade = () => page.evaluate(() => stage.turns);
const stickers = async () => [...(await page.evaluate(() => stage.model.stickers.join('')))].map(Number); // as a text, 60,000 of them are here sooner

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

const BUTTONS = { left: 1, right: 2 };
/** Drags with the mouse. By the clock of the events the hand rests before it lets go, so that it is not a flick. */
async function drag([from, to], { button = 'left', steps = 4 } = {}) {
  const start = Date.now() / 1000 - 1;
  const send = (type, i) => devtools.send('Input.dispatchMouseEvent', {
    type, x: from[0] + ((to[0] - from[0]) * Math.min(i, steps)) / steps, y: from[1] + ((to[1] - from[1]) * Math.min(i, steps)) / steps,
    button, buttons: type === 'mouseReleased' ? 0 : BUTTONS[button], clickCount: 1, timestamp: start + 0.016 * i,
  });
  await page.mouse.move(...from);
  await send('mousePressed', 0);
  for (let i = 1; i <= steps; i++) await send('mouseMoved', i);
  await send('mouseReleased', steps + 12);
  await still();
}

/** Checks that a turn carries the sticker of a place over the edge of its face in a direction. */
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
  for (const n of [2, 3, 20, 100]) {
    await check(`a drag turns the layer that moves the sticker that way: ${n}, ${unfolded ? 'unfolded' : 'in 3D'}`, async () => {
      await page.emulateMedia({ reducedMotion: n === 3 ? 'no-preference' : 'reduce' });
      await open(n, { unfolded });
      for (let face = 0; face < 6; face++) {
        await page.evaluate(([yaw, pitch]) => stage.view.look(yaw, pitch), lookAt(face));
        // All four ways on each face at one size; at the others each way at least once.
        for (const direction of n === 3 || LONG ? DIRECTIONS : [DIRECTIONS[face % 4]]) {
          const place = face * n * n + Math.floor(Math.random() * n * n);
          const before = await stickers();
          await drag(await pathOf(place, n, direction));
          const what = `place ${place} towards ${direction}`;
          const [turn, ...more] = await page.evaluate(() => stage.turns.splice(0));
          assert.ok(turn && more.length === 0, `${what}: ${JSON.stringify([turn, ...more])}`);
          assert.equal(turn.from, turn.to, what);
          assertMoves(turn, place, n, direction, `${what}: ${JSON.stringify(turn)}`);
          assert.deepEqual(await stickers(), [...turned(Uint8Array.from(before), n, turn)], what);
          if (LONG) assert.equal(await page.evaluate(() => stage.isRight()), true, `${what}: the picture`);
        }
        assert.equal(await page.evaluate(() => stage.isRight()), true, `face ${face}: the picture`);
      }
      await page.emulateMedia({ reducedMotion: 'no-preference' });
    });
  }
}

for (const unfolded of [false, true]) {
  await check(`a sticker is where it is said to be, ${unfolded ? 'unfolded' : 'in 3D'}`, async () => {
    for (const n of [2, 3, 20]) {
      const wrong = await page.evaluate(([size, flat]) => stage.findWrongPlaces(size, flat), [n, unfolded]);
      assert.deepEqual(wrong, [], `size ${n}`);
    }
  });
}

/** A path as a share of a quarter. */
const part = ([from, to], share) => [from, [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]];
const F_MIDDLE = 22; // of a 3x3x3
const look = () => page.evaluate(() => stage.view.looking);
const BESIDE = [40, 250];

await check('less than half a quarter turns back; so does what is dragged back', async () => {
  await open(3);
  const path = await pathOf(F_MIDDLE, 3, [1, 0]);
  await drag(part(path, 0.4));
  await page.mouse.move(...path[0]);
  await page.mouse.down();
  await page.mouse.move(...path[1], { steps: 6 });
  await page.mouse.move(path[0][0] + 5, path[0][1], { steps: 6 });
  await page.waitForTimeout(100);
  await page.mouse.up();
  await still();
  assert.deepEqual(await turnsMade(), []);
  assert.equal(await page.evaluate(() => stage.isRight()), true);
});

await check('a flick is a quarter, though the hand went less than half of it', async () => {
  await open(3);
  const [from, to] = part(await pathOf(F_MIDDLE, 3, [1, 0]), 0.35);
  // Events of 16 ms each, however slow this machine is.
  const start = Date.now() / 1000;
  const send = (type, i) => devtools.send('Input.dispatchMouseEvent', {
    type, x: from[0] + ((to[0] - from[0]) * Math.min(i, 4)) / 4, y: from[1] + ((to[1] - from[1]) * Math.min(i, 4)) / 4,
    button: 'left', buttons: 1, clickCount: 1, timestamp: start + 0.016 * i,
  });
  await send('mousePressed', 0);
  for (let i = 1; i <= 4; i++) await send('mouseMoved', i);
  await send('mouseReleased', 5);
  await still();
  assert.deepEqual(await turnsMade(), [{ face: 'D', from: 2, to: 2, turns: 1 }]);
});

await check('dragging on is a half turn, and three quarters are one the other way', async () => {
  await open(3);
  const path = await pathOf(F_MIDDLE, 3, [1, 0]);
  await drag(part(path, 2.05), { steps: 20 });
  assert.deepEqual(await turnsMade(), [{ face: 'D', from: 2, to: 2, turns: 2 }]);
  await drag(part(path, 3.05), { steps: 30 });
  assert.deepEqual((await turnsMade())[1], { face: 'D', from: 2, to: 2, turns: -1 });
});

await check('the layer follows the hand', async () => {
  await open(3);
  const path = await pathOf(F_MIDDLE, 3, [1, 0]);
  await page.mouse.move(...path[0]);
  await page.mouse.down();
  for (const share of [0.3, 0.7, 0.2]) {
    await page.mouse.move(...part(path, share)[1], { steps: 3 });
    const angle = await page.evaluate(() => stage.view.heldAngle);
    assert.ok(Math.abs(angle - share * (Math.PI / 2)) < 0.02 + 0.12 * share, `${share} of a quarter: ${angle}`);
  }
  await page.mouse.up();
  await still();
});

await check('turns of others during a drag come before it, and none is lost', async () => {
  for (const unfolded of [false, true]) {
    await open(3, { unfolded });
    const path = await pathOf(F_MIDDLE, 3, [0, -1]);
    await page.mouse.move(...path[0]);
    await page.mouse.down();
    await page.mouse.move(...part(path, 0.5)[1], { steps: 4 });
    await page.evaluate(() => stage.model.turn(stage.parseMoves("U R F' y", 3), 'others'));
    await page.mouse.move(...path[1], { steps: 4 });
    await page.waitForTimeout(100);
    await page.mouse.up();
    await still();
    assert.equal((await turnsMade()).length, 1);
    const wanted = await page.evaluate(() => [...stage.turnedAll(new stage.Model(3).stickers, 3, [...stage.parseMoves("U R F' y", 3), stage.turns[0]])]);
    assert.deepEqual(await stickers(), wanted);
    assert.equal(await page.evaluate(() => stage.isRight()), true);
  }
});

await check('turns of others during a drag that is given up are seen after it', async () => {
  await open(3);
  const path = await pathOf(F_MIDDLE, 3, [0, -1]);
  await page.mouse.move(...path[0]);
  await page.mouse.down();
  await page.mouse.move(...part(path, 0.3)[1], { steps: 4 });
  await page.evaluate(() => stage.model.turn(stage.parseMoves('U R', 3), 'others'));
  await page.waitForTimeout(100);
  await page.mouse.up();
  await still();
  assert.deepEqual(await turnsMade(), []);
  assert.equal(await page.evaluate(() => stage.isRight()), true);
});

await check('many turns at once, of others and by hand, are all there at the end', async () => {
  await open(5);
  const path = await pathOf(2 * 25 + 12, 5, [1, 0]);
  for (let i = 0; i < 5; i++) {
    await page.evaluate(() => {
      const moves = () => Array.from({ length: 8 }, () => 'URFDLB'[Math.floor(Math.random() * 6)] + ['', "'", '2'][Math.floor(Math.random() * 3)]).join(' ');
      for (let k = 0; k < 3; k++) setTimeout(() => stage.model.turn(stage.parseMoves(moves(), 5), 'others'), 40 * k);
    });
    await page.mouse.move(...path[0]);
    await page.mouse.down();
    await page.mouse.move(...path[1], { steps: 5 });
    await page.mouse.up();
  }
  await until(async () => (await turnsMade()).length, 5);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100))); // the page's turns of others begin before
  await still();
  assert.equal(await page.evaluate(() => stage.isRight()), true);
});

await check('a turn that the model refuses is seen to go back', async () => {
  for (const answer of ['nothing', 'a promise', 'a turn that is taken back later']) {
    await open(3);
    await page.evaluate((kind) => {
      const start = stage.model.stickers;
      stage.view.onTurn = stage.onTurn = (turn) => {
        stage.turns.push(turn);
        if (kind === 'a promise') return Promise.reject(new Error('refused'));
        if (kind === 'nothing') return undefined;
        stage.model.turn([turn], 'here');
        setTimeout(() => {
          stage.model.replace(start);
          stage.taken = stage.view.frames;
        }, 300);
        return undefined;
      };
    }, answer);
    const path = await pathOf(F_MIDDLE, 3, [1, 0]);
    await page.mouse.move(...path[0]);
    await page.mouse.down();
    await page.mouse.move(...path[1], { steps: 4 });
    await page.waitForTimeout(100);
    const held = await page.evaluate(() => stage.view.frames);
    const begin = performance.now();
    await page.mouse.up();
    if (answer.startsWith('a turn')) await page.waitForFunction(() => stage.taken);
    const before = await page.evaluate((frames) => stage.taken ?? frames, held);
    await still();
    const frames = (await page.evaluate(() => stage.view.frames)) - before;
    const slow = performance.now() - begin > 60 * frames; // a machine that draws less often than that is not judged
    assert.ok(frames > 2 || slow, `${answer}: it is animated`);
    assert.equal((await turnsMade()).length, 1);
    assert.deepEqual(await stickers(), await page.evaluate(() => [...new stage.Model(3).stickers]), answer);
    assert.equal(await page.evaluate(() => stage.isRight()), true, answer);
  }
});

await check('who may not turn only looks around', async () => {
  await open(3);
  await page.evaluate(() => (stage.view.turnable = false));
  const before = await look();
  await drag(await pathOf(F_MIDDLE, 3, [1, 0]));
  assert.deepEqual(await turnsMade(), []);
  assert.notDeepEqual(await look(), before);
});

await check('a drag beside the cube, and one with the right button, look around; keys do; a double click looks from the front again', async () => {
  await open(3);
  const home = await look();
  const middle = await placeOnScreen(F_MIDDLE);
  for (const [name, act] of Object.entries({
    beside: () => drag([BESIDE, [BESIDE[0] + 100, BESIDE[1] + 40]]),
    'right button': () => drag([middle, [middle[0] + 60, middle[1]]], { button: 'right' }),
    arrow: () => page.locator('canvas').press('ArrowLeft'),
    plus: () => page.locator('canvas').press('+'),
  })) {
    await act();
    assert.notDeepEqual(await look(), home, name);
    assert.deepEqual(await turnsMade(), [], name);
    if (name === 'beside') await page.mouse.dblclick(...BESIDE);
    else await page.locator('canvas').press('0');
    assert.deepEqual(await look(), home, `${name}, and back`);
  }
});

await check('the wheel zooms on the cube, and scrolls the page beside it', async () => {
  // With larger pixels Chromium scrolls nothing after a wheel that the page took.
  const other = await visitor(browser, stage.url, { deviceScaleFactor: 1 });
  await other.locator('html[data-ready]').waitFor({ state: 'attached' });
  await other.evaluate(() => stage.open(3));
  await other.evaluate(() => document.body.classList.add('tall'));
  await other.mouse.move(...(await other.evaluate((place) => stage.view.placeOnScreen(place), F_MIDDLE)));
  await other.mouse.wheel(0, -200);
  await other.waitForFunction(() => stage.view.looking.zoom > 1.2);
  assert.equal(await other.evaluate(() => scrollY), 0);
  await other.mouse.move(8, 480);
  await other.mouse.wheel(0, 100);
  await other.waitForFunction(() => scrollY === 100);
  assert.deepEqual(other.faults, []);
  await other.context().close();
});

await check('the layers under the pointer are lit and named', async () => {
  await open(100);
  const place = 2 * 10000 + 36 * 100 + 63; // F, row 37, column 64
  const picture = () => page.evaluate(() => stage.picture());
  await page.mouse.move(5, 5);
  await still();
  const dark = await picture();
  await page.mouse.move(...(await placeOnScreen(place)));
  await still();
  assert.notEqual(await picture(), dark);
  const [found, turns] = (await page.evaluate(() => stage.points)).at(-1);
  assert.equal(found, place);
  assert.deepEqual(turns.map(({ face, from, to }) => `${from}${face}${to}`).sort(), ['37R37', '37U37']);
  await page.mouse.move(5, 5);
  await still();
  assert.equal(await picture(), dark);
});

await check('a click on a sticker is no turn, and is told', async () => {
  for (const unfolded of [false, true]) {
    await open(3, { unfolded });
    await page.evaluate(() => {
      stage.picked = [];
      stage.view.onPick = (place) => stage.picked.push(place);
    });
    await page.mouse.click(...(await placeOnScreen(20)));
    await page.mouse.click(...(await placeOnScreen(3)));
    await page.mouse.click(5, 5);
    assert.deepEqual(await page.evaluate(() => stage.picked), [20, 3]);
    assert.deepEqual(await turnsMade(), []);
  }
});

await check('a pen turns too', async () => {
  await open(3);
  const [from, to] = await pathOf(F_MIDDLE, 3, [0, 1]);
  const send = (type, [x, y], buttons) => devtools.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' && !buttons ? 'none' : 'left', buttons, clickCount: 1, pointerType: 'pen', force: 0.5 });
  await send('mousePressed', from, 1);
  for (let i = 1; i <= 6; i++) await send('mouseMoved', [from[0] + ((to[0] - from[0]) * i) / 6, from[1] + ((to[1] - from[1]) * i) / 6], 1);
  await page.waitForTimeout(100);
  await send('mouseReleased', to, 0);
  await still();
  const [turn] = await turnsMade();
  assertMoves(turn, F_MIDDLE, 3, [0, 1]);
});

await check('marks are seen, and their kinds look different', async () => {
  for (const unfolded of [false, true]) {
    await open(3, { unfolded });
    const pictures = new Set();
    for (const kind of [null, 'piece', 'goal', 'wrong']) {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.evaluate((one) => stage.view.mark(one ? [{ places: [22], kind: one }] : []), kind);
      await still();
      // In greys, since marks must not be told apart by colour alone.
      pictures.add(await page.evaluate(() => stage.greyPicture()));
      await page.emulateMedia({ reducedMotion: 'no-preference' });
    }
    assert.equal(pictures.size, 4);
  }
});

await check('whoever wants less motion sees the end of a turn at once', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(3);
  await page.evaluate(() => stage.model.turn(stage.parseMoves('R U F', 3)));
  assert.equal(await page.evaluate(() => stage.view.busy), false);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  assert.equal(await page.evaluate(() => (stage.model.turn(stage.parseMoves('R U F', 3)), stage.view.busy)), true);
  assert.equal(await page.evaluate(() => stage.isRight()), true);
});

await check('a view that changes its size draws in it', async () => {
  await open(3);
  for (const [width, height] of [[300, 500], [640, 200], [600, 500]]) {
    await page.evaluate(([w, h]) => {
      document.getElementById('host').style.width = `${w}px`;
      document.getElementById('host').style.height = `${h}px`;
    }, [width, height]);
    await until(() => page.evaluate(() => [stage.view.canvas.width, stage.view.canvas.height]), [width, height].map(devicePixels));
    await still();
    assert.equal(await page.evaluate(() => stage.isRight()), true);
  }
});

await check('the picture from behind covers no sticker of the cube', async () => {
  await open(3, { back: true });
  for (const [width, height] of [[390, 360], [390, 390], [390, 460], [360, 300], [600, 500]]) {
    await page.evaluate(([w, h]) => Object.assign(document.getElementById('host').style, { width: `${w}px`, height: `${h}px` }), [width, height]);
    await until(() => page.evaluate(() => [stage.view.canvas.width, stage.view.canvas.height]), [width, height].map(devicePixels));
    await still();
    const covered = await page.evaluate(() => Array.from({ length: 27 }, (_, place) => place).filter((place) => stage.view.placeOnScreen(place) === null));
    assert.deepEqual(covered, [], `${width} by ${height}`);
  }
});

await check('forty views on one page all show their cubes', async () => {
  const wrong = await page.evaluate(() => stage.crowd(40));
  assert.deepEqual(wrong, []);
});

/** The messages that the tests themselves cause. */
const EXPECTED = /Multiple readback operations/;
await check('nothing went wrong in the page', () => assert.deepEqual(page.faults.filter((one) => !EXPECTED.test(one)), []));
await browser.close();
stage.close();
finish();
