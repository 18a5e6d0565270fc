// Guests of a token and names: all who share one link are told apart, and go together with it. Standing: what can be
// undone, who turned last, whose turn it is.

import assert from 'node:assert/strict';
import { happens } from '../../support/patience.mjs';

const create = async (client, path, json, token) => client.expect(201, 'POST', `${path}/tokens`, json, { token });

const refused = async (client, status, name, method, path, json, token) => {
  const problem = await client.expect(status, method, path, json, { token });
  assert.equal(problem.type, `urn:cubed:problem:${name}`);
  return problem;
};

/** A session with the token of a link and two guests of it. */
async function linked(client, settings = {}) {
  const session = await client.session({ size: 2, ...settings });
  const link = await create(client, session.path, { role: 'editor' }, session.token);
  const bo = await create(client, session.path, { role: 'editor', label: 'Bo' }, link.token);
  const cy = await create(client, session.path, { role: 'editor', label: 'Cy' }, link.token);
  return { ...session, link, bo, cy };
}

const turn = (client, { path }, token, moves = 'R') => client.expect(200, 'POST', `${path}/moves`, { moves }, { token });

const standing = async (client, { path }, token) => (await client.expect(200, 'GET', `${path}?as=none`, undefined, { token })).standing;

/** The events of a session, as they come: [name, data]. */
async function watch(client, { path }, token) {
  const events = [];
  const stop = new AbortController();
  const answer = await fetch(`${client.url}${path}/events`, { headers: { accept: 'application/x-ndjson', authorization: `Bearer ${token}` }, signal: stop.signal });
  assert.equal(answer.status, 200);
  const reading = (async () => {
    let rest = '';
    for await (const bytes of answer.body) {
      const lines = (rest + Buffer.from(bytes).toString()).split('\n');
      rest = lines.pop();
      for (const line of lines) events.push([JSON.parse(line).event, JSON.parse(line).data]);
    }
  })().catch(() => {});
  const until = async (what, found) => {
    const hit = await happens(() => events.find(([event, data]) => found(event, data)));
    return hit ? hit[1] : assert.fail(`${what}: ${JSON.stringify(events)}`);
  };
  return { until, close: () => (stop.abort(), reading) };
}

