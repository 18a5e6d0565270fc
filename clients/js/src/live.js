// live.js: the cube of a session as it is now. Others' turns arrive as events; own turns are shown at once.
//
// What is shown is the cube of the newest confirmed revision with the own turns on top that have no answer yet. So a
// turn of somebody else goes below the own ones, and a refused turn disappears; what is shown and what the server has
// are the same as soon as nothing is waiting.

import { Confirmed } from './confirmed.js';
import { isSolved, toFacelets, turnedAll } from './cube.js';
import { parseMoves, sameTurns } from './moves.js';
import { Outbox } from './outbox.js';
import { isTemporary } from './transport.js';
import { pause, waitMs } from './waiting.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Change} from './outbox.js'
 * @import {Entry, Notation, Presence, SessionChangeRequest, SessionDetails, SessionEvent, ShownCue} from './types.js'
 * @import {WrittenEntry} from './types.js'
 */

/**
 * What happened to a live cube. `turned`: what is shown was turned, here or by others; `redrawn`: it changed
 * otherwise; `entry`: an entry is confirmed; `state`: the session was read anew, without the entries until now;
 * `saved`: an own change is on disk; `refused`: own changes were taken back; `status`: whether it is online, or how
 * much waits; `cue`: somebody shows something to all who watch; `ended`: nothing follows.
 * @typedef {{type: 'turned', turns: LayerTurn[], by: 'here' | 'others'}
 *   | {type: 'redrawn'}
 *   | {type: 'state'}
 *   | {type: 'entry', entry: Entry}
 *   | {type: 'saved', written: WrittenEntry}
 *   | {type: 'refused', problem: Error, changes: Change[]}
 *   | {type: 'settings', settings: SessionChangeRequest}
 *   | {type: 'presence', presence: Presence}
 *   | {type: 'cue', shown: ShownCue}
 *   | {type: 'solved'}
 *   | {type: 'status'}
 *   | {type: 'ended', reason: string, problem: Error | null}} LiveChange
 */

/** @typedef {{signal?: AbortSignal, onChange?: (change: LiveChange) => void}} LiveOptions */

