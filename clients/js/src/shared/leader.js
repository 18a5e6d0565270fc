// leader.js: holds the streams of events for all tabs of a browser. It runs in a SharedWorker, or in one of the tabs.
//
// A browser opens six connections to a server over HTTP/1.1, and a stream keeps one. Tabs that watch the same session
// with the same token share a watch; with another token they have one of their own, so that no tab gets events that its
// token does not give it.

import { Feed } from '../feed.js';
import { isTemporary, Transport } from '../transport.js';
import { pause, waitMs } from '../waiting.js';

/**
 * @import {SessionDetails} from '../types.js'
 * @import {Line} from '../watcher.js'
 * @import {FromLeader, FromTab} from './messages.js'
 */

/**
 * The way to reach a tab: a MessagePort or a BroadcastChannel.
 * @typedef {{postMessage: (message: any) => void, onmessage: ((event: any) => void) | null, close: () => void}} Port
 */

/** A subscription of a tab. `early`: events that came while its first state was read. @typedef {{post: (line: Line) => void, end: (error: unknown) => void, early: Line[] | null}} Member */

/** A tab that cannot hold a lock says now and then that it is there; browsers slow the clocks of hidden tabs down. */
const ALIVE_MS = 150000;
/** Events of which a tab that comes later gets the newest; but no reaction from before. */
const KEPT = ['presence', 'cue'];

/** @typedef {{transport: Transport, feed: Feed, subscriptions: Map<string, Subscription>, online: boolean}} Server */

export class Leader {
  /** @type {Map<string, Server>} */
  #servers = new Map();
  /** @type {Set<Tab>} */
  #tabs = new Set();

  /**
   * Serves a tab, until it says goodbye or is gone.
   * @param {Port} port
   */
  connect(port) {
    const tab = new Tab(port, {
      serverFor: (base, quietMs) => this.#server(base, quietMs),
      ended: () => this.#tabs.delete(tab),
    });
    this.#tabs.add(tab);
  }

  /** Serves nobody any longer. */
  close() {
    for (const tab of [...this.#tabs]) tab.end();
  }

  /**
   * @param {string} base
   * @param {number} quietMs
   */
  #server(base, quietMs) {
    let server = this.#servers.get(base);
    if (!server) {
      const transport = new Transport(base, { quietMs });
      const made = { transport, feed: new Feed(transport), subscriptions: new Map(), online: false };
      made.feed.listen((online) => (made.online = online));
      this.#servers.set(base, made);
      server = made;
    }
    return server;
  }
}

/** @typedef {{serverFor: (base: string, quietMs: number) => Server, ended: () => void}} Host */

class Tab {
  #port;
  #host;
  /** @type {Server | null} */
  #server = null;
  /** @type {Map<number, () => void>} */
  #watches = new Map();
  #gone = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #alive;

  /**
   * @param {Port} port
   * @param {Host} host
   */
  constructor(port, host) {
    this.#port = port;
    this.#host = host;
    port.onmessage = ({ data }) => this.#receive(data);
  }

  /** @param {FromTab} message */
  #receive(message) {
    if (this.#gone.signal.aborted) return;
    if (message.type === 'hello') this.#greet(message);
    else if (message.type === 'watch') this.#watch(message);
    else if (message.type === 'stop') this.#stop(message.watch);
    else if (message.type === 'reconnect') this.#server?.feed.reconnect();
    else if (message.type === 'alive') this.#expectLife();
    else if (message.type === 'bye') this.end();
  }

