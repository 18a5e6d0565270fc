// keys.mjs: requests with one Idempotency-Key, at three nodes at once, are done once and have one answer.
// Usage: node keys.mjs [binary] [keys, 2000]
//
// Control: with a key of its own each of the three is done.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { sleep, together } from '../proof/support.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const PER_SESSION = 20;
const SESSIONS_AT_ONCE = 8;
const RETRY_MS = 10;
const TRIES = 300;

const keys = numberArgument(0, 2000);

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3);

/** The answer, sent again as a client would while the node cannot say. */
async function send(port, path, key) {
  for (let i = 0; i < TRIES; i++) {
    const answer = await ask(port, 'POST', `${path}/moves`, { moves: 'R U' }, { 'idempotency-key': `"${key}"` });
    if (answer?.status === 200) return answer.json;
    const busy = answer === null || answer.status === 503 || (answer.status === 409 && /in-progress|busy|conflict/.test(answer.json.type));
    if (!busy) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(RETRY_MS);
  }
  throw new Error(`no answer after ${TRIES} tries`);
}

const revisionOf = async (path) => (await ask(nodes.servers[0].port, 'GET', path)).json.revision;

await check(`${keys} keys at three nodes at once`, async () => {
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

await check('control: three keys are three entries', async () => {
  const path = await session(nodes.servers[0].port);
  await Promise.all(nodes.servers.map(({ port }, i) => send(port, path, `${path}-${i}`)));
  assert.equal(await revisionOf(path), 3);
});

await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
