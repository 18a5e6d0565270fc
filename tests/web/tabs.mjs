// Seven tabs of one browser turn and watch over HTTP/1.1, which has six connections: they share one for events. With a
// SharedWorker, with a tab that leads, and with neither. Usage: node tabs.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until } from './browser.mjs';

const TABS = 7;
const TURNS = 'URFDLBU';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const browser = await launch();

/** The kinds of browsers, by the interface that they lack. */
const BROWSERS = {
  'a SharedWorker': () => {},
  'a tab that leads': () => delete globalThis.SharedWorker,
  neither: () => {
    delete globalThis.SharedWorker;
    delete globalThis.BroadcastChannel;
  },
};

async function person(lack) {
  const context = await browser.newContext({ viewport: { width: 500, height: 400 }, deviceScaleFactor: 0.5, reducedMotion: 'reduce' });
  await context.addInitScript(lack);
  context.faults = [];
  return context;
}

/** Opens a tab with a cube, and waits until that is shown and online. */
async function open(context, session, token = null) {
  const page = await context.newPage();
  page.on('pageerror', (error) => context.faults.push(error.stack));
  await page.goto(`${server.url}/c/${session.id}${token ? `#${token}` : ''}`);
  await page.waitForFunction(() => globalThis.cubed?.app.room?.session && globalThis.cubed.app.cube.online);
  return page;
}

const facelets = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const turn = (page, move) => page.evaluate((text) => void globalThis.cubed.app.cube.turn(text), move);
const presence = (page) => page.evaluate(() => globalThis.cubed.app.cube.presence?.watchers ?? null);
const create = (body) => cubed.createSession({ size: 3, access: 'edit', ...body });

for (const [name, lack] of Object.entries(BROWSERS)) {
  const tabs = name === 'neither' ? 4 : TABS;
  await check(`${tabs} tabs turn and watch: ${name}`, async () => {
    const context = await person(lack);
    const sessions = [await create(), await create(), await create()];
    const pages = [];
    for (let i = 0; i < tabs; i++) pages.push(await open(context, sessions[i % 3]));
    await Promise.all(pages.map((page, i) => turn(page, TURNS[i])));
    for (const [i, page] of pages.entries()) {
      const session = sessions[i % 3];
      const count = Math.ceil((tabs - (i % 3)) / 3);
      await until(async () => (await session.read()).revision, count, 'all turns are made');
      await until(() => facelets(page), (await session.cube()).cube.facelets, `tab ${i} shows all`);
    }
    assert.ok(await pages[0].evaluate(() => globalThis.cubed.app.cube.online));
    if (name !== 'neither') assert.equal(await presence(pages[0]), 1, 'one browser is one person');
    assert.deepEqual(context.faults, []);
    await context.close();
  });
}

for (const name of ['a SharedWorker', 'a tab that leads']) {
  await check(`tabs are closed and crash, the first one too: ${name}`, async () => {
    const context = await person(BROWSERS[name]);
    const session = await create();
    const pages = [];
    for (let i = 0; i < 4; i++) pages.push(await open(context, session));
    await session.turn('R');
    const crashed = context.newCDPSession(pages[0]).then((cdp) => cdp.send('Page.crash').catch(() => {}));
    // bound: a tab that has crashed may not answer; the others are waited for
    await Promise.race([crashed, new Promise((done) => setTimeout(done, 1000))]);
    await session.turn('U');
    await pages[1].close();
    await session.turn('F');
    const rest = pages.slice(2);
    for (const page of rest) await until(() => facelets(page), (await session.cube()).cube.facelets, 'it shows all');
    await turn(rest[0], 'L');
    await until(async () => (await session.read()).revision, 4, 'it turns');
    for (const page of rest) await until(() => facelets(page), (await session.cube()).cube.facelets, 'it shows all');
    await until(() => presence(rest[0]), 1, 'one is here');
    await Promise.all(rest.map((page) => page.close()));
    await context.close();
  });

  await check(`a session that ends, and a token that is revoked, end only their tabs: ${name}`, async () => {
    const context = await person(BROWSERS[name]);
    const [kept, deleted, secret] = [await create(), await create(), await create({ access: 'none' })];
    const given = await secret.tokens.create({ role: 'editor' });
    const other = await secret.tokens.create({ role: 'viewer' });
    const pages = [await open(context, kept), await open(context, deleted), await open(context, secret, given.token)];
    const watching = await person(BROWSERS[name]); // another browser, with another right
    const page = await open(watching, secret, other.token);
    await deleted.remove();
    await pages[1].waitForFunction(() => !globalThis.cubed.app.room.session);
    await secret.tokens.revoke(given.id);
    await pages[2].waitForFunction(() => !globalThis.cubed.app.room.session);
    await secret.turn('R');
    await kept.turn('U');
    await until(() => facelets(page), (await secret.cube()).cube.facelets, 'the other right is still there');
    await until(() => facelets(pages[0]), (await kept.cube()).cube.facelets, 'the other cube too');
    await context.close();
    await watching.close();
  });

  await check(`a tab that comes later gets the cue that is shown, and no reaction from before: ${name}`, async () => {
    const context = await person(BROWSERS[name]);
    const session = await create();
    const first = await open(context, session);
    const watched = (page) => page.evaluate(() => globalThis.cubed.app.cube.shown?.cue ?? null);
    await first.evaluate(() => globalThis.cubed.app.on('reaction', ({ reaction }) => (globalThis.reaction = reaction)));
    await session.cue({ text: 'Look' });
    await session.cue({ reaction: 'wow' });
    await until(() => first.evaluate(() => globalThis.reaction), 'wow');
    const second = await open(context, session);
    await until(() => watched(second), { text: 'Look' });
    assert.deepEqual(await watched(first), { text: 'Look' });
    await context.close();
  });

  await check(`a tab gets no events of a session that another tab may see: ${name}`, async () => {
    const context = await person(BROWSERS[name]);
    const secret = await create({ access: 'none' });
    const owner = await open(context, secret, secret.token);
    const stranger = await open(context, await create());
    const answers = await stranger.evaluate(async (id) => {
      const { page_session_server: { cubed: client } } = await import(performance.getEntriesByType('resource').find((one) => /page\.session\.sessions\.js$/.test(one.name)).name);
      const got = [];
      try {
        for await (const { event } of client.session(id, { token: null }).watch()) got.push(event);
      } catch (error) {
        got.push(error.status);
      }
      return got;
    }, secret.id);
    assert.deepEqual(answers, [404]);
    await secret.turn('R');
    await until(() => facelets(owner), (await secret.cube()).cube.facelets, 'the owner sees it');
    await context.close();
  });

  await check(`a page that is loaded again is still one person: ${name}`, async () => {
    const context = await person(BROWSERS[name]);
    const session = await create();
    const page = await open(context, session);
    const other = await open(await person(() => {}), session);
    const seen = new Set();
    for (let round = 0; round < 3; round++) {
      await page.reload();
      await page.waitForFunction(() => globalThis.cubed?.app.room?.session && globalThis.cubed.app.cube.presence);
      for (let i = 0; i < 20; i++) {
        seen.add(await presence(page));
        await page.waitForTimeout(50);
      }
    }
    assert.deepEqual([...seen].filter((count) => count > 2), []);
    await until(() => presence(other), 2, 'two are here');
    await context.close();
    await other.context().close();
  });
}

await browser.close();
await server.stop();
finish();
