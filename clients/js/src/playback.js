// playback.js: a list of moves from a start, with a position in it: what a view shows while somebody looks through a
// solution, a lesson or the moves of a link.
//
// The cube at a position is made from the nearest one that is kept, so that any position of a long list is shown soon.

import { fromFacelets, FACES, toFacelets, turnInPlace } from './cube.js';
import { Listeners } from './listeners.js';
import { inverseTurn, parseMoves } from './moves.js';

/** @import {LayerTurn} from './moves.js' */

/**
 * A change of a playback. `turned`: it went on or back by these turns; `redrawn`: it jumped; `position`: after
 * each of both; `playing`: it began to play, or stopped.
 * @typedef {{type: 'turned', turns: LayerTurn[], by: 'here'}
 *   | {type: 'redrawn'}
 *   | {type: 'position', position: number}
 *   | {type: 'playing', playing: boolean}} PlaybackChange
 */

/** Bytes of the cubes that are kept, and the least moves between two of them. */
const KEPT_BYTES = 16e6;
const KEPT_EVERY = 32;

/** Stickers that are turned at a time while cubes are prepared; lists with less work are not prepared. */
const WORK = 4e6;

const MOVES_PER_SECOND = 2;
/** The shortest time between two steps; faster playing makes several moves at once. */
const TICK_MS = 16;
/** So many moves at once are reported as turns; more as a jump. */
const TURNED_MAX = 4;

export class Playback {
  /** @type {LayerTurn[]} */
  #turns;
  /** Each `every` moves, the stickers there. @type {Uint8Array[]} */
  #kept;
  #every;
  #stickers;
  #position = 0;
  /** @type {Listeners<PlaybackChange>} */
  #listeners = new Listeners();
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #preparing = null;
  /** The position where playing stops. */
  #until = 0;
  /** The time and the position when it began to play, or changed its pace. */
  #since = { time: 0, position: 0 };

