// Friends at one cube, each in a browser of their own, one of them on a phone. Usage: node together.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { COLOURS, launch, until, violationsIn, visitor } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const SHOTS = process.env.SHOTS; // a folder for pictures of what people see

const store = `sqlite:${join(temporaryDirectory(), 'together.db')}`;

/** As it was made before there were tokens: nobody owns it. */
const OWNERLESS = '0000000000000017';
const lines = [{ format: 'cubed-export', version: 1 }, { id: OWNERLESS, size: 3, access: 'view', created_ms: 1700000000000, entries: [] }, { sessions: 1, entries: 0 }];
const imported = spawnSync(binaryArgument(), ['import', '-', '--store', store], { input: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
assert.equal(imported.status, 0, String(imported.stderr));

const server = await Server.start(binaryArgument(), store, ['--allow-host', 'cube.test']);
const { port } = new URL(server.url);
// Plain HTTP on another name than that of this machine: browsers offer no clipboard there.
const OUTSIDE = `http://cube.test:${port}`;
const browser = await launch({ args: ['--host-resolver-rules=MAP cube.test 127.0.0.1'] });

const press = (page, move) => page.locator('#pad').getByText(move, { exact: true }).click();
const textOf = (page, selector) => page.locator(selector).textContent();
const stickers = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const may = (page) => page.evaluate(() => globalThis.cubed.app.may);
const tab = (page, name) => page.click(`#tab-${name}`);
const people = (page) => page.locator('#people-list li').evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)).sort());
const settled = (page) => page.evaluate(() => globalThis.cubed.app.cube.settled?.());
const idOf = (page) => page.url().match(/\/c\/([0-9a-z]{16})$/)[1];

