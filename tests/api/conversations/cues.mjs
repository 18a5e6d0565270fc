// Cues that are shown to all who watch a session: sent as events, kept for watchers that come later, never stored.

import assert from 'node:assert/strict';
import { until } from '../../support/patience.mjs';

const STEP = {
  title: 'Cross, step 1 of 18', text: 'Die weiße Kante nach unten.', revision: 0, moves: "F' U2", position: 1,
  look: { yaw: 0.625, pitch: -0.5 }, marks: [{ places: [7, 19], kind: 'piece' }, { places: [28], kind: 'goal' }],
};

/** Reads a stream of events; `next(name)` resolves with the data of the next event of that name. */
function watch(client, path, { token = null, accept = 'application/x-ndjson', query = '' } = {}) {
  const abort = new AbortController();
  const events = [];
  const headers = { Accept: accept, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const done = (async () => {
    const answer = await fetch(`${client.url}${path}${query}`, { headers, signal: abort.signal });
    assert.equal(answer.status, 200);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of answer.body) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop();
      events.push(...lines.filter(Boolean).map((line) => JSON.parse(line)));
    }
  })().catch((error) => assert.equal(error.name, 'AbortError'));
  const next = async (name) => {
    await until(() => events.some(({ event }) => event === name), `the event ${name}`);
    return events.splice(0, events.findIndex(({ event }) => event === name) + 1).at(-1).data;
  };
  return { next, events, close: () => (abort.abort(), done) };
}

