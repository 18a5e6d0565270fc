// leaving.mjs: clients that leave. Some reset their connection while their write waits for its turn and for the disk: the
// service goes on with such a request, so nothing of it may end with the connection; under AddressSanitizer it would
// be reported. Some close in the middle of a head or a body: their connection is closed soon, and not at a deadline. Some
// close their side behind a whole request, and wait for the answer.
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens } from '../support/patience.mjs';
import { check, connect, GOOD, HOST, finish, start, statuses } from './support/server.mjs';

const ROUNDS = 40;
const CLIENTS = 50; // fewer than are suspended at once

const directory = mkdtempSync(join(tmpdir(), 'cubed-test-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const server = await start('--store', `sqlite:${join(directory, 'cubed.db')}`, '--loops', '1', '--rate-limit', 'off');
const url = `http://127.0.0.1:${server.port}`;
const json = async (path, options) => (await fetch(url + path, options)).json();
const made = await json('/v1/sessions', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ size: 3, access: 'view' }),
});
const body = '{"moves":"R"}';

/** Sends a write with all that the service reads late, and resets the connection soon after. */
function leave(i) {
  return new Promise((left) => {
    const socket = net.connect({ port: server.port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(`POST /v1/sessions/${made.id}/moves HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nIf-Match: *\r\n`
        + `Authorization: Bearer ${made.token}\r\nIdempotency-Key: ${i}-${Math.random()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      () => setTimeout(() => socket.resetAndDestroy(), i % 3));
    });
    socket.on('error', () => {}).on('close', left);
  });
}

for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: CLIENTS }, (_, i) => leave(i)));
const headers = { authorization: `Bearer ${made.token}` };
const now = async () => (await json(`/v1/sessions/${made.id}`, { headers })).revision;
// Work that was begun goes on for a while: it is over when nothing is under way.
const metric = async (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
await happens(async () => {
  const [pending, queued, open] = [await metric('cubed_requests_pending'), await metric('cubed_writes_queued'), await metric('cubed_http_connections')];
  return pending === 1 && queued === 0 && open <= 2; // this one, and those of fetch
});
const revision = await now();
check('writes of clients that left are whole or not there', revision > 0 && revision <= ROUNDS * CLIENTS, `revision ${revision}`);
const { items } = await json(`/v1/sessions/${made.id}/history?after=${revision - 5}`, { headers });
check('their entries are in the history', items.length === 5 && items.every(({ moves, actor }) => moves === 'R' && actor.role === 'owner'));
const stopped = await server.stop();
check('the server ends well', stopped.code === 0, server.errors().slice(0, 3000));

// Its deadlines are not reached here.
const patient = await start('--rate-limit', 'off');
const sockets = () => readdirSync(`/proc/${patient.child.pid}/fd`).filter((fd) => {
  try {
    return readlinkSync(`/proc/${patient.child.pid}/fd/${fd}`).startsWith('socket:');
  } catch {
    return false;
  }
}).length;
const HEAD_PART = `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Le`;
const BODY_PART = `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"moves"`;
const CHUNK_PART = `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"moves"`;
const before = sockets();
const PARTS = 60;

/** Writes `text`, the last of it together with the end of the stream. */
async function part(first, text) {
  const client = connect(patient.port);
  await client.ready;
  if (first) {
    client.socket.write(first);
    await client.until((now) => statuses(now.text).length === 1);
  }
  client.socket.cork();
  client.socket.write(text);
  client.socket.end();
  client.socket.uncork();
  return client;
}

for (const [name, first, text] of [
  ['a head', '', HEAD_PART], ['a body', '', BODY_PART], ['a second head', GOOD, HEAD_PART], ['a second body', GOOD, BODY_PART],
  ['a chunk', GOOD, CHUNK_PART], ['a head behind a whole request', '', GOOD + HEAD_PART],
]) {
  const clients = await Promise.all(Array.from({ length: PARTS }, () => part(first, text)));
  const closed = await Promise.all(clients.map((client) => client.until((now) => now.closed)));
  check(`who closes in the middle of ${name} is let go`, closed.every(Boolean), `${closed.filter(Boolean).length} of ${PARTS}`);
  clients.forEach(({ socket }) => socket.destroy());
}
await happens(() => sockets() <= before);
check('their descriptors are free', sockets() <= before, `${before} before, ${sockets()} now`);

/** Sends whole requests and the end of the stream at once; true if all are answered. One that is `computed` may wait for long on
 * a slow machine: then the end of the stream counts as leaving, as below. */
async function half(text, count, computed) {
  const client = await part('', text);
  await client.until((now) => now.closed);
  const found = statuses(client.text);
  const left = computed && client.text.includes('which cancels the request');
  return found.length === count && found.every((status) => status < 300 || (left && status === 503));
}
const POST = (path, content) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
for (const [name, text, count, computed] of [
  ['a GET', GOOD, 1], ['three', GOOD.repeat(3), 3], ['a POST', POST('/v1/apply', '{"cube":{"size":3},"moves":"R U"}'), 1],
  ['a write', POST('/v1/sessions', '{"size":3}'), 1],
  ['a large body', POST('/v1/apply', `{"cube":{"size":3},"moves":"${' '.repeat(400000)}"}`), 1, true],
]) {
  const answered = await Promise.all(Array.from({ length: 10 }, () => half(text, count, computed)));
  check(`who closes behind ${name} is answered`, answered.every(Boolean), answered.join());
}

// Requests that wait long: the end of the stream counts as leaving, the answer says so, and nothing else is hurt. The
// searches are of a cube for whose shortest solution a processor takes a minute and more.
const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
const search = POST('/v1/solve', JSON.stringify({ cube: { size: 3, moves: SUPERFLIP }, method: 'optimal', wait_ms: 60000, timeout_ms: 60000 }));
const scramble = `GET /v1/scramble?size=100 HTTP/1.1\r\n${HOST}\r\n\r\n`;
// A tenth of a second each, and no more than two at a time: the later ones wait for more than half a second.
const nested = POST('/v1/apply', JSON.stringify({ size: 100, moves: '[[[[[[[[[R,U],F],D],L],B],R],U],F],D] '.repeat(40) }));
const open = connect(patient.port);
await open.ready;
open.socket.write(scramble);
for (const [name, texts, own] of [
  ['a search', [search], [503]],
  ['a search and a GET', [search, GOOD], [503, 200]],
  ['computations', [nested, nested, GOOD], [200, 503]],
]) {
  const clients = await Promise.all(Array.from({ length: 20 }, () => part('', texts.join(''))));
  const closed = await Promise.all(clients.map((client) => client.until((now) => now.closed)));
  const found = clients.map((client) => statuses(client.text));
  const expected = found.every((list) => list.length === texts.length && list.every((status) => own.includes(status)));
  check(`who closes behind ${name} has all answers`, closed.every(Boolean) && expected, found.join(' '));
  if (texts.includes(GOOD)) check(`${name}: the short one is answered`, found.every((list) => list.at(-1) === 200), found.join(' '));
  const left = clients.map(({ text }) => text.split('which cancels the request').length - 1);
  const refused = found.map((list) => list.filter((status) => status === 503).length);
  check(`${name}: the answer says so`, left.join() === refused.join() && refused.some(Boolean), `${refused.join()}: ${left.join()}`);
}
check('who stays is answered', await open.until(({ text }) => statuses(text).length === 1) && statuses(open.text)[0] === 200);
open.socket.destroy();

const streamed = await part('', `GET /v1/scramble?size=100&count=3 HTTP/1.1\r\n${HOST}\r\n\r\n`);
check('and behind one that is streamed', await streamed.until(({ text }) => text.endsWith('\r\n0\r\n\r\n')), streamed.text.slice(0, 40));
const ended = await patient.stop();
check('a clean end behind them', ended.code === 0, patient.errors().slice(0, 3000));
finish();
