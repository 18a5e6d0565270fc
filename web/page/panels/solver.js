// solver.js: finds a way to the solved cube, shows it move by move, and turns the cube by it at a speed that can be
// followed. A lesson is a way in steps, with words.

import { FACES, toFacelets } from '../../client/cube.js';
import { runAction } from '../parts/action.js';
import { Playback } from '../../client/playback.js';
import { prepareCopy, preparePictureCopy } from '../parts/clipboard.js';
import { colourNames, englishNames } from '../cube/colours.js';
import { element } from '../parts/element.js';
import { forgetLesson, keepLesson, keepPlace, keptLesson, putAsideLesson } from '../solver/kept.js';
import { LessonView } from '../solver/lesson_view.js';
import { server } from '../base.js';
import { pictureOf, writeLink } from '../open/links.js';
import { chosenPalette } from '../look.js';
import { meaningOf, pictureOfMove } from '../cube/meaning.js';
import { MoveList } from '../parts/movelist.js';
import { shownMoves } from '../cube/moves.js';
import { stagesTable } from '../solver/stages.js';
import { solve } from '../offline/answers.js';
import { cubed } from '../session/server.js';
import { stepsOf } from '../solver/lesson.js';
import { errorText, t, translated } from '../words.js';

/** The names of the methods. */
const METHODS = { two_phase: t('a short one, at once'), optimal: t('a shortest one'), fewest: t('few moves, as people find them'), beginner: t('as a beginner'), reduction: t('a short one, at once') };
/** Moves a second when the cube itself is turned; of a long way, several moves at once, so that it takes no longer. */
const PACE = 2.5;
const CHANGES_MAX = 100;

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

/** The same promise, but it fails when the signal aborts. */
const orAborted = (promise, signal) => Promise.race([promise, new Promise((done, failed) => signal.addEventListener('abort', () => failed(signal.reason), { once: true }))]);

/** Returns true if a solver is for cubes of this size. */
const isFor = ({ sizes }, n) => n >= sizes.min && n <= sizes.max;

export function preparePanel(app, root) {
  root.classList.add('column');
  return new Solver(app, root);
}

