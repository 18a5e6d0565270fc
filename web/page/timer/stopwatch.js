// stopwatch.js: the clock for a cube in the hand: the pad that is held and released, the space bar, the inspection.
//
// While it runs, every key and every touch stops it, and nothing else is shown.

import { element } from '../parts/element.js';
import { Calls } from './calls.js';
import { Clock, inspectionText } from './clock.js';
import { drawing, leavingQuestion } from './frames.js';
import { clockText } from './times.js';
import { t } from '../words.js';

/** True if the pointer is a finger: such a device hardly has a space bar. */
const TOUCH = globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

const HINTS = {
  rest: TOUCH ? t('Hold here, then release') : t('Hold the space bar, then release'),
  opening: t('Release to begin the inspection'),
  inspecting: TOUCH ? t('Hold, then release to start') : t('Hold, then release to start; Esc cancels'),
  held: t('Keep holding…'),
  armed: t('Release to start'),
  running: TOUCH ? t('Touch to stop') : t('Any key stops'),
};

/** A finger that moves this far, in pixels, scrolls or slips: it does not start the clock. */
const SLIP = 24;

/** A click follows the release of its pointer within this time. */
const CLICK_MS = 400;

/** The elements that are typed into, and so keep their keys. */
const TYPED = 'input, select, textarea, [contenteditable]';

export class Stopwatch {
  #clock = new Clock();
  #draw = drawing(() => this.show(), () => this.busy);
  #askBeforeLeaving = leavingQuestion();
  #calls;
  #byKeyboard = false; // the focus was moved by keys last
  #released = -Infinity; // when a pointer was released last

  /** `onSolve(result)`: {time_ms, inspection_ms}; `active()`: whether keys are for the clock now. */
  constructor({ app, choices, active, onSolve, onState = () => {} }) {
    this.app = app;
    this.choices = choices;
    this.active = active;
    this.onSolve = onSolve;
    this.onState = onState;
    this.#calls = new Calls({ app, choices });
    this.time = element('span', { class: 'time' });
    this.hint = element('span', { class: 'hint' }, HINTS.rest);
    this.action = element('span', { class: 'unseen' }, t('Start the clock'));
    this.pad = element('button', { type: 'button', class: 'pad', onclick: () => this.#click() }, this.action, this.time, this.hint);
    this.giveUp = element('button', { type: 'button', class: 'give-up', hidden: true, onclick: () => this.#cancel() }, t('Cancel'));
    this.#listen();
    this.show();
  }

  get busy() {
    return !['rest', 'stopped'].includes(this.#clock.state);
  }

  /** A clock for the next solve, with the options as they are chosen now. */
  reset() {
    this.#clock = new Clock({ inspection: this.choices.get('inspection'), holdMs: this.choices.get('hold') });
    this.show();
  }

  /** Shows a time that was entered or changed elsewhere. */
  showTime(text) {
    if (!this.busy) this.#write(text);
  }

  /** Writes a time. The style makes one of many characters smaller, so that it has room. */
  #write(text) {
    this.time.textContent = text;
    this.time.style.setProperty('--characters', String(text.length));
  }

  #listen() {
    let from = null;
    this.pad.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      from = event;
      event.preventDefault(); // no selection; the focus stays where it is
      this.pad.focus({ preventScroll: true });
      this.pad.setPointerCapture(event.pointerId);
      this.#press();
    });
    this.pad.addEventListener('pointermove', (event) => {
      const slips = from?.pointerType === 'touch' && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SLIP;
      if (slips && this.#clock.letGo()) this.show();
    });
    this.pad.addEventListener('pointerup', () => {
      this.#release();
      this.#released = performance.now();
    });
    this.pad.addEventListener('pointercancel', () => {
      if (this.#clock.letGo()) this.show(); // the browser scrolls
    });
    // Otherwise a click would follow, on what is below the finger once the clock is small again.
    this.pad.addEventListener('touchend', (event) => event.cancelable && event.preventDefault());
    this.pad.addEventListener('contextmenu', (event) => event.preventDefault());
    addEventListener('pointerdown', () => (this.#byKeyboard = false), true);
    addEventListener('keydown', (event) => this.#keyDown(event), true);
    addEventListener('keyup', (event) => this.#keyUp(event), true);
  }

  /** Returns true if a key is for the clock. A button that was reached by keys is pressed by them instead. */
  #isForClock({ target }) {
    if (!this.active() || document.querySelector('dialog[open]')) return false;
    if (target.closest?.(TYPED)) return false;
    return target === this.pad || !this.#byKeyboard || !target.closest?.('button, a, summary, [tabindex]');
  }

  #keyDown(event) {
    if (event.key === 'Tab' && !this.busy) this.#byKeyboard = true;
    const space = event.code === 'Space' && this.#isForClock(event);
    const stops = this.#clock.running && this.active();
    const cancels = event.key === 'Escape' && this.busy && !this.#clock.running && this.active();
    if (!space && !stops && !cancels) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return;
    if (cancels) this.#cancel();
    else this.#press();
  }

  #keyUp(event) {
    if (!this.active() || (event.code !== 'Space' && this.#clock.state !== 'stopped')) return;
    if (event.code === 'Space' && !this.#isForClock(event)) return;
    event.preventDefault();
    this.#release();
  }

  #press() {
    const now = performance.now();
    if (!this.busy && this.#clock.state === 'rest') this.reset();
    const result = this.#clock.press(now);
    this.show();
    this.#draw();
    if (result) {
      this.app.say(clockText(result.time_ms));
      this.onSolve(result);
    }
  }

  #release() {
    const wasBusy = this.busy;
    this.#clock.release(performance.now());
    if (this.#clock.state === 'inspecting' && wasBusy) this.#draw();
    this.show();
  }

  /** A click without a pointer before it is by an assistive device: it cannot be held. */
  #click() {
    if (performance.now() - this.#released < CLICK_MS) return;
    if (this.#clock.running || (this.choices.get('inspection') && !this.busy)) {
      this.#press();
      this.#release();
    } else {
      if (!this.busy) this.reset();
      this.#clock.start(performance.now());
      this.#draw();
    }
    this.show();
  }

  #cancel() {
    if (!this.#clock.cancel()) return;
    this.app.say(t('Cancelled'));
    this.show();
  }

  show() {
    const now = performance.now();
    const clock = this.#clock;
    const inspected = clock.inspectedMs(now);
    this.#calls.follow(inspected);
    this.#askBeforeLeaving(clock.running);
    const state = clock.armed(now) ? 'armed' : clock.state;
    this.#write(inspected !== null ? inspectionText(inspected) : clockText(['held', 'opening'].includes(clock.state) ? 0 : clock.elapsedMs(now)));
    this.hint.textContent = HINTS[state] ?? HINTS.rest;
    const action = clock.running ? t('Stop the clock') : t('Start the clock');
    if (this.action.textContent !== action) this.action.textContent = action;
    if (this.pad.dataset.state === state) return;
    this.pad.dataset.state = state;
    this.pad.classList.toggle('alone', inspected !== null || ['armed', 'running', 'stopped'].includes(state));
    this.giveUp.hidden = state !== 'inspecting';
    this.onState(state);
  }
}
