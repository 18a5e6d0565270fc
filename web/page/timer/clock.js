// clock.js: the clock of a solve by hand: what a press, a release and the passing of time do. Times are milliseconds
// of any steady clock, which the caller reads.
//
//     rest --press--> held --held long enough, release--> running --press--> stopped --release--> rest
//
// With inspection: rest --press--> opening --release--> inspecting --press--> held and so on. A release too early goes back.

/** The time that a key or finger must be held before the clock may start. */
export const HOLD_MS = 300;

/** Spoken during the inspection (A3d2), and what a long inspection costs (A4d). */
export const CALLS_MS = [8000, 12000];
export const PLUS_TWO_MS = 15000;
export const DNF_MS = 17000;

/** The penalty of an inspection as the server names it: it begins with the first millisecond that is too long. */
export function penaltyOfInspection(ms) {
  return ms >= DNF_MS ? 'dnf' : ms >= PLUS_TWO_MS ? '+2' : 'none';
}

/** The calls that fall into the time after `from`, up to `to`. */
export const callsBetween = (from, to) => CALLS_MS.filter((call) => from < call && call <= to);

/** Returns the clock's text during the inspection: the seconds that are left, then the penalty. */
export function inspectionText(ms) {
  const penalty = penaltyOfInspection(ms);
  if (penalty !== 'none') return penalty === '+2' ? '+2' : 'DNF';
  return String(Math.ceil((PLUS_TWO_MS - ms) / 1000));
}

export class Clock {
  #pressed = 0;
  #started = 0;
  #inspected = null; // when the inspection began

  constructor({ inspection = false, holdMs = HOLD_MS } = {}) {
    this.inspection = inspection;
    this.holdMs = holdMs;
    /** 'rest', 'opening', 'inspecting', 'held', 'running' or 'stopped'. */
    this.state = 'rest';
    /** The last solve: {time_ms, inspection_ms}; inspection_ms is null without inspection. */
    this.result = null;
  }

  get running() {
    return this.state === 'running';
  }

  /** True during the inspection, with or without a finger on the key. */
  get inspecting() {
    return this.#inspected !== null && (this.state === 'inspecting' || this.state === 'held');
  }

  /** Returns true if a release would start the clock. */
  armed(now) {
    return this.state === 'held' && now - this.#pressed >= this.holdMs;
  }

  /** Returns the time that the inspection has taken; null if there is none. */
  inspectedMs(now) {
    return this.inspecting ? now - this.#inspected : null;
  }

  /** Returns the time that the clock shows: the time so far, or that of the last solve. */
  elapsedMs(now) {
    return this.running ? now - this.#started : (this.result?.time_ms ?? 0);
  }

  /** A key or finger goes down. Returns the result if that ends a solve. */
  press(now) {
    if (this.state === 'running') {
      this.result.time_ms = Math.max(0, Math.trunc(now - this.#started));
      this.state = 'stopped';
      return this.result;
    }
    if (this.state === 'rest') this.state = this.inspection ? 'opening' : 'held';
    else if (this.state === 'inspecting') this.state = 'held';
    this.#pressed = now;
    return null;
  }

  /** It goes up again. */
  release(now) {
    if (this.state === 'opening') this.beginInspection(now);
    else if (this.armed(now)) this.start(now);
    else if (this.state === 'held') this.state = this.#inspected === null ? 'rest' : 'inspecting';
    else if (this.state === 'stopped') this.state = 'rest';
  }

  /** Takes a press back that was a slip; returns whether there was one. */
  letGo() {
    if (!['opening', 'held'].includes(this.state)) return false;
    this.state = this.#inspected === null ? 'rest' : 'inspecting';
    return true;
  }

  beginInspection(now) {
    this.#inspected = now;
    this.state = 'inspecting';
  }

  /** Starts at once: for a cube on the page, and for people who cannot hold a key. */
  start(now) {
    this.result = { time_ms: 0, inspection_ms: this.#inspected === null ? null : Math.trunc(now - this.#inspected) };
    this.#inspected = null;
    this.#started = now;
    this.state = 'running';
  }

  /** The solve or inspection is given up; returns whether there was one. */
  cancel() {
    const busy = this.state !== 'rest' && this.state !== 'stopped';
    if (this.running) this.result = null;
    this.#inspected = null;
    this.state = 'rest';
    return busy;
  }
}
