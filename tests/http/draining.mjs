// draining.mjs: a server that stops behind a load balancer. After SIGTERM /readyz is 503 and all else goes on, for
// --drain-ms; then each open connection gets one more answer, streams and long polls end, and the server does. A request
// that comes on an open connection meanwhile is never refused. A second signal ends all waiting.
//
//     node tests/http/draining.mjs PATH_TO_BINARY
import { happens } from '../support/patience.mjs';
import { check, connect, exchange, finish, HOST, sleep, start, statuses } from './support/server.mjs';

const DRAIN_MS = 2000;
const DRAIN_MOST_MS = 64000;

const json = (text) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
const get = (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`;
const post = (path, body) => `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const closes = (text) => /\r\nConnection: close\r\n/i.test(text);

async function open(port) {
  const client = connect(port);
  await client.ready;
  return client;
}

/** Sends a request on an open connection; answers the text of its answer. */
async function ask(client, bytes) {
  client.text = '';
  client.socket.write(bytes);
  await client.until((now) => statuses(now.text).length > 0);
  return client.text;
}

const says = (server, text) => happens(() => server.errors().includes(text));
const status = (text) => statuses(text)[0];

async function session(port) {
  const { text } = await exchange(port, post('/v1/sessions', '{"size":3,"access":"edit"}'));
  return `/v1/sessions/${json(text).id}`;
}

/** Checks a stop; returns null if the machine was too slow for a part of it to be seen. Then it is tried with more
 * time. */
async function stop(drain_ms, ...flags) {
  const found = [];
  const see = (name, good, detail = '') => found.push([name, good, detail]);
  const server = await start('--rate-limit', 'off', '--drain-ms', String(drain_ms), ...flags);
  const { port } = server;
  const [path, turned] = [await session(port), await session(port)];
  const [kept, half, poll, stream, idle, late] = [await open(port), await open(port), await open(port), await open(port), await open(port), await open(port)];
  await ask(kept, get('/readyz'));
  see('ready before', status(kept.text) === 200, kept.text);
  for (const client of [idle, late]) await ask(client, get('/healthz'));
  poll.socket.write(get(`${path}/history?after=0&wait_ms=60000`));
  stream.socket.write(get(`${path}/events`));
  await stream.until((now) => now.text.includes('event: '));
  const body = '{"moves":"R"}';
  const whole = post(`${turned}/moves`, body);
  half.socket.write(whole.slice(0, -5));
  await happens(async () => /^cubed_long_polls 1$/m.test((await exchange(port, get('/metrics'))).text));

  const begin = performance.now();
  server.child.kill('SIGTERM');
  await happens(async () => status(await ask(kept, get('/readyz'))) === 503);
  const drained_ms = performance.now() - begin;
  const problem = json(kept.text);
  const serves = [await ask(kept, get('/healthz')), await ask(kept, whole), (await exchange(port, get(path))).text, (await exchange(port, get('/v1/scramble'))).text];
  const early = !server.errors().includes('msg=stopping') && !poll.closed && statuses(poll.text).length === 0 && !stream.closed;
  const draining = performance.now() - begin < drain_ms;

  await says(server, 'msg=stopping');
  const closing = performance.now();
  await stream.until((now) => now.closed);
  await poll.until((now) => now.closed);
  const answers = [await ask(kept, whole), await ask(late, get('/v1/solve?moves=R')), await ask(half, whole.slice(-5))];
  const seen = performance.now() - closing < drain_ms / 2;
  const { code } = await server.ended;
  if (drain_ms > 0 && (!draining || !seen || drained_ms > drain_ms / 2)) return null;

  see('/readyz says why', problem.type === 'urn:cubed:problem:shutting-down', JSON.stringify(problem));
  see('it serves on, also new connections', serves.map(status).join() === '200,200,200,200', serves.map(status).join());
  see('connections are kept meanwhile', !serves.slice(0, 2).some(closes), serves[0]);
  see('polls and streams go on meanwhile', early);
  see('then a stream ends', stream.closed && stream.text.endsWith('\n\n'), stream.text.slice(-100));
  see('a long poll is answered', status(poll.text) === 200 && closes(poll.text), poll.text);
  see('requests on open connections are answered', answers.map(status).join() === '200,200,200', answers.join('\n'));
  see('as the last ones', answers.every(closes), answers.join('\n'));
  see('idle connections are closed', await idle.until((now) => now.closed));
  see('a clean end', code === 0, `${code} ${server.errors()}`);
  return found;
}

for (const loops of ['1', '3']) {
  let found = null;
  for (let drain_ms = DRAIN_MS; !found && drain_ms <= DRAIN_MOST_MS; drain_ms *= 2) found = await stop(drain_ms, '--loops', loops);
  check(`the machine is fast enough for ${DRAIN_MOST_MS} ms`, found !== null);
  for (const [name, good, detail] of found ?? []) check(`${name}, ${loops} loops`, good, detail);
}

// A stream that is requested last: it begins, so that the client comes back to another server, and ends.
{
  let text = '';
  let server;
  for (let drain_ms = DRAIN_MS; !text.includes('event: ') && drain_ms <= DRAIN_MOST_MS; drain_ms *= 2) {
    server = await start('--drain-ms', String(drain_ms));
    const path = await session(server.port);
    const [half, late] = [await open(server.port), await open(server.port)];
    half.socket.write('GET /healthz HTTP/1.1\r\n'); // holds the end up
    await ask(late, get('/healthz'));
    server.child.kill('SIGTERM');
    await says(server, 'msg=stopping');
    late.text = '';
    late.socket.write(get(`${path}/events`));
    await late.until((now) => now.closed);
    ({ text } = late);
    half.socket.destroy();
    await server.ended;
  }
  check('a stream at the very end', text.startsWith('HTTP/1.1 200') && text.includes('event: '), text);
}

for (const second of ['SIGTERM', 'SIGINT']) {
  const server = await start('--drain-ms', '600000');
  const client = await open(server.port);
  await ask(client, get('/readyz'));
  server.child.kill('SIGTERM');
  await happens(async () => status(await ask(client, get('/readyz'))) === 503);
  await sleep(200); // bound: nothing happens
  check('it waits', server.child.exitCode === null);
  server.child.kill(second);
  const { code } = await server.ended;
  check(`${second} ends it at once`, code === 0 && client.closed | (await client.until((now) => now.closed)), `${code} ${server.errors()}`);
}

// Without --drain-ms: a request that is under way is finished, and the end does not wait for anything else.
{
  const server = await start();
  const [idle, stream] = [await open(server.port), await open(server.port)];
  await ask(idle, get('/healthz'));
  stream.socket.write(get(`${await session(server.port)}/events`));
  await stream.until((now) => now.text.includes('event: '));
  const { code } = await server.stop();
  check('a plain stop', code === 0, server.errors());
  check('it does not drain', !server.errors().includes('msg=draining'));
}

for (const value of ['-1', '600001', 'x', '']) {
  const { status: code } = await new Promise((done) => start('--drain-ms', value).then(({ child }) => (child.kill('SIGKILL'), done({ status: 0 })), (error) => done({ status: /drain-ms: .*is not valid/.test(error.message) ? 2 : 1 })));
  check(`--drain-ms ${value || '""'} is refused`, code === 2, code);
}
finish();
