// Section fair: what one client at its limit costs another. Both have addresses of their own, as a proxy reports them.

import { request } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ask, atRate, IN_FLIGHT_MAX, ONE, OTHER, p99 } from './fair-clients.mjs';
import { measureSession } from './fair-session.mjs';
import { calm, cubedBinary, makeSessions, median, Server, sleep, temporaryDirectory } from './lib.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SESSIONS = Number(process.env.FAIR_SESSIONS ?? 20000);
const SOLVES = Number(process.env.FAIR_SOLVES ?? 100000);
const SECONDS = Number(process.env.FAIR_SECONDS ?? 6);
const READS_PER_SECOND = 50; // the limit of the one client
const WARM_MS = 1500; // until its requests wait in line
const OURS_PER_SECOND = 20;
const LEAVES_PER_SECOND = 20;
const NESTED_BYTES = 50000;

/** The 99th percentile of what the other client's calls take. */
async function ours(seconds, call) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begin = performance.now();
    times.push(await call());
    await sleep(Math.max(0, 1000 / OURS_PER_SECOND - (performance.now() - begin)));
  }
  return p99(times);
}

async function makeBook(url) {
  const { id, token } = (await ask(url, ONE, 'POST', '/v1/sessions', { body: '{"size":3}' })).json();
  const rows = SOLVES / 4;
  for (let part = 0; part < 4; part++) {
    let file = 'No.;Time;Comment;Scramble;Date;P.1';
    for (let i = 1; i <= rows; i++) file += `\r\n${i};${10 + (i % 9)}.${10 + (i % 90)};;R U R' U' F2 D2 L B2;2026-11-21 18:00:00;12.34`;
    const { status } = await ask(url, ONE, 'POST', `/v1/solves/import?session=${id}`, { body: file, type: 'text/csv', headers: { authorization: `Bearer ${token}` } });
    if (status >= 300) throw new Error(`import: ${status}`);
  }
  return id;
}

/** A client that asks for a long computation and leaves at once. */
function leave(url, body) {
  return new Promise((left) => {
    const asked = request(`${url}/v1/apply`, { method: 'POST', agent: false,
      headers: { 'x-forwarded-for': ONE, 'content-type': 'application/json', 'content-length': body.length } });
    asked.on('error', () => {}).on('close', left);
    asked.end(body, () => setTimeout(() => asked.destroy(), 5));
  });
}

const NOTHING_FITS = JSON.stringify({ size: 3, pattern: { all: [{ name: 'cross' }, { not: { name: 'f2l-1' } }] } });
const NESTED = '[[[[[[[[[R,U],F],D],L],B],R],U],F],D] ';
const nestedBody = JSON.stringify({ size: 100, moves: NESTED.repeat(Math.floor(NESTED_BYTES / NESTED.length)) });

/** Searches and reads of one client, beside the reads and writes of another. */
async function besideReads(url, book, mine) {
  let key = 0;
  const read = async () => (await ask(url, OTHER, 'GET', `/v1/sessions/${mine.id}/history`)).ms;
  const write = async () => {
    const headers = { authorization: `Bearer ${mine.token}`, 'idempotency-key': `fair-${Math.random()}-${++key}` };
    return (await ask(url, OTHER, 'POST', `/v1/sessions/${mine.id}/moves`, { body: '{"moves":"R"}', headers })).ms;
  };
  let day = 0;
  const until = () => new Date(Date.UTC(2100, 0, ++day)).toISOString().slice(0, 10); // another question each time: no answer is kept
  const beside = {
    nothing: null,
    search: () => ask(url, ONE, 'POST', '/v1/search?limit=100', { body: NOTHING_FITS }),
    statistics: () => ask(url, ONE, 'GET', `/v1/solves/stats?session=${book}&to=${until()}`),
    table: () => ask(url, ONE, 'GET', `/v1/solves?session=${book}`, { headers: { accept: 'text/csv' } }),
  };
  const result = {};
  for (const [name, call] of Object.entries(beside)) {
    const stop = call ? atRate(READS_PER_SECOND, call) : async () => {};
    if (call) await sleep(WARM_MS);
    result[`${name}_read`] = await ours(SECONDS, read);
    result[`${name}_write`] = await ours(SECONDS, write);
    await stop();
  }
  return result;
}

async function besideComputations(url) {
  const scrambles = async () => (await ask(url, OTHER, 'GET', '/v1/scramble?size=100&count=5')).ms;
  const times = (count) => Array.from({ length: count });
  const alone = [];
  for (const _ of times(5)) alone.push(await scrambles());
  const stop = atRate(LEAVES_PER_SECOND, () => leave(url, nestedBody));
  await sleep(WARM_MS);
  const beside = [];
  for (const _ of times(5)) beside.push(await scrambles());
  await stop();
  return { long_alone: median(alone), long_ratio: median(beside) / median(alone) };
}

