// refused_servers.mjs: what a node does not accept as its database, and the reason that it gives: a pooler that pools
// transactions (pgbouncer), and a database that only speaks PostgreSQL's protocol. pgbouncer that pools sessions is
// accepted. Usage: node refused_servers.mjs [binary]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
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
  // So are subcommands that read or write the database.
  const folder = mkdtempSync(join(tmpdir(), 'cubed-refused-'));
  const own = `sqlite:${join(folder, 'own.db')}`;
  assert.equal((await (await Server.start(binary, own)).stop()).code, 0);
  for (const command of [['verify', '--store', location], ['migrate', location, `sqlite:${join(folder, 'copy.db')}`], ['migrate', own, location]])
    assert.match(await refusal(command), /pools transactions[^]*pool_mode = session/, command[0]);
  rmSync(folder, { recursive: true });
  asking = false;
  await busy;
  await pooler.stop();
});

/** Runs a subcommand that must fail; answers its message. */
async function refusal(words) {
  const child = spawn(binary, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (bytes) => (text += bytes));
  const code = await new Promise((done) => { child.once('close', done); });
  assert.equal(code, 1, `${words[0]}: ${text}`);
  return text;
}

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

// ---- a server that only speaks the protocol ----

const message = (type, ...parts) => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int16 = (number) => { const bytes = Buffer.alloc(2); bytes.writeInt16BE(number); return bytes; };
const int32 = (number) => { const bytes = Buffer.alloc(4); bytes.writeInt32BE(number); return bytes; };
const READY = message('Z', Buffer.from('I'));
const row = (text) => Buffer.concat([
  message('T', int16(1), 'column', int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)),
  message('D', int16(1), int32(Buffer.byteLength(text)), Buffer.from(text)),
  message('C', 'SELECT 1'), READY,
]);
const error = (state, text) => Buffer.concat([message('E', Buffer.from('S'), 'ERROR', Buffer.from('V'), 'ERROR', Buffer.from('C'), state, Buffer.from('M'), text, Buffer.from('\0')), READY]);

/** Answers simple queries like CockroachDB, as far as a node asks; answers {port, asked, close}. */
async function startOther(version) {
  const asked = [];
  const server = net.createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let started = false;
    socket.on('error', () => {});
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const at = started ? 1 : 0;
        if (bytes.length < at + 4 || bytes.length < at + bytes.readInt32BE(at)) return;
        const length = at + bytes.readInt32BE(at);
        const text = bytes.subarray(at + 4, length - 1).toString();
        const type = started ? String.fromCharCode(bytes[0]) : '';
        const code = started ? 0 : bytes.readInt32BE(4);
        bytes = bytes.subarray(length);
        if (type === '' && code !== 196608) { socket.write('N'); continue; } // no TLS, no GSSAPI
        if (type === '') {
          started = true;
          const settings = { server_version: '13.0.0', client_encoding: 'UTF8', standard_conforming_strings: 'on', integer_datetimes: 'on' };
          socket.write(Buffer.concat([message('R', int32(0)), ...Object.entries(settings).map((pair) => message('S', ...pair)), message('K', int32(7), int32(7)), READY]));
        } else if (type === 'Q') {
          asked.push(text);
          if (/SELECT version\(\)/i.test(text)) socket.write(row(version));
          else if (/transaction_read_only/.test(text)) socket.write(row('off'));
          else if (/enable_hashjoin/.test(text)) socket.write(error('22023', 'unrecognized configuration parameter "enable_hashjoin"'));
          else socket.write(Buffer.concat([message('C', 'SET'), READY]));
        } else if (type === 'X') socket.end();
        else socket.write(error('0A000', 'not here'));
      }
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, asked, close: () => server.close() };
}

await check('a database that only speaks the protocol is refused by its name', async () => {
  const other = await startOther('CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)');
  const location = `postgresql:host=127.0.0.1 port=${other.port} user=cubed dbname=cubed sslmode=disable`;
  await assert.rejects(Server.start(binary, location), /CockroachDB CCL v24\.1\.0[^]*PostgreSQL 15 or newer/);
  assert.ok(other.asked.every((text) => !/SET enable_/.test(text)), other.asked.join('\n'));
  other.close();
});

await postgres.stop();
finish();
