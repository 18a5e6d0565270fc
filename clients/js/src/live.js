// live.js: the cube of a session as it is now. Others' turns arrive as events; own turns are shown at once.
//
// What is shown is the cube of the newest confirmed revision with the own turns on top that have no answer yet. So a
// turn of somebody else goes below the own ones, and a refused turn disappears; what is shown and what the server has
// are the same as soon as nothing is waiting.

import { Confirmed } from './confirmed.js';
import { isSame, isSolved, toFacelets, turnedAll } from './cube.js';
import { heldBack, Listeners, notified } from './listeners.js';
import { parseMoves, sameTurns } from './moves.js';
import { Outbox } from './outbox.js';
import { keysReady } from './random.js';
import { Undoing } from './undoing.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Change} from './outbox.js'
 * @import {Actor, Entry, Notation, Presence, Reaction, SessionChangeRequest, SessionDetails, SessionEvent} from './types.js'
 * @import {ShownCue, Standing, WrittenEntry, You} from './types.js'
 */

/**
 * A change of a live cube. `turned`: what is shown was turned, here (by a hand on the cube: it is shown already) or
 * by others; `redrawn`: it changed otherwise; `entry`: an entry is confirmed; `state`: the session was read again, without
 * the entries until now; `saved`: an own change is on disk; `refused`: own changes were taken back; `status`: whether it
 * is online, or how much waits; `standing`: how much can be undone, who turned last, whose turn it is; `cue`: somebody
 * shows something to all watchers; `reaction`: somebody claps, for example; `ended`: nothing follows.
 * @typedef {{type: 'turned', turns: LayerTurn[], by: 'here' | 'hand' | 'others'}
 *   | {type: 'redrawn'}
 *   | {type: 'state'}
 *   | {type: 'entry', entry: Entry}
 *   | {type: 'saved', written: WrittenEntry}
 *   | {type: 'refused', problem: Error, changes: Change[]}
 *   | {type: 'settings', settings: SessionChangeRequest}
 *   | {type: 'standing', standing: Standing | null}
 *   | {type: 'presence', presence: Presence}
 *   | {type: 'cue', shown: ShownCue}
 *   | {type: 'reaction', reaction: Reaction, actor: Actor | null}
 *   | {type: 'solved'}
 *   | {type: 'status'}
 *   | {type: 'ended', reason: string, problem: Error | null}} LiveChange
 */

/**
 * `onChange` is called with everything that happens, from the opening on, but not before the caller has the cube.
 * @typedef {{signal?: AbortSignal, onChange?: (change: LiveChange, cube: LiveCube) => void}} LiveOptions
 */

