// Slow connections beside a steady load: heads and bodies a byte at a time, and answers that are not read. All are cut at
// their deadlines, and until then the others are answered. How fast is printed, and not judged.
// Usage: node slow_crowd.mjs PATH_TO_BINARY [CONNECTIONS, 300]

import { GOOD, HOST, check, connect, finish, sleep, start, statuses } from '../http/support/server.mjs';

const connections = Number(process.argv[3] ?? 300);
const DEADLINE_MS = 4000; // bound: of those that must be cut; the others send whole requests
const LOAD_MS = 3000; // bound: how long others ask
const CLIENTS = 4;

const half = `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;

/** Kinds of slow clients: what they send at first, and then every 200 ms. */
const slow = [
  [GOOD.slice(0, 10), 'X'],
  [half, ' '],
  [GOOD.slice(0, -2), 'X: y\r\n'],
];

/** One client that asks again as soon as it is answered; the times of its answers. */
async function ask(port, over, times) {
  const client = connect(port);
  await client.ready;
  while (!over()) {
    const begin = performance.now();
    client.text = '';
    client.socket.write(GOOD);
    if (!(await client.until((now) => statuses(now.text).length > 0)) || statuses(client.text)[0] !== 200) {
      check('an answer', false, client.text.slice(0, 100));
      break;
    }
    times.push(performance.now() - begin);
    await sleep(1);
  }
  client.socket.destroy();
}

async function load(port, over) {
  const times = [];
  await Promise.all(Array.from({ length: CLIENTS }, () => ask(port, over, times)));
  times.sort((a, b) => a - b);
  return { count: times.length, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}

const told = ({ count, p50, p99 }) => `${count} answers, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

const server = await start('--header-timeout-ms', `${DEADLINE_MS}`, '--body-timeout-ms', `${DEADLINE_MS}`);
const until = performance.now() + LOAD_MS;
const alone = await load(server.port, () => performance.now() > until);
const crowd = Array.from({ length: connections }, () => connect(server.port));
await Promise.all(crowd.map((client) => client.ready));
crowd.forEach((client, i) => client.socket.write(slow[i % slow.length][0]));
const trickle = setInterval(() => crowd.forEach((client, i) => client.closed || client.socket.write(slow[i % slow.length][1])), 200);
let cut = false;
Promise.race(crowd.map(({ end }) => end)).then(() => (cut = true));
const beside = await load(server.port, () => cut);
check('the others are answered while the crowd is there', beside.count > CLIENTS, told(beside));
await Promise.all(crowd.map((client) => client.until((now) => now.closed)));
clearInterval(trickle);
check('all of the crowd are cut', crowd.every(({ closed }) => closed), `${crowd.filter(({ closed }) => !closed).length} are not`);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
console.log(`alone: ${told(alone)}; beside ${connections} slow connections: ${told(beside)}`);
finish();
