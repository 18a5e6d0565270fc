// standby.mjs: verify and export read a standby, beside nodes under load; nothing is written there, and no node starts on it.
// Usage: node standby.mjs [binary]

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';
import { PATIENCE_MS, until } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';


const binary = binaryArgument();
const postgres = await Postgres.start();
const database = await postgres.database();
const [primary, standby, both] = [['a'], ['b'], ['b', 'a']].map((servers) => `postgresql:${postgres.conninfo(database, servers)}`);
await postgres.command('standby b a');
const nodes = await Nodes.start(binary, primary, 2);
const load = new Load(() => nodes.urls, { seed: Date.now() % 2 ** 31 });
await load.create(10);
load.start();

/** Runs the program, which is killed if it does not end; answers {code, out, err}. */
const cubed = (...args) => new Promise((done) => {
  execFile(binary, args, { maxBuffer: 1 << 28, timeout: 5 * PATIENCE_MS }, (error, out, err) => done({ code: error?.code ?? (error ? -1 : 0), out, err }));
});
const tables = (server) => postgres.sql("SELECT string_agg(x::text, ',' ORDER BY lane) FROM cubed.lane x", database, server);

await check('verify and export read a standby under load', async () => {
  await until(() => load.tally['write 200'] > 300, () => JSON.stringify(load.tally));
  for (const command of ['verify', 'export']) {
    const { code, out, err } = await cubed(command, '--store', standby);
    assert.equal(code, 0, `${command}: ${err}${out}`);
  }
});
await load.stop();
assert.equal((await nodes.stop()).code, 0, nodes.log);

await check('an export of the standby is that of the primary, byte for byte', async () => {
  const lag = () => postgres.sql('SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) FROM pg_stat_replication');
  await until(async () => (await lag()) === '0', 'the standby is behind', 20);
  const before = await tables('a');
  const exports = await Promise.all([primary, standby, both].map((store) => cubed('export', '--store', store)));
  for (const { code, err } of exports) assert.equal(code, 0, err);
  assert.ok(exports[0].out.length > 10000);
  assert.equal(exports[1].out, exports[0].out);
  assert.equal(exports[2].out, exports[0].out);
  assert.equal(await tables('a'), before);
});

await check('nothing else takes a standby', async () => {
  for (const args of [['import', '/dev/null'], ['--listen', '127.0.0.1:0']]) {
    const { code, err } = await cubed(...args, '--store', standby);
    assert.ok(code > 0, `${args}: ${code}`);
    assert.match(err, /read-only|read-write/, err);
  }
  const { code, err } = await cubed('migrate', standby, 'sqlite:/nowhere/cubed.db');
  assert.ok(code > 0 && /read-only|read-write/.test(err), err);
});
await postgres.stop();
finish();
