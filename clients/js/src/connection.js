// connection.js: one stream of events for several sessions, opened again whenever it breaks.
//
// A browser has six connections to a server, so the sessions of a client share one. A single session is read from its
// own address; several with a ticket, which stands for all their tokens. Each continues where it was.

import { Probe } from './probe.js';
import { Problem } from './problem.js';
import { linesOf } from './stream.js';
import { isTemporary } from './transport.js';
import { pause, timeLimit, waitMs } from './waiting.js';

/**
 * @import {Line, Watcher} from './watcher.js'
 */

const NDJSON = 'application/x-ndjson';
/** The server sends something at least every 15 s; after this time of silence the connection is dead. */
const SILENT_MS = 40000;
/** ... and a stream must be opened within this time. */
const OPENED_MS = 10000;
/** As many as a ticket may have. */
const SESSIONS_MAX = 32;
/** The status if all sessions of a ticket have ended. */
const ALL_ENDED = 204;
/** In the id of an event of several sessions, each has a part that begins with this many characters of its own id. */
const PREFIX_LENGTH = 6;

export class Connection {
  #transport;
  #report;
  /** @type {Map<string, Watcher>} */
  #watchers = new Map();
  /**
   * The watchers that the stream was opened for and that still watch. One that came later gets nothing from it.
   * @type {Map<string, Watcher>}
   */
  #served = new Map();
  /** Aborted when the stream is to be opened again. */
  #round = new AbortController();
  #running = false;
  /** True if this is a stream of several sessions, now or before. */
  #shared = false;
  /** The position in that stream: the id of its last event. @type {string | undefined} */
  #last;
  /** The ticket, and what it was asked for with. @type {{text: string, sessions: string} | null} */
  #ticket = null;

  /**
   * @param {import('./transport.js').Transport} transport
   * @param {{online: (online: boolean) => void, empty: () => void}} report
   */
  constructor(transport, report) {
    this.#transport = transport;
    this.#report = report;
  }

  /**
   * Returns true if another watcher of this session may join.
   * @param {string} id
   */
  canWatch(id) {
    return !this.#watchers.has(id) && this.#watchers.size < SESSIONS_MAX;
  }

