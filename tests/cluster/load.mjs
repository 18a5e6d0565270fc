// load.mjs: clients that write and read several sessions at random nodes, and a record of all that they saw.

import http from 'node:http';
import { exchange } from '../api/client.mjs';
import { Cube } from '../api/model.mjs';
import { faultsOf, storedFaultsOf } from '../proof/history_check.mjs';
import { generator, sleep } from '../proof/support.mjs';

const RETRY_MS = 25;
const PATIENCE_MS = 60000; // the time that a write with a key is sent again

/** A session as the record has it. */
class Session {
  operations = [];
  newest = 0; // as far as any client has heard

  constructor({ id, token }) {
    this.path = `/v1/sessions/${id}`;
    this.owner = { authorization: `Bearer ${token}` };
  }
}

export class Load {
  sessions = [];
  tally = {};
  serial = 0;
  running = 0;
  stopping = false;
  /** The time when the last write was answered 200, and the longest time without one. */
  answeredAt = 0;
  pause = 0;
  slowest = 0; // ms that a request took, sent once

  /** `nodes()`: the URLs of the nodes that requests are sent to. Options: `seed`, `clients`, `reads` (percent), `keys`
   * (percent of the writes with an Idempotency-Key, which are sent again until they are answered). */
  constructor(nodes, { seed, clients = 24, reads = 40, keys = 50 }) {
    Object.assign(this, { nodes, clients, reads, keys, random: generator(seed), seed });
  }

  async create(count) {
    const agent = new http.Agent();
    while (this.sessions.length < count) {
      const { status, json } = await this.#once(agent, 'POST', '/v1/sessions', { size: 3, access: 'edit' }, {});
      if (status !== 201) throw new Error(`no session: ${status} ${JSON.stringify(json)}`);
      this.sessions.push(new Session(json));
    }
  }

