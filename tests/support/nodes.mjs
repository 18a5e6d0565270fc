// Several nodes on one store behind one address. Each connection goes to a random one of those that are there.

import net from 'node:net';
import { Server } from '../api/server.mjs';

/** Numbers from 0 to 1 that follow from a seed alone: mulberry32, Tommy Ettinger 2017. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The seed of a run: CUBED_TEST_SEED, or another one each time. */
export function seedOfRun() {
  return Number(process.env.CUBED_TEST_SEED ?? Math.floor(Math.random() * 1e9));
}

export class Nodes {
  #balancer;
  #connections = new Set();

  /** Starts `count` nodes. Options: `seed`, `flags`, `start` (how one is started: flags => Server). */
  static async start(binary, store, count, { seed = seedOfRun(), flags = [], start } = {}) {
    const nodes = new Nodes();
    nodes.seed = seed;
    nodes.random = randomOf(seed);
    nodes.startOne = () => (start ? start(flags) : Server.start(binary, store, ['--loops', '1', ...flags]));
    nodes.servers = await Promise.all(Array.from({ length: count }, nodes.startOne));
    nodes.#balancer = net.createServer({ allowHalfOpen: true }, (client) => nodes.#connect(client));
    await new Promise((done) => nodes.#balancer.listen(0, '127.0.0.1', done));
    nodes.port = nodes.#balancer.address().port;
    nodes.url = `http://127.0.0.1:${nodes.port}`;
    return nodes;
  }

  get log() {
    return this.servers.map((server, i) => `node ${i + 1}:\n${server.log}`).join('\n');
  }

  /** The nodes that run. */
  get there() {
    return this.servers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  get urls() {
    return this.there.map(({ url }) => url);
  }

  #connect(client) {
    const { there } = this;
    const { port } = there[Math.floor(this.random() * there.length)] ?? { port: 1 };
    const node = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [[client, node], [node, client]]) {
      this.#connections.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#connections.delete(from);
        if (!from.readableEnded) to.destroy();
      });
    }
  }

  /** Starts the one with that index again. */
  async restart(index, how = 'stop') {
    const end = await this.servers[index][how]();
    this.servers[index] = await this.startOne();
    return end;
  }

  async #end(how) {
    const ends = await Promise.all(this.servers.map((server) => server[how]()));
    for (const connection of this.#connections) connection.destroy();
    await new Promise((done) => this.#balancer.close(done));
    return ends;
  }

  /** Ends all as an operator would; answers the worst exit code. */
  async stop() {
    const ends = await this.#end('stop');
    return { code: ends.find(({ code }) => code !== 0)?.code ?? 0 }; // one that a test has killed has none
  }

  kill() {
    return this.#end('kill');
  }
}
