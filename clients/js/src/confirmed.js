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
  /** The newest entry that next() has returned. */
  #told = -1;
  /** Entries after it, in whatever order they came. @type {Map<number, Entry>} */
  #entries = new Map();

  /**
   * Begins anew with the state of a session, without the entries until then.
   * @param {number} size
   * @param {number} revision
   * @param {string} facelets
   */
  restart(size, revision, facelets) {
    this.size = size;
    this.#told = revision;
    this.jump(revision, facelets);
    for (const known of this.#entries.keys()) if (known <= revision) this.#entries.delete(known);
  }

  /**
   * Continues with a cube that was read from the server.
   * @param {number} revision
   * @param {string} facelets
   */
  jump(revision, facelets) {
    this.revision = revision;
    this.stickers = fromFacelets(facelets);
  }

  /**
   * Adds an entry, which may be known already, or come before those below it.
   * @param {Entry} entry
   */
  add(entry) {
    if (entry.revision > this.#told) this.#entries.set(entry.revision, entry);
  }

  /**
   * Takes the next entry, if it is here. `turns`: what the cube was turned by; none if the cube was read after it, null
   * if it must be.
   * @returns {{entry: Entry, turns: LayerTurn[] | null} | null}
   */
  next() {
    const entry = this.#entries.get(this.#told + 1);
    if (!entry) return null;
    this.#told = entry.revision;
    this.#entries.delete(entry.revision);
    if (entry.revision <= this.revision) return { entry, turns: [] };
    const turns = entry.moves === null ? null : parseMoves(entry.moves, this.size);
    if (!turns || !this.isEasy(turns)) return { entry, turns: null };
    this.stickers = turnedAll(this.stickers, this.size, turns);
    this.revision = entry.revision;
    return { entry, turns };
  }

  /**
   * Whether to make these turns here.
   * @param {LayerTurn[]} turns
   */
  isEasy(turns) {
    return turns.length * 6 * this.size ** 2 <= WORK_MAX;
  }
}
