// A lesson for somebody who holds a cube in both hands: its moves play by themselves, what is known is shown as a whole, one
// tap, swipe or word is enough for what comes next, and it is still there after a reload.
// Usage: node hands_free.mjs [path of the binary]

import assert from 'node:assert/strict';
import { commandIn } from '../../web/page/solver/voice.js';
import { partsOf, stepsOf } from '../../web/page/solver/lesson.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { apiOf, launch, until, violationsIn, visitor } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const MOVING = { ...PHONE, reducedMotion: 'no-preference' };
const CUBES = 20;
const TAPS_MAX = 40;

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const api = apiOf(server);

const { scrambles } = await api(`/v1/scramble?size=3&count=${CUBES}&seed=hands`);
const cubes = scrambles.map(({ cube }) => cube.facelets);

const title = (page) => page.innerText('#lesson-step .title');
const main = (page) => page.innerText('#lesson-main');
const shown = (page) => page.evaluate(() => globalThis.cubed.app.shown.facelets);
const position = (page) => page.evaluate(() => globalThis.cubed.app.shown.position);

/** A page on which moves play without delay, so that a lesson takes no minutes. */
const hurry = (page) => page.evaluate(() => {
  const { app } = globalThis.cubed;
  const { prototype } = app.shown.constructor;
  prototype.play = function play({ movesPerSecond, until: end }) {
    (globalThis.paces ??= []).push(movesPerSecond);
    this.seek(end);
  };
});

/** Opens a cube as a painted one is, and its lesson. */
async function learn(page, facelets) {
  await page.evaluate((painted) => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 3, facelets: painted }));
    app.panel('turn');
  }, facelets);
  await page.tap('#tab-solver');
  await page.tap('#lesson');
  await page.waitForSelector('#lesson-step:visible');
}

async function open(options = MOVING, before = () => {}) {
  const page = await visitor(browser, 'about:blank', options);
  await before(page);
  await page.goto(server.url);
  await page.locator('#moment').waitFor();
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** Swipes over the card with a finger. */
async function swipe(page, by, down = 0) {
  await page.locator('#lesson-hold').scrollIntoViewIfNeeded();
  const { x, y, width } = await page.locator('#lesson-hold').boundingBox();
  const cdp = await page.context().newCDPSession(page);
  const from = { x: x + width / 2, y: y + 5 };
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (const share of [0.25, 0.5, 0.75, 1]) await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from.x + by * share, y: from.y + down * share }] });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await cdp.detach();
}

await check('the parts of a step: a turn of the top layer, and an algorithm of the stage', () => {
  const twist = [{ name: 'Twist', moves: "R' D' R D" }];
  const parts = (moves, algorithms = twist) => partsOf(moves.split(' '), algorithms);
  assert.deepEqual(parts("U2 R' D' R D R' D' R D"), { setup: ['U2'], algorithm: ["R'", "D'", 'R', 'D'], times: 2, name: 'Twist', kind: "R' D' R D" });
  assert.deepEqual(parts("U R U'", [{ name: 'Own', moves: "U R U'" }]).setup, [], 'the algorithm itself begins with such a turn');
  assert.deepEqual(parts('U F'), { setup: ['U'], algorithm: ['F'], times: 1, name: null, kind: 'F' });
  assert.equal(parts('U2').kind, null);
});

await check('steps that are known: made like an earlier one of the lesson', async () => {
  for (const facelets of cubes) {
    const seen = new Set();
    for (const { moves, parts, known } of stepsOf(await api('/v1/solve', { cube: { size: 3, facelets }, method: 'beginner' }))) {
      assert.deepEqual([...parts.setup, ...Array(parts.times).fill(parts.algorithm).flat()], moves);
      assert.equal(known, parts.kind === null || seen.has(parts.kind));
      seen.add(parts.kind);
    }
  }
});