export class LiveCube {
  #session;
  #confirmed;
  /** @type {Outbox} */
  #outbox;
  /** @type {Undoing} */
  #undoing;
  #abort = new AbortController();
  /** @type {Listeners<LiveChange>} */
  #listeners = new Listeners();
  #stickers;
  /** True if the stream of events is open. */
  #streaming = false;
  /** The revision that the newest answer to an own change had. */
  #answered = 0;

  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.#session = session;
    /** Its name, access and turn policy now. @type {SessionChangeRequest} */
    this.settings = {};
    /** The entries that can be undone, who turned last, whose turn it is; null if that is not known. @type {Standing | null} */
    this.standing = null;
    /** The identity of this client, by its token, and its role when the session was read. @type {You | null} */
    this.you = null;
    /** The watchers of the session; null until they are known. @type {Presence | null} */
    this.presence = null;
    /** The cue that somebody shows to all watchers; null if nobody does. @type {ShownCue | null} */
    this.shown = null;
    this.#confirmed = new Confirmed(session, {
      signal: this.#abort.signal,
      advanced: (entry, turns) => this.#advanced(entry, turns),
      entry: (entry) => this.#emit({ type: 'entry', entry }),
      jumped: () => this.#jumped(),
      failed: (error) => this.#end('refused', error),
    });
    this.#outbox = new Outbox(session, {
      revision: () => this.revision,
      isDue: (change) => this.#undoing.isDue(change),
      saved: (written) => this.#saved(written),
      missed: (entries, revision) => this.#missed(entries, revision),
      refused: (changes, problem) => this.#refused(changes, problem),
      waited: () => this.#emit({ type: 'status' }),
    });
    this.#undoing = new Undoing(this.#confirmed, this.#outbox, {
      change: (change) => this.#change(change),
      withdrawn: (change) => this.#withdrawn(change),
    });
    this.#stickers = this.#confirmed.stickers;
  }

  /**
   * Opens the cube of a session: resolves as soon as its state is known.
   * @param {import('./session.js').Session} session
   * @param {LiveOptions} [options]
   * @returns {Promise<LiveCube>}
   */
  static async open(session, { signal, onChange } = {}) {
    signal?.throwIfAborted();
    await keysReady;
    const cube = new LiveCube(session);
    /** @type {ReturnType<typeof heldBack<LiveChange>>} */
    const { listener, begin } = heldBack((change) => onChange?.(change, cube));
    if (onChange) cube.subscribe(listener);
    signal?.addEventListener('abort', () => cube.close(), { once: true });
    await new Promise((opened, failed) => void cube.#follow(() => opened(undefined), failed));
    setTimeout(begin); // all that awaits the cube goes on before
    return cube;
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

  /** True if events arrive, and own changes are stored within a second. */
  get online() {
    return this.#streaming && !this.#outbox.isSlow;
  }

  /** The number of own changes without an answer. */
  get waiting() {
    return this.#outbox.size;
  }

  /** The number of entries that undo can take back; null if it is not known. */
  get undoable() {
    return this.#undoing.available.undoable;
  }

  get redoable() {
    return this.#undoing.available.redoable;
  }

  // ---- changing ----

  /**
   * Turns the cube. Plain moves are shown at once, others (groups, other dialects) when they are confirmed. Resolves
   * when they are on disk. Fails if they are refused; listeners are notified of that in any case. `hand`: they are shown
   * already, because a hand turned the cube.
   * @param {string} moves
   * @param {{notation?: Notation, hand?: boolean}} [options]
   */
  turn(moves, { notation, hand = false } = {}) {
    const body = notation ? { moves, notation } : { moves };
    this.#undoing.forget();
    return this.#change({ kind: 'moves', body, turns: this.#turnsOf(body) }, hand ? 'hand' : 'here');
  }

  /**
   * Takes back the newest entries, at once if they are known. Resolves with null if that were own turns that were not
   * sent yet. Fails if somebody else changes the cube before.
   * @param {number} [count]
   * @returns {Promise<WrittenEntry | null>}
   */
  undo(count = 1) {
    return this.#undoing.undo(count);
  }

  /**
   * Brings back what was taken back last.
   * @param {number} [count]
   * @returns {Promise<WrittenEntry | null>}
   */
  redo(count = 1) {
    return this.#undoing.redo(count);
  }

  reset() {
    this.#undoing.forget();
    return this.#change({ kind: 'reset', body: {}, turns: null });
  }

  /** @param {{moves?: string, seed?: string}} [body] without moves the server makes a scramble */
  scramble(body = {}) {
    this.#undoing.forget();
    return this.#change({ kind: 'scramble', body, turns: this.#turnsOf(body) });
  }

  /** Forgets own changes that were never sent. */
  discard() {
    this.#outbox.discard();
    this.#undoing.forget();
    this.#show();
    this.#emit({ type: 'status' });
  }

  /** Resolves when no own change waits for its answer. */
  async settled() {
    while (this.#outbox.size > 0) await this.#listeners.next();
  }

  /**
   * Calls the listener with everything that happens. Returns a function that ends this.
   * @param {(change: LiveChange) => void} listener
   */
  subscribe(listener) {
    return this.#listeners.add(listener);
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
    const why = new DOMException(reason, 'AbortError');
    this.#abort.abort(why);
    const gone = this.#outbox.close(why);
    this.#emit({ type: 'status' });
    return gone;
  }

  /**
   * Returns the effect of moves, if it is known here.
   * @param {Change['body']} body
   */
  #turnsOf({ moves, notation }) {
    if (moves === undefined || (notation && notation !== 'sign')) return null;
    const turns = parseMoves(moves, this.size);
    return turns?.length && this.#confirmed.isEasy(turns) ? turns : null;
  }

  /**
   * @param {Pick<Change, 'kind' | 'body' | 'turns' | 'expects'>} change
   * @param {'here' | 'hand'} [by]
   * @returns {Promise<WrittenEntry>}
   */
  #change(change, by = 'here') {
    if (this.#abort.signal.aborted) return this.#changeNothing(change);
    const shown = change.turns && this.#outbox.isKnown ? change.turns : null;
    /** @type {Promise<WrittenEntry>} */
    const promise = new Promise((done, failed) => this.#outbox.add({ ...change, done, failed }));
    if (shown) this.#show(shown, by);
    this.#emit({ type: 'status' });
    return notified(promise);
  }

  /**
   * A change of a cube that is closed or has ended.
   * @param {Pick<Change, 'kind' | 'body' | 'turns'>} change
   * @returns {Promise<never>}
   */
  #changeNothing(change) {
    const { reason } = this.#abort.signal;
    this.#emit({ type: 'refused', problem: reason, changes: [{ ...change, done: () => {}, failed: () => {} }] });
    return notified(Promise.reject(reason));
  }

  /**
   * A change is not sent after all.
   * @param {Change} change
   */
  #withdrawn({ turns }) {
    if (turns && this.#outbox.isKnown) this.#show(turns.map((turn) => ({ ...turn, turns: -turn.turns })).reverse());
    this.#emit({ type: 'status' });
  }

  // ---- following ----

  /**
   * @param {() => void} opened
   * @param {(error: unknown) => void} failed
   */
  async #follow(opened, failed) {
    const { signal } = this.#abort;
    const release = this.#session.feed.listen((online) => {
      if (online === this.#streaming) return;
      this.#streaming = online;
      if (online) this.#outbox.wake();
      this.#emit({ type: 'status' });
    });
    try {
      for await (const event of this.#session.watch({ signal })) {
        this.#receive(event);
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
  #receive({ event, data }) {
    switch (event) {
      case 'state':
      case 'resync':
        return this.#restart(data);
      case 'entry':
        this.#stand(data.standing ?? null, data.revision);
        return this.#confirmed.add(data);
      case 'session':
        if (data.standing) this.#stand(data.standing, data.standing.revision);
        return this.#settings(data);
      case 'presence':
        this.presence = data;
        return this.#emit({ type: 'presence', presence: data });
      case 'cue':
        if (data.cue.reaction) return this.#emit({ type: 'reaction', reaction: data.cue.reaction, actor: data.actor });
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
    this.you = session.you ?? null;
    this.standing = session.standing ?? null;
    this.#emit({ type: 'state' });
    this.#settings(session);
  }

  /**
   * An entry that is sent again, from the log, has no standing.
   * @param {Standing | null} standing
   * @param {number} revision that it is about
   */
  #stand(standing, revision) {
    if (this.standing && revision < this.standing.revision) return;
    if (!standing && this.standing?.revision === revision) return;
    this.standing = standing;
    this.#emit({ type: 'standing', standing });
  }

  /** @param {SessionChangeRequest} settings */
  #settings(settings) {
    this.settings = settings;
    this.#emit({ type: 'settings', settings });
  }

  /** The confirmed cube was read from the server. */
  #jumped() {
    // Its answer says whether the batch is in this state; until then, it is not made twice.
    const { batch } = this.#outbox;
    if (batch?.revision !== undefined && batch.revision < this.revision) batch.settled = true;
    this.#undoing.forget();
    this.#show();
  }

  /**
   * An entry turned the confirmed cube: from the stream, an answer or a refusal, whichever was the first to bring it.
   * @param {Entry} entry
   * @param {LayerTurn[]} turns
   */
  #advanced(entry, turns) {
    const { batch, turns: waiting } = this.#outbox;
    if (entry.revision === this.#answered) return this.#show(); // its turns are shown already
    if (batch && this.#isOwn(entry, turns)) {
      batch.settled = true; // it stays shown, as a part of what is confirmed
      return;
    }
    if (entry.kind !== 'undo' && entry.kind !== 'redo') this.#undoing.forget();
    this.#show(waiting.length === 0 ? turns : null, 'others');
  }

  /**
   * Returns true if an entry is probably the batch that is under way. Its answer decides; if somebody else made the
   * same turns at the same time, that says so.
   * @param {Entry} entry
   * @param {LayerTurn[]} turns
   */
  #isOwn(entry, turns) {
    const { batch } = this.#outbox;
    if (entry.kind !== batch?.kind || !batch.turns || batch.settled) return false;
    return batch.revision === entry.revision - 1 && sameTurns(batch.turns, turns);
  }

  // ---- answers ----

  /** @param {WrittenEntry} written */
  #saved(written) {
    this.#answered = written.revision;
    this.#confirmed.add(written.entry);
    this.#show();
    this.#emit({ type: 'saved', written });
  }

  /**
   * @param {Entry[]} entries
   * @param {number} revision
   */
  async #missed(entries, revision) {
    entries.forEach((entry) => this.#confirmed.add(entry));
    await this.#confirmed.reach(revision);
    this.#show();
  }

  /**
   * @param {Change[]} changes
   * @param {unknown} problem
   */
  #refused(changes, problem) {
    this.#undoing.forget();
    this.#show();
    this.#emit({ type: 'refused', problem: /** @type {Error} */ (problem), changes });
  }

  /**
   * @param {string} reason
   * @param {Error | null} problem
   */
  #end(reason, problem) {
    const why = `The cube has ended: ${problem?.message ?? reason}`;
    const gone = this.#stop(why);
    if (gone.length > 0) this.#refused(gone, problem ?? new DOMException(why, 'AbortError'));
    this.#emit({ type: 'ended', reason, problem });
  }

  // ---- showing ----

  /**
   * Shows what is confirmed with the own turns on top. `turns`: the change, if it is no more than these turns.
   * @param {LayerTurn[] | null} [turns]
   * @param {'here' | 'hand' | 'others'} [by]
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
    this.#listeners.notify(change);
  }
}

