// Events as the JavaScript client gets them: through broken connections and a killed server, of one session and of
// several. Usage: node watching.mjs [path of the binary]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Cubed, Problem } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { Proxy, until } from './support/proxy.mjs';

const binary = binaryArgument();
const store = `sqlite:${join(temporaryDirectory(), 'cubed.db')}`;
let server = await Server.start(binary, store);
const proxy = await Proxy.start(server.url);
const cubed = new Cubed(proxy.url);
const direct = () => new Cubed(server.url);

/** Watches a session until it is stopped; `events` grows. */
function watch(session, options) {
  const abort = new AbortController();
  const watched = { events: [], stop: () => abort.abort(), error: null };
  watched.ended = (async () => {
    try {
      for await (const event of session.watch({ ...options, signal: abort.signal })) watched.events.push(event);
    } catch (error) {
      watched.error = error;
    }
  })();
  return watched;
}

const ofKind = (watched, kind) => watched.events.filter(({ event }) => event === kind).map(({ data }) => data);
const revisions = (watched) => ofKind(watched, 'entry').map(({ revision }) => revision);
const streams = () => proxy.log.filter(({ path }) => path.endsWith('/events'));

await check('first the state, then each entry', async () => {
  const session = await cubed.createSession({ size: 3, access: 'none' });
  await session.turn('R');
  const watched = watch(session);
  await until(() => watched.events.length > 0, 'an event');
  const [{ event, data }] = watched.events;
  assert.deepEqual([event, data.revision, data.cube.size], ['state', 1, 3]);
  await session.turn('U');
  await session.undo();
  await until(() => revisions(watched).length === 2, 'two entries');
  assert.deepEqual(ofKind(watched, 'entry').map(({ kind }) => kind), ['moves', 'undo']);
  assert.ok(watched.events.every((one) => one.session === session.id));
  watched.stop();
  await watched.ended;
  assert.equal(watched.error.name, 'AbortError');
});

await check('a broken connection loses nothing and repeats nothing', async () => {
  const session = await cubed.createSession({ size: 3 });
  const watched = watch(session);
  await until(() => watched.events.length > 0, 'the state');
  for (let i = 0; i < 30; i++) {
    if (i % 10 === 5) proxy.cut();
    await session.turn('R');
  }
  await until(() => revisions(watched).length >= 30, 'all entries');
  assert.deepEqual(revisions(watched), Array.from({ length: 30 }, (_, i) => i + 1));
  assert.equal(ofKind(watched, 'state').length, 1);
  watched.stop();
});

await check('nor does a server that is killed and started again', async () => {
  const session = await cubed.createSession({ size: 3 });
  const watched = watch(session);
  await until(() => watched.events.length > 0, 'the state');
  const turning = (async () => {
    for (let i = 0; i < 40; i++) await session.turn('U');
  })();
  await until(() => revisions(watched).length >= 10, 'some entries');
  await server.kill();
  server = await Server.start(binary, store);
  proxy.target = server.url;
  await turning;
  await until(() => revisions(watched).length >= 40, 'all entries');
  assert.deepEqual(revisions(watched), Array.from({ length: 40 }, (_, i) => i + 1));
  assert.equal(ofKind(watched, 'state').length, 1);
  watched.stop();
});

await check('a watch can begin where another one ended', async () => {
  const session = await cubed.createSession({ size: 3 });
  await session.turn('R');
  const first = watch(session);
  await until(() => first.events.length > 0, 'the state');
  const { id } = first.events[0];
  first.stop();
  await session.turn('U');
  for (const after of [id, 1]) {
    const second = watch(session, { after });
    await until(() => revisions(second).length === 1, 'the entry');
    assert.deepEqual([revisions(second), ofKind(second, 'state')], [[2], []]);
    second.stop();
  }
});

await check('what may not be seen fails, what is deleted ends', async () => {
  const session = await cubed.createSession({ size: 3, access: 'none' });
  const stranger = watch(cubed.session(session.id));
  await stranger.ended;
  assert.ok(stranger.error instanceof Problem && stranger.error.status === 404);
  const watched = watch(session);
  await until(() => watched.events.length > 0, 'the state');
  await session.remove();
  await watched.ended;
  if (watched.error) assert.equal(watched.error.kind, 'gone');
  else assert.equal(watched.events.at(-1).event, 'end');
});

await check('leaving the loop closes the stream', async () => {
  const session = await cubed.createSession({ size: 3 });
  for await (const event of session.watch()) {
    assert.equal(event.event, 'state');
    break;
  }
  const { length } = streams();
  await new Promise((done) => setTimeout(done, 500));
  assert.equal(streams().length, length);
});

await check('several watch one session', async () => {
  const session = await cubed.createSession({ size: 3 });
  const watched = [watch(session), watch(session)];
  await until(() => watched.every(({ events }) => events.length > 0), 'both states');
  await direct().session(session.id, { token: session.token }).turn('R');
  await until(() => watched.every((one) => revisions(one).length === 1), 'both entries');
  watched.forEach((one) => one.stop());
});

await proxy.stop();
await server.stop();
finish();