async function besideSearches(url) {
  const far = { cube: { size: 3, moves: "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2" }, method: 'optimal', timeout_ms: 300000, wait_ms: 0 };
  const { id } = (await ask(url, ONE, 'POST', '/v1/solve', { body: JSON.stringify(far) })).json();
  await sleep(WARM_MS);
  const near = { cube: { size: 3, moves: 'R U F' }, until: { name: 'cross' }, wait_ms: 60000 };
  const { ms, status } = await ask(url, OTHER, 'POST', '/v1/solve', { body: JSON.stringify(near) });
  await ask(url, ONE, 'DELETE', `/v1/jobs/${id}`);
  if (status >= 300) throw new Error(`a goal: ${status}`);
  return { goal: ms };
}

/** Reads and drops answers of a path in a thread of its own, so that what they cost this one is not measured. */
const READER = `
const { Agent, get } = require('node:http');
const { workerData: { url, address, perSecond, most } } = require('node:worker_threads');
const agent = new Agent({ keepAlive: true });
let inFlight = 0;
const ended = () => inFlight--;
setInterval(() => {
  if (inFlight >= most) return;
  inFlight++;
  get(url, { agent, headers: { 'x-forwarded-for': address } }, (answer) => answer.resume().on('close', ended)).on('error', ended);
}, 1000 / perSecond);`;

async function besidePoses(url, mine) {
  let key = 0;
  const writes = async () => {
    const times = [];
    await ours(SECONDS, async () => {
      const headers = { authorization: `Bearer ${mine.token}`, 'idempotency-key': `poses-${Math.random()}-${++key}` };
      const { ms } = await ask(url, OTHER, 'POST', `/v1/sessions/${mine.id}/moves`, { body: '{"moves":"R"}', headers });
      times.push(ms);
      return ms;
    });
    return median(times);
  };
  const { id } = (await ask(url, ONE, 'POST', '/v1/sessions', { body: '{"size":100}' })).json();
  const alone = await writes();
  const workerData = { url: `${url}/v1/sessions/${id}?as=poses`, address: ONE, perSecond: READS_PER_SECOND, most: IN_FLIGHT_MAX };
  const reader = new Worker(READER, { eval: true, workerData });
  await sleep(WARM_MS);
  const beside = await writes();
  await reader.terminate();
  return { poses_ratio: beside / alone };
}

async function round(url, book, mine) {
  return { ...(await besideReads(url, book, mine)), ...(await besideComputations(url)), ...(await besidePoses(url, mine)), ...(await besideSearches(url)) };
}

export async function measure(report) {
  const store = `sqlite:${join(temporaryDirectory(), 'fair.db')}`;
  const server = await Server.start(cubedBinary, ['--listen', '127.0.0.1:0', '--log-level', 'warning', '--store', store, '--rate-limit', 'on',
    '--trusted-proxy', '127.0.0.1', '--max-creations', 'off', '--max-sessions-per-address', 'off', '--max-writes', 'off']);
  try {
    await makeSessions(server.url, SESSIONS);
    const book = await makeBook(server.url);
    const mine = (await ask(server.url, OTHER, 'POST', '/v1/sessions', { body: '{"size":3}' })).json();
    await server.rest();
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await calm(() => round(server.url, book, mine)));
    const middle = (name) => median(rounds.map((one) => one[name]));
    report.section('fair: one client at its limit beside another', ['what', 'measured', 'target', '']);
    const names = { search: `a search of ${SESSIONS} sessions`, statistics: `statistics of a book of ${SOLVES}`, table: 'that book as a table' };
    for (const what of ['read', 'write']) {
      const ourOwn = what === 'read' ? "another's history read, p99" : "another's durable move with a key, p99";
      report.atMost(`${ourOwn}, beside nothing`, middle(`nothing_${what}`), 10, ' ms');
      for (const [name, text] of Object.entries(names)) report.atMost(`${ourOwn}, beside ${text}, ${READS_PER_SECOND}/s`, middle(`${name}_${what}`), 10, ' ms');
    }
    report.atMost("another's five scrambles of 100x100x100 beside nested moves that nobody waits for / alone", middle('long_ratio'), 2, '');
    report.atMost(`another's durable move, median, beside a 100x100x100 as poses, ${READS_PER_SECOND}/s / alone`, middle('poses_ratio'), 3, '');
    report.atMost("another's search for a near goal behind one of 300 s", middle('goal'), 1000, ' ms');
  } finally {
    await server.stop();
  }
  await measureSession(report, cubedBinary, ROUNDS);
}
