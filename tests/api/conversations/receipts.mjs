// Retries get the same bytes as the first answer, whatever happened since, but only while the caller may have them.
// Little is stored for that, however large the answer was.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, exchange } from '../client.mjs';
import { Server, temporaryDirectory } from '../server.mjs';

/** A receipt takes at most as much as the request and this, and this for an answer that is kept as it is. */
const OVERHEAD = 1024;
const BODY = 16384;

let serial = 0;

/** A request with a key of its own, not sent yet. */
const keyed = (method, target, json, { headers, ...options } = {}) => ({
  method,
  target,
  options: { json, ...options, headers: { ...headers, 'idempotency-key': `receipt-${process.pid}-${serial++}` } },
});

const send = (client, { method, target, options }) => client.send(method, target, options);

/** Its first answer, kept for comparison. */
async function first(client, request) {
  const answer = await send(client, request);
  assert.ok(answer.status < 300, `${request.method} ${request.target}: ${answer.text}`);
  assert.equal(answer.headers['idempotent-replayed'], undefined);
  return { ...request, answer };
}

/** The same answer in every byte and every header, but for the time of day, its id and that it was given before. */
async function assertSame(client, sent) {
  const told = `${sent.method} ${sent.target} ${sent.options.accept ?? ''}`;
  const again = await send(client, sent);
  const plain = ({ date, 'x-request-id': id, 'idempotent-replayed': replayed, ...headers }) => headers;
  assert.equal(again.status, sent.answer.status, `${told}: ${again.text}`);
  assert.ok(again.bytes.equals(sent.answer.bytes), `${told}:\n${sent.answer.text.slice(0, 600)}\n${again.text.slice(0, 600)}`);
  assert.deepEqual(plain(again.headers), plain(sent.answer.headers), told);
  assert.equal(again.headers['idempotent-replayed'], 'true', told);
}

const SVG = 'image/svg+xml';
const TEXT = 'text/plain';

/** All ways to ask for a cube of that size: options and query. */
async function forms(client, size) {
  const { items: formats } = await client.expect(200, 'GET', '/v1/formats');
  const names = formats.filter(({ sizes }) => size >= sizes.min && size <= (sizes.max ?? 100)).map(({ name }) => name);
  return [
    ['', {}],
    ...names.map((name) => [`?as=${name}`, {}]),
    [`?as=${names.join(',')}`, {}],
    ...(size === 3 ? [['?as=cubies&order=nissy', {}]] : []),
    ['', { accept: TEXT }],
    ['?color=always', { accept: TEXT }],
    ['', { accept: SVG }],
    ['?view=net&colors=okabe-ito', { accept: SVG }],
  ];
}

/** One call of each route that changes a session's cube or what answers say of it, in each form. */
async function cubeCalls(client, size) {
  const sent = [];
  const { path } = await client.session({ size });
  const editor = await client.expect(201, 'POST', `${path}/tokens`, { role: 'editor', label: 'One "who" edits' });
  for (const [query, options] of await forms(client, size)) {
    const call = async (...request) => sent.push(await first(client, keyed(...request)));
    await call('POST', `/v1/sessions${query}`, { size, name: 'Näme', access: 'edit', scramble: "R U2 F'" }, options);
    await call('POST', `/v1/sessions${query}`, { cube: { size, moves: 'R' }, turn_policy: 'alternate' }, options);
    await call('POST', `${path}/moves${query}`, { moves: 'R@100 U@250 F@975' }, { ...options, token: editor.token });
    const { revision } = await client.expect(200, 'GET', path);
    await call('POST', `${path}/moves${query}`, { moves: 'L' }, options);
    await call('POST', `${path}/moves${query}`, { moves: 'R', revision, rebase: 'commuting' }, options);
    await call('POST', `${path}/moves${query}`, { moves: '(R U)2 x2' }, options);
    await call('POST', `${path}/moves${query}`, { moves: 'R0' }, options);
    await call('POST', `${path}/undo${query}`, { count: 2 }, options);
    await call('POST', `${path}/redo${query}`, {}, options);
    await call('POST', `${path}/scramble${query}`, { moves: "F R' D" }, options);
    await call('POST', `${path}/scramble${query}`, {}, options);
    await call('POST', `${path}/reset${query}`, {}, options);
    await call('PATCH', `${path}${query}`, { name: `after ${revision}`, access: ['view', 'edit'][revision % 2] }, options);
  }
  return { path, sent };
}

