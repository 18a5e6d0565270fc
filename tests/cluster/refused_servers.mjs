// refused_servers.mjs: what a node does not accept as its database, and the reason that it gives: a pooler that pools
// transactions (pgbouncer). One that pools sessions is accepted. Usage: node refused_servers.mjs [binary]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { happens } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { freePort, installed, listens } from './haproxy.mjs';

const binary = binaryArgument();
const postgres = await Postgres.shared();

/** The user postgres, if this runs as root, as which pgbouncer refuses to run. */
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8').split('\n').find((line) => line.startsWith('postgres:')).split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** pgbouncer before the server of the tests; answers {port, stop}. */
async function startPooler(mode) {
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'cubed-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `[databases]
* = host=${postgres.folder}/a user=cubed
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`);
  chmodSync(folder, 0o755);
  if (user.uid) chownSync(folder, user.uid, user.gid);
  const child = spawn(installed('pgbouncer'), [file], { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (log = (log + bytes).slice(-20000)));
  const ended = new Promise((done) => { child.once('exit', done); });
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  if (!(await happens(() => child.exitCode !== null || listens(port))) || child.exitCode !== null) throw new Error(`pgbouncer did not start: ${log}`);
  return { port, stop: () => { child.kill('SIGKILL'); return ended; } };
}

await check('pgbouncer that pools transactions is refused', async () => {
  const pooler = await startPooler('transaction');
  const location = `postgresql:host=127.0.0.1 port=${pooler.port} user=cubed dbname=${await postgres.database()}`;
  await assert.rejects(Server.start(binary, location), /pools transactions[^]*pool_mode = session/);
  // Also while others use the pool.
  let asking = true;
  const busy = Promise.all(Array.from({ length: 3 }, async () => {
    while (asking) await pooled(pooler.port);
  }));
  await assert.rejects(Server.start(binary, location), /pools transactions/);
  asking = false;
  await busy;
  await pooler.stop();
});

/** A statement of somebody else through the pooler. */
function pooled(port) {
  const child = spawn('psql', ['-XAtqc', 'SELECT 1', `host=127.0.0.1 port=${port} user=cubed dbname=postgres`], { stdio: 'ignore' });
  return new Promise((done) => { child.once('exit', done); });
}

await check('pgbouncer that pools sessions is accepted', async () => {
  const pooler = await startPooler('session');
  const node = await Server.start(binary, `postgresql:host=127.0.0.1 port=${pooler.port} user=cubed dbname=${await postgres.database()}`);
  const path = await session(node.port);
  assert.equal((await ask(node.port, 'POST', `${path}/moves`, { moves: 'R U' })).status, 200);
  assert.equal((await ask(node.port, 'GET', path)).json.revision, 1);
  assert.equal((await node.stop()).code, 0, node.log);
  await pooler.stop();
});

await postgres.stop();
finish();
