// slow.mjs: clients that take their time, on purpose or not. Each is cut at its deadline, and the others do not notice.
//
//     node tests/http/slow.mjs PATH_TO_BINARY [CONNECTIONS]
import { happens } from '../support/patience.mjs';
import { GOOD, HOST, alive, check, connect, finish, sleep, start, statuses } from './support/server.mjs';

const connections = Number(process.argv[3] ?? 400);
// The server's deadlines: a slow machine makes it later with those that it must cut.
const HEAD_MS = 600; // bound: a deadline under test
const BODY_MS = 900; // bound: a deadline under test
const IDLE_MS = 1500; // bound: a deadline under test

/** Writes `bytes` one at a time, `every` ms, until the connection closes. */
async function trickle(client, bytes, every) {
  for (const byte of bytes) {
    if (client.closed) return;
    client.socket.write(byte);
    await sleep(every);
  }
}

const post = (length) => `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** name, what the client does, and the earliest moment of its end, from its start. */
const table = [
  ['says nothing', async () => {}, HEAD_MS],
  ['a head a byte at a time', (client) => trickle(client, GOOD.slice(0, 16) + 'X'.repeat(1000), 50), HEAD_MS],
  ['a head whose lines never end', (client) => trickle(client, [GOOD.slice(0, -2), ...Array(100).fill('X: y\r\n')], 50), HEAD_MS],
  ['empty lines', (client) => trickle(client, Array(100).fill('\r\n'), 50), HEAD_MS],
  ['half a body', async (client) => client.socket.write(post(10) + '{'), BODY_MS],
  ['a body a byte at a time', (client) => trickle(client, [post(1000), ...'x'.repeat(100)], 50), BODY_MS],
  ['a chunked body a byte at a time', (client) => trickle(client,
    [post(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'), ...Array(100).fill('1\r\nx\r\n')], 50), BODY_MS],
  ['no request after the first', async (client) => client.socket.write(GOOD), IDLE_MS],
  ['the next head a byte at a time', (client) => trickle(client, [GOOD, ...GOOD.slice(0, 16), ...'X'.repeat(1000)], 50), HEAD_MS],
];

async function one(port, [name, act, least]) {
  const answered = name === 'no request after the first' || name.startsWith('the next');
  // On a slow machine the first request may be cut before it arrives; then there is another one.
  const client = await happens(async () => {
    const tried = connect(port);
    await tried.ready;
    act(tried);
    await tried.until((now) => now.closed);
    return (!answered || statuses(tried.text)[0] === 200) && tried;
  });
  check(name, client.closed && client.closed_ms >= least - 50, `closed ${client.closed} after ${Math.round(client.closed_ms)} ms, not ${least}`);
  if (least !== BODY_MS && !answered) check(`${name}: no answer`, client.text === '', client.text.slice(0, 50));
  client.socket.destroy();
}

/** A client that does not read is cut while its socket is full: what it reads afterwards is not all. */
async function unread(port) {
  const cuts = async () => {
    const client = connect(port);
    client.socket.write(GOOD.replace('healthz', 'metrics').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await client.until((now) => now.closed);
    return Number(/^cubed_http_connections_cut_total (\d+)/m.exec(client.text)?.[1]);
  };
  const before = await cuts();
  const client = connect(port);
  await client.ready;
  client.socket.pause();
  client.socket.write(GOOD.replace('healthz', 'openapi.json').repeat(400));
  await happens(async () => (await cuts()) > before);
  client.socket.resume();
  await client.until((now) => now.closed);
  check('an answer that is not read', client.closed && statuses(client.text).length < 400, `${statuses(client.text).length} answers`);
}

/** A client that is slow, but has a right to be: each pause is shorter than its deadline. If a slow machine makes one longer
 * than that, the client begins again. */
async function patient(port) {
  for (let i = 0; i < 4; ) {
    const client = connect(port);
    await client.ready;
    for (let late = false; i < 4 && !late; i += late ? 0 : 1) {
      const begin = performance.now();
      client.text = '';
      client.socket.write(GOOD.slice(0, 20));
      await sleep(HEAD_MS / 3);
      client.socket.write(GOOD.slice(20));
      await client.until((now) => statuses(now.text).length > 0);
      late = performance.now() - begin > HEAD_MS - 100;
      if (!late) check(`a patient client, request ${i + 1}`, statuses(client.text)[0] === 200, client.text.slice(0, 50));
      const idle = performance.now();
      await sleep(IDLE_MS * 0.6);
      late ||= performance.now() - idle > IDLE_MS - 100;
    }
    client.socket.destroy();
  }
}

async function crowd(port) {
  const clients = Array.from({ length: connections }, () => connect(port));
  await Promise.all(clients.map((client) => client.ready));
  clients.forEach((client) => trickle(client, GOOD.slice(0, 10) + 'X'.repeat(1000), 200));
  for (let i = 0; i < 20; i++) check('served beside the crowd', (await alive(port)).good);
  await Promise.all(clients.map((client) => client.until((now) => now.closed)));
  check(`all of the crowd of ${connections} are cut`, clients.every((client) => client.closed));
}

const server = await start('--header-timeout-ms', `${HEAD_MS}`, '--body-timeout-ms', `${BODY_MS}`, '--keep-alive-timeout-ms', `${IDLE_MS}`);
await Promise.all([...table.map((row) => one(server.port, row)), patient(server.port)]);
await unread(server.port);
await crowd(server.port);
check('the server goes on', (await alive(server.port)).good);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);

const off = await start('--header-timeout-ms', 'off', '--body-timeout-ms', 'off', '--keep-alive-timeout-ms', 'off');
const silent = connect(off.port);
const half = connect(off.port);
await Promise.all([silent.ready, half.ready]);
half.socket.write(post(10) + '{');
await sleep(HEAD_MS + BODY_MS); // bound: nothing happens
check('no deadline where it is off', !silent.closed && !half.closed);
silent.socket.destroy();
half.socket.destroy();
await off.stop();
finish();
