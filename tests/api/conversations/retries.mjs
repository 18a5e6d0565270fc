// Idempotency-Key: what is sent again is not done again, and answered the same; also across a kill.

import assert from 'node:assert/strict';
import { Client } from '../client.mjs';

let serial = 0;
const key = () => ({ headers: { 'idempotency-key': `retry-${process.pid}-${serial++}` } });

/** The same answer, but for the date. */
function same(a, b) {
  assert.equal(b.status, a.status);
  assert.equal(b.text, a.text);
  for (const name of ['etag', 'location', 'content-type', 'link']) assert.equal(b.headers[name], a.headers[name], name);
}

async function calls(client) {
  const { path } = await client.session();
  const list = [
    ['/v1/sessions', { size: 2, name: 'twice' }],
    [`${path}/moves`, { moves: 'R U' }],
    [`${path}/scramble`, { moves: 'F' }],
    [`${path}/undo`, {}],
    [`${path}/redo`, {}],
    [`${path}/reset`, {}],
    [`${path}/tokens`, { role: 'viewer', label: 'twice' }],
  ];
  return { path, list };
}

export default [
  ['the same key and body get the first answer again, and nothing is done twice', async (talk) => {
    const { path, list } = await calls(talk.client);
    for (const [target, json] of list) {
      const options = key();
      const first = await talk.client.post(target, json, options);
      assert.ok(first.status < 300, first.text);
      same(first, await talk.client.post(target, json, options));
      const other = await talk.client.post(target, { ...json, ...(json.moves && { moves: 'D' }), ...(json.size && { size: 3 }), ...(json.role && { role: 'editor' }), ...(!json.moves && !json.size && !json.role && { revision: 99 }) }, options);
      assert.deepEqual([other.status, other.json.type], [422, 'urn:cubed:problem:idempotency-mismatch']);
    }
    assert.equal((await talk.client.expect(200, 'GET', path)).revision, 5);
    assert.equal((await talk.client.expect(200, 'GET', `${path}/tokens`)).items.length, 2);
  }],

  ['also after a kill', async (talk) => {
    if (!talk.persistent) return;
    const { path, list } = await calls(talk.client);
    const sent = [];
    for (const [target, json] of list) {
      const options = key();
      sent.push([target, json, options, await talk.client.post(target, json, options)]);
    }
    await talk.restart('kill');
    for (const [target, json, options, first] of sent) same(first, await talk.client.post(target, json, options));
    assert.equal((await talk.client.expect(200, 'GET', path)).revision, 5);
  }],

  ['a kill between commit and answer does not apply it twice', async (talk) => {
    if (!talk.persistent) return;
    const { path } = await talk.client.session();
    let applied = 0;
    for (let round = 0; round < 6; round++) {
      const batch = Array.from({ length: 20 }, () => key());
      const lost = [];
      const busy = batch.map((options) => talk.client.post(`${path}/moves`, { moves: 'R' }, options).catch(() => lost.push(options)));
      await new Promise((done) => setTimeout(done, round * 2));
      await talk.restart('kill');
      await Promise.all(busy);
      for (const options of batch) assert.equal((await talk.client.post(`${path}/moves`, { moves: 'R' }, options)).status, 200);
      applied += batch.length;
      assert.equal((await talk.client.expect(200, 'GET', path)).revision, applied, `round ${round}: ${lost.length} were cut off`);
    }
  }],

  ['a second request waits for the first', async ({ client }) => {
    const { path } = await client.session({ size: 5 });
    const others = Array.from({ length: 12 }, () => new Client(client.url));
    const options = key();
    const answers = await Promise.all(others.map((one) => one.post(`${path}/moves`, { moves: '(R U)500' }, options)));
    for (const answer of answers) same(answers[0], answer);
    assert.equal(answers[0].status, 200);
    const bodies = await Promise.all(others.map((one, i) => one.post(`${path}/moves`, { moves: 'RU'[i % 2] }, options)));
    assert.ok(bodies.every(({ status }) => status === 422));
    assert.equal((await client.expect(200, 'GET', path)).revision, 1);
    others.forEach((one) => one.close());
  }],

  ['a key of another client, path or method is another key', async ({ client }) => {
    const { path } = await client.session({ size: 3, access: 'edit' });
    const editor = (await client.expect(201, 'POST', `${path}/tokens`, { role: 'editor' })).token;
    const options = key();
    const revisions = [];
    for (const token of [undefined, null, editor, undefined]) {
      revisions.push((await client.post(`${path}/moves`, { moves: 'R' }, { ...options, token })).json.revision);
    }
    assert.deepEqual(revisions, [1, 2, 3, 1]);
    assert.equal((await client.post(`${path}/scramble`, { moves: 'R' }, options)).json.revision, 4);
  }],

  ['a request that changed nothing can be tried again', async ({ client }) => {
    const { path } = await client.session();
    const options = key();
    assert.equal((await client.post(`${path}/undo`, {}, options)).status, 409);
    await client.expect(200, 'POST', `${path}/moves`, { moves: 'R' });
    assert.equal((await client.post(`${path}/undo`, {}, options)).status, 200);
    same(await client.post(`${path}/undo`, {}, options), await client.post(`${path}/undo`, {}, options));
    assert.equal((await client.expect(200, 'GET', path)).revision, 2);
  }],

  ['a key consists of visible characters', async ({ client }) => {
    const { path } = await client.session();
    for (const wrong of ['', 'a b', 'ü', 'x'.repeat(256)]) {
      const answer = await client.post(`${path}/moves`, { moves: 'R' }, { headers: { 'idempotency-key': wrong } });
      assert.equal(answer.status, 400, JSON.stringify(wrong));
    }
    assert.equal((await client.post(`${path}/moves`, { moves: 'R' }, { headers: { 'idempotency-key': 'x'.repeat(255) } })).status, 200);
    assert.equal((await client.expect(200, 'GET', path)).revision, 1);
  }],
];
