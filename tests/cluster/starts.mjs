// starts.mjs: nodes that start. Six at once on an empty database make one schema, and all serve; also if some were killed
// while they made it. Beside a newer program that has added to the schema a node goes on, and starts; one that the schema
// is too new for does not start, or ends and says why. Usage: node starts.mjs [binary] [rounds, 10] [seed]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { generator } from '../proof/support.mjs';
import { sleep, until } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const NODES = 6;
const KILL_WITHIN_MS = 150;
const SLOW = 'BEGIN PERFORM pg_sleep(0.5); END'; // behind each change of the schema
const INTO_MS = 500; // the migration takes thirty times as long then, at least
const TRIES = 50;

const rounds = numberArgument(0, 10);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const random = generator(seed);
const binary = binaryArgument();
const postgres = await Postgres.shared();
const location = (database) => `postgresql:${postgres.conninfo(database)}`;

/** Starts a node and kills it a little later. */
async function startAndKill(store, wait = () => sleep(random(KILL_WITHIN_MS))) {
  const child = spawn(binary, ['--listen', '127.0.0.1:0', '--store', store], { stdio: 'ignore' });
  const ended = new Promise((done) => { child.once('exit', done); });
  await wait();
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
    const created = nodes.log.match(/the tables of the database were created/g)?.length ?? 0;
    assert.ok(created === 1 || (created === 0 && round % 2 === 1), nodes.log); // killed ones may have
  });
}

/** Returns true if a node is within the transaction that makes the schema. */
const migrating = async (database) => (await postgres.sql(`SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'cubed' AND backend_xid IS NOT NULL`)) !== '0';

await check(`killed within the migration, ${rounds} times, seed ${seed}`, async () => {
  const database = await postgres.database();
  const sql = (statement) => postgres.sql(statement, database);
  await sql(`CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS '${SLOW}'; CREATE EVENT TRIGGER slow ON ddl_command_end EXECUTE FUNCTION slow()`);
  for (let i = 0; i < rounds; i++) {
    await startAndKill(location(database), async () => {
      await until(() => migrating(database), 'a migration', 5);
      await sleep(random(INTO_MS));
      assert.ok(await migrating(database), 'the migration has ended already');
    });
    assert.equal(await sql("SELECT to_regclass('cubed.meta')"), '');
  }
  await sql('DROP EVENT TRIGGER slow');
  const nodes = await Nodes.start(binary, location(database), 2);
  assert.equal((await ask(nodes.servers[1].port, 'GET', await session(nodes.servers[0].port))).status, 200);
  assert.equal((await nodes.stop()).code, 0, nodes.log);
});

/** The changes of a newer program that older ones need not know of. */
const EXPAND = `ALTER TABLE session ADD COLUMN later int NOT NULL DEFAULT 7, ADD COLUMN latest text;
  ALTER TABLE change ADD COLUMN later int; ALTER TABLE lane ADD COLUMN later int NOT NULL DEFAULT 0; ALTER TABLE token ADD later text;
  CREATE TABLE later (session bigint PRIMARY KEY); CREATE INDEX later_session ON session (later) WHERE later > 7;
  UPDATE meta SET version = version + 1`;

/** Like a node that upgrades the tables: all of it or nothing, and again after a deadlock with what others commit. */
async function expand(sql) {
  for (let i = 0; i < TRIES; i++) {
    const failed = await sql(EXPAND).then(() => null, (error) => error);
    if (failed === null) return;
    assert.match(failed.message, /deadlock detected/);
  }
  throw new Error(`${TRIES} deadlocks`);
}

await check(`beside a newer program, seed ${seed}`, async () => {
  const database = await postgres.database();
  const sql = (statement) => postgres.sql(`SET search_path = cubed; ${statement}`, database);
  const nodes = await Nodes.start(binary, location(database), 3, { flags: ['--store-wait-ms', '600000'] });
  const load = new Load(() => nodes.urls, { seed });
  await load.create(8);
  load.start();
  const more = (before = load.tally['write 200'] ?? 0) => until(() => (load.tally['write 200'] ?? 0) > before + 50 || load.stopping, () => JSON.stringify(load.tally));
  await more();
  await expand(sql);
  await more();
  await nodes.restart(0);
  await more();
  await load.stop();
  assert.deepEqual((await load.judge()).slice(0, 5), []);

  // A version that this program must not use any more: nodes that are there write nothing and end, also the third one,
  // which nobody asks; and none starts.
  const [{ path }] = load.sessions;
  const entries = () => sql('SELECT sum(revision) FROM session');
  const before = await entries();
  await sql('UPDATE meta SET minimum = version');
  const asked = Promise.all(nodes.servers.slice(0, 2).map(({ port }) => ask(port, 'POST', `${path}/moves`, { moves: 'R' })));
  await assert.rejects(Nodes.start(binary, location(database), 1), /newer schema/);
  for (const server of nodes.servers) {
    await until(() => server.child.exitCode !== null || server.child.signalCode !== null, () => `a node is still there:\n${server.log}`);
    assert.deepEqual(await server.exited, { code: 1, signal: null }, server.log);
    assert.equal(server.log.match(/this program is too old for it: stopping/g)?.length, 1, server.log);
  }
  for (const answer of await asked) assert.ok(answer === null || answer.status === 503, answer?.text);
  assert.equal(await entries(), before);
  await nodes.stop();
});
await postgres.stop();
finish();
