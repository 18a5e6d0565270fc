// slow.mjs: clients that take their time, on purpose or not. Each is cut at its deadline, and the others do not notice.
//
//     node tests/http/slow.mjs PATH_TO_BINARY [CONNECTIONS]
import { GOOD, HOST, alive, check, connect, finish, sleep, start, statuses } from './support/server.mjs';

const connections = Number(process.argv[3] ?? 400);
const HEAD_MS = 600;
const BODY_MS = 900;
const IDLE_MS = 1500;
// The reaper's round, and what a busy machine may add.
const LATE_MS = 700;

/** Writes `bytes` one at a time, `every` ms, until the connection closes. */
async function trickle(client, bytes, every) {
  for (const byte of bytes) {
    if (client.closed) return;
    client.socket.write(byte);
    await sleep(every);
  }
}

const post = (length) => `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** name, what the client does, and the earliest and latest moment of its end, from its start. */
const table = [
  ['says nothing', async () => {}, HEAD_MS, HEAD_MS],
  ['a head a byte at a time', (client) => trickle(client, GOOD.slice(0, 16) + 'X'.repeat(1000), 50), HEAD_MS, HEAD_MS],
  ['a head whose lines never end', (client) => trickle(client, [GOOD.slice(0, -2), ...Array(100).fill('X: y\r\n')], 50), HEAD_MS, HEAD_MS],
  ['empty lines', (client) => trickle(client, Array(100).fill('\r\n'), 50), HEAD_MS, HEAD_MS],
  ['half a body', async (client) => client.socket.write(post(10) + '{'), BODY_MS, BODY_MS],
  ['a body a byte at a time', (client) => trickle(client, [post(1000), ...'x'.repeat(100)], 50), BODY_MS, BODY_MS],
  ['a chunked body a byte at a time', (client) => trickle(client,
    [post(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'), ...Array(100).fill('1\r\nx\r\n')], 50), BODY_MS, BODY_MS],
  ['no request after the first', async (client) => client.socket.write(GOOD), IDLE_MS, IDLE_MS],
  // The beginning of a next request is noticed at the first look, within HEAD_MS.
  ['the next head a byte at a time', (client) => trickle(client, [GOOD, ...GOOD.slice(0, 16), ...'X'.repeat(1000)], 50), HEAD_MS, 2 * HEAD_MS],
  ['an answer that is not read', async (client) => {
    client.socket.pause();
    client.socket.write(GOOD.replace('healthz', 'openapi.json').repeat(400));
  }, IDLE_MS, 2 * IDLE_MS],
];

async function one(port, [name, act, least, most]) {
  const client = connect(port);
  await client.ready;
  act(client);
  if (name.endsWith('not read')) {
    await sleep(most + LATE_MS);
    client.socket.resume();
    await client.until((now) => now.closed);
    check(name, client.closed && statuses(client.text).length < 400, `${statuses(client.text).length} answers`);
    return;
  }
  await client.until((now) => now.closed, most + 5000);
  check(name, client.closed && client.closed_ms >= least - 50 && client.closed_ms <= most + LATE_MS,
    `closed ${client.closed} after ${Math.round(client.closed_ms)} ms, not ${least} to ${most}`);
  if (least !== BODY_MS && name !== 'no request after the first' && !name.startsWith('the next'))
    check(`${name}: no answer`, client.text === '', client.text.slice(0, 50));
  client.socket.destroy();
}

/** A client that is slow, but has a right to be: each pause is shorter than its deadline. */
async function patient(port) {
  const client = connect(port);
  await client.ready;
  for (let i = 0; i < 4; i++) {
    client.text = '';
    client.socket.write(GOOD.slice(0, 20));
    await sleep(HEAD_MS / 3);
    client.socket.write(GOOD.slice(20));
    await client.until((now) => statuses(now.text).length > 0);
    check(`a patient client, request ${i + 1}`, statuses(client.text)[0] === 200, client.text.slice(0, 50));
    await sleep(IDLE_MS * 0.6);
  }
  client.socket.destroy();
}

async function crowd(port) {
  const clients = Array.from({ length: connections }, () => connect(port));
  await Promise.all(clients.map((client) => client.ready));
  clients.forEach((client) => trickle(client, GOOD.slice(0, 10) + 'X'.repeat(1000), 200));
  const times = [];
  for (let i = 0; i < 20; i++) {
    const { good, ms } = await alive(port);
    check('served beside the crowd', good);
    times.push(ms);
    await sleep(25);
  }
  times.sort((a, b) => a - b);
  check('served quickly beside the crowd', times[10] < 100, `${times[10]} ms`);
  await Promise.all(clients.map((client) => client.until((now) => now.closed, HEAD_MS + 5000)));
  check(`all of the crowd of ${connections} are cut`, clients.every((client) => client.closed));
}

const server = await start('--header-timeout-ms', `${HEAD_MS}`, '--body-timeout-ms', `${BODY_MS}`, '--keep-alive-timeout-ms', `${IDLE_MS}`);
await Promise.all([...table.map((row) => one(server.port, row)), patient(server.port)]);
await crowd(server.port);
check('the server goes on', (await alive(server.port)).good);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);

const off = await start('--header-timeout-ms', 'off', '--body-timeout-ms', 'off', '--keep-alive-timeout-ms', 'off');
const silent = connect(off.port);
const half = connect(off.port);
await Promise.all([silent.ready, half.ready]);
half.socket.write(post(10) + '{');
await sleep(HEAD_MS + BODY_MS);
check('no deadline where it is off', !silent.closed && !half.closed);
silent.socket.destroy();
half.socket.destroy();
await off.stop();
finish();
