// crowd.mjs: memory of many clients goes back to the system when they left.
//
//     node tests/http/crowd.mjs PATH_TO_BINARY
import { readFileSync } from 'node:fs';
import { happens } from '../support/patience.mjs';
import { check, connect, exchange, finish, GOOD, HOST, start, statuses } from './support/server.mjs';

const CROWD = 400;
const server = await start('--rate-limit', 'off');
const { port, child } = server;
const resident = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
async function metric(name) {
  const { text } = await exchange(port, `GET /metrics HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
  return Number(new RegExp(`\n${name} (\\d+)`).exec(text)?.[1] ?? NaN);
}

// The server makes tables when it starts.
await happens(async () => (await metric('cubed_solver_tables_opening')) === 0 && (await metric('cubed_solver_tables_bytes')) > 0);
const before = resident();
const clients = Array.from({ length: CROWD }, () => connect(port));
for (const client of clients) client.socket.write(GOOD);
await Promise.all(clients.map((client) => client.until(({ text }) => statuses(text).length === 1)));
check('all are answered', clients.every(({ text }) => statuses(text)[0] === 200));
check('nothing is given back meanwhile', (await metric('cubed_heap_trims_total')) === 0);
const crowded = resident();
const heap = await metric('cubed_heap_bytes');
for (const client of clients) client.socket.destroy();
check('memory is given back when they have left', await happens(async () => (await metric('cubed_heap_trims_total')) === 1));
const after = resident();
check('so less is resident', crowded - after > (crowded - before) / 4, `${before}, ${crowded}, ${after} kB`);
check('and less is allocated', (await metric('cubed_heap_bytes')) < heap);
check('a clean end', (await server.stop()).code === 0);
finish();
