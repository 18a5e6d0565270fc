// past.js: the history of a cube as something to look at: a position in it, and the cube there, while others go on.
//
// A position is a number from 0 to `length`: 7 is the cube after entry 7, 7.5 the cube in the middle of the moves of
// entry 8. Entries are read when they are needed, in pages around the position.

import { fromFacelets, toFacelets, turnedAll } from './cube.js';
import { Listeners } from './listeners.js';
import { inverseTurn, parseMoves } from './moves.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Entry} from './types.js'
 * @import {PlaybackChange} from './playback.js'
 */

/**
 * The source of a history: entries after a revision, in order, and the cube at one.
 * @typedef {{
 *   size: number,
 *   revision: number,
 *   stickers: Uint8Array,
 *   entries: (after: number, limit: number) => Promise<Entry[]>,
 *   cubeAt: (revision: number) => Promise<string>,
 * }} PastSource
 */

/** @typedef {PlaybackChange | {type: 'length', length: number} | {type: 'failed', problem: Error}} PastChange */

/** Entries of a page; a cube at most so many entries away is turned from a known one. */
const PAGE = 200;
const NEAR = 100;
/** Stickers to turn here at most on the way to a cube; what needs more is read. */
const WORK_MAX = 20e6;
/** Cubes that are kept. */
const KEPT_MAX = 64;
/** So many turns of one entry are reported as turns; more as a jump. */
const TURNED_MAX = 4;
const MOVES_PER_SECOND = 2;

export class Past {
  #source;
  /** @type {Map<number, Entry>} */
  #entries = new Map();
  /** By the first revision of the page. @type {Map<number, Promise<void>>} */
  #pages = new Map();
  /** @type {Map<number, Uint8Array>} */
  #kept = new Map();
  #stickers;
  /** After this entry ... */
  #revision;
  /** ... and so many moves of the next one. */
  #move = 0;
  /** Counts jumps: an older one that is ready later is not shown. */
  #jump = 0;
  /** @type {Listeners<PastChange>} */
  #listeners = new Listeners();
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /** @param {PastSource} source it begins with the newest cube */
  constructor(source) {
    this.#source = source;
    this.size = source.size;
    /** The newest revision. */
    this.length = source.revision;
    this.movesPerSecond = MOVES_PER_SECOND;
    /** True if the cube at the position is still being read. */
    this.loading = false;
    this.#revision = source.revision;
    this.#stickers = source.stickers;
    this.#keep(source.revision, source.stickers);
  }

