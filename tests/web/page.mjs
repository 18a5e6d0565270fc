// The page as people use it: two browsers and a script turn one cube. Usage: node page.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { coloursOf, launch, until, visitor } from './browser.mjs';

const store = `sqlite:${join(temporaryDirectory(), 'page.db')}`;
let server = await Server.start(binaryArgument(), store);
const browser = await launch();

// ---- the script ----

let address = { id: null, token: null }; // of the cube that the browsers made

async function api(method, path, body, more = {}) {
  const response = await fetch(`${server.url}/v1/sessions/${address.id}${path}`, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(address.token ? { Authorization: `Bearer ${address.token}` } : {}),
      ...more,
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

const curl = (moves) => api('POST', '/moves', { moves });
const serverText = async () => (await api('GET', '/cube?as=net')).cube.net.trimEnd();
const serverHistory = async () => (await api('GET', '/history?limit=1000')).items.map(({ revision, kind, moves }) => [revision, kind, moves]);

// ---- the browsers ----

const textOf = (page) => page.locator('#text').textContent();
const stateOf = (page) => page.locator('#state').textContent();
const revisionsOf = (page) => page.locator('#history li').evaluateAll((rows) => rows.map((row) => row.value));
const countDown = (from) => Array.from({ length: from }, (_, i) => from - i);

/** Every page shows the server's cube, has come to rest, and lists each revision once. */
async function agree(pages) {
  const { revision } = await api('GET', '');
  const text = await serverText();
  for (const page of pages) {
    await until(() => revisionsOf(page), countDown(revision), 'the list of what was done');
    await until(() => textOf(page), text, 'the cube as text');
    await until(() => page.locator('#stage').getAttribute('aria-busy'), 'false', 'the turns are shown');
  }
}

async function type(page, moves) {
  await page.fill('#moves', moves);
  await page.press('#moves', 'Enter');
}

const showText = (page) => page.click('#words summary');
const press = (page, key) => page.locator('#space').press(key);

const ann = await visitor(browser, `${server.url}/`);
let bob;
const both = () => [ann, bob];

await check('Ann makes a cube; its address has the id and her token', async () => {
  await ann.fill('#size', '3');
  await ann.fill('#name', 'Küche');
  await ann.selectOption('#access', 'edit');
  assert.equal(await ann.isChecked('#list'), false);
  await ann.click('#create button');
  await until(() => stateOf(ann), '3×3×3 · revision 0 · solved');
  const [id, token] = new URL(ann.url()).hash.slice(1).split('.');
  assert.ok(token);
  address = { id, token };
  await until(() => ann.title(), 'Küche · cubed');
  await showText(ann);
});

await check('Bob opens it by its id, and both are counted', async () => {
  bob = await visitor(browser, `${server.url}/`, { colorScheme: 'dark', reducedMotion: 'reduce' });
  await bob.fill('#which', `${server.url}/#${address.id}`);
  await bob.click('#open button');
  await until(() => stateOf(bob), '3×3×3 · revision 0 · solved');
  await showText(bob);
  for (const page of both()) await until(() => page.locator('#people').textContent(), '2 here');
});

await check('what one does the others see: typed, by a button, by a key, by a script', async () => {
  await type(ann, "R U R' U'");
  await until(() => stateOf(bob), '3×3×3 · revision 1');
  await bob.click('#buttons button >> text="F′"');
  await until(() => stateOf(ann), '3×3×3 · revision 2');
  await press(ann, 'Shift+d');
  await until(() => stateOf(bob), '3×3×3 · revision 3');
  await curl('M2 y');
  await agree(both());
  assert.deepEqual(await serverHistory(), [[1, 'moves', "R U R' U'"], [2, 'moves', "F'"], [3, 'moves', "D'"], [4, 'moves', 'M2 y']]);
  const { items } = await api('GET', '/history');
  assert.deepEqual(items.map(({ times_ms: times }) => times?.length ?? 0), [0, 1, 1, 0], 'buttons and keys send times');
  const whose = await ann.locator('#history small').allTextContents();
  assert.deepEqual(whose.map((text) => / you |you ·/.test(text)), [false, true, false, true], whose.join());
});

await check('layers inside, and those before them', async () => {
  await bob.fill('#layer', '2');
  await bob.click('#buttons button >> text="R"');
  await bob.check('#wide');
  await bob.click('#buttons button >> text="L′"');
  await bob.fill('#layer', '1');
  await until(() => stateOf(ann), '3×3×3 · revision 6');
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(4), [[5, 'moves', '2R'], [6, 'moves', "Lw'"]]);
});

await check('undo, redo, reset, scramble', async () => {
  await ann.click('#undo');
  await until(() => stateOf(bob), '3×3×3 · revision 7');
  await ann.click('#redo');
  await press(ann, 'Control+z');
  await until(() => stateOf(ann), '3×3×3 · revision 9');
  await ann.click('#scramble');
  await until(() => stateOf(bob), '3×3×3 · revision 10');
  await agree(both());
  await ann.click('#reset');
  await until(() => stateOf(bob), '3×3×3 · revision 11 · solved');
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(6).map(([, kind]) => kind), ['undo', 'redo', 'undo', 'scramble', 'reset']);
});

