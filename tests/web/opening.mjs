// Opening one cube after another, as the page does it, without a browser: which one stays, what becomes of turns that wait,
// and what is kept of links. Usage: node opening.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, LocalCube } from '../../clients/js/src/index.js';
import { App } from '../../web/page/app.js';
import { NAME_MAX, nameText } from '../../web/page/session/names.js';
import { rightsOf } from '../../web/page/session/rights.js';
import { enterRoom } from '../../web/page/session/room.js';
import { Settings } from '../../web/page/settings.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { happens } from '../support/patience.mjs';

const server = await Server.start(binaryArgument(), 'memory:', ['--max-tokens', '3']);
globalThis.location = new URL(server.url);
globalThis.addEventListener ??= () => {};
const { openRoom } = await import('../../web/page/session/sessions.js');
const { linkOf, readAddress, readPasted } = await import('../../web/page/open/address.js');
const { enterPast, pastOf } = await import('../../web/page/past.js');
const { cubed } = await import('../../web/page/session/server.js');
const { tokens } = await import('../../web/page/session/tokens.js');

/** An app without a picture; `notes` has what it says. */
function newApp() {
  const notes = [];
  const view = { show: () => {}, set: () => {}, redraw: () => {} };
  const app = new App({ view, settings: new Settings(null), notify: (text) => notes.push(text) });
  app.openLocal(new LocalCube({ size: 3 }));
  return Object.assign(app, { notes });
}

/** A live cube that is there as soon as `arrive()` is called, and whose turns are answered with `answer()`. */
function slowCube() {
  const cube = { size: 3, revision: 0, settings: { access: 'edit' }, waiting: 0, online: true, closed: false };
  const answered = new Promise((done) => (cube.answer = () => ((cube.waiting = 0), done())));
  cube.settled = () => answered;
  const there = new Promise((done) => (cube.arrive = done));
  cube.connect = async ({ signal, onChange }) => {
    cube.report = onChange;
    signal.addEventListener('abort', () => (cube.closed = true));
    await there;
    return cube;
  };
  return cube;
}

await check('a link has the token without the id that it has anyway; each kind that was ever written is read', () => {
  const id = '0a1b2c3d4e5f6g7h';
  const secret = 'x'.repeat(52);
  const token = `${id}_${secret}`;
  assert.equal(linkOf(id, token, 'http://x'), `http://x/c/${id}#${secret}`);
  assert.equal(linkOf(id, null, 'http://x'), `http://x/c/${id}`);
  const foreign = `0000000000000000_${secret}`; // of another session: nothing may be left out
  assert.equal(linkOf(id, foreign, 'http://x'), `http://x/c/${id}#${foreign}`);
  for (const link of [`/c/${id}#${secret}`, `/c/${id}#${token}`, `/#${id}.${token}`, `/cubes/c/${id}#${secret}`]) {
    assert.deepEqual(readAddress(new URL(link, 'http://x')), { kind: 'session', id, token }, link);
    assert.deepEqual(readPasted(`http://x${link}`), { id, token }, link);
  }
  assert.equal(readAddress(new URL(`/c/${id}#${foreign}`, 'http://x')).token, foreign);
  for (const link of [`/c/${id}`, `/c/${id}#`, `/#${id}`]) assert.equal(readAddress(new URL(link, 'http://x')).token, null, link);
});

await check('the cube that was asked for last is the one that is open, whichever is there first', async () => {
  const app = newApp();
  const [slow, quick] = [slowCube(), slowCube()];
  const first = enterRoom(app, { id: 'slow' }, slow.connect, rightsOf);
  const second = enterRoom(app, { id: 'quick' }, quick.connect, rightsOf);
  quick.arrive();
  await second;
  slow.arrive();
  await assert.rejects(first, { name: 'AbortError' });
  assert.equal(app.session.id, 'quick');
  assert.deepEqual([slow.closed, quick.closed], [true, false]);
});

await check('a cube of this page alone ends the opening of another', async () => {
  const app = newApp();
  const slow = slowCube();
  const opening = enterRoom(app, { id: 'slow' }, slow.connect, rightsOf);
  app.openLocal(new LocalCube({ size: 2 }));
  slow.arrive();
  await assert.rejects(opening, { name: 'AbortError' });
  assert.deepEqual([app.session, app.cube.size], [null, 2]);
});

