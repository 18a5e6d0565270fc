// motion.js: the stickers that a view shows, and the turns on their way to them.

import { isSame, turned, turnInSpace } from '../cube.js';
import { inverseTurn } from '../moves.js';

/**
 * @import {LayerTurn} from '../moves.js'
 * @import {Layers} from './solid.js'
 */

const QUARTER = Math.PI / 2;

/** So many of the newest turns can be seen to be taken back. */
const PAST_MAX = 12;

/** A layer that is let go comes to rest within this time, and sooner if it is nearly there. */
const SNAP_MS = 190;
const SNAP_LEAST_MS = 60;

/** @param {number} angle @param {number} quarters */
const snapMs = (angle, quarters) => Math.max(SNAP_LEAST_MS, SNAP_MS * Math.min(1, Math.abs(quarters * QUARTER - angle) / (QUARTER / 2)));

/** The media query for reduced motion. Without a browser the module can still be imported. */
export const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)') ?? { matches: false };

/**
 * Layers that turn from one angle to another, and the stickers when they have.
 * @typedef {{layers: Layers, from: number, to: number, after: Uint8Array, lastsMs?: number}} Step
 */

/** A quarter turn takes this time; if others wait it takes less, but not less than QUICK_MS. */
const QUARTER_MS = 240;
const QUICK_MS = 45;
/** More steps are not animated. */
const STEPS_MAX = 60;

/** @param {number} share */
const ease = (share) => share * share * (3 - 2 * share);
/** From a standing hand or a flick: no slow beginning. @param {number} share */
const easeOut = (share) => 1 - (1 - share) ** 3;

/** The more turns wait, the faster they are shown. */
export class Motion {
  /** @type {Step[]} */
  #steps = [];
  #began = 0;
  /** The newest turns, and the stickers before each. @type {{turn: LayerTurn, before: Uint8Array}[]} */
  #past = [];
  size = 0;
  /** The stickers when all turns have ended. @type {Uint8Array} */
  stickers = new Uint8Array(0);
  /** The stickers before the turns that have not ended. @type {Uint8Array} */
  shown = this.stickers;
  /** The speed of turns, as a multiple of the usual one. */
  speed = 1;

  /** True while something turns. */
  get busy() {
    return this.#steps.length > 0;
  }

  /** Shows a cube without animation. @param {number} size @param {Uint8Array} stickers */
  jump(size, stickers) {
    this.size = size;
    this.stickers = stickers;
    this.#past = [];
    this.finish();
  }

  /** Ends all turns now. */
  finish() {
    this.#steps = [];
    this.shown = this.stickers;
  }

  /** Shows turns one after the other. @param {LayerTurn[]} turns */
  turn(turns) {
    for (const turn of turns) {
      const { quarters, ...layers } = turnInSpace(turn, this.size);
      this.#push(turn, { layers, from: 0, to: quarters * QUARTER });
    }
  }

  /** Turns the newest turns back, if that gives these stickers. @param {Uint8Array} stickers @returns {boolean} whether it did */
  turnBackTo(stickers) {
    const i = this.#past.map(({ before }) => isSame(before, stickers)).lastIndexOf(true);
    if (i < 0) return false;
    const back = this.#past.splice(i).reverse().map(({ turn }) => inverseTurn(turn));
    const { length } = this.#past;
    this.turn(back);
    this.#past.length = length;
    return true;
  }

  /**
   * Layers that a hand let go come to rest; they go on from where the hand left them.
   * @param {{layers: Layers, angle: number}} held
   * @param {number} quarters
   * @param {LayerTurn | null} turn what the hand made of it
   */
  release({ layers, angle }, quarters, turn) {
    const rest = { layers, from: angle, to: quarters * QUARTER, lastsMs: still.matches ? 1 : snapMs(angle, quarters) };
    if (turn) {
      this.finish(); // turns of others meanwhile came before
      this.#push(turn, rest);
    } else {
      this.#began = performance.now();
      this.#steps.unshift({ ...rest, after: this.shown });
    }
  }

  /**
   * Returns the layers that turn at a time, and how far; turns that have ended by then are shown.
   * @param {number} now
   * @returns {{layers: Layers, angle: number} | null}
   */
  at(now) {
    for (let step; (step = this.#steps[0]); ) {
      const { layers, from, to } = step;
      const lasts = this.#lasts(step);
      const done = from === to ? 1 : Math.max(0, (now - this.#began) / lasts);
      if (done < 1) return { layers, angle: from + (to - from) * (step.lastsMs ? easeOut : ease)(done) };
      this.#steps.shift();
      this.shown = step.after;
      this.#began += from === to ? 0 : lasts; // with slow frames, several end in one
    }
    return null;
  }

  /** @param {LayerTurn} turn @param {Omit<Step, 'after'>} step how it is shown */
  #push(turn, step) {
    this.#past.push({ turn, before: this.stickers });
    if (this.#past.length > PAST_MAX) this.#past.shift();
    this.stickers = turned(this.stickers, this.size, turn);
    if (!this.busy) this.#began = performance.now();
    this.#steps.push({ ...step, after: this.stickers });
    if (this.#steps.length > STEPS_MAX) this.finish();
  }

  /** @param {Step} step */
  #lasts({ from, to, lastsMs }) {
    const quarters = Math.abs(to - from) / QUARTER;
    const usual = lastsMs ?? QUARTER_MS * (0.5 + quarters / 2) / this.speed;
    return Math.max(Math.min(QUICK_MS, usual), usual / (1 + (this.#steps.length - 1) / 3));
  }
}
