// Preconditions: everything stored that can be read has an ETag; If-None-Match of a read is 304; If-Match and
// If-None-Match guard every change.

import assert from 'node:assert/strict';
import { Client, exchange } from '../client.mjs';

const json = (value) => ({ json: value });

/** A session with a history, two tokens, a pattern and a solve, and where each of them is. */
async function things(client) {
  const session = await client.session({ size: 3, name: 'one', access: 'edit' });
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: "R U R' U'" });
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'F' });
  await client.expect(200, 'POST', `${session.path}/undo`, {});
  await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer', label: 'Bo' });
  const pattern = `/v1/patterns/mine?session=${session.id}`;
  await client.expect(201, 'PUT', pattern, { pattern: { name: 'f2l' }, title: 'one' });
  const solve = await client.expect(201, 'POST', '/v1/solves', { session: session.id, scramble: 'R U F', solution: "F' U' R'" });
  return { session, path: session.path, pattern, solve: `/v1/solves/${solve.id}`, tokens: `${session.path}/tokens` };
}

/** The reads of a session: [target, options]. All before the line are representations of the session. */
const sessionReads = ({ path }) => [
  [path, {}],
  [path, { accept: 'text/plain' }],
  [path, { accept: 'image/svg+xml' }],
  [`${path}?as=poses`, {}],
  [`${path}?as=cubies`, {}],
  [`${path}?as=cubies&order=reid`, {}],
  [`${path}?color=always`, { accept: 'text/plain' }],
  [`${path}?view=net`, { accept: 'image/svg+xml' }],
  [`${path}?colors=okabe-ito`, { accept: 'image/svg+xml' }],
  [`${path}/cube`, {}],
  [`${path}/cube?at=0`, {}],
  [`${path}/history`, {}],
  [`${path}/history?after=1`, {}],
  [`${path}/history?limit=1`, {}],
  [`${path}/history`, { accept: 'application/x-ndjson' }],
];
const otherReads = ({ pattern, solve, tokens }) => [[tokens, {}], [pattern, {}], [solve, {}]];

const etagOf = async (client, target, options = {}) => (await client.send('GET', target, options)).headers.etag;
const withHeaders = (options, headers) => ({ ...options, headers });
const state = (etag) => etag.slice(1, -1).split('.')[0];

/** Every change: what it is about, and a request. `after` makes it possible again. */
const changes = (at) => [
  { name: 'moves', read: at.path, method: 'POST', target: `${at.path}/moves`, ...json({ moves: 'R' }) },
  { name: 'undo', read: at.path, method: 'POST', target: `${at.path}/undo`, ...json({}) },
  { name: 'redo', read: at.path, method: 'POST', target: `${at.path}/redo`, ...json({}), before: [`${at.path}/undo`, {}] },
  { name: 'reset', read: at.path, method: 'POST', target: `${at.path}/reset`, ...json({}) },
  { name: 'scramble', read: at.path, method: 'POST', target: `${at.path}/scramble`, ...json({ moves: 'D' }) },
  { name: 'rename', read: at.path, method: 'PATCH', target: at.path, ...json({ name: 'two' }) },
  { name: 'keep a pattern', read: at.pattern, method: 'PUT', target: at.pattern, ...json({ pattern: { name: 'oll' } }) },
  { name: 'change a solve', read: at.solve, method: 'PATCH', target: at.solve, ...json({ comment: 'x' }) },
  { name: 'hand out a token', read: at.tokens, method: 'POST', target: at.tokens, ...json({ role: 'editor' }) },
  { name: 'revoke a token', read: at.tokens, method: 'DELETE', target: `${at.tokens}/2` },
  { name: 'remove a solve', read: at.solve, method: 'DELETE', target: at.solve },
  { name: 'remove a pattern', read: at.pattern, method: 'DELETE', target: at.pattern },
  { name: 'delete', read: at.path, method: 'DELETE', target: at.path },
];

