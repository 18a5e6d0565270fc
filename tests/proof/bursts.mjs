// bursts.mjs: clients that turn and read many sessions, a few at a time and for a moment each, and a record of it that
// linearizable.mjs can search.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange } from '../api/client.mjs';
import { byKey, faultOf, search } from './linearizable.mjs';
import { generator, sleep } from './support.mjs';

const AT_ONCE = 6; // sessions
const CLIENTS = 5; // of each
const EACH = 10; // operations of a client
const LAST_READS = 3;
const RETRY_MS = 25;
const PATIENCE_MS = 60000; // the time that a write with a key, or a read at the end, is sent again
const ABANDONED = 4; // percent of the writes, whose connection the client closes within
const ABANDON_MS = 60; // bound: nothing is demanded of a request that is abandoned
const EVERY = 250; // operations between two disturbances
const PART = 20000; // operations that are recorded before they are searched

/** Returns what an answer of a write means to the history: an outcome, or undefined if nothing was done. */
function outcomeOf({ status, json }) {
  if (status === 200) return 'ok';
  if (status === 0 || (status === 503 && /made or not/.test(json?.detail))) return 'unknown';
  if (status !== 409) return undefined;
  return json.type.endsWith(':nothing-to-undo') ? 'nothing' : 'stale';
}

