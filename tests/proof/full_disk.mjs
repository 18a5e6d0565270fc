// A disk of 2 MiB is filled by writes until 507; reads go on; room is made, and writing resumes without a restart;
// and again with kill -9 in the middle. Every acknowledged entry is there at the end.
// Usage: node full_disk.mjs [binary]. It mounts a tmpfs, for which it takes a user namespace of its own when it is not root.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { exchange } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { Caller, sleep } from './support.mjs';

const DISK = '2m';
const FILLER_BYTES = 900 * 1024;
const CLIENTS = 8;
const ROUNDS = 3;
const RESUME_MS = 5000;

const binary = binaryArgument();

const directory = temporaryDirectory();
try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', directory], { stdio: 'pipe' });
} catch (error) {
  if (!process.env.CUBED_UNSHARED) {
    if (spawnSync('unshare', ['-Urm', 'true'], { stdio: 'ignore' }).status === 0) {
      const again = spawnSync('unshare', ['-Urm', process.execPath, ...process.argv.slice(1)],
        { stdio: 'inherit', env: { ...process.env, CUBED_UNSHARED: '1' } });
      process.exit(again.status ?? 1);
    }
  }
  console.log(`skipped: a tmpfs cannot be mounted here: ${String(error.stderr ?? error.message).trim()}`);
  console.log('0 passed, 0 failed');
  process.exit(0);
}
// First of all, lest the directory be busy when it is removed; lazily, for the server may still be there.
process.prependListener('exit', () => spawnSync('umount', ['-l', directory]));

const store = `sqlite:${join(directory, 'full.db')}`;
const filler = join(directory, 'filler');
const acknowledged = new Map(); // by path: entries
const tokens = new Map(); // by path: the owner's
const totals = { 200: 0, 507: 0, cut: 0 };
// Long entries fill faster.
const MOVES = Array.from({ length: 400 }, (_, i) => `${'URFDLB'[i % 6]}${['', "'", '2'][i % 3]}`).join(' ');

async function create(url) {
  const caller = new Caller(url);
  for (let i = 0; i < CLIENTS; i++) {
    const { status, json } = await caller.call('POST', '/v1/sessions', { size: 3, access: 'edit' });
    assert.equal(status, 201);
    acknowledged.set(`/v1/sessions/${json.id}`, []);
    tokens.set(`/v1/sessions/${json.id}`, json.token);
  }
  caller.close();
}

/** Writes to every session at the same time until `enough` says so. */
async function write(url, enough) {
  await Promise.all([...acknowledged].map(async ([path, entries]) => {
    const caller = new Caller(url);
    while (!enough()) {
      const { status, json } = await caller.call('POST', `${path}/moves`, { moves: MOVES });
      if (status === 0) totals.cut++;
      else totals[status] = (totals[status] ?? 0) + 1;
      if (status === 200) entries.push(json.entry);
      else if (status !== 507) break;
    }
    caller.close();
  }));
}

async function compare(url) {
  const caller = new Caller(url);
  for (const [path, entries] of acknowledged) {
    const items = await caller.history(path);
    assert.deepEqual(items.map(({ revision }) => revision), items.map((_, i) => i + 1));
    const byRevision = new Map(items.map((item) => [item.revision, item]));
    for (const entry of entries) assert.deepEqual(byRevision.get(entry.revision), entry, 'an acknowledged entry is there');
  }
  caller.close();
}

/** Fills the disk and makes room, on a running server. */
async function fill(server, round) {
  writeFileSync(filler, Buffer.alloc(FILLER_BYTES - round * 200 * 1024));
  const before = totals[507];
  await write(server.url, () => totals[507] >= before + 20);
  assert.ok(totals[507] > before, 'the disk is full, and it is told');
  await compare(server.url);
  const caller = new Caller(server.url);
  assert.equal((await caller.call('POST', '/v1/apply', { moves: 'R' })).status, 200, 'what stores nothing goes on');
  rmSync(filler);
  const begin = performance.now();
  let status;
  do {
    await sleep(20);
    status = (await caller.call('POST', '/v1/sessions', { size: 2 })).status;
  } while (status === 507 && performance.now() - begin < RESUME_MS);
  assert.equal(status, 201, 'writing resumes without a restart');
  caller.close();
  const written = totals[200];
  await write(server.url, () => totals[200] >= written + 5);
  await compare(server.url);
}

let server = await Server.start(binary, store);
await check('sessions', () => create(server.url));
for (let round = 0; round < ROUNDS; round++) await check(`filled and freed, round ${round + 1}`, () => fill(server, round));
await check('kill -9 while the disk is full', async () => {
  const before = totals[507];
  writeFileSync(filler, Buffer.alloc(200 * 1024));
  const writing = write(server.url, () => false);
  for (let i = 0; i < 1000 && totals[507] < before + 10; i++) await sleep(5);
  await server.kill();
  await writing;
  assert.ok(totals[507] > before, 'it was full');
  server = await Server.start(binary, store); // on a disk that is full
  await compare(server.url);
  rmSync(filler);
});
await check('and afterwards it writes', async () => {
  const before = totals[200];
  const until = performance.now() + RESUME_MS;
  await write(server.url, () => totals[200] >= before + 5 || performance.now() > until);
  assert.ok(totals[200] > before);
  await compare(server.url);
});
/** Deletes one session while there is no room, and is told 410 of it from then on. */
async function deleteOne(caller) {
  const [path] = [...acknowledged.keys()];
  const deletion = await exchange(caller.url, caller.agent, 'DELETE', path, { authorization: `Bearer ${tokens.get(path)}` });
  assert.equal(deletion.status, 204, `a deletion is let through: ${deletion.text}`);
  assert.equal((await caller.call('GET', path)).status, 410);
  acknowledged.delete(path);
}

async function fillUp() {
  const before = totals[507];
  await write(server.url, () => totals[507] >= before + 20);
}

await check('sessions can be deleted on a full disk', async () => {
  const rest = openSync(filler, 'w');
  assert.throws(() => {
    for (;;) writeSync(rest, Buffer.alloc(4096));
  }, /ENOSPC/);
  closeSync(rest);
  const caller = new Caller(server.url);
  try {
    await fillUp();
    for (let i = 0; i < 3; i++) await deleteOne(caller);
    await compare(server.url);
  } finally {
    caller.close();
    rmSync(filler);
  }
});
await check('and when the store has the size that it may have; their room is there for others at once', async () => {
  await server.stop();
  server = await Server.start(binary, store, ['--max-store-bytes', String(statSync(join(directory, 'full.db')).size + 65536)]);
  const caller = new Caller(server.url);
  for (let i = 0; i < 2; i++) {
    await fillUp();
    await deleteOne(caller);
    const [path] = [...acknowledged.keys()];
    const begin = performance.now();
    let answer;
    do {
      await sleep(20);
      answer = await caller.call('POST', `${path}/moves`, { moves: MOVES });
    } while (answer.status === 507 && performance.now() - begin < RESUME_MS);
    assert.equal(answer.status, 200, 'there is room');
    acknowledged.get(path).push(answer.json.entry);
    await compare(server.url);
  }
  caller.close();
});
await check('a clean end', async () => {
  const { code } = await server.stop();
  assert.equal(code, 0, server.log);
});
console.log(`${totals[200]} entries acknowledged, ${totals[507]} refused with 507, ${totals.cut} cut off`);
finish();
