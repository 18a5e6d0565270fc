// support.mjs: what the proofs over HTTP share: a random generator with a seed, requests that may fail, running several
// at a time.

import http from 'node:http';
import { exchange } from '../api/client.mjs';

export { sleep } from '../support/patience.mjs';

/** A random generator with a seed (Mulberry32 by Tommy Ettinger, public domain): answers whole numbers below n. */
export function generator(state) {
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** One client over one connection. An answer is {status, json}; status 0 where the connection was cut. */
export class Caller {
  constructor(url) {
    this.url = url;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  async call(method, path, json) {
    const text = json === undefined ? undefined : JSON.stringify(json);
    try {
      const answer = await exchange(this.url, this.agent, method, path, text ? { 'content-type': 'application/json' } : {}, text);
      return { status: answer.status, json: answer.text ? JSON.parse(answer.text) : undefined };
    } catch {
      return { status: 0 };
    }
  }

  async history(path) {
    const items = [];
    for (let after = 0; after !== null; ) {
      const { status, json } = await this.call('GET', `${path}/history?after=${after}&limit=1000`);
      if (status !== 200) throw new Error(`${path}/history: ${status}`);
      items.push(...json.items);
      after = json.next_after;
    }
    return items;
  }

  close() {
    this.agent.destroy();
  }
}

/** Runs `work` for all items, at most `most` at a time. */
export async function together(items, most, work) {
  const rest = [...items];
  const workers = Array.from({ length: most }, async () => {
    while (rest.length > 0) await work(rest.shift());
  });
  await Promise.all(workers);
}
