// migrate.mjs: a database moves to PostgreSQL and back, all of it or nothing: killed at any time, with a full disk, beside a
// second writer. It has more rows of each kind than are sent or asked for at once.
// Usage: node migrate.mjs [binary] [kills, 6] [seed]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, temporaryDirectory } from '../api/server.mjs';
import { generator } from '../proof/support.mjs';
import { sleep, until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';

const SESSIONS = 1500; // short histories
const LONG = 4; // sessions whose chunks and snapshots take several pages
const LONG_LINES = 14;
const LINE_ENTRIES = 100;
const SOLVES = 9000; // more than 1 MiB
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const FILE_BYTES = 500000; // less than the database takes

const binary = binaryArgument();
const kills = numberArgument(0, 6);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const random = generator(seed);
const postgres = await Postgres.shared();
const directory = temporaryDirectory();
const file = (name) => join(directory, name);
/** The store of a database; a machine that is busy has time to connect to it. */
const location = (database) => `postgresql:${postgres.conninfo(database)} connect_timeout=60`;

/** Starts the program; `ended` answers {code, out, err}. */
function start(args, command = [binary]) {
  const child = spawn(command[0], [...command.slice(1), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes) => { out += bytes; });
  child.stderr.on('data', (bytes) => { err += bytes; });
  return { child, ended: new Promise((done) => { child.once('close', (code) => done({ code, out, err })); }) };
}
const cubed = (...args) => start(args).ended;
async function well(...args) {
  const { code, out, err } = await cubed(...args);
  assert.equal(code, 0, `${args}: ${err}${out}`);
}

const text = (length, letters) => Array.from({ length }, () => letters[random(letters.length)]).join('');
const moves = (count) => Array.from({ length: count }, () => 'URFDLB'[random(6)] + ['', "'", '2'][random(3)]).join(' ');
const entries = (first, count, turns) => Array.from({ length: count }, (_, i) => ({ revision: first + i, time_ms: 1700000000000 + first + i, kind: 'moves', moves: moves(turns) }));

/** An export with short and long histories, and solves of all sessions in turn. */
function makeExport() {
  const ids = Array.from({ length: SESSIONS + LONG }, () => text(16, LETTERS));
  const lines = [{ format: 'cubed-export', version: 1 }];
  ids.forEach((id, i) => {
    const session = { id, size: 3, access: 'edit', created_ms: 1700000000000, tokens: [{ role: 'owner', hash: text(64, '0123456789abcdef'), created_ms: 1 }] };
    if (i % 7 === 0) session.name = `session ${i}`;
    const long = i % (SESSIONS / LONG) === 1 && i < SESSIONS;
    lines.push({ ...session, entries: long ? [] : entries(1, 1 + (i % 3), 60) });
    for (let line = 0; long && line < LONG_LINES; line++) lines.push({ continues: id, entries: entries(1 + line * LINE_ENTRIES, LINE_ENTRIES, 400) });
  });
  const count = lines.reduce((sum, line) => sum + (line.entries?.length ?? 0), 0);
  for (let i = 0; i < SOLVES; i++) lines.push({ solve: text(16, LETTERS), book: ids[i % ids.length], created_ms: 5, origin: 1, time_ms: i + 1 });
  lines.push({ frame: '{"session1":[]}', book: ids[3] }, { sessions: ids.length, entries: count });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const EMPTY = '{"format":"cubed-export","version":1}\n{"sessions":0,"entries":0}\n';
writeFileSync(file('empty.ndjson'), EMPTY);
writeFileSync(file('made.ndjson'), makeExport());
const sqlite = `sqlite:${file('from.db')}`;
await well('import', file('made.ndjson'), '--store', sqlite);
await well('export', file('expected.ndjson'), '--store', sqlite);
const expected = readFileSync(file('expected.ndjson'), 'utf8');

/** Returns the end of an export of the store, and whether its whole is as expected. */
async function exported(store) {
  rmSync(file('got.ndjson'), { force: true });
  const ended = await cubed('export', file('got.ndjson'), '--store', store);
  return { ...ended, same: ended.code === 0 && readFileSync(file('got.ndjson'), 'utf8') === expected };
}
async function compare(store) {
  const { code, err, same } = await exported(store);
  assert.equal(code, 0, err);
  assert.ok(same, 'the exports differ');
}

/** A database with empty tables. */
async function emptyDatabase() {
  const database = await postgres.database();
  await well('import', file('empty.ndjson'), '--store', location(database));
  return database;
}
const TABLES = ['session', 'session_more', 'token', 'history', 'snapshot', 'canonical_index', 'solve', 'solve_frame'];
const rows = async (database) => Number(await postgres.sql(`SELECT ${TABLES.map((table) => `(SELECT count(*) FROM cubed.${table})`).join(' + ')}`, database));
const trigger = (database, table, body) => postgres.sql(`CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN ${body}; RETURN NULL; END$$;
  CREATE TRIGGER trouble BEFORE INSERT ON cubed.${table} FOR EACH STATEMENT EXECUTE FUNCTION trouble()`, database);
/** From now on rows for the table wait until open() is called. */
async function closed(database, table) {
  await postgres.sql('CREATE TABLE IF NOT EXISTS public.gate (bar int); INSERT INTO public.gate VALUES (1)', database);
  await trigger(database, table, 'WHILE EXISTS (SELECT FROM public.gate) LOOP PERFORM pg_sleep(0.05); END LOOP');
}
const open = (database) => postgres.sql('DELETE FROM public.gate', database);
const noTrigger = (database) => postgres.sql('DROP FUNCTION trouble CASCADE', database);
const busy = (database, query) => postgres.sql(`SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}' AND state = 'active' AND query LIKE '${query}%'`).then((count) => count !== '0');
const gone = (database) => until(async () => (await postgres.sql(`SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'cubed'`)) === '0', 'a connection stays');

let whole;
await check('over and back, the exports are the same bytes', async () => {
  whole = await postgres.database();
  await well('migrate', sqlite, location(whole));
  await well('verify', '--store', location(whole));
  await compare(location(whole));
  await well('migrate', location(whole), `sqlite:${file('back.db')}`);
  await compare(`sqlite:${file('back.db')}`);
  for (const table of ['history', 'snapshot']) assert.ok(Number(await postgres.sql(`SELECT count(*) FROM cubed.${table}`, whole)) > 256, `${table} fits into a page`);
});

await check(`killed ${kills} times on the way to PostgreSQL, seed ${seed}, it leaves nothing`, async () => {
  const database = await emptyDatabase();
  for (let i = 0; i < kills; i++) {
    const table = ['session', 'token', 'history', 'solve'][i % 4];
    await closed(database, table);
    const { child, ended } = start(['migrate', sqlite, location(database)]);
    await until(() => busy(database, `COPY ${table} `), `no COPY ${table}`);
    await sleep(random(500)); // more rows may be on their way
    child.kill('SIGKILL');
    await ended;
    await open(database);
    await gone(database);
    assert.equal(await rows(database), 0);
    await noTrigger(database);
  }
  await well('migrate', sqlite, location(database));
  await compare(location(database));
});

await check(`killed ${kills} times on the way to SQLite, seed ${seed}, it leaves nothing or has finished`, async () => {
  for (let i = 0; i < kills; i++) {
    const { child, ended } = start(['migrate', location(whole), `sqlite:${file('to.db')}`]);
    await sleep(random(1000));
    child.kill('SIGKILL');
    await ended;
    if ((await exported(`sqlite:${file('to.db')}`)).same) for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(file(`to.db${suffix}`), { force: true });
    await gone(whole);
  }
  await well('migrate', location(whole), `sqlite:${file('to.db')}`); // which it refuses if something is there
  await compare(`sqlite:${file('to.db')}`);
});

await check('a full disk stops it, with nothing written and the reason', async () => {
  const database = await emptyDatabase();
  await trigger(database, 'history', "RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'");
  const full = await cubed('migrate', sqlite, location(database));
  assert.equal(full.code, 1);
  assert.match(full.err, /No space left on device; nothing was migrated/);
  assert.equal(await rows(database), 0);
  await noTrigger(database);
  await well('migrate', sqlite, location(database));

  const limited = ['sh', '-c', `trap '' XFSZ; exec prlimit --fsize=${FILE_BYTES} "$@"`, 'sh', binary];
  const { code, err } = await start(['migrate', location(whole), `sqlite:${file('small.db')}`], limited).ended;
  assert.equal(code, 1, err);
  assert.match(err, /nothing was migrated/);
  await well('migrate', location(whole), `sqlite:${file('small.db')}`);
  await compare(`sqlite:${file('small.db')}`);
});

await check('of two at once, one is refused', async () => {
  const database = await emptyDatabase();
  await well('backup', file('other.db'), '--store', sqlite); // the source itself serves one at a time
  await closed(database, 'token');
  const first = start(['migrate', sqlite, location(database)]);
  await until(() => busy(database, 'COPY token '), 'no COPY');
  const second = await cubed('migrate', `sqlite:${file('other.db')}`, location(database));
  assert.equal(second.code, 1, second.out);
  assert.match(second.err, /cannot write to the database/);
  await open(database);
  const { code, err } = await first.ended;
  assert.equal(code, 0, err);
  await noTrigger(database);
  await compare(location(database));
});

await check('an import names what is there twice, and what is missing', async () => {
  const database = await emptyDatabase();
  const [id, solve, nobody] = [text(16, LETTERS), text(16, LETTERS), text(16, LETTERS)];
  const session = { id, size: 3, access: 'edit', created_ms: 5, entries: [] };
  const recorded = { solve, book: id, created_ms: 5, origin: 1 };
  for (const [lines, expectation] of [
    [[session, session], new RegExp(`the id ${id} is there twice`)],
    [[session, recorded, recorded], new RegExp(`the id ${solve} is there twice`)],
    [[session, { ...recorded, book: nobody }], new RegExp(`there is no session ${nobody}`)],
  ]) {
    const all = [{ format: 'cubed-export', version: 1 }, ...lines, { sessions: lines.filter((line) => line.id).length, entries: 0 }];
    writeFileSync(file('wrong.ndjson'), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { code, err } = await cubed('import', file('wrong.ndjson'), '--store', location(database));
    assert.equal(code, 1);
    assert.match(err, expectation);
    assert.equal(await rows(database), 0);
  }
});
await postgres.stop();
finish();