export class LiveCube {
  #session;
  #outbox;
  #abort = new AbortController();
  /** @type {Set<(change: LiveChange) => void>} */
  #listeners = new Set();
  #confirmed = new Confirmed();
  /** @type {Promise<void> | null} */
  #reloading = null;
  #stickers = this.#confirmed.stickers;

  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.#session = session;
    /** Whether events arrive. */
    this.online = false;
    /** Its name, access and turn policy now. @type {SessionChangeRequest} */
    this.settings = {};
    /** Who watches it; null until that is known. @type {Presence | null} */
    this.presence = null;
    /** What somebody shows to all who watch; null if nobody did. @type {ShownCue | null} */
    this.shown = null;
    this.#outbox = new Outbox(session, {
      revision: () => this.revision,
      saved: (written) => this.#saved(written),
      missed: (entries, revision) => this.#missed(entries, revision),
      refused: (changes, problem) => this.#refused(changes, problem),
      waited: () => this.#emit({ type: 'status' }),
    });
  }

  /**
   * Opens the cube of a session: resolves as soon as its state is known.
   * @param {import('./session.js').Session} session
   * @param {LiveOptions} [options]
   * @returns {Promise<LiveCube>}
   */
  static async open(session, { signal, onChange } = {}) {
    signal?.throwIfAborted();
    const cube = new LiveCube(session);
    if (onChange) cube.subscribe(onChange);
    signal?.addEventListener('abort', () => cube.close(), { once: true });
    return new Promise((opened, failed) => cube.#follow(() => opened(cube), failed));
  }

  // ---- what is shown ----

  get size() {
    return this.#confirmed.size;
  }

  /** The newest confirmed revision. */
  get revision() {
    return this.#confirmed.revision;
  }

  /** The stickers that are shown, as numbers of faces. Do not change them. */
  get stickers() {
    return this.#stickers;
  }

  /** The same as letters. */
  get facelets() {
    return toFacelets(this.#stickers);
  }

  get solved() {
    return isSolved(this.#stickers, this.size);
  }

  /** How many own changes have no answer yet. */
  get waiting() {
    return this.#outbox.size;
  }

  // ---- changing ----

  /**
   * Turns the cube. Plain moves are shown at once, others (groups, other dialects) when they are confirmed. Resolves
   * when they are on disk. Fails if they are refused; if nobody waits for that, it is only reported to listeners.
   * @param {string} moves
   * @param {{notation?: Notation}} [options]
   */
  turn(moves, { notation } = {}) {
    const turns = notation && notation !== 'sign' ? null : parseMoves(moves, this.size);
    const body = notation ? { moves, notation } : { moves };
    return this.#change('moves', body, turns?.length && this.#confirmed.isEasy(turns) ? turns : null);
  }

  /** Takes back the newest entries. @param {number} [count] */
  undo(count = 1) {
    return this.#change('undo', { count }, null);
  }

  /** @param {number} [count] */
  redo(count = 1) {
    return this.#change('redo', { count }, null);
  }

  reset() {
    return this.#change('reset', {}, null);
  }

  /** @param {{moves?: string, seed?: string}} [body] without moves the server makes a scramble */
  scramble(body = {}) {
    return this.#change('scramble', body, null);
  }

  /** Forgets own changes that were never sent. */
  discard() {
    this.#outbox.discard();
    this.#show();
    this.#emit({ type: 'status' });
  }

  /** Resolves when no own change waits for its answer. */
  async settled() {
    while (this.#outbox.size > 0) await new Promise((done) => this.#once(done));
  }

  /**
   * Calls the listener with everything that happens. Returns a function that ends this.
   * @param {(change: LiveChange) => void} listener
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Connects again now: the network is back, or it is gone. */
  reconnect() {
    this.#session.feed.reconnect();
    this.#outbox.wake();
  }

  /** Reads and sends nothing more. Changes without an answer may or may not have been made. */
  close() {
    this.#stop('The cube was closed.');
  }

  /** @param {string} reason */
  #stop(reason) {
    this.#abort.abort(new DOMException(reason, 'AbortError'));
    this.#outbox.close();
    this.#emit({ type: 'status' });
  }

  /**
   * @param {Change['kind']} kind
   * @param {Change['body']} body
   * @param {LayerTurn[] | null} turns
   * @returns {Promise<WrittenEntry>}
   */
  #change(kind, body, turns) {
    if (this.#abort.signal.aborted) return this.#changeNothing({ kind, body, turns, done: () => {}, failed: () => {} });
    const shown = turns && this.#outbox.isKnown;
    /** @type {Promise<WrittenEntry>} */
    const promise = new Promise((done, failed) => this.#outbox.add({ kind, body, turns, done, failed }));
    promise.catch(() => {}); // listeners were told
    if (shown) this.#show(turns, 'here');
    this.#emit({ type: 'status' });
    return promise;
  }

  /**
   * A change of a cube that is closed or has ended.
   * @param {Change} change
   * @returns {Promise<never>}
   */
  #changeNothing(change) {
    const { reason } = this.#abort.signal;
    const promise = Promise.reject(reason);
    promise.catch(() => {}); // listeners are told
    this.#emit({ type: 'refused', problem: reason, changes: [change] });
    return promise;
  }

  // ---- following ----

  /**
   * @param {() => void} opened
   * @param {(error: unknown) => void} failed
   */
  async #follow(opened, failed) {
    const { signal } = this.#abort;
    const release = this.#session.feed.listen((online) => {
      this.online = online;
      if (online) this.#outbox.wake();
      this.#emit({ type: 'status' });
    });
    try {
      for await (const event of this.#session.watch({ signal })) {
        this.#take(event);
        opened();
      }
      if (!signal.aborted) throw new Error('The stream of events ended before the session did.');
    } catch (error) {
      failed(error);
      if (!signal.aborted) this.#end('refused', /** @type {Error} */ (error));
    } finally {
      release();
    }
  }

  /** @param {SessionEvent} event */
  #take({ event, data }) {
    switch (event) {
      case 'state':
      case 'resync':
        return this.#restart(data);
      case 'entry':
        return this.#entry(data);
      case 'session':
        return this.#settings(data);
      case 'presence':
        this.presence = data;
        return this.#emit({ type: 'presence', presence: data });
      case 'cue':
        this.shown = data;
        return this.#emit({ type: 'cue', shown: data });
      case 'solved':
        return this.#emit({ type: 'solved' });
      case 'end':
        return this.#end(data.reason, null);
    }
  }

  /** @param {SessionDetails} session */
  #restart({ cube, ...session }) {
    this.#confirmed.restart(session.size, session.revision, cube.facelets);
    this.#jumped();
    this.#emit({ type: 'state' });
    this.#settings(session);
  }

  /** @param {SessionChangeRequest} settings */
  #settings(settings) {
    this.settings = settings;
    this.#emit({ type: 'settings', settings });
  }

  /** The confirmed cube was read from the server. */
  #jumped() {
    // Whether the batch is in this state is known with its answer; until then, it is not made twice.
    const { batch } = this.#outbox;
    if (batch?.revision !== undefined && batch.revision < this.revision) batch.settled = true;
    this.#show();
    this.#continue();
  }

  /**
   * An entry from the stream, an answer or a refusal; each may be the first to bring it.
   * @param {Entry} entry
   */
  #entry(entry) {
    this.#confirmed.add(entry);
    this.#continue();
  }

  #continue() {
    for (let next; !this.#reloading && (next = this.#confirmed.next()); ) {
      const { entry, turns } = next;
      if (!turns) this.#reload();
      else if (turns.length > 0) this.#advanced(entry, turns);
      this.#emit({ type: 'entry', entry });
    }
  }

  /**
   * @param {Entry} entry
   * @param {LayerTurn[]} turns
   */
  #advanced(entry, turns) {
    const { batch, turns: waiting } = this.#outbox;
    if (batch && this.#isOwn(entry, turns)) batch.settled = true; // it stays shown, as a part of what is confirmed
    else this.#show(waiting.length === 0 ? turns : null, 'others');
  }

  /**
   * Whether an entry is probably the batch that is under way. Its answer decides; if somebody else made the same turns
   * at the same time, that says so.
   * @param {Entry} entry
   * @param {LayerTurn[]} turns
   */
  #isOwn(entry, turns) {
    const { batch } = this.#outbox;
    if (entry.kind !== 'moves' || !batch?.turns || batch.settled) return false;
    return batch.revision === entry.revision - 1 && sameTurns(batch.turns, turns);
  }

  /** Reads the present cube, if it does not follow from the entries. */
  #reload() {
    return (this.#reloading ??= this.#readCube().catch((error) => {
      if (!this.#abort.signal.aborted) this.#end('refused', error);
    }));
  }

  async #readCube() {
    const { signal } = this.#abort;
    for (let failures = 0; ; failures++) {
      try {
        const { revision, cube } = await this.#session.cube({ signal });
        this.#reloading = null;
        if (revision > this.revision) this.#confirmed.jump(revision, cube.facelets);
        return this.#jumped();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await pause(waitMs(failures, error), signal);
      }
    }
  }

  // ---- answers ----

  /** @param {WrittenEntry} written */
  #saved(written) {
    this.#entry(written.entry);
    this.#show();
    this.#emit({ type: 'saved', written });
  }

  /**
   * @param {Entry[]} entries
   * @param {number} revision
   */
  async #missed(entries, revision) {
    entries.forEach((entry) => this.#entry(entry));
    if (this.revision < revision) await this.#reload();
    this.#show();
  }

  /**
   * @param {Change[]} changes
   * @param {unknown} problem
   */
  #refused(changes, problem) {
    this.#show();
    this.#emit({ type: 'refused', problem: /** @type {Error} */ (problem), changes });
  }

  /**
   * @param {string} reason
   * @param {Error | null} problem
   */
  #end(reason, problem) {
    this.#stop(`The cube has ended: ${problem?.message ?? reason}`);
    this.#emit({ type: 'ended', reason, problem });
  }

  // ---- showing ----

  /**
   * Shows what is confirmed with the own turns on top. `turns`: the change, if it is no more than these turns.
   * @param {LayerTurn[] | null} [turns]
   * @param {'here' | 'others'} [by]
   */
  #show(turns = null, by = 'here') {
    const before = this.#stickers;
    this.#stickers = turns
      ? turnedAll(before, this.size, turns)
      : turnedAll(this.#confirmed.stickers, this.size, this.#outbox.turns);
    if (turns) this.#emit({ type: 'turned', turns, by });
    else if (!isSame(before, this.#stickers)) this.#emit({ type: 'redrawn' });
  }

  /** @param {LiveChange} change */
  #emit(change) {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error; // the listener's own fault must not stop the cube
        });
      }
    }
  }

  /** @param {(value: unknown) => void} listener */
  #once(listener) {
    const end = this.subscribe(() => {
      end();
      listener(null);
    });
  }
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
const isSame = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