/** Headers that stop a change, and those that do not, where `now` is the ETag and `old` was one. */
const stopping = (now, old) => [
  { 'if-match': old },
  { 'if-match': `W/${now}` },
  { 'if-match': `"x", ${old}` },
  { 'if-match': now.slice(1, -1) },
  { 'if-match': now.slice(0, -1) },
  { 'if-match': `${now}x` },
  { 'if-match': `"${state(now)}0"` },
  { 'if-match': `"${state(now).slice(0, -1)}"` },
  { 'if-match': '""' },
  { 'if-none-match': '*' },
  { 'if-none-match': now },
  { 'if-none-match': `W/${now}` },
  { 'if-none-match': `"x" , ${now}` },
  { 'if-match': now, 'if-none-match': now },
];
const passing = (now, old) => [
  { 'if-match': now },
  { 'if-match': '*' },
  { 'if-match': ' * ' },
  { 'if-match': `${old}, ${now}` },
  { 'if-match': `"a,b" , W/${now},${now}` },
  { 'if-match': `"${state(now)}.00000000"` },
  { 'if-none-match': old },
  { 'if-match': now, 'if-none-match': `"x", ${old}` },
];

/** Makes it, with an ETag that something had before. */
async function prepared(client, index) {
  const at = await things(client);
  const change = changes(at)[index];
  const old = await etagOf(client, change.read);
  const again = change.read === at.path ? [`${at.path}/moves`, 'POST', { moves: 'U' }]
    : change.read === at.solve ? [at.solve, 'PATCH', { comment: 'before' }]
    : change.read === at.pattern ? [at.pattern, 'PUT', { pattern: { name: 'cross' } }]
    : [at.tokens, 'POST', { role: 'viewer' }];
  await client.send(again[1], again[0], json(again[2]));
  if (change.before) await client.send('POST', change.before[0], json(change.before[1]));
  const now = await etagOf(client, change.read);
  assert.notEqual(now, old, change.name);
  return { at, change, old, now };
}

