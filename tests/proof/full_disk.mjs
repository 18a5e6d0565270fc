// A disk of 2 MiB is filled by writes until 507; reads go on; room is made, and writing resumes without a restart;
// and again with kill -9 in the middle. Every acknowledged entry is there at the end. Deletions are killed at every
// system call that they make while they use the reserve.
// Usage: FAULT_PRELOAD=path of fault_preload.so node full_disk.mjs [binary]. It mounts a tmpfs, for which it takes a user namespace of its own when it is not root.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exchange } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { happens, PATIENCE_MS } from '../support/patience.mjs';
import { Caller, sleep } from './support.mjs';

const DISK = '2m';
const FILLER_BYTES = 900 * 1024;
const CLIENTS = 8;
const ROUNDS = 3;

const binary = binaryArgument();
const preload = resolve(process.env.FAULT_PRELOAD ?? new URL('../../build/fault_preload.so', import.meta.url).pathname);

const directory = temporaryDirectory();
try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', directory], { stdio: 'pipe' });
} catch (error) {
  if (!process.env.CUBED_TEST_UNSHARED) {
    if (spawnSync('unshare', ['-Urm', 'true'], { stdio: 'ignore' }).status === 0) {
      const again = spawnSync('unshare', ['-Urm', process.execPath, ...process.argv.slice(1)],
        { stdio: 'inherit', env: { ...process.env, CUBED_TEST_UNSHARED: '1' } });
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
const control = join(temporaryDirectory(), 'control'); // of the preloaded library, and not on the full disk
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

/** Takes that many bytes of the disk, or all that are left: the store may have grown meanwhile. */
function takeRoom(bytes) {
  const file = openSync(filler, 'w');
  const part = Buffer.alloc(64 * 1024);
  try {
    for (let taken = 0; taken < bytes; taken += part.length) writeSync(file, part);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** Fills the disk and makes room, on a running server. */
async function fill(server, round) {
  takeRoom(FILLER_BYTES - round * 200 * 1024);
  const before = totals[507];
  await write(server.url, () => totals[507] >= before + 20);
  assert.ok(totals[507] > before, 'the disk is full, and it is told');
  await compare(server.url);
  const caller = new Caller(server.url);
  assert.equal((await caller.call('POST', '/v1/apply', { moves: 'R' })).status, 200, 'what stores nothing goes on');
  rmSync(filler);
  const { status } = await happens(async () => {
    const answer = await caller.call('POST', '/v1/sessions', { size: 2 });
    return answer.status !== 507 && answer;
  });
  assert.equal(status, 201, 'writing resumes without a restart');
  caller.close();
  const written = totals[200];
  await write(server.url, () => totals[200] >= written + 5);
  await compare(server.url);
}

let server = await Server.start(binary, store);
await check('sessions', () => create(server.url));
const spare = new Map(); // by path: the owner's token; without entries
await check('sessions to delete', async () => {
  const caller = new Caller(server.url);
  for (let i = 0; i < 30; i++) {
    const { status, json } = await caller.call('POST', '/v1/sessions', { size: 3 });
    assert.equal(status, 201);
    spare.set(`/v1/sessions/${json.id}`, json.token);
  }
  caller.close();
});
for (let round = 0; round < ROUNDS; round++) await check(`filled and freed, round ${round + 1}`, () => fill(server, round));
await check('kill -9 while the disk is full', async () => {
  const before = totals[507];
  takeRoom(200 * 1024);
  const writing = write(server.url, () => false);
  await happens(() => totals[507] >= before + 10);
  await server.kill();
  await writing;
  assert.ok(totals[507] > before, 'it was full');
  server = await Server.start(binary, store); // on a disk that is full
  await compare(server.url);
  rmSync(filler);
});
await check('and afterwards it writes', async () => {
  const before = totals[200];
  const until = performance.now() + PATIENCE_MS;
  await write(server.url, () => totals[200] >= before + 5 || performance.now() > until);
  assert.ok(totals[200] > before);
  await compare(server.url);
});
/** Deletes one session while there is no room, and gets 410 for it from then on. */
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
/** Starts the server so that a call of its files can be made to kill it; the function that says which one. */
async function startWithKills() {
  const path = control;
  const write = (...numbers) => writeFileSync(path, new BigInt64Array([...numbers, ...Array(10 - numbers.length).fill(0)].map(BigInt)));
  const ANY_CALL = 5;
  const KILL = -1;
  write(0);
  Object.assign(process.env, { LD_PRELOAD: preload, FAULT_CONTROL: path, FAULT_PATH: join(directory, 'full.db') });
  server = await Server.start(binary, store);
  for (const name of ['LD_PRELOAD', 'FAULT_CONTROL', 'FAULT_PATH']) delete process.env[name];
  return (calls) => {
    // In place, because it is mapped.
    const file = openSync(path, 'r+');
    writeSync(file, new BigInt64Array([ANY_CALL, KILL, calls, 1].map(BigInt)));
    closeSync(file);
  };
}

/** Kills the server at that call of a deletion on a full disk. What it came to: 'answered', 'done' or 'not done'. */
async function killDeletion(path, calls) {
  const kill = await startWithKills();
  let caller = new Caller(server.url);
  await fillUp();
  kill(calls);
  const deletion = await exchange(caller.url, caller.agent, 'DELETE', path, { authorization: `Bearer ${spare.get(path)}` }).catch(() => null);
  caller.close();
  if (deletion) await server.kill();
  else await server.exited;
  const reserve = statSync(join(directory, 'full.db.reserve')).size;
  server = await Server.start(binary, store);
  caller = new Caller(server.url);
  const { status } = await caller.call('GET', path);
  caller.close();
  await compare(server.url);
  await server.stop();
  if (deletion) assert.equal(deletion.status, 204, deletion.text);
  assert.ok(status === 410 || (status === 200 && !deletion), `after the kill: ${status}`);
  return { end: deletion ? 'answered' : status === 410 ? 'done' : 'not done', reserve };
}

await check('a deletion on a full disk is killed at each of its calls: it is done or not, and then it works', async () => {
  assert.ok(existsSync(preload), `${preload}: make build/fault_preload.so`);
  const ends = { answered: 0, done: 0, 'not done': 0 };
  let used = 0;
  const size = statSync(join(directory, 'full.db.reserve')).size;
  await server.stop();
  const rest = openSync(filler, 'w');
  assert.throws(() => {
    for (;;) writeSync(rest, Buffer.alloc(4096));
  }, /ENOSPC/);
  closeSync(rest);
  let paths = [...spare.keys()];
  for (let calls = 1; paths.length > 0 && ends.answered === 0; calls++) {
    const { end, reserve } = await killDeletion(paths[0], calls);
    ends[end]++;
    used += reserve < size;
    if (end !== 'not done') paths = paths.slice(1);
  }
  console.log(`killed deletions: ${ends['not done']} not done, ${ends.done} done; ${used} with the reserve in use`);
  assert.equal(ends.answered, 1);
  assert.ok(ends['not done'] > 0 && used > 0);
  rmSync(filler);
  server = await Server.start(binary, store);
});
await check('and when the store has the size that it may have, on a disk with room; their room is there for others at once', async () => {
  await server.stop();
  execFileSync('mount', ['-o', 'remount,size=67108864', directory], { stdio: 'pipe' });
  server = await Server.start(binary, store, ['--max-store-bytes', String(statSync(join(directory, 'full.db')).size + 65536)]);
  const caller = new Caller(server.url);
  for (let i = 0; i < 2; i++) {
    await fillUp();
    await deleteOne(caller);
    const [path] = [...acknowledged.keys()];
    const answer = await happens(async () => {
      const tried = await caller.call('POST', `${path}/moves`, { moves: MOVES });
      return tried.status !== 507 && tried;
    });
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
