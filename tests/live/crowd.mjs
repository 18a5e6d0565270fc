// crowd.mjs: watchers that do not read, that are many, that send their requests byte by byte; who is there; how streams end.
//
//     node tests/live/crowd.mjs PATH_TO_BINARY [WATCHERS, 500]
import { check, connect, finish, HOST, sleep, start } from '../http/support/server.mjs';
import { happens } from '../support/patience.mjs';
import { ask, generator, owner, resident, session, Watcher } from './support.mjs';

const count = Number(process.argv[3] ?? 500);
const flags = ['--ping-interval-ms', '200', '--rate-limit', 'off'];
const server = await start(...flags);
const { port } = server;
const sanitized = /asan|tsan/.test(process.argv[2]);
const AWAY_MS = 5000; // bound: who leaves counts as there for so long; a test that takes longer is not judged

/** A connection that asks for events and reads nothing. */
async function dead(port, path) {
  const client = connect(port);
  await client.ready;
  client.socket.pause();
  client.socket.write(`GET ${path}/events?cube=true HTTP/1.1\r\n${HOST}\r\n\r\n`);
  return client;
}

async function turn(path, times, moves = 'R U', at = port) {
  for (let i = 0; i < times; i++) {
    const answer = await ask(at, 'POST', `${path}/moves`, { moves });
    if (answer?.status !== 200) check('a turn is answered', false, answer?.text);
  }
}

/** Checks that unread events grow nowhere: neither here nor, beyond a fixed size, in the kernel; and that the
 * connection is cut. */
async function not_read() {
  const CUT_MS = 2500; // bound: of the server; on a machine that keeps this process from reading for so long, nothing is judged
  const hasty = await start(...flags, '--stream-timeout-ms', String(CUT_MS));
  const { port } = hasty;
  let [seen, longest] = [performance.now(), 0];
  const clock = setInterval(() => ([seen, longest] = [performance.now(), Math.max(longest, performance.now() - seen)]), 50);
  const slow = () => longest > CUT_MS / 2;
  const watching = async () => Number(/^cubed_watchers (\d+)/m.exec((await ask(port, 'GET', '/metrics')).text)[1]);
  const path = await session(port, 60); // 21,600 facelets an event
  const reader = new Watcher(path, '?cube=true');
  await reader.open(port);
  await turn(path, 300, 'R U', port);
  check('one who reads has it all', (await reader.at(300)) || slow());
  const before = await resident(hasty.child.pid);
  const sleepers = await Promise.all(Array.from({ length: 20 }, () => dead(port, path)));
  await turn(path, 300, 'R U', port);
  check('one who reads beside twenty who do not', (await reader.at(600)) || slow());
  const grown = await resident(hasty.child.pid) - before;
  check('memory does not grow with what is not read', sanitized || grown < 16e6, `${grown} bytes`);
  check('no fault', reader.fault === null && reader.resyncs === 0, reader.fault);
  await happens(async () => (await watching()) <= 1);
  sleepers.forEach((sleeper) => sleeper.socket.resume());
  await Promise.all(sleepers.map((sleeper) => sleeper.until((now) => now.closed)));
  check('who does not read is cut', sleepers.every((sleeper) => sleeper.closed), sleepers.filter((one) => one.closed).length);
  check('and who reads is not', !reader.ended || slow());
  reader.close();
  clearInterval(clock);
  check('a clean end of the hasty one', (await hasty.stop()).code === 0);
}

/** Checks that a client that sends a request a byte at a time is cut off; clients that watch and turn do not notice. */
async function slow_loris() {
  const loris_server = await start(...flags, '--header-timeout-ms', '5000'); // bound: for those that must be cut
  const { port } = loris_server;
  const path = await session(port);
  const watchers = Array.from({ length: 20 }, () => new Watcher(path));
  await Promise.all(watchers.map((watcher) => watcher.open(port)));
  const loris = Array.from({ length: count }, () => connect(port));
  await Promise.all(loris.map((one) => one.ready));
  const text = `GET ${path}/events HTTP/1.1\r\n${HOST}\r\nX: ${'x'.repeat(100)}`;
  let at = 0;
  const trickle = setInterval(() => loris.forEach((one) => !one.closed && one.socket.write(text[at % text.length])) || at++, 100);
  await turn(path, 100, 'R U', port);
  check('turns beside slow heads', (await Promise.all(watchers.map((watcher) => watcher.at(100)))).every(Boolean));
  await Promise.all(loris.map((one) => one.until((now) => now.closed)));
  clearInterval(trickle);
  check('slow heads are cut', loris.every((one) => one.closed), loris.filter((one) => !one.closed).length);
  check('no fault beside slow heads', watchers.every((watcher) => watcher.fault === null));
  watchers.forEach((watcher) => watcher.close());
  check('a clean end behind slow heads', (await loris_server.stop()).code === 0);
}

