// transport.js: sends requests. The only file that calls fetch().
//
// A request that got no answer, or one that says "later", is sent again: a bounded number of times, after pauses that
// grow, and never before Retry-After. Each change has an Idempotency-Key, so that it is made once however often it is
// sent.
//
// To a page whose origin the server does not allow, a browser reports only that there is no answer, as if the server were
// gone. Waiting does not help, so this is found out and reported at once.

import { NoAnswer, problemOf } from './answer.js';
import { Problem } from './problem.js';
import { keysReady, newKey } from './random.js';
import { pause, timeLimit, waitMs } from './waiting.js';

const JSON_TYPE = 'application/json';
const ANSWER_MS = 20000;
const ATTEMPTS = 6;
/** A longer Retry-After is reported instead of waited for. */
const PATIENCE_MS = 60000;
/** A path that every server answers; and how long that may take. */
const ALIVE = '/healthz';
const ALIVE_MS = 3000;

/** Statuses after which the same request may succeed later. */
const LATER = [429, 502, 503, 504];
/** ... and kinds of problems with such a status that waiting does not help against. */
const LASTING = ['no-tables'];

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {string} path
 * @property {Record<string, unknown>} [query] members that are undefined are left out; arrays are comma lists
 * @property {unknown} [body] is sent as JSON
 * @property {BodyInit} [raw] is sent as it is, with `type`
 * @property {string} [type]
 * @property {string} [accept]
 * @property {Record<string, string | undefined>} [headers]
 * @property {string | null} [token] null: none; undefined: the client's
 * @property {boolean | string} [key] true: a new Idempotency-Key
 * @property {AbortSignal} [signal]
 * @property {number} [attempts] most attempts; otherwise the client's
 * @property {number} [timeoutMs] for each attempt; without progress
 */

/** @typedef {{status: number, headers: Headers, text: string, bytes: ArrayBuffer}} Answer */

/**
 * @typedef {object} TransportOptions
 * @property {string | null} [token] sent with each call that has none of its own
 * @property {typeof globalThis.fetch} [fetch]
 * @property {number} [attempts] most attempts for one call
 * @property {number} [timeoutMs] time until the answer to one attempt begins, and goes on: a long one may take longer in all
 * @property {number} [quietMs] after this time without an event the server is asked whether it still answers; 0: never
 */

/**
 * Returns true if the request may succeed if it is sent again.
 * @param {unknown} error
 */
export function isTemporary(error) {
  if (error instanceof Problem) return LATER.includes(error.status) && !LASTING.includes(error.kind);
  return error instanceof NoAnswer;
}

/** @param {Record<string, unknown>} query */
function queryText(query) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * The bytes of an answer; `onBytes` is called whenever some came.
 * @param {Response} response
 * @param {() => void} onBytes
 */
async function bytesOf(response, onBytes) {
  if (!response.body?.getReader) return response.arrayBuffer(); // there is none, or `fetch` is another one
  const parts = [];
  const reader = response.body.getReader();
  for (let read; !(read = await reader.read()).done; onBytes()) parts.push(read.value);
  return new Blob(parts).arrayBuffer();
}

export class Transport {
  /** True after an answer that this page may read. */
  #heard = false;

  /**
   * @param {string | URL} base
   * @param {TransportOptions} options
   */
  constructor(base, { token = null, fetch, attempts = ATTEMPTS, timeoutMs = ANSWER_MS, quietMs = 0 } = {}) {
    this.base = String(base).replace(/\/+$/, '');
    this.token = token;
    this.fetch = fetch ?? ((...args) => globalThis.fetch(...args));
    this.attempts = attempts;
    this.timeoutMs = timeoutMs;
    this.quietMs = quietMs;
  }

  /**
   * The address of a path.
   * @param {string} path
   * @param {Record<string, unknown>} [query]
   */
  url(path, query = {}) {
    return this.base + path + queryText(query);
  }

  /**
   * Sends a request until there is an answer, and returns its JSON.
   * @param {Request} request
   * @returns {Promise<any>}
   */
  async json(request) {
    const { text } = await this.send(request);
    return text === '' ? null : JSON.parse(text);
  }

