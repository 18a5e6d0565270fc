// lesson_view.js: one step of a lesson at a time: what it is about, a hint, its moves with pictures, and what each means.

import { element } from '../parts/element.js';
import { Teacher } from '../session/follow.js';
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
  /** The time when the last move was shown. */
  #ended = null;
  /** Another panel is in front: what is lit and how the back is shown is not the lesson's. */
  #away = true;

  /** `calls`: {seek, turn, stop, close} on the way that is shown. */
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
    this.progress = element('progress', { 'aria-label': t('How far the lesson is') });
    this.everybody = element('button', { id: 'lesson-everybody', type: 'button', 'aria-pressed': 'false', onclick: () => this.#teach() }, t('Show this to everybody'));
    this.root = element('section', { id: 'lesson-step', class: 'column wide', 'aria-label': t('Lesson'), hidden: true },
      this.progress, element('div', { class: 'row head' }, this.title, close), this.hold, this.text, this.hint, this.moves, element('div', { class: 'row' }, this.before, this.main, this.turn), this.meaning, letters, learn, this.everybody);
    const { onLook } = app.view;
    app.view.onLook = (look) => {
      onLook?.(look);
      this.#send();
    };
  }

  begin(way) {
    this.#way = way;
    this.#step = -1;
    delete this.about.dataset.stage;
    this.#showBack();
    this.everybody.hidden = !this.app.session || roleOf(this.app.cube) === 'viewer';
  }

  end() {
    if (!this.#way) return;
    this.#stopTeaching();
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
    if (this.#way) this.#putBack();
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
    if (now !== this.#step) this.#revealed = false;
    this.#step = now;
    const step = steps[now];
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
    this.main.textContent = !this.#revealed ? t('Show moves') : over ? (last ? t('End the lesson') : t('Next step')) : within ? t('Next move') : t('First move');
    if (!over || !last) this.#ended = null;
    else this.#ended ??= performance.now();
    this.before.disabled = position <= steps[0].start;
    this.turn.disabled = turning ? false : !may || made >= step.end;
    this.turn.textContent = turning ? t('Stop') : t('Turn my cube');
    this.turning = turning;
    if (!this.#away) this.app.view.mark(seen ? marksOf(step, (at) => playback.stickersAt(at), position, playback.size) : []);
    this.#send();
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
    const { size } = this.#way.playback;
    this.moves.replaceChildren(...step.moves.map((move, i) => {
      const made = position - step.start > i;
      return element('li', {}, element('button', { type: 'button', class: made ? 'made' : '', title: meaningOf(move, size), 'aria-current': position - step.start === i ? 'step' : null, onclick: () => this.calls.seek(step.start + i + 1) },
        pictureOfMove(move, size), element('b', {}, shownMoves(move)), element('span', { class: 'unseen' }, `: ${meaningOf(move, size)}`)));
    }));
  }

  /** Shows the meaning of the next move; or `done`, a text for the end of the step. */
  #showMeaning(step, position, done) {
    this.meaning.hidden = !this.#revealed;
    const move = step.moves[position - step.start];
    this.meaning.textContent = done ?? (move ? `${shownMoves(move)}: ${meaningOf(move, this.#way.playback.size)}` : '');
  }

  /** The large button: shows the moves, makes the next one, or goes to the next step. */
  #go() {
    const { steps } = this.#way;
    const step = steps[this.#step];
    if (!this.#revealed) {
      this.#revealed = true;
      this.#again();
      return this.moves.scrollIntoView({ block: 'nearest' });
    }
    if (this.#at < step.start) return this.calls.seek(step.start);
    if (this.#at < step.end) return this.calls.seek(this.#at + 1);
    if (this.#step === steps.length - 1) return performance.now() - this.#ended > QUICK_MS && this.calls.close();
    this.#step++;
    this.#revealed = false;
    this.title.scrollIntoView({ block: 'nearest' });
    return this.calls.seek(steps[this.#step].start);
  }

  #back() {
    const { steps } = this.#way;
    const { start } = steps[this.#step];
    if (this.#at > start) return this.calls.seek(this.#at - 1);
    if (this.#step === 0) return this.calls.seek(start);
    this.#step--;
    return this.calls.seek(steps[this.#step].end - 1);
  }

  #turn() {
    if (this.turning) this.calls.stop();
    else this.calls.turn(this.#way.steps[this.#step].end);
  }

  /** Shows the same position again. */
  #again() {
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
