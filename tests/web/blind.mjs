// The page for people who do not see it: the cube as tables, "what is at UF?", announcements, and keys.
// Usage: node blind.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, parseMoves } from '../../clients/js/src/index.js';
import { Announcer } from '../../web/page/announcer.js';
import { USUAL_NAMES as names } from '../../web/page/cube/colours.js';
import { turnsWords, whatIsAt } from '../../web/page/cube/words.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const cubeOf = async (size, moves) => ({ stickers: fromFacelets((await cubed.apply({ size, moves })).cube.facelets), n: size, names });

// ---- words ----

await check('turns as they are read', () => {
  const read = (moves, n) => turnsWords(parseMoves(moves, n), n);
  assert.equal(read("R U' F2 M E' x y' z2", 3), 'R, U prime, F 2, M, E prime, rotate x, rotate y prime, rotate z 2');
  assert.equal(read("Rw 3Uw' 2F 2-3B", 5), 'R wide, U wide, 3 layers prime, layer 2 of F, layers 2 to 3 of B');
  assert.equal(read(Array(24).fill('R').join(' ') + " U'", 3), '25 turns, the last one U prime');
});

await check('what is at a place: colours, and where the piece belongs', async () => {
  const turned = await cubeOf(3, 'R');
  const answers = {
    UF: 'At UF: the white-green edge: white on U, green on F; it is in its place.',
    fu: 'At UF: the white-green edge: white on U, green on F; it is in its place.',
    UR: 'At UR: the green-red edge: green on U, red on R; it belongs at FR.',
    rfu: 'At URF: the green-red-yellow corner: green on U, red on R, yellow on F; it belongs at DFR.',
    U3: 'U, row 1, column 3: green. It is on the green-red-white corner: green on U, red on B, white on R; it belongs at URF.',
    'U 2 2': 'U, row 2, column 2: white.',
    U: 'U, the top: 6 white, 3 green.',
    R: 'R, the right: 9 red.',
  };
  const u3 = whatIsAt('U3', turned);
  assert.match(u3, /^U, row 1, column 3: green\. It is on the green-.*corner: /);
  delete answers.U3;
  for (const [text, answer] of Object.entries(answers)) assert.equal(whatIsAt(text, turned), answer, text);
  assert.match(whatIsAt('UD', turned), /^UD is not a place: these faces do not meet\./);
  assert.match(whatIsAt('hello', turned), /^Write a corner/);
  assert.equal(whatIsAt('U10', turned), 'The stickers of a face are 1 to 9.');
  const flipped = { ...turned, stickers: fromFacelets('UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB') };
  assert.match(whatIsAt('UF', flipped), /it is in its place, but flipped\.$/);
});

await check('what is at a place of other sizes', async () => {
  assert.equal(whatIsAt('UF', await cubeOf(2, 'R')), 'A 2x2x2 has no edges.');
  assert.equal(whatIsAt('DBL', await cubeOf(2, 'R')), 'At DBL: the yellow-blue-orange corner: yellow on D, blue on B, orange on L; it is in its place.');
  assert.equal(whatIsAt('UF', await cubeOf(4, 'R')), 'Between U and F, 2 pieces: 1: white on U, green on F; 2: white on U, green on F.');
  assert.match(whatIsAt('UR', await cubeOf(100, 'R')), /^Between U and R, 98 pieces: 1: green on U, red on R; .*; and 90 more\.$/);
});

/** An announcer whose clock is turned by hand. */
function announcer() {
  const said = [];
  let now = 0;
  let due = null;
  const clock = { set: (run, ms) => (due = { run, at: now + ms }), clear: () => (due = null), now: () => now };
  const pass = (ms) => {
    now += ms;
    if (due && due.at <= now) {
      const { run } = due;
      due = null;
      run();
    }
  };
  return { say: new Announcer((text) => said.push(text), clock), said, pass };
}

await check('own turns are announced as own, others\' by their names; many at once as one', () => {
  const { say, said, pass } = announcer();
  say.open(3);
  for (const turn of parseMoves("R U R' U'", 3)) say.turned({ turns: [turn], by: 'here' });
  pass(600);
  assert.deepEqual(said.splice(0), ['You: R, U, R prime, U prime.']);
  say.entry({ entry: { revision: 1, kind: 'moves', moves: "R U R' U'", actor: { label: 'Ann', role: 'owner' } } });
  say.saved({ written: { revision: 1 } });
  pass(600);
  assert.deepEqual(said, []);
  say.turned({ turns: parseMoves('F', 3), by: 'others' });
  say.entry({ entry: { revision: 2, kind: 'moves', moves: 'F', actor: { label: 'Bob', role: 'editor' } } });
  say.entry({ entry: { revision: 3, kind: 'undo', moves: "F'", restores: 1, actor: null } });
  say.note('The cube is solved.');
  pass(600);
  assert.deepEqual(said.splice(0), ['Bob: F. Somebody: undo. The cube is solved.']);
  for (let i = 0; i < 24; i++) {
    say.turned({ turns: parseMoves('R', 3), by: 'hand' });
    pass(100);
  }
  pass(600);
  assert.ok(said.length <= 2, said.join(' | '));
  assert.match(said[0], /^You: \d+ turns, the last one R\.$/);
});

