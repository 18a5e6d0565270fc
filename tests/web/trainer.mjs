// Training in the timer: cases of sets and goals at a distance, on the page and in the hand; what is shown only afterwards.
// Usage: node trainer.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, parseMoves } from '../../clients/js/src/index.js';
import { toFacelets, turnedAll } from '../../clients/js/src/cube.js';
import { fitted } from '../../web/page/trainer/angle.js';
import { endOf, lastLayerUp } from '../../web/page/trainer/ends.js';
import { caseWords, slowCases, timesByCase } from '../../web/page/trainer/times.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const SOLVED = fromFacelets(Array.from('URFDLB', (face) => face.repeat(9)).join(''));
const after = (moves, stickers = SOLVED) => turnedAll(stickers, 3, parseMoves(moves, 3));
const wordsOf = (moves) => moves.split(' ').filter(Boolean);

// ---- without a page ----

await check('a step is done after each algorithm of its set, however the cube is held, and not in the scrambled case', async () => {
  for (const name of ['oll', 'coll', 'cmll', 'ollcp', 'f2l', 'zbls', 'wv']) {
    const isDone = endOf({ set: name });
    const { cases } = await cubed.caseSet(name);
    for (const one of cases.filter((_, i) => i % 9 === 1)) {
      const stickers = fromFacelets(one.cube.facelets);
      assert.equal(isDone(after("x y' U", stickers)), false, one.name);
      for (const { before, moves, after: last } of one.algorithms) assert.ok(isDone(after(`${before} ${moves} ${last} z x`, stickers)), `${one.name}: ${moves}`);
    }
  }
  assert.equal(endOf({ set: 'pll' }), null, 'the solved cube');
});

await check('a goal is reached by its solution, at its place and at no other', async () => {
  for (const [goal, place, other] of [['cross', 'U', 'D'], ['cross', 'L', 'R'], ['2x2x2', 'UFR', 'DBL'], ['eo', 'fb', 'ud'], ['eo', 'rl', 'fb']]) {
    const { moves } = (await cubed.scramble({ goal, place, distance: 4, seed: 'trainer' })).scrambles[0];
    const { solution } = await cubed.solve({ cube: { size: 3, moves }, goal, place });
    const isDone = endOf({ goal, place });
    assert.deepEqual([isDone(after(moves)), isDone(after(`${moves} ${solution} y x2`)), endOf({ goal, place: other })(after(`${moves} ${solution}`))], [false, true, false], `${goal} ${place}`);
  }
});

await check('cases of PLL and OLL, which the server gives on any face, are turned with the last layer up', async () => {
  for (const name of ['pll-t', 'pll-ua', 'oll-27', 'oll-1', 'coll-pi-4']) {
    for (let seed = 0; seed < 6; seed++) {
      const up = lastLayerUp((await cubed.scramble({ until: name, seed: String(seed) })).scrambles[0].moves);
      assert.deepEqual([...after(up).slice(27, 36)], Array(9).fill(3), `${name}: ${up}`);
    }
  }
});