export default [
  ['everybody who watches gets a cue, in every kind of stream', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'view' });
    const plain = watch(client, `${session.path}/events`);
    const cubes = watch(client, `${session.path}/events`, { query: '?cube=true&turns=true' });
    const { ticket } = await client.expect(201, 'POST', '/v1/tickets', { sessions: [{ id: session.id }] });
    const several = watch(client, '/v1/events', { query: `?ticket=${ticket}` });
    const all = [plain, cubes, several];
    await Promise.all(all.map((stream) => stream.next('state')));
    assert.deepEqual(await client.expect(200, 'POST', `${session.path}/cue`, STEP), { watchers: 3 });
    for (const stream of all) {
      const { actor, cue, session: of } = await stream.next('cue');
      assert.deepEqual(cue, STEP);
      assert.equal(actor.role, 'owner');
      assert.equal(of, stream === several ? session.id : undefined);
    }
    await Promise.all(all.map((stream) => stream.close()));
  }],

  ['who comes later gets the last cue alone, after the state', async ({ client }) => {
    const session = await client.session({ size: 2, access: 'edit' });
    const first = watch(client, `${session.path}/events`);
    await first.next('state');
    for (const text of ['one', 'two']) await client.expect(200, 'POST', `${session.path}/cue`, { text }, { token: null });
    const late = watch(client, `${session.path}/events`, { query: '?cube=true' });
    await late.next('state');
    const { cue, actor } = await late.next('cue');
    assert.deepEqual([cue, actor], [{ text: 'two' }, null]);
    await client.expect(200, 'POST', `${session.path}/cue`, {}, { token: null });
    assert.deepEqual((await late.next('cue')).cue, {});
    await Promise.all([first.close(), late.close()]);
  }],

  ['a reaction reaches all who watch then, and does not replace the cue that is shown', async ({ client }) => {
    const session = await client.session({ size: 2, access: 'view' });
    const cue = (body) => client.expect(200, 'POST', `${session.path}/cue`, body);
    const first = watch(client, `${session.path}/events`);
    await first.next('state');
    for (const expected of [{ text: 'one' }, { reaction: 'clap' }, { reaction: 'heart' }, { reaction: 'wow' }]) {
      assert.deepEqual(await cue(expected), { watchers: 1 });
      const { cue: shown, actor } = await first.next('cue'); // before the next one: a slow watcher gets only the last
      assert.deepEqual([shown, actor.role], [expected, 'owner']);
    }
    const late = watch(client, `${session.path}/events`);
    await late.next('state');
    await cue({ reaction: 'wow' });
    assert.deepEqual([(await late.next('cue')).cue, (await late.next('cue')).cue], [{ text: 'one' }, { reaction: 'wow' }], 'none from before');
    await Promise.all([first.close(), late.close()]);
  }],

  ['a cue is no entry: nothing is stored, and nobody needs to watch', async ({ client }) => {
    const session = await client.session({ size: 2 });
    assert.deepEqual(await client.expect(200, 'POST', `${session.path}/cue`, STEP), { watchers: 0 });
    const { revision, updated_at: updated } = await client.expect(200, 'GET', session.path);
    assert.equal(revision, 0);
    assert.equal(updated, (await client.expect(200, 'GET', session.path)).updated_at);
    assert.deepEqual((await client.expect(200, 'GET', `${session.path}/history`)).items, []);
    const key = { headers: { 'idempotency-key': 'cue-1' } };
    for (const text of ['one', 'two']) {
      const answer = await client.post(`${session.path}/cue`, { text }, key);
      assert.deepEqual([answer.status, answer.headers['idempotent-replayed']], [200, undefined], 'no answer is kept');
    }
  }],

  ['a viewer may not show anything', async ({ client }) => {
    const session = await client.session({ size: 2, access: 'view' });
    const { token } = await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer' });
    assert.equal((await client.expect(403, 'POST', `${session.path}/cue`, STEP, { token })).type, 'urn:cubed:problem:role-too-small');
    await client.expect(401, 'POST', `${session.path}/cue`, STEP, { token: null });
    await client.expect(404, 'POST', '/v1/sessions/0123456789abcdef/cue', STEP);
  }],

  ['nonsense is refused, with its place', async ({ client }) => {
    const { path } = await client.session({ size: 2 });
    const mark = { places: [0], kind: 'piece' };
    const cases = [
      ['/title', { title: 'x'.repeat(101) }], ['/text', { text: 'x'.repeat(501) }], ['/text', { text: 'a\nb' }],
      ['/text', { text: 5 }], ['/text', { text: 'a\u202eb' }], ['/moves', { moves: 'R '.repeat(4001) }],
      ['/revision', { revision: -1 }], ['/position', { position: 1.5 }], ['/position', { position: 10001 }],
      ['/look', { look: {} }], ['/look', { look: { yaw: 1, pitch: '1' } }], ['/look/roll', { look: { yaw: 1, pitch: 1, roll: 1 } }],
      ['/marks', { marks: Array(17).fill(mark) }], ['/marks/1', { marks: [mark, 3] }],
      ['/marks/0/places', { marks: [{ kind: 'goal' }] }], ['/marks/0/places', { marks: [{ ...mark, places: [] }] }],
      ['/marks/0/places', { marks: [{ ...mark, places: [60000] }] }], ['/marks/0/places', { marks: [{ ...mark, places: ['1'] }] }],
      ['/marks/0/kind', { marks: [{ ...mark, kind: 'PIECE' }] }], ['/marks/0/kind', { marks: [{ places: [1] }] }],
      ['/step', { step: 1 }], ['/reaction', { reaction: 'boo' }], ['/reaction', { reaction: 'CLAP' }], ['/reaction', { reaction: 1 }],
      ['/reaction', { reaction: 'clap', text: 'x' }], ['/reaction', { position: 1, reaction: 'clap' }],
      ['', { moves: 'R '.repeat(4000), marks: Array(16).fill({ ...mark, places: Array(100).fill(12345) }) }],
    ];
    for (const [pointer, cue] of cases) {
      const problem = await client.expect(400, 'POST', `${path}/cue`, cue);
      assert.equal(problem.pointer, pointer, JSON.stringify(cue).slice(0, 100));
    }
    await client.expect(200, 'POST', `${path}/cue`, { text: 'ü'.repeat(500), title: '😀'.repeat(100) });
    await client.expect(200, 'POST', `${path}/cue`, { ...STEP, moves: 'R '.repeat(4000), text: 'ü'.repeat(500) });
  }],
];
