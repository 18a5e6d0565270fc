// simultaneous.mjs: many requests at the same instant, many connections, and stopping in the midst of them.
//
//     node tests/http/simultaneous.mjs PATH_TO_BINARY
import { GOOD, HOST, alive, check, connect, exchange, finish, sleep, start, statuses } from './support/server.mjs';

async function connected(port, count) {
  const clients = Array.from({ length: count }, () => connect(port));
  await Promise.all(clients.map((client) => client.ready));
  return clients;
}

const answers = (clients) => clients.filter((client) => statuses(client.text).includes(200)).length;

/** All ask while the server is halted: it finds every one of them ready in one look. */
async function at_once(server, count) {
  const clients = await connected(server.port, count);
  await Promise.all(clients.slice(0, 1).map(async (client) => {
    client.socket.write(GOOD);
    await client.until((now) => statuses(now.text).length > 0);
    client.text = '';
  }));
  for (let round = 1; round <= 2; round++) {
    server.child.kill('SIGSTOP');
    await Promise.all(clients.map((client) => new Promise((resolve) => client.socket.write(GOOD, resolve))));
    await sleep(50);
    server.child.kill('SIGCONT');
    await Promise.all(clients.map((client) => client.until((now) => statuses(now.text).length > 0)));
    check(`${count} at once, round ${round}`, answers(clients) === count, `${answers(clients)} answers`);
    clients.forEach((client) => (client.text = ''));
  }
  clients.forEach((client) => client.socket.destroy());
}

async function pipelined(server) {
  const client = connect(server.port);
  await client.ready;
  client.socket.write(GOOD.repeat(100) + GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await client.until((now) => now.closed);
  check('101 requests in one piece', statuses(client.text).filter((status) => status === 200).length === 101, statuses(client.text).length);
}

async function too_many() {
  const began = Date.now();
  const server = await start('--max-connections', '20');
  const held = await connected(server.port, 20);
  held.forEach((client) => client.socket.write(GOOD));
  await Promise.all(held.map((client) => client.until((now) => statuses(now.text).length > 0)));
  check('as many connections as there may be', answers(held) === 20, answers(held));
  const { statuses: found, text, closed } = await exchange(server.port, GOOD);
  check('one more is told so', found[0] === 503 && /\r\nRetry-After: 1\r\n/.test(text) && closed &&
    /\r\nContent-Type: application\/problem\+json\r\n/.test(text), text);
  JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
  await exchange(server.port, GOOD);
  const minutes = Math.ceil((Date.now() - began) / 60000);
  const warnings = server.errors().split('all connections are in use').length - 1;
  check('the log says it, once a minute', warnings >= 1 && warnings <= minutes, server.errors());
  held[0].socket.write(GOOD);
  held[0].text = '';
  check('those who are in are served', await held[0].until((now) => statuses(now.text).length > 0));
  held.pop().socket.destroy();
  check('a place that is free is given', (await alive(server.port)).good); // once the server has seen that it is free
  held.forEach((client) => client.socket.destroy());
  const end = await server.stop();
  check('a clean end of the small server', end.code === 0, JSON.stringify(end));
}

/** Idle, half sent, not read, and refused ones: none keeps the process. */
async function stopping() {
  const server = await start();
  const clients = await connected(server.port, 40);
  clients.forEach((client, i) => {
    if (i % 4 === 1) client.socket.write('GET /healthz HTT');
    if (i % 4 === 2) client.socket.write(`POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Length: 100\r\n\r\n{`);
    if (i % 4 === 3) {
      client.socket.pause();
      client.socket.write(GOOD.replace('healthz', 'openapi.json').repeat(200));
    }
  });
  await sleep(200); // bound: they are in whatever state they are
  const end = await server.stop();
  check('stops before their deadlines', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
  clients.forEach((client) => client.socket.destroy());
}

const server = await start();
for (const count of [128, 256, 384, 1024]) await at_once(server, count);
await pipelined(server);
check('the server goes on', (await alive(server.port)).good);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
await too_many();
await stopping();
finish();
