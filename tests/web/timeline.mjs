// The time line and the history: all of it, move by move, by mouse, keys and touch, while others go on.
// Usage: node timeline.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

async function api(method, path, body, token) {
  const headers = { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`${server.url}/v1/sessions${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.json();
}

/** A session that everybody may turn, after these entries: moves, or [call, body]. */
async function session(size, entries) {
  const { id } = await api('POST', '', { size, access: 'edit' });
  for (const entry of entries) {
    const [call, body] = typeof entry === 'string' ? ['moves', { moves: entry }] : entry;
    await api('POST', `/${id}/${call}`, body);
  }
  return { id, post: (moves) => api('POST', `/${id}/moves`, { moves }), at: async (revision) => (await api('GET', `/${id}/cube?at=${revision}`)).cube.facelets };
}

const ENTRIES = [['scramble', { moves: "R U F' D2" }], "R U R' U'", ['undo', {}], 'F2', 'L'];

const shown = (page) => page.evaluate(() => {
  const { size, stickers } = globalThis.cubed.app.shown;
  return size && Array.from(stickers, (face) => 'URFDLB'[face]).join('');
});
const open = async ({ id }, options) => {
  const page = await visitor(browser, `${server.url}/c/${id}`, options);
  await page.waitForSelector('#timeline .bar:visible');
  await until(() => page.evaluate(() => globalThis.cubed.app.session !== null), true);
  return page;
};
const words = (page) => page.getAttribute('#moment', 'aria-valuetext');
const press = (page, name) => page.click(`#timeline .${name}`);

await check('back, forward, first, last: the cube of each moment', async () => {
  const cube = await session(3, ENTRIES);
  const page = await open(cube);
  assert.equal(await words(page), 'now, after 5 entries');
  assert.equal(await page.isDisabled('#timeline .forward'), true);
  await press(page, 'back');
  await until(() => shown(page), await cube.at(4));
  await press(page, 'back');
  await until(() => shown(page), await cube.at(3));
  await press(page, 'back');
  await until(() => shown(page), await cube.at(2), 'undo is one step');
  for (let i = 0; i < 3; i++) await press(page, 'back');
  await until(() => words(page), 'entry 2 of 5, move 1 of 4');
  await press(page, 'forward');
  await until(() => words(page), 'entry 2 of 5, move 2 of 4');
  await press(page, 'first');
  await until(() => shown(page), await cube.at(0));
  assert.equal(await page.isDisabled('#timeline .back'), true);
  await press(page, 'last');
  await until(() => shown(page), await cube.at(5));
  assert.equal(await page.isVisible('#timeline .now'), false);
  assert.deepEqual(page.faults, []);
});

await check('others go on while somebody looks at the past: the cube stays, and now says how many came', async () => {
  const cube = await session(3, ENTRIES);
  const page = await open(cube);
  await press(page, 'back');
  await until(() => shown(page), await cube.at(4));
  await cube.post('U');
  await cube.post('D2 B');
  await until(() => page.innerText('#timeline .now'), 'Now +2');
  assert.equal(await page.getAttribute('#timeline .now', 'aria-label'), 'Now, 2 new entries');
  assert.equal(await shown(page), await cube.at(4));
  await press(page, 'now');
  await until(() => shown(page), await cube.at(7));
  await until(() => words(page), 'now, after 7 entries');
  await press(page, 'back');
  await until(() => words(page), 'entry 7 of 7, move 1 of 2');
  await page.evaluate(() => globalThis.cubed.app.turn('R'));
  await until(() => words(page), 'now, after 8 entries', 'a turn is made on the cube as it is now');
  assert.deepEqual(page.faults, []);
});

await check('keys: arrows, Home, End and the space bar', async () => {
  const cube = await session(3, ENTRIES);
  const page = await open(cube);
  await page.focus('#moment');
  await page.keyboard.press('ArrowLeft');
  await until(() => words(page), 'entry 4 of 5');
  await page.keyboard.press('Home');
  await until(() => words(page), 'the beginning');
  await page.keyboard.press('ArrowRight');
  await until(() => words(page), 'entry 1 of 5');
  await page.keyboard.press('PageDown');
  await until(() => words(page), 'now, after 5 entries', 'the newest moment is now');
  await page.keyboard.press('PageUp');
  await until(() => words(page), 'the beginning');
  await page.selectOption('#timeline select', '8');
  await page.focus('#moment');
  await page.keyboard.press(' ');
  await until(() => page.getAttribute('#timeline .play', 'aria-label'), 'Pause');
  await until(() => words(page), 'now, after 5 entries', 'played to the end, the cube can be turned again');
  await until(() => page.getAttribute('#timeline .play', 'aria-label'), 'Play');
  assert.equal(await page.isVisible('#timeline .now'), false);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await until(() => words(page), 'now, after 5 entries');
  assert.deepEqual(page.faults, []);
});

await check('a history of thousands: all of it is there, and only what is looked at is read', async () => {
  const cube = await session(2, []);
  for (let i = 0; i < 2000; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => cube.post('RUFDLB'[(i + k) % 6])));
  const page = await open(cube);
  const pages = [];
  page.on('request', (request) => /\/(history|cube)\?/.test(request.url()) && pages.push(request.url()));
  const move = (to) => page.$eval('#moment', (slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, to);
  for (const revision of [7, 1500, 1501, 800]) {
    await move(revision);
    await until(() => shown(page), await cube.at(revision), String(revision));
  }
  assert.ok(pages.length <= 12, pages.join('\n'));
  await page.click('#tab-history');
  await page.waitForSelector('.entry[data-entry="2000"]');
  assert.equal(await page.locator('.entry').count(), 100);
  await page.click('#earlier');
  await until(() => page.locator('.entry').count(), 200);
  await page.click('.entry[data-entry="1805"] button');
  await until(() => shown(page), await cube.at(1805));
  assert.deepEqual(page.faults, []);
});

const BROKEN = { status: 500, contentType: 'application/problem+json', body: '{"type":"urn:cubed:problem:internal","title":"No","status":500,"detail":"It broke."}' };

await check('earlier entries come once, however often they are asked for; a failure is said', async () => {
  const cube = await session(2, []);
  for (let i = 0; i < 300; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => cube.post('RUFDLB'[(i + k) % 6])));
  const page = await open(cube);
  await page.click('#tab-history');
  await page.waitForSelector('.entry[data-entry="300"]');
  const numbers = () => page.locator('.entry').evaluateAll((rows) => rows.map((row) => Number(row.dataset.entry)));
  const last = (count) => Array.from({ length: count }, (_, i) => 300 - count + 1 + i);
  assert.deepEqual(await numbers(), last(100));
  await page.route(/\/history\?/, (route) => route.fulfill(BROKEN));
  await page.click('#earlier');
  await until(() => page.innerText('#notice-text'), 'It broke.');
  await page.unrouteAll();
  let release;
  const held = new Promise((done) => (release = done));
  await page.route(/\/history\?/, async (route) => (await held, route.continue()));
  await page.evaluate(() => {
    const button = document.getElementById('earlier');
    button.focus();
    button.click();
    button.click();
  });
  assert.equal(await page.isDisabled('#earlier'), true);
  release();
  await until(() => page.isEnabled('#earlier'), true);
  assert.deepEqual(await numbers(), last(200));
  await until(() => page.evaluate(() => document.activeElement.id), 'earlier', 'the keyboard stays there');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('entries before a new one that cannot be read are no fault of the page', async () => {
  const cube = await session(2, ['R', 'U']);
  const page = await open(cube);
  await page.click('#tab-history');
  await page.waitForSelector('.entry[data-entry="2"]');
  await page.route(/\/history\?/, (route) => route.fulfill(BROKEN));
  await page.evaluate(() => {
    for (const revision of [5, 6]) globalThis.cubed.app.report('entry', { entry: { revision, kind: 'moves', moves: 'F', time: new Date().toISOString(), actor: null } });
  });
  await until(() => page.innerText('#notice-text'), 'It broke.');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('the history is a list of moves; a click shows the moment, which is lit', async () => {
  const cube = await session(3, ENTRIES);
  const page = await open(cube);
  await page.click('#tab-history');
  await page.waitForSelector('.entry[data-entry="5"]');
  const entries = await page.locator('.entry').allInnerTexts();
  assert.deepEqual(entries.map((text) => text.replaceAll(/\s+/g, ' ').trim()), ['Scramble R U F′ D2', 'R U R′ U′', 'Undo', 'F2', 'L']);
  assert.equal(await page.locator('#panel-history .group').count(), 1, 'one heading for one person');
  assert.equal(await page.innerText('#panel-history [aria-current]'), 'L');
  await page.click('.entry[data-entry="2"] button >> nth=1');
  await until(() => page.innerText('#panel-history [aria-current]'), 'U');
  await until(() => words(page), 'entry 2 of 5, move 2 of 4');
  assert.equal(await page.innerText('#timeline .now'), 'Now', 'nothing came meanwhile');
  assert.equal(await page.$eval('#moment', (slider) => slider.value > 1.2 && slider.value < 1.8), true, 'in the middle of an entry');
  await press(page, 'forward');
  await until(() => page.innerText('#panel-history [aria-current]'), 'R′');
  await page.click('.entry[data-entry="1"] button');
  await until(() => shown(page), await cube.at(1));
  await cube.post('B');
  await page.waitForSelector('.entry[data-entry="6"]');
  assert.equal(await page.innerText('#panel-history [aria-current] .kind'), 'Scramble', 'the moment stays lit');
  assert.deepEqual(page.faults, []);
});

await check('own moves are told from those of others; moves are copied over plain http', async () => {
  const cube = await session(3, ['R']);
  const { token: ann } = await api('POST', `/${cube.id}/tokens`, { role: 'owner', label: 'Ann' }).catch(() => ({}));
  const page = await open(cube);
  assert.equal(ann, undefined, 'only the owner makes tokens');
  await page.click('#tab-history');
  await page.evaluate(() => globalThis.cubed.app.turn("U'"));
  await page.waitForSelector('.entry[data-entry="2"]');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.evaluate(() => document.addEventListener('copy', () => (globalThis.copied = getSelection().toString() || document.activeElement.value)));
  await page.click('#panel-history .head button');
  await until(() => page.innerText('#panel-history .head button'), 'Copied');
  assert.equal(await page.evaluate(() => globalThis.copied), "R\nU'");
  assert.deepEqual(page.faults, []);
});

await check('when a pattern came to hold', async () => {
  const cube = await session(3, ["R R'", 'F', "F'"]);
  const page = await open(cube);
  await page.click('#tab-history');
  await page.click('#panel-history summary');
  await page.waitForSelector('#find-pattern option[value="solved"]', { state: 'attached' });
  await page.selectOption('#find-pattern', 'solved');
  await page.click('#panel-history form button');
  assert.ok(await page.$eval('#panels', (panels) => panels.scrollWidth <= panels.clientWidth), 'nothing is wider than the panel');
  await until(() => page.locator('#panel-history .found button').allInnerTexts(), ['at the beginning', 'entry 1, move 2', 'entry 3, move 1']);
  await page.click('#panel-history .found button >> nth=2');
  await until(() => words(page), 'entry 3 of 3, move 1 of 1');
  assert.deepEqual(page.faults, []);
});

await check('the cube of this page alone has a history too', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await until(() => page.getAttribute('#moment', 'aria-valuetext').catch(() => null), 'now, after 1 entry');
  const scrambled = await shown(page);
  await page.evaluate(() => globalThis.cubed.app.turn("R U R' U'"));
  await press(page, 'back');
  await until(() => words(page), 'entry 2 of 2, move 3 of 4');
  await page.focus('#moment');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  await until(() => shown(page), scrambled);
  await press(page, 'first');
  await until(() => words(page), 'the beginning');
  assert.equal(new Set((await shown(page)).slice(0, 9)).size, 1);
  assert.deepEqual(page.faults, []);
});

await check('on a phone it is one line of 44 pixels, and every target is large enough', async () => {
  const cube = await session(3, ENTRIES);
  const page = await open(cube, PHONE);
  await page.tap('#timeline .back');
  await cube.post('U');
  await until(() => page.innerText('#timeline .now'), 'Now +1');
  const bar = await page.locator('#timeline').boundingBox();
  assert.ok(bar.height <= 46 && bar.x >= 0 && bar.x + bar.width <= 390, JSON.stringify(bar));
  for (const target of await page.locator('#timeline :is(button, input, select):visible').all()) {
    const { x, width, height } = await target.boundingBox();
    assert.ok(height >= 44 && width >= 44 && x >= 0 && x + width <= 390.5, `${await target.getAttribute('class')} ${x} ${width} ${height}`);
  }
  await page.tap('#tab-history');
  await page.waitForSelector('.entry[data-entry="6"]');
  await page.tap('.entry[data-entry="2"] button >> nth=0');
  await until(() => words(page), 'entry 2 of 6, move 1 of 4');
  for (const target of await page.locator('#panel-history :is(button, summary):visible').all()) assert.ok((await target.boundingBox()).height >= 44, await target.innerText());
  const slider = await page.locator('#moment').boundingBox();
  await page.touchscreen.tap(slider.x + slider.width / 2, slider.y + slider.height / 2);
  await until(async () => /^entry [34] of 6/.test(await words(page)), true);
  assert.deepEqual(page.faults, []);
});

await check('axe finds nothing, light and dark', async () => {
  const cube = await session(3, ENTRIES);
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(cube, { colorScheme });
    await page.click('#tab-history');
    await page.waitForSelector('.entry[data-entry="5"]');
    await press(page, 'back');
    assert.deepEqual(await violationsIn(page, '#timeline, #panel-history'), []);
  }
});

await browser.close();
await server.stop();
finish();
