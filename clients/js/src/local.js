// local.js: a cube that is here alone, without a server: the same calls and reports as those of a live cube.

import { Chain } from './chain.js';
import { FACES, fromFacelets, isSolved, toFacelets, turnedAll } from './cube.js';
import { Listeners, notified } from './listeners.js';
import { canonicalMoves, parseMoves, timesOf, unreadPart } from './moves.js';
import { Problem } from './problem.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Change} from './outbox.js'
 * @import {Entry, Notation} from './types.js'
 */

/**
 * A change of a local cube; see LiveChange. `saved` follows `entry`, for listeners of a live cube.
 * @typedef {{type: 'turned', turns: LayerTurn[], by: 'here' | 'hand'}
 *   | {type: 'entry', entry: Entry}
 *   | {type: 'saved', written: LocalWritten}
 *   | {type: 'refused', problem: Error, changes: {kind: Change['kind'], body: Change['body']}[]}
 *   | {type: 'solved'}} LocalChange
 */

/** @typedef {{revision: number, entry: Entry}} LocalWritten */

/**
 * Turns moves that are not plain (groups, other dialects) to plain ones, for example by asking a server.
 * @typedef {(moves: string, options: {size: number, notation?: Notation}) => Promise<string>} ReadMoves
 */

/** Random turns of a scramble, by size; larger cubes have ten for each layer. */
const SCRAMBLE_TURNS = [0, 0, 12, 25, 45, 60, 80, 100];
const SCRAMBLE_TURNS_MAX = 400;
/** toJSON() always keeps this many of the newest entries. */
const RECENT = 1000;

export class LocalCube {
  #start;
  /** @type {Uint8Array} */
  #stickers;
  #chain = new Chain({ complete: true, max: Infinity });
  /** Revisions at which the cube was as in the beginning. @type {number[]} */
  #homes = [];
  /** @type {Listeners<LocalChange>} */
  #listeners = new Listeners();
  /** The changes that wait until moves were read. @type {Promise<unknown> | null} */
  #reading = null;