async function shot(page, name) {
  if (!SHOTS) return;
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: join(SHOTS, `${name}-${theme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function accessible(page, what) {
  for (const [colorScheme, rules] of [['light', {}], ['dark', COLOURS]]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsIn(page, 'html', rules), [], `${what}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Returns the faults of a page, except for what a browser logs about an origin without HTTPS, and for tickets, which
 * are for URLs. */
const faultsOf = (page) => page.faults.filter((fault) => !/Cross-Origin-Opener-Policy|events\?ticket=/.test(fault));

const visit = async (path, options) => {
  const page = await visitor(browser, OUTSIDE + path, options);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  return page;
};

async function invite(page) {
  await tab(page, 'friends');
  assert.equal(await textOf(page, '#play'), 'Make a link');
  await page.click('#play');
  await page.waitForSelector('#link');
  return page.inputValue('#link');
}

const named = async (page, name) => {
  await tab(page, 'friends');
  await page.fill('#your-name', name);
  await page.press('#your-name', 'Enter');
};

let ann;
let bo;
let link;
let given; // the name of Bo before one was said

await check('one button makes a link to the cube on the stage', async () => {
  ann = await visit('/', DESKTOP);
  await press(ann, 'R');
  const before = await stickers(ann);
  assert.equal(await ann.locator('.reactions').count(), 0);
  await shot(ann, 'begin');
  link = await invite(ann);
  assert.match(link, new RegExp(`^${OUTSIDE}/c/[0-9a-z]{16}#[0-9a-z]{52}$`));
  assert.equal(await stickers(ann), before, 'it is the same cube');
  assert.deepEqual(await ann.evaluate(() => [globalThis.cubed.app.cube.revision, globalThis.cubed.app.may.undo]), [1, true], 'with what was done since its scramble');
  assert.equal(await ann.locator('svg.qr').count(), 1);
  assert.equal(new URL(ann.url()).hash, '');
  const listed = await (await fetch(`${server.url}/v1/sessions`)).json();
  assert.deepEqual(listed.items, [], 'nobody else finds it');
});

/** Returns the number of pixels of an element that cannot be seen where the page is, on this screen and in the
 * panels. */
const hidden = (page, selector) => page.$eval(selector, (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  const panels = one.closest('#panels')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  return Math.max(0, Math.max(0, panels.top) - top) + Math.max(0, bottom - Math.min(innerHeight, panels.bottom));
});

const SMALL_PHONE = { ...PHONE, viewport: { width: 320, height: 568 } };

for (const [what, options] of [['a phone', PHONE], ['a small phone', SMALL_PHONE]]) {
  await check(`on ${what} the QR code and the button that copies the link are seen whole, and a tap makes the code large`, async () => {
    const page = await visit('/', options);
    await invite(page);
    for (const one of ['#invitation svg.qr', '#copy-link']) await until(() => hidden(page, one), 0);
    await page.click('#code');
    const { width } = await page.locator('dialog svg.qr').boundingBox();
    assert.ok(width >= 0.75 * options.viewport.width, `${width} pixels`);
    await until(() => hidden(page, 'dialog svg.qr'), 0);
    assert.equal(await page.$eval('dialog', (one) => one.scrollWidth - one.clientWidth), 0);
    await page.click('dialog >> text=Done');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'code');
    await page.context().close();
  });
}

await check('a link with the whole token, as they were written before, opens as well', async () => {
  const owner = await visit('/', PHONE);
  const [, id, secret] = /\/c\/(.*)#(.*)$/.exec(await invite(owner));
  const page = await visit(`/c/${id}#${id}_${secret}`, PHONE);
  await until(async () => [idOf(page), new URL(page.url()).hash, (await may(page)).turn], [id, '', true]);
  await owner.context().close();
  await page.context().close();
});

await check('on a phone the QR code for an own device is seen whole, without scrolling', async () => {
  const page = await visit('/', PHONE);
  await invite(page);
  await page.click('#cubes');
  await page.click('#my-cubes [aria-label^="More"]');
  await page.click('#other-device');
  await page.waitForSelector('dialog svg.qr');
  await until(() => hidden(page, 'dialog svg.qr'), 0);
  await page.context().close();
});

/** Returns the text that a button of the page copies. */
async function copiedBy(page, button) {
  await page.click(button);
  await until(() => textOf(page, button), 'Copied');
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' })));
  await page.focus('#paste');
  await page.keyboard.press('Control+V');
  const text = await page.inputValue('#paste');
  await page.evaluate(() => document.querySelector('#paste').remove());
  return text;
}

await check('the link is copied over plain HTTP', async () => {
  assert.equal(await ann.evaluate(() => navigator.clipboard), undefined);
  assert.equal(await copiedBy(ann, '#copy-link'), link);
});

/** Keeps the names that appear at layers from now on: each is gone after a moment. */
const tagsKept = (page) => page.evaluate(() => {
  globalThis.tags = [];
  new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one.className === 'name-tag').forEach((one) => {
    tags.push(one.textContent);
    globalThis.hidden = one.getAttribute('aria-hidden');
  })).observe(document.getElementById('view'), { childList: true });
});

