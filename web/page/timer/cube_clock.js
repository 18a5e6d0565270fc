// cube_clock.js: the clock for the cube on the page: it starts with the first turn and ends when the cube is solved.
//
// The server records the solves of a session by itself. Those of a cube of this page alone are made here.

import { element } from '../parts/element.js';
import { LocalCube } from '../../client/local.js';
import { Attempt, makes } from './attempt.js';
import { Calls } from './calls.js';
import { Clock, inspectionText, penaltyOfInspection } from './clock.js';
import { drawing, leavingQuestion } from './frames.js';
import { clockText } from './times.js';
import { t } from '../words.js';

const WAITING = t('The clock starts with your first turn.');

/** Most states of an attempt that are compared with a cube whose solution was asked for. */
const STATES = 5000;

const isLayerTurn = (turn, n) => turn.turns !== 0 && !(turn.from === 1 && turn.to === n);

export class CubeClock {
  #attempt = null;
  #states = new Set();
  #clock = new Clock();
  #draw = drawing(() => this.show(), () => this.#clock.running || this.#clock.inspecting);
  #askBeforeLeaving = leavingQuestion();
  #calls;
  #trained = null; // of the attempt: what was asked for, if a step is trained
  #next = null; // the same of the next one
  #inspect = false; // the next scramble begins an inspection
  #scrambling = null; // the place where the button was pressed, until its scramble came

  /**
   * `scrambleOf(size)` asks for a scramble: {size, moves}; of a step that is trained also with `record`, and with `end`:
   * end(stickers) says whether it is done; null: when the cube is solved. `onAttempt(trained)`: another attempt begins,
   * with what was asked for, or null; `onLocal(body, trained)` records a solve of a cube of this page alone;
   * `onRecorded({penalty})` follows one of a session, with the penalty of its inspection; `active()`: whether solves are
   * timed this way.
   */
  constructor({ app, choices, active, scrambleOf, onAttempt, onLocal, onRecorded }) {
    Object.assign(this, { app, choices, active, scrambleOf, onAttempt, onLocal, onRecorded });
    this.#calls = new Calls({ app, choices });
    this.time = element('span', { class: 'time' }, '0.00');
    this.hint = element('span', { class: 'hint' }, '');
    this.button = element('button', { type: 'button', class: 'main', onclick: () => this.#scramble() }, t('Scramble'));
    this.box = element('div', { class: 'face' }, this.time, this.hint, this.button);
    this.running = element('p', { id: 'running', hidden: true }); // on the stage, while another panel is in front
    document.getElementById('stage').append(this.running);
    const follow = { room: () => this.#enter(), turned: (change) => this.#turned(change), entry: (change) => this.#entry(change), solved: () => this.#solved(), assisted: (detail) => this.#assisted(detail), may: () => this.show() };
    for (const [type, listener] of Object.entries(follow)) app.on(type, (detail) => void listener(detail));
    // A cube that was here before is not timed: its solution may have been shown.
    this.show();
  }

  /** Another cube is open. Its only entry may be its scramble; of an earlier visit, its solution may have been shown. */
  #enter() {
    this.#forget();
    this.#expect(null, false);
    this.onAttempt(null);
    const entries = this.app.session ? [] : (this.app.cube.entries ?? []);
    if (entries.length === 1 && entries[0].kind === 'scramble' && Date.parse(entries[0].time) >= performance.timeOrigin) this.#begin(entries[0]);
    this.show();
  }

  /** The case that the current attempt trains, as draw() of the trainer returned it; null if there is no attempt, or a whole
   * solve is timed. */
  get trained() {
    return this.#attempt && this.#trained;
  }

  /** An attempt at a step that is trained does not count any more. */
  giveUp() {
    if (this.#trained) this.#forget();
    this.show();
  }

  #forget() {
    this.#attempt = this.#trained = null;
    this.#states.clear();
    this.#clock = new Clock();
  }

  async #scramble() {
    const { room } = this.app;
    this.#scrambling = room;
    this.show();
    await (room.session ? this.#change({}, null) : this.#scrambleHere(room));
    if (this.#scrambling === room) this.#scrambling = null;
    this.show();
  }

  async #scrambleHere(room) {
    const { app } = this;
    const { size } = room.cube;
    const found = await this.scrambleOf(size).catch(() => null);
    if (app.room !== room || found?.moves === null) return; // nothing is wanted any more
    app.openLocal(new LocalCube({ size: found?.size ?? size }));
    await this.#change(found ? { moves: found.moves } : {}, found?.record ? found : null); // without a server, random turns made here
  }

  /** Scrambles what is open; `trained`: what the attempt will train, or null. */
  async #change(body, trained) {
    this.#expect(trained, this.choices.get('inspection'));
    if ((await this.app.change('scramble', body)) === null) this.#expect(null, false); // it was refused
  }

  /** Sets what the next scramble begins. */
  #expect(trained, inspect) {
    this.#next = trained;
    this.#inspect = inspect;
  }

