// A network that can be made bad: passes requests on to a server, slowly, or not at all, or loses their answers.

import http from 'node:http';
import { sleep, until } from '../../support/patience.mjs';

export { until };

export class Proxy {
  /** Starts a proxy for the server at this URL. */
  static async start(target) {
    const proxy = new Proxy();
    proxy.target = target;
    proxy.server = http.createServer((request, response) => proxy.#pass(request, response).catch(() => response.destroy()));
    await new Promise((done) => proxy.server.listen(0, '127.0.0.1', done));
    proxy.url = `http://127.0.0.1:${proxy.server.address().port}`;
    return proxy;
  }

  target = '';
  latencyMs = 0;
  /** True if events wait while answers pass. */
  holdsEvents = false;
  /** Every request: its method, path, headers, and what happened to it. */
  log = [];
  /** Decides about each request: 'cut' it before the server sees it, 'lose' its answer, a problem to answer, or undefined. */
  fault = () => undefined;

  async #pass(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const entry = { method: request.method, path: request.url.split('?')[0], query: request.url, headers: request.headers, body: Buffer.concat(parts).toString() };
    this.log.push(entry);
    entry.fault = this.fault(entry);
    const begin = performance.now();
    await sleep(this.latencyMs);
    if (entry.fault === 'cut') return request.socket.destroy();
    if (typeof entry.fault === 'object') return answer(response, entry.fault);
    const answered = await this.#forward(entry);
    entry.took = performance.now() - begin;
    if (entry.fault === 'lose') {
      for await (const part of answered) void part; // the server has done it
      return request.socket.destroy();
    }
    await sleep(this.latencyMs);
    response.writeHead(answered.statusCode, answered.headers);
    response.flushHeaders();
    answered.on('error', () => response.destroy());
    response.on('close', () => answered.destroy());
    if (!/event-stream|ndjson/.test(answered.headers['content-type'])) return answered.pipe(response);
    for await (const part of answered) {
      while (this.holdsEvents) await sleep(2);
      response.write(part);
    }
    return response.end();
  }

  #forward({ method, query, headers, body }) {
    return new Promise((done, failed) => {
      const sent = http.request(this.target + query, { method, headers, agent: false }, done);
      sent.on('error', failed);
      sent.end(body);
    });
  }

  /** Breaks all connections. */
  cut() {
    this.server.closeAllConnections();
  }

  async stop() {
    this.cut();
    await new Promise((done) => this.server.close(done));
  }
}

function answer(response, { status, headers = {}, ...problem }) {
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ type: 'urn:cubed:problem:busy', title: 'Busy', detail: 'Try again.', status, ...problem }));
}

/** Numbers from 0 to 1 that are the same in every run. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