await check('a friend opens it on a phone; the token leaves the address and works after a reload', async () => {
  bo = await visit(link.slice(OUTSIDE.length), PHONE);
  await until(async () => new URL(bo.url()).hash, '');
  assert.equal(await stickers(bo), await stickers(ann));
  given = await bo.evaluate(() => globalThis.cubed.app.cube.you.label);
  assert.match(given, /^[A-Z][a-z]+ [A-Z][a-z]+$/, 'who has not said their name has a friendly one');
  await until(() => textOf(bo, '#notice-text'), `You turn this cube with others. They see you as “${given}”.`);
  await bo.click('#notice-action');
  await until(() => bo.evaluate(() => document.activeElement.value), given);
  await bo.reload();
  await bo.waitForFunction(() => globalThis.cubed?.app.room?.session);
  await until(async () => (await may(bo)).turn, true);
  await tab(bo, 'turn');
  await tagsKept(ann);
  await bo.locator('#pad').getByText('U', { exact: true }).tap();
  await settled(bo);
  await until(() => stickers(ann), await stickers(bo));
  await until(() => ann.evaluate(() => globalThis.tags), [given], 'the name is at the layer');
  assert.equal(await ann.evaluate(() => globalThis.hidden), 'true', 'and the turn is read from the history only');
  await until(() => ann.locator('.name-tag').count(), 0, 'for a moment');
  assert.equal(await bo.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing is wider than the phone');
});

await check('both see who is here, by the names they gave themselves', async () => {
  await named(ann, 'Ann');
  await named(bo, 'Bo');
  const all = [['Ann', 'owner'], ['Bo', 'may turn', 'turned last']];
  const with_ = (self) => all.map(([name, ...rest]) => [name, ...(name === self ? ['you'] : []), ...rest]);
  await until(() => people(ann), with_('Ann'));
  await until(() => people(bo), with_('Bo'));
  await shot(ann, 'friends');
  await shot(bo, 'friends-phone');
  const { items } = await (await fetch(`${server.url}/v1/sessions/${idOf(ann)}/history`)).json();
  assert.equal(items.at(-1).actor.label, 'Bo', 'the history has the new name');
});

await check('who opens the link twice is one and the same', async () => {
  const again = await bo.context().newPage();
  await again.goto(link);
  await again.waitForFunction(() => globalThis.cubed?.app.room?.session);
  await until(() => again.evaluate(() => globalThis.cubed.app.cube.you.label), 'Bo');
  await again.close();
});

await check('an editor undoes only what is their own, an owner everything', async () => {
  await tab(bo, 'turn');
  await tab(ann, 'turn');
  await until(() => bo.isEnabled('#undo'), true, 'the newest turn is Bo’s');
  await press(ann, 'F');
  await until(() => bo.isEnabled('#undo'), false, 'now it is Ann’s');
  await settled(ann);
  assert.deepEqual(await ann.evaluate(() => globalThis.tags), [given], 'no name is shown for own turns');
  await until(() => ann.isEnabled('#undo'), true);
  await ann.click('#undo');
  await until(() => bo.isEnabled('#undo'), true);
  await ann.click('#undo');
  await until(() => ann.evaluate(() => globalThis.cubed.app.cube.standing.undoable), 1);
  await ann.click('#undo'); // of before there was a link
  await until(() => ann.isEnabled('#undo'), false, 'there is nothing left');
  await until(() => bo.isEnabled('#undo'), false);
  assert.deepEqual([await bo.isVisible('#notice'), await ann.isVisible('#notice')], [false, false]);
});

/** Keeps the reactions that appear from now on: [name, reaction, whether it moves]; each is gone after a moment. */
const reactionsKept = (page) => page.evaluate(() => {
  globalThis.reactions = [];
  new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one.dataset?.reaction && one.parentNode?.className === 'name-tag').forEach((one) => {
    globalThis.reactions.push([one.parentNode.textContent, one.dataset.reaction, one.getAnimations().length > 0]);
  })).observe(document.getElementById('view'), { childList: true, subtree: true });
  // A text that is read aloud is there only until the next one.
  globalThis.said = [];
  new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one.parentNode?.role === 'status').forEach((one) => globalThis.said.push(one.textContent)))
    .observe(document.body, { childList: true, subtree: true });
});

