// starts.mjs: six nodes that are started at once on an empty database make one schema, and all serve; also if one was killed
// while it made the schema. Usage: node starts.mjs [binary] [rounds, 10] [seed]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { generator, sleep } from '../proof/support.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const NODES = 6;
const KILL_WITHIN_MS = 150;

const rounds = numberArgument(0, 10);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const random = generator(seed);
const binary = binaryArgument();
const postgres = await Postgres.shared();

/** Starts a node and kills it a little later. */
async function startAndKill(store) {
  const child = spawn(binary, ['--listen', '127.0.0.1:0', '--store', store], { stdio: 'ignore' });
  const ended = new Promise((done) => { child.once('exit', done); });
  await sleep(random(KILL_WITHIN_MS));
  child.kill('SIGKILL');
  await ended;
}

for (let round = 0; round < rounds; round++) {
  await check(`round ${round} of seed ${seed}`, async () => {
    const store = await postgres.store();
    if (round % 2 === 1) await Promise.all(Array.from({ length: 1 + random(3) }, () => startAndKill(store)));
    const nodes = await Nodes.start(binary, store, NODES);
    const paths = await Promise.all(nodes.servers.map(({ port }) => session(port)));
    assert.equal(new Set(paths).size, NODES);
    for (const { port } of nodes.servers)
      for (const path of paths) assert.equal((await ask(port, 'GET', path)).status, 200);
    assert.equal((await nodes.stop()).code, 0, nodes.log);
  });
}
await postgres.stop();
finish();
