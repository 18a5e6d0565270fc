// The solver in a browser: a solution as moves that can be looked at, step by step, and made; others may turn meanwhile.
// Usage: node solver.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const MOVES = "R U F' D2 L B2 U R2 F L' D B";

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const ask = async (path, body) => (await fetch(server.url + path, {
  method: body ? 'POST' : 'GET', headers: body ? { 'Content-Type': 'application/json' } : {}, body: body && JSON.stringify(body),
})).json();

/** A page with the solver, at a cube of that size that was turned; or, without moves, a scrambled one without a history. */
async function opened(size, moves, options) {
  const { scrambles: [{ cube }] } = await ask(`/v1/scramble?size=${size}`);
  const { id } = await ask('/v1/sessions', { access: 'edit', ...(moves ? { size } : { cube: { facelets: cube.facelets } }) });
  const path = `/v1/sessions/${id}`;
  if (moves) await ask(`${path}/scramble`, { moves });
  const page = await visitor(browser, `${server.url}/c/${id}`, options);
  await page.waitForSelector('#timeline .bar:visible');
  await page.click('#tab-solver');
  await page.waitForSelector('#solve:visible');
  return { page, path };
}

const found = (page) => page.innerText('#found');
const shown = (page) => page.evaluate(() => Array.from(globalThis.cubed.app.shown.stickers, (face) => 'URFDLB'[face]).join(''));
const lit = (page) => page.locator('#way .moves [aria-current]').getAttribute('data-at');
const movesOf = (page) => page.evaluate(() => globalThis.cubed.app.shown.moves);

async function solved(page) {
  await page.click('#solve');
  await page.waitForSelector('#way .moves button');
}

await check('a solution is shown as moves, one is lit, and the cube stays as it is', async () => {
  const { page, path } = await opened(3, MOVES);
  await solved(page);
  assert.match(await found(page), /^\d+ turns/);
  const moves = await movesOf(page);
  assert.deepEqual(await page.locator('#way .moves button').allInnerTexts(), moves.map((move) => move.replace("'", '′')));
  assert.match(await page.innerText('#next-move'), new RegExp(`^Next: ${moves[0].replace("'", '′')} `));
  await page.click('#timeline .forward');
  await until(() => lit(page), '0');
  await page.click('#way .moves button >> nth=4');
  await until(() => lit(page), '4');
  await page.click('#timeline .back');
  await until(() => lit(page), '3');
  const { cube } = await ask('/v1/apply', { cube: { session: path.split('/').at(-1) }, moves: moves.slice(0, 4).join(' ') });
  await until(() => shown(page), cube.facelets);
  await page.click('#timeline .last');
  await until(() => page.innerText('#next-move'), 'This is the end.');
  const session = await ask(path);
  assert.deepEqual([session.revision, session.cube.solved], [1, false]);
  await page.click('#timeline .now');
  await until(() => shown(page), session.cube.facelets);
  assert.deepEqual(page.faults, []);
});

await check('the cube is turned move by move, at a pace that can be followed', async () => {
  const { page, path } = await opened(2, "R U F' R2 U F2 R' U2");
  await solved(page);
  assert.match(await found(page), /a shortest solution/);
  const moves = await movesOf(page);
  assert.ok(moves.length > 5);
  await page.click('#turn-one');
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.revision), 2);
  await until(() => lit(page), '0');
  const { items: [, first] } = await ask(`${path}/history`);
  assert.equal(first.moves, moves[0]);
  const turns = page.evaluate((count) => new Promise((done) => {
    const times = [];
    globalThis.cubed.app.on('turned', () => times.push(performance.now()) === count && done(times));
  }), moves.length - 1);
  await page.click('#turn-all');
  const times = await turns;
  assert.ok(times.at(-1) - times[0] > 300 * (times.length - 1), `${times}`); // a busy browser may be late with one of them
  await until(() => found(page), 'Solved: this was the last move.');
  assert.equal((await ask(path)).cube.solved, true);
  assert.equal((await ask(`/v1/solves?session=${path.split('/').at(-1)}`)).items[0]?.assisted, true, 'it is no result of this person');
  assert.deepEqual(page.faults, []);
});