export default [
  ['every stored resource has a strong ETag, with which a read is 304', async ({ client }) => {
    const at = await things(client);
    const seen = new Map();
    for (const [target, options] of [...sessionReads(at), ...otherReads(at)]) {
      const where = `${target} ${options.accept ?? ''}`;
      const first = await client.send('GET', target, options);
      const etag = first.headers.etag;
      assert.equal(first.status, 200, where);
      assert.match(etag ?? '', /^"[^"]+"$/, where);
      assert.ok(!seen.has(etag), `${where} has the ETag of ${seen.get(etag)}`);
      seen.set(etag, where);
      assert.equal(await etagOf(client, target, options), etag, `${where}: again`);
      for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`, `W/"x" ,${etag} , "y"`]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await client.send(method, target, withHeaders(options, { 'if-none-match': known }));
          assert.deepEqual([answer.status, answer.text, answer.headers.etag], [304, '', etag], `${method} ${where} ${known}`);
        }
      }
      for (const known of ['"x"', `${etag.slice(0, -2)}_"`, etag.slice(1, -1), `"${state(etag)}.00000000"`, '', ',', `${etag}x`]) {
        const answer = await client.send('GET', target, withHeaders(options, { 'if-none-match': known }));
        assert.deepEqual([answer.status, answer.text], [200, first.text], `${where} ${known}`);
      }
    }
    const states = new Set();
    for (const [target, options] of sessionReads(at)) states.add(state(await etagOf(client, target, options)));
    assert.equal(states.size, 1, 'the state is the same in all forms');
  }],

  ['it changes with revision, name, access, listing and turn policy only', async (talk) => {
    const at = await things(talk.client);
    const tags = [await etagOf(talk.client, at.path)];
    const changed = async (method, target, value, status = 200) => {
      const answer = await talk.client.send(method, target, json(value));
      assert.equal(answer.status, status, answer.text);
      tags.push(await etagOf(talk.client, at.path));
      assert.equal(state(answer.headers.etag), state(tags.at(-1)), 'the answer has the state that it made');
      assert.equal(new Set(tags.map(state)).size, tags.length, JSON.stringify(value));
    };
    await changed('PATCH', at.path, { name: 'two' });
    await changed('PATCH', at.path, { access: 'view' });
    await changed('PATCH', at.path, { listed: true });
    await changed('PATCH', at.path, { turn_policy: 'alternate' });
    await changed('PATCH', at.path, { turn_policy: 'free' });
    await changed('PATCH', at.path, { name: null });
    await changed('POST', `${at.path}/moves`, { moves: 'R' });
    await changed('POST', `${at.path}/undo`, {});
    await changed('POST', `${at.path}/scramble`, { moves: 'R' });
    await changed('POST', `${at.path}/reset`, {});
    await talk.client.expect(201, 'POST', at.tokens, { role: 'editor' });
    await talk.client.expect(200, 'PUT', at.pattern, { pattern: { name: 'oll' } });
    assert.equal(await etagOf(talk.client, at.path), tags.at(-1));
    const same = await talk.client.send('PATCH', at.path, json({ name: 'three' }));
    assert.equal(state(same.headers.etag), state(await etagOf(talk.client, at.path)), 'PATCH answers the state that GET does');
  }],

  ['whether a solve is assisted is a part of its state', async ({ client }) => {
    const { session, token, id } = await client.expect(201, 'POST', '/v1/solves', { time_ms: 1 });
    const options = { token };
    const old = await etagOf(client, `/v1/solves/${id}`, options);
    await client.expect(200, 'PATCH', `/v1/solves/${id}`, { assisted: true }, options);
    assert.notEqual(state(await etagOf(client, `/v1/solves/${id}`, options)), state(old), session);
  }],

  ['it survives a restart', async (talk) => {
    if (!talk.persistent) return;
    const at = await things(talk.client);
    const reads = [...sessionReads(at), ...otherReads(at)];
    const before = [];
    for (const [target, options] of reads) before.push(await etagOf(talk.client, target, options));
    await talk.restart();
    for (const [i, [target, options]] of reads.entries()) {
      const answer = await talk.client.send('GET', target, withHeaders(options, { 'if-none-match': before[i] }));
      assert.equal(answer.status, 304, `${target}: ${before[i]}, now ${answer.headers.etag}`);
    }
  }],

  ['solves, patterns and tokens have new ones when they change', async ({ client }) => {
    const at = await things(client);
    const solve = [await etagOf(client, at.solve)], pattern = [await etagOf(client, at.pattern)], tokens = [await etagOf(client, at.tokens)];
    for (const value of [{ comment: 'x' }, { penalty: '+2' }, { comment: null }, { penalty: 'dnf', comment: 'ü' }]) {
      const answer = await client.send('PATCH', at.solve, json(value));
      solve.push(await etagOf(client, at.solve));
      assert.equal(answer.headers.etag, solve.at(-1), JSON.stringify(value));
    }
    for (const value of [{ pattern: { name: 'oll' } }, { pattern: { name: 'oll' }, title: 'x' }, { pattern: { name: 'oll' }, size: 4 }]) {
      const answer = await client.send('PUT', at.pattern, json(value));
      pattern.push(await etagOf(client, at.pattern));
      assert.equal(answer.headers.etag, pattern.at(-1), JSON.stringify(value));
    }
    await client.expect(201, 'POST', at.tokens, { role: 'editor', label: 'x' });
    tokens.push(await etagOf(client, at.tokens));
    assert.equal((await client.send('DELETE', `${at.tokens}/2`)).status, 204);
    tokens.push(await etagOf(client, at.tokens));
    for (const list of [solve, pattern, tokens]) assert.equal(new Set(list).size, list.length, list.join());
  }],

  ['a failed precondition stops every change', async ({ client }) => {
    for (const index of changes({}).keys()) {
      const { at, change, old, now } = await prepared(client, index);
      const before = await client.send('GET', change.read);
      for (const headers of stopping(now, old)) {
        const answer = await client.send(change.method, change.target, { json: change.json, headers });
        assert.equal(answer.status, 412, `${change.name} ${JSON.stringify(headers)}: ${answer.text}`);
        assert.equal(answer.json.type, 'urn:cubed:problem:precondition-failed');
        assert.equal(state(answer.headers.etag), state(now), `${change.name}: the ETag now`);
        if (change.read !== at.path) continue;
        assert.equal(answer.json.revision, before.json.revision);
        assert.equal(answer.json.cube.facelets, before.json.cube.facelets);
        const missed = headers['if-match'] === old ? before.json.revision - Number(old.match(/\d+/)[0]) : undefined;
        if (missed !== undefined) assert.equal(answer.json.missed.length, missed, change.name);
      }
      assert.equal((await client.send('GET', change.read)).text, before.text, `${change.name}: nothing was changed`);
    }
  }],

  ['a fulfilled precondition allows it', async ({ client }) => {
    for (const index of changes({}).keys()) {
      for (const number of passing('"x"', '"y"').keys()) {
        const { change, old, now } = await prepared(client, index);
        const headers = passing(now, old)[number];
        const answer = await client.send(change.method, change.target, { json: change.json, headers });
        assert.ok(answer.status < 300, `${change.name} ${JSON.stringify(headers)}: ${answer.status} ${answer.text}`);
      }
    }
  }],

  ['the ETag of any answer about a session is valid for a write', async ({ client }) => {
    const at = await things(client);
    for (const [target, options] of sessionReads(at)) {
      const headers = { 'if-match': await etagOf(client, target, options) };
      const answer = await client.send('POST', `${at.path}/moves?as=poses`, { ...json({ moves: 'R' }), headers });
      assert.equal(answer.status, 200, target);
      const renamed = await client.send('PATCH', at.path, { ...json({ name: target.slice(-20) }), headers: { 'if-match': answer.headers.etag } });
      assert.equal(renamed.status, 200, 'that of a write, too');
      const stale = await client.send('PATCH', at.path, { ...json({ name: 'x' }), headers: { 'if-match': answer.headers.etag } });
      assert.equal(stale.status, 412);
      const next = await client.send('PATCH', at.path, { ...json({ name: 'x' }), headers: { 'if-match': stale.headers.etag } });
      assert.equal(next.status, 200, 'and that of the refusal');
    }
  }],

  ['of two owners that rename with the same ETag exactly one succeeds', async ({ client }) => {
    const other = new Client(client.url);
    const { path } = await client.session({ size: 2 });
    for (let round = 0; round < 20; round++) {
      const headers = { 'if-match': await etagOf(client, path) };
      const rename = (who, name) => who.send('PATCH', path, { ...json({ name }), headers });
      const answers = await Promise.all([rename(client, `a${round}`), rename(other, `b${round}`)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412], `round ${round}`);
      const winner = answers.find(({ status }) => status === 200);
      assert.equal((await client.expect(200, 'GET', path)).name, winner.json.name);
      const loser = answers.find(({ status }) => status === 412);
      assert.deepEqual([loser.json.revision, loser.json.missed], [0, []]);
    }
    other.close();
  }],

  ['PUT with If-None-Match: * only creates, with If-Match only replaces', async ({ client }) => {
    const { id } = await client.session({ size: 3 });
    const target = `/v1/patterns/mine?session=${id}`;
    const put = (name, headers) => client.send('PUT', target, { ...json({ pattern: { name } }), headers });
    assert.equal((await put('f2l', { 'if-match': '*' })).status, 412);
    assert.equal((await put('f2l', { 'if-match': '"5e3b01c9aa42"' })).status, 412);
    assert.equal((await client.send('GET', target)).status, 404);
    assert.equal((await client.send('DELETE', target, { headers: { 'if-match': '*' } })).status, 404);
    const made = await put('f2l', { 'if-none-match': '*' });
    assert.equal(made.status, 201);
    const again = await put('oll', { 'if-none-match': '*' });
    assert.deepEqual([again.status, again.headers.etag], [412, made.headers.etag]);
    assert.deepEqual((await client.send('GET', target)).json.pattern, { name: 'f2l' });
    assert.equal((await put('oll', { 'if-match': made.headers.etag })).status, 200);
    assert.equal((await put('cross', { 'if-match': made.headers.etag })).status, 412);
  }],

  ['If-Match on a request that creates something always fails', async ({ client }) => {
    const { id } = await client.session({ size: 3 });
    const calls = [
      ['/v1/sessions', json({ size: 3 })],
      ['/v1/solves', json({ session: id, time_ms: 1234 })],
      [`/v1/solves/import?session=${id}`, json({ session1: [[[0, 1234], 'R', '', 9]] })],
    ];
    for (const [target, options] of calls) {
      for (const etag of ['*', '"5e3b01c9aa42"', '"0-5e3b01c9aa42.00000000"']) {
        const answer = await client.send('POST', target, withHeaders(options, { 'if-match': etag }));
        assert.equal(answer.status, 412, `${target} ${etag}: ${answer.text}`);
      }
      for (const etag of ['*', '"5e3b01c9aa42"']) {
        const answer = await client.send('POST', target, withHeaders(options, { 'if-none-match': etag }));
        assert.equal(answer.status, 201, `${target} ${etag}: ${answer.text}`);
      }
    }
    assert.equal((await client.expect(200, 'GET', `/v1/solves?session=${id}`)).items.length, 4);
  }],

  ['a page of another origin may send both headers and read the ETag', async ({ client }) => {
    const { path } = await client.session({ size: 3 });
    const { headers } = await exchange(client.url, undefined, 'OPTIONS', path, { origin: 'https://a.example', 'access-control-request-method': 'PATCH' });
    const allowed = headers['access-control-allow-headers'].toLowerCase().split(/, */);
    for (const name of ['if-match', 'if-none-match']) assert.ok(allowed.includes(name), name);
    assert.match((await client.get(path)).headers['access-control-expose-headers'], /ETag/);
  }],
];