/** A whole crowd: each has each entry; and knows how many they are. */
async function crowd() {
  const path = await session(port);
  const watchers = Array.from({ length: count }, (_, i) => new Watcher(path, i % 3 ? '' : '?cube=true'));
  for (let i = 0; i < count; i += 50) await Promise.all(watchers.slice(i, i + 50).map((watcher) => watcher.open(port)));
  await turn(path, 40);
  check('a crowd has it all', (await Promise.all(watchers.map((watcher) => watcher.at(40)))).every(Boolean));
  check('a crowd in order', watchers.every((watcher) => watcher.fault === null && watcher.states === 1 && watcher.resyncs === 0));
  check('they know how many they are', await happens(() => watchers.every((watcher) => watcher.presence?.watchers === count)), watchers[0].presence?.watchers);
  await sleep(800); // bound: presence is reported every half a second; longer does no harm
  const left = performance.now();
  watchers.slice(1).forEach((watcher) => watcher.close());
  const back = new Watcher(path);
  await sleep(500);
  await back.open(port);
  const now = watchers[0].presence.watchers;
  if (performance.now() - left < AWAY_MS / 2) check('who has just left counts as there', now === count, now);
  check('and then no longer', await happens(() => watchers[0].presence.watchers === 2), watchers[0].presence.watchers);
  back.close();
  watchers[0].close();
}

/** Streams that come and go at any moment, of sessions that are turned meanwhile. */
async function churn() {
  const random = generator(7);
  const paths = await Promise.all(Array.from({ length: 10 }, () => session(port, 2 + random(4))));
  const watchers = Array.from({ length: 100 }, (_, i) => new Watcher(paths[i % paths.length], i % 2 ? '?cube=true' : ''));
  let done = false;
  const come_and_go = async (watcher) => {
    while (!done) {
      if (watcher.ended) await watcher.open(port);
      await sleep(random(120));
      if (random(4) === 0) watcher.pause();
      else if (random(2)) watcher.resume();
      else watcher.close();
    }
  };
  const others = watchers.map(come_and_go);
  await Promise.all(paths.map((path) => turn(path, 150, 'R')));
  done = true;
  await Promise.all(others);
  await Promise.all(watchers.map(async (watcher) => {
    watcher.resume();
    if (watcher.ended) await watcher.open(port);
  }));
  const caught = await Promise.all(watchers.map((watcher) => watcher.at(150)));
  check('who comes and goes misses nothing', caught.every(Boolean) && watchers.every(({ fault, entries, resyncs, from }) => !fault && !resyncs && entries === 150 - from),
    JSON.stringify(watchers.filter(({ fault, entries, from }) => fault || entries !== 150 - from).map(({ fault, entries, from, revision }) => [fault, entries, from, revision])));
  watchers.forEach((watcher) => watcher.close());
}

/** Names come from tokens; an entry names who made it; a token that is revoked ends its streams. */
async function names() {
  const path = await session(port);
  const token = async (role, label) => (await ask(port, 'POST', `${path}/tokens`, { role, label }, owner(path))).json;
  const ann = await token('editor', 'Ann');
  const bob = await token('viewer', 'Bob');
  const bearer = ({ token: text }) => ({ authorization: `Bearer ${text}` });
  const nobody = new Watcher(path);
  await nobody.open(port);
  const until = async (what, done) => check(what, await happens(done), JSON.stringify(nobody.presence));
  await until('one without a name', () => nobody.presence?.watchers === 1 && nobody.presence.names.length === 0);
  const watching = [new Watcher(path), new Watcher(path)];
  await watching[0].open(port, { extra: bearer(ann) });
  await until('a name comes', () => nobody.presence.names.join() === 'Ann' && nobody.presence.came.join() === 'Ann' && nobody.presence.watchers === 2);
  await watching[1].open(port, { extra: bearer(bob) });
  await until('another one', () => [...nobody.presence.names].sort().join() === 'Ann,Bob' && nobody.presence.came.join() === 'Bob');
  await ask(port, 'POST', `${path}/moves`, { moves: 'R' }, bearer(ann));
  check('an entry comes', await nobody.at(1));
  check('with who made it', nobody.actor?.label === 'Ann' && nobody.actor.role === 'editor', JSON.stringify(nobody.actor));
  const again = new Watcher(path);
  again.last = nobody.last.replace(/-1$/, '-0');
  again.revision = 0;
  await again.open(port);
  check('and from the log as well', (await again.at(1)) && again.actor?.label === 'Ann', JSON.stringify(again.actor));
  again.close();
  check('a token is revoked', (await ask(port, 'DELETE', `${path}/tokens/${bob.id}`, undefined, owner(path))).status === 204);
  check('its stream ends, and says why', (await happens(() => watching[1].ended)) && watching[1].end === 'revoked');
  check('the others go on', !nobody.ended && !watching[0].ended);
  check('and is not opened again', (await watching[1].open(port, { extra: bearer(bob) })) === 401);
  const gone = nobody.went;
  const left = performance.now();
  watching[0].close();
  await watching[0].open(port, { extra: bearer(ann) });
  const soon = performance.now() - left < AWAY_MS / 2;
  await until('who comes back is there', () => nobody.presence.names.includes('Ann'));
  check('who was shut out has gone', await happens(() => gone.includes('Bob') && nobody.presence.names.join() === 'Ann'), JSON.stringify([gone, nobody.presence]));
  if (soon) check('who comes back was not away', !gone.includes('Ann'), gone.join());
  await ask(port, 'PATCH', path, { name: 'theirs' }, owner(path));
  await until('another name is told', () => nobody.about?.name === 'theirs' && watching[0].about?.name === 'theirs');
  nobody.close();
  await ask(port, 'PATCH', path, { turn_policy: 'alternate' }, owner(path));
  await nobody.open(port);
  await until('also to who was away', () => nobody.about.turn_policy === 'alternate');
  nobody.close();
  watching[0].close();
}

