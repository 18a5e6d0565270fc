// many.mjs: one stream of ten sessions while others turn them, and the server is killed in the midst of it: each entry of each
// session comes once, in order, and nothing is missed; then rights are taken and sessions deleted while it runs.
//
//     node tests/live/many.mjs PATH_TO_BINARY [ENTRIES, 2000] [KILLS, 2] [SEED]
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, finish, sleep, start } from '../http/support/server.mjs';
import { happens } from '../support/patience.mjs';
import { ask, generator, owner, session } from './support.mjs';

const SESSIONS = 10;
const WRITERS = 6;
const entries = Number(process.argv[3] ?? 2000);
const kills = Number(process.argv[4] ?? 2);
const random = generator(Number(process.argv[5] ?? Date.now() % 2 ** 31));
const directory = mkdtempSync(join(tmpdir(), 'cubed-many-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

let server;
let port;
async function restart(...more) {
  server = await start('--store', `sqlite:${join(directory, 'many.db')}`, '--listen', `127.0.0.1:${port ?? 0}`, '--ping-interval-ms', '300', '--rate-limit', 'off', ...more);
  port = server.port;
}

/** A stream of several sessions, as an EventSource reads it. */
class Stream {
  constructor(paths, tokens = {}) {
    Object.assign(this, { paths, tokens, last: null, at: new Map(), ends: new Map(), fault: null, ended: true, states: 0, resyncs: 0, reopened: 0 });
  }

  async ticket() {
    const sessions = this.paths.map((path) => ({ id: path.split('/').at(-1), ...(this.tokens[path] && { token: this.tokens[path] }) }));
    const answer = await ask(port, 'POST', '/v1/tickets', { sessions });
    if (answer?.status === 201) this.value = answer.json.ticket;
    return answer?.status;
  }

  open({ port: to = port, address } = {}) {
    const headers = { ...(this.last && { 'last-event-id': this.last }), ...(address && { 'x-forwarded-for': address }) };
    this.rest = '';
    this.ended = false;
    return new Promise((opened) => {
      const request = http.get({ host: '127.0.0.1', port: to, path: `/v1/events?ticket=${this.value}`, headers, agent: false }, (response) => {
        response.setEncoding('utf8');
        response.on('data', (text) => this.request === request && this.take(text));
        response.on('error', () => {});
        response.on('close', () => this.request === request && (this.ended = true));
        opened(response.statusCode);
      });
      request.on('error', () => {
        this.ended = true;
        opened(null);
      });
      this.request = request;
    });
  }

  close() {
    this.request?.destroy();
    this.ended = true;
  }

  take(text) {
    this.rest += text;
    for (let end; (end = this.rest.indexOf('\n\n')) >= 0; this.rest = this.rest.slice(end + 2)) this.event(this.rest.slice(0, end));
  }

  event(text) {
    const fields = Object.fromEntries(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    if (!fields.event) return;
    const data = JSON.parse(fields.data);
    const { session: id, revision } = data;
    if (!this.paths.some((path) => path.endsWith(id))) this.fault ??= `an event of ${id}`;
    if (this.ends.has(id)) this.fault ??= `${fields.event} of ${id} after its end`;
    if (fields.event === 'entry') {
      if (revision !== this.at.get(id) + 1) this.fault ??= `entry ${revision} of ${id} after ${this.at.get(id)}`;
      this.at.set(id, revision);
    } else if (fields.event === 'state' || fields.event === 'resync') {
      if (fields.event === 'state' && this.at.has(id)) this.fault ??= `a second state of ${id}`;
      this[`${fields.event}s`]++;
      this.at.set(id, revision);
    } else if (fields.event === 'end') {
      this.ends.set(id, data.reason);
    }
    if (fields.id) this.last = fields.id;
  }
}

await restart();
const paths = [];
for (let i = 0; i < SESSIONS; i++) paths.push(await session(port, 2 + (i % 3)));
const quick = new Stream(paths);
const restless = new Stream([...paths].reverse());
for (const stream of [quick, restless]) {
  check('a ticket', (await stream.ticket()) === 201);
  check('opens a stream', (await stream.open()) === 200);
}

/* ---- turned by others, and killed ---- */

const heads = new Map(paths.map((path) => [path, 0]));
let written = 0;
let down = false;
let done = false;

async function write() {
  while (written < entries) {
    const path = paths[random(SESSIONS)];
    const answer = await ask(port, 'POST', `${path}/moves`, { moves: 'URFDLB'[random(6)] });
    if (answer?.status === 200) {
      heads.set(path, Math.max(heads.get(path), answer.json.revision));
      written++;
    } else {
      await sleep(5);
    }
  }
}

/** Goes on where it was; a ticket that a restart has ended (401) is replaced. */
async function keep(stream) {
  while (!done) {
    if (stream.ended && !down) {
      stream.reopened++;
      if ((await stream.open()) === 401) await stream.ticket();
    }
    await sleep(5);
  }
}

async function unsettle() {
  while (!done) {
    await sleep(20 + random(150));
    if (!down) restless.close();
  }
}

const writers = Array.from({ length: WRITERS }, write);
const keepers = [keep(quick), keep(restless), unsettle()];
for (let kill = 1; kill <= kills; kill++) {
  while (written < (entries * kill) / (kills + 1)) await sleep(5);
  down = true;
  server.child.kill('SIGKILL');
  await server.ended;
  check('no sanitizer has found anything', !/Sanitizer/.test(server.errors()), server.errors());
  await restart();
  down = false;
}
await Promise.all(writers);
const caughtUp = (stream) => paths.every((path) => stream.at.get(path.split('/').at(-1)) === heads.get(path));
await happens(() => caughtUp(quick) && caughtUp(restless));
done = true;
await Promise.all(keepers);
for (const [name, stream] of Object.entries({ quick, restless })) {
  check(`${name}: every entry of every session once, in order`, stream.fault === null, stream.fault);
  check(`${name}: to the last one`, caughtUp(stream), JSON.stringify([[...stream.at], [...heads]]));
  check(`${name}: a state of each, once`, stream.states === SESSIONS && stream.resyncs === 0, [stream.states, stream.resyncs].join());
}
check('it was opened again', restless.reopened >= kills, restless.reopened);
restless.close();

/* ---- rights and sessions that end while it runs ---- */

const [deleted, closed, revoked, stays] = await Promise.all([0, 1, 2, 3].map(() => session(port)));
const { token, id: number } = (await ask(port, 'POST', `${revoked}/tokens`, { role: 'viewer' }, owner(revoked))).json;
const stream = new Stream([deleted, closed, revoked, stays], { [revoked]: token });
check('a ticket with a token', (await stream.ticket()) === 201);
check('opens', (await stream.open()) === 200);
const idOf = (path) => path.split('/').at(-1);
const until = async (what, reached) => check(what, await happens(reached));
await until('all states', () => stream.states === 4);
await ask(port, 'DELETE', deleted, undefined, owner(deleted));
await ask(port, 'PATCH', closed, { access: 'none' }, owner(closed));
await ask(port, 'DELETE', `${revoked}/tokens/${number}`, undefined, owner(revoked));
for (const path of [closed, revoked, stays]) await ask(port, 'POST', `${path}/moves`, { moves: 'R' }, owner(path));
await until('their ends', () => stream.ends.size === 3 && stream.at.get(idOf(stays)) === 1);
check('with reasons', stream.ends.get(idOf(deleted)) === 'deleted' && stream.ends.get(idOf(closed)) === 'revoked' && stream.ends.get(idOf(revoked)) === 'revoked');
check('and nothing after the right ended', stream.at.get(idOf(closed)) === 0 && stream.at.get(idOf(revoked)) === 0 && !stream.fault, stream.fault);
check('the stream goes on', !stream.ended);
stream.close();
check('the same ticket opens it again', (await stream.open()) === 200);
await ask(port, 'POST', `${stays}/moves`, { moves: 'R' });
await until('with what was missed, and no ends again', () => stream.at.get(idOf(stays)) === 2 && !stream.fault);
await ask(port, 'DELETE', stays, undefined, owner(stays));
await until('when none is left the stream ends', () => stream.ended && stream.ends.size === 4);
check('and an EventSource stops', (await stream.open()) === 204);

/* ---- counted as that many ---- */

await server.stop();
await restart('--trusted-proxy', '127.0.0.1', '--max-streams-per-address', '12');
const first = new Stream(paths);
await first.ticket();
check('a stream of ten', (await first.open({ address: '192.0.2.7' })) === 200);
const second = new Stream(paths.slice(0, 3));
await second.ticket();
check('three more are too many', (await second.open({ address: '192.0.2.7' })) === 429);
check('not for another address', (await second.open({ address: '192.0.2.8' })) === 200);
first.close();
second.close();
check('and they are given back', await happens(async () => (await first.open({ address: '192.0.2.7' })) === 200));
for (const one of [quick, first]) one.close();
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
finish();