await check('a fault is shown where it is, and put right by a button; the cube stays', async () => {
  await type(ann, "R ü U' F''");
  await until(() => ann.locator('#fault mark').textContent(), 'ü');
  await type(ann, "R U F''");
  await until(() => ann.locator('#fault mark').textContent(), "F''");
  assert.equal(await ann.inputValue('#moves'), "R U F''");
  await ann.click('#fault button');
  await until(() => ann.inputValue('#moves'), "R U F2'");
  await ann.press('#moves', 'Enter');
  await until(() => stateOf(bob), '3×3×3 · revision 12');
  await agree(both());
});

await check('another notation', async () => {
  await ann.click('#typed summary');
  await ann.selectOption('#notation', 'kociemba');
  await type(ann, 'R1 U3');
  await until(() => stateOf(bob), '3×3×3 · revision 13');
  assert.deepEqual((await serverHistory()).at(-1), [13, 'moves', "R U'"]);
  await ann.selectOption('#notation', 'sign');
});

await check('all three at once: one order, the same cube', async () => {
  const keys = [...'urfdlbxyzmes'];
  await Promise.all([
    (async () => { for (const key of keys) await press(ann, key); })(),
    (async () => { for (const key of keys) await press(bob, `Shift+${key}`); })(),
    (async () => { for (let i = 0; i < 12; i++) await curl('R2 U'); })(),
  ]);
  // Turns that a page makes while one of its requests is under way are one entry.
  const made = async () => (await serverHistory()).slice(13).flatMap(([, , moves]) => moves.split(' '));
  await until(async () => (await made()).length, 48);
  await agree(both());
  const all = await made();
  for (const prime of ['', "'"]) {
    const own = [...'URFDLBxyzMES'].map((letter) => letter + prime);
    assert.deepEqual(all.filter((move) => own.includes(move) && move !== 'U').sort(), own.filter((move) => move !== 'U').sort());
  }
});

await check('an own turn is shown before the server has answered, and once', async () => {
  const { revision } = await api('GET', '');
  let release;
  const held = new Promise((done) => (release = done));
  await bob.route('**/moves', async (route) => {
    await held;
    await route.continue();
  });
  const before = await textOf(bob);
  await press(bob, 'r');
  await until(async () => (await textOf(bob)) !== before, true);
  assert.equal((await api('GET', '')).revision, revision);
  const shown = await textOf(bob);
  release();
  await until(() => stateOf(ann), `3×3×3 · revision ${revision + 1}`);
  await agree(both());
  await bob.unroute('**/moves');
  assert.equal(await textOf(bob), shown);
});

await check('Bob loses the network: the page shows it, changes wait, nothing is missed or done twice', async () => {
  const { revision } = await api('GET', '');
  await bob.context().setOffline(true);
  await until(() => bob.locator('#line').textContent(), 'offline, reconnecting');
  await curl('F R');
  await type(ann, 'Uw');
  await until(() => stateOf(ann), `3×3×3 · revision ${revision + 2}`);
  await press(bob, 'l');
  await press(bob, 'b');
  await until(async () => (await bob.locator('#waiting').textContent()).startsWith('2 changes are waiting'), true);
  assert.equal(await stateOf(bob), `3×3×3 · revision ${revision}`);
  await bob.context().setOffline(false);
  await until(() => bob.locator('#line').textContent(), 'online');
  await until(() => stateOf(ann), `3×3×3 · revision ${revision + 3}`);
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(revision).map(([, , moves]) => moves), ['F R', 'Uw', 'L B']);
});

await check('waiting changes can be discarded', async () => {
  const { revision } = await api('GET', '');
  await bob.context().setOffline(true);
  await until(() => bob.locator('#line').textContent(), 'offline, reconnecting');
  await press(bob, 'l');
  await bob.click('#waiting button');
  await bob.context().setOffline(false);
  await until(() => bob.locator('#line').textContent(), 'online');
  await curl('D');
  await until(() => stateOf(bob), `3×3×3 · revision ${revision + 1}`);
  await agree(both());
});

