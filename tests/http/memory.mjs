// memory.mjs: clients that send what takes much memory and hardly read the answers. The server stays within its budget,
// serves others meanwhile, and gives the memory back to the system afterwards; an address has a share; a client that
// reads too slowly is cut.
//
//     node tests/http/memory.mjs PATH_TO_BINARY
import { readFileSync } from 'node:fs';
import { happens } from '../support/patience.mjs';
import { HOST, alive, check, connect, finish, sleep, start, statuses } from './support/server.mjs';

const MIB = 1 << 20;
const BUDGET = 64 * MIB;
const SHARE = 16 * MIB;
// The memory of the process apart from the budget: caches, stacks, answers in the making. Without a budget each attack
// takes 340 to 600 MiB.
const BESIDES = 64 * MIB;
// The memory that it may keep afterwards.
const KEPT = 24 * MIB;
const CONNECTIONS = 24;
const ATTACK_MS = 4000;
const READ_BYTES = 2048;

const rss = (server) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) * 1024;
const mib = (bytes) => `${Math.round(bytes / MIB)} MiB`;

async function metric(port, name) {
  const client = connect(port);
  await client.ready;
  client.socket.write(`GET /metrics HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
  await client.until((now) => now.closed);
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(client.text)?.[1]);
}

const post = (target, type, body, headers = '') => Buffer.from(
  `POST ${target} HTTP/1.1\r\n${HOST}\r\n${headers}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const get = (target, headers = '') => `GET ${target} HTTP/1.1\r\n${HOST}\r\n${headers}\r\n`;
const from = (address) => `X-Forwarded-For: ${address}\r\n`;

const CUBES = `{"cubes":[${'{},'.repeat(349500)}{}]}`;
const LARGE_CUBES = '{"cube":{"size":100}}\n'.repeat(Math.floor((16 * MIB) / 22));
const MANY_CUBES = '{}\n'.repeat(Math.floor((16 * MIB) / 3));
const POSES = '/v1/apply?size=100&as=poses';

/** A connection that sends a request and reads 2 KB of the answer a second. */
function greedy(port, bytes) {
  const client = connect(port);
  client.socket.pause();
  client.socket.write(bytes);
  client.timer = setInterval(() => client.socket.read(READ_BYTES), 1000);
  client.socket.on('close', () => clearInterval(client.timer));
  return client;
}

function end(clients) {
  for (const client of clients) {
    clearInterval(client.timer);
    client.socket.destroy();
  }
}

/** The most memory that the process has in ATTACK_MS. Others are served meanwhile. */
async function most_memory(server) {
  let most = 0;
  for (let i = 0; i < ATTACK_MS / 50; i++, await sleep(50)) {
    most = Math.max(most, rss(server));
    if (i % 5 === 0) check('others are served', (await alive(server.port)).good);
  }
  return most;
}

/** The status of each answer; 0 for none. */
async function first_statuses(clients) {
  for (const client of clients) {
    clearInterval(client.timer);
    client.socket.resume();
  }
  // Each one stops at its status: an answer has up to 254 MB.
  await Promise.all(clients.map(async (client) => {
    await client.until((now) => now.text.length > 64);
    client.socket.pause();
  }));
  return clients.map((client) => statuses(client.text)[0] ?? 0);
}

async function attack(server, base, name, bytes) {
  // One begins before the others: if all are as far as each other, all may be refused.
  const clients = [greedy(server.port, bytes)];
  await happens(async () => (await metric(server.port, 'cubed_request_bytes')) > 0);
  await sleep(1000);
  clients.push(...Array.from({ length: CONNECTIONS - 1 }, () => greedy(server.port, bytes)));
  const most = await most_memory(server);
  check(`${name}: memory stays within the budget`, most < base + BUDGET + BESIDES, `${mib(most)}, ${mib(base)} before`);
  const counted = () => metric(server.port, 'cubed_request_bytes');
  check(`${name}: it is counted`, await happens(async () => (await counted()) > 4 * MIB) && (await counted()) < BUDGET + BESIDES, mib(await counted()));
  const answers = await first_statuses(clients);
  // On a busy machine some of them still wait for the one thread of long computations.
  check(`${name}: answered or refused`, answers.includes(200) && answers.every((status) => [0, 200, 503].includes(status)), `${answers}`);
  end(clients);
  await recovers(server, base, name);
}

async function recovers(server, base, name) {
  const counted = () => metric(server.port, 'cubed_request_bytes');
  check(`${name}: nothing is counted afterwards`, await happens(async () => (await counted()) === 0), `${await counted()}`);
  await happens(() => rss(server) <= base + KEPT);
  check(`${name}: memory goes back to the system`, rss(server) <= base + KEPT, `${mib(rss(server))}, ${mib(base)} before`);
}

async function total() {
  const server = await start('--max-request-bytes', `${BUDGET}`);
  await alive(server.port);
  await sleep(500);
  const base = rss(server);
  await attack(server, base, 'a JSON array of cubes', post('/v1/features', 'application/json', CUBES));
  await attack(server, base, 'lines of large cubes', post('/v1/convert?as=poses', 'application/x-ndjson', LARGE_CUBES));
  await attack(server, base, 'many lines', post('/v1/features', 'application/x-ndjson', MANY_CUBES));
  await attack(server, base, 'large answers', get(POSES));
  const how = await server.stop();
  check('a clean end', how.code === 0, `${JSON.stringify(how)} ${server.errors()}`);
}

/** One address behind a proxy gets its share, and others theirs. */
async function share() {
  const server = await start('--max-request-bytes', `${BUDGET}`, '--max-request-bytes-per-address', `${SHARE}`, '--trusted-proxy', '127.0.0.1');
  const clients = Array.from({ length: CONNECTIONS }, () => greedy(server.port, get(POSES, from('192.0.2.1'))));
  const counted = () => metric(server.port, 'cubed_request_bytes');
  check('one address takes its share', await happens(async () => (await counted()) > SHARE / 4) && (await counted()) <= SHARE, mib(await counted()));
  const other = connect(server.port);
  other.socket.write(get(POSES, from('192.0.2.2')));
  await other.until((now) => now.text.length > 7e6);
  check('another address is answered', statuses(other.text)[0] === 200, other.text.slice(0, 200));
  const body = connect(server.port);
  body.socket.write(post('/v1/convert', 'application/x-ndjson', MANY_CUBES.slice(0, 12 * MIB), from('192.0.2.1')));
  await body.until((now) => now.text.length > 0);
  check('a body for which there is no room is refused', statuses(body.text)[0] === 429, body.text.slice(0, 200));
  check('it says when to come again', /\r\nRetry-After: [1-9]/.test(body.text));
  const answers = await first_statuses(clients);
  check('the address is answered or refused', answers.includes(200) && answers.includes(429) &&
    answers.every((status) => status === 200 || status === 429), `${answers}`);
  end([...clients, other, body]);
  await server.stop();
}

/** A body without a length is refused while it comes. */
async function chunked() {
  const server = await start('--max-request-bytes', `${4 * MIB}`);
  const client = connect(server.port);
  const chunk = `10000\r\n${'{}\n'.repeat(21845)}\n\r\n`;
  client.socket.write(`POST /v1/convert HTTP/1.1\r\n${HOST}\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let i = 0; i < 160; i++) client.socket.write(chunk);
  let most = 0;
  for (let i = 0; i < 10; i++, await sleep(50)) most = Math.max(most, await metric(server.port, 'cubed_request_bytes'));
  client.socket.write('0\r\n\r\n');
  await client.until((now) => now.text.length > 0);
  check('a body of chunks is refused', statuses(client.text)[0] === 413, client.text.slice(0, 200));
  check('it was not kept', most <= 4 * MIB, mib(most));
  client.socket.write(get('/healthz'));
  await client.until((now) => statuses(now.text).length === 2);
  check('the connection goes on', statuses(client.text)[1] === 200);
  client.socket.destroy();
  await server.stop();
}

/** A client that reads an answer of 254 MB, `bytes` every `every` ms (Node takes 64 KiB at a time from the system). */
function reader(port, every) {
  const client = connect(port);
  client.read = 0;
  client.socket.pause();
  client.socket.removeAllListeners('data');
  client.socket.write(post('/v1/features', 'application/json', CUBES, 'Connection: close\r\n'));
  client.timer = setInterval(() => (client.read += client.socket.read()?.length ?? 0), every);
  return client;
}

/** Checks that a client that reads too slowly is cut off, and one that reads fast enough is not. */
async function slow_readers() {
  const WINDOW_MS = 3000; // bound: of the server; who cannot read fast enough on a slow machine is not judged
  const RATE = 2e6;
  const strict = await start('--keep-alive-timeout-ms', `${WINDOW_MS}`, '--min-read-rate', String(RATE));
  const lenient = await start('--keep-alive-timeout-ms', `${WINDOW_MS}`, '--min-read-rate', 'off');
  const cut = (server) => metric(server.port, 'cubed_http_connections_cut_total');
  const slow = [reader(strict.port, 100), reader(lenient.port, 100)];
  const fast = reader(strict.port, 1);
  const seen = [];
  const look = setInterval(() => seen.push([performance.now(), fast.read]), 50);
  check('a slow reader is cut', await happens(async () => (await cut(strict)) > 0));
  check('only where there is a rate', (await cut(lenient)) === 0);
  check('it read meanwhile', slow[0].read > 1e5, `${slow[0].read}`);
  await happens(() => fast.read > 254e6 || fast.closed);
  clearInterval(look);
  // The least that it read in a window, per second: on a slow machine it may be too little.
  const rates = seen.map(([from, read]) => [seen.find(([to]) => to >= from + WINDOW_MS / 2), from, read])
    .filter(([end]) => end).map(([[to, end], from, read]) => (1000 * (end - read)) / (to - from));
  check('a fast one reads to the end', fast.read > 254e6 || Math.min(...rates) < 2 * RATE, `${fast.read}, at least ${Math.min(...rates)} bytes/s`);
  end([...slow, fast]);
  await strict.stop();
  await lenient.stop();
}

await total();
await share();
await chunked();
await slow_readers();
finish();
