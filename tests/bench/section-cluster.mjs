// Section cluster: the store on PostgreSQL beside our own on SQLite, and beside PostgreSQL itself; several nodes; events
// from node to node. All on one machine, in one run; only the ratios say something. Each round measures everything once.

import { chmodSync, mkdirSync, statSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Postgres } from '../support/postgres.mjs';
import { Watcher } from '../live/support.mjs';
import { bench, calm, cubed, figures, makeSessions, median, post, program, repository, run, Server, sleep, temporaryDirectory, wrk } from './lib.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = 2;
const SESSIONS = 1000;
const BATCHES = 300; // of each size
const STORED = Number(process.env.SESSIONS ?? 100000); // for the size on the disk
const EVENTS = 1000;
const WATCHING_CLIENTS = 12;
const SIZES = [1, 8, 64, 256];
const SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB', 'wal_compression=lz4'];

const MOVES = { moves: "R U R' U'" };
const movesOf = (ids) => ids.map((id) => ({ method: 'POST', path: `/v1/sessions/${id}/moves`, body: JSON.stringify(MOVES) }));
const tool = (...args) => figures(run(program('cluster'), args.map(String)));

/** A PostgreSQL server with its data on the disk, not in memory. */
async function postgresOnDisk(directory) {
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  return Postgres.start(SETTINGS);
}

class Stores {
  #files = 0;

  constructor(directory, postgres) {
    Object.assign(this, { directory, postgres });
  }