await check('the server is killed and comes back: both go on', async () => {
  const { port } = server;
  const { revision } = await api('GET', '');
  await server.kill();
  await until(() => ann.locator('#line').textContent(), 'offline, reconnecting');
  await press(ann, 'u');
  server = await Server.start(binaryArgument(), store, ['--listen', `127.0.0.1:${port}`]);
  await until(() => stateOf(bob), `3×3×3 · revision ${revision + 1}`);
  await agree(both());
});

await check('what is too long to be told is shown all the same, and what comes right behind it', async () => {
  await curl("(R U)4990");
  await curl("(F U')4990");
  const { revision } = await api('POST', '/reset', {});
  assert.equal((await serverHistory()).at(-1)[2], null);
  await Promise.all(['L', 'D2', 'Bw'].map(curl));
  await until(() => stateOf(bob), `3×3×3 · revision ${revision + 3}`);
  await agree(both());
});

/** The link that Ann's dialog makes. */
async function linkFor(role, label) {
  await ann.click('#share');
  await ann.selectOption('#role', role);
  await ann.fill('#label', label);
  const made = await ann.locator('#tokens li').count();
  await ann.click('#grant button');
  await until(() => ann.locator('#tokens li').count(), made + 1);
  const link = await ann.inputValue('#address');
  await ann.click('#sharing [method=dialog] button');
  return link;
}

