// Each write, sync, open and truncation of the store's files fails once with ENOSPC, EIO or EINTR, on the whole server;
// or one in EVERY of them. Usage: FAULT_PRELOAD=path of fault_preload.so node faults.mjs [binary] [EVERY, 1]
//
// For each: the server does not crash; it answers 2xx, 507 or 503; reads go on; after ENOSPC writing resumes; after an
// uncertain failure (store read-only) it is refused until a restart; after a restart without faults
// every acknowledged entry is there. EINTR nobody notices, but in a sync, which SQLite does not try again: it counts as
// failed; and in the store's first open, which refuses to start. Linux gives neither on a local disk.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { Caller, sleep, together } from './support.mjs';

const KINDS = ['pwrite', 'fdatasync', 'fsync', 'open', 'ftruncate'];
const CAUSES = { ENOSPC: 28, EIO: 5, EINTR: 4 };
const NUMBERS = 10; // of the control file: see fault_preload.c
const FOLD_MS = 250; // bound: the store folds after 100 ms of rest; if it does not yet, nothing is demanded

const binary = binaryArgument();
const preload = process.env.FAULT_PRELOAD;
const directory = temporaryDirectory();
// Over a thousand servers start here: what each needs to solve, which is nothing of the store's, is made once.
const TABLES = ['--tables-dir', join(directory, 'tables')];
execFileSync(binary, ['tables', 'build', 'two_phase-3-small', 'optimal-2-all', ...TABLES], { stdio: 'pipe' });
const outcomes = {};
let made = 0;

/** The file from which the preloaded library reads what fails, and in which it counts. */
class Control {
  constructor(path) {
    this.path = path;
    this.set(0, 0, 0, 0);
  }

  set(kind, cause, countdown, times) {
    const fd = openSync(this.path, 'w');
    const numbers = new BigInt64Array(NUMBERS);
    [kind, cause, countdown, times].forEach((number, i) => (numbers[i] = BigInt(number)));
    writeSync(fd, Buffer.from(numbers.buffer));
    closeSync(fd);
  }

  read() {
    const bytes = readFileSync(this.path);
    const numbers = Array.from({ length: NUMBERS }, (_, i) => Number(bytes.readBigInt64LE(i * 8)));
    return { hits: numbers[4], counts: numbers.slice(5) };
  }
}

function environment(control, store) {
  return { LD_PRELOAD: preload, FAULT_CONTROL: control.path, FAULT_PATH: store };
}

/** Server.start takes the environment of this process. */
async function startWith(variables, store) {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  const starting = Server.start(binary, `sqlite:${store}`, TABLES);
  for (const name of Object.keys(variables)) before[name] === undefined ? delete process.env[name] : (process.env[name] = before[name]);
  return starting;
}