  /** @param {Watcher} watcher */
  add(watcher) {
    this.#watchers.set(watcher.id, watcher);
    this.restart();
    if (!this.#running) this.#run();
  }

  /** @param {Watcher} watcher */
  remove(watcher) {
    if (this.#watchers.get(watcher.id) !== watcher) return;
    this.#watchers.delete(watcher.id);
    this.#served.delete(watcher.id);
    this.#last = this.#kept(this.#last);
    if (this.#watchers.size === 0) this.#report.empty();
    this.restart();
  }

  restart() {
    this.#round.abort();
    this.#round = new AbortController();
  }

  async #run() {
    this.#running = true;
    for (let failures = 0; this.#watchers.size > 0; ) {
      const { signal } = this.#round;
      let failure;
      try {
        await pause(0, signal); // others may join in the same moment
        for await (const line of this.#read(signal)) {
          failures = 0;
          await this.#give(line, signal);
        }
      } catch (error) {
        failure = error;
        if (!signal.aborted && isLasting(error)) this.#refuse(/** @type {Problem} */ (error));
      }
      if (signal.aborted) continue;
      this.#report.online(false);
      await pause(waitMs(failures++, failure), signal).catch(() => {});
    }
    this.#running = false;
  }

  // ---- opening ----

  /** @param {AbortSignal} signal */
  async *#read(signal) {
    const silence = timeLimit(OPENED_MS, signal);
    const probe = new Probe(this.#transport, this.#transport.quietMs, {
      heard: (answered) => this.#report.online(answered),
      dead: () => silence.extend(0),
    });
    const onBytes = () => {
      silence.extend(SILENT_MS);
      probe.noticeBytes();
      this.#report.online(true);
    };
    try {
      const body = await this.#open(silence.signal);
      onBytes();
      for await (const line of linesOf(body, onBytes)) yield /** @type {Line} */ (JSON.parse(line));
    } finally {
      silence.release();
      probe.stop();
    }
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  #open(signal) {
    const watchers = [...this.#watchers.values()];
    this.#served = new Map(this.#watchers);
    this.#shared ||= watchers.length > 1;
    if (this.#shared) return this.#openShared(watchers, signal);
    const [{ id, token, last }] = watchers;
    const headers = { 'Last-Event-ID': last };
    return this.#transport.open({ path: `/v1/sessions/${id}/events`, accept: NDJSON, headers, token, signal });
  }

  /**
   * @param {Watcher[]} watchers
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  async #openShared(watchers, signal) {
    const sessions = watchers.map(({ id, token }) => ({ id, token: token ?? undefined }));
    const wanted = JSON.stringify(sessions);
    const known = this.#ticket?.sessions === wanted ? this.#ticket.text : null;
    const request = { method: 'POST', path: '/v1/tickets', body: { sessions }, token: null, signal };
    const ticket = known ?? (await this.#transport.json(request)).ticket;
    this.#ticket = { text: ticket, sessions: wanted };
    const headers = { 'Last-Event-ID': this.#last };
    const stream = { path: '/v1/events', query: { ticket }, accept: NDJSON, headers, token: null, signal };
    try {
      return await this.#transport.open(stream);
    } catch (error) {
      this.#ticket = null;
      // It is too old, or from before a restart of the server; or a token was revoked, which a new one shows.
      if (known && error instanceof Problem && error.status === 401) return this.#openShared(watchers, signal);
      throw error;
    }
  }

  /**
   * Sessions may not be seen any more: the one that the problem points to, or all.
   * @param {Problem} problem
   */
  #refuse(problem) {
    const watchers = [...this.#watchers.values()];
    const place = /^\/sessions\/(\d+)/.exec(problem.pointer ?? '')?.[1];
    for (const watcher of place === undefined ? watchers : [watchers[Number(place)]]) {
      watcher.queue.end(problem.status === ALL_ENDED ? null : problem);
      this.remove(watcher);
    }
  }

  // ---- events ----

  /**
   * @param {Line} line
   * @param {AbortSignal} signal
   */
  async #give(line, signal) {
    const { event, id, data } = line;
    if (event === 'ping') return;
    const [only] = this.#served.values();
    const watcher = this.#shared ? this.#served.get(data.session) : only; // `data` has it if the stream is of several
    if (watcher) await this.#pass(watcher, line, signal);
    if (this.#shared && id) this.#last = this.#kept(id);
    if (!watcher || event !== 'end') return;
    watcher.queue.end();
    this.remove(watcher);
  }

  /**
   * The id of an event without the sessions that are not watched any more. If one is watched again, it begins again.
   * @param {string | undefined} id
   */
  #kept(id) {
    if (id === undefined) return undefined;
    const [incarnation, parts = ''] = id.split('-');
    const prefixes = [...this.#served.keys()].map((session) => session.slice(0, PREFIX_LENGTH));
    const kept = parts.split('.').filter((part) => prefixes.includes(part.slice(0, PREFIX_LENGTH)));
    return kept.length > 0 ? `${incarnation}-${kept.join('.')}` : undefined;
  }

  /**
   * Gives an event to a watcher. If it cannot read what it missed, only this watcher ends.
   * @param {Watcher} watcher
   * @param {Line} line
   * @param {AbortSignal} signal
   */
  async #pass(watcher, line, signal) {
    try {
      await watcher.receive(line, this.#transport, signal);
    } catch (error) {
      if (signal.aborted || !isLasting(error)) throw error;
      watcher.queue.end(error);
      this.remove(watcher);
    }
  }
}

/**
 * Returns true if it makes no sense to try again.
 * @param {unknown} error
 */
function isLasting(error) {
  return error instanceof Problem && error.status < 500 && !isTemporary(error);
}