await check('turning stops when it is told to', async () => {
  const { page, path } = await opened(3, MOVES);
  await solved(page);
  await page.click('#turn-all');
  await until(() => page.innerText('#turn-all'), 'Stop');
  await until(async () => (await ask(path)).revision > 2, true);
  await page.click('#turn-all');
  const { revision } = await ask(path);
  await page.waitForTimeout(900); // bound: no more turns come
  assert.ok((await ask(path)).revision <= revision + 1);
  assert.match(await page.innerText('#turn-all'), /^The remaining \d+$/);
  await page.click('#turn-one');
  await until(async () => (await ask(path)).revision > revision, true);
  assert.deepEqual(page.faults, []);
});

await check('somebody else turns the cube: that is said calmly, and it can be solved again', async () => {
  const { page, path } = await opened(3, MOVES);
  await solved(page);
  await ask(`${path}/moves`, { moves: 'M' });
  await until(() => found(page), 'The cube was turned meanwhile. You can still look at this solution.');
  assert.equal(await page.isDisabled('#turn-one'), true);
  assert.equal(await page.isHidden('#notice'), true);
  await page.click('#timeline .forward');
  await until(() => lit(page), '0');
  await page.click('button >> text="Solve again"');
  await until(async () => /^\d+ turns/.test(await found(page)), true);
  assert.equal(await page.isDisabled('#turn-one'), false);
  assert.deepEqual(page.faults, []);
});

await check('an 8x8x8: a long solution, of which the moves around the present one are shown, none is cut', async () => {
  const { page } = await opened(8);
  await solved(page);
  const moves = await movesOf(page);
  assert.ok(moves.length > 240, String(moves.length));
  assert.equal(await page.locator('#way .moves button').count(), 240);
  await page.click('#timeline .last');
  await until(() => lit(page), String(moves.length - 1));
  assert.equal(await page.locator('#way .moves button').last().innerText(), moves.at(-1).replace("'", '′'));
  await page.evaluate(() => navigator.clipboard && Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } }));
  await page.click('button >> text="Copy moves"');
  await until(() => page.evaluate(() => globalThis.copied), moves.join(' '));
  assert.deepEqual(page.faults, []);
});

