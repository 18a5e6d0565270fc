// Patterns of a session's own: kept with it, named by all that may see it.

import assert from 'node:assert/strict';

const LAYER = { faces: '111111111 ****2*222 3**33*3** **4*44**4 555*5**** *********' };
const STAR = '*********';

/** A session with an editor and a viewer. */
async function shared(client, more = {}) {
  const session = await client.session({ size: 3, access: 'view', ...more });
  const token = async (role) => (await client.expect(201, 'POST', `${session.path}/tokens`, { role })).token;
  return { ...session, owner: session.token, editor: await token('editor'), viewer: await token('viewer') };
}

const put = (client, name, pattern, token, more = {}) => client.send('PUT', `/v1/patterns/${name}`, { json: { pattern, ...more }, token });
const own = async (client, token, query = '') => (await client.expect(200, 'GET', `/v1/patterns${query}`, undefined, { token })).items.filter((item) => item.own);

async function refused(client, status, type, ...request) {
  const answer = await put(client, ...request);
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.json.type, `urn:cubed:problem:${type}`);
  return answer.json;
}

export default [
  ['a pattern is stored, read, listed, replaced and deleted', async ({ client }) => {
    const session = await shared(client);
    const made = await put(client, 'my-layer', LAYER, session.editor, { title: 'Mine' });
    assert.equal(made.status, 201);
    assert.equal(made.headers.location, `/v1/patterns/my-layer?session=${session.id}`);
    const { updated_at: at, ...row } = made.json;
    assert.deepEqual(row, { name: 'my-layer', title: 'Mine', sizes: { min: 3, max: 3 }, layer: null, source: null, own: true, setup: null, size: 3, pattern: LAYER });
    for (const token of [session.owner, session.editor, session.viewer]) {
      assert.deepEqual(await client.expect(200, 'GET', '/v1/patterns/my-layer', undefined, { token }), made.json);
    }
    assert.deepEqual(await client.expect(200, 'GET', made.headers.location, undefined, { token: null }), made.json, 'whoever sees the session');
    await client.expect(404, 'GET', '/v1/patterns/my-layer', undefined, { token: null });
    const other = await client.session();
    await client.expect(404, 'GET', '/v1/patterns/my-layer', undefined, { token: other.token });
    const again = await put(client, 'my-layer', '******'.split('').map(() => STAR).join(' '), session.owner);
    assert.deepEqual([again.status, again.json.title, again.headers.location], [200, null, undefined]);
    assert.equal((await put(client, 'a', { pieces: { UF: 'home' } }, session.owner, { size: 5 })).status, 201);
    assert.deepEqual((await own(client, session.viewer)).map(({ name, sizes }) => [name, sizes.min]), [['a', 5], ['my-layer', 3]]);
    assert.deepEqual((await own(client, session.viewer, '?size=5')).map(({ name }) => name), ['a']);
    assert.deepEqual(await own(client, null), []);
    assert.equal((await own(client, null, `?session=${session.id}`)).length, 2);
    await client.expect(200, 'GET', '/v1/patterns/a?size=5', undefined, { token: session.owner });
    await client.expect(400, 'GET', '/v1/patterns/a?size=3', undefined, { token: session.owner });
    await client.expect(200, 'GET', `/v1/patterns/f2l?session=${session.id}`, undefined, { token: null });
    await client.expect(204, 'DELETE', '/v1/patterns/a', undefined, { token: session.editor });
    await client.expect(404, 'DELETE', '/v1/patterns/a', undefined, { token: session.editor });
    await client.expect(404, 'DELETE', '/v1/patterns/f2l', undefined, { token: session.editor });
    assert.equal((await own(client, session.owner)).length, 1);
    assert.equal((await client.expect(200, 'GET', session.path)).revision, 0);
  }],

  ['it is found by name wherever its session is named or its token is sent', async ({ client }) => {
    const session = await shared(client, { access: 'none' });
    const other = await shared(client);
    await put(client, 'mine', LAYER, session.owner);
    await put(client, 'mine', { name: 'superflip' }, other.owner);
    const named = { pattern: { all: [{ not: { name: 'solved' } }, { any: [{ name: 'mine' }, { name: 'mine' }] }] } };
    const moves = "U R U R' U R U2 R'";
    const fits = async (body, token) => (await client.expect(200, 'POST', '/v1/match', { ...body, ...named }, { token })).matches.length;
    assert.equal(await fits({ cube: { moves } }, session.viewer), 4);
    assert.equal(await fits({ cube: { moves } }, other.viewer), 0);
    const missing = await client.expect(422, 'POST', '/v1/match', { cube: { moves }, ...named }, { token: null });
    assert.deepEqual([missing.type, missing.pointer], ['urn:cubed:problem:bad-pattern', '/pattern/all/1/any/0/name']);
    await client.expect(200, 'POST', `${session.path}/moves`, { moves }, { token: session.owner });
    // The session that the request is about comes before that of the token; both are looked in.
    assert.equal(await fits({ cube: { session: other.id, moves } }, session.viewer), 0);
    assert.equal(await fits({ cube: { session: session.id } }, session.viewer), 4);
    await put(client, 'hers', { not: { name: 'solved' } }, session.owner);
    const { matches } = await client.expect(200, 'POST', '/v1/match', { cube: { session: other.id, moves: 'R' }, pattern: { name: 'hers' } }, { token: session.viewer });
    assert.equal(matches.length, 24);
    const found = await client.expect(200, 'POST', `${session.path}/find`, { pattern: { name: 'mine' } }, { token: session.viewer });
    assert.deepEqual(found.matches.map(({ revision, move }) => [revision, move]), [[0, 0], [1, 8]]);
    await put(client, 'layered', { ...LAYER, layer: 'last' }, session.owner);
    assert.equal((await client.expect(200, 'GET', '/v1/patterns/layered', undefined, { token: session.viewer })).layer, 'last');
    const { stages } = await client.expect(200, 'POST', `${session.path}/find`, { patterns: [{ name: 'mine' }, { name: 'hers' }] }, { token: session.viewer });
    assert.deepEqual(stages.map((stage) => [stage.name, stage.move]), [['mine', 0], ['hers', 1]]);
    const page = await client.expect(200, 'POST', '/v1/search?limit=100', { ...named, size: 3 }, { token: session.viewer });
    assert.ok(page.items.some(({ id }) => id === session.id));
    const public_ = await client.expect(200, 'POST', `${other.path}/find`, { pattern: { name: 'mine' } }, { token: null });
    assert.deepEqual(public_.matches, []);
  }],

  ['errors in patterns are reported with their place', async ({ client }) => {
    const session = await shared(client);
    const { owner, viewer } = session;
    assert.match((await refused(client, 401, 'token-required', 'x', LAYER, null)).suggestion, /Bearer/);
    await refused(client, 403, 'role-too-small', 'x', LAYER, viewer);
    await refused(client, 409, 'name-taken', 'f2l', LAYER, owner);
    assert.equal((await refused(client, 422, 'bad-pattern', 'x', { name: 'f2' }, owner)).suggestion, 'f2l');
    await refused(client, 422, 'bad-pattern', 'x', LAYER, owner, { size: 4 });
    assert.equal((await refused(client, 422, 'bad-pattern', 'x', { all: [{ faces: 'x' }] }, owner)).pointer, '/pattern/all/0/faces');
    await put(client, 'x', LAYER, owner);
    await refused(client, 422, 'bad-pattern', 'y', { not: { name: 'x' } }, owner);
    for (const [body, pointer] of [[{}, '/pattern'], [{ pattern: 3 }, '/pattern'], [{ pattern: LAYER, size: 1 }, '/size'], [{ pattern: LAYER, title: 'x'.repeat(33) }, '/title'], [{ pattern: LAYER, name: 'x' }, '/name']]) {
      const answer = await client.send('PUT', '/v1/patterns/y', { json: body, token: owner });
      assert.deepEqual([answer.status, answer.json.pointer], [400, pointer]);
    }
    for (const name of ['X', '-x', 'x_y', 'x.y', 'x%20y', '%C3%A4', 'x'.repeat(65)]) {
      const answer = await client.send('PUT', `/v1/patterns/${name}`, { json: { pattern: LAYER }, token: owner }).catch((error) => error);
      assert.ok(answer.status === 400 || /parameter/.test(answer.message), `${name}: ${answer.status ?? answer.message}`);
    }
    await client.expect(400, 'GET', '/v1/patterns?session=x');
    await client.expect(404, 'GET', '/v1/patterns?session=0123456789abcdef', undefined, { token: null });
    const narrow = await client.expect(422, 'POST', '/v1/match', { cube: { size: 2 }, pattern: { name: 'x' } }, { token: owner });
    assert.match(narrow.detail, /size 3/);
    await client.expect(204, 'DELETE', session.path);
    await refused(client, 410, 'gone', 'x', LAYER, owner);
    assert.deepEqual(await own(client, owner), []);
    await client.expect(422, 'POST', '/v1/match', { cube: {}, pattern: { name: 'x' } }, { token: owner });
  }],

  ['an own pattern can refer to common patterns only', async ({ client }) => {
    const { token } = await client.session();
    assert.equal((await put(client, 'mine', LAYER, token)).status, 201);
    const refusal = await refused(client, 422, 'bad-pattern', 'other', { all: [{ name: 'cross' }, { name: 'mine' }] }, token);
    assert.match(refusal.detail, /own pattern can refer only to common patterns/);
    assert.equal(refusal.pointer, '/pattern/all/1/name');
  }],

  ['the number and the length of own patterns are limited', async ({ client }) => {
    const { token } = await client.session({ size: 2 });
    const largest = `${'*'.repeat(10000)} `.repeat(6).trim();
    assert.equal((await put(client, 'p0', largest, token, { size: 100 })).status, 201);
    const long = await refused(client, 422, 'bad-pattern', 'long', { any: [largest, largest] }, token, { size: 100 });
    assert.match(long.detail, /65536/);
    const names = Array.from({ length: 99 }, (_, i) => `p${i + 1}`);
    await Promise.all(names.map(async (name) => assert.equal((await put(client, name, { pieces: { URF: 'home' } }, token)).status, 201)));
    await refused(client, 409, 'patterns-full', 'p100', { name: 'solved' }, token);
    assert.equal((await put(client, 'p99', { name: 'solved' }, token)).status, 200);
    assert.equal((await own(client, token)).length, 100);
    await client.expect(204, 'DELETE', '/v1/patterns/p1', undefined, { token });
    assert.equal((await put(client, 'p100', { name: 'solved' }, token)).status, 201);
  }],

  ['a repeated request is executed once; simultaneous ones are all stored', async ({ client }) => {
    const { token } = await client.session();
    const send = (pattern, key) => client.send('PUT', '/v1/patterns/mine', { json: { pattern }, token, headers: { 'idempotency-key': key } });
    const key = `${Math.random()}`;
    const [one, other] = await Promise.all([send(LAYER, key), send(LAYER, key)]);
    assert.deepEqual([one.status, one.text, one.headers.location], [201, other.text, other.headers.location]);
    assert.equal((await send({ name: 'f2l' }, key)).status, 422);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put(client, `n${i % 5}`, { pieces: { UF: 'home' } }, token)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    assert.equal((await own(client, token)).length, 6);
  }],

  ['patterns survive a restart and a kill', async (talk) => {
    if (!talk.persistent) return;
    const { token } = await talk.client.session();
    const kept = (await put(talk.client, 'mine', LAYER, token, { title: 'Größe' })).json;
    await put(talk.client, 'gone', LAYER, token);
    await talk.client.expect(204, 'DELETE', '/v1/patterns/gone', undefined, { token });
    for (const how of ['kill', 'stop']) {
      await talk.restart(how);
      assert.deepEqual(await talk.client.expect(200, 'GET', '/v1/patterns/mine', undefined, { token }), kept);
      await talk.client.expect(404, 'GET', '/v1/patterns/gone', undefined, { token });
    }
  }],
];
