// Requests of section fair, by clients with addresses of their own, as a proxy reports them.

import { Agent, request } from 'node:http';
import { sleep } from './lib.mjs';

export const IN_FLIGHT_MAX = 100;

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
export const ONE = '192.0.2.1';
export const OTHER = '192.0.2.2';

/** Resolves with {status, json(), ms}. */
export function ask(url, address, method, path, { body, type = 'application/json', headers = {} } = {}) {
  const begin = performance.now();
  return new Promise((done, failed) => {
    const asked = request(url + path, { method, agent,
      headers: { 'x-forwarded-for': address, ...(body === undefined ? {} : { 'content-type': type }), ...headers } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part)).on('error', failed);
      answer.on('end', () => done({ status: answer.statusCode, ms: performance.now() - begin, json: () => JSON.parse(Buffer.concat(parts)) }));
    });
    asked.on('error', failed);
    asked.end(body);
  });
}

/** Calls that often a second until stopped, whatever becomes of it; as many at a time as one client may have. */
export function atRate(perSecond, call) {
  let inFlight = 0;
  const timer = setInterval(() => {
    if (inFlight >= IN_FLIGHT_MAX) return;
    inFlight++;
    call().catch(() => {}).finally(() => inFlight--);
  }, 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    for (let tries = 0; inFlight > 0 && tries < 1200; tries++) await sleep(50);
  };
}

export const p99 = (list) => [...list].sort((a, b) => a - b)[Math.ceil(list.length * 0.99) - 1];
