// balanced.mjs: three nodes on the tests' own PostgreSQL server, behind docker/cluster/haproxy.cfg, and clients that watch
// and wait through it.
import { existsSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { exchange } from '../api/client.mjs';
import { Server, temporaryDirectory } from '../api/server.mjs';
import { Watcher } from '../live/support.mjs';
import { happens, sleep, until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { freePort, startHaproxy } from './haproxy.mjs';

const NAMES = ['a', 'b', 'c'];
const BACKENDS = ['by_session', 'any'];

export class Balanced {
  /** `flags`: of each node; `variables`: of haproxy.cfg, without CUBED_. */
  static async start(binary, { flags = [], variables = {} } = {}) {
    const all = new Balanced();
    Object.assign(all, { binary, flags });
    all.postgres = await Postgres.shared();
    all.store = await all.postgres.store();
    all.ports = [];
    for (const _ of NAMES) all.ports.push(await freePort());
    all.nodes = [];
    for (const index of NAMES.keys()) await all.startNode(index);
    all.control = join(temporaryDirectory(), 'haproxy');
    // A way to ask what it thinks of the nodes.
    const addControl = (text) => text.replace('\nglobal\n', `$&  stats socket ${all.control} level admin\n`);
    all.haproxy = await startHaproxy(all.ports, variables, addControl);
    all.url = all.haproxy.url;
    await until(() => existsSync(all.control), 'haproxy has no socket'); // it comes after the port
    for (const index of NAMES.keys()) await all.becomes(index, 'UP');
    return all;
  }

  async startNode(index) {
    const flags = ['--listen', `127.0.0.1:${this.ports[index]}`, '--loops', '2', '--trusted-proxy', '127.0.0.1', '--ping-interval-ms', '300', ...this.flags];
    this.nodes[index] = await Server.start(this.binary, this.store, flags);
  }

  /** Reads haproxy's states of the servers: {"by_session/a": "UP", ...}. */
  states() {
    return new Promise((answered, failed) => {
      let text = '';
      const socket = net.connect(this.control, () => socket.end('show stat\n'));
      socket.on('data', (bytes) => (text += bytes)).on('error', failed);
      socket.on('close', () => {
        const [head, ...rows] = text.replace('# ', '').trim().split('\n').map((line) => line.split(','));
        const column = (row, name) => row[head.indexOf(name)];
        answered(Object.fromEntries(rows.map((row) => [`${column(row, 'pxname')}/${column(row, 'svname')}`, column(row, 'status')])));
      });
    });
  }

  /** Waits until haproxy calls a node `state` in each backend that chooses by it. */
  async becomes(index, state) {
    const is = async () => {
      const states = await this.states();
      return BACKENDS.every((backend) => states[`${backend}/${NAMES[index]}`].startsWith(state));
    };
    return until(is, async () => `${NAMES[index]} is not ${state}: ${JSON.stringify(await this.states())}`);
  }

  /** A gauge of a node. */
  async metric(index, name) {
    const text = await (await fetch(`${this.nodes[index].url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
  }

  get log() {
    return this.nodes.map(({ log }, i) => `node ${NAMES[i]}:\n${log}`).join('\n');
  }

  async stop() {
    const ends = await Promise.all(this.nodes.map((node) => node.stop()));
    await this.haproxy.stop();
    await this.postgres.stop();
    return ends;
  }
}

/** Watchers of sessions at an address, which open their stream again when it ends, and long polls. */
export class Audience {
  polls = {};
  over = false;

  constructor(url, paths, each) {
    this.port = Number(new URL(url).port);
    this.url = url;
    this.watchers = paths.flatMap((path) => Array.from({ length: each }, () => new Watcher(path, '?cube=true')));
    this.kept = [...this.watchers.map((watcher) => this.#keep(watcher)), ...paths.map((path) => this.#poll(path))];
  }

  async #keep(watcher) {
    while (!this.over) {
      if (watcher.ended) (this.opened ??= []).push(await watcher.open(this.port));
      await sleep(10);
    }
  }

  async #poll(path) {
    const agent = new http.Agent({ keepAlive: true });
    for (let after = 0; !this.over; ) {
      let found = 'cut';
      try {
        const { status, text } = await exchange(this.url, agent, 'GET', `${path}/history?after=${after}&wait_ms=5000`);
        if (status === 200) after = JSON.parse(text).items.at(-1)?.revision ?? after;
        found = status === 200 ? 200 : `${status} ${JSON.parse(text).type}`;
      } catch (error) {
        found = error.code ?? error.message;
      }
      this.polls[found] = (this.polls[found] ?? 0) + 1;
    }
    agent.destroy();
  }

  /** Waits until all watchers have their first state. */
  here() {
    return until(() => this.watchers.every(({ states }) => states > 0), 'all watch');
  }

  async end() {
    this.over = true;
    await Promise.all(this.kept);
    for (const watcher of this.watchers) watcher.close();
  }

  /** Returns what watchers of the load's sessions have seen wrongly, once they have caught up. */
  async faults(sessions) {
    const faults = [];
    for (const { path, operations } of sessions) {
      const newest = Math.max(0, ...operations.filter(({ kind, status }) => kind === 'write' && status === 200).map(({ revision }) => revision));
      for (const watcher of this.watchers.filter((one) => one.path === path)) {
        if (!(await happens(() => watcher.revision >= newest))) faults.push(`${path}: a watcher is at ${watcher.revision}, not ${newest}`);
        if (watcher.fault !== null) faults.push(`${path}: a watcher saw ${watcher.fault}`);
        if (watcher.resyncs > 0 || watcher.states !== 1) faults.push(`${path}: a watcher had ${watcher.resyncs} resyncs and ${watcher.states} states`);
      }
    }
    return faults;
  }
}