await check(`lessons of ${CUBES} cubes take at most ${TAPS_MAX} taps each, from the tab to the end`, async () => {
  const page = await open();
  await learn(page, cubes.at(-1));
  await hurry(page);
  const counts = [];
  for (const facelets of cubes) {
    await learn(page, facelets); // two taps
    // Pressed by the page itself, which looks as a person does: at the name of the button.
    const taps = await page.evaluate(() => {
      const button = document.getElementById('lesson-main');
      let count = 0;
      for (let last = false; !last; count++) {
        last = button.textContent === 'End the lesson';
        if (!last) button.click();
      }
      return count;
    });
    counts.push(2 + taps);
    assert.match(await shown(page), /^(?:(.)\1{8}){6}$/, 'solved');
    assert.match(await page.innerText('#lesson-meaning'), /^Solved! The cube in your hand/);
  }
  console.log(`taps: ${counts.join(' ')}`);
  assert.ok(Math.max(...counts) <= TAPS_MAX, counts.join(' '));
  assert.deepEqual([...new Set(await page.evaluate(() => globalThis.paces))].sort(), [0.5, 1], 'what is known plays faster');
  await close(page);
});

await check('moves play by themselves until the step is done; a tap pauses them', async () => {
  const page = await open();
  await learn(page, cubes[0]);
  await page.selectOption('#lesson-pace', 'fast');
  const start = await position(page);
  assert.equal(await main(page), 'Show moves');
  await page.tap('#lesson-main');
  assert.equal(await main(page), 'Pause');
  const moves = await page.locator('#lesson-step .cards li').count();
  await until(() => page.innerText('#lesson-meaning'), 'This step is done.');
  assert.equal(await position(page), start + moves);
  assert.equal(await main(page), 'Next step');
  await page.tap('#lesson-back');
  assert.equal(await position(page), start, 'back to the beginning of the step');
  assert.equal(await main(page), 'Play moves');
  await page.selectOption('#lesson-pace', 'slow');
  await page.tap('#lesson-main');
  await page.tap('#lesson-main');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.shown.playing), false);
  await page.tap('#lesson-main');
  await page.tap('#tab-history');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.shown.playing), false, 'not behind another panel');
  await close(page);
});

await check('who prefers less motion is not moved unless they choose it, which is remembered', async () => {
  const page = await open(PHONE);
  await learn(page, cubes[0]);
  assert.equal(await page.inputValue('#lesson-pace'), 'hand');
  await page.tap('#lesson-main');
  assert.equal(await main(page), 'First move');
  await page.selectOption('#lesson-pace', 'fast');
  assert.equal(await main(page), 'Play moves');
  await page.reload();
  await page.waitForSelector('#lesson-step:visible');
  assert.equal(await page.inputValue('#lesson-pace'), 'fast');
  await close(page);
});

await check('a step that is known shows its algorithm as a whole, and plays at once', async () => {
  const page = await open();
  await learn(page, cubes[0]);
  await hurry(page);
  let whole = null;
  while (whole === null) {
    await page.tap('#lesson-main');
    const texts = await page.locator('#lesson-step .cards b').allInnerTexts();
    whole = texts.find((text) => text.includes(' ')) ?? null;
  }
  assert.match(whole, /^[URFDLB2′ ]+( × \d)?$/);
  assert.ok((await page.innerText('#lesson-step .cards span:not(.unseen)')).length > 10, 'with the name of the algorithm');
  assert.equal(await page.isVisible('#lesson-hint'), false);
  assert.equal(await page.isVisible('#lesson-text'), true);
  assert.equal(await main(page), 'Next step');
  await page.locator('#lesson-step .cards button').last().tap();
  assert.equal(await main(page), 'Next step');
  await close(page);
});

