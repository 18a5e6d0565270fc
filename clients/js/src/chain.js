// chain.js: what undo and redo would do: the entries in force, and those that were taken back.
//
// An undo takes the newest entry in force back, a redo brings back what was taken back last. Any other change is a new
// entry in force, and clears what could be redone. (server/history/history.h has the same rules.)

import { inverseMoves } from './moves.js';

/** @import {Entry} from './types.js' */

/**
 * An entry in the chain; `moves` is null if they are not known.
 * @typedef {{revision: number, kind: Entry['kind'], moves: string | null}} Link
 */

/** The most entries in force that are remembered, unless `max` says otherwise. */
const DONE_MAX = 10000;

export class Chain {
  /** Entries in force, oldest first. @type {Link[]} */
  done = [];
  /** Entries that were taken back; the one that redo brings back is the last. @type {Link[]} */
  undone = [];
  /** True if `done` has all entries in force. */
  complete;
  /** True if `undone` has all entries that redo can bring back. */
  #redoKnown;
  #max;

  /** @param {{complete: boolean, max?: number}} options `complete`: it begins at revision 0; `max`: the most entries in force that are remembered */
  constructor({ complete, max = DONE_MAX }) {
    this.complete = complete;
    this.#max = max;
    this.#redoKnown = complete;
  }

  /** The number of entries that can be taken back; null if it is not known. */
  get undoable() {
    return this.complete ? this.done.length : null;
  }

  /** The number of entries that can be brought back; null if it is not known. */
  get redoable() {
    return this.#redoKnown ? this.undone.length : null;
  }

  /** A copy that changes separately. */
  copy() {
    const copy = new Chain({ complete: this.complete, max: this.#max });
    copy.done = this.done.slice();
    copy.undone = this.undone.slice();
    copy.#redoKnown = this.#redoKnown;
    return copy;
  }

  /**
   * Adds the next entry.
   * @param {{revision: number, kind: Entry['kind'], moves: string | null, restores?: number}} entry
   */
  add({ revision, kind, moves, restores = 0 }) {
    if (kind === 'undo') this.#undoTo(restores);
    else if (kind === 'redo') this.#redoTo(restores, moves);
    else {
      this.undone = [];
      this.#redoKnown = true;
      this.#push({ revision, kind, moves });
    }
  }

  /** @param {number} restores the revision whose cube it restored */
  #undoTo(restores) {
    while ((this.done.at(-1)?.revision ?? 0) > restores) this.undone.push(/** @type {Link} */ (this.done.pop()));
    if (this.complete || this.done.at(-1)?.revision === restores) return;
    this.undone = []; // it went below what is known here
    this.#redoKnown = false;
  }

  /**
   * @param {number} restores
   * @param {string | null} moves
   */
  #redoTo(restores, moves) {
    for (let link; (link = this.undone.pop()); ) {
      this.#push(link);
      if (link.revision === restores) return;
    }
    this.#push({ revision: restores, kind: 'moves', moves });
  }

  /** @param {Link} link */
  #push(link) {
    this.done.push(link);
    if (this.done.length <= this.#max) return;
    this.done.splice(0, this.#max / 2);
    this.complete = false;
  }

  /** The revision whose cube an undo of `count` entries restores; undefined if there are not as many, or unknown. */
  undoTarget(count = 1) {
    const link = this.done.at(-1 - count);
    if (link) return link.revision;
    return this.complete && count === this.done.length ? 0 : undefined;
  }

  redoTarget(count = 1) {
    return this.undone.at(-count)?.revision;
  }

  /** Returns the turns of an undo of the newest `count` entries, in the order in which they are made; null if they are
   * not known. */
  undoMoves(count = 1) {
    if (count > this.done.length) return null;
    return joined(this.done.slice(-count).reverse().map(({ moves }) => moves && inverseMoves(moves)));
  }

  redoMoves(count = 1) {
    if (count > this.undone.length) return null;
    return joined(this.undone.slice(-count).reverse().map(({ moves }) => moves));
  }

  /** Returns the turns of a reset; null if they are not known. */
  resetMoves() {
    const last = this.done.map(({ kind }) => kind).lastIndexOf('reset'); // there, the cube was that of revision 0
    if (last < 0 && !this.complete) return null;
    return this.done.length - 1 === last ? '' : this.undoMoves(this.done.length - 1 - last);
  }
}

/** @param {(string | null)[]} texts */
const joined = (texts) => (texts.includes(null) ? null : texts.filter(Boolean).join(' '));