  /** @param {Extract<FromTab, {type: 'hello'}>} hello */
  #greet({ base, quietMs, lock }) {
    this.#server = this.#host.serverFor(base, quietMs);
    const ignore = this.#server.feed.listen((online) => this.#post({ type: 'online', online }));
    this.#gone.signal.addEventListener('abort', ignore);
    if (lock) navigator.locks.request(lock, { signal: this.#gone.signal }, () => this.end()).catch(() => {});
    else this.#expectLife();
    this.#post({ type: 'welcome' });
    if (this.#server.online) this.#post({ type: 'online', online: true });
  }

  #expectLife() {
    clearTimeout(this.#alive);
    this.#alive = setTimeout(() => this.end(), ALIVE_MS);
  }

  /** @param {Extract<FromTab, {type: 'watch'}>} request */
  #watch({ watch, id, token }) {
    if (!this.#server || this.#watches.has(watch)) return;
    const { subscriptions } = this.#server;
    const key = `${id} ${token ?? ''}`;
    let subscription = subscriptions.get(key);
    if (!subscription) {
      subscription = new Subscription(this.#server, { id, token }, () => subscriptions.delete(key));
      subscriptions.set(key, subscription);
    }
    const leave = subscription.join({
      early: null,
      post: (line) => this.#post({ type: 'event', watch, line }),
      end: (error) => this.#post({ type: 'end', watch, problem: detailsOf(error) }),
    });
    this.#watches.set(watch, leave);
  }

  /** @param {number} watch */
  #stop(watch) {
    this.#watches.get(watch)?.();
    this.#watches.delete(watch);
  }

  /** @param {FromLeader} message */
  #post(message) {
    if (!this.#gone.signal.aborted) this.#port.postMessage(message);
  }

  end() {
    clearTimeout(this.#alive);
    this.#gone.abort();
    this.#host.ended();
    for (const watch of [...this.#watches.keys()]) this.#stop(watch);
    this.#port.close();
  }
}

/** A watch of one session with one token, for all tabs that want it. */
class Subscription {
  #server;
  #session;
  #abort = new AbortController();
  #ended;
  /** @type {Set<Member>} */
  #members = new Set();
  /** @type {Map<string, Line>} */
  #kept = new Map();
  /** The id of the newest event; undefined before the first. @type {string | undefined} */
  #last;

  /**
   * @param {Server} server
   * @param {{id: string, token: string | null}} session
   * @param {() => void} ended
   */
  constructor(server, session, ended) {
    this.#server = server;
    this.#session = session;
    this.#ended = ended;
    this.#run();
  }

  /**
   * Gives a member all events from now on, beginning with the state. Returns a function that ends this.
   * @param {Member} member
   */
  join(member) {
    this.#members.add(member);
    if (this.#last !== undefined) this.#begin(member);
    return () => {
      this.#members.delete(member);
      if (this.#members.size === 0) this.#end();
    };
  }

  async #run() {
    /** @type {unknown} */
    let failure = null;
    try {
      for await (const { event, id, data } of this.#server.feed.watch(this.#session, { signal: this.#abort.signal })) {
        this.#give({ event, id, data });
      }
    } catch (error) {
      failure = error;
    }
    if (this.#abort.signal.aborted) return;
    this.#ended();
    for (const member of this.#members) member.end(failure);
  }

  #end() {
    this.#abort.abort();
    this.#ended();
  }

  /** @param {Line} line */
  #give(line) {
    this.#last = line.id ?? this.#last ?? '';
    if (KEPT.includes(line.event) && !line.data.cue?.reaction) this.#kept.set(line.event, line);
    for (const member of this.#members) {
      if (member.early) member.early.push(line);
      else member.post(line);
    }
  }

  /**
   * The stream is open already: reads the state for a tab that comes later.
   * @param {Member} member
   */
  async #begin(member) {
    member.early = [];
    try {
      const state = await this.#readState();
      if (!this.#members.has(member)) return;
      member.post({ event: 'state', id: `${this.#last?.split('-')[0]}-${state.revision}`, data: state });
      for (const line of this.#kept.values()) member.post(line);
      for (const line of member.early) if (line.event !== 'entry' || line.data.revision > state.revision) member.post(line);
      member.early = null;
    } catch (error) {
      this.#members.delete(member);
      if (!this.#abort.signal.aborted) member.end(error);
    }
  }

  /** @returns {Promise<SessionDetails>} */
  async #readState() {
    const { signal } = this.#abort;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#server.transport.json({ path: `/v1/sessions/${this.#session.id}`, token: this.#session.token, signal });
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await pause(waitMs(failures, error), signal);
      }
    }
  }
}

/** @param {any} error */
const detailsOf = (error) => error && (error.details ?? { type: 'about:blank', title: String(error.message ?? error), status: 0, detail: '' });
