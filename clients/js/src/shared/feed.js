// feed.js: the events of a tab, which another part of the browser gets for all tabs (leader.js): a SharedWorker, or the
// tab that leads. Without either, or without an answer of theirs, the tab has a connection of its own.

import { Feed } from '../feed.js';
import { Listeners } from '../listeners.js';
import { Problem } from '../problem.js';
import { newKey } from '../random.js';
import { Watcher } from '../watcher.js';
import { joinElection } from './election.js';

/**
 * @import {SessionEvent} from '../types.js'
 * @import {Port} from './leader.js'
 * @import {FromLeader, FromTab} from './messages.js'
 */

/** If no leader answers within this time, the tab helps itself. */
const WELCOME_MS = 3000;
const ALIVE_MS = 30000;

/** A watch of this tab; `taken`: its events are handled one after another. @typedef {{watcher: Watcher, abort: AbortController, taken: Promise<void>}} Watch */

export class SharedFeed {
  #transport;
  /** @type {Map<number, Watch>} */
  #watches = new Map();
  #count = 0;
  /** @type {Listeners<boolean>} */
  #listeners = new Listeners();
  /** @type {Port | null} */
  #port = null;
  /** The connection of its own, if it came to that. @type {Feed | null} */
  #own = null;
  /** The name of the lock that says that this tab lives; null without Web Locks. @type {Promise<string | null> | null} */
  #lock = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {import('../transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * As of Feed.
   * @param {{id: string, token: string | null}} session
   * @param {{after?: string | number, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<SessionEvent, void, undefined>}
   */
  async *watch(session, { after, signal } = {}) {
    signal?.throwIfAborted();
    const number = ++this.#count;
    const watch = { watcher: new Watcher(session, after), abort: new AbortController(), taken: Promise.resolve() };
    this.#watches.set(number, watch);
    if (!this.#port && !this.#own) this.#join();
    else this.#request(number, watch);
    yield* watch.watcher.events(signal, () => {
      watch.abort.abort();
      this.#watches.delete(number);
      this.#post({ type: 'stop', watch: number });
    });
  }

  /**
   * As of Feed.
   * @param {(online: boolean) => void} listener
   */
  listen(listener) {
    return this.#listeners.add(listener);
  }

  /** As of Feed. */
  reconnect() {
    if (isOffline()) this.#notify(false); // the leader may notice it later
    this.#own?.reconnect();
    this.#post({ type: 'reconnect' });
  }

  // ---- the leader ----

  #join() {
    try {
      this.#port = openPort(() => this.#helpItself());
    } catch {
      this.#port = null; // the browser forbids it to this page, together with its storage for example
    }
    if (!this.#port) return this.#helpItself();
    this.#port.onmessage = ({ data }) => this.#receive(data);
    this.#timer = setTimeout(() => this.#helpItself(), WELCOME_MS);
    if (!this.#lock) this.#stay();
  }

  /** Lets the leader know as long as this tab is there. */
  #stay() {
    this.#lock = holdLock();
    this.#lock.then((lock) => lock === null && setInterval(() => this.#post({ type: 'alive' }), ALIVE_MS));
    globalThis.addEventListener('pagehide', () => this.#leave());
    globalThis.addEventListener('pageshow', ({ persisted }) => {
      if (persisted && !this.#own && this.#watches.size > 0) this.#join(); // it comes out of the browser's cache
    });
  }

  /** @param {string | null} [life] the lock that the leader holds */
  async #hello(life) {
    const port = this.#port;
    const { base, quietMs } = this.#transport;
    this.#post({ type: 'hello', base, quietMs, lock: await this.#lock });
    if (!life) return;
    await navigator.locks.request(life, { mode: 'shared' }, () => {});
    if (this.#port !== port || this.#own) return; // it has left that leader
    this.#notify(false);
    this.#join();
  }

  #leave() {
    this.#post({ type: 'bye' });
    clearTimeout(this.#timer);
    this.#port?.close();
    this.#port = null;
  }

  /** @param {FromLeader} message */
  #receive(message) {
    if (message.type === 'ready') this.#hello(message.lock);
    else if (message.type === 'welcome') this.#begin();
    else if (message.type === 'online') this.#notify(message.online);
    else if (message.type === 'event') this.#event(message);
    else if (message.type === 'end') this.#end(message);
  }

  /** There is a leader, for the first time or again: it gets all watches. */
  #begin() {
    clearTimeout(this.#timer);
    for (const [number, watch] of this.#watches) this.#request(number, watch);
  }

  /**
   * @param {number} number
   * @param {Watch} watch
   */
  #request(number, watch) {
    const { id, token } = watch.watcher;
    if (this.#own) this.#watchItself(watch);
    else this.#post({ type: 'watch', watch: number, id, token });
  }

  /** @param {Extract<FromLeader, {type: 'event'}>} message */
  #event({ watch: number, line }) {
    const watch = this.#watches.get(number);
    if (!watch) return;
    this.#notify(true);
    const { watcher, abort: { signal } } = watch;
    watch.taken = watch.taken.then(() => watcher.receive(line, this.#transport, signal)).catch((error) => {
      if (!signal.aborted) watcher.queue.end(error);
    });
  }

  /** @param {Extract<FromLeader, {type: 'end'}>} message */
  #end({ watch: number, problem }) {
    const watch = this.#watches.get(number);
    watch?.taken.then(() => watch.watcher.queue.end(problem && new Problem(problem)));
  }

  /** @param {boolean} online */
  #notify(online) {
    this.#listeners.notify(online && !isOffline());
  }

  /** @param {FromTab} message */
  #post(message) {
    this.#port?.postMessage(message);
  }

  // ---- without a leader ----

  #helpItself() {
    if (this.#own) return;
    this.#leave();
    this.#own = new Feed(this.#transport);
    this.#own.listen((online) => this.#notify(online));
    for (const watch of this.#watches.values()) this.#watchItself(watch);
  }

  /** @param {Watch} watch */
  async #watchItself({ watcher, abort }) {
    try {
      for await (const event of /** @type {Feed} */ (this.#own).watch(watcher, { after: watcher.last, signal: abort.signal })) {
        watcher.queue.add(event);
      }
      watcher.queue.end();
    } catch (error) {
      watcher.queue.end(error);
    }
  }
}

const isOffline = () => globalThis.navigator?.onLine === false;

/**
 * The way to the leader; null if there cannot be one.
 * @param {() => void} failed
 * @returns {Port | null}
 */
function openPort(failed) {
  if (typeof SharedWorker === 'function') {
    const worker = new SharedWorker(workerUrl(), { type: 'module', name: 'cubed' });
    worker.onerror = failed;
    return worker.port;
  }
  const { navigator, BroadcastChannel } = globalThis;
  return navigator?.locks && BroadcastChannel && globalThis.document ? joinElection() : null;
}

/** Pages may require that addresses of scripts are marked as trusted; this one is constant. @returns {any} */
function workerUrl() {
  const url = new URL('./worker.js', import.meta.url).href;
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes?.createPolicy('cubed-worker', { createScriptURL: () => url }).createScriptURL('') ?? url;
}

/** Holds a lock until this tab is gone, however that happens. Resolves with its name; null without Web Locks. */
async function holdLock() {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return null;
  const name = `cubed-tab-${newKey()}`;
  return new Promise((held) => {
    locks.request(name, () => {
      held(name);
      return new Promise(() => {});
    }).catch(() => held(null));
  });
}