  async #once(agent, method, path, json, headers) {
    const urls = this.nodes();
    const url = urls[this.random(urls.length)];
    const body = json === undefined ? undefined : JSON.stringify(json);
    const begin = performance.now();
    try {
      const answer = await exchange(url, agent, method, path, { ...(body && { 'content-type': 'application/json' }), ...headers }, body);
      return { status: answer.status, headers: answer.headers, json: answer.text ? JSON.parse(answer.text) : undefined };
    } catch (error) {
      return { status: error.code === 'ECONNREFUSED' ? 503 : 0 }; // then nothing was sent
    } finally {
      this.slowest = Math.max(this.slowest, performance.now() - begin);
    }
  }

  /** Returns true if the answer leaves open if the write was done. A write with another error was not done. */
  #unsure({ status, json }) {
    return status === 0 || (status === 503 && /made or not/.test(json?.detail));
  }

  async #write(agent, session) {
    const { random } = this;
    const roll = random(100);
    const call = roll < 80 ? 'moves' : roll < 92 ? 'undo' : 'redo';
    const json = call === 'moves' ? { moves: 'URFDLB'[random(6)] + ['', "'", '2'][random(3)] } : {};
    if (random(4) === 0) json.revision = Math.max(0, session.newest - (random(8) === 0 ? 1 : 0));
    const keyed = random(100) < this.keys;
    const headers = keyed ? { 'idempotency-key': `"${this.seed}-${this.serial++}"` } : {};
    const begin = performance.now();
    let answer;
    do {
      if (answer) await sleep(RETRY_MS);
      answer = await this.#once(agent, 'POST', `${session.path}/${call}`, json, headers);
      this.#count('write', answer);
    } while (keyed && (answer.status === 0 || answer.status >= 500) && performance.now() - begin < PATIENCE_MS);
    const end = performance.now();
    const status = this.#unsure(answer) ? 0 : answer.status;
    const told = [200, 409].includes(status) ? answer.json.revision : undefined;
    if (status === 200) this.#answered(end);
    session.operations.push({ kind: 'write', begin, end, status, revision: told, expected: json.revision, state: answer.json?.cube?.facelets, entry: answer.json?.entry });
    session.newest = Math.max(session.newest, told ?? 0);
    if (![0, 200, 409, 503].includes(status)) throw new Error(`POST ${session.path}/${call}: ${status} ${JSON.stringify(answer.json)}`);
    if (!keyed && status !== 200 && status !== 409) await sleep(RETRY_MS);
  }

  #answered(now) {
    if (this.answeredAt > 0) this.pause = Math.max(this.pause, now - this.answeredAt);
    this.answeredAt = now;
  }

  async #read(agent, session) {
    const begin = performance.now();
    const answer = await this.#once(agent, 'GET', session.path);
    this.#count('read', answer);
    if (answer.status !== 200) {
      if (![0, 503].includes(answer.status)) throw new Error(`GET ${session.path}: ${answer.status} ${JSON.stringify(answer.json)}`);
      return sleep(RETRY_MS);
    }
    session.operations.push({ kind: 'read', begin, end: performance.now(), status: 200, revision: answer.json.revision, state: answer.json.cube.facelets });
    session.newest = Math.max(session.newest, answer.json.revision);
    return undefined;
  }

  #count(kind, { status, json }) {
    const name = `${kind} ${status}${status >= 500 ? ` ${json?.type?.split(':').at(-1)}: ${json?.detail}` : ''}`;
    this.tally[name] = (this.tally[name] ?? 0) + 1;
  }

  /** Returns the kinds of answers, with their numbers, that show a fault. A write that others overtake for two seconds is
   * refused, without an effect: it happens on a slow machine, to one answer in a hundred at most. */
  get wrong() {
    const overtaken = /^write 503 busy: Other clients changed the session too often/;
    return Object.entries(this.tally).filter(([name, count]) => !/ 200$|^write 409$/.test(name) && (!overtaken.test(name) || count > this.done / 100));
  }

  get done() {
    return (this.tally['write 200'] ?? 0) + (this.tally['read 200'] ?? 0);
  }

  /** Begins; `stop()` ends it and answers when the last request is answered. */
  start() {
    const one = async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
      while (!this.stopping) {
        const session = this.sessions[this.random(this.sessions.length)];
        await (this.random(100) < this.reads ? this.#read(agent, session) : this.#write(agent, session));
      }
      agent.destroy();
    };
    this.ended = Promise.all(Array.from({ length: this.clients }, one));
    this.ended.catch(() => (this.stopping = true)); // set by stop()
  }

  async stop() {
    this.stopping = true;
    await this.ended;
  }

  async #history(path) {
    const agent = new http.Agent();
    const items = [];
    for (let after = 0; after !== null; ) {
      const { status, json } = await this.#once(agent, 'GET', `${path}/history?after=${after}&limit=1000`);
      if (status !== 200) throw new Error(`${path}/history: ${status}`);
      items.push(...json.items);
      after = json.next_after;
    }
    return items;
  }

  /** The faults in what was seen and in what is stored. */
  async judge() {
    const faults = [];
    for (const { path, operations } of this.sessions) {
      const items = await this.#history(path);
      const found = [...faultsOf(operations), ...storedFaultsOf(operations, items), ...cubeFaultsOf(operations, items)];
      faults.push(...found.map((fault) => `${path}: ${fault}`));
    }
    return faults;
  }
}

/** The stored history, replayed by a model of the tests' own, against the cubes that everybody saw. */
function cubeFaultsOf(operations, items) {
  const cube = new Cube(3);
  const states = [cube.facelets];
  for (const { moves } of items) states.push(cube.apply(moves).facelets);
  const faults = items.filter(({ revision, restores }) => restores !== undefined && states[revision] !== states[restores]).map(({ revision }) => `entry ${revision} restores another cube`);
  for (const { kind, revision, state } of operations)
    if (state !== undefined && state !== states[revision]) faults.push(`a ${kind} saw another cube at ${revision}`);
  return faults;
}
