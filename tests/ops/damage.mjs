// A database whose file is damaged or replaced while the server reads it: the server lives, answers 503 for what it
// cannot read, and ends cleanly; what it acknowledged before its log was deleted can be saved. Were a reader to map the file, a page that is gone would end the process by SIGBUS.
// Usage: node damage.mjs [path of the binary] [tries]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { Caller, generator, sleep } from '../proof/support.mjs';
import { happens } from '../support/patience.mjs';

const SESSIONS = 10000;
const READERS = 6;
const READS_BEFORE = 40;
const READS_AFTER = 120;
const PAGE_BYTES = 4096;

const binary = binaryArgument();
const tries = numberArgument(0, 6);
const directory = temporaryDirectory();
const file = (name) => join(directory, name);
const random = generator(7);
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Sessions of 40 moves each, made by an import. */
function make(path, count) {
  const ids = Array.from({ length: count }, () => Array.from({ length: 16 }, () => LETTERS[random(32)]).join(''));
  const lines = [{ format: 'cubed-export', version: 1 }];
  for (const id of ids) {
    const moves = Array.from({ length: 40 }, () => 'URFDLB'[random(6)] + ['', "'", '2'][random(3)]).join(' ');
    lines.push({ id, size: 3, access: 'view', created_ms: 1700000000000, entries: [{ revision: 1, time_ms: 1700000001000, kind: 'moves', moves }] });
  }
  lines.push({ sessions: count, entries: count });
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { status, stderr } = spawnSync(binary, ['import', '-', '--store', `sqlite:${path}`], { input });
  assert.equal(status, 0, String(stderr));
  return ids;
}

const ids = make(file('whole.db'), SESSIONS);
make(file('short.db'), 50);

const ways = [
  ['cut to a tenth', (path) => truncateSync(path, Math.floor(statSync(path).size / 10 / PAGE_BYTES) * PAGE_BYTES)],
  ['overwritten by a shorter copy', (path) => copyFileSync(file('short.db'), path)],
  ['cut in the middle of a page', (path) => truncateSync(path, 20 * PAGE_BYTES + 77)],
  ['cut to nothing', (path) => truncateSync(path, 0)],
  ['overwritten by zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size), { flag: 'r+' })],
  ['overwritten by other bytes', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size / 2, 0xee))],
];

/** Reads until `enough`: the sessions one by one, lists of them, and searches through all. */
async function read(server, statuses, enough) {
  const caller = new Caller(server.url);
  while (!enough()) {
    const which = random(3);
    const { status } = which === 0
      ? await caller.call('POST', '/v1/search', { size: 3, pattern: { name: 'f2l-3' } })
      : await caller.call('GET', which === 1 ? '/v1/sessions?limit=100' : `/v1/sessions/${ids[random(SESSIONS)]}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
    statuses.all++;
    if (status === 0) break;
  }
  caller.close();
}

async function attempt(way) {
  const path = file('live.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  writeFileSync(path, readFileSync(file('whole.db')));
  const server = await Server.start(binary, `sqlite:${path}`, ['--cache-bytes', '1']);
  try {
    return await damage(server, way, path);
  } finally {
    await server.kill();
  }
}

/** Damages the file while it is read, and returns how often 503 was answered. */
async function damage(server, way, path) {
  const statuses = { all: 0 };
  const readers = Promise.all(Array.from({ length: READERS }, () => read(server, statuses, () => statuses.all >= READS_BEFORE + READS_AFTER)));
  while (statuses.all < READS_BEFORE && statuses[0] === undefined) await sleep(1);
  assert.deepEqual(Object.keys(statuses), ['200', 'all'], 'before, all is well');
  way(path);
  await readers;
  assert.equal(server.child.signalCode, null, `it died of ${server.child.signalCode}`);
  assert.equal(statuses[0], undefined, 'a connection was cut');
  for (const status of Object.keys(statuses)) assert.ok(['200', '404', '503', 'all'].includes(status), `${status} was answered`);
  const caller = new Caller(server.url);
  assert.equal((await caller.call('GET', '/healthz')).status, 200);
  caller.close();
  assert.equal((await server.stop()).signal, null);
  return statuses[503] ?? 0;
}

let refused = 0;
for (let i = 0; i < tries; i++) {
  const [name, way] = ways[i % ways.length];
  await check(`the database is ${name}`, async () => (refused += await attempt(way)));
}
await check('what was damaged was answered with 503', () => assert.ok(refused > 0));

/** The bytes of an id. */
const idBytes = (id) => Buffer.from([...id].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('').match(/.{8}/g).map((bits) => parseInt(bits, 2)));

await check('a flipped bit of a history is 503 store-damaged, and other sessions are served', async () => {
  const path = file('flipped.db');
  const [id, other] = make(path, 2);
  const bytes = readFileSync(path);
  const row = bytes.indexOf(idBytes(id));
  assert.ok(row > 0);
  bytes[row + 10 + 6 + 3 + 12] ^= 4; // behind the id, the time and the hash of the cube: a turn
  writeFileSync(path, bytes);
  const server = await Server.start(binary, `sqlite:${path}`);
  const caller = new Caller(server.url);
  try {
    for (const way of [['GET', `/v1/sessions/${id}`], ['GET', `/v1/sessions/${id}/history`]]) {
      const { status, json } = await caller.call(...way);
      assert.equal(status, 503);
      assert.equal(json.type, 'urn:cubed:problem:store-damaged');
    }
    assert.equal((await caller.call('GET', `/v1/sessions/${other}`)).status, 200);
    await happens(() => /a session cannot be read: cubed verify lists the damage/.test(server.log));
  } finally {
    caller.close();
    await server.kill();
  }
  const verified = spawnSync(binary, ['verify', '--store', `sqlite:${path}`]);
  assert.equal(verified.status, 1);
  assert.match(String(verified.stdout), /does not have its checksum/);
});

await check('a log that was deleted can be saved, as the server says', async () => {
  const path = file('lost.db');
  const server = await Server.start(binary, `sqlite:${path}`);
  const caller = new Caller(server.url);
  const { json } = await caller.call('POST', '/v1/sessions', { size: 3, access: 'edit' });
  const move = () => caller.call('POST', `/v1/sessions/${json.id}/moves`, { moves: 'R U' });
  let acknowledged = 0;
  try {
    while (acknowledged < 300) acknowledged += (await move()).status === 200;
    rmSync(`${path}-wal`);
    assert.equal((await move()).status, 503, 'nothing is acknowledged into nothing');
    assert.equal((await caller.call('GET', `/v1/sessions/${json.id}`)).status, 200);
    await happens(() => / log=\S+/.test(server.log));
    const [, database, log] = /copy database to NEW\.db and log to NEW\.db-wal.* database=(\S+) log=(\S+)/.exec(server.log) ?? [];
    assert.ok(log, server.log);
    copyFileSync(database, file('saved.db'));
    copyFileSync(log, file('saved.db-wal'));
  } finally {
    caller.close();
    await server.kill();
  }
  const verified = spawnSync(binary, ['verify', '--store', `sqlite:${file('saved.db')}`]);
  assert.equal(verified.status, 0, String(verified.stdout));
  const exported = String(spawnSync(binary, ['export', '--store', `sqlite:${file('saved.db')}`]).stdout);
  const { entries } = JSON.parse(exported.trimEnd().split('\n').at(-1));
  assert.ok(entries >= acknowledged, `${acknowledged} were acknowledged, ${entries} are there`);
});
finish();
