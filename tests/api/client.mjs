// An HTTP client that believes nothing: every answer is held against openapi.yaml, and one that is not
// documented there is thrown as an error.

import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { PATIENCE_MS, sleep } from '../support/patience.mjs';
import { Contract, mediaType } from './contract.mjs';
import { isLeftOut } from '../support/modules.mjs';

export const contract = new Contract();

/** Streams of a session's events have no end: they are read until there is enough, or until nothing comes for a while. */
const QUIET_MS = 100; // bound: nothing is demanded of what comes then; who demands something says what is enough

/** The media types that must be valid UTF-8. */
const TEXT = /^text\/|json$|yaml$/;

/** Sends one request and reads the whole answer. `body` is a string or a Buffer. `enough`: whether a text is enough of a stream
 * without an end. */
export function exchange(url, agent, method, target, headers = {}, body = undefined, enough = undefined) {
  return new Promise((answered, failed) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { hostname, port, method, path: target, agent, headers: { ...length, ...headers }, timeout: PATIENCE_MS };
    const request = http.request(options, (response) => {
      const parts = [];
      const whole = () => {
        const sent = Buffer.concat(parts);
        const bytes = response.headers['content-encoding'] === 'gzip' && sent.length > 0 ? gunzipSync(sent) : sent;
        answered({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString(), sent });
      };
      const endless = method === 'GET' && response.statusCode === 200 && /^\/v1\/(sessions\/[^/]*\/)?events$/.test(target.split('?')[0]);
      let quiet;
      response.on('data', (bytes) => {
        parts.push(bytes);
        if (!endless) return;
        clearTimeout(quiet);
        const end = () => {
          whole();
          request.destroy();
        };
        if (!enough) quiet = setTimeout(end, QUIET_MS);
        else if (enough(Buffer.concat(parts).toString())) end();
      });
      response.on('error', failed);
      response.on('end', () => {
        if (!response.complete) return failed(new Error('the answer was cut'));
        whole();
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    request.on('error', failed);
    request.end(body);
  });
}

/** The owner's token of each session that a test has made, by its id. */
const tokens = new Map();

/** The token for a request that speaks of one of these sessions. */
function tokenFor(target, text) {
  for (const [id] of `${target} ${text ?? ''}`.matchAll(/\b[0-9a-z]{16}\b/g)) if (tokens.has(id)) return tokens.get(id);
  return undefined;
}

/** The time that a request for a search waits before it is answered 202. Shorter ones expect that answer. */
const SEARCH_WAIT_MS = 10000; // bound: the server's default
const waitOf = (query, json) => Number(json?.wait_ms ?? query.get('wait_ms') ?? SEARCH_WAIT_MS);

/** Two requests have the same problem in all but this, which the header has too. */
function hideRequestId(answer) {
  const { request_id: id } = answer.json;
  if (!id || id !== answer.headers['x-request-id']) throw new Error(`the problem has another id than the header\n${answer.text}`);
  delete answer.json.request_id;
  answer.text = answer.text.replace(`,"request_id":${JSON.stringify(id)}`, '');
}

export class Client {
  /** `keepAlive`: one connection for several requests; else each has one of its own, perhaps to another node. */
  constructor(url, keepAlive = !process.env.CUBED_TEST_NODES) {
    this.url = url;
    this.agent = new http.Agent({ keepAlive, maxSockets: 64 });
    this.answers = 0;
  }

  close() {
    this.agent.destroy();
  }

  /** Sends a request and checks the answer. Options: `json` (a value to send), `body` (raw text instead), `accept`,
   * `headers`, `token` (null for none; else that of the owner goes along by itself), `enough` (of a stream). Answers {status,
   * headers, bytes, text, json, type}. A search that became a job is followed to its end. */
  async send(method, target, { json, body, accept, headers = {}, token, enough } = {}) {
    const text = json === undefined ? body : JSON.stringify(json);
    const bearer = token === undefined ? tokenFor(target, text) : token;
    const sent = { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(accept && { accept }), ...(text !== undefined && { 'content-type': 'application/json' }), ...headers };
    const answer = await exchange(this.url, this.agent, method, target, sent, text, enough);
    answer.type = mediaType(answer.headers['content-type']);
    if (TEXT.test(answer.type)) new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes);
    if (answer.type.endsWith('json') && answer.type !== 'application/x-ndjson' && answer.text) {
      answer.json = JSON.parse(answer.text);
    }
    if (answer.status === 201 && target.split('?')[0] === '/v1/sessions' && answer.json) tokens.set(answer.json.id, answer.json.token);
    if (answer.status === 201 && target.startsWith('/v1/solves') && answer.json) {
      const { id, session, token: owner } = answer.json;
      if (owner) tokens.set(session, owner);
      if (id && tokens.has(session)) tokens.set(id, tokens.get(session));
    }
    if (isLeftOut(answer.json?.detail)) throw new Error(answer.json.detail);
    const [path, query] = target.split('?');
    const asked = new URLSearchParams(query);
    contract.check({ method, path, query: asked, json }, answer);
    if (answer.type === 'application/problem+json' && answer.json) hideRequestId(answer);
    this.answers++;
    if (answer.status === 202 && path === '/v1/solve' && waitOf(asked, json) >= SEARCH_WAIT_MS) return this.#follow(answer, { headers });
    return answer;
  }

  /** Returns the answer that the request for a search would have had if it had waited for the end. */
  async #follow(answer, options) {
    for (;; await sleep(50)) {
      const job = await this.expect(200, 'GET', answer.headers.location, undefined, options);
      if (['queued', 'running'].includes(job.status)) continue;
      if (job.status !== 'done') throw new Error(`the search is ${job.status}: ${JSON.stringify(job)}`);
      return { ...answer, status: 200, json: job.result, text: JSON.stringify(job.result) };
    }
  }

  get(target, options) {
    return this.send('GET', target, options);
  }

  post(target, json, options) {
    return this.send('POST', target, { json, ...options });
  }

  /** Sends a request that must be answered with this status; answers the JSON. */
  async expect(status, method, target, json, options) {
    const answer = await this.send(method, target, { json, ...options });
    if (answer.status !== status) throw new Error(`${method} ${target}: ${answer.status} instead of ${status}\n${answer.text}`);
    return answer.json;
  }

  /** A new session, as it is read, with its path, and its token where no comparison sees it. */
  async session(body = { size: 3 }) {
    const { token, ...session } = await this.expect(201, 'POST', '/v1/sessions', body);
    return Object.defineProperty({ ...session, path: `/v1/sessions/${session.id}` }, 'token', { value: token });
  }
}
