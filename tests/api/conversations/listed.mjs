// Nothing is public by accident: only what was listed is in lists and searches. Answers without cubes.

import assert from 'node:assert/strict';

const MOVES = "R U' F2 L D B' R2 D2";

async function everyListed(client, token) {
  const ids = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await client.expect(200, 'GET', `/v1/sessions?limit=100${cursor && `&cursor=${cursor}`}`, undefined, { token });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

/** Returns the ways in which a stranger finds the session: in the list, by its cube, by a pattern. */
async function found(client, { id }) {
  const list = await everyListed(client, null);
  const searched = [];
  for (const body of [{ cube: { moves: MOVES } }, { pattern: { not: { name: 'superflip' } }, size: 3 }]) {
    const { items } = await client.expect(200, 'POST', '/v1/search?limit=100', body, { token: null });
    searched.push(items.some((session) => session.id === id));
  }
  return [list.includes(id), ...searched];
}

export default [
  ['a session is in lists and searches only if it is listed, whatever its access', async ({ client }) => {
    for (const access of ['edit', 'view', 'none']) {
      const session = await client.session({ cube: { moves: MOVES }, access });
      assert.equal(session.listed, false);
      assert.deepEqual(await found(client, session), [false, false, false], access);
      if (access === 'none') continue;
      const { listed } = await client.expect(200, 'PATCH', session.path, { listed: true });
      assert.equal(listed, true);
      assert.deepEqual(await found(client, session), [true, true, true], access);
      assert.equal((await client.expect(200, 'PATCH', session.path, { listed: false })).listed, false);
      assert.deepEqual(await found(client, session), [false, false, false], access);
    }
    const listed = await client.session({ cube: { moves: MOVES }, listed: true });
    assert.deepEqual([listed.listed, listed.access], [true, 'view']);
    assert.deepEqual(await found(client, listed), [true, true, true]);
    await client.send('DELETE', listed.path);
    assert.deepEqual(await found(client, listed), [false, false, false], 'deleted');
  }],

  ['what nobody may see cannot be listed', async ({ client }) => {
    const refused = async (method, path, body) => {
      const problem = await client.expect(400, method, path, body);
      assert.deepEqual([problem.type, problem.pointer], ['urn:cubed:problem:bad-member', '/listed']);
    };
    await refused('POST', '/v1/sessions', { size: 3, access: 'none', listed: true });
    const session = await client.session({ cube: { moves: MOVES }, listed: true });
    await refused('PATCH', session.path, { access: 'none', listed: true });
    assert.equal((await client.expect(200, 'GET', session.path)).access, 'view', 'nothing was done');
    const closed = await client.expect(200, 'PATCH', session.path, { access: 'none' });
    assert.deepEqual([closed.access, closed.listed], ['none', false]);
    await refused('PATCH', session.path, { listed: true });
    const open = await client.expect(200, 'PATCH', session.path, { access: 'edit' });
    assert.deepEqual([open.access, open.listed], ['edit', false], 'it is not listed again by accident');
    assert.deepEqual(await found(client, session), [false, false, false]);
    for (const wrong of [1, 'true', null]) await client.expect(400, 'PATCH', session.path, { listed: wrong });
  }],

  ['only an owner may list a session', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const { token } = await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'editor' });
    await client.expect(401, 'PATCH', session.path, { listed: true }, { token: null });
    await client.expect(403, 'PATCH', session.path, { listed: true }, { token });
  }],

  ['listing is a change: another ETag, and a retry is answered the same', async ({ client }) => {
    const session = await client.session({ size: 2 });
    const before = await client.send('GET', session.path);
    const headers = { 'idempotency-key': `list ${session.id}`.replace(' ', '-') };
    const first = await client.send('PATCH', session.path, { json: { listed: true }, headers });
    assert.notEqual(first.headers.etag.split('.')[0], before.headers.etag.split('.')[0]);
    await client.expect(200, 'PATCH', session.path, { listed: false });
    const again = await client.send('PATCH', session.path, { json: { listed: true }, headers });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(again.json, first.json);
    assert.equal((await client.expect(200, 'GET', session.path)).listed, false);
  }],

  ['a copy, a scramble and a book of solves are not listed', async ({ client }) => {
    const session = await client.session({ cube: { moves: MOVES }, listed: true });
    const copy = await client.session({ cube: { session: session.id } });
    assert.equal(copy.listed, false);
    const before = await everyListed(client, null);
    await client.expect(201, 'POST', '/v1/solves', { time_ms: 12340, scramble: 'R U F' }, { token: null });
    assert.deepEqual(await everyListed(client, null), before);
  }],

  ['as=none and Prefer: return=minimal leave the cube out', async ({ client }) => {
    const session = await client.session({ size: 30, access: 'edit' });
    const turn = (query, options) => client.post(`${session.path}/moves${query}`, { moves: 'R' }, options);
    const full = await turn('');
    assert.ok(full.json.cube.facelets);
    assert.equal(full.headers['preference-applied'], undefined);
    const none = await turn('?as=none');
    assert.deepEqual(Object.keys(none.json), ['revision', 'entry']);
    assert.equal(none.headers['preference-applied'], undefined);
    for (const prefer of ['return=minimal', 'respond-async, Return=Minimal; x=1, wait=3']) {
      const minimal = await turn('', { headers: { prefer } });
      assert.deepEqual([minimal.status, Object.keys(minimal.json)], [200, ['revision', 'entry']]);
      assert.equal(minimal.headers['preference-applied'], 'return=minimal');
      assert.ok(minimal.text.length < 300);
    }
    for (const prefer of ['return=representation', 'return=minimally', 'x="return=minimal"']) {
      assert.ok((await turn('', { headers: { prefer } })).json.cube, prefer);
    }
    const writes = [['undo', {}], ['redo', {}], ['scramble', { seed: 'x' }], ['reset', {}]];
    for (const [call, body] of writes) {
      const answer = await client.post(`${session.path}/${call}`, body, { headers: { prefer: 'return=minimal' } });
      assert.deepEqual(Object.keys(answer.json), ['revision', 'entry']);
    }
    assert.equal((await client.expect(200, 'GET', `${session.path}?as=none`)).cube, undefined);
    assert.deepEqual(Object.keys(await client.expect(200, 'GET', `${session.path}/cube?as=none`)), ['revision']);
    assert.equal((await client.expect(200, 'PATCH', `${session.path}?as=none`, { name: 'x' })).cube, undefined);
    assert.equal((await client.expect(201, 'POST', '/v1/sessions?as=none', { size: 3 })).cube, undefined);
    assert.equal((await client.expect(200, 'POST', '/v1/apply?as=none', { moves: 'R' })).cube, undefined);
    await client.expect(400, 'GET', `${session.path}?as=none,faces`);
    const stale = await client.expect(409, 'POST', `${session.path}/moves?as=none`, { moves: 'R', revision: 0 });
    assert.ok(stale.missed.length > 0 && !stale.cube);
    const seen = (await client.get(session.path, { headers: { prefer: 'return=minimal' } })).json;
    assert.ok(seen.cube, 'only of writes');
  }],

  ['a retry of a minimal answer is minimal, whatever the retry prefers', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const send = (key, prefer) =>
      client.post(`${session.path}/moves`, { moves: 'R' }, { headers: { 'idempotency-key': key, ...(prefer ? { prefer } : {}) } });
    for (const [key, first, second] of [['minimal', 'return=minimal', ''], ['whole', '', 'return=minimal']]) {
      const [a, b] = [await send(`${key}-${session.id}`, first), await send(`${key}-${session.id}`, second)];
      assert.equal(b.headers['idempotent-replayed'], 'true');
      assert.equal(b.text, a.text);
      assert.equal(b.headers['preference-applied'], a.headers['preference-applied']);
    }
  }],
];
