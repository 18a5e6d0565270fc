// watcher.js: one call of Session.watch(): where it is in the events of its session, and what it has not read yet.
//
// Whatever brings the events (a stream of its own, one that is shared, another tab), a watcher gets each entry once.

import { Queue } from './stream.js';

/**
 * @import {Entry, SessionDetails, SessionEvent} from './types.js'
 * @import {Transport} from './transport.js'
 */

/** An event as it comes. @typedef {{event: any, id?: string, data: any}} Line */

/** If it missed more entries, it gets the state instead. */
const MISSED_MAX = 1000;
/** Events after which a watch can continue. */
const PLACED = ['state', 'resync', 'entry'];

export class Watcher {
  /** @type {Queue<SessionEvent>} */
  queue = new Queue();

  /**
   * @param {{id: string, token: string | null}} session
   * @param {string | number} [after] the event or revision that it has already
   */
  constructor({ id, token }, after) {
    this.id = id;
    this.token = token;
    /** The id of its last event. */
    this.last = after === undefined ? undefined : String(after);
    /** The revision of that event, if it is known. @type {number | undefined} */
    this.revision = this.last === undefined ? undefined : Number(this.last.split('-').at(-1));
  }

  /**
   * Its events, until the signal aborts. `stop` is called in any case.
   * @param {AbortSignal | undefined} signal
   * @param {() => void} stop
   * @returns {AsyncGenerator<SessionEvent, void, undefined>}
   */
  async *events(signal, stop) {
    const end = () => this.queue.end(signal?.reason);
    signal?.addEventListener('abort', end);
    try {
      for await (const event of this.queue.values()) {
        signal?.throwIfAborted();
        yield event;
      }
    } finally {
      signal?.removeEventListener('abort', end);
      stop();
    }
  }

  /**
   * Receives an event; a state that comes instead of the entries since the last one makes it read these.
   * @param {Line} line
   * @param {Transport} transport
   * @param {AbortSignal} signal
   */
  async receive({ event, id, data }, transport, signal) {
    if (event === 'state' && this.revision !== undefined) await this.#catchUp(data, id, transport, signal);
    else this.#pass(event, data, id);
  }

  /**
   * @param {any} event
   * @param {any} data
   * @param {string} [id]
   */
  #pass(event, data, id) {
    const placed = PLACED.includes(event);
    if (event === 'entry' && this.revision !== undefined && data.revision <= this.revision) return;
    if (placed) {
      this.revision = data.revision;
      this.last = id && `${id.split('-')[0]}-${data.revision}`; // incarnation and revision, for this session alone
    }
    this.queue.add({ event, id: placed ? this.last : undefined, session: this.id, data });
  }

  /**
   * Passes on the entries until the state, and its settings.
   * @param {SessionDetails} state
   * @param {string | undefined} id
   * @param {Transport} transport
   * @param {AbortSignal} signal
   */
  async #catchUp(state, id, transport, signal) {
    const after = this.revision ?? 0;
    if (state.revision < after || state.revision > after + MISSED_MAX) return this.#pass('resync', state, id);
    const { name, access, listed, turn_policy, updated_at } = state;
    this.#pass('session', { id: this.id, name, access, listed, turn_policy, updated_at });
    const request = { path: `/v1/sessions/${this.id}/history`, token: this.token, signal };
    while ((this.revision ?? 0) < state.revision) {
      const query = { after: this.revision, limit: MISSED_MAX };
      /** @type {{items: Entry[]}} */
      const { items } = await transport.json({ ...request, query });
      if (items.length === 0) return this.#pass('resync', state, id);
      for (const entry of items) this.#pass('entry', entry, id);
    }
  }
}
