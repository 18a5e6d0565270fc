// The subcommands beside a running server under load: verify, export, backup, import, --health, and wrong usage.
// Usage: node run.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { exchange } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const SESSIONS = 30;
const CLIENTS = 8;
const BACKUPS = 5;

const binary = binaryArgument();
const directory = temporaryDirectory();
const file = (name) => join(directory, name);

/** Runs the program; answers {code, out, err}. */
function cubed(args, input = '', env = {}) {
  return new Promise((done, failed) => {
    const child = spawn(binary, args, { cwd: directory, env: { ...process.env, ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (bytes) => (out += bytes));
    child.stderr.on('data', (bytes) => (err += bytes));
    child.once('error', failed);
    child.once('close', (code) => done({ code, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

async function well(...args) {
  const answer = await cubed(args);
  assert.equal(answer.code, 0, `cubed ${args.join(' ')}: ${answer.err}${answer.out}`);
  return answer.out;
}

/** An export as {id: entries}; the last line says how many there are. */
function sessionsOf(text) {
  const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines[0], { format: 'cubed-export', version: 1 });
  const sessions = new Map();
  for (const { id, continues, entries } of lines.slice(1, -1)) {
    if (id) sessions.set(id, []);
    sessions.get(id ?? continues).push(...entries);
  }
  const entries = [...sessions.values()].reduce((sum, list) => sum + list.length, 0);
  assert.deepEqual(lines.at(-1), { sessions: sessions.size, entries });
  return sessions;
}

const json = { 'content-type': 'application/json' };
const store = `sqlite:${file('live.db')}`;
const server = await Server.start(binary, store);
const acknowledged = new Map(); // id -> entries as answered

async function create(agent, size) {
  const answer = await exchange(server.url, agent, 'POST', '/v1/sessions', json, JSON.stringify({ size, access: 'edit' }));
  assert.equal(answer.status, 201, answer.text);
  acknowledged.set(JSON.parse(answer.text).id, []);
}

/** One client, with sessions of its own, so that its answers come in order. */
async function load(number, running) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const own = [...acknowledged.keys()].filter((_, i) => i % CLIENTS === number);
  for (let i = 0; running.on; i++) {
    const id = own[i % own.length];
    const [call, body] = i % 7 === 6 ? ['undo', {}] : ['moves', { moves: ["R U2 F'", 'U', 'Rw2 D', 'x'][i % 4] }];
    const answer = await exchange(server.url, agent, 'POST', `/v1/sessions/${id}/${call}`, json, JSON.stringify(body));
    if (answer.status === 200) acknowledged.get(id).push(JSON.parse(answer.text).entry);
    else assert.equal(answer.status, 409, answer.text);
  }
  agent.destroy();
}

/** Each session is a prefix of its history that has all that was answered before. */
function compare(sessions, before) {
  for (const [id, count] of before) {
    const entries = sessions.get(id);
    assert.ok(entries, `session ${id} is missing`);
    assert.ok(entries.length >= count, `${count} entries were answered before it began; ${entries.length} are there`);
    entries.forEach((entry, i) => assert.equal(entry.revision, i + 1));
    const answers = acknowledged.get(id);
    for (let i = 0; i < Math.min(entries.length, answers.length); i++) {
      assert.equal(entries[i].moves, answers[i].moves);
      assert.equal(entries[i].kind, answers[i].kind);
    }
  }
}

const counts = () => [...acknowledged].map(([id, entries]) => [id, entries.length]);
const setup = new http.Agent({ keepAlive: true, maxSockets: 4 });
for (let i = 0; i < SESSIONS; i++) await create(setup, 3 + (i % 5));
setup.destroy();

const running = { on: true };
const loads = Promise.all(Array.from({ length: CLIENTS }, (_, i) => load(i, running)));

for (let i = 0; i < BACKUPS; i++) {
  await check(`backup ${i} under load`, async () => {
    await new Promise((done) => setTimeout(done, 150));
    const before = counts();
    await well('backup', '--store', store, file(`backup-${i}.db`));
    compare(sessionsOf(await well('export', '--store', `sqlite:${file(`backup-${i}.db`)}`)), before);
  });
  await check(`verify and export ${i} under load`, async () => {
    assert.match(await well('verify', '--store', store), /sound\n$/);
    const before = counts();
    compare(sessionsOf(await well('export', '--store', store)), before);
  });
}
running.on = false;
await loads;

await check('there was load', () => assert.ok(counts().reduce((sum, [, count]) => sum + count, 0) > 200));
await check('a ready server is healthy', async () => {
  assert.equal((await cubed(['--health', '--listen', `127.0.0.1:${server.port}`])).code, 0);
  assert.equal((await cubed(['--health'], '', { CUBED_LISTEN: `0.0.0.0:${server.port}` })).code, 0);
});
await check('import keeps off a running server', async () => {
  const answer = await cubed(['import', '-', '--store', store]);
  assert.equal(answer.code, 1);
  assert.match(answer.err, /in use by another process/);
});
await check('the server did not notice', async () => assert.equal((await server.stop()).code, 0));
await check('a stopped server is not healthy', async () => {
  assert.equal((await cubed(['--health', '--listen', `127.0.0.1:${server.port}`])).code, 1);
});

await check('export, import, export', async () => {
  await well('export', '--store', store, file('first.ndjson'));
  await well('import', '--store', `sqlite:${file('copy.db')}`, file('first.ndjson'));
  await well('verify', '--store', `sqlite:${file('copy.db')}`);
  assert.equal(await well('export', '--store', `sqlite:${file('copy.db')}`), readFileSync(file('first.ndjson'), 'utf8'));
});
await check('an import that is cut off leaves nothing', async () => {
  const text = readFileSync(file('first.ndjson'), 'utf8').trimEnd();
  const cut = await cubed(['import', '--store', `sqlite:${file('cut.db')}`, '-'], text.slice(0, text.lastIndexOf('\n') + 1));
  assert.equal(cut.code, 1);
  assert.match(cut.err, /cut off/);
  assert.equal(sessionsOf(await well('export', '--store', `sqlite:${file('cut.db')}`)).size, 0);
});
await check('a backup is served', async () => {
  const restored = await Server.start(binary, `sqlite:${file('backup-0.db')}`);
  assert.equal((await restored.stop()).code, 0);
});

const wrong = [
  [2, ['nothing']], [2, ['verify', 'a']], [2, ['backup']], [2, ['import']], [2, ['export', 'a', 'b']], [2, ['verify', '--store']],
  [2, ['verify', '--store', 'memory:']], [2, ['backup', 'x', '--nothing', '1']], [1, ['verify', '--store', 'sqlite:none.db']],
  [1, ['verify', '--store', 'sqlite:/dev/null']], [1, ['import', 'none', '--store', 'sqlite:new.db']],
  [2, ['tables']], [2, ['tables', 'burn']], [2, ['tables', 'list', 'x']], [2, ['tables', 'build']], [2, ['tables', 'build', 'optimal-9']],
  [1, ['tables', 'build', 'optimal-2-all', '--tables-dir', '/dev/null/x']], [1, ['backup', file('first.ndjson'), '--store', store]], [1, ['backup', 'no/folder/x', '--store', store]],
];
for (const [code, args] of wrong) {
  await check(`wrong usage: ${args.join(' ')}`, async () => {
    const answer = await cubed(args);
    assert.equal(answer.code, code);
    assert.match(answer.err, /^cubed: [^\n]+\n$/, 'one line');
    assert.equal(answer.out, '');
  });
}
await check('damage: exit 1, and a line for each finding', async () => {
  const bytes = readFileSync(file('copy.db'));
  bytes.fill(0xee, bytes.length - 4096);
  writeFileSync(file('damaged.db'), bytes);
  const answer = await cubed(['verify', '--store', `sqlite:${file('damaged.db')}`]);
  assert.equal(answer.code, 1);
  assert.match(answer.out, /\n.* findings\n$/);
  const backup = await cubed(['backup', '--store', `sqlite:${file('damaged.db')}`, file('none.db')]);
  assert.equal(backup.code, 1);
  assert.ok(!existsSync(file('none.db')));
});
await check('tables: listed, built, found again, and built again where they are damaged', async () => {
  const build = ['tables', 'build', 'optimal-2-all', 'optimal-3-small', '--tables-dir', file('tables')];
  const path = file('tables/optimal-2-all.tables');
  const state = async (code = 0) => {
    const answer = await cubed(['tables', 'list', '--tables-dir', file('tables')]);
    assert.equal(answer.code, code);
    return /^optimal-2-all +7\.5 MB +(.*)$/m.exec(answer.out)[1];
  };
  assert.equal(await state(), 'not there');
  const first = await cubed(build);
  assert.equal(first.code, 0, first.err);
  assert.match(first.err, /^cubed: optimal-2-all: step 1 of 2\n/);
  assert.equal(await state(), 'there');
  assert.match(await well(...build), /^optimal-2-all is in .* already\n/);
  const bytes = readFileSync(path);
  bytes[5000000] ^= 1;
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
  assert.match(await state(1), /damaged/);
  await well(...build);
  assert.equal(await state(), 'there');
  writeFileSync(file('tables/optimal-3-small.tables.new'), 'left by one that was killed');
  await well(...build);
  assert.deepEqual(readdirSync(file('tables')).sort(), ['optimal-2-all.tables', 'optimal-3-small.tables']);
});
await check('nothing unfinished is left', () => {
  assert.deepEqual(readdirSync(directory).filter((name) => /\.[A-Za-z0-9]{6}$/.test(name) && !name.endsWith('.ndjson')), []);
});

finish();
