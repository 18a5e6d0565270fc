// The timer as people use it: a cube in the hand by keys and by touch, the cube on the page, penalties, averages, lists,
// files, solves that were assisted. The time of the page stands still, and goes on when the test says so.
// Usage: node timer.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { Cubed } from '../../clients/js/src/index.js';
import { COLOURS, launch, LONG, until, violationsIn, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const browser = await launch();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1100, height: 700 } };

// ---- a person at the timer ----

/** A part of the panel, or of the timer on the stage, where a cube in the hand is timed. */
const panel = (page, selector) => page.locator(`${/^\.(pad|scrambled|give-up)\b/.test(selector) ? '#timing' : '#panel-timer'} ${selector}`);
const timeOf = (page, box = '.pad') => panel(page, `${box} .time`).textContent();
const stateOf = (page) => panel(page, '.pad').getAttribute('data-state');
const textsOf = (page, selector) => panel(page, selector).allTextContents();
/** Returns the times of solves that the server has. */
const timesOf = (page) => textsOf(page, '.solves summary b');
const averagesOf = async (page) => Object.fromEntries((await panel(page, '.averages tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))).map(([name, ...values]) => [name, values]));
const keyOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cubed.book')));

/** Opens the timer of a new browser; time stands still from then on. `kept`: what its storage has. */
async function sit(options, { path = '/', mode = null, kept = {} } = {}) {
  const page = await visitor(browser, 'about:blank', options);
  await page.clock.install({ time: new Date('2026-11-23T12:00:00Z') });
  await page.addInitScript((values) => {
    if (!sessionStorage.getItem('begun')) for (const [name, value] of Object.entries(values)) localStorage.setItem(name, JSON.stringify(value));
    sessionStorage.setItem('begun', '1');
  }, { ...kept, ...(mode ? { 'cubed.timer': { calls: 'none', mode, ...kept['cubed.timer'] } } : {}) });
  await page.goto(server.url + path);
  await openTimer(page);
  return page;
}

async function openTimer(page) {
  await until(() => page.evaluate(() => Boolean(globalThis.cubed?.app.room)), true, 'a cube is open');
  await page.click('#tab-timer');
  await panel(page, '.modes').waitFor();
}

/** The last milliseconds of a while that passes frame by frame, with whatever the frame before set off. */
const SEEN_MS = 100;
/** The clock of the page goes on by so many milliseconds. Of the frames that nobody looks at only one is drawn. */
async function pass(page, ms) {
  if (ms > SEEN_MS) await page.clock.fastForward(ms - SEEN_MS);
  await page.clock.runFor(Math.min(ms, SEEN_MS));
}
/** The clock stops a second ahead: a longer leap would fire the timeouts of requests under way. On a slow machine that moment may
 * have passed: then there is another one. */
async function still(page) {
  for (;;) {
    try {
      return await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 1000));
    } catch (error) {
      if (!/past/.test(error.message)) throw error;
    }
  }
}

async function hold(page, ms = 400) {
  await page.keyboard.down('Space');
  await pass(page, ms);
  await page.keyboard.up('Space');
}

/** A time as text, in the field that is opened before. */
async function enterTime(page, text) {
  await panel(page, '[name=time]').fill(text);
  await panel(page, '[name=time]').press('Enter');
}

/** Returns the label or text of the element with the focus. */
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
/** Returns the number of solves that the plot shows. */
const plotted = async (page) => Number(/(\d+) solve/.exec(await panel(page, '.plot svg').getAttribute('aria-label'))[1]);
const waitingOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cubed.book.waiting') ?? '[]').length);
/** Returns true if the browser would ask before the page is left. */
const asksBeforeLeaving = (page) => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

/** Holds requests back; returns a function that lets all of them go. */
async function holdBack(page, url, method = 'GET') {
  let letGo = null;
  const gone = new Promise((done) => (letGo = done));
  await page.route(url, async (route) => {
    if (route.request().method() === method) await gone;
    await route.continue();
  });
  return letGo;
}

/** A solve of so many milliseconds by the space bar. */
async function solve(page, ms) {
  await hold(page);
  assert.equal(await stateOf(page), 'running');
  await pass(page, ms);
  await page.keyboard.press('Space');
}

// ---- a cube in the hand ----

await check('space: held too short does nothing; long enough, the release starts; any key stops; nothing else is seen', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await still(page);
  await until(() => panel(page, '.scrambled .scramble').textContent().then((text) => /^[URFDLB2' ]{20,}$/.test(text)), true, 'a scramble');
  await page.keyboard.down('Space');
  await pass(page, 200);
  assert.equal(await stateOf(page), 'held');
  await page.keyboard.up('Space');
  assert.equal(await stateOf(page), 'rest');
  await page.keyboard.down('Space');
  await pass(page, 400);
  assert.equal(await stateOf(page), 'armed');
  const { width, height } = await panel(page, '.pad').boundingBox();
  assert.deepEqual([width, height], [1100, 700], 'it covers the window');
  await page.keyboard.up('Space');
  await pass(page, 12340);
  const before = await page.evaluate(() => globalThis.cubed.app.cube.revision);
  await page.keyboard.press('u'); // which else turns the cube
  assert.equal(await page.evaluate(() => globalThis.cubed.app.cube.revision), before);
  const shown = await timeOf(page);
  assert.match(shown, /^12\.3\d$/);
  await until(() => timesOf(page), [shown], 'it is recorded');
  const [solved] = (await cubed.solves.list({ token: (await keyOf(page)).token }).all());
  assert.deepEqual([solved.event, solved.inspection_ms, solved.penalty, solved.result], ['333', undefined, 'none', shown]);
  assert.ok(solved.scramble.length > 20, 'with its scramble');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('on every phone the clock and the tabs are in sight', async () => {
  const page = await sit(PHONE, { mode: 'hand' });
  await panel(page, '.pad').waitFor();
  for (const [width, height] of [[320, 568], [360, 640], [375, 553], [390, 664], [360, 740], [844, 390]]) {
    await page.setViewportSize({ width, height });
    const [top, bottom] = await page.evaluate(() => [document.querySelector('#tabs').getBoundingClientRect(), document.querySelector('#timing .pad .time').getBoundingClientRect()].map(({ bottom: low }) => low));
    assert.ok(top <= height + 0.5 && bottom < height, `${width}x${height}: tabs to ${top}, the time to ${bottom}`);
    assert.equal(await page.evaluate(() => document.scrollingElement.scrollHeight <= innerHeight), true, `${width}x${height}: nothing is below`);
    assert.ok(await panel(page, '.scrambled .scramble').evaluate((one) => parseFloat(getComputedStyle(one).fontSize) >= 20), `${width}x${height}: the scramble is large`);
  }
  await panel(page, '[aria-label="Event or training"]').selectOption('777');
  await until(() => panel(page, '.scrambled .scramble').textContent().then((text) => text.length > 250), true, 'a scramble of many lines');
  for (const [width, height] of [[320, 568], [390, 664], [844, 390]]) {
    await page.setViewportSize({ width, height });
    const [stage, time] = await page.evaluate(() => ['#stage', '#timing .pad .time'].map((one) => document.querySelector(one).getBoundingClientRect().bottom));
    assert.ok(time < stage, `${width}x${height}: the time to ${time} of ${stage}`);
  }
  await page.context().close();
});

await check('the clock has room for a time of an hour, for a penalty, and for a DNF', async () => {
  const page = await sit(PHONE, { mode: 'hand' });
  await panel(page, '.typing summary').click();
  for (const text of ['1:02.34', '1:02.34+', 'DNF (1:02.34)', '1000:00:00']) {
    await enterTime(page, text);
    await until(() => timeOf(page), text);
    for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1024, 700], [1440, 900]]) {
      await page.setViewportSize({ width, height });
      const [time, pad] = await page.evaluate(() => ['.pad .time', '.pad'].map((one) => document.querySelector(`#timing ${one}`).getBoundingClientRect()));
      assert.ok(time.left >= pad.left && time.right <= pad.right, `${width}x${height}, ${text}: from ${time.left} to ${time.right} in ${pad.left} to ${pad.right}`);
    }
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('the stage is the timer: a large scramble and clock in place of the cube, which goes on and is back in other tabs', async () => {
  const session = await cubed.createSession({ size: 4, access: 'edit' });
  const page = await sit({ viewport: { width: 1440, height: 900 } }, { path: `/c/${session.id}#${session.token}` });
  await until(() => page.evaluate(() => globalThis.cubed.app.session?.id), session.id);
  const seen = () => page.evaluate(() => ['view', 'sizes', 'timing'].map((id) => document.getElementById(id).checkVisibility({ visibilityProperty: true })));
  const state = () => page.evaluate(() => [globalThis.cubed.app.cube.revision, document.getElementById('stage').getAttribute('aria-label')]);
  await until(seen, [true, true, false], 'the cube of a session is timed itself');
  await panel(page, '[data-mode=hand]').click();
  await until(seen, [false, false, true]);
  await until(() => panel(page, '.scrambled .scramble').textContent().then((text) => /^[URFDLB2' ]{20,}$/.test(text)), true, 'a scramble of a 3x3x3');
  const sizes = await page.evaluate(() => ['.scramble', '.pad .time'].map((one) => parseFloat(getComputedStyle(document.querySelector(`#timing ${one}`)).fontSize)));
  assert.ok(sizes[0] >= 32 && sizes[1] >= 0.15 * 1440, sizes.join());
  const [picture, clock] = [await panel(page, '.scrambled .picture').boundingBox(), await panel(page, '.pad .time').boundingBox()];
  assert.ok(picture.width > 200 && clock.width > 0.15 * 1440, 'the picture and the clock are large');
  await page.locator('#timing').focus().catch(() => {});
  await page.keyboard.press('u');
  await page.keyboard.press('Control+z');
  assert.deepEqual(await state(), [0, 'The timer'], 'no key turns what is not seen');
  await session.turn('R U');
  await until(state, [1, 'The timer'], 'the session goes on');
  await page.click('#tab-turn');
  assert.deepEqual([await seen(), await state()], [[true, true, false], [1, 'The cube']]);
  await page.keyboard.press('u');
  await until(() => state().then(([revision]) => revision), 2);
  await page.click('#tab-timer');
  assert.deepEqual(await seen(), [false, false, true], 'as it was chosen');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('touch on a phone: hold the pad, release, touch anywhere to stop', async () => {
  const page = await sit(PHONE, { mode: 'hand' });
  await still(page);
  const touch = await page.context().newCDPSession(page);
  const at = async (type, x, y) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const box = await panel(page, '.pad').boundingBox();
  assert.ok(box.y + box.height < 844 && box.height > 100, 'the pad is in sight');
  await at('touchStart', box.x + 50, box.y + 50);
  await pass(page, 400);
  await until(() => stateOf(page), 'armed');
  await at('touchEnd');
  await until(() => stateOf(page), 'running');
  const { width, height } = await panel(page, '.pad').boundingBox();
  assert.deepEqual([width, height], [390, 844]);
  await pass(page, 9000);
  await at('touchStart', 20, 20);
  await at('touchEnd');
  await until(() => stateOf(page), 'rest');
  const shown = await timeOf(page);
  assert.match(shown, /^9\.\d\d$/);
  await until(() => timesOf(page), [shown]);
  // A finger that slips, or swipes to scroll, starts nothing, however long it is held.
  await until(() => panel(page, '.scrambled .scramble').textContent().then((text) => /^[URFDLB]/.test(text)), true, 'the next scramble, which may move the pad');
  const pad = await panel(page, '.pad').boundingBox();
  for (const [x, y] of [[90, 0], [0, -90]]) {
    await at('touchStart', pad.x + 150, pad.y + 80);
    await until(() => stateOf(page), 'held');
    for (let part = 1; part <= 3; part++) await at('touchMove', pad.x + 150 + (x * part) / 3, pad.y + 80 + (y * part) / 3);
    await until(() => stateOf(page), 'rest');
    await pass(page, 500);
    await at('touchEnd');
    assert.equal(await stateOf(page), 'rest');
  }
  // An inspection can be given up.
  await panel(page, '.options').evaluate((options) => {
    options.open = true; // a tap would miss while the swipe still scrolls
    options.querySelector('input').click();
  });
  await panel(page, '.pad').tap({ position: { x: 150, y: 40 } }); // once the swipe has come to rest
  await until(() => stateOf(page), 'inspecting');
  await panel(page, '.give-up').tap();
  await until(() => stateOf(page), 'rest');
  assert.deepEqual(await timesOf(page), [shown]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a mouse: after a brief press, the next one that is held starts the clock, and its own click does not stop it', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await still(page);
  const box = await panel(page, '.pad').boundingBox();
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.down();
  await page.mouse.up();
  assert.equal(await stateOf(page), 'rest');
  await pass(page, 200);
  await page.mouse.down();
  await pass(page, 400);
  await page.mouse.up();
  assert.equal(await stateOf(page), 'running');
  await pass(page, 5000);
  await page.mouse.down();
  await page.mouse.up();
  assert.equal(await stateOf(page), 'rest');
  await until(() => timesOf(page), [await timeOf(page)]);
  await page.context().close();
});

await check('while the clock runs, Escape stops it as every key does, and the page is not left without a question', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await still(page);
  assert.equal(await asksBeforeLeaving(page), false);
  await hold(page);
  await pass(page, 3000);
  assert.deepEqual([await stateOf(page), await asksBeforeLeaving(page)], ['running', true]);
  await page.keyboard.press('Escape');
  assert.deepEqual([await stateOf(page), await asksBeforeLeaving(page)], ['rest', false]);
  assert.match(await timeOf(page), /^3\.\d\d$/);
  await until(() => timesOf(page), [await timeOf(page)]);
  await page.context().close();
});

await check('inspection: called at 8 and 12 seconds, +2 after 15, DNF after 17; Escape gives up', async () => {
  const page = await sit(DESKTOP, { mode: 'hand', kept: { 'cubed.timer': { inspection: true } } });
  await still(page);
  const said = async () => (await page.locator('[aria-live=polite]').allTextContents()).join('');
  await page.keyboard.press('Space');
  assert.equal(await stateOf(page), 'inspecting');
  await pass(page, 7100);
  assert.equal(await timeOf(page), '8');
  await pass(page, 1000);
  await until(() => said().then((text) => text.includes('8 seconds')), true);
  await pass(page, 4000);
  await until(() => said().then((text) => text.includes('12 seconds')), true);
  await page.keyboard.press('Escape');
  assert.equal(await stateOf(page), 'rest');
  assert.deepEqual(await timesOf(page), []);
  for (const [ms, shown] of [[15500, '+2'], [17500, 'DNF']]) {
    await page.keyboard.press('Space');
    await pass(page, ms - 400);
    await page.keyboard.down('Space');
    await pass(page, 400);
    assert.equal(await timeOf(page), shown);
    await page.keyboard.up('Space');
    await pass(page, 5000);
    await page.keyboard.press('Space');
    await until(async () => (await timesOf(page)).length, shown === '+2' ? 1 : 2);
  }
  const [dnf, two] = await timesOf(page);
  assert.match(dnf, /^DNF \(5\.\d\d\)$/);
  assert.match(two, /^7\.\d\d\+$/);
  await page.context().close();
});

await check('times as text, penalties, a comment, deleting after a question, averages and bests', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await panel(page, '.typing summary').click();
  const enter = async (text) => {
    await panel(page, '[name=time]').fill(text);
    await panel(page, '[name=time]').press('Enter');
  };
  for (const text of ['twelve', '0', '0.00']) {
    await enter(text);
    assert.match(await panel(page, '#timer-fault').textContent(), /12\.34/);
    assert.equal(await panel(page, '[name=time]').inputValue(), text);
    await panel(page, '[name=time]').fill('');
    assert.equal(await panel(page, '#timer-fault').textContent(), '');
  }
  for (const [i, text] of ['12.00', '10.00', '13.00', '11.00', '14.00'].entries()) {
    await enter(text);
    await until(async () => (await timesOf(page)).length, i + 1);
  }
  await until(() => averagesOf(page), { single: ['14.00', '10.00'], mo3: ['12.67', '11.33'], ao5: ['12.00', '12.00'] });
  await panel(page, '.last button >> text="+2"').click();
  await until(() => averagesOf(page).then(({ single }) => single), ['16.00', '10.00']);
  await panel(page, '.last button >> text="DNF"').click();
  await until(() => averagesOf(page).then(({ single, mo3, ao5 }) => [single, mo3, ao5]), [['DNF', '10.00'], ['DNF', '11.33'], ['12.00', '12.00']]);
  await panel(page, '.last button >> text="OK"').click();
  await until(() => timesOf(page), ['14.00', '11.00', '13.00', '10.00', '12.00']);
  assert.deepEqual(await textsOf(page, '.solves li:nth-child(4) .chip'), ['best single']);
  const second = panel(page, '.solves li:nth-child(2)');
  await second.locator('summary').click();
  await second.locator('[aria-label=Comment]').fill('lucky');
  await second.locator('button >> text="Save"').click();
  await until(() => textsOf(page, '.solves .comment'), ['lucky']);
  assert.equal(await panel(page, '.solves li:nth-child(2) details').getAttribute('open') !== null, true, 'it stays open');
  await panel(page, '.solves li:nth-child(2) >> text="Delete"').click();
  await panel(page, '.solves li:nth-child(2) >> text="Keep"').click();
  await panel(page, '.solves li:nth-child(2) >> text="Delete"').click();
  await panel(page, '.solves li:nth-child(2) >> text="Delete 11.00"').click();
  await until(() => timesOf(page), ['14.00', '13.00', '10.00', '12.00']);
  await until(() => page.evaluate(() => document.activeElement.querySelector('b')?.textContent), '13.00', 'the next one has the focus');
  assert.match(await panel(page, '.plot svg').getAttribute('aria-label'), /4 solves, from 10\.00 to 14\.00/);
  await page.reload();
  await openTimer(page);
  await until(() => timesOf(page), ['14.00', '13.00', '10.00', '12.00'], 'after a reload');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('lists and events keep their solves apart', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  const enter = async (text, count) => {
    await panel(page, '[name=time]').fill(text);
    await panel(page, '[name=time]').press('Enter');
    await until(async () => (await timesOf(page)).length, count);
  };
  await panel(page, '.typing summary').click();
  await enter('20.00', 1);
  await panel(page, '[aria-label="Event or training"]').selectOption('333oh');
  await until(() => timesOf(page), []);
  await enter('30.00', 1);
  await panel(page, '[aria-label=List]').selectOption({ label: 'New list…' });
  await panel(page, '.choosers input').fill('at home');
  await panel(page, '.choosers input').press('Enter');
  await until(() => timesOf(page), []);
  await enter('25.00', 1);
  await panel(page, '[aria-label=List]').selectOption({ label: 'All lists' });
  await until(() => timesOf(page), ['25.00', '30.00']);
  await panel(page, '[aria-label="Event or training"]').selectOption('pyram');
  await until(() => panel(page, '.scrambled .scramble').textContent(), 'Only times are kept here: scrambles are made for cubes alone.');
  assert.equal(await panel(page, '.scrambled button').isVisible(), false);
  await panel(page, '[aria-label="Event or training"]').selectOption('333');
  await until(() => timesOf(page), ['20.00']);
  assert.ok(await panel(page, '.scrambled .scramble').evaluate((one) => parseFloat(getComputedStyle(one).fontSize) >= 24), 'to be read from a table');
  await until(() => panel(page, '[aria-label=List] option').allTextContents(), ['All lists', 'at home', 'New list…']);
  await page.context().close();
});

await check('while a solve waits, what is typed, asked, closed and focused in the list stays; a penalty keeps the focus', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await panel(page, '.typing summary').click();
  for (const [i, text] of ['12.00', '10.00', '13.00'].entries()) {
    await enterTime(page, text);
    await until(async () => (await timesOf(page)).length, i + 1);
  }
  const row = (time) => panel(page, '.solves li').filter({ has: page.locator(`summary b:text-is("${time}")`) });
  for (const time of ['13.00', '10.00', '12.00']) await row(time).locator('summary').click();
  await row('10.00').locator('button >> text="Delete"').click();
  await still(page);
  await page.context().setOffline(true);
  await enterTime(page, '9.00');
  await until(async () => (await textsOf(page, '.waiting')).length, 1);
  await row('13.00').locator('summary').click(); // which closes it
  await panel(page, '.waiting button >> text="Delete"').click();
  await row('12.00').locator('[aria-label=Comment]').fill('half a comm');
  await pass(page, 30000); // it is sent again, in vain
  await enterTime(page, '8.00');
  await until(async () => (await textsOf(page, '.waiting')).length, 2);
  assert.equal(await row('12.00').locator('[aria-label=Comment]').inputValue(), 'half a comm');
  assert.deepEqual(await textsOf(page, '.solves .bad'), ['Delete 9.00', 'Delete 10.00'], 'the questions are still open');
  assert.deepEqual(await panel(page, '.solves details').evaluateAll((all) => all.map(({ open }) => open)), [false, true, true]);
  await row('12.00').locator('[aria-label=Comment]').focus();
  await pass(page, 30000);
  assert.equal(await focused(page), 'Comment');
  await page.context().setOffline(false);
  await until(async () => {
    await pass(page, 1000);
    return (await timesOf(page)).length;
  }, 5, 'all are sent');
  assert.deepEqual([await focused(page), await row('12.00').locator('[aria-label=Comment]').inputValue()], ['Comment', 'half a comm']);
  await row('12.00').locator('.penalties button >> text="+2"').press('Enter');
  await until(() => timesOf(page).then((times) => times.at(-1)), '14.00+');
  assert.deepEqual([await focused(page), await row('14.00+').locator('[aria-label=Comment]').inputValue()], ['+2', 'half a comm']);
  await panel(page, '.last button >> text="DNF"').press('Enter');
  await until(() => timesOf(page).then((times) => times[0]), 'DNF (8.00)');
  assert.deepEqual([await focused(page), await panel(page, '.last [aria-pressed=true]').textContent()], ['DNF', 'DNF']);
  await page.context().close();
});

await check('solves that are sent together are all in the plot; one of another event that is answered late is not', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  const choose = (event) => panel(page, '[aria-label="Event or training"]').selectOption(event);
  await panel(page, '.typing summary').click();
  await enterTime(page, '10.00');
  await until(() => timesOf(page), ['10.00']);
  const read = await holdBack(page, /\/v1\/solves\/stats/);
  for (const text of ['11.00', '12.00', '13.00']) await enterTime(page, text);
  await until(() => waitingOf(page), 0);
  read();
  await until(() => timesOf(page), ['13.00', '12.00', '11.00', '10.00']);
  assert.equal(await plotted(page), 4);
  await choose('222');
  await until(() => timesOf(page), []);
  for (const [i, text] of ['5.00', '6.00'].entries()) {
    await enterTime(page, text);
    await until(async () => (await timesOf(page)).length, i + 1);
  }
  await choose('333');
  await until(async () => (await timesOf(page)).length, 4);
  const sent = await holdBack(page, /\/v1\/solves$/, 'POST');
  await enterTime(page, '14.00');
  await choose('222');
  await until(() => timesOf(page), ['6.00', '5.00']);
  sent();
  await until(() => waitingOf(page), 0);
  await enterTime(page, '7.00');
  await until(() => timesOf(page), ['7.00', '6.00', '5.00']);
  assert.equal(await plotted(page), 3);
  await page.context().close();
});

await check('what could not be read is read again, and the failure is said', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await panel(page, '.typing summary').click();
  await still(page);
  let failed = 0;
  const fail = (route) => (failed++, route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ type: 'urn:cubed:problem:overloaded', title: 'Too busy', status: 503, detail: 'Too busy.' }) }));
  await page.route(/\/v1\/solves\/stats/, fail);
  await enterTime(page, '12.00');
  await until(async () => {
    await pass(page, 1000);
    return page.locator('#notice-text').isVisible();
  }, true, 'all attempts failed');
  assert.ok(failed > 1, `${failed} attempts`);
  assert.deepEqual(await timesOf(page), []);
  await page.unroute(/\/v1\/solves\/stats/, fail);
  await until(async () => {
    await pass(page, 1000);
    return timesOf(page);
  }, ['12.00']);
  await page.context().close();
});

const CSTIMER = JSON.stringify({ session1: Array.from({ length: 60 }, (_, i) => [[i % 20 === 3 ? 2000 : 0, 12000 + 100 * i], "R U R'", '', 1700000000 + i]), properties: { sessionData: JSON.stringify({ 1: { name: 'training', opt: {} } }) } });

await check('the times are drawn as a trend, as a distribution and by day, as was chosen; with averages that were asked for', async () => {
  const { session, token } = await cubed.solves.import(CSTIMER);
  const page = await sit(DESKTOP, { mode: 'hand', kept: { 'cubed.book': { session, token } } });
  const picture = () => panel(page, '.plot svg').getAttribute('aria-label');
  await until(() => picture().then((label) => label.startsWith('All times. 60 solves, from')), true);
  await panel(page, '[data-plot=distribution]').click();
  assert.match(await picture(), /^Distribution of 60 times: half are \d+\.\d\d or faster; the most, \d+, are from \d/);
  const counts = async () => (await textsOf(page, '.plot .number')).reduce((sum, text) => sum + Number(text), 0);
  assert.equal(await counts(), 60);
  await panel(page, '[data-plot=days]').click();
  assert.equal(await picture(), 'Solves by day: 60 solves in 1 day; the most, 60, on Nov 14, 2023.');
  assert.equal(await counts(), 60);
  await panel(page, '.options summary').click();
  await panel(page, '.averages-asked').fill('ao4');
  await panel(page, '.averages-asked').press('Enter');
  assert.equal(await panel(page, '.averages-asked').evaluate((input) => input.validity.valid), false);
  await panel(page, '.averages-asked').fill('ao25, MO10');
  await panel(page, '.averages-asked').press('Enter');
  const { items: [{ averages }] } = await cubed.solves.stats({ token, averages: ['ao25', 'mo10'] });
  const wanted = Object.fromEntries(averages.map(({ name, current, best }) => [name, [current.result, best.result]]));
  await until(() => averagesOf(page).then(({ ao25, mo10 }) => ({ ao25, mo10 })), wanted);
  await page.reload();
  await openTimer(page);
  await until(() => averagesOf(page).then(({ ao25, mo10 }) => ({ ao25, mo10 })), wanted, 'after a reload');
  assert.equal(await picture().then((label) => label.startsWith('Solves by day')), true);
  await panel(page, '[aria-label="Event or training"]').selectOption('222');
  await until(() => panel(page, '.charts').isVisible(), false, 'nothing to draw');
  await panel(page, '.typing summary').click();
  for (const [i, text] of ['DNF', '5.00'].entries()) {
    await enterTime(page, text);
    await until(async () => (await timesOf(page)).length, i + 1);
    for (const kind of ['days', 'distribution', 'trend']) await panel(page, `[data-plot=${kind}]`).click();
    await until(() => panel(page, '.plot svg').count().then((drawn) => drawn > 0 || i === 0), true);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// ---- files ----

await check('files of other timers: chosen, dropped, refused in words, saved', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await panel(page, '.files summary').click();
  const status = () => panel(page, '.files [role=status]').textContent();
  await panel(page, 'input[type=file]').setInputFiles({ name: 'times.txt', mimeType: 'text/plain', buffer: Buffer.from('12.34\nfoo') });
  await until(() => status().then((text) => /^times\.txt: .*not a time.*\(line 2\)$/.test(text)), true, 'the fault, and where');
  await panel(page, 'input[type=file]').setInputFiles({ name: 'cstimer.txt', mimeType: 'text/plain', buffer: Buffer.from(CSTIMER) });
  await until(status, 'cstimer.txt: 60 solves imported.');
  await until(async () => (await timesOf(page)).length, 50);
  await panel(page, '.scores > button >> text="Show more"').click();
  await until(async () => (await timesOf(page)).length, 60, 'all of them can be seen');
  const early = panel(page, '[aria-label="Solves, newest first"] > li >> nth=55');
  await early.locator('summary').click();
  await early.locator('[data-penalty="+2"]').click();
  await until(async () => (await timesOf(page))[55], '14.40+');
  await early.locator('[data-penalty=none]').click();
  await until(async () => (await timesOf(page))[55], '12.40', 'what was shown stays in sight');
  assert.ok((await panel(page, '[aria-label=List] option').allTextContents()).includes('training'));
  // A list of times says no event: the chosen one counts. It is dropped.
  await panel(page, '[aria-label="Event or training"]').selectOption('222');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['3.21, 4.00+\n'], 'twos.txt', { type: 'text/plain' }));
    return transfer;
  });
  await page.dispatchEvent('#stage', 'drop', { dataTransfer: data });
  await until(() => timesOf(page), ['4.00+', '3.21']);
  const save = async (form) => {
    const [download] = await Promise.all([page.waitForEvent('download'), panel(page, `[data-form=${form}]`).click()]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
  };
  await panel(page, '[aria-label="Event or training"]').selectOption('333');
  await until(async () => (await timesOf(page)).length, 50);
  const [name, exported] = await save('cstimer');
  assert.match(name, /^cubed-3x3x3-\d{4}-\d\d-\d\d\.txt$/);
  assert.deepEqual(JSON.parse(exported).session1, JSON.parse(CSTIMER).session1);
  const take = (file) => panel(page, 'input[type=file]').setInputFiles({ name: 'again.txt', mimeType: 'text/plain', buffer: Buffer.from(JSON.stringify(file)) });
  const file = JSON.parse(exported);
  await take(file);
  await until(status, 'again.txt: 0 solves imported, 60 were there already.');
  const more = [[[0, 9000], "R U R'", '', 1700000000], [[0, 12000], "R U R'", '', 1700009999]];
  await take({ ...file, session1: [...file.session1, ...more] });
  await until(status, 'again.txt: 2 solves imported, 60 were there already.');
  for (const form of ['csv', 'text']) {
    await panel(page, '[aria-label="Event or training"]').selectOption('333');
    const [, saved] = await save(form);
    await panel(page, 'input[type=file]').setInputFiles({ name: form, mimeType: 'text/plain', buffer: Buffer.from(saved) });
    await until(status, `${form}: 0 solves imported, 62 were there already.`);
  }
  assert.equal((await cubed.solves.list({ token: (await keyOf(page)).token, event: '333' }).all()).length, 62);
  const [, table] = await save('csv');
  assert.equal(table.split('\n').filter(Boolean).length, 63);
  const [, text] = await save('text');
  assert.match(text, /^best ao5: /m);
  assert.match(text, /^60\. 17\.90 {3}R U R' {3}@2023-11-14/m);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('without a network a time is kept, said to wait, and sent later', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await still(page);
  await page.context().setOffline(true);
  await solve(page, 8000);
  await until(() => textsOf(page, '.waiting .faint'), ['waits for the server']);
  await page.context().setOffline(false);
  await pass(page, 60000);
  await until(async () => {
    await pass(page, 1000);
    return (await textsOf(page, '.solves summary b')).length;
  }, 1, 'it was sent');
  assert.deepEqual(await textsOf(page, '.waiting'), []);
  await page.context().close();
});

// ---- the cube on the page ----

/** The moves that undo plain moves. */
const inverse = (moves) => moves.split(' ').filter(Boolean).reverse().map((move) => (move.endsWith('2') ? move : move.endsWith("'") ? move.slice(0, -1) : `${move}'`));

/** Scrambles the cube of this page by the button of the timer; returns the scramble. */
async function scrambleHere(page) {
  const moves = () => page.evaluate(() => globalThis.cubed.app.cube.entries[0]?.moves ?? '');
  const before = await moves();
  await panel(page, '.face button').click();
  await until(async () => ![before, ''].includes(await moves()), true, 'another scramble');
  return moves();
}

await check('a cube of this page: scramble, rotations do not start, the last turn stops, the server judges', async () => {
  const page = await sit(DESKTOP, { mode: 'page' });
  await still(page);
  const scramble = await scrambleHere(page);
  const press = (move) => page.evaluate((text) => globalThis.cubed.app.press(text), move);
  await press('y');
  await press("y'");
  await pass(page, 3000);
  assert.equal(await timeOf(page, '.face'), '0.00');
  for (const move of inverse(scramble)) {
    await press(move);
    await pass(page, 500);
  }
  await until(async () => (await timesOf(page)).length, 1);
  const { token } = await keyOf(page);
  const [solved] = await cubed.solves.list({ token }).all();
  assert.deepEqual([solved.verified, solved.assisted, solved.scramble, solved.clock, solved.metrics.htm], [true, false, scramble, 'client', inverse(scramble).length]);
  assert.equal(await timeOf(page, '.face'), solved.result);
  assert.deepEqual(await timesOf(page), [solved.result]);
  assert.equal(Math.abs(solved.time_ms - 500 * (solved.metrics.htm - 1)) < 400, true, `${solved.time_ms}`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('while a scramble is awaited its button is disabled; another cube that is opened meanwhile is not replaced', async () => {
  const page = await sit(DESKTOP, { mode: 'page' });
  await scrambleHere(page);
  await still(page);
  assert.equal(await asksBeforeLeaving(page), false);
  await page.evaluate(() => globalThis.cubed.app.press('R'));
  assert.equal(await asksBeforeLeaving(page), true, 'the clock runs');
  const answer = await holdBack(page, /\/v1\/scramble/);
  const button = panel(page, '.face button');
  await button.click();
  await pass(page, 100);
  assert.equal(await button.isDisabled(), true);
  await page.evaluate(() => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 3 }));
    globalThis.opened = 0;
    app.on('room', () => globalThis.opened++);
  });
  assert.deepEqual([await button.isDisabled(), await asksBeforeLeaving(page)], [false, false]);
  await Promise.all([page.waitForResponse(/\/v1\/scramble/), answer()]);
  // Its body was read when that of a later answer was. (Response.finished() has been seen to wait for ever.)
  await page.evaluate(() => fetch('/v1/limits').then((later) => later.text()));
  await scrambleHere(page);
  assert.equal(await page.evaluate(() => globalThis.opened), 1, 'by the second scramble only');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a solution that was asked for, or pasted moves: assisted, or without a time, and never the best', async () => {
  const page = await sit(DESKTOP, { mode: 'page' });
  const moves = inverse(await scrambleHere(page));
  await page.evaluate(() => {
    const { app } = globalThis.cubed;
    app.report('assisted', { size: 3, facelets: app.cube.facelets });
  });
  assert.match(await panel(page, '.face .hint').textContent(), /assisted/);
  const turn = (text) => page.evaluate((one) => globalThis.cubed.app.press(one), text);
  for (const move of moves) await turn(move);
  await until(() => textsOf(page, '.solves .chip'), ['assisted']);
  assert.deepEqual((await averagesOf(page)).single, ['–', '–']);
  // Pasted: one turn, then all others as a text.
  const again = inverse(await scrambleHere(page));
  await turn(again[0]);
  await page.evaluate((text) => globalThis.cubed.app.turn(text), again.slice(1).join(' '));
  await until(() => timesOf(page).then((times) => times[0]), 'no time');
  assert.deepEqual((await averagesOf(page)).single, ['–', '–']);
  await until(() => textsOf(page, '.scores > p.faint').then((texts) => texts.join().includes('1 without a time · 1 assisted, not counted')), true);
  await page.context().close();
});

/** Asks the solver of the page, and has all moves made, at its pace; `hasten`: faster, where the moves make no requests. */
async function playSolution(page, { hasten = false } = {}) {
  const isSolved = () => page.evaluate(() => globalThis.cubed.app.cube.solved);
  await page.click('#tab-solver');
  await page.click('#solve');
  await page.click('#turn-all');
  if (hasten) for (let move = 0; move < 60 && !(await isSolved()); move++) await pass(page, 1000);
  await until(isSolved, true, 'it is solved');
  await page.click('#tab-timer');
}

for (const by of ['the page', 'its facelets, with the token']) {
  await check(`a new 2x2x2, scrambled, its solution asked by ${by}, all moves played: assisted, no best`, async () => {
    const session = await cubed.createSession({ size: 2 });
    const page = await sit(DESKTOP, { path: `/c/${session.id}#${session.token}`, mode: 'page' });
    await until(() => page.evaluate(() => globalThis.cubed.app.session?.id), session.id);
    await panel(page, '.face button').click();
    await until(() => page.evaluate(() => globalThis.cubed.app.cube.revision), 1);
    if (by === 'the page') {
      await playSolution(page);
    } else {
      const facelets = await page.evaluate(() => globalThis.cubed.app.cube.facelets);
      const { solution } = await cubed.solve({ cube: { facelets } }, { token: session.token });
      for (const move of solution.split(' ')) await page.evaluate((text) => globalThis.cubed.app.press(text), move);
    }
    await until(() => textsOf(page, '.solves .chip'), ['assisted']);
    assert.deepEqual((await averagesOf(page)).single, ['–', '–']);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

await check('the same on the first screen; a cube whose solution was shown before is not timed at all', async () => {
  const page = await sit(DESKTOP, { mode: 'page' });
  await page.click('#tab-solver');
  await page.click('#solve');
  await page.waitForSelector('#turn-all:not(:disabled)');
  await openTimer(page);
  await playSolution(page, { hasten: true });
  assert.deepEqual(await timesOf(page), []);
  await scrambleHere(page);
  await playSolution(page, { hasten: true });
  await until(() => textsOf(page, '.solves .chip'), ['assisted']);
  assert.deepEqual((await averagesOf(page)).single, ['–', '–']);
  await page.context().close();
});

await check('a session: the server records, the long inspection is added here, all who may see it see it', async () => {
  const session = await cubed.createSession({ size: 3, access: 'view' });
  const page = await sit(DESKTOP, { path: `/c/${session.id}#${session.token}`, mode: 'page', kept: { 'cubed.timer': { inspection: true } } });
  await until(() => page.evaluate(() => globalThis.cubed.app.session?.id), session.id);
  await still(page);
  await panel(page, '.face button').click();
  await until(() => panel(page, '.face').getAttribute('data-state'), 'inspecting');
  await pass(page, 15500);
  assert.equal(await timeOf(page, '.face'), '+2');
  const scramble = (await session.history().first()).items[0].moves;
  for (const move of inverse(scramble)) {
    await page.evaluate((text) => globalThis.cubed.app.press(text), move);
    await pass(page, 300);
  }
  await until(() => timesOf(page).then((times) => times.map((text) => text.endsWith('+'))), [true]);
  const [solved] = await cubed.solves.list({ session: session.id }).all();
  assert.deepEqual([solved.origin, solved.penalty, solved.clock], ['session', '+2', 'client']);
  assert.deepEqual(await keyOf(page), null, 'no book of its own is needed');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// ---- for everybody ----

await check('axe finds nothing: empty and full, light and dark, phone and desktop', async () => {
  const { session, token } = await cubed.solves.import(CSTIMER);
  for (const [onPhone, options] of [PHONE, DESKTOP].entries()) {
    for (const [full, kept] of [{}, { 'cubed.book': { session, token } }].entries()) {
      for (const [inHand, mode] of ['page', 'hand'].entries()) {
        if (!LONG && onPhone ^ full ^ inHand) continue; // each pair of values is there
        const page = await sit(options, { mode, kept });
        if (kept['cubed.book']) {
          await until(async () => (await timesOf(page)).length, 50);
          await panel(page, '.solves summary').first().click();
        }
        for (const name of ['.files', '.options']) await panel(page, `${name} summary`).click();
        for (const [colorScheme, rules] of [['light', {}], ['dark', COLOURS]]) {
          await page.emulateMedia({ colorScheme });
          for (const part of ['#panel-timer', '#stage']) assert.deepEqual(await violationsIn(page, part, rules), [], `${mode} ${colorScheme}`);
        }
        const small = await panel(page, ':is(button, select, summary, input:not([type=checkbox], .unseen))').evaluateAll((all) => all.filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80)));
        assert.deepEqual(small, [], 'targets of 44 pixels');
        const wide = await page.locator('#panel-timer').evaluate((root) => root.scrollWidth - root.clientWidth);
        assert.ok(wide <= 0, `${wide} pixels too wide`);
        await page.context().close();
      }
    }
  }
});

await check('the keyboard alone, and a screen reader that cannot hold: Enter starts and any key stops', async () => {
  const page = await sit(DESKTOP, { mode: 'hand' });
  await still(page);
  await panel(page, '.pad').focus();
  await page.keyboard.press('Enter');
  assert.equal(await stateOf(page), 'running');
  await pass(page, 5000);
  await page.keyboard.press('Enter');
  await until(async () => (await timesOf(page)).length, 1);
  // A button that was reached by keys is pressed by the space bar; the clock stays.
  await panel(page, '.last button').first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await until(() => timesOf(page).then(([text]) => text.startsWith('DNF') || text.endsWith('+')), true);
  assert.equal(await stateOf(page), 'rest');
  await page.context().close();
});

await browser.close();
await server.stop();
finish();
