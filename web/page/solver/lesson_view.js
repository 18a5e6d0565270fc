// lesson_view.js: one step of a lesson at a time: what it is about, a hint, its moves with pictures, and what each means.
// For somebody who holds a cube in both hands, one press, swipe or word is enough for what comes next: the moves play by
// themselves, and a step that is made like an earlier one shows its algorithm as a whole.

import { element } from '../parts/element.js';
import { Teacher } from '../session/follow.js';
import { LessonControls } from './controls.js';
import { marksOf, marksOfCue, stepAt } from './lesson.js';
import { chosenPalette } from '../look.js';
import { meaningOf, pictureOfMove } from '../cube/meaning.js';
import { shownMoves } from '../cube/moves.js';
import { roleOf } from '../session/rights.js';
import { t } from '../words.js';

/** The meaning of the letters of moves. */
const LETTERS = [
  ['U D', t('top and bottom (up, down)')],
  ['R L', t('right and left side')],
  ['F B', t('front and back')],
  ['x y z', t('the whole cube, as R, U or F turns')],
  ['R', t('clockwise, as seen from that side')],
  ['R′', t('counterclockwise')],
  ['R2', t('half a turn')],
];

/** A press of the button so soon after the last move was meant for one more move. */
const QUICK_MS = 600;
const SOLVED_IN_HAND = t('Solved! The cube in your hand should look like this one now.');
const SOLVED_HERE = t('Solved! Your own cube is as it was: “Turn my cube” makes the moves, or you do.');

/** Stages whose aim is drawn with the first layer on top. */
const UPSIDE_DOWN = ['cross', 'first-layer'];

export class LessonView {
  #way = null;
  #step = -1;
  #revealed = false;
  #teacher = null;
  #at = 0;
  /** The step whose cards are shown. */
  #dealt = null;
  /** The time when the last move was shown. */
  #ended = null;
  /** Another panel is in front: what is lit and how the back is shown is not the lesson's. */
  #away = true;