  /**
   * The same with the whole answer. Throws a Problem, NoAnswer, or the reason of `signal`.
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  async send(request) {
    await keysReady;
    const sent = { ...request, key: request.key === true ? newKey() : request.key };
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(sent);
      } catch (error) {
        if (!isTemporary(error) || attempt + 1 >= (request.attempts ?? this.attempts)) throw error;
        if (error instanceof Problem && (error.retryAfterMs ?? 0) > PATIENCE_MS) throw error;
        await pause(waitMs(attempt, error), request.signal);
      }
    }
  }

  /** @param {Request} request */
  async #attempt(request) {
    const answer = await this.once(request);
    if (answer.status >= 400) throw problemOf(answer.status, answer.headers, answer.text);
    return answer;
  }

  /**
   * Sends a request once and returns whatever is answered.
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  async once(request) {
    const limit = timeLimit(request.timeoutMs ?? this.timeoutMs, request.signal);
    try {
      const response = await this.#fetch(request, limit.signal);
      const bytes = await bytesOf(response, limit.extend);
      return { status: response.status, headers: response.headers, text: new TextDecoder().decode(bytes), bytes };
    } catch (error) {
      throw await this.#failureOf(error, request);
    } finally {
      limit.release();
    }
  }

  /**
   * Opens an answer that is read while it comes: one attempt, whose body the caller reads. `signal` closes it.
   * @param {Request} request
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  async open(request) {
    try {
      const response = await this.#fetch(request, request.signal);
      if (!response.ok || !response.body) throw problemOf(response.status, response.headers, await response.text());
      return response.body;
    } catch (error) {
      throw await this.#failureOf(error, request);
    }
  }

  /**
   * @param {Request} request
   * @param {AbortSignal} [signal]
   */
  async #fetch({ method = 'GET', path, query, body, raw, type, accept = JSON_TYPE, headers = {}, token, key }, signal) {
    const bearer = token === undefined ? this.token : token;
    const all = Object.entries({
      ...headers,
      Accept: accept,
      Authorization: bearer ? `Bearer ${bearer}` : undefined,
      'Content-Type': body === undefined ? type : JSON_TYPE,
      'Idempotency-Key': key ? String(key) : undefined,
    });
    const response = await this.fetch(this.url(path, query), {
      method,
      signal,
      headers: /** @type {[string, string][]} */ (all.filter(([, value]) => value !== undefined)),
      body: body === undefined ? raw : JSON.stringify(body),
    });
    this.#heard = true;
    return response;
  }

  /**
   * @param {unknown} error
   * @param {Request} request
   */
  async #failureOf(error, { method = 'GET', path, signal }) {
    if (error instanceof Problem) return error;
    if (signal?.aborted) return signal.reason;
    if (error instanceof TypeError && (await this.#isRefused())) return this.#refusal();
    const cause = error instanceof Error ? error.message : String(error);
    return new NoAnswer(`No answer to ${method} ${path}: ${cause}`, error);
  }

  /**
   * Finds out whether the server is there, but does not let this page read its answers. A request without CORS succeeds
   * whatever the server allows; the same with CORS must fail after it, as the server may be back only now.
   */
  async #isRefused() {
    const { location } = globalThis; // of a page or a worker; Node has none
    if (this.#heard || !location?.origin || new URL(this.base, location.href).origin === location.origin) return false;
    /** @param {RequestMode} mode */
    const isAnswered = async (mode) => {
      const limit = timeLimit(ALIVE_MS);
      try {
        await this.fetch(this.url(ALIVE), { mode, signal: limit.signal, cache: 'no-store' });
        return true;
      } catch {
        return false;
      } finally {
        limit.release();
      }
    };
    return (await isAnswered('no-cors')) && !(await isAnswered('cors'));
  }

  /** Returns the problem that the server would answer with, if it could. */
  #refusal() {
    const { origin } = globalThis.location;
    const flag = `--allow-origin ${origin === 'null' ? "'*'" : origin}`;
    return new Problem({
      type: 'urn:cubed:problem:origin-not-allowed',
      title: 'The origin is not allowed',
      status: 403,
      detail: `The server at ${this.base} is running, but does not allow pages of ${origin === 'null' ? 'this origin' : origin}: start it with ${flag}.`,
      suggestion: flag,
    });
  }
}
