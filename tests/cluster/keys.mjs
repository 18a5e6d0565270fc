// keys.mjs: requests with one Idempotency-Key, at three nodes at once, are done once and have one answer.
// Usage: node keys.mjs [binary] [keys, 2000]
//
// Controls: with a key of its own each of the three is done; and with CUBED_PLANT=no-receipts
// (build/cluster/cubed-planted) the run must find requests that were done twice: it then ends with 0.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { together } from '../proof/support.mjs';
import { PATIENCE_MS, sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const PER_SESSION = 20;
const SESSIONS_AT_ONCE = 8;
const RETRY_MS = 10;

const keys = numberArgument(0, 2000);
const plant = process.env.CUBED_PLANT;

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3);

/** The answer, sent again as a client would while the node cannot say. */
async function send(port, path, key) {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const answer = await ask(port, 'POST', `${path}/moves`, { moves: 'R U' }, { 'idempotency-key': `"${key}"` });
    if (answer?.status === 200) return answer.json;
    const busy = answer === null || answer.status === 503 || (answer.status === 409 && /in-progress|busy|conflict/.test(answer.json.type));
    if (!busy) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(RETRY_MS);
  }
  throw new Error('no answer');
}

const revisionOf = async (path) => (await ask(nodes.servers[0].port, 'GET', path)).json.revision;

/** The name of the first check that fails. */
let found;
const checkUnlessPlanted = (name, run) => (plant ? run().catch(() => { found ??= name; }) : check(name, run));

await checkUnlessPlanted(`${keys} keys at three nodes at once`, async () => {
  const sessions = await Promise.all(Array.from({ length: keys / PER_SESSION }, () => session(nodes.servers[0].port)));
  await together(sessions, SESSIONS_AT_ONCE, async (path) => {
    for (let i = 0; i < PER_SESSION; i++) {
      const [first, ...others] = await Promise.all(nodes.servers.map(({ port }) => send(port, path, `${path}-${i}`)));
      for (const other of others) assert.deepEqual(other, first);
      assert.equal(first.revision, i + 1);
    }
    assert.equal(await revisionOf(path), PER_SESSION);
  });
});

/** Sends one request with one key to three nodes at once, without another try, and returns their answers. */
const atOnce = (method, path, body, headers = {}) =>
  Promise.all(nodes.servers.map(({ port }) => ask(port, method, path, body, headers)));

await checkUnlessPlanted('one answer also where the request alone would be refused the second time', async () => {
  for (let i = 0; i < 40; i++) {
    const key = { 'idempotency-key': `once-${i}` };
    const path = await session(nodes.servers[0].port);
    const [first, ...others] = await atOnce('POST', `${path}/moves`, { moves: 'R', revision: 0 }, key);
    assert.equal(first.status, 200, first.text);
    for (const other of others) assert.deepEqual([other.status, other.json], [200, first.json]);

    const created = await atOnce('POST', '/v1/sessions', { size: 2 }, key);
    assert.deepEqual(created.map(({ status }) => status), [201, 201, 201], created.map(({ text }) => text).join());
    for (const other of created) assert.deepEqual(other.json, created[0].json);

    const { id, token } = created[0].json;
    const deleted = await atOnce('DELETE', `/v1/sessions/${id}`, undefined, { ...key, authorization: `Bearer ${token}` });
    assert.deepEqual(deleted.map(({ status }) => status), [204, 204, 204], deleted.map(({ text }) => text).join());
  }
});

await checkUnlessPlanted('another body with the key is 422 at every node', async () => {
  const path = await session(nodes.servers[0].port);
  const answers = await Promise.all(nodes.servers.map(({ port }, i) =>
    ask(port, 'POST', `${path}/moves`, { moves: ['R', 'U', 'F'][i] }, { 'idempotency-key': 'bodies' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422], answers.map(({ text }) => text).join());
});

await check('control: three keys are three entries', async () => {
  const path = await session(nodes.servers[0].port);
  await Promise.all(nodes.servers.map(({ port }, i) => send(port, path, `${path}-${i}`)));
  assert.equal(await revisionOf(path), 3);
});

if (plant) await check(`control: what ${plant} does is found`, () => assert.match(found, /keys at three nodes/));
await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
