// undoing.js: what undo and redo of a live cube do, known before the server answers.
//
// What was not sent yet is simply not sent; a redo of that sends it after all. Anything else becomes a change of its own,
// which is for one certain entry: if that is no longer the newest when it is sent, it is left out.

import { Chain } from './chain.js';
import { canonicalMoves, parseMoves } from './moves.js';

/**
 * @import {Confirmed} from './confirmed.js'
 * @import {Change, Outbox} from './outbox.js'
 * @import {WrittenEntry} from './types.js'
 */

/** @typedef {Pick<Change, 'kind' | 'body' | 'turns' | 'expects'>} NewChange */

/**
 * The owner. `change`: makes a change; `withdrawn`: one is not sent after all.
 * @typedef {{
 *   change: (change: NewChange) => Promise<WrittenEntry>,
 *   withdrawn: (change: Change) => void,
 * }} Host
 */

export class Undoing {
  #confirmed;
  #outbox;
  #host;
  /** The results of own undos, newest last: a change that was not sent, or null for an entry. @type {(Change | null)[]} */
  #undone = [];

  /**
   * @param {Confirmed} confirmed
   * @param {Outbox} outbox
   * @param {Host} host
   */
  constructor(confirmed, outbox, host) {
    this.#confirmed = confirmed;
    this.#outbox = outbox;
    this.#host = host;
  }

  /** The numbers of entries that can be taken back and brought back once all own changes are made; null if they are not
   * known. */
  get available() {
    const { undoable, redoable } = this.#projected().chain;
    const unsent = this.#undone.filter(Boolean).length;
    return { undoable, redoable: redoable === null ? null : redoable + unsent };
  }

  /** The cube was turned otherwise: own undos cannot be redone. */
  forget() {
    this.#undone = [];
  }

  /**
   * @param {number} count
   * @returns {Promise<WrittenEntry | null>} null if nothing had to be sent
   */
  undo(count) {
    for (let left = count; left > 0; left--) {
      const last = this.#outbox.unsent.at(-1);
      if (!last || last.kind === 'undo' || (last.kind === 'redo' && last.body.count !== 1)) return this.#sendUndo(left);
      this.#undone.push(last.kind === 'redo' ? null : last);
      this.#withdraw(last);
    }
    return Promise.resolve(null);
  }

  /**
   * @param {number} count
   * @returns {Promise<WrittenEntry | null>}
   */
  redo(count) {
    /** @type {Promise<WrittenEntry | null>} */
    let done = Promise.resolve(null);
    for (let left = count; left > 0; left--) {
      const undone = this.#undone.pop();
      const last = this.#outbox.unsent.at(-1);
      if (undone) {
        const { kind, body, turns } = undone;
        done = this.#host.change({ kind, body, turns });
      } else if (undone === null && last?.kind === 'undo' && last.body.count === 1) {
        this.#withdraw(last);
      } else {
        return this.#sendRedo(left);
      }
    }
    return done;
  }

  /** @param {Change} change the newest one, which was not sent */
  #withdraw(change) {
    this.#outbox.withdraw('It was taken back before it was sent.');
    this.#host.withdrawn(change);
  }

  /** @param {number} count */
  #sendUndo(count) {
    const { chain, own } = this.#projected();
    const moves = chain.undoTarget(count) === undefined ? null : chain.undoMoves(count);
    for (let i = 0; i < count; i++) this.#undone.push(null);
    return this.#send('undo', count, moves, chain.done.at(-1), own);
  }

  /** @param {number} count */
  #sendRedo(count) {
    const { chain, own } = this.#projected();
    for (let i = 1; i < count && this.#undone.at(-1) === null; i++) this.#undone.pop();
    return this.#send('redo', count, chain.redoMoves(count), chain.undone.at(-1), own);
  }

  /**
   * @param {'undo' | 'redo'} kind
   * @param {number} count
   * @param {string | null} moves
   * @param {{revision: number} | undefined} newest the entry that it begins with
   * @param {Map<number, Change>} own
   */
  #send(kind, count, moves, newest, own) {
    const turns = moves ? parseMoves(moves, this.#confirmed.size) : null;
    const change = newest && own.get(newest.revision);
    const expects = change ? () => change.revision : () => newest?.revision;
    return this.#host.change({ kind, body: { count }, turns: turns && this.#confirmed.isEasy(turns) ? turns : null, expects });
  }

  /**
   * Returns true if an undo or redo is still for the entry that it was made for.
   * @param {Change} change
   */
  isDue({ kind, expects }) {
    const expected = expects?.();
    const { chain, isChained } = this.#confirmed;
    const newest = (kind === 'undo' ? chain.done : chain.undone).at(-1);
    return expected === undefined || !isChained || newest?.revision === expected;
  }

  /** The chain after all own changes, and which of its entries they will be, by revisions that nobody else gets. */
  #projected() {
    const { size, revision, isChained } = this.#confirmed;
    /** @type {Map<number, Change>} */
    const own = new Map();
    let chain = isChained ? this.#confirmed.chain.copy() : new Chain({ complete: false });
    const { batch, unsent } = this.#outbox;
    for (const change of batch && !batch.settled ? [batch, ...unsent] : unsent) {
      const { kind, body, turns } = change;
      const moves = turns && body.moves !== undefined ? canonicalMoves(body.moves, size) : null;
      const next = revision + own.size + 1;
      own.set(next, 'changes' in change ? change.changes[0] : change);
      const restores = kind === 'undo' ? chain.undoTarget(body.count) : kind === 'redo' ? chain.redoTarget(body.count) : 0;
      if (restores === undefined) chain = new Chain({ complete: false });
      else chain.add({ revision: next, kind, moves, restores });
    }
    return { chain, own };
  }
}
