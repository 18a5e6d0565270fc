// feed.js: the watchers of sessions, and the connections that serve them.
//
// A watcher is one call of Session.watch(): a loop that reads the events of one session (watcher.js).

import { Connection } from './connection.js';
import { Listeners } from './listeners.js';
import { Watcher } from './watcher.js';

/** @import {SessionEvent} from './types.js' */

export class Feed {
  #transport;
  /** @type {Set<Connection>} */
  #connections = new Set();
  /** @type {Listeners<boolean>} */
  #listeners = new Listeners();

  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * The events of a session; see Session.watch().
   * @param {{id: string, token: string | null}} session
   * @param {{after?: string | number, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<SessionEvent, void, undefined>}
   */
  async *watch(session, { after, signal } = {}) {
    signal?.throwIfAborted();
    const watcher = new Watcher(session, after);
    const connection = this.#connectionFor(session.id);
    connection.add(watcher);
    yield* watcher.events(signal, () => connection.remove(watcher));
  }

  /**
   * Calls the listener with true whenever events come, with false when they do not. Returns a function that ends
   * this.
   * @param {(online: boolean) => void} listener
   */
  listen(listener) {
    return this.#listeners.add(listener);
  }

  /** Opens all connections again at once: the network is back, or the computer was asleep. */
  reconnect() {
    for (const connection of this.#connections) connection.restart();
  }

  /** @param {string} id */
  #connectionFor(id) {
    for (const connection of this.#connections) if (connection.canWatch(id)) return connection;
    const connection = new Connection(this.#transport, {
      online: (online) => this.#listeners.notify(online),
      empty: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  }
}
