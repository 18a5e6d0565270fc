// Section server: requests through the socket, beside bare libmicrohttpd, nginx and Node.
//
// Every measure starts its server again, with an empty database and new sessions, so that nothing that another one left
// behind (a log to fold, a full cache) runs beside it. A round runs all measures once; ratios are taken within a round.

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { bench, calm, cubed, figures, makeSessions, median, nginx, post, program, run, Server, temporaryDirectory, wrk } from './lib.mjs';
import { digits } from './report.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = 2;
const WARM_SECONDS = 1;
const SESSIONS = 1000;
const CLIENTS = [1, 64, 256];
const MANY = 64;
const BURSTS = [128, 256, 384, 1024];

const MOVES = { moves: "R U R' U'" };
const APPLY = { size: 3, ...MOVES };

const json = (method, path, body) => ({ method, path, body: JSON.stringify(body) });
const movesOf = (ids) => ids.map((id) => json('POST', `/v1/sessions/${id}/moves`, MOVES));

let databases = 0;
const database = (directory) => join(directory, `${databases++}.db`);
const cubedOnDisk = (directory) => cubed(`sqlite:${database(directory)}`);

/** Headers that every server adds by itself, or that are about the connection. */
const OWN_HEADERS = ['date', 'content-length', 'connection', 'keep-alive'];

/** The answers of cubed: bytes of the body, so that the peers answer as many, and headers. */
async function answers(directory) {
  const server = await cubedOnDisk(directory);
  const [id] = await makeSessions(server.url, 1);
  const answer = async (path, options) => {
    const got = await fetch(server.url + path, options);
    return { bytes: (await got.text()).length, headers: [...got.headers].filter(([name]) => !OWN_HEADERS.includes(name)).flat() };
  };
  const sent = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const all = {
    moves: await answer(`/v1/sessions/${id}/moves`, sent(MOVES)),
    apply: await answer('/v1/apply', sent(APPLY)),
    get: await answer(`/v1/sessions/${id}`),
  };
  await server.stop();
  return all;
}

/** One measure: what starts the server, the requests for it (made when it runs), and how many clients. */
function measures(directory, answer) {
  const bare = ({ bytes }, headers = ['Content-Type', 'application/json']) => () => Server.start(program('bare'), [bytes, ...headers]);
  const node = (commit) => () => Server.start('node', [join(bench, 'node-server.mjs'), database(directory), commit]);
  const same = (body) => () => Array.from({ length: SESSIONS }, (_, i) => json('POST', `/v1/sessions/${String(i).padStart(16, '0')}/moves`, body));
  const disk = () => cubedOnDisk(directory);
  const many = async ({ url }) => movesOf(await makeSessions(url, SESSIONS));
  const one = async ({ url }) => movesOf(await makeSessions(url, 1));
  const list = {
    'nginx GET': { start: () => nginx(directory), requests: () => [{ method: 'GET', path: '/body' }], clients: MANY },
    'bare GET': { start: bare(answer.get), requests: () => [{ method: 'GET', path: '/' }], clients: MANY },
    'cubed GET': {
      start: disk,
      requests: async ({ url }) => {
        const [id] = await makeSessions(url, 1);
        await post(`${url}/v1/sessions/${id}/moves`, MOVES);
        return [{ method: 'GET', path: `/v1/sessions/${id}` }];
      },
      clients: MANY,
    },
    'bare apply': { start: bare(answer.apply), requests: () => [json('POST', '/v1/apply', APPLY)], clients: MANY },
    'cubed apply': { start: disk, requests: () => [json('POST', '/v1/apply', APPLY)], clients: MANY },
  };
  for (const clients of CLIENTS) {
    list[`bare ${clients}`] = { start: bare(answer.moves), requests: same(MOVES), clients };
    list[`headed ${clients}`] = { start: bare(answer.moves, answer.moves.headers), requests: same(MOVES), clients };
    list[`many ${clients}`] = { start: disk, requests: many, clients };
    list[`one ${clients}`] = { start: disk, requests: one, clients };
  }
  for (const commit of ['each', 'group']) list[`node ${commit}`] = { start: node(commit), requests: many, clients: MANY };
  return list;
}

async function take(directory, { start, requests, clients }) {
  const server = await start();
  try {
    const list = await requests(server);
    await server.rest();
    await wrk(server.url, directory, list, clients, WARM_SECONDS);
    const before = server.cpuUs();
    const result = await wrk(server.url, directory, list, clients, SECONDS);
    return { ...result, cpu: (server.cpuUs() - before) / result.count };
  } finally {
    await server.stop();
  }
}

