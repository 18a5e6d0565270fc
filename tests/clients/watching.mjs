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

const several = (amount) => Promise.all(Array.from({ length: amount }, () => cubed.createSession({ size: 2, access: 'none' })));
const opened = async (watched) => until(() => watched.every(({ events }) => events.length > 0), 'all states');

await check('several sessions share one stream, which needs no token in its address', async () => {
  const sessions = await several(10);
  proxy.log.length = 0;
  const watched = sessions.map((session) => watch(session));
  await opened(watched);
  assert.deepEqual(streams().map(({ path }) => path), ['/v1/events']);
  assert.ok(sessions.every(({ token }) => !streams()[0].query.includes(token)));
  await Promise.all(sessions.map((session, i) => session.turn(i % 2 ? 'R' : 'U')));
  await until(() => watched.every((one) => revisions(one).length === 1), 'all entries');
  watched.forEach((one, i) => assert.ok(one.events.every(({ session }) => session === sessions[i].id)));
  watched.forEach((one) => one.stop());
});

await check('sessions come and go while all are turned: each gets each entry once', async () => {
  const sessions = await several(5);
  let done = false;
  const turning = sessions.map(async (session) => {
    const writer = direct().session(session.id, { token: session.token });
    let made = 0;
    for (; !done; made++) await writer.turn('R');
    return made;
  });
  const watched = [];
  for (const session of sessions) {
    watched.push(watch(session));
    await opened(watched);
    await until(() => watched.every((one) => revisions(one).length >= watched.length), 'entries');
    if (watched.length === 3) proxy.cut();
  }
  watched[1].stop();
  await until(() => watched.every((one) => one === watched[1] || revisions(one).length >= 20), 'entries');
  done = true;
  const made = await Promise.all(turning);
  for (const [i, one] of watched.entries()) {
    const [first] = ofKind(one, 'state');
    const seen = () => revisions(one);
    if (one !== watched[1]) await until(() => seen().at(-1) === made[i], 'the last entry');
    assert.deepEqual(seen(), seen().map((_, j) => first.revision + 1 + j));
    assert.deepEqual([ofKind(one, 'state').length, ofKind(one, 'resync').length], [1, 0]);
  }
  watched.forEach((one) => one.stop());
});

await check('several sessions through a server that is killed', async () => {
  const sessions = await several(3);
  const watched = sessions.map((session) => watch(session));
  await opened(watched);
  const turning = Promise.all(sessions.map(async (session) => {
    for (let i = 0; i < 30; i++) await session.turn('U');
  }));
  await until(() => watched.every((one) => revisions(one).length >= 5), 'some entries');
  await server.kill();
  server = await Server.start(binary, store);
  proxy.target = server.url;
  await turning;
  await until(() => watched.every((one) => revisions(one).length >= 30), 'all entries');
  for (const one of watched) assert.deepEqual([revisions(one), ofKind(one, 'state').length], [Array.from({ length: 30 }, (_, i) => i + 1), 1]);
  watched.forEach((one) => one.stop());
});

await check('one that is deleted, or whose token is revoked, ends; the others go on', async () => {
  const sessions = await several(3);
  const viewer = await sessions[1].tokens.create({ role: 'viewer' });
  const watched = [watch(sessions[0]), watch(cubed.session(sessions[1].id, { token: viewer.token })), watch(sessions[2])];
  await opened(watched);
  await sessions[0].remove();
  await watched[0].ended;
  await sessions[1].tokens.revoke(viewer.id);
  await watched[1].ended;
  const endOf = ({ events, error }) => (error ? error.kind : `${events.at(-1).event} ${events.at(-1).data.reason}`);
  assert.equal(endOf(watched[0]), 'end deleted');
  // The stream of those that are left is opened with a new ticket; if the token was revoked before that, there is none.
  assert.ok(['end revoked', 'token-invalid'].includes(endOf(watched[1])), endOf(watched[1]));
  await sessions[2].turn('R');
  await until(() => revisions(watched[2]).length === 1, 'the entry');
  const stranger = watch(cubed.session(sessions[1].id, { token: viewer.token }));
  await stranger.ended;
  assert.equal(stranger.error.kind, 'token-invalid');
  await sessions[2].turn('U');
  await until(() => revisions(watched[2]).length === 2, 'the next entry');
  watched[2].stop();
});