await check('an algorithm is given with the turns that it needs on the scrambled cube, and then leads to the end', async () => {
  for (const name of ['pll', 'oll', 'coll', 'cmll', 'cll', 'eg1', 'pbl', 'f2l', 'wv']) {
    const { cases, size } = await cubed.caseSet(name);
    const solved = fromFacelets(Array.from('URFDLB', (face) => face.repeat(size * size)).join(''));
    const end = endOf({ set: name });
    const isDone = end ?? ((stickers) => stickers.every((colour, i) => colour === stickers[i - (i % (size * size))]));
    const turns = new Set();
    for (const one of cases.filter((_, i) => i % 8 === 1)) {
      for (let seed = 0; seed < 6; seed++) {
        const { moves: scrambled } = (await cubed.scramble({ until: one.name, seed: String(seed), as: 'none' })).scrambles[0];
        const stickers = turnedAll(solved, size, parseMoves(size === 3 ? lastLayerUp(scrambled) : scrambled, size));
        for (const algorithm of one.algorithms) {
          const { before, moves, after: last } = fitted(algorithm, { size, stickers }, end);
          assert.equal(moves, algorithm.moves);
          assert.match(`${before}|${last}`, size === 3 ? /^(U[2']?)?\|(U[2']?)?$/ : /^(x2)? ?(y[2']?)? ?(U[2']?)?\|(U[2']?)?$/);
          assert.ok(isDone(turnedAll(stickers, size, parseMoves(`${before} ${moves} ${last}`, size))), `${one.name}: (${before}) ${moves} (${last})`);
          turns.add(before);
        }
      }
    }
    assert.ok(turns.size > 3, `${name}: ${[...turns]}`);
  }
  const end = after("R U R' U R U2 R'");
  assert.equal(fitted({ moves: 'R' }, { size: 3, stickers: end }, null), null, 'one that fits in no way');
});

await check('times by case: the first word of a comment; DNF counts as a solve without a time', () => {
  const results = [{ ms: 2000, comment: 'pll-t' }, { ms: 3000, comment: 'pll-t lucky' }, { ms: Infinity, comment: 'pll-y' }, { ms: 9000, comment: 'pll-v' }, { ms: 1, comment: '' }];
  const times = timesByCase(results);
  assert.deepEqual([...times], [['pll-t', { count: 2, mean: 2500 }], ['pll-y', { count: 1, mean: null }], ['pll-v', { count: 1, mean: 9000 }]]);
  assert.deepEqual(slowCases(times), ['pll-v']);
  assert.deepEqual(['coll-pi-4', 'pll-ub', 'oll-27', 'zbls-up-3-2'].map(caseWords), ['Pi 4', 'Ub', '27', 'Up 3 2']);
});

// ---- a person who trains ----

const browser = await launch();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SIDE = { viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 900, height: 560 } };

const panel = (page, selector, options) => page.locator(`${/^\.(pad|scrambled)\b/.test(selector) ? '#timing' : '#panel-timer'} ${selector}`, options);
const choice = (page) => panel(page, '[aria-label="Event or training"]');
const textOf = (page, selector) => panel(page, selector).first().textContent();
const stickersOf = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets).then(fromFacelets);
const keyOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cubed.book')));
const solvesOf = async (page) => cubed.solves.list({ token: (await keyOf(page)).token }).all();
const rows = (page) => panel(page, '.solves summary').count();

async function openTimer(page) {
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.click('#tab-timer');
  await panel(page, '.modes').waitFor();
}

async function sit(options, kept = {}) {
  const page = await visitor(browser, 'about:blank', options);
  await page.addInitScript((values) => {
    if (!sessionStorage.getItem('begun')) localStorage.setItem('cubed.timer', JSON.stringify({ calls: 'none', mode: 'page', ...values }));
    sessionStorage.setItem('begun', '1');
  }, kept);
  await page.goto(server.url);
  await openTimer(page);
  return page;
}

async function leave(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** All cases of a set but these are left out. */
const only = async (set, ...names) => ({ training: `set:${set}`, out: { [set]: (await cubed.caseSet(set)).cases.map(({ name }) => name).filter((name) => !names.includes(name)) } });

/** Scrambles the cube of the page; returns its stickers. */
async function scramble(page) {
  const before = (await stickersOf(page)).join();
  await panel(page, '.face button').click();
  await until(async () => (await stickersOf(page)).join() !== before, true, 'another cube');
  return stickersOf(page);
}

/** Turns the cube of the page as a hand does: not all at once. */
async function turnAll(page, moves) {
  for (const move of wordsOf(moves)) {
    await page.evaluate((text) => globalThis.cubed.app.press(text), move);
    await page.waitForTimeout(60);
  }
}

/** Returns the turns of U and the algorithm of the case that lead to its end. */
async function wayOf(set, name, stickers) {
  const { cases } = await cubed.caseSet(set);
  const isDone = endOf({ set }) ?? ((end) => end.every((colour, i) => colour === end[9 * Math.floor(i / 9)]));
  const [{ before, moves, after: last }] = cases.find((one) => one.name === name).algorithms;
  for (const first of ['', 'U', 'U2', "U'"]) for (const end of ['', 'U', 'U2', "U'"]) if (isDone(after(`${first} ${before} ${moves} ${last} ${end}`, stickers))) return `${first} ${before} ${moves} ${last} ${end}`;
  throw new Error(`${name} is not there`);
}

/** A solve in the hand by the space bar. */
async function solveByHand(page) {
  const before = await rows(page);
  await page.keyboard.down('Space');
  await until(() => panel(page, '.pad').getAttribute('data-state'), 'armed');
  await page.keyboard.up('Space');
  await page.waitForTimeout(60);
  await page.keyboard.press('Space');
  await until(() => rows(page), before + 1);
}

await check('a case of PLL on the page: hidden until it is solved, then shown with its algorithms, which play on the cube; its time counts for the case', async () => {
  const page = await sit(DESKTOP);
  await choice(page).selectOption({ label: 'PLL: permutation of the last layer' });
  await panel(page, '.cases > summary').click();
  assert.equal(await textOf(page, '.cases > summary'), 'All 21 cases');
  await until(() => panel(page, '.grid img').evaluateAll((images) => images.length === 21 && images.slice(0, 6).every((one) => one.complete && one.naturalWidth > 0)), true, 'pictures');
  await panel(page, '.cases button >> text="None"').click();
  await panel(page, '.face button').click();
  await until(() => page.locator('#notice-text').textContent(), 'No case is chosen. Choose at least one from the pictures.');
  await panel(page, '.grid label', { hasText: /^T$/ }).click();
  assert.equal(await textOf(page, '.cases > summary'), '1 of 21 cases');
  const scrambled = await scramble(page);
  const way = await wayOf('pll', 'pll-t', scrambled);
  assert.equal(await panel(page, '> .case').isVisible(), false);
  await turnAll(page, way);
  await until(() => textOf(page, '> .case h2'), 'PLL T');
  await until(() => panel(page, '.grid label:has(:checked) > span').textContent().then((text) => /^\d\.\d\d · 1$/.test(text)), true, 'the mean, and of how many');
  const [solved] = await solvesOf(page);
  assert.deepEqual([solved.event, solved.list, solved.comment, solved.assisted, solved.verified, solved.result_ms > 0], ['other', 'Training: PLL', 'pll-t', false, true, true]);
  assert.ok((await panel(page, '> .case img').getAttribute('src')).includes(`facelets=${toFacelets(scrambled)}&`), 'as it stood on the cube');
  for (const button of await panel(page, '> .case ol button').all()) {
    await button.click();
    const { title, moves, start, end } = await page.evaluate(() => {
      const { shown } = globalThis.cubed.app;
      return { title: shown.title, moves: shown.moves, start: [...shown.stickersAt(0)], end: [...shown.stickersAt(shown.length)] };
    });
    assert.deepEqual([title, moves.join(' '), start], ['Algorithm', (await button.textContent()).replaceAll('′', "'").replace(/[()]/g, ''), [...scrambled]], 'what is shown, from the scrambled cube');
    assert.match(end.join(''), /^(.)\1{8}(.)\2{8}(.)\3{8}/, 'which solves it');
  }
  await page.reload();
  await openTimer(page);
  await until(() => textOf(page, '.cases > summary'), '1 of 21 cases', 'it is remembered');
  await until(() => rows(page), 1);
  // Whole solves have their own times and lists.
  await choice(page).selectOption('');
  await until(() => rows(page), 0);
  assert.deepEqual(await panel(page, '[aria-label=List] option').allTextContents(), ['All lists', 'New list…']);
  await leave(page);
});

await check('OLL on the page ends when the last layer is oriented; shown before, it is assisted', async () => {
  const page = await sit(PHONE, await only('oll', 'oll-27', 'oll-26'));
  let way = null;
  for (const shown of [false, true]) {
    const stickers = await scramble(page);
    way = await wayOf('oll', 'oll-27', stickers).catch(() => wayOf('oll', 'oll-26', stickers));
    if (shown) {
      await panel(page, '> button', { hasText: 'Show the case' }).click();
      await until(() => textOf(page, '> .case h2').then((text) => /^OLL 2[67]$/.test(text)), true);
      assert.match(await textOf(page, '.face .hint'), /assisted/);
    }
    await turnAll(page, way);
    await until(() => rows(page), shown ? 2 : 1);
    await until(() => textOf(page, '> .case h2').then((text) => /^OLL 2[67]$/.test(text)), true);
  }
  const solves = await solvesOf(page);
  assert.deepEqual(solves.map(({ assisted, penalty, list }) => [assisted, penalty, list]), [[true, 'none', 'Training: OLL'], [false, 'none', 'Training: OLL']]);
  // A scramble of the panel of turns begins a whole solve again.
  await page.click('#tab-turn');
  await page.click('#scramble');
  await page.click('#tab-timer');
  assert.equal(await panel(page, '> button', { hasText: 'Show the case' }).isVisible(), false);
  await leave(page);
});

await check('a set of the 2x2x2 opens a 2x2x2; a cross ends when it is done, and shortest ways are shown', async () => {
  const page = await sit(SIDE, { training: 'set:pbl' });
  await scramble(page);
  assert.equal(await page.evaluate(() => globalThis.cubed.app.cube.size), 2);
  await choice(page).selectOption('goal:cross');
  await panel(page, '[aria-label=Where]').selectOption('F');
  await panel(page, '[aria-label="How far"]').selectOption({ label: '2 turns away' });
  await scramble(page);
  const facelets = await page.evaluate(() => globalThis.cubed.app.cube.facelets);
  const { solution, length } = await cubed.solve({ cube: { size: 3, facelets }, goal: 'cross', place: 'F' });
  assert.equal(length, 2);
  await turnAll(page, solution);
  await until(() => textOf(page, '> .case h2'), 'Cross, 2 turns away');
  await until(async () => (await panel(page, '> .case li .faint').allTextContents()).every((text) => text === '2 turns') && (await panel(page, '> .case ol button').count()) > 0, true);
  await until(() => rows(page), 1);
  assert.equal((await solvesOf(page))[0].list, 'Training: Cross, 2 turns away');
  await leave(page);
});

await check('in the hand: after a solve its case is shown and the next scramble follows; by keys alone; slow cases first', async () => {
  const page = await sit(DESKTOP, { mode: 'hand', hold: 0, ...(await only('pll', 'pll-h', 'pll-z')) });
  const scrambleNow = () => textOf(page, '.scrambled .scramble');
  const isScramble = (text) => /^[URFDLB2' ]{20,}$/.test(text); // not "Scramble…"
  await until(() => scrambleNow().then(isScramble), true, 'a scramble');
  const shown = [];
  for (let i = 0; i < 3; i++) {
    const before = await scrambleNow();
    await solveByHand(page);
    await until(async () => ['', shown.at(-1)].includes(await textOf(page, '> .case h2')), false, 'its case, another one than before');
    shown.push(await textOf(page, '> .case h2'));
    await until(async () => isScramble(await scrambleNow()) && (await scrambleNow()) !== before, true, 'the next one');
  }
  await panel(page, '> .case ol button').first().click();
  await until(() => page.locator('#timing').isVisible(), false, 'its algorithm is shown on the cube, until the clock is touched');
  await solveByHand(page);
  await until(() => page.locator('#timing').isVisible(), true);
  await until(async () => isScramble(await scrambleNow()), true);
  await panel(page, '> button', { hasText: 'Show the case' }).press('Enter');
  await solveByHand(page);
  const solves = await solvesOf(page);
  assert.deepEqual(solves.map(({ assisted }) => assisted), [true, false, false, false, false]);
  assert.ok(solves.every(({ comment, scramble: moves }) => /^pll-[hz]$/.test(comment) && moves.length > 20));
  assert.deepEqual(solves.slice(2).map(({ comment }) => `PLL ${caseWords(comment)}`).reverse(), shown);
  // The clock does not start while a box of the list is chosen by keys.
  await panel(page, '.cases > summary').press('Enter');
  const ub = panel(page, '.grid [aria-label=Ub]');
  await ub.focus();
  await page.keyboard.press('Space');
  assert.deepEqual([await ub.isChecked(), await panel(page, '.pad').getAttribute('data-state')], [true, 'rest']);
  await panel(page, '[aria-label="Order of the cases"]').selectOption('slow');
  const means = (await panel(page, '.grid label > span').allTextContents()).map((text) => Number(text.split(' ')[0]));
  assert.equal(means.length, 2);
  assert.ok(means[0] >= means[1], means.join());
  assert.equal(await panel(page, '.grid [type=checkbox]').first().getAttribute('aria-label').then((text) => /^[HZ]: mean \d\.\d\d, [12] solves?(, slow)?$/.test(text)), true);
  await leave(page);
});

await check('a large set is shown by shapes; axe finds nothing, and targets have 44 pixels: light, dark, quiet; phone, on its side, desktop', async () => {
  for (const [options, theme, mode] of [[PHONE, 'light', 'page'], [SIDE, 'dark', 'hand'], [DESKTOP, 'quiet', 'hand']]) {
    const page = await sit(options, { mode, training: 'set:zbll' });
    await page.evaluate((name) => globalThis.cubed.app.settings.set('theme', name), theme);
    await until(() => textOf(page, '.cases > summary'), 'All 493 cases');
    if (mode === 'page') await scramble(page);
    await panel(page, '> button', { hasText: 'Show the case' }).click();
    await panel(page, '.cases > summary').click();
    assert.equal(await panel(page, '.grid').count(), 0, 'no picture is asked for before');
    await panel(page, '.list summary', { hasText: 'Pi:' }).click();
    await panel(page, '.list button', { hasText: 'None of these' }).click();
    const left = 493 - (await panel(page, '.grid li').count());
    assert.equal(await textOf(page, '.cases > summary'), `${left} of 493 cases`);
    assert.deepEqual(await violationsIn(page, '#panel-timer'), [], theme);
    const small = await panel(page, ':is(button, select, summary, label)').evaluateAll((all) => all.filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80)));
    assert.deepEqual(small, [], 'targets of 44 pixels');
    assert.ok(await page.locator('#panel-timer').evaluate((root) => root.scrollWidth <= root.clientWidth), 'not too wide');
    await leave(page);
  }
});

await check('without a case there is no scramble, and the next one of the panel of turns begins no inspection', async () => {
  const page = await sit(DESKTOP, { inspection: true, ...(await only('pll')) });
  await panel(page, '.face button').click();
  await until(() => page.locator('#notice-text').textContent(), 'No case is chosen. Choose at least one from the pictures.');
  await page.click('#tab-turn');
  await page.click('#scramble');
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.entries.at(-1)?.kind), 'scramble');
  await page.click('#tab-timer');
  assert.equal(await panel(page, '.face').getAttribute('data-state'), 'rest');
  await leave(page);
});

await check('without a network, and without the library, no other scramble is made in its place', async () => {
  const page = await sit(DESKTOP, { training: 'set:pll' });
  await page.addInitScript(() => delete globalThis.WebAssembly);
  await page.reload();
  await openTimer(page);
  await page.context().setOffline(true);
  const before = (await stickersOf(page)).join();
  await panel(page, '.face button').click();
  await until(() => page.locator('#notice-text').textContent(), 'No scramble: the server does not answer.');
  assert.equal((await stickersOf(page)).join(), before);
  await leave(page);
});

await check('the cube of a session is timed as a whole: its solves are the server\'s', async () => {
  const session = await cubed.createSession({ size: 3 });
  const page = await sit(DESKTOP, { training: 'set:pll' });
  await page.goto(`${server.url}/c/${session.id}#${session.token}`);
  await openTimer(page);
  await until(() => page.evaluate(() => globalThis.cubed.app.session?.id), session.id);
  assert.deepEqual([await choice(page).isVisible(), await panel(page, '.cases').isVisible()], [false, false]);
  await leave(page);
});

await browser.close();
await server.stop();
finish();
