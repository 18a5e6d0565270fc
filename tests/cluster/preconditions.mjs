// preconditions.mjs: three nodes at once change the same thing under the same condition: one of them does.
// Usage: node preconditions.mjs [binary] [rounds, 100]
//
// Control: without a condition all three do.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { ask } from '../live/support.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const rounds = numberArgument(0, 100);

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3);
const [{ port }] = nodes.servers;

const { json: { id, token } } = await ask(port, 'POST', '/v1/sessions', { size: 3, access: 'edit' });
const { json: { limits } } = await ask(port, 'GET', '/v1/limits');
const authorization = `Bearer ${token}`;

/** Sends a request to three nodes at once, each with a body of its own, and returns their answers. */
const atOnce = (method, path, body, headers = {}) =>
  Promise.all(nodes.servers.map((node, i) => ask(node.port, method, path, body?.(i), { authorization, ...headers })));
const statuses = (answers) => answers.map(({ status }) => status).sort();

/** Changes it `rounds` times, each time under the condition that it is as it was read. */
async function raced(read, method, path, body) {
  for (let round = 0; round < rounds; round++) {
    const { headers: { etag } } = await ask(port, 'GET', read, undefined, { authorization });
    const answers = await atOnce(method, path, (i) => body(`${round} ${i}`), { 'if-match': etag });
    assert.deepEqual(statuses(answers), [200, 412, 412], answers.map(({ text }) => text).join());
  }
}

const pattern = { pieces: { UF: 'home' } };

await check('a session', () => raced(`/v1/sessions/${id}`, 'PATCH', `/v1/sessions/${id}`, (name) => ({ name })));

await check('a pattern of one\'s own', async () => {
  await ask(port, 'PUT', '/v1/patterns/mine', { pattern }, { authorization });
  await raced('/v1/patterns/mine', 'PUT', '/v1/patterns/mine', (title) => ({ pattern, title }));
});

await check('a solve', async () => {
  const { json: { id: solve } } = await ask(port, 'POST', `/v1/solves?session=${id}`, { time_ms: 9870 }, { authorization });
  await raced(`/v1/solves/${solve}`, 'PATCH', `/v1/solves/${solve}`, (comment) => ({ comment }));
  assert.deepEqual(statuses(await atOnce('DELETE', `/v1/solves/${solve}`)), [204, 404, 404]);
});

await check('a pattern that is not there yet', async () => {
  for (let i = 0; i < rounds; i++) {
    assert.deepEqual(statuses(await atOnce('PUT', '/v1/patterns/new', () => ({ pattern }), { 'if-none-match': '*' })), [201, 412, 412]);
    assert.deepEqual(statuses(await atOnce('PUT', '/v1/patterns/new', () => ({ pattern }))), [200, 200, 200]);
    assert.deepEqual(statuses(await atOnce('DELETE', '/v1/patterns/new')), [204, 404, 404]);
  }
});

await check('no more patterns than a session may have', async () => {
  const own = async () => (await ask(port, 'GET', '/v1/patterns', undefined, { authorization })).json.items.filter((item) => item.own).length;
  const put = (node, name) => ask(node.port, 'PUT', `/v1/patterns/${name}`, { pattern }, { authorization });
  for (let i = await own(); i < limits.patterns.value - 1; i++) assert.equal((await put(nodes.servers[i % 3], `p${i}`)).status, 201);
  const last = await Promise.all(nodes.servers.map((node, i) => put(node, `last-${i}`)));
  assert.equal(last.filter(({ status }) => status === 201).length, 1, last.map(({ text }) => text).join());
  assert.equal(await own(), limits.patterns.value);
});

await check('control: without a condition all of them do', async () => {
  assert.deepEqual(statuses(await atOnce('PATCH', `/v1/sessions/${id}`, (i) => ({ name: `${i}` }))), [200, 200, 200]);
});

await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