await check('a reaction is seen by both for a moment, at the name of who sends it, and read to screen readers', async () => {
  const reactions = (page) => page.evaluate(() => globalThis.reactions);
  const said = (page) => page.evaluate(() => globalThis.said);
  const barOf = (page) => page.locator('#view .reactions');
  await ann.emulateMedia({ reducedMotion: 'no-preference' });
  await reactionsKept(ann);
  await reactionsKept(bo);
  await until(() => barOf(bo).isVisible(), true);
  await shot(bo, 'reactions-phone');
  await barOf(bo).getByRole('button', { name: 'Clap' }).tap();
  await until(() => reactions(ann), [['Bo', 'clap', true]]);
  await until(() => reactions(bo), [['You', 'clap', false]], 'nothing moves if less motion is preferred');
  await until(async () => (await said(ann)).filter((text) => text === 'Bo claps.'), ['Bo claps.']);
  await until(async () => (await said(bo)).filter((text) => text === 'Sent to all who are here.'), ['Sent to all who are here.']);
  for (const page of [ann, bo]) await until(() => page.locator('.name-tag').count(), 0, 'for a moment');
  await ann.focus('#moves');
  await ann.keyboard.press('BracketRight');
  assert.equal(await ann.inputValue('#moves'), ']', 'no reaction where text is written');
  await ann.fill('#moves', '');
  await ann.focus('#tab-turn');
  await ann.keyboard.press('BracketRight');
  await until(() => reactions(bo), [['You', 'clap', false], ['Ann', 'heart', false]]);
  await shot(bo, 'reaction-phone');
  await tab(ann, 'friends');
  await ann.click('#panel-friends [data-reaction=wow]');
  await until(async () => (await reactions(bo)).slice(2), [['Ann', 'wow', false]]);
  await until(async () => (await said(bo)).filter((text) => text === 'Ann is amazed.'), ['Ann is amazed.']);
  await shot(ann, 'reactions');
  await accessible(bo, 'reactions on a phone');
  await accessible(ann, 'reactions');
  assert.equal(await bo.evaluate(() => globalThis.cubed.app.cube.shown), null, 'it is no cue that stays');
  await bo.context().setOffline(true);
  await until(() => barOf(bo).isVisible(), false, 'without the server there is no way to them');
  await bo.context().setOffline(false);
  await until(() => barOf(bo).isVisible(), true);
  await ann.emulateMedia({ reducedMotion: 'reduce' });
  await tab(ann, 'turn');
});

await check('they take turns, and see whose turn it is', async () => {
  await tab(ann, 'friends');
  await ann.selectOption('#policy', 'round-robin');
  await tab(ann, 'turn');
  await until(() => ann.evaluate(() => globalThis.cubed.app.cube.settings.turn_policy), 'round-robin');
  await press(ann, 'R');
  await until(async () => (await may(ann)).turn, false);
  await until(async () => (await may(bo)).turn, true);
  await tab(ann, 'friends');
  await until(() => textOf(ann, '#whose-turn'), 'It is the turn of Bo.');
  await tab(bo, 'friends');
  await until(() => textOf(bo, '#whose-turn'), 'It is your turn.');
  await tab(bo, 'turn');
  await press(bo, 'U');
  await until(async () => (await may(bo)).turn, false);
  await until(async () => (await may(ann)).turn, true);
  assert.equal(await textOf(bo, '#whose'), 'It is the turn of Ann.', 'beside every panel');
  assert.deepEqual([await textOf(bo, '#watch p'), await bo.isVisible('#pad'), await bo.isHidden('#watch button')], ['It is the turn of Ann.', true, true]);
  await bo.evaluate(() => globalThis.cubed.app.press('R'));
  await until(() => textOf(bo, '#notice-text'), 'It is the turn of Ann.');
  await tab(ann, 'friends');
  await ann.selectOption('#policy', 'free');
  await until(async () => (await may(bo)).turn, true);
});

await check('at the address alone: what may not be done is said before it is refused', async () => {
  const watcher = await visit(new URL(ann.url()).pathname, PHONE);
  assert.equal((await may(watcher)).turn, false);
  assert.equal(await watcher.isEnabled('#scramble'), false);
  assert.equal(await watcher.locator('.reactions:visible').count(), 0, 'who only watches shows nothing to others');
  await until(() => watcher.isVisible('#watch'), true);
  assert.match(await textOf(watcher, '#watch p'), /^You are watching this cube\. You can turn a copy of it, or ask for a link/);
  for (const part of ['#pad', '#kinds', '#actions', '#typed']) assert.equal(await watcher.isHidden(part), true, `${part} is of no use`);
  assert.deepEqual(await watcher.locator('#watch button').allTextContents(), ['Turn a copy of my own', 'Copy a request for a link']);
  await watcher.locator('#watch button').last().click();
  await until(() => textOf(watcher, '#watch button:last-child'), 'Copied');
  await accessible(watcher, 'watching, the panel of turns');
  await tab(watcher, 'friends');
  assert.match(await textOf(watcher, '#watching'), /You are watching/);
  await shot(watcher, 'watching-phone');
  await accessible(watcher, 'watching');
  await watcher.evaluate(() => globalThis.cubed.app.press('R'));
  await until(() => textOf(watcher, '#notice-text'), 'You are watching. Ask for a link to turn.');
  const before = await stickers(watcher);
  await watcher.click('#copy-cube');
  await watcher.waitForFunction(() => globalThis.cubed.app.may.own);
  assert.equal(await stickers(watcher), before, 'a copy of one’s own can be turned');
  assert.notEqual(idOf(watcher), idOf(ann));
  assert.deepEqual(faultsOf(watcher), []);
  await watcher.context().close();
});

