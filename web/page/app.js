// app.js: what is open, what is shown, and what may be done: the one object that all panels share.
//
// There is always a cube: one of this page alone (LocalCube), or the live cube of a session (LiveCube). The stage shows
// this cube, or for a while something else: a moment of its history, a solution, a painted cube. Panels ask and listen;
// they do not know each other.

import { moveOf } from './cube/moves.js';
import { errorText, t } from './words.js';

export const NOT_LOADED = t('This part of the page could not be loaded.');

/** Returns the rights for a cube of this page alone. */
export const rightsAlone = ({ undoable, redoable }) => ({ turn: true, own: true, undo: undoable > 0, redo: redoable > 0, why: null });

export class App {
  #listeners = new Map();
  #notify;
  #panels = null;
  #opening = new AbortController(); // of the cube that is being opened
  #aside = null; // the model shown instead of the cube

  /**
   * `view` shows models (clients/js/src/view), `notify(text, action)` writes to the eye.
   */
  constructor({ view, settings, notify }) {
    this.view = view;
    this.settings = settings;
    this.#notify = notify;
    this.room = null;
    /** Cubes that were left while something waited for the server. */
    this.left = new Set();
    /** True while this page shows a lesson to all who watch the cube. */
    this.teaching = false;
    /** True once the page works without a network (offline/). */
    this.independent = false;
    /** True while something else stands in place of the cube, which then no key turns. */
    this.covered = false;
    this.may = { turn: false, own: false, undo: false, redo: false };
    view.onTurn = (turn) => this.pressTurn(turn, { hand: true });
  }

  /** The panels call the app, and the app the panels. */
  set panels(panels) {
    this.#panels = panels;
  }

  // ---- what is open and shown ----

  /** Null until the first one is open, as the room is. */
  get cube() {
    return this.room?.cube ?? null;
  }

  get session() {
    return this.room?.session ?? null;
  }

  /** The model on the stage. */
  get shown() {
    return this.#aside ?? this.cube;
  }

  /** Shows another model than the cube: a moment of its past, a solution, a painted cube. */
  show(model) {
    this.#aside = model === this.room.cube ? null : model;
    this.view.show(this.shown);
    this.#changed();
    this.report('shown', this.shown);
  }

  /** Shows the cube again as it is now. */
  showNow() {
    if (this.#aside) this.show(this.room.cube);
  }

  // ---- turning ----

  /**
   * Turns the cube by moves as text. If something else is shown, the cube is shown first. `at`: when a single move was
   * made, in milliseconds, which times the solve; `hand`: the view shows it already. Resolves when the moves are kept,
   * with null if they are refused, which is reported.
   */
  async turn(moves, { notation, hand = false, at } = {}) {
    this.report('turning');
    this.showNow();
    if (!this.may.turn) return this.#refuseTurn();
    const timed = at === undefined ? moves : `${moves}@${Math.round(at)}`;
    return this.cube.turn(timed, { notation, hand }).catch(() => null);
  }

  /** A single move by key, button or hand, with its time. */
  press(move, options = {}) {
    return this.turn(move, { at: performance.now(), ...options });
  }

  /** The same for a turn of layers. */
  pressTurn(turn, options = {}) {
    return this.press(moveOf(turn, this.cube.size), options);
  }

  undo() {
    this.showNow();
    return this.may.undo ? this.cube.undo().catch(() => null) : this.notify(t('There is nothing to take back.'));
  }

  redo() {
    this.showNow();
    return this.may.redo ? this.cube.redo().catch(() => null) : this.notify(t('There is nothing to do again.'));
  }

  /** 'scramble' or 'reset'; `body` as LiveCube takes it. */
  change(kind, body) {
    this.showNow();
    return this.may.turn ? this.cube[kind](body).catch(() => null) : this.#refuseTurn();
  }

  #refuseTurn() {
    this.notify(this.may.why ?? t('You are watching this cube.'), { action: { label: t('Friends'), run: () => this.panel('friends') } });
    this.view.redraw();
    return null;
  }

  // ---- opening ----

  /**
   * Begins to open another cube: what was being opened until now is not opened any more. The signal aborts when the same
   * happens to this one.
   */
  beginOpening() {
    this.#opening.abort();
    this.#opening = new AbortController();
    return this.#opening.signal;
  }

  /**
   * Opens a cube of this page alone. `link`: what is known of it if it is that of a link (links.js); `guest`: it does not
   * replace the cube that this browser keeps.
   */
  openLocal(cube, { link = null, guest = link !== null } = {}) {
    cube.read ??= async (...all) => (await import('./cube/plain.js')).typedMoves(...all);
    this.#opening.abort();
    this.enter({ session: null, cube, link, guest, rightsOf: rightsAlone, leave: cube.subscribe((change) => this.receive(change)) });
  }

  /** Shows another cube than before. `room`: {session, cube, link, guest, rightsOf, leave}; leave() may be called twice. */
  enter(room) {
    this.room?.leave();
    this.room = room;
    this.teaching = false; // a lesson is shown to those of one cube
    this.#aside = null;
    this.view.show(room.cube);
    this.#changed();
    this.report('room', room);
    this.report('shown', this.shown);
    this.report('status');
  }

  /** The number of changes without an answer, including those of cubes that were left. */
  get unanswered() {
    return [...this.left, this.cube].reduce((sum, cube) => sum + (cube?.waiting ?? 0), 0);
  }

  // ---- what happens to the cube ----

  /** Something happened to the cube that is open. */
  receive(change) {
    if (change.type === 'refused') this.#refused(change);
    if (change.type === 'ended') this.room.leave();
    this.#changed();
    this.report(change.type, change);
  }

  #refused({ problem, changes }) {
    const handled = this.report('fault', { problem, changes });
    if (!handled) this.notify(problem);
  }

  /** Updates the rights, which can change with every event. */
  #changed() {
    const now = this.room.rightsOf(this.cube);
    const same = Object.keys({ ...now, ...this.may }).every((name) => now[name] === this.may[name]);
    this.may = now;
    this.view.set({ grip: now.turn && !this.#aside ? 'turn' : 'look' });
    if (!same) this.report('may', now);
  }

  // ---- reports ----

  /** Writes one calm line to the eye; null removes it. `action`: {label, run}. */
  notify(message, { action = null } = {}) {
    this.#notify(message instanceof Error ? errorText(message) : message, action);
  }

  /** Says something to a screen reader: announce.js listens. */
  say(text) {
    this.report('say', text);
  }

  /** Loads a part of the page, and uses it. What does not come is loaded again when the network is back, or by a button. */
  need(load, use) {
    return load().then(use, () => new Promise((again) => {
      addEventListener('online', again, { once: true });
      this.notify(NOT_LOADED, { action: { label: t('Try again'), run: () => dispatchEvent(new Event('online')) } });
    }).then(() => {
      this.notify(null);
      return this.need(load, use);
    }));
  }

  /** The name of the panel in front. */
  get front() {
    return this.#panels.shown;
  }

  /** Brings a panel to the front. */
  panel(name) {
    return this.#panels.show(name);
  }

  /** Calls the listener with what happened, by type. Returns a function that ends this. */
  on(type, listener) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, new Set());
    this.#listeners.get(type).add(listener);
    return () => this.#listeners.get(type).delete(listener);
  }

  /** Calls the listeners of a type; returns whether one of them returned true: it has dealt with it. */
  report(type, detail = null) {
    let handled = false;
    for (const listener of [...(this.#listeners.get(type) ?? [])]) handled = listener(detail) === true || handled;
    return handled;
  }
}