/** A pattern of a 20x20x20 that takes some 40,000 bytes. */
const LARGE_PATTERN = { any: Array.from({ length: 16 }, (_, i) => ({ faces: Array(6).fill('*'.repeat(399) + (i % 6)).join(' ').replace(/0/g, '*') })) };

/** Answers of more than BODY bytes: [method, target, json, options]. */
async function largeCalls(client) {
  const { id, token } = await client.session({ size: 20 });
  const sent = [];
  const call = async (...request) => {
    sent.push(await first(client, keyed(...request)));
    assert.ok(sent.at(-1).answer.bytes.length > BODY, `${sent.at(-1).answer.bytes.length} bytes`);
    return sent.at(-1).answer.json;
  };
  await call('PUT', `/v1/patterns/large?session=${id}`, { pattern: LARGE_PATTERN, title: 'Large' }, { token });
  await call('PUT', `/v1/patterns/large?session=${id}`, { size: 20, pattern: LARGE_PATTERN }, { token });
  const moves = { scramble: "(U' R')5000", solution: '(R U)5000', comment: 'ü' };
  await call('POST', '/v1/solves', { ...moves, session: id, size: 3, time_ms: 60000 }, { token });
  await call('POST', '/v1/solves', { ...moves, size: 4 }, { token: null });
  const imported = await client.expect(201, 'POST', `/v1/solves/import?session=${id}`, undefined, { token, body: `Time;Comment\n1.5;${'x'.repeat(20000)}\n`, headers: { 'content-type': 'text/csv' } });
  assert.equal(imported.imported, 1);
  const { items } = await client.expect(200, 'GET', `/v1/solves?session=${id}`, undefined, { token });
  const solve = items.find(({ origin }) => origin === 'imported');
  await call('PATCH', `/v1/solves/${solve.id}`, { penalty: '+2' }, { token });
  return { id, token, solve, sent };
}

/** The other routes: tokens, patterns, solves. */
async function otherCalls(client) {
  const sent = [];
  const { path, id, token } = await client.session({ size: 3 });
  const call = async (...request) => {
    sent.push(await first(client, keyed(...request)));
    return sent.at(-1).answer.json;
  };
  const owner = { token };
  const made = await call('POST', `${path}/tokens`, { role: 'viewer', label: 'V' });
  await call('PATCH', `${path}/tokens/${made.id}`, { label: 'W' });
  await call('DELETE', `${path}/tokens/${made.id}`, undefined);
  await call('PUT', `/v1/patterns/one?session=${id}`, { pattern: { name: 'f2l' }, title: 'One' }, owner);
  await call('PUT', `/v1/patterns/one?session=${id}`, { pattern: { name: 'cross' } }, owner);
  await call('PUT', '/v1/patterns/two', { pattern: { name: 'cross' } }, owner);
  await call('DELETE', `/v1/patterns/two`, undefined, owner);
  await call('POST', '/v1/solves', { session: id, scramble: 'R U', solution: "U'@0 R'@90", comment: 'ü' }, owner);
  const solve = await call('POST', '/v1/solves', { time_ms: 9000, session: id }, owner);
  const book = await call('POST', '/v1/solves', { scramble: 'R', solution: "R'" }, { token: null });
  assert.ok(book.token);
  await call('POST', `/v1/solves/import?session=${id}`, undefined, { ...owner, body: 'Time;Comment\n1.5;one\n2.5;two\n', headers: { 'content-type': 'text/csv' } });
  await call('POST', '/v1/solves/import', undefined, { token: null, body: 'Time\n3.5\n', headers: { 'content-type': 'text/csv' } });
  await call('PATCH', `/v1/solves/${solve.id}`, { penalty: '+2', comment: 'late' }, owner);
  const gone = await client.expect(201, 'POST', '/v1/solves', { time_ms: 1, session: id }, owner);
  await call('DELETE', `/v1/solves/${gone.id}`, undefined, owner);
  const other = await client.session({ size: 2 });
  await call('DELETE', other.path, undefined, { token: other.token });
  return { path, id, owner, sent, solve };
}