await check('the owner comes back by closing the tab and opening the page again', async () => {
  const { pathname } = new URL(ann.url());
  const context = ann.context();
  await ann.close();
  ann = await context.newPage();
  ann.faults = [];
  await ann.goto(OUTSIDE);
  await ann.waitForFunction(() => globalThis.cubed?.app.room);
  await ann.click('#cubes');
  await shot(ann, 'cubes');
  await ann.click('#my-cubes .open');
  await until(() => new URL(ann.url()).pathname, pathname);
  await until(async () => (await may(ann)).own, true);
});

await check('a question stays open while the cube is turned and while others come; tokens are not read with each turn', async () => {
  const cubed = new Cubed(server.url);
  const session = await cubed.createSession({ size: 3, access: 'view' });
  const friend = await session.tokens.create({ role: 'editor', label: 'Cy' });
  const owner = await visit(`/c/${session.id}#${session.token}`, DESKTOP);
  await until(async () => (await may(owner)).own, true);
  await tab(owner, 'friends');
  await owner.click('#links summary');
  const sure = owner.getByRole('button', { name: /^Yes, shut out/ });
  await owner.getByRole('button', { name: 'Shut out: Cy' }).click();
  const reads = [];
  owner.on('request', (request) => request.method() === 'GET' && /\/tokens(\?|$)/.test(request.url()) && reads.push(request.url()));
  for (const moves of ['R', 'U']) await cubed.session(session.id, { token: friend.token }).turn(moves);
  await until(() => owner.evaluate(() => [globalThis.cubed.app.cube.revision, globalThis.cubed.app.may.undo]), [2, true]);
  await owner.waitForTimeout(300); // bound: nothing is read
  assert.deepEqual([await sure.count(), reads], [1, []]);
  await session.tokens.create({ role: 'editor', label: 'Di' });
  await owner.getByRole('button', { name: 'Shut out: Di' }).waitFor();
  assert.equal(await sure.evaluate((button) => button === document.activeElement), true, 'with the keyboard at it');
  await sure.click();
  await until(async () => (await session.tokens.list()).items.find(({ label }) => label === 'Cy').revoked_at !== null, true);
  await until(() => owner.getByRole('button', { name: 'Shut out: Cy' }).count(), 0);
  assert.deepEqual(faultsOf(owner), []);
  await owner.context().close();
});

await check('an owner shuts a friend out', async () => {
  await tab(ann, 'friends');
  await ann.click('#links summary');
  await until(() => ann.locator('#token-list > li').count(), 2);
  await shot(ann, 'tokens');
  await accessible(ann, 'tokens');
  await ann.getByRole('button', { name: 'Shut out: Bo' }).click();
  await ann.getByRole('button', { name: /^Yes, shut out/ }).click();
  await until(() => textOf(bo, '#notice-text'), 'Your link to the cube is no longer valid. Here is one of your own.');
  await until(() => bo.evaluate(() => globalThis.cubed.app.session === null), true);
  assert.equal(await bo.evaluate(() => localStorage.length > 0 && Object.keys(localStorage).some((key) => key.startsWith('cubed.token.'))), false, 'the token is forgotten');
  await bo.context().close();
  await until(() => ann.locator('.reactions:visible').count(), 0, 'alone there is nobody to see a reaction');
});