  sqlite() {
    return `sqlite:${join(this.directory, `${this.#files++}.db`)}`;
  }

  postgresql(servers) {
    return this.postgres.store(servers);
  }

  kinds = { postgresql: () => this.postgresql(), sqlite: async () => this.sqlite() };
}

const conninfoOf = (store) => store.slice('postgresql:'.length);

// ---- without the network ----

/** Transactions a second of 64 clients that insert and commit a row each. */
async function pgbench(stores) {
  const conninfo = conninfoOf(await stores.postgresql());
  run('psql', ['-XAtq', '-c', 'CREATE TABLE plain (session bigint, revision bigint, time_ms bigint, entry bytea, PRIMARY KEY (session, revision))', conninfo]);
  const out = run('pgbench', ['-n', '-M', 'prepared', '-c', '64', '-j', '2', '-T', String(SECONDS), '-f', join(bench, 'insert.sql'), conninfo], { stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(/tps = ([\d.]+) \(without/.exec(out)[1]);
}

async function withoutNetwork(stores) {
  const store = await stores.postgresql();
  const results = { ...tool('batch', store, BATCHES, conninfoOf(store)) };
  for (const [name, value] of Object.entries(tool('batch', stores.sqlite(), BATCHES))) results[`sqlite.${name}`] = value;
  const rate = async (kind, clients, lanes) => tool('rate', await stores.kinds[kind](), clients, lanes, SECONDS)['rate.entries_s'];
  results.one64 = await rate('postgresql', 64, 1);
  results.one256 = await rate('postgresql', 256, 1);
  results.two256 = await rate('postgresql', 256, 2);
  results.sqlite64 = await rate('sqlite', 64, 1);
  results.pgbench = await pgbench(stores);
  results.sync = figures(run(program('disk'), [stores.directory]))['fdatasync_us.p50'];
  return results;
}

/** The same batches, when each commit waits for a standby on the same disk. */
async function replicated(stores) {
  await stores.postgres.command('standby b a');
  await stores.postgres.command('synchronous a');
  const results = tool('batch', await stores.postgresql(), BATCHES);
  await stores.postgres.sql("ALTER SYSTEM SET synchronous_standby_names = ''");
  await stores.postgres.sql('SELECT pg_reload_conf()');
  await stores.postgres.command('kill b');
  return results;
}

async function stored(stores) {
  const store = await stores.postgresql();
  const database = /dbname=(\S+)/.exec(store)[1];
  const size = async () => Number(await stores.postgres.sql(`SELECT pg_database_size('${database}')`));
  const empty = await size();
  tool('load', store, STORED, 1, 20);
  await stores.postgres.sql('DELETE FROM cubed.change', database);
  await stores.postgres.sql('VACUUM FULL cubed.change', database);
  const bytes = (await size()) - empty;
  const found = tool('find', store, STORED, conninfoOf(store));
  const file = stores.sqlite();
  run(program('store'), ['load', file.slice('sqlite:'.length), String(STORED), '1', '20']);
  return { bytes, sqlite: statSync(file.slice('sqlite:'.length)).size, ...found };
}

// ---- whole servers ----

const MEASURES = {
  'many 256': { clients: 256, requests: async (url) => movesOf(await makeSessions(url, SESSIONS)) },
  'many 64': { clients: 64, requests: async (url) => movesOf(await makeSessions(url, SESSIONS)) },
  'one 64': { clients: 64, requests: async (url) => movesOf(await makeSessions(url, 1)) },
  'many 1': { clients: 1, requests: async (url) => movesOf(await makeSessions(url, SESSIONS)) },
  'GET 64': { clients: 64, requests: hot },
  'GET 256': { clients: 256, requests: hot },
};

async function hot(url) {
  const [id] = await makeSessions(url, 1);
  await post(`${url}/v1/sessions/${id}/moves`, MOVES);
  return [{ method: 'GET', path: `/v1/sessions/${id}` }];
}

/** As many nodes on one store, each with clients of its own for sessions of its own: rates added up, CPU us a request. */
async function take(stores, start, count, { clients, requests }) {
  const servers = [];
  try {
    for (let i = 0; i < count; i++) servers.push(await start());
    const lists = [];
    for (const { url } of servers) lists.push(await requests(url));
    await servers[0].rest();
    const folders = servers.map((_, i) => join(stores.directory, `requests-${i}`));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const load = (seconds) => Promise.all(servers.map(({ url }, i) => wrk(url, folders[i], lists[i], Math.ceil(clients / count), seconds)));
    await load(1);
    const before = servers.map((server) => server.cpuUs());
    const results = await load(SECONDS);
    const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
    const cpu = servers.reduce((sum, server, i) => sum + server.cpuUs() - before[i], 0) / total('count');
    return { rate: total('rate'), p50: Math.max(...results.map(({ p50 }) => p50)), p99: Math.max(...results.map(({ p99 }) => p99)), cpu, failed: total('failed') };
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function wholeServers(stores) {
  const results = {};
  for (const [name, what] of Object.entries(MEASURES)) {
    for (const [kind, make] of Object.entries(stores.kinds)) {
      results[`${kind} ${name}`] = await calm(async () => {
        const store = await make();
        return take(stores, () => cubed(store), 1, what);
      });
    }
  }
  for (const name of ['many 256', 'GET 256']) {
    results[`three ${name}`] = await calm(async () => {
      const store = await stores.postgresql();
      return take(stores, () => cubed(store), 3, MEASURES[name]);
    });
  }
  results['bare 256'] = await calm(() => take(stores, () => Server.start(program('bare'), ['600', 'Content-Type', 'application/json']), 1, {
    clients: 256, requests: () => movesOf(Array.from({ length: SESSIONS }, (_, i) => String(i).padStart(16, '0'))),
  }));
  for (const [name, { rate, p99, failed }] of Object.entries(results)) process.stderr.write(`  ${name}: ${Math.round(rate)}/s, p99 ${p99} us, failed ${failed}\n`);
  return results;
}

/** us from the answer at one node until the event at another, beside clients that turn other cubes. */
async function events(stores) {
  const store = await stores.postgresql();
  const [a, b] = [await cubed(store), await cubed(store)];
  const agent = new http.Agent({ keepAlive: true });
  const others = await makeSessions(a.url, WATCHING_CLIENTS);
  const [id] = await makeSessions(a.url, 1);
  const seen = new Map();
  const watcher = new Watcher(`/v1/sessions/${id}`);
  const take = watcher.event.bind(watcher);
  watcher.event = (text) => {
    take(text);
    seen.set(watcher.revision ?? watcher.from, performance.now());
  };
  await watcher.open(Number(new URL(b.url).port));
  let over = false;
  const load = others.map(async (other) => {
    while (!over) await post(`${a.url}/v1/sessions/${other}/moves`, MOVES, agent);
  });
  const us = [];
  for (let i = 1; i <= EVENTS; i++) {
    const { revision } = await post(`${a.url}/v1/sessions/${id}/moves`, MOVES, agent);
    const answered = performance.now();
    for (let tries = 0; !seen.has(revision) && tries < 5000; tries++) await new Promise((done) => setImmediate(done));
    if (!seen.has(revision)) await sleep(200);
    us.push(Math.max(0, (seen.get(revision) ?? answered + 1e3) - answered) * 1000);
  }
  over = true;
  await Promise.all(load);
  watcher.close();
  agent.destroy();
  await a.stop();
  await b.stop();
  us.sort((x, y) => x - y);
  return { p50: us[us.length >> 1], p99: us[Math.floor(us.length * 0.99)] };
}

// ---- the table ----

function print(report, rounds, disk) {
  const of = (part, pick) => median(rounds.map((round) => pick(round[part])));
  const ratio = (part, a, b) => of(part, (round) => round[a] / round[b]);
  const rates = (a, b, key = 'rate') => of('servers', (round) => round[a][key] / round[b][key]);
  report.section('cluster: batches of entries of different sessions, one commit, p50 us', ['entries', 'PostgreSQL', 'plain INSERTs', 'SQLite', 'with a synchronous standby']);
  for (const size of SIZES) report.row(size, ...[`batch.${size}.p50`, `insert.${size}.p50`, `sqlite.batch.${size}.p50`].map((key) => of('plain', (round) => round[key])), of('replicated', (round) => round[`batch.${size}.p50`]));
  report.section(`cluster: whole servers, medians of ${rounds.length} rounds`, ['what', 'requests/s', 'p50 us', 'p99 us', 'CPU us a request', 'failed']);
  for (const name of Object.keys(rounds[0].servers)) report.row(name, ...['rate', 'p50', 'p99', 'cpu', 'failed'].map((key) => of('servers', (round) => round[name][key])));

  report.section('cluster: targets', ['what', 'measured', 'target', '']);
  report.atLeast('64 plain INSERTs / a batch of 64, time', ratio('plain', 'insert.64.p50', 'batch.64.p50'), 0.55);
  report.atLeast('entries a second, one lane, 64 writers / pgbench, 64 clients', ratio('plain', 'one64', 'pgbench'), 2);
  report.atLeast('entries a second, batches of 64 / of 1', of('plain', (round) => (64 * round['batch.1.p50']) / round['batch.64.p50']), 15);
  report.atMost("a batch of 1 / the disk's fdatasync, p50", ratio('plain', 'batch.1.p50', 'sync'), 2);
  report.atLeast('two lanes / one lane, 256 writers', ratio('plain', 'two256', 'one256'), 1.3);
  report.atMost('a batch of 64 with a synchronous standby / without', median(rounds.map((round) => round.replicated['batch.64.p50'] / round.plain['batch.64.p50'])), 2);
  report.atLeast('durable POST, 256 clients / SQLite', rates('postgresql many 256', 'sqlite many 256'), 0.5);
  report.atLeast('durable POST, 64 clients / SQLite', rates('postgresql many 64', 'sqlite many 64'), 0.4);
  report.atLeast('durable POST, 64 clients, 1 session / SQLite', rates('postgresql one 64', 'sqlite one 64'), 0.5);
  report.atLeast('durable POST, 1 client / SQLite', rates('postgresql many 1', 'sqlite many 1'), 0.4);
  report.atLeast('durable POST, 256 clients / bare libmicrohttpd', rates('postgresql many 256', 'bare 256'), 0.28);
  report.atMost('CPU of the node for a durable POST, 256 clients / SQLite', rates('postgresql many 256', 'sqlite many 256', 'cpu'), 1.4);
  report.atLeast('GET of a hot session, 64 clients / SQLite', rates('postgresql GET 64', 'sqlite GET 64'), 0.55);
  report.atLeast('GET of a hot session, 256 clients / SQLite', rates('postgresql GET 256', 'sqlite GET 256'), 0.7);
  report.atLeast('three nodes / one, on the same cores: durable POST', rates('three many 256', 'postgresql many 256'), 0.6);
  report.atLeast('three nodes / one, on the same cores: GET', rates('three GET 256', 'postgresql GET 256'), 0.8);
  report.atMost('answered at A until an event at B, p50', of('events', ({ p50 }) => p50), 1000, ' us');
  report.atMost('the same, p99', of('events', ({ p99 }) => p99), 15000, ' us');
  report.atMost(`${STORED} sessions of 20 moves on the disk / SQLite`, disk.bytes / disk.sqlite, 4);
  report.atMost('look-up of a cold session / SELECT by key, p50', disk['find.p50'] / disk['select.p50'], 2);
}

export async function measure(report) {
  const directory = temporaryDirectory();
  const postgres = await postgresOnDisk(join(repository, 'build/bench'));
  const stores = new Stores(directory, postgres);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`  round ${round + 1} of ${ROUNDS}\n`);
    rounds.push({ plain: await withoutNetwork(stores), replicated: await replicated(stores), servers: await wholeServers(stores), events: await events(stores) });
  }
  print(report, rounds, await stored(stores));
  await postgres.stop();
}