async function assertAll(client, sent) {
  for (const one of sent) await assertSame(client, one);
}

/** The stored bytes of each receipt, oldest first. */
function stored(talk) {
  const { status, stdout, stderr } = spawnSync(talk.binary, ['export', '--store', talk.location], { maxBuffer: 1 << 30 });
  assert.equal(status, 0, String(stderr));
  const rows = String(stdout).split('\n').filter((line) => line.startsWith('{"receipt"'));
  return rows.map((line) => JSON.parse(line).answer.length / 2);
}

const refused = async (client, sent, status, type) => {
  const { json, ...again } = await send(client, sent);
  assert.deepEqual([again.status, json?.type], [status, `urn:cubed:problem:${type}`], `${sent.method} ${sent.target}: ${again.text}`);
  assert.equal(again.headers['idempotent-replayed'], undefined);
};

export default [
  ['each answer about a cube is repeated byte for byte, whatever happened since', async (talk) => {
    for (const size of [2, 3, 5]) {
      const { path, sent } = await cubeCalls(talk.client, size);
      await assertAll(talk.client, sent);
      await talk.client.expect(200, 'POST', `${path}/moves`, { moves: '(R U)20' });
      await talk.client.expect(200, 'PATCH', path, { name: 'another', access: 'none' });
      await assertAll(talk.client, sent);
      await talk.client.expect(200, 'POST', `${path}/undo`, {});
      await assertAll(talk.client, sent);
      if (!talk.persistent) continue;
      await talk.restart('kill');
      await assertAll(talk.client, sent);
    }
  }],

  ['so are those about tokens, patterns and solves', async (talk) => {
    const { path, id, owner, sent, solve } = await otherCalls(talk.client);
    await assertAll(talk.client, sent);
    await talk.client.expect(200, 'PUT', `/v1/patterns/one?session=${id}`, { pattern: { name: 'f2l' } }, owner);
    await talk.client.expect(200, 'PATCH', `/v1/solves/${solve.id}`, { comment: 'later' }, owner);
    await talk.client.expect(200, 'POST', `${path}/moves`, { moves: 'R' });
    await assertAll(talk.client, sent);
    if (!talk.persistent) return;
    await talk.restart('kill');
    await assertAll(talk.client, sent);
  }],

  ['so are those that are too large to be stored', async (talk) => {
    const { id, token, solve, sent } = await largeCalls(talk.client);
    await assertAll(talk.client, sent);
    await talk.client.expect(200, 'PUT', `/v1/patterns/large?session=${id}`, { pattern: { name: 'f2l-1' }, size: 3 }, { token });
    await talk.client.expect(200, 'PATCH', `/v1/solves/${solve.id}`, { penalty: 'dnf' }, { token });
    await assertAll(talk.client, sent);
    if (talk.persistent) await talk.restart('kill');
    await assertAll(talk.client, sent);
    await talk.client.expect(204, 'DELETE', `/v1/solves/${solve.id}`, undefined, { token });
    await refused(talk.client, sent.at(-1), 404, 'no-such-solve');
  }],

  ['every route that accepts a key is among them', async ({ client }) => {
    const document = await client.expect(200, 'GET', '/openapi.json');
    const heed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { parameters }]) => parameters?.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey'))
        .map(([method]) => [method.toUpperCase(), new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path]),
    );
    const sent = [...(await cubeCalls(client, 2)).sent, ...(await otherCalls(client)).sent];
    for (const [method, pattern, path] of heed) {
      assert.ok(sent.some((one) => one.method === method && pattern.test(one.target.split('?')[0])), `${method} ${path}`);
    }
    for (const { method, target } of sent) {
      assert.ok(heed.some(([other, pattern]) => other === method && pattern.test(target.split('?')[0])), `${method} ${target} is not documented`);
    }
  }],

  ['an entry of 10,000 moves, and one whose moves are too many to write out', async (talk) => {
    const { client } = talk;
    const { path } = await client.session({ size: 4 });
    const sent = [await first(client, keyed('POST', `${path}/moves?as=poses`, { moves: '(R U)5000' }))];
    await client.expect(200, 'POST', `${path}/moves`, { moves: '(F D)5000' });
    sent.push(await first(client, keyed('POST', `${path}/reset`, {})));
    assert.equal(sent[1].answer.json.entry.moves, null);
    await assertAll(client, sent);
    if (talk.persistent) await talk.restart('kill');
    await assertAll(talk.client, sent);
  }],

  ['notes on what may have been meant', async ({ client }) => {
    const { path } = await client.session();
    const sent = [];
    for (const call of ['moves', 'scramble']) {
      for (const moves of ['(R U) x6', 'F (R U) x6']) sent.push(await first(client, keyed('POST', `${path}/${call}`, { moves })));
    }
    for (const { answer } of sent) assert.equal(answer.json.notes.length, 1);
    await assertAll(client, sent);
  }],

  ['an answer with assumed identities, and a text with its token', async ({ client }) => {
    const { cube } = await client.expect(200, 'GET', '/v1/apply?size=5&moves=R+3Rw');
    const sent = [];
    for (const options of [{}, { accept: TEXT }, { accept: SVG }]) {
      sent.push(await first(client, keyed('POST', '/v1/sessions?as=faces', { cube: { facelets: cube.facelets }, access: 'none' }, options)));
    }
    assert.equal(sent[0].answer.json.cube.identity, 'assumed');
    assert.match(sent[1].answer.headers['cubed-token'], /^\w{69}$/);
    await assertAll(client, sent);
  }],

  ['the media type and the view are those of the first request', async ({ client }) => {
    const { path } = await client.session();
    const sent = await first(client, keyed('POST', `${path}/moves?as=faces`, { moves: 'R' }));
    await assertSame(client, { ...sent, target: `${path}/moves?as=poses` });
    await assertSame(client, { ...sent, options: { ...sent.options, accept: TEXT } });
  }],

  ['a session that was closed or deleted, and a token that was revoked, end it', async ({ client }) => {
    const { path, token } = await client.session({ size: 3, access: 'edit' });
    const editor = await client.expect(201, 'POST', `${path}/tokens`, { role: 'editor' });
    const anybody = await first(client, keyed('POST', `${path}/moves`, { moves: 'R' }, { token: null }));
    const edited = await first(client, keyed('POST', `${path}/moves`, { moves: 'U' }, { token: editor.token }));
    const owned = await first(client, keyed('PATCH', path, { name: 'mine' }, { token }));
    const pattern = await first(client, keyed('PUT', `/v1/patterns/some?session=${path.split('/').at(-1)}`, { pattern: { name: 'f2l' } }, { token: null }));
    await client.expect(200, 'PATCH', path, { access: 'view' });
    await refused(client, anybody, 401, 'token-required');
    await refused(client, pattern, 401, 'token-required');
    await client.expect(200, 'PATCH', path, { access: 'none' });
    await refused(client, anybody, 404, 'not-found');
    await refused(client, pattern, 404, 'not-found');
    await assertSame(client, edited);
    await client.expect(204, 'DELETE', `${path}/tokens/${editor.id}`);
    await refused(client, edited, 401, 'token-invalid');
    await assertSame(client, owned);
    await client.expect(200, 'PATCH', path, { access: 'edit' });
    await assertSame(client, anybody);
    const removal = await first(client, keyed('DELETE', path, undefined, { token }));
    await refused(client, anybody, 410, 'gone');
    await refused(client, owned, 410, 'gone');
    await assertSame(client, removal);
    await refused(client, { ...removal, options: { ...removal.options, token: null } }, 410, 'gone');
  }],

  ['a session that was created with a key and deleted stays deleted', async ({ client }) => {
    const sent = await first(client, keyed('POST', '/v1/sessions', { size: 2, access: 'none' }, { token: null }));
    await assertSame(client, sent);
    await client.expect(204, 'DELETE', sent.answer.headers.location, undefined, { token: sent.answer.json.token });
    await refused(client, sent, 410, 'gone');
  }],

  ['the stored receipt is at most a constant larger than the request', async (talk) => {
    if (!talk.persistent) return;
    const { client } = talk;
    const before = stored(talk).length;
    const sent = [];
    for (const size of [2, 7, 40]) sent.push(...(await cubeCalls(client, size)).sent);
    const { path } = await client.session({ size: 100 });
    for (const as of ['poses', 'poses,compact_poses', 'faces']) {
      sent.push(await first(client, keyed('POST', `${path}/moves?as=${as}`, { moves: '(R U)5000' })));
      sent.push(await first(client, keyed('POST', `/v1/sessions?as=${as}`, { size: 100 })));
      sent.push(await first(client, keyed('PATCH', `${path}?as=${as}`, { name: as })));
    }
    await assertAll(client, sent.slice(-9));
    sent.push(...(await largeCalls(client)).sent);
    const made = sent.length;
    sent.push(...(await otherCalls(client)).sent);
    const sizes = stored(talk).slice(before);
    assert.equal(sizes.length, sent.length);
    sent.forEach(({ method, target, options, answer }, i) => {
      const request = target.length + Buffer.byteLength(options.body ?? JSON.stringify(options.json ?? '')) + OVERHEAD;
      assert.ok(sizes[i] <= request + (i < made ? 0 : BODY), `${method} ${target}: ${sizes[i]} bytes for an answer of ${answer.bytes.length}`);
    });
  }],

  ['receipts of older releases, which contain the body, are read', async (talk) => {
    if (talk.store !== 'sqlite') return;
    const data = (name) => readFileSync(new URL(`../../data/receipts/${name}`, import.meta.url), 'utf8').trim().split('\n');
    const now = Date.now();
    /* They are too old by now. */
    const lines = data('export.ndjson').map((line) => line.replace(/^({"receipt".*"created_ms":)\d+/, `$1${now}`).replace(/("deleted_ms":)\d+/, `$1${now}`));
    const store = `sqlite:${join(temporaryDirectory(), 'older.db')}`;
    const { status, stderr } = spawnSync(talk.binary, ['import', '--store', store, '-'], { input: `${lines.join('\n')}\n` });
    assert.equal(status, 0, String(stderr));
    const server = await Server.start(talk.binary, store);
    const client = new Client(server.url);
    try {
      const requests = data('requests.ndjson').map((line) => JSON.parse(line));
      assert.equal(requests.length, 11);
      for (const { method, target, headers, body, answer } of requests) {
        /* Their ETags have another form. */
        const again = await exchange(server.url, client.agent, method, target, headers, body);
        assert.deepEqual([again.status, again.text], [answer.status, answer.text], `${method} ${target}`);
        for (const name of ['content-type', 'location', 'etag', 'cubed-token']) assert.equal(again.headers[name], answer[name], `${target}: ${name}`);
        assert.equal(again.headers['idempotent-replayed'], 'true');
      }
      const { target, headers, body } = requests[3];
      const owner = JSON.parse(requests[0].answer.text).token;
      await client.expect(200, 'PATCH', target.replace('/moves', ''), { access: 'none' }, { token: owner });
      assert.equal((await client.send('POST', target, { headers, body, token: null })).status, 404, 'rights are asked of these as well');
    } finally {
      client.close();
      await server.stop();
    }
  }],
];