await check('my cubes: rename, copy, another device, delete', async () => {
  const id = idOf(ann);
  await ann.click('#cubes');
  await ann.click('#my-cubes [aria-label^="More"]');
  await ann.fill('#cube-name', 'Küche');
  await ann.click('dialog >> text=Rename');
  await until(() => textOf(ann, '#my-cubes .open b'), 'Küche');
  const focused = () => ann.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await until(focused, 'More about Küche', 'the keyboard is where it was');
  await until(() => ann.evaluate(() => globalThis.cubed.app.cube.settings.name), 'Küche');
  assert.equal(await focused(), 'More about Küche');
  await ann.click('#my-cubes [aria-label^="More"]');
  await ann.click('#other-device');
  assert.equal(await ann.locator('dialog svg.qr').count(), 1);
  await shot(ann, 'device');
  await ann.click('dialog >> text=Done');
  await ann.click('#my-cubes [aria-label^="More"]');
  await ann.click('dialog #copy-cube');
  await until(async () => idOf(ann) !== id, true);
  await ann.click('#cubes');
  await until(() => ann.locator('#my-cubes li').count(), 2);
  await accessible(ann, 'my cubes');
  await ann.getByRole('button', { name: 'More about Küche', exact: true }).click();
  await ann.click('dialog >> text=Delete it…');
  assert.match(await textOf(ann, 'dialog p'), /deleted for everybody/);
  await shot(ann, 'delete');
  await ann.click('#confirm-delete');
  await until(() => ann.locator('#my-cubes li').count(), 1);
  assert.equal((await fetch(`${server.url}/v1/sessions/${id}`)).status, 410);
});

await check('the link of an owner makes a second device an owner', async () => {
  const kept = await ann.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cubed.token.')).map((key) => JSON.parse(localStorage[key]))[0]);
  const second = await visit(`/c/${kept.id}#${kept.token}`, PHONE);
  await until(async () => (await may(second)).own, true);
  assert.notEqual(await second.evaluate((id) => JSON.parse(localStorage[`cubed.token.${id}`]).token, kept.id), kept.token, 'with a token of its own');
  await second.context().close();
});

await check('a browser that keeps nothing says so, beside the cubes that would be lost', async () => {
  const page = await visit('/', DESKTOP);
  await page.evaluate(() => (Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }));
  await page.click('#cubes');
  const note = page.locator('#panel-cubes .note');
  await page.locator('#panel-cubes h3').first().waitFor();
  assert.equal(await note.isVisible(), false, 'nothing is kept yet');
  await invite(page);
  await page.evaluate(() => globalThis.cubed.app.panel('cubes'));
  await until(() => note.isVisible(), true);
  assert.match(await note.textContent(), /does not keep your cubes/);
  await page.context().close();
});

await check('the owner on two devices is one person: "You" on both, and who is here says so', async () => {
  const first = await visit('/', DESKTOP);
  await invite(first);
  const kept = await first.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cubed.token.')).map((key) => JSON.parse(localStorage[key]))[0]);
  const second = await visit(`/c/${kept.id}#${kept.token}`, PHONE);
  await until(async () => (await may(second)).own, true);
  await second.evaluate(() => globalThis.cubed.app.press('R'));
  await settled(second);
  await until(() => people(first), [['You', 'on another device', 'owner', 'turned last'], ['You', 'owner']]);
  assert.equal(await first.locator('#people').isVisible(), false, 'nobody else is here');
  await first.evaluate(() => globalThis.cubed.app.press('U'));
  await settled(first);
  for (const page of [first, second]) {
    await tab(page, 'history');
    await until(async () => new Set(await page.locator('#panel-history [data-who]').allTextContents()), new Set(['You']));
    await page.context().close();
  }
});

await check('old links open; nonsense is said; nothing is found at an unknown id', async () => {
  const made = await (await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"size":2,"access":"none"}' })).json();
  const old = await visit(`/#${made.id}.${made.token}`, PHONE);
  await until(async () => [new URL(old.url()).pathname, new URL(old.url()).hash, (await may(old)).own], [`/c/${made.id}`, '', true]);
  await old.click('#cubes');
  await old.fill('#open-text', 'nonsense');
  await old.click('#open-form button');
  assert.match(await textOf(old, '#open-fault'), /neither a link/);
  await old.fill('#open-text', '0000000000000000');
  await old.click('#open-form button');
  await until(() => textOf(old, '#notice-text'), 'There is no cube at this address, or only people with a link may see it.');
  await shot(old, 'cubes-phone');
  await accessible(old, 'cubes on a phone');
  await old.context().close();
});