  #begin(entry) {
    this.#forget();
    const { cube, session } = this.app;
    const inspect = this.#inspect && this.active();
    this.#trained = this.#next;
    this.#expect(null, false);
    this.onAttempt(this.#trained);
    const known = !session && makes(entry.moves, cube.stickers, cube.size);
    this.#attempt = new Attempt({ size: cube.size, scramble: known ? entry.moves : null });
    this.#remember();
    if (inspect) this.#clock.beginInspection(performance.now());
    this.#draw();
    this.show();
  }

  #remember() {
    if (!this.app.session && this.#states.size < STATES) this.#states.add(this.app.cube.facelets);
  }

  /** Starts or stops the clock when the visible cube is turned. Others and the server hear of own turns later, but the
   * clock must not. */
  #turned({ turns }) {
    const { cube } = this.app;
    if (!this.#attempt || !turns.some((turn) => isLayerTurn(turn, cube.size))) return;
    if (!this.#clock.running && this.#clock.result === null) this.#clock.start(performance.now());
    if (this.#clock.running && this.#isDone()) this.#clock.press(performance.now());
    this.#draw();
    this.show();
  }

  #entry({ entry }) {
    if (entry.kind === 'scramble') this.#begin(entry);
    else if (entry.kind === 'reset') {
      this.#forget();
      this.onAttempt(null);
    } else if (this.#attempt && !this.app.session) {
      this.#attempt.turn(entry.moves, performance.now());
      this.#remember();
      if (this.#trained?.end && this.#attempt.started !== null && this.#isDone()) this.#finish();
    }
    this.show();
  }

  #isDone() {
    const { cube } = this.app;
    return this.#trained?.end ? this.#trained.end(cube.stickers) : cube.solved;
  }

  #solved() {
    if (this.#attempt || this.app.session) this.#finish();
  }

  /** The cube is solved, or has reached the end of what is trained. */
  #finish() {
    const inspected = this.#clock.result?.inspection_ms ?? null;
    const attempt = this.#attempt;
    const { result } = this.#clock;
    this.#attempt = null;
    if (result) this.app.say(this.#trained ? t('Done in {time}', { time: clockText(result.time_ms) }) : t('Solved in {time}', { time: clockText(result.time_ms) }));
    if (this.app.session) {
      this.onRecorded({ penalty: inspected === null ? 'none' : penaltyOfInspection(inspected) });
    } else if (attempt?.started != null) {
      attempt.end(performance.now());
      const trained = this.#trained;
      const body = attempt.solve({ whole: !trained?.end });
      if (body) this.onLocal({ ...body, ...(inspected === null ? {} : { inspection_ms: inspected }) }, trained);
    }
    this.show();
  }

  /** A solution or a lesson was asked for. The server marks the attempts of sessions by itself. */
  #assisted(detail) {
    if (!this.#attempt || (detail?.facelets && !this.#states.has(detail.facelets))) return;
    this.#attempt.assisted = true;
    this.show();
  }

  show() {
    const now = performance.now();
    const inspected = this.#clock.inspectedMs(now);
    this.#calls.follow(inspected);
    this.#askBeforeLeaving(this.#clock.running && !this.app.session); // the solves of a session are at the server
    this.time.textContent = inspected === null ? clockText(this.#clock.elapsedMs(now)) : inspectionText(inspected);
    this.running.hidden = !this.#clock.running;
    this.running.textContent = this.time.textContent;
    this.box.dataset.state = this.#clock.running ? 'running' : inspected === null ? 'rest' : 'inspecting';
    this.hint.textContent = this.#hint();
    this.button.disabled = this.#scrambling === this.app.room || !this.app.may.turn;
    this.button.classList.toggle('main', !this.#attempt);
    this.button.textContent = this.#attempt ? t('Scramble again') : t('Scramble');
  }

  #hint() {
    if (this.#attempt?.assisted) return t('A solution was shown: this solve will be marked as assisted.');
    if (this.#clock.running) return this.#trained?.end ? t('It stops when this step is done.') : t('It stops when the cube is solved.');
    if (this.#attempt) return WAITING;
    return this.app.may.turn ? t('Scramble the cube to begin.') : (this.app.may.why ?? '');
  }
}