class Solver {
  #search = null;
  /** The solution that was found: {room, revision, answer, moves, steps, playback}. */
  #way = null;
  /** The number of its moves that the cube itself has made, and the moves that are on their way. */
  #done = 0;
  #sent = [];
  #turning = null;
  #stale = false;
  /** True while another panel is in front. */
  #away = true;
  /** True if a solution was found that has not been on the stage. */
  #unseen = false;

  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.solve = element('button', { id: 'solve', type: 'button', class: 'main', onclick: () => this.ask({}) }, t('Solve'));
    this.shortest = element('button', { id: 'shortest', type: 'button', onclick: () => this.ask({ method: 'optimal' }) }, t('Shortest'));
    this.teach = element('button', { id: 'lesson', type: 'button', onclick: () => this.#askLesson() }, t('Lesson'));
    this.stop = element('button', { id: 'stop', type: 'button', hidden: true, onclick: () => this.#search?.abort() }, t('Stop'));
    this.status = element('p', { id: 'found', role: 'status' });
    this.again = element('button', { type: 'button', hidden: true, onclick: () => this.ask(this.#way?.question ?? {}) }, t('Solve again'));
    this.list = new MoveList(t('Solution'), (i) => this.#seek(i + 1));
    this.scrolls = element('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': t('Moves of the solution') }, this.list.root);
    this.next = element('p', { id: 'next-move' });
    this.lesson = new LessonView(app, this.#callsOfLesson());
    this.stages = element('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': t('Stages of the solution'), hidden: true });
    this.plain = element('div', { class: 'column wide' }, this.scrolls, this.next, this.#turningRow(), this.stages);
    this.sharing = this.#sharingRow();
    this.found = element('div', { id: 'way', class: 'column wide', hidden: true }, this.lesson.root, this.plain, this.sharing);
    root.append(element('h2', {}, t('Solver')), element('div', { class: 'row asking' }, this.solve, this.shortest, this.teach, this.stop),
      this.#more(), element('div', { class: 'row said' }, this.status, this.again), this.found);
    this.#listen();
    this.#begin();
  }

  shown() {
    this.#away = false;
    this.lesson.enter();
    if (this.#unseen) this.#present();
    this.#restore();
    this.#show();
  }

  hidden() {
    this.#away = true;
    this.lesson.leave();
    this.#keepPlace();
  }

  #callsOfLesson() {
    return {
      seek: (position) => this.#seek(position),
      play: (until, movesPerSecond) => this.#play(until, movesPerSecond),
      pause: () => this.#way.playback.pause(),
      turn: (until) => this.#turn(until),
      stop: () => this.#stopTurning(),
      close: () => {
        forgetLesson();
        this.#forget('');
      },
    };
  }

  #turningRow() {
    this.one = element('button', { id: 'turn-one', type: 'button', onclick: () => this.#turn(this.#made() + 1) }, t('One move'));
    this.all = element('button', { id: 'turn-all', type: 'button', onclick: () => (this.#turning ? this.#stopTurning() : this.#turn(Infinity)) }, t('All moves'));
    return element('div', { class: 'row', role: 'group', 'aria-label': t('Turn my cube') }, element('span', { class: 'faint' }, t('Turn my cube:')), this.one, this.all);
  }

  #sharingRow() {
    const copied = (label, text) => prepareCopy(element('button', { type: 'button', class: 'quiet' }, label), text);
    const start = () => this.#way.playback.stickersAt(0);
    this.copyText = copied(t('Copy moves'), () => this.#way.answer.solution);
    this.copyLink = copied(t('Copy link'), () => `${server()}/?${writeLink({ alg: this.#way.answer.solution, cube: toFacelets(start()) })}`);
    const picture = (type) => pictureOf({ server: server(), type, size: this.#way.playback.size, facelets: toFacelets(start()) });
    this.copyPicture = preparePictureCopy(element('button', { type: 'button', class: 'quiet' }, t('Copy picture')), () => picture('png'), () => picture('svg'));
    const embed = element('button', { id: 'embed-way', type: 'button', class: 'quiet' }, t('Embed…'));
    embed.onclick = () => runAction(this.app, embed, async () => {
      const { openEmbedding, shownOf } = await import('../dialogs/embed.js');
      const { playback } = this.#way;
      await openEmbedding(this.app, shownOf({ moves: playback.moves, size: playback.size, facelets: toFacelets(start()) }));
    });
    return element('div', { class: 'row' }, this.copyText, this.copyLink, this.copyPicture, embed);
  }

  /** Methods and goals of the server, read when they are asked for. */
  #more() {
    const method = element('select', { id: 'method' });
    const goal = element('select', { id: 'goal' });
    this.first = element('select', { id: 'lesson-first' }, new Option(t('as usual'), ''));
    const go = element('button', { type: 'button', onclick: () => this.ask({ ...(method.value ? { method: method.value } : {}), ...(goal.value ? { until: { name: goal.value } } : {}) }) }, t('Solve like this'));
    const fill = async () => {
      const { size } = this.app.cube;
      const names = colourNames(chosenPalette(this.app.settings).colours);
      const { value } = this.first;
      this.first.replaceChildren(new Option(t('as usual'), ''), ...names.map((name, i) => new Option(name, FACES[i])), new Option(t('the one that is furthest done'), 'any'));
      this.first.value = value;
      try {
        const [{ items: solvers }, { items: patterns }] = await Promise.all([cubed.solvers(), cubed.patterns.list({ size })]);
        method.replaceChildren(new Option(t('as usual'), ''), ...solvers.filter((one) => isFor(one, size)).map(({ name }) => new Option(METHODS[name] ?? name, name)));
        goal.replaceChildren(new Option(t('the solved cube'), ''), ...patterns.filter((one) => isFor(one, size) && one.name !== 'solved').map(({ name, title }) => new Option(title ? translated(title) : name, name)));
      } catch (error) {
        this.app.notify(error);
      }
    };
    const more = element('details', { ontoggle: () => more.open && fill() }, element('summary', { class: 'faint' }, t('Other goals and methods')),
      element('div', { class: 'row' }, element('label', { for: 'goal' }, t('Goal')), goal, element('label', { for: 'method' }, t('Method')), method, go),
      element('div', { class: 'row' }, element('label', { for: 'lesson-first' }, t('First layer of a lesson')), this.first));
    this.app.on('room', () => more.open && fill());
    return more;
  }

  #listen() {
    const { app } = this;
    app.on('room', () => this.#begin());
    app.on('entry', ({ entry }) => this.#follow(entry));
    app.on('state', () => this.#way && this.app.cube.revision !== this.#way.revision && this.#changed());
    app.on('refused', () => this.#refused());
    app.on('turning', () => this.#holdAsShown());
    app.on('shown', () => this.#show());
    app.on('may', () => this.#show());
    app.on('solve', () => this.ask({})); // another panel wants an answer now
    app.on('lesson', () => this.#askLesson());
  }

  /** Another cube is open. */
  #begin() {
    this.#search?.abort();
    if (!this.app.room) return; // it is being opened
    if (this.#way) putAsideLesson();
    this.#forget('');
    const { size } = this.app.cube;
    this.shortest.hidden = size > 3;
    this.teach.hidden = size > 7;
    this.#restore();
  }

  #forget(text) {
    const way = this.#way;
    this.#way = null;
    this.#stopTurning();
    this.lesson.end();
    way?.playback.close();
    if (way && this.app.shown === way.playback) this.app.showNow();
    this.#done = 0;
    this.#sent = [];
    this.#stale = this.#unseen = false;
    this.#say(text);
    this.#show();
  }

  #say(text) {
    this.status.textContent = text;
  }

  // ---- searching ----

  /** With the English names of the colours that are seen, as the lesson is in English; from the layer that was chosen. */
  #askLesson() {
    const colors = englishNames(chosenPalette(this.app.settings).colours).join(',');
    return this.ask({ method: 'beginner', colors, ...(this.first.value ? { first: this.first.value } : {}) });
  }

  async ask(question) {
    const { room, session } = this.app;
    this.#search?.abort();
    forgetLesson();
    this.#forget(t('Searching…'));
    const abort = new AbortController();
    this.#search = abort;
    this.#show();
    try {
      await orAborted(room.cube.settled?.(), abort.signal);
      const { revision, size, facelets } = room.cube;
      this.app.report('assisted', { size, facelets });
      const cube = session ? { session: session.id, at: revision } : { size, facelets };
      const answer = await solve({ cube, state: { size, facelets }, ...question }, { token: session?.token ?? undefined, signal: abort.signal, onProgress: (job) => this.#progress(job) });
      if (this.#search !== abort) return;
      this.#search = null;
      this.#showAnswer({ question, room, revision, answer, size, facelets });
    } catch (error) {
      if (this.#search === abort) {
        this.#search = null;
        this.#say(error.name === 'AbortError' ? '' : errorText(error));
      }
    }
    this.#show();
  }

  #progress({ status, progress: { nodes, best, ahead } }) {
    const waits = ahead > 0 ? t('Waiting for its turn, {n} before it…', { n: ahead }) : t('Waiting for its turn…');
    const looks = best === null ? t('Searching: {n} positions…', { n: nodes }) : t('Searching: {n} positions, {turns} turns so far…', { n: nodes, turns: best });
    this.#say(status === 'queued' ? waits : looks);
  }

  /** Shows the lesson that was under way when the page, or its cube, was left. */
  #restore() {
    const { room, cube } = this.app;
    const kept = this.#away || this.#way || this.#search || !room ? null : keptLesson(this.app);
    if (!kept) return;
    this.#done = kept.done;
    this.#showAnswer({ ...kept, room, revision: cube.revision }, kept);
  }

  /** `place`: that of a lesson that goes on. */
  #showAnswer({ question, room, revision, first = revision, answer, size, facelets }, place = {}) {
    if (answer.solution === null) return this.#say(t('No solution was found in time; none has fewer than {n} turns.', { n: answer.bound }));
    const moves = wordsOf(answer.solution);
    if (moves.length === 0) return this.#say(question.until ? t('The cube is there already.') : t('The cube is solved.'));
    const playback = new Playback({ size, facelets, moves });
    playback.title = answer.lesson ? t('Lesson') : t('Solution');
    playback.seek(place.position ?? 0);
    this.#way = { question, room, revision, first, answer, moves, playback, steps: answer.lesson ? stepsOf(answer) : null };
    playback.subscribe(({ type }) => ['position', 'playing'].includes(type) && this.#show());
    this.list.set(moves, size);
    this.#showStages(stagesTable(answer.stages));
    this.copyLink.hidden = facelets.length > 1000;
    this.copyPicture.hidden = facelets.length > 1000;
    this.#say(this.#summary(answer));
    keepLesson(this.app, this.#way);
    if (this.#way.steps) this.lesson.begin(this.#way, place);
    if (room.cube.revision !== revision) this.#changed();
    this.#present();
    this.#show();
  }

  /** Shows the way from its beginning, a lesson as the cube is held; later, if another panel is in front or the cube was turned. */
  #present() {
    const { playback, steps } = this.#way;
    this.#unseen = this.#away || this.#stale || !this.#isBack();
    if (this.#unseen) return;
    this.app.show(playback);
    playback.seek(Math.max(playback.position, this.#made(), steps?.[0].start ?? 0));
  }

  /** Keeps how far the lesson is. */
  #keepPlace() {
    if (!this.#way?.steps || this.#stale) return;
    const { playback } = this.#way;
    keepPlace({ cube: toFacelets(playback.stickersAt(this.#done)), done: this.#done, position: this.#position(), ...this.lesson.place });
  }

  #showStages(table) {
    this.stages.hidden = table === null;
    this.stages.replaceChildren(...(table ? [table] : []));
  }

  #summary({ metrics, optimal, from_history: fromHistory, stages }) {
    const { length } = this.#way.moves;
    const turns = { n: metrics.htm };
    const count = metrics.htm === length ? [t('{n} turn|{n} turns', turns)] : [t('{n} move|{n} moves', { n: length }), t('{n} turn of outer layers|{n} turns of outer layers', turns)];
    if (this.#way.steps) return [t('{n} step|{n} steps', { n: this.#way.steps.length }), ...count].join(', ');
    const notes = [optimal && t('a shortest solution'), fromHistory && t('by taking back its history'), stages?.length > 1 && t('in {n} stages', { n: stages.length })];
    return `${[...count, ...notes].filter(Boolean).join(', ')}.`;
  }

  // ---- looking ----

  /** Shows the way where the cube itself is in it. */
  #showWay() {
    const { playback } = this.#way;
    this.#unseen = false;
    if (this.app.shown === playback) return;
    playback.seek(this.#made());
    this.app.show(playback);
  }

  /** Makes the moves up to a position on the stage. */
  #play(until, movesPerSecond) {
    this.#stopTurning();
    this.#showWay();
    this.#way.playback.play({ movesPerSecond, until });
  }

  #seek(position) {
    const { playback } = this.#way;
    this.#stopTurning();
    playback.pause();
    this.#showWay();
    const steps = position - playback.position;
    if (Math.abs(steps) === 1) playback.step(steps);
    else playback.seek(position);
  }

  // ---- turning the cube itself ----

  #made() {
    return this.#done + this.#sent.length;
  }

  /** Makes the moves up to a position, one after another. */
  #turn(until) {
    const { moves, playback } = this.#way;
    this.#unseen = false;
    this.#stopTurning();
    playback.pause();
    this.app.showNow();
    const end = Math.min(until, moves.length);
    const step = Math.max(1, Math.ceil((end - this.#made()) / CHANGES_MAX));
    const next = () => {
      const from = this.#made();
      if (this.#stale || from >= end || !this.app.may.turn) return this.#stopTurning();
      const words = moves.slice(from, Math.min(end, from + step));
      this.#sent.push(...words);
      this.app.turn(words.join(' '));
      this.#turning = from + words.length < end ? setTimeout(next, 1000 / PACE) : null;
      return this.#show();
    };
    next();
  }

  #stopTurning() {
    clearTimeout(this.#turning);
    this.#turning = null;
    if (this.#way) this.#show();
  }

  /** A cube that is turned by a key is held as it is shown: a lesson begins with turns of the whole cube. */
  #holdAsShown() {
    const { playback, moves } = this.#way ?? {};
    if (!playback || this.#stale || this.app.shown !== playback || !this.app.may.turn) return;
    const words = moves.slice(this.#made(), playback.position);
    if (words.length === 0 || !words.every((word) => /^[xyz]/.test(word))) return;
    this.#stopTurning();
    this.#sent.push(...words);
    this.app.cube.turn(words.join(' ')).catch(() => {});
  }

  /** The cube is as it is in the way: it was not turned otherwise, or that was taken back. */
  #isBack() {
    const { playback, room } = this.#way;
    return room === this.app.room && toFacelets(playback.stickersAt(this.#done)) === this.app.cube.facelets;
  }

  /** A new entry: the next moves of the way, or something else. */
  #follow({ kind, moves, revision }) {
    if (!this.#way || revision <= this.#way.revision) return;
    if (this.#stale) {
      if (!this.#isBack()) return;
      this.#stale = false;
      this.#way.revision = revision;
      this.#say(this.#summary(this.#way.answer));
      keepLesson(this.app, this.#way);
      if (this.#way.steps) this.#showWay();
      return this.#show();
    }
    const words = kind === 'moves' && moves ? wordsOf(moves) : null;
    const fits = words && words.every((word, i) => word === this.#way.moves[this.#done + i]);
    if (!fits) return this.#changed();
    this.#way.revision = revision;
    this.#done += words.length;
    this.#sent.splice(0, words.length);
    if (this.#done === this.#way.moves.length) this.#say(this.#way.question.until ? t('Done: this was the last move.') : t('Solved: this was the last move.'));
    this.#show();
  }

  #refused() {
    if (!this.#way || this.#sent.length === 0) return;
    this.#sent = [];
    this.#stopTurning();
  }

  #changed() {
    this.#stale = true;
    if (this.#way.steps) forgetLesson();
    this.#sent = [];
    this.#stopTurning();
    this.#say(t('The cube was turned meanwhile. You can still look at this solution.'));
    this.#show();
  }

  // ---- showing ----

  /** Returns the position in the solution that is shown on the stage. */
  #position() {
    const { playback } = this.#way;
    return this.app.shown === playback ? playback.position : this.#made();
  }

  #show() {
    const way = this.#way;
    this.stop.hidden = this.#search === null;
    this.solve.disabled = this.shortest.disabled = this.teach.disabled = this.#search !== null;
    this.found.hidden = way === null;
    this.root.classList.toggle('learning', way?.steps != null && !this.#stale);
    this.again.hidden = !way || !this.#stale;
    if (!way) return;
    const position = this.#position();
    const isLesson = way.steps !== null;
    this.lesson.root.hidden = !isLesson;
    this.plain.hidden = isLesson;
    const left = way.moves.length - this.#made();
    const may = this.app.may.turn && !this.#stale && left > 0;
    this.one.disabled = !may || this.#turning !== null;
    this.all.disabled = !may && this.#turning === null;
    this.all.textContent = this.#turning === null ? (this.#made() > 0 ? t('The remaining {n}', { n: left }) : t('All moves')) : t('Stop');
    if (isLesson) {
      this.lesson.show(position, { made: this.#made(), may, turning: this.#turning !== null, seen: this.app.shown === way.playback || (this.app.shown === this.app.cube && !this.#stale) });
      return this.#keepPlace();
    }
    this.list.show(position);
    const move = way.moves[position];
    this.next.replaceChildren(...(move ? [pictureOfMove(move, way.playback.size), element('span', {}, element('b', {}, `${t('Next: {move}', { move: shownMoves(move) })} `), meaningOf(move, way.playback.size) ?? '')] : [t('This is the end.')]));
    return undefined;
  }
}