await check('what was done by the link of an owner without a name is by "You" for who opens it, and for nobody else', async () => {
  const send = async (path, body, token) => (await fetch(`${server.url}/v1/sessions${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) })).json();
  const { id, token } = await send('', { size: 3, access: 'view' });
  await send(`/${id}/moves`, { moves: 'R' }, token);
  const owner = await visit(`/c/${id}#${token}`, DESKTOP);
  const watcher = await visit(`/c/${id}`, DESKTOP);
  await press(owner, 'U');
  await settled(owner);
  await send(`/${id}/moves`, { moves: 'F' }, token);
  const names = (page) => page.locator('#panel-history [data-who]').allTextContents();
  for (const [page, name] of [[owner, 'You'], [watcher, 'The owner']]) {
    await tab(page, 'history');
    await until(() => names(page), [name, name, name]);
    await page.reload();
    await page.waitForFunction(() => globalThis.cubed?.app.room);
    await tab(page, 'history');
    await until(() => names(page), [name, name, name]);
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  }
});

await check('a cube that nobody owns can be taken', async () => {
  const page = await visit(`/c/${OWNERLESS}`, PHONE);
  await tab(page, 'friends');
  await page.click('#claim');
  await until(async () => [(await may(page)).own, await page.locator('#claim').count()], [true, 0]);
  const stranger = await visit(`/c/${OWNERLESS}`, PHONE);
  assert.deepEqual([(await may(stranger)).own, (await may(stranger)).turn], [false, false]);
  await stranger.context().close();
  await page.context().close();
});

await check('a phone offers its share sheet', async () => {
  const page = await visitor(browser, 'about:blank', PHONE);
  await page.addInitScript(() => {
    globalThis.shared = [];
    navigator.share = async (data) => globalThis.shared.push(data);
  });
  await page.goto(OUTSIDE);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  const url = await invite(page);
  await page.click('#share-link');
  assert.deepEqual(await page.evaluate(() => globalThis.shared), [{ title: 'Turn a cube with me', url }]);
  await shot(page, 'link-phone');
  await accessible(page, 'the link on a phone');
  await page.context().close();
});

await check('what a friend did is theirs in the history, though one turned a cube of one’s own before', async () => {
  const me = await visit('/', DESKTOP);
  await tab(me, 'history');
  await me.waitForSelector('#panel-history .entries', { state: 'attached' });
  await me.click('#cubes');
  await me.uncheck('#new-scrambled');
  await me.click('#new-cube');
  await until(() => me.evaluate(() => globalThis.cubed.app.cube.solved), true);
  await me.evaluate(() => globalThis.cubed.app.press('R'));
  const friend = await visit((await invite(me)).slice(OUTSIDE.length), PHONE);
  await named(friend, 'Cy');
  await until(() => friend.evaluate(() => globalThis.cubed.app.cube.you?.label), 'Cy');
  await friend.evaluate(() => globalThis.cubed.app.press('U'));
  await tab(me, 'history');
  await until(() => me.locator('#panel-history [data-who]').allTextContents(), ['You', 'Cy'], 'with what was done before');
  await friend.context().close();
  await tab(me, 'friends');
  await me.click('#links summary');
  await me.getByRole('button', { name: 'Shut out: A link to turn' }).click();
  await me.getByRole('button', { name: /^Yes, shut out/ }).click();
  await until(async () => [await me.locator('#link').count(), await me.locator('#play').count()], [0, 1], 'a link that was shut out is not shown any longer');
  assert.deepEqual(faultsOf(me), []);
  await me.context().close();
});

await check('a link only to watch has a token of its own, whatever people without a link may do', async () => {
  const owner = await visit('/', DESKTOP);
  const turning = await invite(owner);
  assert.equal(await textOf(owner, '#watch-link'), 'Copy a link only to watch');
  const watching = await copiedBy(owner, '#watch-link');
  assert.match(watching, new RegExp(`^${OUTSIDE}/c/${idOf(owner)}#[0-9a-z]{52}$`));
  assert.notEqual(watching, turning);
  await until(() => textOf(owner, '#watch-link'), 'Copy a link only to watch');
  assert.equal(await copiedBy(owner, '#watch-link'), watching, 'it is one link');
  const watcher = await visit(watching.slice(OUTSIDE.length), PHONE);
  await until(() => watcher.evaluate(() => globalThis.cubed.app.cube.you?.role), 'viewer');
  assert.equal((await may(watcher)).turn, false);
  await owner.selectOption('#access', 'none');
  await until(() => watcher.evaluate(() => globalThis.cubed.app.cube.settings.access), 'none');
  await watcher.reload();
  await watcher.waitForFunction(() => globalThis.cubed?.app.room?.session);
  assert.equal(await stickers(watcher), await stickers(owner), 'it is seen still');
  await owner.selectOption('#access', 'edit');
  await until(() => textOf(owner, '#watch-link'), 'Copy a link to watch');
  assert.match(await textOf(owner, '#watch-link + p'), /may turn, too/);
  await until(async () => (await may(watcher)).turn, true, 'no token takes a right away that everybody has');
  await owner.selectOption('#access', 'view');
  await until(async () => (await may(watcher)).turn, false);
  await owner.click('#links summary');
  await owner.getByRole('button', { name: 'Shut out: A link to watch' }).click();
  await owner.getByRole('button', { name: /^Yes, shut out/ }).click();
  await until(() => watcher.evaluate(() => globalThis.cubed.app.session === null), true);
  const again = await copiedBy(owner, '#watch-link');
  assert.notEqual(again, watching, 'a new one');
  // Shut out from another browser, whose owner is the same person.
  const { token } = await owner.evaluate((id) => JSON.parse(localStorage.getItem(`cubed.token.${id}`)), idOf(owner));
  const session = new Cubed(server.url).session(idOf(owner), { token });
  for (const one of (await session.tokens.list()).items.filter(({ role, revoked_at: gone }) => role !== 'owner' && !gone)) await session.tokens.revoke(one.id);
  await until(() => textOf(owner, '#watch-link'), 'Copy a link only to watch');
  const third = await copiedBy(owner, '#watch-link');
  assert.notEqual(third, again, 'no link that leads nowhere');
  await owner.reload();
  await owner.waitForFunction(() => globalThis.cubed?.app.room?.session);
  await tab(owner, 'friends');
  await owner.click('#play');
  await owner.waitForSelector('#link');
  assert.notEqual(await owner.inputValue('#link'), turning);
  assert.equal(await copiedBy(owner, '#watch-link'), third);
  for (const page of [owner, watcher]) {
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  }
});

await check('a long history is shared, too: the newest changes each, those before them as one', async () => {
  const me = await visit('/', DESKTOP);
  await me.evaluate(() => globalThis.cubed.app.change('scramble'));
  for (let i = 0; i < 25; i++) await me.evaluate((move) => globalThis.cubed.app.press(move), 'RUF'[i % 3]);
  const before = await stickers(me);
  await invite(me);
  assert.deepEqual([await stickers(me), await me.evaluate(() => globalThis.cubed.app.cube.revision)], [before, 21]);
  assert.deepEqual(faultsOf(me), []);
  await me.context().close();
});

await check('a new cube of any size, and the public list', async () => {
  const made = await (await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"size":100,"name":"Huge","listed":true}' })).json();
  await ann.click('#home');
  await ann.waitForFunction(() => globalThis.cubed?.app.room);
  const answer = ann.waitForResponse((response) => response.url().includes('/v1/sessions?'));
  await ann.click('#cubes');
  assert.ok((await (await answer).body()).length < 2000, 'the list has no stickers');
  await until(() => textOf(ann, '#public-cubes .open b'), 'Huge');
  await ann.click('.sizes >> text="7"');
  await ann.click('[aria-label="Larger"]');
  await ann.click('#new-cube');
  await until(() => ann.evaluate(() => globalThis.cubed.app.cube.size), 8);
  assert.deepEqual(faultsOf(ann), []);
  assert.ok(made.id);
});

await browser.close();
await server.stop();
finish();
