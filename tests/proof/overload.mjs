// Ten times the requests that the server can answer, from clients that leave after two seconds and come again: it goes on
// answering at least nine tenths of what it answers at its best. The server is started with one core, which it has to itself;
// its clients have the other one. The overload comes in ten parts, and before each the best rate is measured again, since the
// speed of a virtual machine changes from minute to minute.
// Usage: node overload.mjs PATH_TO_BINARY [SECONDS of overload, 600]

import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { HOST, check, finish, sleep, start_plain } from '../http/support/server.mjs';

const seconds = Number(process.argv[3] ?? 600);
const TIMES = 10;
const PARTS = 10;
const LEAST = 0.9;
const AT_BEST_CLIENTS = 8;
const LEAVE_MS = 2000;
const ADDRESSES = 50; // behind a proxy, each with limits of its own
const WARM_S = 3;
const TICK_MS = 5;

/** A scramble from a state of its own: a few milliseconds of computation that no cache answers. */
const question = () => `GET /v1/scramble HTTP/1.1\r\n${HOST}\r\nX-Forwarded-For: 198.51.100.${1 + Math.floor(Math.random() * ADDRESSES)}\r\n\r\n`;

const counts = { 200: 0, refused: 0, other: 0 };
let broken = 0;
const latencies = [];

/** A connection with one request at a time; `free(connection)` is called at the beginning and after each answer. */
function connect(port, free) {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const one = { begun: 0, ask() { one.begun = performance.now(); socket.write(question()); } };
  let text = '';
  socket.on('connect', () => free(one)).on('error', () => broken++);
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head < 0 || text.length < head + 4 + Number(/\r\nContent-Length: (\d+)/i.exec(text)?.[1])) return;
    const status = text.slice(9, 12);
    counts[status === '200' ? 200 : status === '503' || status === '429' ? 'refused' : 'other']++;
    if (status === '200') latencies.push(performance.now() - one.begun);
    text = '';
    one.begun = 0;
    free(one);
  });
  one.end = () => socket.removeAllListeners().on('error', () => {}).destroy();
  return one;
}

/** Requests at a rate, or (0) each as soon as the one before is answered: what is answered with 200 in a second, and how fast. */
async function rate(port, clients, perSecond, lasts) {
  const idle = [], all = new Set();
  let sent = 0, left = 0;
  const ask = (one) => { sent++; one.ask(); };
  const add = () => all.add(connect(port, (one) => (perSecond > 0 ? idle.push(one) : ask(one))));
  for (let i = 0; i < clients; i++) add();
  const begin = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    while (perSecond > 0 && sent < ((now - begin) / 1000) * perSecond && idle.length > 0) ask(idle.shift());
    for (const one of perSecond > 0 ? all : [])
      if (one.begun > 0 && now - one.begun > LEAVE_MS) {
        one.end();
        all.delete(one);
        add();
        left++;
      }
  }, TICK_MS);
  await sleep(WARM_S * 1000);
  Object.assign(counts, { 200: 0, refused: 0, other: 0 });
  latencies.length = 0;
  const from = performance.now(), before = { sent, left };
  await sleep(lasts * 1000);
  const took = (performance.now() - from) / 1000;
  clearInterval(timer);
  for (const { end } of all) end();
  return { good: counts[200] / took, refused: counts.refused / took, sent: (sent - before.sent) / took, left: (left - before.left) / took,
    other: counts.other, p99: latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] };
}

const pin = (core, pid) => execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });

pin(0, process.pid); // and what it starts
const server = await start_plain('--trusted-proxy', '127.0.0.1', '--max-reads', 'off', '--max-writes', 'off');
pin(1, process.pid);
await rate(server.port, AT_BEST_CLIENTS, 0, WARM_S); // tables are made
const summary = ({ good, refused, left, sent, p99 }) =>
  `${sent.toFixed(0)} requests a second, ${good.toFixed(0)} answered, ${refused.toFixed(0)} refused, ${left.toFixed(0)} given up, p99 of answers ${p99?.toFixed(0)} ms`;
const best = [], beyond = [];
const mean = (parts, name) => parts.reduce((sum, part) => sum + part[name], 0) / parts.length;
for (let i = 0; i < PARTS; i++) {
  best.push(await rate(server.port, AT_BEST_CLIENTS, 0, seconds / PARTS / 5));
  const perSecond = TIMES * best.at(-1).good;
  beyond.push(await rate(server.port, Math.ceil(perSecond * (LEAVE_MS / 1000) * 1.2), perSecond, seconds / PARTS));
  await sleep(LEAVE_MS); // the queue becomes empty
  console.log(`at its best: ${summary(best.at(-1))}`);
  console.log(`at ${TIMES} times that: ${summary(beyond.at(-1))}`);
}
const share = mean(beyond, 'good') / mean(best, 'good'), times = mean(beyond, 'sent') / mean(best, 'good');
console.log(`${mean(beyond, 'good').toFixed(1)} of ${mean(best, 'good').toFixed(1)} a second at ${times.toFixed(1)} times the load: ${share.toFixed(3)}`);
check('ten times the requests were sent', times > 0.9 * TIMES, times.toFixed(1));
check(`${LEAST} of the best rate are answered`, share >= LEAST, share.toFixed(3));
const others = [...best, ...beyond].reduce((sum, { other }) => sum + other, broken);
check('nothing but answers and refusals', others === 0, `${others}`);
const end = await server.stop();
check('a clean end', end.code === 0, server.errors().slice(-1000));
finish();
