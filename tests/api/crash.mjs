// An answered change is never lost: kill the server at random moments under load, start it again, and compare its
// histories with what it had answered. Usage: node crash.mjs [path of the binary] [cycles, 25] [seed]
//
// After every kill, for every session: each answered entry is there exactly as it was answered; revisions are
// 1, 2, 3 without gaps; entries that were there before are unchanged; an entry that was never
// answered is a whole request that was cut off, once; and a model of its own, replaying the history, reaches every
// cube that was answered and the one that the server has now.

import assert from 'node:assert/strict';
import http from 'node:http';
import { join } from 'node:path';
import { Client, exchange } from './client.mjs';
import { Cube } from './model.mjs';
import { binaryArgument, numberArgument, Server, temporaryDirectory } from './server.mjs';
import { check, finish } from './report.mjs';

const SESSIONS = 40;
const CLIENTS = 20;
const KILL_MS = [5, 80];
const CYCLES_PER_DATABASE = 50; // so that a long run does not slow down as histories grow
const PAGE = 1000;

const binary = binaryArgument();
const cycles = numberArgument(0, 25);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const directory = temporaryDirectory();
const totals = { answered: 0, cut: 0, kept: 0 };

/** A random generator with a seed (Mulberry32): answers whole numbers below n. */
function generator(state) {
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const random = generator(seed);

/** One turn that is its own canonical text. */
function randomTurn(size) {
  const face = 'URFDLB'[random(6)];
  const amount = ['', "'", '2'][random(3)];
  if (size > 3 && random(3) === 0) return `${random(2) ? '' : '2'}${face}${amount}`;
  return (size > 2 && random(4) === 0 ? `${face}w` : face) + amount;
}

function randomCall(size) {
  const roll = random(100);
  if (roll < 70) return ['moves', { moves: Array.from({ length: 1 + random(5) }, () => randomTurn(size)).join(' ') }];
  if (roll < 85) return ['undo', { count: 1 + random(3) }];
  if (roll < 95) return ['redo', {}];
  return ['reset', {}];
}

/** A session as the test knows it. */
class Known {
  constructor({ id, size, path }) {
    Object.assign(this, { id, size, path });
    this.answered = new Map(); // by revision: what the server answered
    this.cut = [];             // calls of this cycle that were never answered
    this.items = [];           // the history as last read
    this.states = [new Cube(size)];
  }

  /** Checks a history that was read after a restart. */
  compare(items) {
    assert.deepEqual(items.map(({ revision }) => revision), items.map((_, i) => i + 1), 'revisions run 1, 2, 3');
    assert.deepEqual(items.slice(0, this.items.length), this.items, 'what was there before is unchanged');
    for (const entry of items.slice(this.items.length)) {
      if (!this.answered.has(entry.revision)) this.#wasCut(entry);
      this.#replay(entry);
    }
    const last = Math.max(0, ...this.answered.keys());
    assert.ok(last <= items.length, `entry ${last} was answered and is lost; the history ends at ${items.length}`);
    for (const [revision, { entry, cube }] of this.answered) {
      assert.deepEqual(items[revision - 1], entry, 'an entry is as it was answered');
      assert.equal(this.states[revision].facelets, cube.facelets, `the cube of revision ${revision}`);
    }
    this.items = items;
    this.answered.clear();
    this.cut = [];
  }

  #wasCut(entry) {
    const index = this.cut.findIndex(([call, json]) => call === entry.kind && (call !== 'moves' || json.moves === entry.moves));
    assert.ok(index >= 0, `nobody sent this, or it is there twice: ${JSON.stringify(entry)}`);
    this.cut.splice(index, 1);
    totals.kept++;
  }

  #replay(entry) {
    const state = this.states.at(-1).copy().apply(entry.moves);
    if (entry.restores !== undefined) {
      assert.equal(state.facelets, this.states[entry.restores].facelets, `${entry.kind} at ${entry.revision} brings back ${entry.restores}`);
    }
    this.states.push(state);
  }
}

async function readHistory(client, path) {
  const items = [];
  for (let after = 0; after !== null; ) {
    const page = await client.expect(200, 'GET', `${path}/history?after=${after}&limit=${PAGE}`);
    items.push(...page.items);
    after = page.next_after;
  }
  return items;
}

/** One client: calls on random sessions, one after another, until the server has ended. */
async function load(url, sessions, running, answered) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  while (running.on) {
    const session = sessions[random(sessions.length)];
    const [call, json] = randomCall(session.size);
    let answer;
    try {
      const headers = { 'content-type': 'application/json' };
      answer = await exchange(url, agent, 'POST', `${session.path}/${call}`, headers, JSON.stringify(json));
    } catch {
      session.cut.push([call, json]);
      totals.cut++;
      break;
    }
    if (answer.status === 200) {
      const written = JSON.parse(answer.text);
      assert.ok(!session.answered.has(written.revision), `revision ${written.revision} was answered twice`);
      session.answered.set(written.revision, written);
      totals.answered++;
      answered();
    } else if (answer.status !== 409) {
      throw new Error(`${call}: ${answer.status} ${answer.text}`);
    }
  }
  agent.destroy();
}

async function createSessions(client) {
  const made = Array.from({ length: SESSIONS }, (_, i) => client.session({ size: 2 + (i % 6), access: 'edit' }));
  return (await Promise.all(made)).map((session) => new Known(session));
}

async function verify(server, sessions) {
  const client = new Client(server.url);
  for (const session of sessions) {
    const [items, { revision, cube }] = [await readHistory(client, session.path), await client.expect(200, 'GET', session.path)];
    session.compare(items);
    assert.equal(revision, items.length);
    assert.equal(cube.facelets, session.states.at(-1).facelets, 'the cube is the replay of the history');
  }
  client.close();
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

let sessions;
let store;

async function cycle(number) {
  const fresh = number % CYCLES_PER_DATABASE === 0;
  if (fresh) store = `sqlite:${join(directory, `crash-${number}.db`)}`;
  const server = await Server.start(binary, store);
  if (fresh) {
    const client = new Client(server.url);
    sessions = await createSessions(client);
    client.close();
  }
  const running = { on: true };
  let underWay;
  const begun = new Promise((answered) => (underWay = answered));
  const loads = Promise.all(Array.from({ length: CLIENTS }, () => load(server.url, sessions, running, underWay)));
  await Promise.race([begun, loads]);
  await sleep(KILL_MS[0] + random(KILL_MS[1] - KILL_MS[0] + 1));
  await server.kill();
  running.on = false;
  await loads;
  const again = await Server.start(binary, store);
  await verify(again, sessions);
  await again.kill();
}

for (let number = 0; number < cycles; number++) {
  const well = await check(`cycle ${number}, seed ${seed}`, () => cycle(number));
  if (!well) break; // a loss is permanent
}
await check('there was load', () => assert.ok(totals.answered > cycles && totals.cut > 0));

console.log(`${totals.answered} entries answered, ${totals.cut} requests cut off, ${totals.kept} of them kept`);
finish();