await check('a session that is watched again beside others begins anew', async () => {
  const sessions = await several(2);
  const [first, other] = sessions.map((session) => watch(session));
  await opened([first, other]);
  await sessions[0].turn('R');
  await until(() => revisions(first).length === 1, 'the entry');
  first.stop();
  await first.ended;
  const again = watch(sessions[0]);
  await until(() => ofKind(again, 'state').length === 1, 'the state');
  assert.equal(ofKind(again, 'state')[0].revision, 1);
  again.stop();
  await again.ended;
  const live = await sessions[0].live();
  assert.deepEqual([live.size, live.revision], [2, 1]);
  live.close();
  await new Promise((done) => setTimeout(done, 50));
  const older = watch(sessions[0], { after: 0 });
  await until(() => revisions(older).length === 1, 'the entry again');
  await sessions[1].turn('U');
  await until(() => revisions(other).length === 1, 'the entry of the other session');
  assert.deepEqual([ofKind(older, 'state'), ofKind(other, 'state').length], [[], 1]);
  [older, other].forEach((one) => one.stop());
});

await check('one that is closed and opened at once gets nothing from the stream before', async () => {
  const sessions = await several(2);
  const [first, other] = sessions.map((session) => watch(session));
  await opened([first, other]);
  first.stop();
  await first.ended;
  for (let i = 1; i <= 5; i++) {
    const ended = [];
    for await (const event of sessions[0].watch()) {
      ended.push(event);
      if (event.event === 'entry') break;
      if (event.event === 'state') sessions[0].turn('R');
    }
    assert.deepEqual([ended[0].event, ended[0].data.revision], ['state', i - 1]);
  }
  other.stop();
});

await check('one whose missed entries are refused ends alone', async () => {
  const sessions = await several(3);
  await sessions[2].turn('R');
  const watched = sessions.slice(0, 2).map((session) => watch(session));
  await opened(watched);
  proxy.fault = ({ path }) => (path.endsWith('/history') ? { status: 403, type: 'urn:cubed:problem:role-too-small' } : undefined);
  const refused = watch(sessions[2], { after: 0 });
  await refused.ended;
  proxy.fault = () => undefined;
  assert.equal(refused.error.kind, 'role-too-small');
  await Promise.all(sessions.slice(0, 2).map((session) => session.turn('U')));
  await until(() => watched.every((one) => revisions(one).length === 1), 'the entries of the others');
  watched.forEach((one) => one.stop());
});

await check('settings that changed meanwhile come with the missed entries', async () => {
  const sessions = await several(2);
  await sessions[0].turn('R');
  await sessions[0].configure({ name: 'Renamed', access: 'view' });
  const other = watch(sessions[1]);
  await opened([other]);
  const again = watch(sessions[0], { after: 0 });
  await until(() => revisions(again).length === 1, 'the entry');
  assert.deepEqual(again.events.map(({ event }) => event).filter((event) => event !== 'presence'), ['session', 'entry']);
  const [{ id, name, access, listed, turn_policy: policy, updated_at: time, ...rest }] = ofKind(again, 'session');
  assert.deepEqual([id, name, access, listed, policy], [sessions[0].id, 'Renamed', 'view', false, 'free']);
  assert.equal(time, (await sessions[0].read()).updated_at);
  assert.deepEqual(Object.keys(rest).filter((key) => key !== 'session'), []);
  [other, again].forEach((one) => one.stop());
});

await check('an id of an event continues one session, also from a stream of several', async () => {
  const sessions = await several(2);
  const watched = sessions.map((session) => watch(session));
  await opened(watched);
  await sessions[0].turn('R');
  await until(() => revisions(watched[0]).length === 1, 'the entry');
  const { id } = watched[0].events.findLast(({ event }) => event === 'entry');
  watched.forEach((one) => one.stop());
  await sessions[0].turn('U');
  const again = watch(sessions[0], { after: id });
  await until(() => revisions(again).length > 0, 'the entry after it');
  assert.deepEqual([revisions(again), ofKind(again, 'state')], [[2], []]);
  again.stop();
});

await check('a stream that is refused for a while is asked for again after Retry-After', async () => {
  const session = await cubed.createSession({ size: 3 });
  const faults = [{ status: 429, headers: { 'Retry-After': '1' } }];
  proxy.fault = ({ path }) => (path.endsWith('/events') ? faults.shift() : undefined);
  const begin = performance.now();
  const watched = watch(session);
  await opened([watched]);
  proxy.fault = () => undefined;
  assert.ok(performance.now() - begin >= 1000);
  watched.stop();
});

await check('leaving the loop closes the stream', async () => {
  const session = await cubed.createSession({ size: 3 });
  for await (const event of session.watch()) {
    assert.equal(event.event, 'state');
    break;
  }
  const { length } = streams();
  await new Promise((done) => setTimeout(done, 500)); // bound: nothing comes
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
