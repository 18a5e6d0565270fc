// confirmed.js: the newest cube that the server has confirmed, made of a state and the entries after it.

import { fromFacelets, turnedAll } from './cube.js';
import { parseMoves } from './moves.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Entry} from './types.js'
 */

/** Stickers to turn here at most; what needs more is read from the server. */
const WORK_MAX = 20e6;

export class Confirmed {
  size = 0;
  revision = -1;
  stickers = fromFacelets('');
  /** Entries that came before those below them, by revision. @type {Map<number, Entry>} */
  #early = new Map();

  /**
   * Begins anew with a cube that was read from the server.
   * @param {number} size
   * @param {number} revision
   * @param {string} facelets
   */
  restart(size, revision, facelets) {
    this.size = size;
    this.revision = revision;
    this.stickers = fromFacelets(facelets);
    for (const known of this.#early.keys()) if (known <= revision) this.#early.delete(known);
  }

  /**
   * Adds an entry, which may be known already, or come before those below it.
   * @param {Entry} entry
   */
  add(entry) {
    if (entry.revision > this.revision) this.#early.set(entry.revision, entry);
  }

  /** The next entry, if it is here, with its turns; these are null if the cube after it must be read from the server. */
  next() {
    const entry = this.#early.get(this.revision + 1);
    if (!entry) return null;
    const turns = entry.moves === null ? null : parseMoves(entry.moves, this.size);
    return { entry, turns: turns && this.isEasy(turns) ? turns : null };
  }

  /** @param {LayerTurn[]} turns those of the next entry */
  advance(turns) {
    this.stickers = turnedAll(this.stickers, this.size, turns);
    this.revision++;
    this.#early.delete(this.revision);
  }

  /**
   * Whether to make these turns here.
   * @param {LayerTurn[]} turns
   */
  isEasy(turns) {
    return turns.length * 6 * this.size ** 2 <= WORK_MAX;
  }
}