export default [
  ['a guest acts under a name of its own', async ({ client }) => {
    const s = await linked(client);
    assert.deepEqual([s.link.parent, s.bo.parent, s.cy.parent], [null, s.link.id, s.link.id]);
    const { entry } = await turn(client, s, s.bo.token);
    assert.deepEqual(entry.actor, { id: s.bo.id, label: 'Bo', role: 'editor' });
    const { items } = await client.expect(200, 'GET', `${s.path}/tokens`);
    assert.deepEqual(items.map(({ id, parent }) => [id, parent]), [['1', null], ['2', null], ['3', '2'], ['4', '2']]);
  }],

  ['a guest has at most the role of the token it is created with', async ({ client }) => {
    const s = await linked(client);
    const viewer = await create(client, s.path, { role: 'viewer' }, s.bo.token);
    const guest = await create(client, s.path, { role: 'viewer' }, viewer.token);
    assert.equal(guest.parent, viewer.id);
    for (const [role, token] of [['owner', s.bo.token], ['editor', viewer.token], ['owner', guest.token]]) {
      await refused(client, 403, 'role-too-small', 'POST', `${s.path}/tokens`, { role }, token);
    }
    await client.expect(200, 'PATCH', s.path, { access: 'edit' });
    await refused(client, 403, 'role-too-small', 'POST', `${s.path}/tokens`, { role: 'editor' }, viewer.token);
    await refused(client, 401, 'token-required', 'POST', `${s.path}/tokens`, { role: 'viewer' }, null);
    const other = await client.session();
    await refused(client, 401, 'token-required', 'POST', `${s.path}/tokens`, { role: 'viewer' }, other.token);
  }],

  ['guests are revoked with their parent, and theirs with them, after a restart too', async (talk) => {
    let { client } = talk;
    const s = await linked(client, { access: 'none' });
    const later = await create(client, s.path, { role: 'viewer', label: 'Di' }, s.bo.token);
    const stays = await create(client, s.path, { role: 'editor', label: 'Ed' }, s.token);
    await turn(client, s, s.bo.token);
    await client.expect(204, 'DELETE', `${s.path}/tokens/${s.link.id}`);
    const check = async () => {
      for (const { token } of [s.link, s.bo, s.cy, later]) await refused(client, 401, 'token-invalid', 'GET', s.path, undefined, token);
      await client.expect(200, 'GET', s.path, undefined, { token: stays.token });
      const { items } = await client.expect(200, 'GET', `${s.path}/tokens`, undefined, { token: s.token });
      const [link] = items.filter(({ id }) => id === s.link.id);
      assert.ok(link.revoked_at);
      assert.deepEqual(items.map(({ revoked_at: at }) => at), [null, link.revoked_at, link.revoked_at, link.revoked_at, link.revoked_at, null]);
      const { items: [entry] } = await client.expect(200, 'GET', `${s.path}/history`, undefined, { token: s.token });
      assert.equal(entry.actor.label, 'Bo', 'what was done keeps its name');
    };
    await check();
    if (!talk.persistent) return;
    await talk.restart();
    client = talk.client;
    await check();
  }],

  ['only one guest is revoked if the owner revokes that one', async ({ client }) => {
    const s = await linked(client);
    await client.expect(204, 'DELETE', `${s.path}/tokens/${s.bo.id}`);
    await refused(client, 401, 'token-invalid', 'GET', s.path, undefined, s.bo.token);
    await turn(client, s, s.cy.token);
    await turn(client, s, s.link.token);
  }],

  ['everybody names themselves, an owner anybody, and the history follows', async ({ client }) => {
    const s = await linked(client);
    await turn(client, s, s.bo.token);
    const before = await client.get(`${s.path}/history`);
    const renamed = await client.expect(200, 'PATCH', `${s.path}/tokens/self`, { label: 'Bob' }, { token: s.bo.token });
    assert.deepEqual([renamed.id, renamed.label, renamed.parent, 'token' in renamed], [s.bo.id, 'Bob', s.link.id, false]);
    const after = await client.get(`${s.path}/history`, { headers: { 'if-none-match': before.headers.etag } });
    assert.equal(after.status, 200, 'the history shows the name, so it is another one');
    assert.equal(after.json.items[0].actor.label, 'Bob');
    await client.expect(200, 'PATCH', `${s.path}/tokens/${s.bo.id}`, { label: null }, { token: s.bo.token });
    await client.expect(200, 'PATCH', `${s.path}/tokens/${s.bo.id}`, { label: 'Bo' });
    await refused(client, 403, 'role-too-small', 'PATCH', `${s.path}/tokens/${s.cy.id}`, { label: 'x' }, s.bo.token);
    await refused(client, 403, 'role-too-small', 'PATCH', `${s.path}/tokens/99`, { label: 'x' }, s.bo.token);
    await refused(client, 404, 'not-found', 'PATCH', `${s.path}/tokens/99`, { label: 'x' }, s.token);
    await client.expect(204, 'DELETE', `${s.path}/tokens/${s.cy.id}`);
    await refused(client, 404, 'not-found', 'PATCH', `${s.path}/tokens/${s.cy.id}`, { label: 'x' }, s.token);
    await refused(client, 401, 'token-required', 'PATCH', `${s.path}/tokens/self`, { label: 'x' }, null);
    for (const json of [{}, { label: 3 }, { label: 'x'.repeat(33) }, { label: 'x', role: 'owner' }]) {
      await refused(client, 400, 'bad-member', 'PATCH', `${s.path}/tokens/self`, json, s.bo.token);
    }
  }],

  ['guests are limited, and leave room for the tokens of owners', async ({ client }) => {
    const { guests, tokens } = (await client.expect(200, 'GET', '/v1/limits')).limits;
    assert.ok(guests.value < tokens.value);
    const s = await client.session({ size: 2 });
    const link = await create(client, s.path, { role: 'editor' }, s.token);
    for (let i = 0; i < guests.value; i += 20) {
      await Promise.all(Array.from({ length: Math.min(20, guests.value - i) }, () => create(client, s.path, { role: 'editor' }, link.token)));
    }
    await refused(client, 409, 'tokens-full', 'POST', `${s.path}/tokens`, { role: 'viewer' }, link.token);
    await client.expect(204, 'DELETE', `${s.path}/tokens/${link.id}`);
    const next = await create(client, s.path, { role: 'editor' }, s.token);
    await refused(client, 409, 'tokens-full', 'POST', `${s.path}/tokens`, { role: 'viewer' }, next.token);
    await turn(client, s, next.token);
  }],

  ['the session says who the caller is, each caller for themselves', async ({ client }) => {
    const s = await linked(client);
    const viewer = await create(client, s.path, { role: 'viewer' }, s.token);
    const you = async (token, headers) => client.get(s.path, { token, headers });
    assert.deepEqual((await you(s.token)).json.you, { id: '1', label: null, role: 'owner' });
    assert.deepEqual((await you(s.bo.token)).json.you, { id: s.bo.id, label: 'Bo', role: 'editor' });
    assert.deepEqual((await you(viewer.token)).json.you, { id: viewer.id, label: null, role: 'viewer' });
    const nobody = await you(null);
    assert.deepEqual(nobody.json.you, { id: null, label: null, role: 'viewer' });
    const { etag } = nobody.headers;
    assert.equal((await you(null, { 'if-none-match': etag })).status, 304);
    assert.equal((await you(s.bo.token, { 'if-none-match': etag })).status, 200);
    const changed = await client.send('PATCH', s.path, { json: { access: 'edit' }, token: s.token, headers: { 'if-match': etag } });
    assert.equal(changed.status, 200, 'the state is the same for all');
    assert.deepEqual((await you(viewer.token)).json.you.role, 'editor', 'a token never takes a right away');
    assert.equal((await you(null)).json.you.role, 'editor');
  }],

  ['standing: what can be undone and redone, and who turned last', async ({ client }) => {
    const s = await linked(client);
    const bo = { id: s.bo.id, label: 'Bo', role: 'editor' };
    const ann = { id: '1', label: null, role: 'owner' };
    assert.deepEqual(await standing(client, s), { revision: 0, undoable: 0, redoable: 0, last: null, next: null });
    await turn(client, s, s.bo.token);
    await turn(client, s, s.token, 'U');
    await turn(client, s, s.token, 'F');
    assert.deepEqual(await standing(client, s), { revision: 3, undoable: 3, redoable: 0, last: ann, next: null });
    await client.expect(200, 'POST', `${s.path}/undo`, { count: 2 }, { token: s.token });
    assert.deepEqual(await standing(client, s), { revision: 4, undoable: 1, redoable: 2, last: bo, next: null });
    await client.expect(200, 'POST', `${s.path}/undo`, {}, { token: s.bo.token });
    assert.deepEqual(await standing(client, s), { revision: 5, undoable: 0, redoable: 3, last: null, next: null });
    await client.expect(200, 'POST', `${s.path}/redo`, { count: 2 }, { token: s.bo.token });
    assert.deepEqual(await standing(client, s), { revision: 6, undoable: 2, redoable: 1, last: ann, next: null });
  }],

  ['standing is the same after a restart, also right after undo', async (talk) => {
    let { client } = talk;
    if (!talk.persistent) return;
    const s = await linked(client, { turn_policy: 'round-robin' });
    await turn(client, s, s.token);
    await turn(client, s, s.bo.token, 'U');
    await turn(client, s, s.cy.token, 'F');
    await client.expect(200, 'POST', `${s.path}/undo`, {}, { token: s.cy.token });
    const before = await standing(client, s, s.token);
    assert.equal(before.last.label, 'Bo');
    assert.equal(before.next.label, 'Cy');
    await talk.restart();
    client = talk.client;
    assert.deepEqual(await standing(client, s, s.token), before);
    await refused(client, 403, 'not-your-turn', 'POST', `${s.path}/moves`, { moves: 'R' }, s.bo.token);
    await turn(client, s, s.cy.token);
  }],

  ['guests take turns, and the link they came by does not', async ({ client }) => {
    const s = await linked(client, { turn_policy: 'round-robin' });
    await turn(client, s, s.token);
    assert.equal((await standing(client, s)).next.label, 'Bo');
    await refused(client, 403, 'not-your-turn', 'POST', `${s.path}/moves`, { moves: 'R' }, s.link.token);
    await turn(client, s, s.bo.token);
    await turn(client, s, s.cy.token);
    assert.equal((await standing(client, s)).next.id, '1');
    await client.expect(200, 'PATCH', s.path, { turn_policy: 'alternate' });
    await turn(client, s, s.bo.token);
    await refused(client, 403, 'not-your-turn', 'POST', `${s.path}/moves`, { moves: 'R' }, s.bo.token);
    await turn(client, s, s.cy.token);
  }],

  ['watchers see who is here, new names, and the standing', async ({ client }) => {
    const s = await linked(client);
    const { until, close } = await watch(client, s, s.bo.token);
    try {
      const state = await until('the state', (event) => event === 'state');
      assert.deepEqual(state.you, { id: s.bo.id, label: 'Bo', role: 'editor' });
      assert.equal(state.standing.undoable, 0);
      const here = await until('presence', (event) => event === 'presence');
      assert.deepEqual(here.people, [{ id: s.bo.id, label: 'Bo', role: 'editor', watchers: 1 }]);
      await turn(client, s, s.cy.token);
      const entry = await until('the entry', (event) => event === 'entry');
      assert.deepEqual(entry.standing, { revision: 1, undoable: 1, redoable: 0, last: { id: s.cy.id, label: 'Cy', role: 'editor' }, next: null });
      await client.expect(200, 'PATCH', `${s.path}/tokens/self`, { label: 'Cyd' }, { token: s.cy.token });
      const named = await until('the new name', (event, data) => event === 'session' && data.standing.last.label === 'Cyd');
      assert.equal(named.standing.revision, 1);
      await client.expect(200, 'PATCH', `${s.path}/tokens/self`, { label: 'Bob' }, { token: s.bo.token });
      const renamed = await until('the watcher’s new name', (event, data) => event === 'presence' && data.names.includes('Bob'));
      assert.deepEqual([renamed.names, renamed.came, renamed.went], [['Bob'], ['Bob'], ['Bo']]);
      await client.expect(204, 'DELETE', `${s.path}/tokens/${s.link.id}`);
      assert.equal((await until('the end', (event) => event === 'end')).reason, 'revoked', 'the stream of a guest ends with its parent');
    } finally {
      await close();
    }
  }],
];