await check('the picture is copied; where the browser copies only text, its address, and the button says so', async () => {
  const { page } = await opened(3, MOVES, { permissions: ['clipboard-read', 'clipboard-write'] });
  await solved(page);
  const button = page.locator('#way button', { hasText: /picture|copied/i });
  await button.click();
  await until(() => button.innerText(), 'Picture copied');
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const { width, height } = await createImageBitmap(await item.getType('image/png'));
    return { types: item.types, drawn: width > 50 && height > 50 };
  });
  assert.deepEqual(copied, { types: ['image/png'], drawn: true });
  await until(() => button.innerText(), 'Copy picture');
  await page.route('**/v1/image.png?*', (route) => route.fulfill({ status: 503 }));
  await button.click();
  await until(() => button.innerText(), 'Address copied');
  const facelets = await shown(page);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${server.url}/v1/image.svg?size=3&facelets=${facelets}`);
  await until(() => button.innerText(), 'Copy picture');
  await page.evaluate(() => delete globalThis.ClipboardItem);
  await button.click();
  await until(() => button.innerText(), 'Address copied');
  assert.deepEqual(page.faults, []);
});

await check('shortest, another goal, and a search that is stopped', async () => {
  const { page } = await opened(3, 'R U');
  await page.click('#shortest');
  await page.waitForSelector('#way .moves button');
  assert.match(await found(page), /^2 turns, a shortest solution/);
  await page.click('#panel-solver summary');
  await page.waitForSelector('#goal option[value=cross]', { state: 'attached' });
  await page.selectOption('#goal', 'superflip');
  await page.click('button >> text="Solve like this"');
  await page.waitForSelector('#stop:visible');
  await page.click('#stop');
  await page.waitForSelector('#stop', { state: 'hidden' });
  assert.deepEqual(page.faults, []);
});

await check('a search that waits for a turn to be sent can be stopped', async () => {
  const { page } = await opened(3, MOVES);
  await page.context().setOffline(true);
  await page.evaluate(() => void globalThis.cubed.app.turn('R'));
  await page.click('#solve');
  await page.click('#stop');
  await until(() => found(page), '');
  assert.deepEqual([await page.isDisabled('#solve'), await page.isVisible('#stop')], [false, false]);
  await page.context().setOffline(false);
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.waiting), 0);
  await solved(page);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

/** Answers of the solver wait until they are released. */
async function holdAnswers(page) {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route('**/v1/solve', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  return release;
}

await check('an answer changes the stage only in front, and while the cube is as it was', async () => {
  const { page, path } = await opened(3, 'R U F');
  const before = await shown(page);
  const release = await holdAnswers(page);
  await page.click('#shortest');
  await page.click('#tab-turn');
  release();
  await until(() => page.evaluate(() => document.getElementById('found').textContent), '3 turns, a shortest solution.');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.shown === globalThis.cubed.app.cube), true, 'another panel is in front');
  await page.click('#tab-solver');
  await until(() => movesOf(page), ["F'", "U'", "R'"], 'it is shown now');
  assert.equal(await shown(page), before);
  await page.unrouteAll();
  const again = await holdAnswers(page);
  await page.click('#solve');
  await until(() => found(page), 'Searching…');
  await page.evaluate(() => globalThis.cubed.app.turn('M'));
  await until(async () => (await ask(path)).revision, 2);
  again();
  await until(() => found(page), 'The cube was turned meanwhile. You can still look at this solution.');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.shown === globalThis.cubed.app.cube), true);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a solution of few moves shows its stages, with moves on the inverse', async () => {
  // Its tables are made for the first cube, which may take all of its time on a busy machine.
  await ask('/v1/solve', { cube: { size: 3, moves: 'R' }, method: 'fewest', timeout_ms: 60000, wait_ms: 60000 });
  const { page } = await opened(3, 'R U2 F L2');
  await page.click('#panel-solver summary');
  await page.waitForSelector('#method option[value=fewest]', { state: 'attached' });
  await page.selectOption('#method', 'fewest');
  await page.click('button >> text="Solve like this"');
  await page.waitForSelector('.fewest');
  const rows = await page.locator('.fewest tbody tr').evaluateAll((all) => all.map((row) => Array.from(row.cells, (cell) => cell.textContent)));
  assert.deepEqual(rows, [['Edges oriented F and B', 'L2 F′', '2', '2'], ['Domino reduction U and D', '(R)', '1', '3'], ['Finish', 'U2', '1', '4']]);
  assert.match(await page.innerText('.fewest caption'), /inverse/);
  assert.deepEqual(await movesOf(page), ['L2', "F'", 'U2', "R'"]);
  await solved(page);
  await page.waitForSelector('.fewest', { state: 'hidden' });
  assert.deepEqual(page.faults, []);
});

await check('a server that searches less than a minute solves for the page, too', async () => {
  const short = await Server.start(binaryArgument(), 'memory:', ['--max-solve-ms', '5000']);
  const page = await visitor(browser, `${short.url}/#alg=R&setup=F`);
  await page.click('#tab-solver');
  await page.waitForSelector('#solve:visible');
  await solved(page);
  await page.context().close();
  await short.stop();
});

await check('a solved cube has nothing to be done', async () => {
  const { page } = await opened(3, 'x');
  await page.click('#solve');
  await until(() => found(page), 'The cube is solved.');
  assert.equal(await page.isVisible('#way'), false);
  assert.deepEqual(page.faults, []);
});

await check('the cube of this page alone is solved too', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.waitForSelector('#timeline .bar:visible');
  await page.click('#tab-solver');
  await page.waitForSelector('#solve:visible');
  await solved(page);
  await page.click('#turn-one');
  await until(() => lit(page), '0');
  await page.evaluate(() => globalThis.cubed.app.turn('M'));
  await until(() => found(page), 'The cube was turned meanwhile. You can still look at this solution.');
  assert.deepEqual(page.faults, []);
});

await check('on a phone, with touch; axe finds nothing, light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page } = await opened(3, MOVES, { ...PHONE, colorScheme });
    await page.tap('#solve');
    await page.waitForSelector('#way .moves button');
    await page.tap('#way .moves button >> nth=2');
    await until(() => lit(page), '2');
    for (const target of await page.locator('#panel-solver :is(button, summary):visible').all()) {
      const { height, x, width } = await target.boundingBox();
      assert.ok(height >= 44 && x + width <= 390, await target.innerText());
    }
    assert.deepEqual(await violationsIn(page, '#timeline, #panel-solver'), []);
    assert.deepEqual(page.faults, []);
  }
});

await browser.close();
await server.stop();
finish();