  get position() {
    if (this.#move === 0) return this.#revision;
    return this.#revision + this.#move / Math.max(this.#move + 1, this.movesOf(this.#revision + 1)?.length ?? 0);
  }

  /** The entry at the position: the one that is begun, or the last that is complete. */
  get place() {
    return this.#move > 0 ? { revision: this.#revision + 1, move: this.#move } : { revision: this.#revision, move: null };
  }

  get stickers() {
    return this.#stickers;
  }

  get facelets() {
    return toFacelets(this.#stickers);
  }

  get playing() {
    return this.#timer !== null;
  }

  // ---- entries ----

  /** An entry, if it was read. @param {number} revision */
  entry(revision) {
    return this.#entries.get(revision) ?? null;
  }

  /** The words of the moves of an entry that was read; null if it is not here, or has none. @param {number} revision */
  movesOf(revision) {
    return this.#entries.get(revision)?.moves?.split(' ').filter(Boolean) ?? null;
  }

  /**
   * Reads the entries from one revision to another, as far as they are not here.
   * @param {number} from
   * @param {number} to
   */
  async read(from, to) {
    const first = Math.max(1, from);
    const last = Math.min(to, this.length);
    const pages = [];
    for (let page = Math.floor((first - 1) / PAGE); page * PAGE < last; page++) pages.push(this.#readPage(page * PAGE + 1, first, last));
    await Promise.all(pages);
    const found = [];
    for (let revision = first; revision <= last; revision++) {
      const entry = this.#entries.get(revision);
      if (entry) found.push(entry);
    }
    return found;
  }

  /** A new entry of the cube. @param {Entry} entry */
  add(entry) {
    this.#entries.set(entry.revision, entry);
    if (entry.revision <= this.length) return;
    this.length = entry.revision;
    this.#emit({ type: 'length', length: this.length });
  }

  /**
   * The newest revision is known, but not its entries.
   * @param {number} revision
   */
  grow(revision) {
    if (revision <= this.length) return;
    this.length = revision;
    this.#emit({ type: 'length', length: revision });
  }

  // ---- moving ----

  /**
   * Jumps to a position. What is shown follows as soon as it is read.
   * @param {number} position a whole number, or use seekTo()
   */
  seek(position) {
    const to = Math.min(this.length, Math.max(0, Math.round(position) || 0));
    return this.seekTo(to, 0);
  }

  /**
   * Jumps to the cube after a revision and the first moves of the next entry.
   * @param {number} revision
   * @param {number} [move]
   */
  async seekTo(revision, move = 0) {
    if (revision === this.#revision && move === this.#move && !this.loading) return;
    this.#revision = revision;
    this.#move = move;
    const jump = ++this.#jump;
    this.loading = true;
    this.#emit({ type: 'position', position: this.position });
    try {
      const stickers = await this.#stickersAt(revision, move);
      if (jump !== this.#jump) return;
      this.loading = false;
      this.#stickers = stickers;
      this.#emit({ type: 'redrawn' });
      this.#emit({ type: 'position', position: this.position });
    } catch (problem) {
      if (jump !== this.#jump) return;
      this.loading = false;
      this.pause();
      this.#emit({ type: 'failed', problem: /** @type {Error} */ (problem) });
    }
  }

  /**
   * The next move, or one back. Scrambles, undo, redo and reset are one step.
   * @param {1 | -1} [direction]
   */
  async step(direction = 1) {
    const forward = direction > 0;
    if (forward ? this.#revision >= this.length : this.#revision === 0 && this.#move === 0) return false;
    const about = forward || this.#move > 0 ? this.#revision + 1 : this.#revision;
    const jump = this.#jump;
    if (!this.#entries.has(about)) await this.read(about, about).catch(() => {});
    if (jump !== this.#jump || this.loading) return true; // it went elsewhere meanwhile
    this.#stepOver(about, forward);
    return true;
  }

  /**
   * Goes on move by move until the present.
   * @param {{movesPerSecond?: number}} [pace]
   */
  play({ movesPerSecond = this.movesPerSecond } = {}) {
    const was = this.playing;
    this.movesPerSecond = movesPerSecond;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const tick = async () => {
      const moved = this.loading || (await this.step(1));
      if (this.#timer !== null && moved) this.#timer = setTimeout(tick, 1000 / this.movesPerSecond);
      if (!moved) this.pause();
    };
    this.#timer = setTimeout(tick, 1000 / movesPerSecond);
    if (!was) this.#emit({ type: 'playing', playing: true });
  }

  pause() {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#emit({ type: 'playing', playing: false });
  }

  close() {
    this.pause();
  }

  /**
   * Calls the listener with everything that happens. Returns a function that ends this.
   * @param {(change: PastChange) => void} listener
   */
  subscribe(listener) {
    return this.#listeners.add(listener);
  }

  // ---- inside ----

  /**
   * Goes over a move of an entry, or over all of it.
   * @param {number} about
   * @param {boolean} forward
   */
  #stepOver(about, forward) {
    const entry = this.#entries.get(about);
    const turns = entry?.moves ? parseMoves(entry.moves, this.size) : null;
    if (!entry || !turns) return void this.seekTo(forward ? about : about - 1, 0);
    const before = this.#move > 0 || forward ? this.#move : turns.length;
    const single = entry.kind === 'moves' && turns.length > 0;
    const after = single ? before + (forward ? 1 : -1) : forward ? turns.length : 0;
    const made = forward ? turns.slice(before, after) : turns.slice(after, before).reverse().map(inverseTurn);
    this.#stickers = turnedAll(this.#stickers, this.size, made);
    const over = turns.length > 0 ? after >= turns.length : forward;
    this.#revision = over ? about : about - 1;
    this.#move = over ? 0 : after;
    this.#emit(made.length > TURNED_MAX ? { type: 'redrawn' } : { type: 'turned', turns: made, by: 'here' });
    this.#emit({ type: 'position', position: this.position });
  }

  /**
   * @param {number} first of the page
   * @param {number} from
   * @param {number} to
   */
  #readPage(first, from, to) {
    const last = Math.min(first + PAGE - 1, this.length);
    let missing = false;
    for (let revision = Math.max(from, first); revision <= Math.min(to, last); revision++) missing ||= !this.#entries.has(revision);
    if (!missing) return Promise.resolve();
    const known = this.#pages.get(first);
    if (known) return known;
    const reading = this.#source.entries(first - 1, PAGE).then((entries) => {
      for (const entry of entries) this.#entries.set(entry.revision, entry);
    }).finally(() => this.#pages.delete(first));
    this.#pages.set(first, reading);
    return reading;
  }

  /**
   * @param {number} revision
   * @param {number} move
   */
  async #stickersAt(revision, move) {
    const stickers = await this.#afterEntry(revision);
    if (move === 0) return stickers;
    await this.read(revision + 1, revision + 1);
    const turns = parseMoves(this.#entries.get(revision + 1)?.moves ?? '', this.size) ?? [];
    return turnedAll(stickers, this.size, turns.slice(0, move));
  }

  /** @param {number} revision */
  async #afterEntry(revision) {
    const known = this.#kept.get(revision);
    if (known) return known;
    const near = [...this.#kept.keys()].sort((a, b) => Math.abs(a - revision) - Math.abs(b - revision))[0];
    const turned = Math.abs(near - revision) <= NEAR ? await this.#turnedFrom(near, revision) : null;
    const stickers = turned ?? fromFacelets(await this.#source.cubeAt(revision));
    this.#keep(revision, stickers);
    return stickers;
  }

  /**
   * The cube after an entry, from that after another one; null if the entries do not say it.
   * @param {number} near
   * @param {number} revision
   */
  async #turnedFrom(near, revision) {
    const forward = near < revision;
    const entries = await this.read(Math.min(near, revision) + 1, Math.max(near, revision));
    /** @type {LayerTurn[]} */
    const all = [];
    for (const entry of forward ? entries : entries.reverse()) {
      const turns = entry.moves === null ? null : parseMoves(entry.moves, this.size);
      if (!turns) return null;
      all.push(...(forward ? turns : turns.reverse().map(inverseTurn)));
      if (all.length * this.#stickers.length > WORK_MAX) return null;
    }
    return turnedAll(/** @type {Uint8Array} */ (this.#kept.get(near)), this.size, all);
  }

  /**
   * @param {number} revision
   * @param {Uint8Array} stickers
   */
  #keep(revision, stickers) {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= KEPT_MAX && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(revision, stickers);
  }

  /** @param {PastChange} change */
  #emit(change) {
    this.#listeners.notify(change);
  }
}