await check('swipes to the left and right go on and back, others do nothing; so do arrow keys', async () => {
  const page = await open();
  await learn(page, cubes[0]);
  await hurry(page);
  const start = await position(page);
  await swipe(page, 30);
  await swipe(page, -20, 60);
  assert.equal(await main(page), 'Show moves');
  await swipe(page, -120);
  await until(() => main(page), 'Next step');
  await swipe(page, 120);
  await until(() => position(page), start);
  await page.focus('#lesson-main');
  await page.keyboard.press('ArrowRight');
  assert.match(await title(page), /step 2 of/);
  await page.keyboard.press('ArrowLeft');
  await until(() => title(page).then((text) => /step 1 of/.test(text)), true);
  await close(page);
});

await check('a command is a word of its own, in any language', () => {
  const commands = { next: 'next, okay', back: 'zurück', pause: '停' };
  for (const [said, name] of [['Next', 'next'], ['and next please.', 'next'], ['context', null], ['ZURÜCK', 'back'], ['zurückgeben', null], ['停。', 'pause'], ['', null]]) assert.equal(commandIn(said, commands), name, said);
});

/** Puts a recogniser of speech into the page, which hears what the test says. */
const listening = (page) => page.addInitScript(() => {
  globalThis.recognisers = [];
  globalThis.SpeechRecognition = class {
    constructor() {
      globalThis.recognisers.push(this);
      this.starts = 0;
    }

    start() {
      this.starts++;
      this.active = true;
    }

    abort() {
      this.active = false;
      this.onend?.();
    }

    say(transcript) {
      this.onresult({ resultIndex: 0, results: [[{ transcript }]] });
    }
  };
});

await check('by voice, once it is switched on: next, back, stop, play', async () => {
  const page = await open(MOVING, listening);
  await learn(page, cubes[0]);
  const say = (words) => page.evaluate((text) => globalThis.recognisers.at(-1).say(text), words);
  assert.equal(await page.isChecked('#lesson-voice'), false);
  assert.equal(await page.evaluate(() => globalThis.recognisers.length), 0, 'nothing listens before');
  assert.match(await page.innerText('#lesson-voice-note'), /Your browser may send what it hears to its maker/);
  await page.locator('#lesson-voice').tap();
  assert.equal(await page.evaluate(() => globalThis.recognisers.at(-1).lang), 'en-US');
  const start = await position(page);
  await say('Next.');
  assert.equal(await main(page), 'Pause');
  await say('okay stop');
  await say('stop');
  await until(() => main(page).then((text) => text !== 'Pause'), true);
  await say('back');
  await say('play');
  assert.equal(await main(page), 'Pause');
  await say('next');
  assert.match(await title(page), /step [23] of/, 'also while moves play');
  await say('back');
  await say('back');
  await say('back');
  await until(() => position(page), start);
  await page.evaluate(() => globalThis.recognisers[0].onend());
  await until(() => page.evaluate(() => globalThis.recognisers[0].starts), 2, 'it goes on after a silence');
  await page.evaluate(() => globalThis.recognisers[0].onerror({ error: 'not-allowed' }));
  assert.equal(await page.isChecked('#lesson-voice'), false);
  assert.match(await page.innerText('#lesson-voice-note'), /does not listen/);
  await page.locator('#lesson-voice').tap();
  await page.tap('#lesson-close');
  assert.deepEqual(await page.evaluate(() => globalThis.recognisers.map(({ active }) => active)), [false, false], 'not after the lesson');
  await close(page);
});

await check('without a recogniser of speech there is no switch for it', async () => {
  const page = await open(MOVING, (one) => one.addInitScript(() => {
    delete globalThis.SpeechRecognition;
    delete globalThis.webkitSpeechRecognition;
  }));
  await learn(page, cubes[0]);
  assert.equal(await page.locator('#lesson-voice').count(), 0);
  await close(page);
});