await check('turns that wait are still sent when another cube is opened', async () => {
  const app = newApp();
  const cube = slowCube();
  cube.arrive();
  await enterRoom(app, { id: 'first' }, cube.connect, rightsOf);
  cube.waiting = 2;
  app.openLocal(new LocalCube({ size: 2 }));
  app.openLocal(new LocalCube({ size: 3 }));
  await new Promise(setImmediate);
  assert.deepEqual([cube.closed, app.unanswered], [false, 2]);
  cube.report({ type: 'refused', problem: new Error('somebody was faster'), changes: [] });
  assert.match(app.notes.at(-1), /other cube was not kept: somebody was faster/);
  cube.answer();
  await new Promise(setImmediate);
  assert.deepEqual([cube.closed, app.unanswered], [true, 0]);
});

await check('turns that were made just before leaving are in the history', async () => {
  const app = newApp();
  const session = await cubed.createSession({ size: 3, access: 'edit' });
  await openRoom(app, session.id);
  app.press('R');
  app.openLocal(new LocalCube({ size: 3 }));
  await happens(() => app.unanswered === 0);
  const { items } = await session.history().first();
  assert.deepEqual(items.map(({ moves }) => moves), ['R']);
});

await check('the history of a cube that was left is not shown on another', async () => {
  const app = newApp();
  const entering = enterPast(app);
  app.openLocal(new LocalCube({ size: 2 }));
  assert.equal(await entering, null);
  assert.equal(app.shown, app.cube);
});

await check('the history begins with the cube of its revision, though turns come while it is read', async () => {
  const app = newApp();
  const start = new LocalCube({ size: 3 });
  const late = new LocalCube({ size: 3 });
  late.turn('R');
  const cube = { ...slowCube(), size: 3, revision: 0, waiting: 1, stickers: late.stickers };
  const session = { id: 'x', cube: async () => ((cube.revision = 1), { cube: { facelets: start.facelets } }) };
  await enterRoom(app, session, async () => cube, rightsOf);
  const past = await pastOf(app);
  assert.deepEqual([past.position, past.length, past.facelets], [0, 1, start.facelets]);
});

await check('the token of an owner is no link for friends, also if there is no room for another token', async () => {
  const app = newApp();
  const session = await cubed.createSession({ size: 2 });
  for (let made = 0; made < 9; made++) {
    const full = await session.tokens.create({ role: 'viewer' }).then(() => false, ({ kind }) => (assert.equal(kind, 'tokens-full'), true));
    if (full) break;
  }
  await openRoom(app, session.id, session.token);
  const { token, role, link } = tokens.of(session.id);
  assert.deepEqual([token, role, link], [session.token, 'owner', null]);
});

await check('any text becomes a name that the server takes', async () => {
  const session = await cubed.createSession({ size: 2 });
  const texts = ['  Ann  ', '👨‍👩‍👧 Müller', '🏴\u{e0067}\u{e0062}\u{e007f}', 'a\u2028b\u202ec', '\u200f', '😀'.repeat(40), `${'x'.repeat(31)}😀`, '\ud83d'];
  for (const text of texts) {
    const name = nameText(text);
    assert.equal((await session.tokens.rename('self', name || null)).label, name || null, JSON.stringify(text));
  }
  assert.equal(nameText('👨‍👩‍👧 Müller'), '👨👩👧 Müller');
  assert.deepEqual([Array.from(nameText('😀'.repeat(40))).length, nameText('\u200f')], [NAME_MAX, '']);
});

await check('where the browser forbids what tabs share, a cube opens all the same', async () => {
  globalThis.SharedWorker = class {
    constructor() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }
  };
  const { SharedFeed } = await import('../../clients/js/src/shared/feed.js');
  const client = new Cubed(server.url);
  client.feed = new SharedFeed(client.transport);
  const { id } = await cubed.createSession({ size: 4 });
  const cube = await client.session(id).live();
  assert.equal(cube.size, 4);
  cube.close();
  delete globalThis.SharedWorker;
});

await server.stop();
finish();
