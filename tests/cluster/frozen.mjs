// frozen.mjs: a node that stood still (SIGSTOP), or whose connections to PostgreSQL were silent, answers nothing old
// afterwards: 503, or what is newest. Usage: node frozen.mjs [binary] [milliseconds it stands still, 3000] [seed]
//
// Control: with CUBED_PLANT=open-gate (build/cluster/cubed-planted) it answers what it remembers, which must be found; the
// run then ends with 0.

import assert from 'node:assert/strict';
import net from 'node:net';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, Server } from '../api/server.mjs';
import { sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const SESSIONS = 8;
const ROUNDS = 2;
const TRIES = 20; // of a control: what it finds is a race

const still = numberArgument(0, 3000);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const plant = process.env.CUBED_PLANT;
const binary = binaryArgument();

/** Passes connections on to PostgreSQL; while it is `silent`, nothing passes, and nothing is closed. */
class Partition {
  sockets = new Set();

  static async start(path) {
    const partition = new Partition();
    partition.server = net.createServer((client) => partition.#connect(client, net.connect(path)));
    await new Promise((done) => partition.server.listen(0, '127.0.0.1', done));
    partition.port = partition.server.address().port;
    return partition;
  }

  #connect(client, server) {
    for (const [from, to] of [[client, server], [server, client]]) {
      this.sockets.add(from);
      from.setNoDelay?.(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.silent) from.pause();
    }
  }

  set(silent) {
    this.silent = silent;
    for (const socket of this.sockets) silent ? socket.pause() : socket.resume();
  }

  stop() {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

const postgres = await Postgres.shared();
const database = await postgres.database();
const partition = await Partition.start(`${postgres.folder}/a/.s.PGSQL.5432`);
const nodes = await Nodes.start(binary, `postgresql:${postgres.conninfo(database)}`, 2, { seed });
const far = await Server.start(binary, `postgresql:host=127.0.0.1 port=${partition.port} user=cubed dbname=${database} gssencmode=disable`);

let reachable = () => [...nodes.urls, far.url];
let load;

/** The node is asked while it stands still, and at once afterwards; everybody else works on. */
async function round(begin, end) {
  await sleep(500);
  begin();
  await sleep(still / 2);
  reachable = () => nodes.urls;
  await sleep(still / 2);
  reachable = () => [far.url, ...nodes.urls, far.url];
  end();
  await sleep(500);
  reachable = () => [...nodes.urls, far.url];
}

/** New sessions under load, and what was wrong with them. */
async function attempt(number) {
  reachable = () => [...nodes.urls, far.url];
  load = new Load(() => reachable(), { seed: seed + number, clients: 16 });
  await load.create(SESSIONS);
  load.start();
  for (let i = 0; i < ROUNDS; i++) {
    await round(() => far.child.kill('SIGSTOP'), () => far.child.kill('SIGCONT'));
    await round(() => partition.set(true), () => partition.set(false));
  }
  await check(`load, seed ${seed + number}`, () => load.stop());
  reachable = () => nodes.urls;
  return load.judge();
}

let faults = await attempt(0);
for (let number = 1; plant && faults.length === 0 && number < TRIES; number++) faults = await attempt(number);
if (plant) await check(`control: with ${plant} faults are found`, () => assert.ok(faults.length > 0));
else await check(`nothing old was answered, seed ${seed}`, () => assert.deepEqual(faults.slice(0, 5), []));
await check('the nodes end well', async () => {
  assert.equal((await far.stop()).code, 0, far.log);
  assert.equal((await nodes.stop()).code, 0, nodes.log);
});
partition.stop();
await postgres.stop();
console.log(`${load.done} answers, ${faults.length} faults: ${JSON.stringify(load.tally)}`);
finish();