await check('an own undo is announced as own', () => {
  const { say, said, pass } = announcer();
  say.open(3);
  say.entry({ entry: { revision: 4, kind: 'undo', moves: 'R', actor: { role: 'owner' } } });
  say.saved({ written: { revision: 4 } });
  pass(600);
  assert.deepEqual(said, ['You: undo.']);
});

await check('own undo and scramble, which turn the cube before their entry comes, are each announced once', () => {
  const { say, said, pass } = announcer();
  say.open(3);
  const change = (kind, moves) => {
    say.turned({ turns: parseMoves(moves, 3), by: 'here' });
    say.entry({ entry: { revision: 1, kind, moves, actor: { role: 'owner' } } });
    say.saved({ written: { revision: 1 } });
  };
  change('undo', "R'");
  pass(600);
  change('scramble', 'R U F D');
  pass(600);
  change('moves', 'R');
  pass(600);
  assert.deepEqual(said.splice(0), ['You: undo.', 'You: scramble.', 'You: R.']);
  say.turned({ turns: parseMoves('U', 3), by: 'here' });
  pass(600);
  say.entry({ entry: { revision: 2, kind: 'undo', moves: 'U', actor: { role: 'owner' } } });
  pass(600);
  assert.deepEqual(said, ['You: U.'], 'its answer came late');
});

await check('turns of this person in another tab or browser are announced as own', () => {
  const { say, said, pass } = announcer();
  say.open(3, ({ id }) => id === '1');
  const entry = (revision, id, moves) => say.entry({ entry: { revision, kind: 'moves', moves, actor: { id, label: null, role: 'owner' } } });
  entry(1, '1', 'R');
  entry(2, '2', 'U');
  pass(600);
  assert.deepEqual(said.splice(0), ['You: R. The owner: U.']);
  entry(3, '1', 'F');
  entry(4, '1', 'D');
  say.saved({ written: { revision: 4 } });
  pass(600);
  assert.deepEqual(said, ['You: F.'], 'one of this page was announced when it was made');
});

// ---- the page ----

const browser = await launch();
const DESKTOP = { viewport: { width: 1440, height: 900 } };

async function open(options = DESKTOP, path = '/') {
  const page = await visitor(browser, `${server.url}${path}`, options);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.locator('p[aria-live=polite]').first().waitFor({ state: 'attached' });
  return page;
}

const spoken = (page) => page.locator('p.unseen[aria-live=polite]').allTextContents().then((texts) => texts.filter(Boolean).at(-1) ?? '');

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** Opens the tables by keys alone. */
async function openTable(page) {
  await page.locator('#words summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('#table table').first().waitFor();
}

await check('six tables with labelled cells, which follow the cube; a question by keys alone', async () => {
  const page = await open();
  await page.evaluate(() => globalThis.cubed.app.change('reset'));
  await page.evaluate(() => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 3 }));
  });
  await openTable(page);
  assert.equal(await page.locator('#table table').count(), 6);
  await until(() => page.locator('#table caption').first().textContent(), 'U, top (white)');
  const cell = page.locator('#table table').first().locator('tbody tr').first().locator('td').last();
  await until(() => cell.getAttribute('aria-label'), 'U, row 1, column 3: white');
  await page.evaluate(() => globalThis.cubed.app.turn('R'));
  await until(() => cell.getAttribute('aria-label'), 'U, row 1, column 3: green');
  assert.equal(await cell.textContent(), 'green');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ur');
  await page.keyboard.press('Enter');
  await until(() => page.locator('#table .answer').textContent(), 'At UR: the green-red edge: green on U, red on R; it belongs at FR.');
  const box = await page.locator('#words').boundingBox();
  assert.ok(box.height > 200 && box.y + box.height <= 901, 'it is seen while it has the focus');
  await close(page);
});

await check('a large cube: a face at a time, on demand', async () => {
  const page = await open();
  await page.evaluate(() => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 20 }));
  });
  await page.locator('#words summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('#table select').waitFor();
  assert.equal(await page.locator('#table td').count(), 0);
  await page.selectOption('#table select', { label: 'F, front' });
  await until(() => page.locator('#table tbody td').count(), 400);
  await close(page);
});