await check('the lesson of a painted cube is there after a reload, and after leaving the page and coming back', async () => {
  const page = await open();
  await learn(page, cubes[1]);
  await hurry(page);
  for (let i = 0; i < 5; i++) await page.tap('#lesson-main');
  const seen = async () => [await title(page), await page.innerText('#lesson-hold'), await main(page), await shown(page)];
  const before = await seen();
  assert.doesNotMatch(before[0], /step 1 of/);
  await page.reload();
  await page.waitForSelector('#lesson-step:visible');
  await until(seen, before);
  await page.goto('about:blank');
  await page.goBack();
  await page.waitForSelector('#lesson-step:visible');
  await until(seen, before);
  // Another tab has scrambled the cube of this browser.
  await page.evaluate(() => localStorage.removeItem('cubed.local'));
  await page.reload();
  await page.waitForSelector('#lesson-step:visible');
  await until(seen, before);
  // One that was closed stays closed.
  await page.tap('#lesson-close');
  await page.reload();
  await page.locator('#moment').waitFor();
  await page.tap('#tab-solver');
  await page.waitForSelector('#lesson:visible');
  assert.equal(await page.isVisible('#lesson-step'), false);
  // Nor does one come back whose cube was replaced in this tab.
  await learn(page, cubes[2]);
  await page.evaluate((facelets) => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 3, facelets }));
  }, cubes[3]);
  await page.reload();
  await page.locator('#moment').waitFor();
  assert.deepEqual(await page.evaluate(() => [globalThis.cubed.app.front, globalThis.cubed.app.cube.facelets]), ['turn', cubes[3]]);
  await close(page);
});

await check('the lesson of a session is there again when its cube is opened again, unless that was turned meanwhile', async () => {
  const session = await api('/v1/sessions', { size: 3, access: 'view' });
  await api(`/v1/sessions/${session.id}/scramble`, { moves: "R U F' D2 L B2 U R2 F L' D B" }, session.token);
  const page = await visitor(browser, `${server.url}/c/${session.id}#${session.token}`, MOVING);
  await page.locator('#moment').waitFor();
  await page.tap('#tab-solver');
  await page.tap('#lesson');
  await page.waitForSelector('#lesson-step:visible');
  await hurry(page);
  await page.tap('#lesson-main');
  await page.tap('#lesson-turn');
  await until(() => page.isDisabled('#lesson-turn'), true);
  await until(() => page.evaluate(() => globalThis.cubed.app.unanswered), 0);
  await page.tap('#lesson-main');
  const seen = async () => [await title(page), await shown(page)];
  const before = await seen();
  await page.evaluate(() => globalThis.cubed.app.go('/'));
  await until(() => page.isVisible('#lesson-step'), false);
  await page.goBack();
  await page.waitForSelector('#lesson-step:visible');
  await until(seen, before);
  await page.reload();
  await page.waitForSelector('#lesson-step:visible');
  await until(seen, before);
  await page.tap('#tab-history');
  await page.evaluate(() => globalThis.cubed.app.go('/'));
  await until(() => page.evaluate(() => globalThis.cubed.app.session), null);
  await api(`/v1/sessions/${session.id}/moves`, { moves: 'R' }, session.token);
  await page.goBack();
  await until(() => page.evaluate(() => globalThis.cubed.app.session !== null), true);
  await page.tap('#tab-solver');
  await page.waitForSelector('#lesson:visible');
  assert.equal(await page.isVisible('#lesson-step'), false);
  await close(page);
});

await check('on a small phone the card of what is known and the controls are seen and named; axe finds nothing', async () => {
  const page = await open({ ...PHONE, viewport: { width: 320, height: 568 } }, listening);
  await learn(page, cubes[0]);
  for (let i = 0; i < 6; i++) await page.tap('#lesson-main');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  for (const name of ['#lesson-pace', '#lesson-step label:has(#lesson-voice)']) assert.ok((await page.locator(name).boundingBox()).height >= 24, name);
  assert.deepEqual(await violationsIn(page, '#panel-solver'), []);
  await close(page);
});

await browser.close();
await server.stop();
finish();
