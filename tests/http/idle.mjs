// idle.mjs: when all connections are taken, the one that has been idle longest goes for a newcomer; one with a request
// under way does not. Of several loops each looks at its own now and then, so that there the order is about that.
//
//     node tests/http/idle.mjs PATH_TO_BINARY
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens } from '../support/patience.mjs';
import { check, connect, exchange, finish, GOOD, HOST, start, statuses } from './support/server.mjs';

const MOST = 30;
const LATE = 10; // newcomers
const directory = mkdtempSync(join(tmpdir(), 'cubed-idle-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, 'cubed.sock');
const LOOK_MS = 2500; // bound: idle connections are looked at this often; who is cut meanwhile comes again
const long = ['--header-timeout-ms', String(LOOK_MS), '--rate-limit', 'off'];
const part = `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n{"cube":`;

/** A connection that has had an answer, and is kept. One that is cut or refused is opened again. */
const kept = (to) => happens(async () => {
  const client = connect(to);
  client.socket.write(GOOD);
  return await client.until(({ text }) => statuses(text).length === 1) && statuses(client.text)[0] === 200 && client;
});

for (const [what, flags] of [
  ['all', ['--loops', '1', '--max-connections', String(MOST)]],
  ['all of three loops', ['--max-connections', String(MOST)]],
  ['those of a user', ['--loops', '1', '--max-connections-per-address', String(MOST), '--listen', `unix:${path}`]],
]) {
  const server = await start(...long, ...flags);
  const to = server.path ?? server.port;
  const begin = performance.now();
  const busy = await Promise.all([kept(to), kept(to)]);
  const idle = [];
  for (let i = 0; i < MOST - busy.length; i++) idle.push(await kept(to));
  check(`${what}: there is room for as many as may be`, [...busy, ...idle].every(Boolean));
  busy.forEach(({ socket }) => socket.write(part));
  const early = await exchange(to, GOOD);
  // On a machine where all this took longer, some may have been looked at.
  if (performance.now() - begin < LOOK_MS) check(`${what}: one that was just used does not go`, early.statuses[0] === 503 && idle.every(({ closed }) => !closed), early.statuses.join());
  const most = LATE + (early.statuses[0] === 200 ? 1 : 0);
  const late = [];
  for (let i = 0; i < LATE; i++) late.push(await kept(to));
  check(`${what}: newcomers are answered`, late.every(Boolean), late.map(Boolean).join());
  await happens(() => idle.filter(({ closed }) => closed).length >= most);
  const gone = idle.map(({ closed }) => closed);
  check(`${what}: as many idle ones have gone for them`, gone.filter(Boolean).length === most, gone.join());
  if (flags[0] === '--loops') check(`${what}: the longest idle ones`, gone.slice(0, most).every(Boolean), gone.join());
  check(`${what}: and no others`, [...busy, ...late].every(({ closed }) => !closed));
  for (const client of busy) {
    client.text = '';
    client.socket.write('{"size":3}}  ');
    check(`${what}: a request under way is answered`, await client.until(({ text }) => statuses(text)[0] === 200), client.text.slice(0, 80));
  }
  const left = idle.filter(({ closed }) => !closed);
  for (const client of left) {
    client.text = '';
    client.socket.write(GOOD);
  }
  const again = await Promise.all(left.map((client) => client.until(({ text }) => statuses(text)[0] === 200)));
  check(`${what}: the others can still be used`, again.every(Boolean), again.join());
  const stopped = await server.stop();
  check(`${what}: a clean end`, stopped.code === 0, server.errors());
}
finish();
