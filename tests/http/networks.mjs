// networks.mjs: a client with a whole network: a /48 of IPv6 has 65,536 addresses. What it takes of the connections makes room
// for newcomers; networks with few streams, private ones and clients behind one address lose nothing.
//
//     node tests/http/networks.mjs PATH_TO_BINARY
import { until } from '../support/patience.mjs';
import { check, connect, exchange, finish, GOOD, HOST, sleep, start, statuses } from './support/server.mjs';

const MOST = 120;
const ATTACKERS = 200;
const NEWCOMERS = 60;
const proxied = ['--trusted-proxy', '127.0.0.0/8', '--max-connections', String(MOST)];
const from = (address) => (address ? `X-Forwarded-For: ${address}\r\n` : '');

async function makeSession(port) {
  const body = '{"size":2}';
  const { text } = await exchange(port, `POST /v1/sessions HTTP/1.1\r\n${HOST}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).id;
}

/** Asks for a stream of events; resolves with the client once it has an answer, `status` is that of the answer. */
async function watch(port, id, address) {
  const client = connect(port);
  client.socket.write(`GET /v1/sessions/${id}/events HTTP/1.1\r\n${HOST}\r\nAccept: text/event-stream\r\n${from(address)}\r\n`);
  await client.until(({ text }) => /^HTTP\/1\.1 (?!200)|\n\n/.test(text));
  client.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(client.text)?.[1] ?? 0);
  return client;
}

const get = (port, address) => exchange(port, GOOD.replace('\r\n\r\n', `\r\n${from(address)}Connection: close\r\n\r\n`));

/** A client of the network that opens its stream again whenever it ends. */
async function insist(port, id, address, state) {
  while (!state.over) {
    const client = await watch(port, id, address);
    state.clients.add(client);
    if (client.status === 200 && !state.over) {
      state.opened++;
      await client.end;
    }
    client.socket.destroy();
    state.clients.delete(client);
    await sleep(20);
  }
}

{
  const server = await start(...proxied, '--rate-limit', 'off');
  const { port } = server;
  const id = await makeSession(port);
  const state = { over: false, opened: 0, clients: new Set() };
  const attack = Array.from({ length: ATTACKERS }, (_, i) => insist(port, id, `2001:db8:1:${(i >> 3).toString(16)}::${i + 1}`, state));
  await until(() => state.opened >= MOST, 'all connections are taken');
  const newcomers = [];
  const answers = [];
  for (let i = 0; i < NEWCOMERS; i++) {
    answers.push(...await Promise.all([get(port, `198.51.${i}.1`), get(port, `2001:db8:${i + 2}::1`)]));
    if (i % 2 === 0) newcomers.push(await watch(port, id, `203.0.${i}.1`));
  }
  const codes = answers.map((answer) => answer.statuses[0] ?? 'cut');
  check('all newcomers are answered', codes.every((code) => code === 200), codes.join());
  check('all newcomers get a stream', newcomers.every(({ status }) => status === 200), newcomers.map(({ status }) => status).join());
  const burst = await Promise.all(Array.from({ length: NEWCOMERS }, (_, i) => get(port, `198.51.${i}.2`)));
  check('a burst of them is answered', burst.every((answer) => answer.statuses[0] === 200), burst.map((answer) => answer.statuses[0]).join());
  check('none of their streams is closed', newcomers.every(({ closed }) => !closed));
  const warnings = server.errors().split('\n').filter((line) => line.includes('streams of the network that has most'));
  check('a warning names the network, once', warnings.length === 1 && warnings[0].includes('network=2001:db8:1::/48') && warnings[0].includes('level=warning'), warnings.join('\n'));
  const { text } = await exchange(port, `GET /metrics HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
  check('a metric counts them', Number(/\ncubed_watchers_displaced_total (\d+)/.exec(text)?.[1]) >= NEWCOMERS);
  state.over = true;
  state.clients.forEach(({ socket }) => socket.destroy());
  await Promise.all(attack);
  newcomers.forEach(({ socket }) => socket.destroy());
  check('a clean end', (await server.stop()).code === 0);
}

// Nobody has more than others, or it is not known: the newcomer is refused, as before.
for (const [what, address] of [
  ['many networks with few streams each', (i) => `198.51.${i >> 3}.${i}`],
  ['a private network', (i) => `10.0.0.${(i >> 4) + 1}`],
  ['one that the server is local to', () => ''],
]) {
  const server = await start(...proxied, '--rate-limit', 'off');
  const id = await makeSession(server.port);
  const clients = [];
  for (let i = 0; i < MOST; i++) clients.push(await watch(server.port, id, address(i)));
  check(`${what}: they get their streams`, clients.every(({ status }) => status === 200));
  const late = await get(server.port, '192.0.2.1');
  check(`${what}: a newcomer is refused`, late.statuses[0] === 503, late.text.slice(0, 40));
  check(`${what}: no stream is closed`, clients.every(({ closed }) => !closed));
  clients.forEach(({ socket }) => socket.destroy());
  await server.stop();
}

// The limit of a network.
{
  const server = await start(...proxied, '--rate-limit', 'off', '--max-streams-per-address', '3', '--network-factor', '2');
  const { port } = server;
  const id = await makeSession(port);
  const open = async (address) => (await watch(port, id, address)).status;
  const statusesOf = async (addresses) => {
    const all = [];
    for (const address of addresses) all.push(await open(address));
    return all.join();
  };
  check('a /48 has twice the streams of a /64', await statusesOf(['1', '1', '1', '1', '2', '2', '3', '4'].map((i) => `2001:db8:1:${i}::1`)) === '200,200,200,429,200,200,200,429');
  check('another /48 has its own', await statusesOf(['2001:db8:2:1::1']) === '200');
  check('so has a /24', await statusesOf([1, 2, 3, 4, 5, 6, 7].map((i) => `192.0.2.${i}`)) === '200,200,200,200,200,200,429');
  check('a private network has none', await statusesOf([1, 2, 3, 4, 5, 6, 7].map((i) => `192.168.0.${i}`)) === Array(7).fill('200').join());
  const refused = await watch(port, id, '192.0.2.9');
  await refused.until(({ text }) => statuses(text).length === 1);
  check('the answer says so', refused.text.includes('This network has reached its limit of event streams'), refused.text);
  await server.stop();
}
finish();