/** Sends the requests of the conversation; returns what the server acknowledged, and each status. */
async function converse(server, seen) {
  const caller = new Caller(server.url);
  const write = async (path, json, refusals = [503, 507]) => {
    const answer = await caller.call('POST', path, json);
    if (answer.status !== 409) seen.statuses.push(answer.status);
    assert.ok([200, 201, ...refusals].includes(answer.status), `${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    if (answer.status < 300) seen.acknowledged++;
    return answer;
  };
  for (let round = 0; round < 2; round++) {
    const { status, json } = await write('/v1/sessions', { size: 3 + round, name: `round ${round}`, access: 'edit' });
    if (status !== 201) continue;
    const session = { path: `/v1/sessions/${json.id}`, entries: [], cube: json.cube.facelets };
    seen.sessions.push(session);
    for (const [call, body] of [['moves', { moves: 'R U' }], ['moves', { moves: "F'" }], ['undo', {}], ['moves', { moves: 'D2' }]]) {
      // If no move was stored there is nothing to undo.
      const refusals = call === 'undo' && session.entries.length === 0 ? [409, 503, 507] : undefined;
      const { status: done, json: answer } = await write(`${session.path}/${call}`, body, refusals);
      if (done === 200) {
        session.entries.push(answer.entry);
        session.cube = answer.cube.facelets;
      }
    }
    await sleep(FOLD_MS);
    const now = await caller.call('GET', session.path);
    assert.equal(now.status, 200, 'reads go on');
    assert.equal(now.json.cube.facelets, session.cube, 'what is read is what was answered');
  }
  seen.last = (await write('/v1/sessions', { size: 2 })).status;
  // Were this the one that fails, only another shows that writing resumes.
  if (seen.last === 507) seen.last = (await write('/v1/sessions', { size: 2 })).status;
  seen.ready = (await caller.call('GET', '/readyz')).status;
  caller.close();
}

/** Everything that was acknowledged, and nothing that was refused for certain. */
async function verify(store, seen) {
  const server = await Server.start(binary, `sqlite:${store}`, TABLES);
  const caller = new Caller(server.url);
  for (const { path, entries } of seen.sessions) {
    const items = await caller.history(path);
    assert.deepEqual(items.slice(0, entries.length), entries, 'acknowledged entries are there after a restart');
    assert.ok(items.length <= entries.length + 1, 'nothing is there twice');
  }
  const again = await caller.call('POST', '/v1/sessions', { size: 2 });
  assert.equal(again.status, 201, 'it writes again after a restart');
  caller.close();
  await server.stop();
}

function judge(cause, seen, kind) {
  const refused = seen.statuses.filter((status) => status >= 500);
  if (cause === 'ENOSPC' && kind === 'pwrite') {
    assert.ok(refused.every((status) => status === 507), `a full disk is 507: ${seen.statuses}`);
    assert.equal(seen.last, 201, 'writing resumes');
    assert.ok(refused.length <= 1, `one failure, one refusal: ${seen.statuses}`);
  } else if (cause === 'EINTR' && kind !== 'fdatasync') {
    assert.deepEqual(refused, [], `EINTR is not noticed: ${seen.statuses}`);
  } else if (refused.length > 0) {
    // Once refused, refused until a restart.
    const first = seen.statuses.findIndex((status) => status >= 500);
    assert.ok(seen.statuses.slice(first).every((status) => status === 503), `${seen.statuses}`);
    assert.equal(seen.ready, 503);
  }
}

async function one({ kind, cause, k }) {
  const store = join(directory, `${kind}-${cause}-${k}.db`);
  const control = new Control(`${store}.control`);
  control.set(KINDS.indexOf(kind), CAUSES[cause], k, 1);
  const seen = { statuses: [], sessions: [], acknowledged: 0 };
  let outcome;
  let server;
  try {
    server = await startWith(environment(control, store), store);
  } catch (error) {
    // A server that cannot open its store says so and ends; it does not crash.
    assert.match(error.message, /it ended with 1\n/, error.message);
    outcome = 'did not start';
  }
  if (server) {
    await converse(server, seen);
    const { code, signal } = await server.stop();
    assert.equal(signal ?? code, 0, server.log);
    outcome = seen.statuses.some((status) => status >= 500) ? (seen.last === 201 ? 'refused, then resumed' : 'read-only') : 'unnoticed';
  }
  assert.equal(control.read().hits, 1, 'the call failed');
  if (server) judge(cause, seen, kind);
  else assert.ok(cause !== 'EINTR' || ['open', 'fdatasync'].includes(kind), 'EINTR does not keep it from starting');
  await verify(store, seen);
  made++;
  const row = `${kind} ${cause}`;
  outcomes[row] ??= {};
  outcomes[row][outcome] = (outcomes[row][outcome] ?? 0) + 1;
}

/** Counts the calls of each kind in the conversation without faults: k takes as many values. */
async function measure() {
  const store = join(directory, 'none.db');
  const control = new Control(`${store}.control`);
  const server = await startWith(environment(control, store), store);
  const seen = { statuses: [], sessions: [], acknowledged: 0 };
  await converse(server, seen);
  await server.stop();
  assert.ok(seen.statuses.every((status) => status < 300));
  return control.read().counts;
}

let counts = [];
await check('a conversation without faults', async () => (counts = await measure()));
const every = Number(process.argv[3] ?? 1);
const cases = KINDS.flatMap((kind, i) => Object.keys(CAUSES).flatMap((cause) =>
  Array.from({ length: counts[i] ?? 0 }, (_, n) => ({ kind, cause, k: n + 1 })))).filter((_, i) => i % every === 0);
await together(cases, 8, (fault) => check(`${fault.kind} ${fault.k} fails with ${fault.cause}`, () => one(fault)));
// Nothing would be proved if the faults were not noticed.
await check('faults are noticed', () => {
  assert.ok(outcomes['pwrite ENOSPC']?.['refused, then resumed'] > 3);
  assert.ok(outcomes['pwrite EIO']?.['read-only'] > 3);
  assert.ok(outcomes['fdatasync EIO']?.['read-only'] > 3);
});
console.log(`calls: ${KINDS.map((kind, i) => `${kind} ${counts[i]}`).join(', ')}; ${made} of ${cases.length} faults as they should be`);
for (const [row, outcome] of Object.entries(outcomes)) console.log(`  ${row}: ${JSON.stringify(outcome)}`);
finish();