/** Measures the time until this many requests, sent at once on open connections, are all answered, in ms. */
async function burst(url, count) {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: count }, () => new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => done(socket)).once('error', fail);
  })));
  const answered = sockets.map((socket) => new Promise((done, fail) => {
    socket.once('data', done).once('close', () => fail(new Error('a connection of the burst was closed')));
    setTimeout(done, 5000).unref();
  }));
  const begin = performance.now();
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await Promise.all(answered);
  const ms = performance.now() - begin;
  sockets.forEach((socket) => socket.removeAllListeners('close').destroy());
  return ms;
}

async function bursts(directory) {
  const server = await cubedOnDisk(directory);
  const ms = {};
  for (const count of BURSTS) {
    const times = [];
    for (let i = 0; i < 3; i++) times.push(await burst(server.url, count));
    ms[count] = Math.max(...times);
  }
  await server.stop();
  return ms;
}

const NAMES = [
  ['GET of a hot session', [['nginx', 'nginx GET'], ['bare libmicrohttpd', 'bare GET'], ['cubed', 'cubed GET']]],
  ['POST /v1/apply', [['bare libmicrohttpd', 'bare apply'], ['cubed', 'cubed apply']]],
  ...CLIENTS.map((clients) => ['durable POST of moves', [
    ['bare libmicrohttpd, stores nothing', `bare ${clients}`],
    ['the same with all headers of ours', `headed ${clients}`],
    ['cubed, 1,000 sessions', `many ${clients}`],
    ['cubed, 1 session', `one ${clients}`],
    ...(clients === MANY ? [['Node, a commit each', 'node each'], ['Node, group commit', 'node group']] : []),
  ]]),
];

function print(report, list, rounds, disk, burstMs) {
  const all = (name, key) => rounds.map((round) => round[name][key]);
  const ratio = (a, b) => median(rounds.map((round) => round[a].rate / round[b].rate));
  report.section(`server: medians of ${ROUNDS} rounds of ${SECONDS} s`,
    ['request', 'server', 'clients', 'requests/s', 'p50 us', 'p99 us', 'CPU us a request', 'failed']);
  for (const [request, servers] of NAMES) {
    for (const [server, name] of servers) {
      const figures = ['rate', 'p50', 'p99', 'cpu'].map((key) => median(all(name, key)));
      report.row(request, server, list[name].clients, ...figures, all(name, 'failed').reduce((a, b) => a + b));
    }
  }
  const sync = median(disk.map((figure) => figure['fdatasync_us.p50']));
  report.row('4 KiB and fdatasync', 'the disk', 1, 1e6 / sync, sync, median(disk.map((figure) => figure['fdatasync_us.p99'])), '', '');

  report.section('server: targets', ['what', 'measured', 'target', '']);
  report.atLeast('GET of a hot session / nginx', ratio('cubed GET', 'nginx GET'), 0.85);
  report.atLeast('POST /v1/apply / bare libmicrohttpd', ratio('cubed apply', 'bare apply'), 0.8);
  report.atLeast('durable POST, 64 clients / bare libmicrohttpd', ratio('many 64', 'bare 64'), 0.5);
  report.atLeast('durable POST, 256 clients / bare libmicrohttpd', ratio('many 256', 'bare 256'), 0.65);
  for (const clients of [64, 256]) {
    report.row(`durable POST, ${clients} clients / bare libmicrohttpd with all headers of ours`, digits(ratio(`many ${clients}`, `headed ${clients}`)), '', '');
  }
  const p99 = median(rounds.map((round, i) => round['many 64'].p99 / disk[i]['fdatasync_us.p50']));
  report.atMost("durable POST p99, 64 clients / the disk's fdatasync p50", p99, 20);
  report.atLeast('durable POST, 64 clients / Node, a commit each', ratio('many 64', 'node each'), 20);
  report.atLeast('durable POST, 64 clients / Node, group commit', ratio('many 64', 'node group'), 8);
  for (const count of BURSTS) report.atMost(`${count} requests at the same instant, the last answer`, burstMs[count], 1000, ' ms');
}

export async function measure(report) {
  const directory = temporaryDirectory();
  const answer = await answers(directory);
  writeFileSync(join(directory, 'body'), 'x'.repeat(answer.get.bytes));
  const list = measures(directory, answer);
  const rounds = [];
  const disk = [];
  for (let round = 0; round < ROUNDS; round++) {
    const results = {};
    disk.push(figures(run(program('disk'), [directory])));
    for (const [name, what] of Object.entries(list)) {
      results[name] = await calm(() => take(directory, what));
      const { rate, p99, stolen } = results[name];
      process.stderr.write(`  ${round + 1}/${ROUNDS} ${name}: ${Math.round(rate)}/s, p99 ${p99} us, stolen ${stolen.toFixed(3)}\n`);
    }
    rounds.push(results);
  }
  print(report, list, rounds, disk, await bursts(directory));
}