  /**
   * Without facelets it starts with a solved cube. Fails if a word is not a single move of this cube: groups and other
   * dialects are expanded by the server (`algorithm()` of a client).
   * @param {{size: number, facelets?: string, moves: string[]}} start
   */
  constructor({ size, facelets, moves }) {
    this.size = size;
    /** The words of the moves. Do not change them. */
    this.moves = moves;
    this.movesPerSecond = MOVES_PER_SECOND;
    this.#turns = moves.map((word) => oneTurn(word, size));
    this.#stickers = facelets === undefined ? solved(size) : fromFacelets(facelets);
    if (this.#stickers.length !== 6 * size * size) throw new RangeError(`A cube of size ${size} has ${6 * size * size} facelets.`);
    this.#kept = [this.#stickers];
    this.#every = Math.max(KEPT_EVERY, Math.ceil((moves.length * this.#stickers.length) / KEPT_BYTES));
    if (moves.length * this.#stickers.length > WORK) this.#prepare();
  }

  /** The number of moves. */
  get length() {
    return this.#turns.length;
  }

  /** The number of moves that were made: 0 to `length`. */
  get position() {
    return this.#position;
  }

  /** The stickers at the position, as numbers of faces. Do not change them. */
  get stickers() {
    return this.#stickers;
  }

  get facelets() {
    return toFacelets(this.#stickers);
  }

  get playing() {
    return this.#timer !== null;
  }

  /**
   * Jumps to a position; beyond the ends, to the end.
   * @param {number} position
   */
  seek(position) {
    const to = this.#within(position);
    if (to === this.#position) return;
    this.#stickers = this.stickersAt(to);
    this.#position = to;
    this.#restartClock();
    this.#emit({ type: 'redrawn' });
    this.#emit({ type: 'position', position: to });
  }

  /**
   * Makes the next moves, or takes back the last ones. Says whether there were any.
   * @param {number} [count] negative: back
   */
  step(count = 1) {
    const moved = this.#advance(count);
    if (moved) this.#restartClock();
    return moved;
  }

  /**
   * Makes the moves one after another until the end, or until a position. At the end it begins again.
   * @param {{movesPerSecond?: number, until?: number}} [pace]
   */
  play({ movesPerSecond = this.movesPerSecond, until = this.length } = {}) {
    if (!(movesPerSecond > 0)) throw new RangeError('movesPerSecond must be positive.');
    const was = this.playing;
    this.movesPerSecond = movesPerSecond;
    this.#until = this.#within(until);
    if (this.length === 0) return;
    if (!was && this.#position === this.length) this.seek(0);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#restartClock();
    this.#wait();
    if (!was) this.#emit({ type: 'playing', playing: true });
  }

  pause() {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#emit({ type: 'playing', playing: false });
  }

  /** Plays and prepares nothing more. */
  close() {
    this.pause();
    if (this.#preparing !== null) clearTimeout(this.#preparing);
    this.#preparing = null;
  }

  /**
   * The stickers at any position.
   * @param {number} position
   */
  stickersAt(position) {
    const to = this.#within(position);
    this.#keepUntil(to, Infinity);
    const near = Math.floor(to / this.#every);
    const stickers = this.#kept[near].slice();
    for (let i = near * this.#every; i < to; i++) turnInPlace(stickers, this.size, this.#turns[i]);
    return stickers;
  }

  /**
   * Calls the listener with everything that happens. Returns a function that ends this.
   * @param {(change: PlaybackChange) => void} listener
   */
  subscribe(listener) {
    return this.#listeners.add(listener);
  }

  // ---- cubes that are kept ----

  /**
   * Keeps the cubes up to a position, with this much work at most. Says whether all are there.
   * @param {number} position
   * @param {number} work
   */
  #keepUntil(position, work) {
    const wanted = Math.floor(position / this.#every);
    let rest = work;
    while (this.#kept.length <= wanted && rest > 0) {
      const from = (this.#kept.length - 1) * this.#every;
      const stickers = this.#kept[this.#kept.length - 1].slice();
      for (let i = from; i < from + this.#every; i++) turnInPlace(stickers, this.size, this.#turns[i]);
      this.#kept.push(stickers);
      rest -= this.#every * stickers.length;
    }
    return this.#kept.length > wanted;
  }

  /** Keeps the cubes of the whole list, a few at a time. */
  #prepare() {
    this.#preparing = setTimeout(() => {
      this.#preparing = null;
      if (!this.#keepUntil(this.length, WORK)) this.#prepare();
    }, 0);
    detach(this.#preparing);
  }

  // ---- moving ----

  /** @param {number} position */
  #within(position) {
    return Math.min(this.length, Math.max(0, Math.trunc(position) || 0));
  }

  /** @param {number} count */
  #advance(count) {
    const from = this.#position;
    const to = this.#within(from + count);
    if (to === from) return false;
    const turns = to > from ? this.#turns.slice(from, to) : this.#turns.slice(to, from).reverse().map(inverseTurn);
    if (turns.length > TURNED_MAX) this.#stickers = this.stickersAt(to);
    else {
      this.#stickers = this.#stickers.slice();
      for (const turn of turns) turnInPlace(this.#stickers, this.size, turn);
    }
    this.#position = to;
    this.#emit(turns.length > TURNED_MAX ? { type: 'redrawn' } : { type: 'turned', turns, by: 'here' });
    this.#emit({ type: 'position', position: to });
    return true;
  }

  #restartClock() {
    this.#since = { time: performance.now(), position: this.#position };
  }

  #wait() {
    this.#timer = setTimeout(() => this.#tick(), Math.max(TICK_MS, 1000 / this.movesPerSecond));
  }

  #tick() {
    const { time, position } = this.#since;
    const most = Math.min(this.#most(), this.#until - this.#position);
    const due = position + Math.round(((performance.now() - time) / 1000) * this.movesPerSecond) - this.#position;
    this.#wait();
    this.#advance(Math.min(most, Math.max(this.movesPerSecond * TICK_MS <= 1000 ? 1 : 0, due)));
    if (this.#position >= this.#until) this.pause();
  }

  /** The most moves of one tick: a page that was asleep does not catch up. */
  #most() {
    return Math.max(1, Math.ceil((this.movesPerSecond * TICK_MS * 4) / 1000));
  }

  /** @param {PlaybackChange} change */
  #emit(change) {
    this.#listeners.notify(change);
  }
}

/**
 * @param {string} word
 * @param {number} size
 */
function oneTurn(word, size) {
  const turns = parseMoves(word, size);
  if (turns?.length !== 1) throw new SyntaxError(`"${word}" is not a move of a ${size}x${size}x${size}.`);
  return turns[0];
}

/** @param {number} size */
const solved = (size) => Uint8Array.from({ length: FACES.length * size * size }, (_, place) => Math.floor(place / (size * size)));

/**
 * In Node a timer must not keep a program alive.
 * @param {unknown} timer
 */
function detach(timer) {
  /** @type {{unref?: () => void}} */ (timer).unref?.();
}
