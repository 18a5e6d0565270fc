// leaving.mjs: clients that reset their connection while their write waits for its turn and for the disk. The service
// goes on with such a request, so nothing of it may have gone with the connection; under AddressSanitizer it would be told.
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, HOST, finish, sleep, start } from './support/server.mjs';

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
let revision = -1; // what was begun goes on for a while
for (let later = await now(); later !== revision; later = await now()) {
  revision = later;
  await sleep(300);
}
check('writes of clients that left are whole or not there', revision > 0 && revision <= ROUNDS * CLIENTS, `revision ${revision}`);
const { items } = await json(`/v1/sessions/${made.id}/history?after=${revision - 5}`, { headers });
check('their entries are in the history', items.length === 5 && items.every(({ moves, actor }) => moves === 'R' && actor.role === 'owner'));
const stopped = await server.stop();
check('the server ends well', stopped.code === 0, server.errors().slice(0, 3000));
finish();