  /** `calls`: {seek, play, pause, turn, stop, close} on the way that is shown. */
  constructor(app, calls) {
    this.app = app;
    this.calls = calls;
    this.title = element('h2', { class: 'title' });
    const close = element('button', { id: 'lesson-close', type: 'button', class: 'icon', 'aria-label': t('End the lesson'), title: t('End the lesson'), onclick: () => this.calls.close() }, '×');
    this.hold = element('p', { id: 'lesson-hold' });
    this.text = element('p', { id: 'lesson-text' });
    this.hint = element('p', { id: 'lesson-hint' });
    this.moves = element('ol', { class: 'cards', 'aria-label': t('Moves of this step') });
    this.meaning = element('p', { id: 'lesson-meaning', role: 'status' });
    this.main = element('button', { id: 'lesson-main', type: 'button', class: 'main', onclick: () => this.#go() });
    this.before = element('button', { id: 'lesson-back', type: 'button', onclick: () => this.#back() }, t('Back~step'));
    this.turn = element('button', { id: 'lesson-turn', type: 'button', onclick: () => this.#turn() }, t('Turn my cube'));
    this.about = element('div', { class: 'column wide' });
    const learn = element('details', { id: 'lesson-about' }, element('summary', { class: 'faint' }, t('About this stage')), this.about);
    const letters = element('details', { id: 'lesson-letters' }, element('summary', { class: 'faint' }, t('What the letters mean')),
      element('dl', { class: 'key-list' }, LETTERS.map(([keys, words]) => [element('dt', {}, keys.split(' ').map((key) => element('kbd', {}, key))), element('dd', {}, words)])));
    this.controls = new LessonControls({ next: () => this.#next(), back: () => this.#back(), pause: () => this.calls.pause(), play: () => this.#play() }, () => this.#again());
    this.progress = element('progress', { 'aria-label': t('How far the lesson is') });
    this.everybody = element('button', { id: 'lesson-everybody', type: 'button', 'aria-pressed': 'false', onclick: () => this.#teach() }, t('Show this to everybody'));
    this.root = element('section', { id: 'lesson-step', class: 'column wide', 'aria-label': t('Lesson'), hidden: true },
      this.progress, element('div', { class: 'row head' }, this.title, close), this.hold, this.text, this.hint, this.moves, element('div', { class: 'row' }, this.before, this.main, this.turn), this.meaning, this.controls.root, letters, learn, this.everybody);
    this.controls.listen(this.root);
    const { onLook } = app.view;
    app.view.onLook = (look) => {
      onLook?.(look);
      this.#send();
    };
  }

  /** `place`: {step, revealed} of a lesson that goes on. */
  begin(way, { step = -1, revealed = false } = {}) {
    this.#way = way;
    this.#step = step;
    this.#revealed = revealed;
    this.#dealt = null;
    delete this.about.dataset.stage;
    this.#showBack();
    this.everybody.hidden = !this.app.session || roleOf(this.app.cube) === 'viewer';
  }

  end() {
    if (!this.#way) return;
    this.#stopTeaching();
    this.controls.end();
    this.#way = null;
    if (!this.#away) this.#putBack();
    this.root.hidden = true;
  }

  /** The panel comes to the front; the solver shows the present step. */
  enter() {
    this.#away = false;
    if (this.#way) this.#showBack();
  }

  /** Another panel comes to the front. */
  leave() {
    this.#away = true;
    this.controls.end();
    if (!this.#way) return;
    this.calls.pause();
    this.#putBack();
  }

  /** The part of the state that a reload keeps. */
  get place() {
    return { step: this.#step, revealed: this.#revealed, front: !this.#away };
  }

  /** A goal may be at the back. */
  #showBack() {
    if (!this.#away && this.app.settings.get('back') === 'none') this.app.view.set({ back: true });
  }

  #putBack() {
    this.app.view.mark([]);
    this.app.view.set({ back: this.app.settings.get('back') === 'view' });
  }

  /** `position`: on the stage; `made`: moves that the cube itself has made; `seen`: the way is on the stage. */
  show(position, { made, may, turning, seen }) {
    const { steps, playback } = this.#way;
    this.#at = position;
    const now = this.#stepShown(position);
    const step = steps[now];
    if (now !== this.#step) this.#revealed = step.known;
    this.#step = now;
    const over = position === step.end;
    const within = position > step.start;
    if (within) this.#revealed = true;
    Object.assign(this.progress, { max: steps.length, value: now + (over ? 1 : 0) });
    this.title.textContent = [step.of > 1 ? t('{title}, {i} of {n}', { title: step.title, i: step.number, n: step.of }) : step.title, t('step {i} of {n}', { i: now + 1, n: steps.length })].join(' · ');
    this.hold.textContent = step.hold;
    this.text.textContent = step.text;
    this.hint.textContent = step.hint;
    this.#showAbout(step);
    this.hint.hidden = this.#revealed;
    this.text.hidden = !this.#revealed;
    this.#showMoves(step, position);
    const last = now === steps.length - 1;
    const { session, cube } = this.app;
    const inHand = !session && cube.revision === 0; // it was painted, and never turned here
    const solved = made >= step.end ? t('Solved!') : inHand ? SOLVED_IN_HAND : SOLVED_HERE;
    this.#showMeaning(step, position, over ? (last ? solved : t('This step is done.')) : null);
    this.main.textContent = this.#label({ over, last, within });
    if (!over || !last) this.#ended = null;
    else this.#ended ??= performance.now();
    this.before.disabled = position <= steps[0].start;
    this.turn.disabled = turning ? false : !may || made >= step.end;
    this.turn.textContent = turning ? t('Stop') : t('Turn my cube');
    this.turning = turning;
    if (!this.#away) this.app.view.mark(seen ? marksOf(step, (at) => playback.stickersAt(at), position, playback.size) : []);
    this.#send();
  }

  /** Names what the large button does. */
  #label({ over, last, within }) {
    if (!this.#revealed) return t('Show moves');
    if (this.#way.playback.playing) return t('Pause');
    if (over) return last ? t('End the lesson') : t('Next step');
    if (this.#pace > 0) return within ? t('Go on') : t('Play moves');
    return this.#now.known && this.#now.end - this.#at > 1 ? t('All moves') : within ? t('Next move') : t('First move');
  }

  get #now() {
    return this.#way.steps[this.#step];
  }

  /** Moves a second; 0: each waits for a press. */
  get #pace() {
    return this.controls.paceOf(this.#now);
  }

  /** The step under way; one that was just finished stays until the next one is wanted. */
  #stepShown(position) {
    const { steps } = this.#way;
    const next = stepAt(steps, position);
    const at = next > 0 && position < steps[next].start && this.#step < next ? next - 1 : next;
    const finished = this.#step >= 0 && position === steps[this.#step]?.end;
    return finished ? this.#step : at;
  }

  /** The aim of the stage, its algorithms, and what to know once. */
  #showAbout({ stage, aim, picture, algorithms }) {
    if (this.about.dataset.stage === stage) return;
    this.about.dataset.stage = stage;
    const colors = chosenPalette(this.app.settings).colours.map((colour) => colour.slice(1)).join(',');
    // Pictures are drawn by the server.
    const drawn = picture && element('img', { src: `${picture}&pixels=140&colors=${colors}`, alt: '', width: 140, height: 140, loading: 'lazy' });
    this.about.replaceChildren(element('p', {}, aim), ...(drawn ? [drawn] : []),
      ...(drawn && UPSIDE_DOWN.includes(stage) ? [element('p', { class: 'faint' }, t('The picture shows the cube upside down.'))] : []),
      ...algorithms.map(({ name, moves, text }) => element('p', {}, element('b', {}, `${name}: ${shownMoves(moves)}. `), text)),
      element('h3', {}, t('How to read moves')), ...this.#way.answer.lesson.introduction.map((text) => element('p', {}, text)));
  }

  #showMoves(step, position) {
    this.moves.hidden = !this.#revealed;
    if (!this.#revealed) return;
    if (this.#dealt !== step) this.#deal(step);
    for (const { button, from, to } of this.cards) {
      button.className = position >= to ? 'made' : '';
      if (position >= from && position < to) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
  }

  /** Makes a card for each move; for an algorithm that is known, one for the whole. */
  #deal(step) {
    const { size } = this.#way.playback;
    const { setup, algorithm, times, name } = step.parts;
    const card = (from, to, ...parts) => ({ from, to, button: element('button', { type: 'button', onclick: () => this.calls.seek(to) }, parts) });
    const single = (move, i) => {
      const one = card(step.start + i, step.start + i + 1, pictureOfMove(move, size), element('b', {}, shownMoves(move)), element('span', { class: 'unseen' }, `: ${meaningOf(move, size)}`));
      one.button.title = meaningOf(move, size);
      return one;
    };
    const isWhole = step.known && algorithm.length > 1;
    const whole = () => card(step.start + setup.length, step.end, element('b', {}, shownMoves(algorithm.join(' ')), times > 1 ? ` × ${times}` : ''), name && element('span', {}, name));
    this.cards = isWhole ? [...setup.map(single), whole()] : step.moves.map(single);
    this.moves.replaceChildren(...this.cards.map(({ button }) => element('li', {}, button)));
    if (isWhole) this.text.before(this.moves); // the words are known, and a phone has little room
    else this.hint.after(this.moves);
    this.#dealt = step;
  }

  /** Shows the meaning of the next move; or `done`, a text for the end of the step. */
  #showMeaning(step, position, done) {
    this.meaning.hidden = !this.#revealed;
    const move = step.moves[position - step.start];
    this.meaning.textContent = done ?? (move ? `${shownMoves(move)}: ${meaningOf(move, this.#way.playback.size)}` : '');
  }

  /** The large button: shows the moves, makes them or the next one, or goes to the next step. */
  #go() {
    if (!this.#revealed) return this.#reveal();
    if (this.#way.playback.playing) return this.calls.pause();
    return this.#at < this.#now.end ? this.#advance() : this.#nextStep();
  }

  #reveal() {
    this.#revealed = true;
    this.#again();
    this.moves.scrollIntoView({ block: 'nearest' });
    if (this.#pace > 0) this.#advance();
  }

  /** Makes the moves of the step that are left; or only the next one. */
  #advance() {
    const { start, end, known } = this.#now;
    if (this.#at < start) this.calls.seek(start);
    else if (this.#pace === 0) return this.calls.seek(known ? end : this.#at + 1);
    return this.#pace > 0 && this.calls.play(end, this.#pace);
  }

  /** Plays the moves that are left; of a step that is done, all of them once more. */
  #play() {
    this.#revealed = true;
    const { start, end } = this.#now;
    if (this.#at < start || this.#at >= end) this.calls.seek(start);
    this.calls.play(end, this.#pace || this.controls.paceOf(this.#now, 'normal'));
  }

  /** Goes on by one sign, a swipe or a word: the moves, then the next step, also while they play. */
  #next() {
    if (!this.#revealed || this.#pace === 0) return this.#go();
    return this.#nextStep();
  }

  #nextStep() {
    const { steps } = this.#way;
    if (this.#step === steps.length - 1) {
      if (this.#at < this.#now.end) return this.calls.seek(this.#now.end);
      return performance.now() - this.#ended > QUICK_MS && this.calls.close();
    }
    this.#step++;
    this.#revealed = this.#now.known;
    this.title.scrollIntoView({ block: 'nearest' });
    this.calls.seek(this.#now.start);
    return this.#revealed && this.#pace > 0 && this.#advance();
  }

  /** Takes back one move, or goes to the beginning of this step or of the one before. */
  #back() {
    const { start } = this.#now;
    const backTo = (at) => (this.#pace === 0 && !this.#now.known ? at - 1 : this.#now.start);
    if (this.#at > start) return this.calls.seek(backTo(this.#at));
    if (this.#step === 0) return this.calls.seek(start);
    this.#step--;
    this.#revealed = true;
    return this.calls.seek(backTo(this.#now.end));
  }

  #turn() {
    if (this.turning) this.calls.stop();
    else this.calls.turn(this.#way.steps[this.#step].end);
  }

  /** Stops what moves, and shows the same position again. */
  #again() {
    this.calls.pause();
    this.calls.stop();
  }

  // ---- for everybody ----

  #teach() {
    if (this.#teacher) return this.#stopTeaching();
    this.#teacher = new Teacher(this.app, () => this.#stopTeaching());
    this.app.teaching = true;
    this.everybody.setAttribute('aria-pressed', 'true');
    this.everybody.textContent = t('Everybody sees this. Stop');
    return this.#send();
  }

  #stopTeaching() {
    this.#teacher?.end();
    this.#teacher = null;
    this.app.teaching = false;
    this.everybody.setAttribute('aria-pressed', 'false');
    this.everybody.textContent = t('Show this to everybody');
  }

  #send() {
    if (!this.#teacher || !this.#way || this.#step < 0) return;
    const { playback, first } = this.#way;
    const step = this.#way.steps[this.#step];
    const { yaw, pitch } = this.app.view.looking;
    this.#teacher.show({
      title: this.title.textContent,
      text: [step.hold, this.#revealed ? step.text : step.hint].filter(Boolean).join(' ').slice(0, 500),
      revision: first,
      moves: playback.moves.join(' '),
      position: this.#at,
      look: { yaw, pitch },
      marks: marksOfCue(marksOf(step, (at) => playback.stickersAt(at), this.#at, playback.size)),
    });
  }
}