await check('links for Cleo, who turns under her name, and Dan, who watches; hers is taken back', async () => {
  await ann.click('#share');
  await ann.locator('#sharing[open]').waitFor();
  assert.deepEqual([await ann.inputValue('#anybody'), await ann.inputValue('#policy')], ['edit', 'free']);
  await ann.selectOption('#anybody', 'view');
  await until(async () => (await api('GET', '')).access, 'view');
  await ann.selectOption('#policy', 'alternate');
  await until(async () => (await api('GET', '')).turn_policy, 'alternate');
  await ann.selectOption('#policy', 'free');
  await until(async () => (await api('GET', '')).turn_policy, 'free');
  assert.equal(await ann.isChecked('#listed'), false);
  await ann.check('#listed');
  await until(async () => (await api('GET', '')).listed, true);
  await ann.click('#sharing [method=dialog] button');
  const cleo = await visitor(browser, await linkFor('editor', 'Cleo'));
  const dan = await visitor(browser, await linkFor('viewer', 'Dan'));
  const { revision } = await api('GET', '');
  for (const page of [cleo, dan]) await until(() => stateOf(page), `3×3×3 · revision ${revision}`);
  await until(async () => (await ann.locator('#people').textContent()).replace('Dan, Cleo', 'Cleo, Dan'), '4 here: Cleo, Dan, 2 more');
  await press(cleo, 'r');
  await until(() => stateOf(bob), `3×3×3 · revision ${revision + 1}`);
  assert.match(await bob.locator('#history li small').first().textContent(), /^Cleo · /);
  await press(dan, 'r');
  await dan.locator('#notice:not([hidden])').waitFor();
  await press(bob, 'r');
  await bob.locator('#notice:not([hidden])').waitFor();
  await ann.click('#share');
  await ann.click('#tokens button >> nth=0');
  await cleo.locator('#notice:not([hidden])').waitFor();
  assert.ok(await cleo.isVisible('#start'));
  await ann.click('#sharing [method=dialog] button');
  assert.equal((await api('GET', '')).revision, revision + 1);
  await api('PATCH', '', { access: 'edit' });
  for (const page of [cleo, dan]) {
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

await check('another name is shown to all who are there, and to Bob when he is back', async () => {
  const shown = (page) => page.locator('#title').textContent();
  await bob.context().setOffline(true);
  await until(async () => (await bob.locator('#line').isVisible()), true);
  await api('PATCH', '', { name: 'Küchentisch' });
  await until(() => shown(ann), 'Küchentisch');
  await bob.context().setOffline(false);
  await until(() => shown(bob), 'Küchentisch');
});

await check('an answer that was lost: the turn is not done again', async () => {
  const { revision } = await api('GET', '');
  let lost = 0;
  await bob.route('**/moves', async (route) => {
    if (lost++ > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await press(bob, 'f');
  await press(bob, 'b');
  await until(() => stateOf(ann), `3×3×3 · revision ${revision + 2}`);
  await until(() => bob.evaluate(() => document.querySelectorAll('#history li').length), revision + 2);
  await until(() => bob.locator('#history small').evaluateAll((all) => all.slice(0, 2).map((one) => one.textContent.startsWith('you'))), [true, true]);
  assert.equal(lost, 4);
  await bob.unroute('**/moves');
  await agree(both());
  assert.deepEqual((await serverHistory()).slice(-2).map(([, , moves]) => moves), ['F', 'B']);
});

await check('the cube is drawn, in space and flat, with letters', async () => {
  await ann.click('#reset');
  await until(async () => / solved$/.test(await stateOf(ann)), true);
  await agree(both());
  const space = await coloursOf(ann, '#space');
  for (const [name, hue] of [['red', 11], ['green', 5]]) assert.ok((space[hue] ?? space[(hue + 1) % 12] ?? 0) > 5000, `${name}: ${JSON.stringify(space)}`);
  await ann.check('#unfold');
  const flat = await coloursOf(ann, '#flat');
  assert.ok(Object.values(flat).filter((pixels) => pixels > 4000).length >= 6, JSON.stringify(flat));
  await ann.check('#letters');
  assert.ok((await coloursOf(ann, '#flat')).dark > flat.dark + 500);
  await ann.uncheck('#unfold');
});

await check('one looks around it by dragging and by the arrows', async () => {
  const before = await coloursOf(ann, '#space');
  const box = await ann.locator('#space').boundingBox();
  await ann.mouse.move(box.x + 200, box.y + 200);
  await ann.mouse.down();
  await ann.mouse.move(box.x + 200, box.y + 60, { steps: 4 });
  await ann.mouse.up();
  for (let i = 0; i < 4; i++) await press(ann, 'ArrowUp');
  const after = await coloursOf(ann, '#space');
  assert.ok((after[2] ?? 0) + (after[1] ?? 0) > (before[2] ?? 0) + (before[1] ?? 0) + 1000, `yellow is not seen from below: ${JSON.stringify(after)}`);
});

await check('whatever takes the focus has a name', async () => {
  const session = await ann.context().newCDPSession(ann);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const focusable = nodes.filter((node) => !node.ignored && node.properties?.some(({ name, value }) => name === 'focusable' && value.value));
  assert.ok(focusable.length > 30);
  const nameless = focusable.filter((node) => !node.name?.value && node.role.value !== 'RootWebArea');
  assert.deepEqual(nameless.map((node) => node.role.value), []);
});

await check('360 pixels are wide enough, with 2x2x2 and 100x100x100 too', async () => {
  const narrow = await visitor(browser, `${server.url}/`, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const fits = async (what) => assert.equal(await narrow.evaluate(() => document.documentElement.scrollWidth), 360, what);
  await fits('the start');
  for (const [size, moves] of [['2', 'R U'], ['100', '50Rw U 7F2']]) {
    await narrow.fill('#size', size);
    await narrow.click('#create button');
    await type(narrow, moves);
    await until(() => stateOf(narrow), `${size}×${size}×${size} · revision 1`);
    await fits(size);
    await narrow.click('#share');
    await narrow.locator('#sharing[open]').waitFor();
    await fits('sharing');
    await narrow.click('#sharing [method=dialog] button');
    await narrow.goto(`${server.url}/`);
  }
  assert.deepEqual(narrow.faults, []);
  await narrow.context().close();
});

await check('a cube that is not there is told, and the way to others is open', async () => {
  const lost = await visitor(browser, `${server.url}/#0000000000000000`);
  await lost.locator('#notice:not([hidden])').waitFor();
  await lost.locator('#start:not([hidden])').waitFor();
  await lost.goto(`${server.url}/`);
  await until(() => lost.locator('#public a').count(), 1); // of three, the one that was listed
  assert.deepEqual(lost.faults, []);
  await lost.context().close();
});

await check('a cube that is older than links is nobody\'s, until somebody makes it his', async () => {
  const old = `sqlite:${join(temporaryDirectory(), 'old.db')}`;
  const file = new URL('../data/schema/001.ndjson', import.meta.url).pathname;
  assert.equal(spawnSync(binaryArgument(), ['import', file, '--store', old]).status, 0);
  const other = await Server.start(binaryArgument(), old);
  const eve = await visitor(browser, `${other.url}/#krmqjnbb4dr0bgg3`);
  await until(() => eve.isVisible('#share'), true);
  await eve.click('#share');
  await eve.locator('#sharing[open]').waitFor();
  assert.deepEqual([await eve.isVisible('#grant'), await eve.isVisible('#claim')], [false, true]);
  await eve.click('#claim');
  await until(async () => /^#krmqjnbb4dr0bgg3\.krmqjnbb4dr0bgg3_[0-9a-z]{52}$/.test(new URL(eve.url()).hash), true);
  await until(() => eve.isVisible('#room'), true);
  await eve.click('#share');
  await eve.locator('#tokens li').first().waitFor();
  assert.deepEqual([await eve.isVisible('#grant'), await eve.isVisible('#claim')], [true, false]);
  assert.deepEqual(eve.faults, []);
  await eve.context().close();
  await other.stop();
});

await check('nothing went wrong in the pages', () => {
  for (const page of both()) assert.deepEqual(page.faults, []);
});

await browser.close();
await server.stop();
finish();
