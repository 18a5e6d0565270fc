// The page as people use it: two browsers and a script turn one cube. Usage: node page.mjs [path of the binary]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { coloursOf, launch, until, visitor } from './browser.mjs';

const store = `sqlite:${join(temporaryDirectory(), 'page.db')}`;
let server = await Server.start(binaryArgument(), store);
const browser = await launch();

// ---- the script ----

async function api(method, path, body, token = null) {
  const response = await fetch(`${server.url}/v1/sessions${path}`, {
    method,
    headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

const { id, token } = await api('POST', '', { size: 3, name: 'Küche', access: 'edit' });
const curl = (moves) => api('POST', `/${id}/moves`, { moves });
const serverHistory = async () => (await api('GET', `/${id}/history?limit=1000`)).items.map(({ revision, kind, moves }) => [revision, kind, moves]);

// ---- the browsers ----

const cubeOf = (page) => page.evaluate(() => {
  const { cube } = globalThis.cubed.app;
  return cube && [cube.revision, cube.facelets];
});

/** Every page shows the server's cube and has come to rest. */
async function agree(pages) {
  for (const page of pages) {
    const differs = async () => {
      const [shown, { revision, cube }] = [await cubeOf(page), await api('GET', `/${id}`)];
      return shown?.[0] === revision && shown[1] === cube.facelets ? null : { shown, revision, facelets: cube.facelets };
    };
    await until(differs, null, 'the cube');
    await until(() => page.locator('#stage').getAttribute('aria-busy'), 'false', 'the turns are shown');
  }
}

async function type(page, moves) {
  await page.fill('#moves', moves);
  await page.press('#moves', 'Enter');
}

const press = (page, key) => page.locator('#view canvas').first().press(key);
const stateOf = (page) => page.locator('#state').textContent();

// ---- alone ----

await check('the first screen has a scrambled cube that can be turned', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await until(() => stateOf(page), '3×3×3');
  const before = await cubeOf(page);
  await page.click('#pad button >> text="R"');
  await page.keyboard.press('u'); // with the focus on a button of the pad
  const after = await cubeOf(page);
  assert.notEqual(after[1], before[1]);
  await page.reload();
  await until(async () => (await cubeOf(page))[1], after[1], 'it is found again');
  await page.click('#undo');
  await page.click('#undo');
  await until(async () => (await cubeOf(page))[1], before[1], 'with what was done before');
  await page.click('#reset');
  await page.click('#undo');
  await page.click('#tab-history');
  await until(() => page.locator('#panel-history .entry').allTextContents().then((all) => all.map((text) => text.split(' ')[0])), ['Scramble', 'R', 'U', 'Undo', 'Undo', 'Reset', 'Undo']);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('the field takes moves as people write them, as the server reads them; others are refused with the repair', async () => {
  const page = await visitor(browser, `${server.url}/`);
  const newest = () => page.evaluate(() => globalThis.cubed.app.cube.entries.at(-1).moves);
  const texts = { 'U′ R': "U' R", 'F’': "F'", 'L´ U': "L' U", 'D`': "D'", "RUR'U'": "R U R' U'", '(R U)2': 'R U R U', "[R, U] // a commutator": "R U R' U'" };
  for (const [text, moves] of Object.entries(texts)) {
    await type(page, text);
    await until(newest, moves, text);
    assert.equal(await page.inputValue('#moves'), '');
  }
  await page.click('#typed summary');
  await page.selectOption('#notation', 'kociemba');
  await type(page, 'R1 U3');
  await until(newest, "R U'");
  await page.selectOption('#notation', 'sign');
  await type(page, '// nothing');
  await until(() => page.locator('#fault').textContent(), 'There are no moves in this text.');
  await type(page, "R U F''");
  await until(() => page.locator('#fault mark').textContent(), "F''");
  await page.click('#fault button');
  await until(() => page.inputValue('#moves'), "R U F2'");
  assert.deepEqual([await newest(), page.faults], ["R U'", []]);
  await page.context().close();
});

await check('an empty history has nothing to copy', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await until(() => stateOf(page), '3×3×3');
  await page.evaluate(() => globalThis.cubed.app.openLocal(new globalThis.cubed.app.cube.constructor({ size: 3 })));
  await page.click('#tab-history');
  const copy = page.locator('#panel-history .head button');
  await page.locator('#no-entries').getByText('Nothing was done yet.').waitFor();
  assert.equal(await copy.isDisabled(), true);
  await page.evaluate(() => globalThis.cubed.app.press('R'));
  await until(() => copy.isEnabled(), true);
  await page.evaluate(() => globalThis.cubed.app.openLocal(new globalThis.cubed.app.cube.constructor({ size: 3 })));
  await until(() => copy.isDisabled(), true);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('what cannot be done is disabled', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.click('#pad button >> text="R"');
  await until(() => page.isEnabled('#undo'), true);
  assert.equal(await page.isEnabled('#redo'), false);
  await page.click('#undo');
  await until(() => page.isEnabled('#redo'), true);
  await page.context().close();
});

await check('a button of the pad that was pressed by a key keeps the focus, and turns again', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.evaluate(() => globalThis.cubed.app.undo()); // with its scramble the cube has nothing more to take back
  await until(() => page.isEnabled('#undo'), false);
  const button = page.locator('#pad button >> text="R"');
  await button.focus();
  await page.keyboard.press('Enter');
  await until(() => page.isEnabled('#undo'), true);
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.evaluate(() => globalThis.cubed.app.cube.entries.map(({ moves }) => moves).slice(-2)), ['R', 'R']);
  await page.context().close();
});

// ---- together ----

const ann = await visitor(browser, `${server.url}/c/${id}#${token}`, { deviceScaleFactor: 1, reducedMotion: 'no-preference' }); // its pixels are counted
const bob = await visitor(browser, `${server.url}/#${id}`, { colorScheme: 'dark' });
const both = () => [ann, bob];

await check('the token leaves the address bar; an old link opens too', async () => {
  await agree(both());
  for (const page of both()) {
    assert.equal(page.url(), `${server.url}/c/${id}`);
    await until(() => page.title(), 'Küche · cubed');
    await until(() => page.locator('#people').textContent(), '2 here');
  }
});

await check('who opens a link without a name is asked for one', async () => {
  await until(() => ann.locator('#notice-action').textContent(), 'Your name');
  await ann.click('#notice-action');
  await until(() => ann.locator('#panel-friends').isVisible(), true);
  await ann.click('#tab-turn');
  assert.ok(await bob.isHidden('#notice'));
});

await check('what one does the others see: typed, by a button, by a key, by a script', async () => {
  await type(ann, "R U R' U'");
  await until(async () => (await cubeOf(bob))[0], 1);
  await bob.click('#pad button >> text="F′"');
  await until(async () => (await cubeOf(ann))[0], 2);
  await press(ann, 'Shift+d');
  await until(async () => (await cubeOf(bob))[0], 3);
  await curl('M2 y');
  await agree(both());
  assert.deepEqual(await serverHistory(), [[1, 'moves', "R U R' U'"], [2, 'moves', "F'"], [3, 'moves', "D'"], [4, 'moves', 'M2 y']]);
  const { items } = await api('GET', `/${id}/history`);
  assert.deepEqual(items.map(({ times_ms: times }) => times?.length ?? 0), [0, 1, 1, 0], 'buttons and keys send times');
});

await check('inner layers, wide turns and the whole cube, by the pad', async () => {
  await bob.click('#kinds button >> text="Wide"');
  assert.equal(await bob.locator('#pad button >> text="L′"').count(), 0, 'there are only wide turns');
  await bob.click('#pad button >> text="Lw′"');
  await bob.click('#kinds button >> text="Whole cube"');
  await bob.click('#pad button >> text="x2"');
  await bob.click('#kinds button >> text="Inner"');
  await bob.click('#pad button >> text="M′"');
  await bob.click('#kinds button >> text="Face"');
  await agree(both());
  const moves = (await serverHistory()).slice(4).flatMap(([, , text]) => text.split(' '));
  assert.deepEqual(moves, ["Lw'", 'x2', "M'"]);
});

await check('undo, redo, reset, scramble', async () => {
  const { revision } = await api('GET', `/${id}`);
  await ann.click('#undo');
  await until(async () => (await cubeOf(bob))[0], revision + 1);
  await ann.click('#redo');
  await until(async () => (await cubeOf(bob))[0], revision + 2);
  await press(ann, 'Control+z');
  await until(async () => (await cubeOf(bob))[0], revision + 3);
  await ann.click('#scramble');
  await until(async () => (await cubeOf(bob))[0], revision + 4);
  await ann.click('#reset');
  await until(() => stateOf(bob), '3×3×3 · solved');
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(revision).map(([, kind]) => kind), ['undo', 'redo', 'undo', 'scramble', 'reset']);
});

await check('a fault is shown where it is, and put right by a button; the cube stays', async () => {
  const { revision } = await api('GET', `/${id}`);
  await type(ann, "R ü U' F''");
  await until(() => ann.locator('#fault mark').textContent(), 'ü');
  await type(ann, "R U F''");
  await until(() => ann.locator('#fault mark').textContent(), "F''");
  assert.equal(await ann.inputValue('#moves'), "R U F''");
  assert.equal((await api('GET', `/${id}`)).revision, revision);
  await ann.click('#fault button');
  await until(() => ann.inputValue('#moves'), "R U F2'");
  await ann.press('#moves', 'Enter');
  await until(async () => (await cubeOf(bob))[0], revision + 1);
  await agree(both());
});

await check('another notation', async () => {
  const { revision } = await api('GET', `/${id}`);
  await ann.click('#typed summary');
  await ann.selectOption('#notation', 'kociemba');
  await type(ann, 'R1 U3');
  await until(async () => (await cubeOf(bob))[0], revision + 1);
  assert.equal((await serverHistory()).at(-1)[2], "R U'");
  await ann.selectOption('#notation', 'sign');
});

await check('nothing typed is lost', async () => {
  await type(ann, '// comment R');
  await ann.locator('#fault:not(:empty)').waitFor();
  assert.equal(await ann.inputValue('#moves'), '// comment R');
  await ann.fill('#moves', '');
});

await check('all three at once: one order, the same cube', async () => {
  const { revision } = await api('GET', `/${id}`);
  const keys = [...'urfdlbxyzmes'];
  await Promise.all([
    (async () => { for (const key of keys) await press(ann, key); })(),
    (async () => { for (const key of keys) await press(bob, `Shift+${key}`); })(),
    (async () => { for (let i = 0; i < 12; i++) await curl('R2 U'); })(),
  ]);
  // Turns that a page makes while one of its requests is under way are one entry.
  const made = async () => (await serverHistory()).slice(revision).flatMap(([, , moves]) => moves.split(' '));
  await until(async () => (await made()).length, 48);
  await agree(both());
  const all = await made();
  for (const prime of ['', "'"]) {
    const own = [...'URFDLBxyzMES'].map((letter) => letter + prime);
    assert.deepEqual(all.filter((move) => own.includes(move) && move !== 'U').sort(), own.filter((move) => move !== 'U').sort());
  }
});

await check('keys for speed, by their place on the keyboard', async () => {
  const { revision } = await api('GET', `/${id}`);
  await ann.evaluate(() => globalThis.cubed.app.settings.set('keys', 'speed'));
  for (const code of ['KeyI', 'KeyK', 'KeyU', 'Digit5', 'Semicolon', 'Slash']) await press(ann, code);
  const made = async () => (await serverHistory()).slice(revision).flatMap(([, , moves]) => moves.split(' '));
  await until(made, ['R', "R'", 'Rw', 'M', 'y', "Dw'"]);
  await ann.evaluate(() => globalThis.cubed.app.settings.set('keys', 'letters'));
});

await check('? shows the keys; a click beside the dialog closes it', async () => {
  await press(ann, '?');
  await ann.locator('dialog#keys[open]').waitFor();
  await ann.click('dialog button >> text="Speed"');
  await ann.locator('#speed-keys').waitFor();
  await ann.click('dialog button >> text="Letters"');
  const { x, y, width } = await ann.locator('dialog').boundingBox();
  await ann.mouse.click(x + 4, y + 4);
  await ann.mouse.move(x + width / 2, y + 4);
  await ann.mouse.down();
  await ann.mouse.move(3, 300);
  await ann.mouse.up();
  await ann.waitForTimeout(100); // bound: it does not close
  assert.equal(await ann.locator('dialog').count(), 1, 'not at its edge, and not when text was selected');
  await ann.mouse.click(3, 300);
  await until(() => ann.locator('dialog').count(), 0);
});

await check('arrow keys of the browser move between no tabs', async () => {
  await ann.focus('#tab-turn');
  const kept = await ann.evaluate(() => ['altKey', 'ctrlKey', 'metaKey'].map((held) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', [held]: true, bubbles: true, cancelable: true }))));
  assert.deepEqual([kept, await ann.evaluate(() => document.activeElement.id)], [[true, true, true], 'tab-turn']);
});

await check('an own turn is shown before the server has answered, and once', async () => {
  const { revision } = await api('GET', `/${id}`);
  let release;
  const held = new Promise((done) => (release = done));
  await bob.route('**/moves', async (route) => {
    await held;
    await route.continue();
  });
  const [, before] = await cubeOf(bob);
  await press(bob, 'r');
  const [, shown] = await cubeOf(bob);
  assert.notEqual(shown, before);
  assert.equal((await api('GET', `/${id}`)).revision, revision);
  release();
  await until(async () => (await cubeOf(ann))[0], revision + 1);
  await agree(both());
  await bob.unroute('**/moves');
  assert.equal((await cubeOf(bob))[1], shown);
});

await check('Bob loses the network: the page says so, changes wait, nothing is missed or done twice', async () => {
  const { revision } = await api('GET', `/${id}`);
  await bob.context().setOffline(true);
  await until(() => bob.locator('#line').textContent(), 'offline, reconnecting');
  await curl('F R');
  await type(ann, 'Uw');
  await until(async () => (await cubeOf(ann))[0], revision + 2);
  await press(bob, 'l');
  await press(bob, 'b');
  assert.equal((await cubeOf(bob))[0], revision);
  await bob.context().setOffline(false);
  await until(() => bob.isHidden('#line'), true);
  await until(async () => (await cubeOf(ann))[0], revision + 3);
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(revision).map(([, , moves]) => moves), ['F R', 'Uw', 'L B']);
});

await check('the server is killed and comes back: both go on', async () => {
  const { port } = server;
  const { revision } = await api('GET', `/${id}`);
  await server.kill();
  await until(() => ann.locator('#line').textContent(), 'offline, reconnecting');
  await press(ann, 'u');
  server = await Server.start(binaryArgument(), store, ['--listen', `127.0.0.1:${port}`]);
  await until(async () => (await cubeOf(bob))[0], revision + 1);
  await agree(both());
});

await check('what is too long to be told is shown all the same, and what comes right behind it', async () => {
  await curl('(R U)4990');
  await curl("(F U')4990");
  const { revision } = await api('POST', `/${id}/reset`, {});
  assert.equal((await serverHistory()).at(-1)[2], null);
  await Promise.all(['L', 'D2', 'Bw'].map(curl));
  await until(async () => (await cubeOf(bob))[0], revision + 3);
  await agree(both());
});

await check('another name is shown to all who are there, and to Bob when he is back', async () => {
  const shown = (page) => page.locator('#title').textContent();
  await bob.context().setOffline(true);
  await until(() => bob.isVisible('#line'), true);
  await api('PATCH', `/${id}`, { name: 'Küchentisch' }, token);
  await until(() => shown(ann), 'Küchentisch');
  await bob.context().setOffline(false);
  await until(() => shown(bob), 'Küchentisch');
});

await check('an answer that was lost: the turn is not done again', async () => {
  const { revision } = await api('GET', `/${id}`);
  let lost = 0;
  await bob.route('**/moves', async (route) => {
    if (lost++ > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await press(bob, 'f');
  await until(async () => (await cubeOf(ann))[0], revision + 1);
  await press(bob, 'b');
  await until(async () => (await cubeOf(ann))[0], revision + 2);
  await bob.unroute('**/moves');
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(-2).map(([, , moves]) => moves), ['F', 'B']);
});

// ---- looks ----

await check('the cube is drawn, in space and unfolded, with letters; settings are remembered', async () => {
  await ann.click('#reset');
  await until(() => stateOf(ann), '3×3×3 · solved');
  await agree(both());
  const space = await coloursOf(ann, '#view');
  for (const [name, hue] of [['red', 11], ['green', 5]]) assert.ok(Math.max(space[hue] ?? 0, space[(hue + 1) % 12] ?? 0) > 1500, `${name}: ${JSON.stringify(space)}`);
  await ann.click('#adjust');
  await ann.check('#set-unfolded');
  await ann.click('#settings form button');
  const flat = await coloursOf(ann, '#view');
  assert.ok(Object.values(flat).filter((pixels) => pixels > 1000).length >= 6, JSON.stringify(flat));
  await ann.click('#adjust');
  await ann.check('#set-letters');
  await ann.selectOption('#set-theme', 'dark');
  await ann.click('#settings form button');
  assert.ok((await coloursOf(ann, '#view')).dark > flat.dark + 200);
  await ann.reload();
  await agree([ann]);
  assert.equal(await ann.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await ann.evaluate(() => globalThis.cubed.app.view.settings.unfolded), true);
  await ann.evaluate(() => globalThis.cubed.app.settings.set('unfolded', false));
});

await check('whatever takes the focus has a name', async () => {
  const devtools = await ann.context().newCDPSession(ann);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  const focusable = nodes.filter((node) => !node.ignored && node.properties?.some(({ name, value }) => name === 'focusable' && value.value));
  assert.ok(focusable.length > 30);
  const nameless = focusable.filter((node) => !node.name?.value && node.role.value !== 'RootWebArea');
  assert.deepEqual(nameless.map((node) => node.role.value), []);
});

await check('one screen on every phone: nothing is beside it, the pad is in it', async () => {
  const phone = await visitor(browser, `${server.url}/`, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await phone.locator('#pad button').first().waitFor();
  for (const [width, height] of [[360, 640], [390, 844], [844, 390], [320, 568]]) {
    await phone.setViewportSize({ width, height });
    const [wide, high] = await phone.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    assert.deepEqual([wide, high], [width, height]);
    const view = await phone.locator('#view').boundingBox();
    assert.ok(Math.min(view.width, view.height) >= 140, `${width}x${height}: the cube has ${view.width}x${view.height}`);
    const boxes = await phone.locator('#pad button:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    assert.ok(boxes.length > 6);
    for (const box of boxes) {
      assert.ok(box.y + box.height <= height && box.x + box.width <= width, `${width}x${height}: a button of the pad is beside the screen`);
      assert.ok(box.height >= 44 && box.width >= 44, `${width}x${height}: ${box.width}x${box.height}`);
    }
  }
  assert.deepEqual(phone.faults, []);
  await phone.context().close();
});

await check('tabs and buttons show all of their words, on every screen and whichever tab is chosen', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.locator('#pad button').first().waitFor();
  for (const [width, height] of [[320, 568], [390, 844], [844, 390], [720, 560], [860, 640], [880, 700], [1024, 768], [1200, 720], [1280, 800], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    for (const name of ['turn', 'solver', 'friends']) {
      await page.click(`#tab-${name}`);
      const cut = await page.evaluate(() => [...document.querySelectorAll('#tabs, #tabs button, #actions button')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 || one.scrollWidth > one.clientWidth).map((one) => one.id));
      assert.deepEqual(cut, [], `${width}x${height}, ${name}`);
    }
  }
  await page.context().close();
});

await check('keys: Home and End among the tabs, Ctrl+Y, Escape from the list of cubes; the way back from a new cube', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.locator('#pad button:enabled').first().click();
  const before = await cubeOf(page);
  const focused = () => page.evaluate(() => document.activeElement.id);
  await page.focus('#tab-turn');
  await page.keyboard.press('End');
  assert.equal(await focused(), 'tab-friends');
  await page.keyboard.press('Home');
  assert.equal(await focused(), 'tab-turn');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'tab-friends');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+z');
  await until(async () => (await cubeOf(page))[1] !== before[1], true);
  await page.keyboard.press('Control+y');
  await until(() => cubeOf(page).then((cube) => cube[1]), before[1]);
  await page.click('#cubes');
  await page.fill('#new-size', '4');
  await page.press('#new-size', 'Escape');
  await until(() => page.evaluate(() => [document.body.dataset.panel, document.activeElement.id]), ['turn', 'cubes']);
  await page.click('#cubes');
  await page.click('#new-cube');
  await until(async () => (await cubeOf(page))[1] !== before[1], true);
  await page.click('#notice-action');
  await until(() => cubeOf(page).then((cube) => cube[1]), before[1], 'the one before');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.cube.revision), 4, 'with its history');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a cube that is not there, and an address that is none: a word, and a cube of one\'s own', async () => {
  for (const path of ['/c/0000000000000000', '/#nonsense', '/c/nonsense']) {
    const lost = await visitor(browser, `${server.url}${path}`);
    await lost.locator('#notice:not([hidden])').waitFor();
    await until(() => stateOf(lost), '3×3×3');
    await lost.context().close();
  }
});

await check('nothing went wrong in the pages', () => {
  for (const page of both()) assert.deepEqual(page.faults, []);
});

await browser.close();
await server.stop();
finish();