/** Every way a stream ends, and what one finds who asks again. */
async function ends() {
  const path = await session(port);
  const watcher = new Watcher(path);
  await watcher.open(port);
  await turn(path, 1, "R R'");
  await turn(path, 1, 'R');
  await turn(path, 1, "R'");
  check('events before the end', await watcher.at(3));
  check('solved is told', watcher.solved === 1, watcher.solved);
  const wait = ask(port, 'GET', `${path}/history?after=3&wait_ms=60000`);
  await sleep(100); // bound: it waits then, or finds that it is deleted
  check('deleted', (await ask(port, 'DELETE', path, undefined, owner(path)))?.status === 204);
  check('a stream ends with its session, and says why', (await happens(() => watcher.ended)) && watcher.end === 'deleted');
  check('it said when to reconnect', watcher.retry >= 1000);
  check('a long poll as well', (await wait)?.status === 410);
  check('and is not opened again', (await new Watcher(path).open(port)) === 410);

  const other = await session(port);
  const second = new Watcher(other);
  await second.open(port);
  await ask(port, 'PATCH', other, { access: 'view' }, owner(other));
  check('a stream goes on where another access still allows it', (await happens(() => second.about?.access === 'view')) && !second.ended);
  await ask(port, 'PATCH', other, { access: 'none' }, owner(other));
  check('and ends where it does not, and says why', (await happens(() => second.ended)) && second.end === 'revoked');
  check('and is not opened again until access is given', (await second.open(port)) === 404);
  await ask(port, 'PATCH', other, { access: 'view' }, owner(other));
  check('then it is', (await second.open(port)) === 200);
  const empty = await ask(port, 'GET', `${other}/history?wait_ms=300`);
  check('a long poll ends by itself', empty?.status === 200 && empty.json.items.length === 0);
  return { waiting: ask(port, 'GET', `${other}/history?wait_ms=60000`), stream: second };
}

/** So many for an address, reported by a proxy that is trusted; and no more for a session than it may have. */
async function too_many() {
  const small = await start('--trusted-proxy', '127.0.0.1', '--max-streams-per-address', '3', '--max-watchers-per-session', '5', '--rate-limit', 'off');
  const path = await session(small.port);
  const open = (address, id = path) => {
    const watcher = new Watcher(id);
    return watcher.open(small.port, { extra: { 'x-forwarded-for': address } }).then((status) => ({ status, watcher }));
  };
  const three = [await open('192.0.2.7'), await open('192.0.2.7'), await open('192.0.2.7')];
  check('three streams of an address', three.every(({ status }) => status === 200));
  const fourth = await ask(small.port, 'GET', `${path}/events`, undefined, { 'x-forwarded-for': '192.0.2.7' });
  check('the fourth is refused', fourth.status === 429 && fourth.headers['retry-after'] > 0 && fourth.json.type === 'urn:cubed:problem:rate-limited', fourth.text);
  check('another address is not', (await open('192.0.2.8')).status === 200);
  check('nor the fifth watcher', (await open('192.0.2.9')).status === 200);
  check('the sixth of a session is', (await open('192.0.2.10')).status === 429);
  const watching = new Watcher(await session(small.port));
  await watching.open(small.port, { extra: { 'x-forwarded-for': '192.0.2.11' } });
  for (let i = 0; i < 3; i++) check('one more of that address is refused', (await open('192.0.2.7', watching.path)).status === 429);
  await happens(() => watching.presence?.watchers === 1);
  await sleep(400); // bound: nothing comes
  check('and was never there', watching.presence?.watchers === 1, JSON.stringify(watching.presence));
  three[0].watcher.close();
  check('a place that is free is given again', await happens(async () => (await open('192.0.2.7')).status === 200));
  check('a clean end of the small one', (await small.stop()).code === 0);
}

await too_many();
await not_read();
await slow_loris();
await crowd();
await churn();
await names();
const { waiting, stream } = await ends();
await happens(async () => /^cubed_long_polls 1$/m.test((await ask(port, 'GET', '/metrics')).text));
const end = await server.stop();
check('a clean end with a stream and a long poll', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
check('the long poll was answered', [200, 503].includes((await waiting)?.status));
check('the stream has ended', await happens(() => stream.ended));
finish();