  /**
   * @param {{size?: number, facelets?: string, entries?: Entry[], read?: ReadMoves}} [options] without `facelets` it is
   *   solved; `entries`: what was done with it since then
   */
  constructor({ size = 3, facelets, entries = [], read } = {}) {
    this.size = size;
    this.#start = fromFacelets(facelets ?? Array.from(FACES, (face) => face.repeat(size * size)).join(''));
    if (this.#start.length !== 6 * size * size) throw new RangeError(`${this.#start.length} facelets are not of size ${size}.`);
    const turns = parseMoves(entries.map(({ moves }) => moves).join(' '), size);
    if (!turns) throw new RangeError('The entries have moves that are not of this cube.');
    this.#stickers = turnedAll(this.#start, size, turns);
    for (const entry of entries) this.#chain.add(entry);
    /** The reader of moves that are not plain. @type {ReadMoves | undefined} */
    this.read = read;
    /** Every change, oldest first. @type {Entry[]} */
    this.entries = [...entries];
  }

  get stickers() {
    return this.#stickers;
  }

  get facelets() {
    return toFacelets(this.#stickers);
  }

  get solved() {
    return isSolved(this.#stickers, this.size);
  }

  get revision() {
    return this.entries.length;
  }

  /** The number of entries that undo can take back. */
  get undoable() {
    return this.#chain.done.length;
  }

  get redoable() {
    return this.#chain.undone.length;
  }

  /** The entries in force, oldest first: those that undo can take back. @returns {{kind: Entry['kind'], moves: string | null}[]} */
  get inForce() {
    return this.#chain.done;
  }

  /**
   * Returns the argument for the constructor to make this cube again, with its history; JSON.stringify() calls it. A
   * long history begins at the last time, before its newest 1,000 entries, that the cube was as it began.
   */
  toJSON() {
    const from = this.#homes.filter((home) => home <= this.revision - RECENT).at(-1) ?? 0;
    const entries = this.entries.slice(from).map(({ restores, ...entry }, i) => ({
      ...entry,
      revision: i + 1,
      restores: restores && Math.max(0, restores - from),
    }));
    return { size: this.size, facelets: toFacelets(this.#start), entries };
  }

  // ---- changing ----

  /**
   * Turns the cube, at once if the moves are plain. `hand`: it is shown already, because a hand turned it.
   * @param {string} moves
   * @param {{notation?: Notation, hand?: boolean}} [options]
   */
  turn(moves, { notation, hand = false } = {}) {
    return this.#turn('moves', moves, notation, hand ? 'hand' : 'here');
  }

  /** Takes back the newest entries. @param {number} [count] */
  undo(count = 1) {
    return this.#change('undo', { count }, () => {
      const restores = this.#chain.undoTarget(count);
      if (restores === undefined) throw nothingThere('undo', count, this.undoable);
      return { moves: this.#chain.undoMoves(count) ?? '', restores };
    });
  }

  /** @param {number} [count] */
  redo(count = 1) {
    return this.#change('redo', { count }, () => {
      const restores = this.#chain.redoTarget(count);
      if (restores === undefined) throw nothingThere('redo', count, this.redoable);
      return { moves: this.#chain.redoMoves(count) ?? '', restores };
    });
  }

  /** Back to the cube of the beginning. */
  reset() {
    return this.#change('reset', {}, () => ({ moves: this.#chain.resetMoves() ?? '', restores: 0 }));
  }

  /**
   * Without moves, random turns; not each cube is as likely as another, as the rules of competitions want it.
   * @param {string | {moves?: string, notation?: Notation}} [scramble]
   */
  scramble(scramble = {}) {
    const { moves, notation } = typeof scramble === 'string' ? { moves: scramble, notation: undefined } : scramble;
    return this.#turn('scramble', moves ?? randomTurns(this.size), notation, 'here');
  }

  /**
   * Calls the listener with everything that happens. Returns a function that ends this.
   * @param {(change: LocalChange) => void} listener
   */
  subscribe(listener) {
    return this.#listeners.add(listener);
  }

  /** Resolves when all moves were read. */
  async settled() {
    while (this.#reading) await this.#reading;
  }

  /** For callers that also have live cubes; a local cube has nothing to close. */
  close() {}

  // ---- entries ----

  /**
   * @param {'moves' | 'scramble'} kind
   * @param {string} moves
   * @param {Notation | undefined} notation
   * @param {'here' | 'hand'} by
   */
  #turn(kind, moves, notation, by) {
    const body = notation ? { moves, notation } : { moves };
    const plain = notation && notation !== 'sign' ? null : canonicalMoves(moves, this.size);
    const times = kind === 'moves' ? timesOf(moves, this.size) : null;
    if (plain !== null) return this.#change(kind, body, () => ({ moves: plain, times }), by);
    const { read } = this;
    if (!read) return this.#change(kind, body, () => this.#refuseMoves(moves, notation));
    return this.#waitFor(async () => {
      const text = await read(moves, { size: this.size, notation }).catch((error) => this.#refuse(kind, body, error));
      return this.#make(kind, body, () => ({ moves: canonicalMoves(text, this.size) ?? this.#refuseMoves(text) }), by);
    });
  }

  /**
   * Makes a change, after those that wait.
   * @param {Entry['kind']} kind
   * @param {Change['body']} body
   * @param {() => {moves: string, times?: number[] | null, restores?: number}} plan
   * @param {'here' | 'hand'} [by]
   * @returns {Promise<LocalWritten>}
   */
  #change(kind, body, plan, by = 'here') {
    if (this.#reading) return this.#waitFor(async () => this.#make(kind, body, plan, by));
    try {
      return Promise.resolve(this.#make(kind, body, plan, by));
    } catch (error) {
      return notified(Promise.reject(error));
    }
  }

  /**
   * @param {() => Promise<LocalWritten>} make
   * @returns {Promise<LocalWritten>}
   */
  #waitFor(make) {
    const made = (this.#reading ?? Promise.resolve()).catch(() => {}).then(make);
    const done = made.catch(() => {}).then(() => {
      if (this.#reading === done) this.#reading = null;
    });
    this.#reading = done;
    return notified(made);
  }

  /**
   * @param {Entry['kind']} kind
   * @param {Change['body']} body
   * @param {() => {moves: string, times?: number[] | null, restores?: number}} plan
   * @param {'here' | 'hand'} by
   * @returns {LocalWritten}
   */
  #make(kind, body, plan, by) {
    let planned;
    try {
      planned = plan();
    } catch (error) {
      return this.#refuse(kind, body, /** @type {Error} */ (error));
    }
    const { moves, times, restores } = planned;
    const turns = parseMoves(moves, this.size) ?? [];
    const wasSolved = this.solved;
    this.#stickers = kind === 'reset' ? this.#start : turnedAll(this.#stickers, this.size, turns);
    const revision = this.revision + 1;
    /** @type {Entry} */
    const entry = { revision, kind, moves, actor: null, time: new Date().toISOString() };
    if (times) entry.times_ms = times;
    if (restores !== undefined) entry.restores = restores;
    this.#chain.add(entry);
    this.entries.push(entry);
    if (this.#stickers.every((colour, i) => colour === this.#start[i])) this.#homes.push(revision);
    const written = { revision, entry };
    if (turns.length > 0) this.#emit({ type: 'turned', turns, by });
    this.#emit({ type: 'entry', entry });
    this.#emit({ type: 'saved', written });
    if (this.solved && !wasSolved) this.#emit({ type: 'solved' });
    return written;
  }

  /**
   * @param {string} moves
   * @param {Notation} [notation]
   * @returns {never}
   */
  #refuseMoves(moves, notation) {
    const { index, word } = unreadPart(moves, this.size) ?? { index: 0, word: moves };
    const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text).length;
    throw new Problem({
      type: 'urn:cubed:problem:bad-notation',
      title: 'The moves are invalid',
      status: 422,
      detail: notation ? `Moves of the dialect ${notation} cannot be read here.` : `"${word}" is not a move of this cube.`,
      pointer: '/moves',
      offset: bytes(moves.slice(0, index)),
      length: bytes(word),
      column: Array.from(moves.slice(0, index)).length + 1,
    });
  }

  /**
   * @param {Entry['kind']} kind
   * @param {Change['body']} body
   * @param {Error} problem
   * @returns {never}
   */
  #refuse(kind, body, problem) {
    this.#emit({ type: 'refused', problem, changes: [{ kind, body }] });
    throw problem;
  }

  /** @param {LocalChange} change */
  #emit(change) {
    this.#listeners.notify(change);
  }
}

/**
 * @param {'undo' | 'redo'} kind
 * @param {number} count
 * @param {number} available
 */
const nothingThere = (kind, count, available) => new Problem({
  type: 'urn:cubed:problem:nothing-to-undo',
  title: 'There is nothing to undo or redo',
  status: 409,
  detail: `count is ${count}; entries available to ${kind}: ${available}.`,
  available,
});

/** @param {number} size */
function randomTurns(size) {
  const count = SCRAMBLE_TURNS[size] ?? Math.min(SCRAMBLE_TURNS_MAX, 10 * size);
  const pick = (/** @type {number} */ below) => Math.floor(Math.random() * below);
  /** @type {string[]} */
  const moves = [];
  for (let axis = -1; moves.length < count; ) {
    const face = pick(6);
    if (face % 3 === axis) continue; // not twice about one axis
    axis = face % 3;
    const layers = 1 + pick(Math.floor(size / 2));
    const name = layers === 1 ? FACES[face] : `${layers > 2 ? layers : ''}${FACES[face]}w`;
    moves.push(name + ['', "'", '2'][pick(3)]);
  }
  return moves.join(' ');
}
