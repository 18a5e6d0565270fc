// loops.mjs: more clients than the first loops are given, so that others share them; then fewer again. Every write is
// answered and none is lost, whichever loop has its connection and whichever takes its answer from the writer.
import { check, connect, finish, HOST, start_plain, statuses } from './support/server.mjs';

const CLIENTS = 800; // the first loops, one or two on up to five cores, have 384 each before
const ROUNDS = 5;

const server = await start_plain('--rate-limit', 'off');
const response = await fetch(`http://127.0.0.1:${server.port}/v1/sessions`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size":3,"access":"edit"}',
});
const { id } = await response.json();
const body = '{"moves":"R"}';
const MOVE = `POST /v1/sessions/${id}/moves HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

let written = 0;
async function write(clients) {
  for (const client of clients) {
    client.text = '';
    client.socket.write(MOVE);
  }
  await Promise.all(clients.map((client) => client.until((now) => statuses(now.text).length > 0)));
  const good = clients.filter((client) => statuses(client.text)[0] === 200).length;
  check(`${clients.length} writes are answered`, good === clients.length, `${good} were`);
  written += good;
}

async function open(count) {
  const clients = Array.from({ length: count }, () => connect(server.port));
  await Promise.all(clients.map((client) => client.ready));
  return clients;
}

async function close(clients) {
  clients.forEach((client) => client.socket.destroy());
  await Promise.all(clients.map((client) => client.end));
}

for (let round = 0; round < ROUNDS; round++) {
  const clients = await open(CLIENTS);
  await write(clients);
  const last = clients.pop();
  await close(clients);
  await write([last]); // it came last, so it is not at the first loop
  await close([last]);
  const few = await open(3);
  await write(few);
  await close(few);
}
const { revision } = await (await fetch(`http://127.0.0.1:${server.port}/v1/sessions/${id}`)).json();
check('every write is in the session, once', revision === written && written === ROUNDS * (CLIENTS + 4), `revision ${revision} of ${written}`);
const stopped = await server.stop();
check('the server ends well', stopped.code === 0, server.errors().slice(0, 3000));
finish();
