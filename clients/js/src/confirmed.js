// confirmed.js: the newest cube that the server has confirmed: a state and the entries after it, or read again if it
// does not follow from them.

import { Chain } from './chain.js';
import { fromFacelets, turnedAll } from './cube.js';
import { parseMoves } from './moves.js';
import { isTemporary } from './transport.js';
import { pause, waitMs } from './waiting.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Entry} from './types.js'
 */

/** Stickers to turn here at most; what needs more is read from the server. */
const WORK_MAX = 20e6;

/**
 * The owner of a confirmed cube. `advanced`: an entry turned it; `entry`: an entry is confirmed, and all before it;
 * `jumped`: it was read again; `failed`: it cannot be read.
 * @typedef {{
 *   signal: AbortSignal,
 *   advanced: (entry: Entry, turns: LayerTurn[]) => void,
 *   entry: (entry: Entry) => void,
 *   jumped: () => void,
 *   failed: (error: Error) => void,
 * }} Host
 */

export class Confirmed {
  #session;
  #host;
  size = 0;
  revision = -1;
  stickers = fromFacelets('');
  /** The entries that undo and redo would act on, after the newest entry that the host was notified of. */
  chain = new Chain({ complete: false });
  /** The revision of that entry. */
  #notified = -1;
  /** Entries after it, in whatever order they came. @type {Map<number, Entry>} */
  #entries = new Map();
  /** While it is read again. @type {Promise<void> | null} */
  #reading = null;

  /**
   * @param {import('./session.js').Session} session
   * @param {Host} host
   */
  constructor(session, host) {
    this.#session = session;
    this.#host = host;
  }

  /** True if `chain` belongs to this cube: no entry is missing, and none was skipped. */
  get isChained() {
    return this.#notified === this.revision;
  }

  /**
   * Begins with the state of a session, without the entries until then.
   * @param {number} size
   * @param {number} revision
   * @param {string} facelets
   */
  restart(size, revision, facelets) {
    this.size = size;
    this.#notified = revision;
    this.chain = new Chain({ complete: revision === 0 });
    for (const known of this.#entries.keys()) if (known <= revision) this.#entries.delete(known);
    this.#jump(revision, facelets);
  }

  /**
   * Adds an entry, which may be known already, or come before those below it.
   * @param {Entry} entry
   */
  add(entry) {
    if (entry.revision > this.#notified) this.#entries.set(entry.revision, entry);
    this.#continue();
  }

  /**
   * Resolves when it is at least at this revision.
   * @param {number} revision
   */
  async reach(revision) {
    if (this.revision < revision) await this.#readAgain();
  }

  /**
   * Returns true if these turns are to be made here.
   * @param {LayerTurn[]} turns
   */
  isEasy(turns) {
    return turns.length * 6 * this.size ** 2 <= WORK_MAX;
  }

  #continue() {
    for (let entry; !this.#reading && (entry = this.#entries.get(this.#notified + 1)); ) {
      this.#entries.delete(entry.revision);
      this.#notified = entry.revision;
      this.chain.add(entry);
      if (entry.revision > this.revision) this.#advance(entry);
      this.#host.entry(entry);
    }
  }

  /** @param {Entry} entry */
  #advance(entry) {
    const turns = entry.moves === null ? null : parseMoves(entry.moves, this.size);
    if (!turns || !this.isEasy(turns)) return void this.#readAgain();
    this.stickers = turnedAll(this.stickers, this.size, turns);
    this.revision = entry.revision;
    this.#host.advanced(entry, turns);
  }

  /**
   * @param {number} revision
   * @param {string} facelets
   */
  #jump(revision, facelets) {
    this.revision = revision;
    this.stickers = fromFacelets(facelets);
    this.#host.jumped();
    this.#continue();
  }

  #readAgain() {
    const { signal } = this.#host;
    return (this.#reading ??= this.#read(signal).catch((error) => {
      if (!signal.aborted) this.#host.failed(error);
    }));
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    for (let failures = 0; ; failures++) {
      try {
        const { revision, cube } = await this.#session.cube({ signal });
        this.#reading = null;
        return revision > this.revision ? this.#jump(revision, cube.facelets) : this.#continue();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await pause(waitMs(failures, error), signal);
      }
    }
  }
}