class Client {
  constructor(bursts) {
    this.bursts = bursts;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Sends a request once, to a random server. Status 0: nobody answered; -1: nobody was there. */
  async once(method, path, json, headers = {}, abandonMs = undefined) {
    const urls = this.bursts.urls();
    if (urls.length === 0) return { status: -1 };
    const agent = abandonMs === undefined ? this.agent : new http.Agent();
    const body = json && JSON.stringify(json);
    const timer = abandonMs !== undefined && setTimeout(() => agent.destroy(), abandonMs);
    try {
      const answer = await exchange(urls[this.bursts.random(urls.length)], agent, method, path, { ...(body && { 'content-type': 'application/json' }), ...headers }, body);
      return { status: answer.status, json: answer.text ? JSON.parse(answer.text) : undefined };
    } catch (error) {
      return { status: error.code === 'ECONNREFUSED' ? -1 : 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  close() {
    this.agent.destroy();
  }
}

class Bursts {
  operations = [];
  tally = {};
  serial = 0;

  /** `urls()`: the servers there are now. */
  constructor(urls, seed) {
    Object.assign(this, { urls, seed, random: generator(seed) });
  }

  #record(operation, { status, json }) {
    const name = `${operation.call === 'read' ? 'read' : 'write'} ${operation.outcome ?? `refused ${status}`}`;
    this.tally[name] = (this.tally[name] ?? 0) + 1;
    if (operation.outcome !== undefined) this.operations.push({ ...operation, end: performance.now(), cube: json?.cube?.facelets });
  }

  async #write(client, session) {
    const { random } = this;
    const roll = random(100);
    const call = roll < 75 ? 'moves' : roll < 90 ? 'undo' : 'redo';
    const operation = { key: session.path, call };
    if (call === 'moves') operation.moves = 'URFDLB'[random(6)] + ['', "'", '2'][random(3)];
    if (random(4) === 0) operation.expected = Math.max(0, session.newest - (random(8) === 0 ? 1 : 0));
    const keyed = random(2) === 0;
    const abandonMs = !keyed && random(100) < ABANDONED ? random(ABANDON_MS) : undefined;
    const headers = keyed ? { 'idempotency-key': `"${this.seed}-${this.serial++}"` } : {};
    const json = { ...(call === 'moves' && { moves: operation.moves }), ...(operation.expected !== undefined && { revision: operation.expected }) };
    operation.begin = performance.now();
    let answer;
    let unsure = false;
    do {
      if (answer) await sleep(RETRY_MS);
      answer = await client.once('POST', `${session.path}/${call}`, json, headers, abandonMs);
      unsure ||= outcomeOf(answer) === 'unknown';
    } while (keyed && (answer.status <= 0 || answer.status >= 500) && performance.now() - operation.begin < PATIENCE_MS);
    assert.ok([-1, 0, 200, 409, 503].includes(answer.status), `POST ${session.path}/${call}: ${answer.status} ${JSON.stringify(answer.json)}`);
    operation.outcome = outcomeOf(answer) ?? (unsure ? 'unknown' : undefined);
    this.#record(operation, answer);
    session.newest = Math.max(session.newest, answer.json?.revision ?? 0);
    if (!operation.outcome) await sleep(RETRY_MS);
  }

  async #read(client, session) {
    const begin = performance.now();
    const answer = await client.once('GET', session.path);
    assert.ok([-1, 0, 200, 503].includes(answer.status), `GET ${session.path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    this.#record({ key: session.path, call: 'read', begin, outcome: answer.status === 200 ? 'ok' : undefined }, answer);
    if (answer.status === 200) session.newest = Math.max(session.newest, answer.json.revision);
    else await sleep(RETRY_MS);
    return answer.status === 200;
  }

  async #create(client) {
    for (const end = performance.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      const answer = await client.once('POST', '/v1/sessions', { size: 3, access: 'edit' });
      if (answer.status === 201) return { path: `/v1/sessions/${answer.json.id}`, newest: 0 };
      assert.ok(answer.status <= 0 || answer.status === 503, `no session: ${answer.status} ${JSON.stringify(answer.json)}`);
      assert.ok(performance.now() < end, 'no session can be made');
    }
  }

  async #turns(client, session) {
    for (let i = 0; i < EACH; i++) await (this.random(100) < 35 ? this.#read(client, session) : this.#write(client, session));
  }

  /** A new session, all its clients, and then, when they have ended, some reads. */
  async #burst() {
    const clients = Array.from({ length: CLIENTS }, () => new Client(this));
    const session = await this.#create(clients[0]);
    await Promise.all(clients.map((client) => this.#turns(client, session)));
    for (let reads = 0, end = performance.now() + PATIENCE_MS; reads < LAST_READS; ) {
      if (await this.#read(clients[0], session)) reads++;
      else assert.ok(performance.now() < end, 'nothing can be read any more');
    }
    clients.forEach((client) => client.close());
  }

  /** Until so many operations are recorded. */
  async run(operations) {
    const one = async () => {
      while (this.operations.length < operations) await this.#burst();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }
}

/** Disturbs the servers after each EVERY operations, until `over()`. `plan`: names of `disturbances`, one of which is chosen. */
async function disturb(bursts, { disturbances, plan }, disturbed, over) {
  for (let next = EVERY; !over(); await sleep(10)) {
    if (bursts.operations.length < next) continue;
    const name = plan[bursts.random(plan.length)];
    await disturbances[name](bursts.random);
    disturbed[name] = (disturbed[name] ?? 0) + 1;
    next = bursts.operations.length + EVERY;
  }
}

/** Runs so many operations through disturbances, and searches each session. Options: `urls`, `seed`, `operations`, `disturbances`
 * (functions by name), `plan`. Answers {operations, sessions, steps, most, tally, disturbed, faults, bad, histories}; `bad` are
 * the operations of the sessions that have no order, and `histories` those of the last sessions, each in a list. */
export async function searchBursts({ urls, seed, operations, ...disturbing }) {
  const total = { operations: 0, sessions: 0, steps: 0, most: 0, tally: {}, disturbed: {}, faults: [], bad: [], histories: [] };
  for (let part = 0; total.operations < operations && total.faults.length === 0; part++) {
    const bursts = new Bursts(urls, seed + part);
    let over = false;
    const disturbed = disturb(bursts, disturbing, total.disturbed, () => over);
    try {
      await bursts.run(Math.min(PART, operations - total.operations));
    } finally {
      over = true;
      await disturbed;
    }
    total.histories = [...byKey(bursts.operations).values()];
    for (const history of total.histories) judge(history, total);
    total.operations += bursts.operations.length;
    for (const [name, times] of Object.entries(bursts.tally)) total.tally[name] = (total.tally[name] ?? 0) + times;
  }
  return total;
}

function judge(history, total) {
  const found = search(history);
  total.sessions++;
  total.steps += found.steps;
  total.most = Math.max(total.most, found.steps);
  const fault = faultOf(history[0].key, history, found);
  if (!fault) return;
  total.faults.push(fault);
  total.bad.push(...history);
}

/** Demands an order for every session; else the operations of the others are kept in a file for linearizable.mjs. */
export function assertOrdered({ faults, bad }, seed) {
  if (faults.length === 0) return;
  const file = join(tmpdir(), `linearizable-${seed}.ndjson`);
  writeFileSync(file, bad.map((operation) => `${JSON.stringify(operation)}\n`).join(''));
  assert.fail(`${faults.length} sessions, kept in ${file}\n${faults.slice(0, 2).join('\n')}`);
}

export function report({ operations, sessions, steps, most, tally, disturbed, faults }, begin) {
  console.log(`${operations} operations on ${sessions} sessions in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${JSON.stringify(tally)}`);
  console.log(`${JSON.stringify(disturbed)}; ${faults.length} sessions have no order; ${steps} steps of searches, ${most} at most`);
}

/** Checks that there were all kinds of outcomes, and disturbances. */
export function assertVaried({ tally, disturbed, sessions }) {
  const kinds = ['write ok', 'read ok', 'write stale', 'write nothing', 'write unknown'];
  assert.ok(kinds.every((name) => tally[name] > 0) && sessions > 1 && Object.keys(disturbed).length > 0, JSON.stringify({ tally, disturbed }));
}