await check('single keys: none in fields and on other buttons; a switch turns all of them off, and is remembered', async () => {
  const page = await open();
  const made = () => page.evaluate(() => globalThis.cubed.app.cube.revision);
  const before = await made();
  await page.locator('#pad').waitFor();
  for (const selector of ['#moves', '#cubes', '#invite', '#help', '#kinds button', '#typed button', '#moment', '#timeline select', '#timeline .back']) {
    await page.locator(selector).first().focus();
    for (const key of ['r', 'u', '2', 'x']) await page.keyboard.press(key);
  }
  assert.equal(await made(), before, 'the focus is elsewhere');
  assert.equal(await page.inputValue('#moves'), 'ru2x');
  await page.locator('#help').focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('dialog').textContent(), /Single keys turn the cube while it, the buttons of its turns, a tab beside it, or nothing has the focus\./);
  const off = page.getByRole('group', { name: 'Single keys' }).getByRole('button', { name: 'Off' });
  await off.focus();
  await page.keyboard.press('Space');
  assert.equal(await off.getAttribute('aria-pressed'), 'true');
  assert.match(await page.locator('dialog').textContent(), /Single keys do nothing\./);
  for (const again of [false, true]) {
    if (again) await page.reload();
    else await page.keyboard.press('Escape');
    await page.locator('p[aria-live=polite]').first().waitFor({ state: 'attached' });
    await page.locator('#moment').waitFor();
    const start = await made();
    for (const selector of ['body', '#view canvas', '#pad button']) for (const key of ['r', '?', '2', 'u']) await page.locator(selector).first().press(key);
    assert.deepEqual([await made(), await page.locator('dialog[open]').count()], [start, 0]);
  }
  await page.click('#tab-paint');
  await page.locator('#panel-paint .swatch').first().waitFor();
  const painted = () => page.evaluate(() => globalThis.cubed.app.shown.facelets ?? [...globalThis.cubed.app.shown.stickers].join());
  const empty = await painted();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('w');
  assert.equal(await painted(), empty, 'painting, too');
  await page.click('#adjust');
  assert.equal(await page.locator('#set-keys').inputValue(), 'off');
  await page.selectOption('#set-keys', { label: 'letters of moves' });
  await page.keyboard.press('Escape');
  await page.click('#tab-turn');
  await page.evaluate(() => document.activeElement.blur());
  const last = await made();
  await page.keyboard.press('r');
  await until(made, last + 1);
  await close(page);
});

await check('own turns are announced; not if that is switched off', async () => {
  const page = await open();
  await page.locator('body').press('r');
  await until(() => spoken(page), 'You: R.');
  await page.evaluate(() => globalThis.cubed.app.settings.set('announceTurns', false));
  await page.locator('body').press('u');
  await page.waitForTimeout(1200); // bound: nothing is said
  assert.equal(await spoken(page), 'You: R.');
  await close(page);
});

await check('others\' turns are announced by their names, own ones in a session as own', async () => {
  const session = await cubed.createSession({ size: 3 });
  const { token } = await session.tokens.create({ role: 'editor', label: 'Bob' });
  const page = await open(DESKTOP, `/c/${session.id}#${session.token}`);
  await cubed.session(session.id, { token }).turn("F'");
  await until(() => spoken(page), 'Bob: F prime.');
  await page.locator('body').press('d');
  await until(() => spoken(page), 'You: D.');
  await page.waitForTimeout(1000); // bound: nothing more is said
  assert.equal(await spoken(page), 'You: D.');
  await close(page);
});

await check('single letters turn only from the cube, its buttons, the tabs, or where nothing has the focus; and not if they are off', async () => {
  const page = await open();
  const facelets = () => page.evaluate(() => globalThis.cubed.app.cube.facelets);
  const before = await facelets();
  for (const selector of ['#cubes', '#adjust', '#words summary', '#invite', '#moves']) {
    await page.locator(selector).first().focus();
    await page.keyboard.press('r');
  }
  assert.equal(await facelets(), before);
  await page.locator('#view canvas').first().focus();
  await page.keyboard.press('r');
  await until(async () => (await facelets()) !== before, true);
  const turned = await facelets();
  await page.click('#tab-history');
  await page.keyboard.press('Shift+R');
  await until(facelets, before, 'from a tab');
  await page.click('#tab-turn');
  await page.keyboard.press('r');
  await until(facelets, turned);
  await page.click('#cubes');
  await page.click('#new-cube');
  await until(async () => (await facelets()) !== turned, true, 'another cube');
  await until(() => page.evaluate(() => document.activeElement.matches('#view canvas')), true);
  const fresh = await facelets();
  await page.keyboard.press('r');
  await until(async () => (await facelets()) !== fresh, true, 'a new cube');
  const after = await facelets();
  await page.evaluate(() => globalThis.cubed.app.settings.set('keys', 'off'));
  await page.keyboard.press('r');
  assert.equal(await facelets(), after);
  await close(page);
});

await check('the drawn cube has a text alternative', async () => {
  const page = await open();
  const canvas = page.locator('#view canvas').first();
  const id = await canvas.getAttribute('aria-describedby');
  await until(() => page.locator(`#${id}`).textContent(), 'A cube of 3 by 3 by 3, not solved. Every sticker is in “The cube as a table”, at the end of the page. Single keys turn it; the settings switch them off.');
  await page.evaluate(() => globalThis.cubed.app.settings.set('keys', 'off'));
  await until(() => page.locator(`#${id}`).textContent(), 'A cube of 3 by 3 by 3, not solved. Every sticker is in “The cube as a table”, at the end of the page.');
  await close(page);
});

await browser.close();
await server.stop();
finish();
