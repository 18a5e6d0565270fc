// connection.js: one stream of events for several sessions, opened again whenever it breaks.
//
// A browser has six connections to a server, so the sessions of a client share one. A single session is read from its
// own address; several with a ticket, which stands for all their tokens. Each continues where it was.

import { Problem } from './problem.js';
import { linesOf } from './stream.js';
import { isTemporary } from './transport.js';
import { backoffMs, pause, timeLimit } from './waiting.js';

/** @import {Watcher} from './feed.js' */

const NDJSON = 'application/x-ndjson';
/** The server sends something at least every 15 s; after this time of silence the connection is dead. */
const SILENT_MS = 40000;
const SESSIONS_MAX = 1;

export class Connection {
  #transport;
  #report;
  /** @type {Map<string, Watcher>} */
  #watchers = new Map();
  /** Aborted when the stream is to be opened again. */
  #round = new AbortController();
  #running = false;

  /**
   * @param {import('./transport.js').Transport} transport
   * @param {{online: (online: boolean) => void, empty: () => void}} report
   */
  constructor(transport, report) {
    this.#transport = transport;
    this.#report = report;
  }

  /**
   * Whether another watcher of this session may join.
   * @param {string} id
   */
  takes(id) {
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
      try {
        await pause(0, signal); // others may join in the same moment
        for await (const event of this.#read(signal)) {
          failures = 0;
          this.#give(event);
        }
      } catch (error) {
        if (!signal.aborted && isLasting(error)) this.#refuse(/** @type {Problem} */ (error));
      }
      if (signal.aborted) continue;
      this.#report.online(false);
      await pause(backoffMs(failures++), signal).catch(() => {});
    }
    this.#running = false;
  }

  /** @param {AbortSignal} signal */
  async *#read(signal) {
    const silence = timeLimit(SILENT_MS, signal);
    try {
      const body = await this.#open(silence.signal);
      this.#report.online(true);
      for await (const line of linesOf(body, silence.extend)) yield JSON.parse(line);
    } finally {
      silence.release();
    }
  }

  /** @param {AbortSignal} signal */
  #open(signal) {
    const [{ id, token, last }] = this.#watchers.values();
    return this.#transport.open({
      path: `/v1/sessions/${id}/events`, token, accept: NDJSON, headers: { 'Last-Event-ID': last }, signal,
    });
  }

  /** @param {{event: any, id?: string, data: any}} line */
  #give({ event, id, data }) {
    if (event === 'ping') return;
    const [only] = this.#watchers.values();
    const watcher = data.session === undefined ? only : this.#watchers.get(data.session);
    if (!watcher) return;
    if (id) watcher.last = id;
    watcher.queue.add({ event, id, session: watcher.id, data });
    if (event !== 'end') return;
    watcher.queue.end();
    this.remove(watcher);
  }

  /**
   * The sessions may not be seen any more.
   * @param {Problem} problem
   */
  #refuse(problem) {
    for (const watcher of [...this.#watchers.values()]) {
      watcher.queue.end(problem);
      this.remove(watcher);
    }
  }
}

/**
 * Whether it makes no sense to try again.
 * @param {unknown} error
 */
function isLasting(error) {
  return error instanceof Problem && error.status < 500 && !isTemporary(error);
}
