// timer.js: the timer: a clock for the cube on the page or for one in the hand, the solves, their averages and files.

import { element } from '../parts/element.js';
import { scramble } from '../offline/answers.js';
import { cubed } from '../session/server.js';
import { storageOf } from '../settings.js';
import { Book } from '../timer/book.js';
import { Choices, EVENTS, eventOf, eventOfSize, scrambleFor } from '../timer/choices.js';
import { CubeClock } from '../timer/cube_clock.js';
import { FileBox } from '../timer/file_box.js';
import { Scores } from '../timer/scores.js';
import { TimerStage } from '../timer/stage.js';
import { readAverages } from '../timer/statistics.js';
import { Stopwatch } from '../timer/stopwatch.js';
import { readTime, solveText } from '../timer/times.js';
import { isTrainingList, Trainer } from '../trainer/trainer.js';
import { t } from '../words.js';

const NEW_LIST = '\u0000new';
const LIST_BYTES = 200;
const NO_CASE = t('No case is chosen. Choose at least one from the pictures.');
const NO_SCRAMBLE = t('No scramble: the server does not answer.');
/** A scramble with more characters is written smaller: one of a 4x4x4 or of a larger cube. */
const LONG_SCRAMBLE = 100;
const AVERAGES_WANTED = t('Up to four names such as ao25 (an average of 5 to 1000) and mo10 (a mean of 2 to 1000).');
const TIMES_ONLY = t('Only times are kept here: scrambles are made for cubes alone.');

const secondsText = (n) => t('{n} second|{n} seconds', { n });

export function preparePanel(app, root) {
  const timer = new Timer(app, root);
  return { shown: () => timer.shown(), hidden: () => timer.hidden() };
}

class Timer {
  #shown = false;
  #scramble = null; // {value, moves, trained, assisted} for a cube in the hand; `value`: what is timed
  #lists = []; // names of lists in the book

  constructor(app, root) {
    const storage = storageOf();
    this.app = app;
    this.root = root;
    this.choices = new Choices(storage);
    this.book = new Book({ solves: cubed.solves, storage, locks: globalThis.navigator?.locks ?? null, onSaved: (solve) => this.#saved(solve), onRefused: (problem) => app.notify(problem), onWaiting: () => this.scores?.showWaiting() });
    this.trainer = new Trainer({ app, choices: this.choices, applies: () => !this.#ofSession, onOptions: () => this.#showEvents(), onChoice: () => this.#trainOther(), onShown: () => this.#assist(), onPlay: () => this.stage.lend() });
    this.scores = new Scores({ app, solves: cubed.solves, book: this.book, choices: this.choices, waiting: () => this.#waiting(), onRead: (results) => (this.trainer.results = results) });
    this.stopwatch = new Stopwatch({ app, choices: this.choices, active: () => this.#shown && this.byHand, onSolve: (result) => this.#timed(result), onState: (state) => this.#stateOf(state) });
    this.clock = new CubeClock({
      app, choices: this.choices, active: () => !this.byHand,
      scrambleOf: (size) => (this.trains ? this.#drawHere() : scramble({ size })),
      onAttempt: (trained) => this.#attempted(trained),
      onLocal: (body, trained) => this.#solvedHere(body, trained),
      onRecorded: (result) => this.#recorded(result),
    });
    this.files = new FileBox({ app, root, scores: this.scores, words: () => this.#words(), eventFor: () => ({ event: this.event }), importText: (text, options) => this.#import(text, options), mayImport: () => !this.#ofSession });
    this.stage = new TimerStage(app, this.#handBox());
    root.append(this.#modes(), this.#choosers(), this.clock.box, this.trainer.reveal, this.trainer.card.box, this.scores.last, this.#more(), this.scores.box, this.files.box);
    app.on('room', () => this.#open());
    addEventListener('online', () => this.book.send());
    if (this.book.waiting.length > 0) this.book.send();
    this.#open();
  }

  /** 'page' or 'hand': the cube that is timed. Until it is chosen, that of an open session, else one in the hand. */
  get mode() {
    return this.choices.get('mode') ?? (this.app.session ? 'page' : 'hand');
  }

  get byHand() {
    return this.mode === 'hand';
  }

  /** True if the solves are those that the server records for the open cube. */
  get #ofSession() {
    return !this.byHand && this.app.session !== null;
  }

  /** True if a step is trained. The cube of a session is never used for training, since the server records its solves
   * as whole ones. */
  get trains() {
    return !this.#ofSession && this.trainer.training !== null;
  }

  get event() {
    if (this.trains) return 'other';
    return this.byHand ? this.choices.get('event') : eventOfSize(this.app.cube.size);
  }

  /** The list of new solves; null: none. */
  get #list() {
    return this.trains ? this.trainer.training.list : this.choices.get('list');
  }

  /** The value of what is timed, in the list of it. */
  get #timedNow() {
    return this.trainer.training?.value ?? (this.byHand ? this.choices.get('event') : '');
  }

  shown() {
    this.#shown = true;
    this.#takeStage();
    this.scores.read();
    if (this.byHand && !this.#scramble?.moves) this.#newScramble();
  }

  hidden() {
    this.#shown = false;
    this.#takeStage();
  }

  /** The timer stands in place of the cube while a cube in the hand is timed. */
  #takeStage() {
    this.stage.wanted = this.#shown && this.byHand;
  }

  // ---- what is chosen ----

  #modes() {
    const button = (mode, text) => element('button', { type: 'button', 'data-mode': mode, onclick: () => this.#set('mode', mode) }, text);
    this.modes = element('div', { class: 'modes', role: 'group', 'aria-label': t('What is timed') }, button('page', t('Cube on the page')), button('hand', t('Cube in my hand')));
    return this.modes;
  }

  #choosers() {
    this.events = element('select', { 'aria-label': t('Event or training'), onchange: () => this.#choose(this.events.value) });
    this.lists = element('select', { 'aria-label': t('List'), onchange: () => this.#chooseList(this.lists.value) });
    this.newList = element('form', { class: 'row', hidden: true, onsubmit: (event) => this.#makeList(event) },
      element('input', { name: 'list', 'aria-label': t('Name of the new list'), placeholder: t('Name of the new list'), autocomplete: 'off', required: true, maxlength: '60' }), element('button', {}, t('Create')));
    return element('div', { class: 'choosers' }, this.events, this.trainer.place, this.trainer.distance, this.lists, this.newList);
  }

  /** An event, '' for the cube on the page, or something to train. */
  #choose(value) {
    const trained = value.includes(':');
    if (this.trainer.training?.value !== (trained ? value : undefined)) this.trainer.choose(trained ? value : null);
    if (!trained && this.byHand) this.choices.set('event', value);
    this.#trainOther();
  }

  /** Something else is trained: an attempt that is under way does not count. */
  #trainOther() {
    this.clock.giveUp();
    this.#chosen();
  }

  #set(name, value) {
    this.choices.set(name, value);
    this.#chosen();
  }

  #chosen() {
    this.stopwatch.reset();
    this.#open();
    if (this.byHand && (this.trains || this.#scramble?.value !== this.#timedNow)) this.#newScramble();
    if (!this.byHand) this.trainer.begin(this.clock.trained);
  }

  /** Begins or ends the training of a case on the cube of the page. */
  #attempted(trained) {
    if (this.byHand) return;
    if (trained) this.trainer.card.hide();
    this.trainer.begin(trained);
  }

  #chooseList(value) {
    this.newList.hidden = value !== NEW_LIST;
    if (value === NEW_LIST) this.newList.elements.list.focus();
    else this.#set('list', value || null);
  }

  #makeList(event) {
    event.preventDefault();
    const name = this.newList.elements.list.value.trim();
    if (!name || new TextEncoder().encode(name).length > LIST_BYTES) return;
    this.newList.hidden = true;
    this.newList.reset();
    this.#set('list', name);
  }

  #options() {
    const inspection = element('input', { type: 'checkbox', checked: this.choices.get('inspection'), onchange: () => this.choices.set('inspection', inspection.checked) });
    const calls = element('select', { onchange: () => this.choices.set('calls', calls.value) }, [['voice', t('a voice')], ['sound', t('a sound')], ['none', t('nothing~called')]].map(([value, text]) => element('option', { value, selected: this.choices.get('calls') === value }, text)));
    const hold = element('select', { onchange: () => this.choices.set('hold', Number(hold.value)) }, [[0, t('not at all')], [300, secondsText(0.3)], [550, secondsText(0.55)]].map(([value, text]) => element('option', { value, selected: this.choices.get('hold') === value }, text)));
    return element('details', { class: 'options' }, element('summary', {}, t('Options')),
      element('label', {}, inspection, t('Inspection of 15 seconds')),
      element('label', {}, t('Calls at 8 and 12 seconds by'), ' ', calls),
      element('label', {}, t('Hold before the start'), ' ', hold),
      element('label', {}, t('More averages'), ' ', this.#averages()));
  }

  /** The field for more averages, by their names: what cannot be read is not taken. */
  #averages() {
    const input = element('input', { class: 'averages-asked', placeholder: 'ao25, mo10', autocomplete: 'off', spellcheck: 'false', value: this.choices.get('averages').join(', '), onchange: () => {
      const names = readAverages(input.value);
      input.setCustomValidity(names ? '' : AVERAGES_WANTED);
      if (!input.reportValidity()) return;
      this.choices.set('averages', names);
      this.scores.read();
    }, oninput: () => input.setCustomValidity('') });
    return input;
  }

  // ---- a cube in the hand ----

  #handBox() {
    this.scrambleText = element('p', { class: 'scramble', 'aria-live': 'polite' });
    this.picture = element('img', { class: 'picture', alt: '', hidden: true, onerror: () => (this.picture.hidden = true) }); // drawn by the server
    this.nextScramble = element('button', { type: 'button', class: 'quiet', onclick: () => this.#skip() }, t('New scramble'));
    return [element('div', { class: 'scrambled' }, this.scrambleText, this.nextScramble, this.picture), this.stopwatch.pad, this.stopwatch.giveUp];
  }

  #skip() {
    this.trainer.card.hide();
    this.#newScramble();
  }

  async #newScramble() {
    this.stage.takeBack();
    const query = this.trains ? {} : scrambleFor(this.event);
    const asked = { value: this.#timedNow, moves: null };
    this.#scramble = asked;
    this.trainer.begin(null);
    this.nextScramble.hidden = query === null;
    this.picture.hidden = true;
    this.scrambleText.textContent = query === null ? TIMES_ONLY : t('Scramble…');
    this.scrambleText.classList.remove('long');
    if (query === null) return;
    const found = await (this.trains ? this.trainer.draw() : scramble(query)).catch(() => null);
    if (asked !== this.#scramble) return; // another one is wanted by now
    const { moves = null, size } = found ?? {};
    if (found?.record) Object.assign(asked, { trained: found });
    asked.moves = moves;
    this.scrambleText.textContent = moves ?? (found ? NO_CASE : NO_SCRAMBLE);
    this.scrambleText.classList.toggle('long', moves?.length > LONG_SCRAMBLE);
    if (this.byHand) this.trainer.begin(asked.trained ?? null);
    if (moves) Object.assign(this.picture, { src: cubed.pictureUrl({ size, moves, view: 'net' }), hidden: false });
  }

  async #drawHere() {
    const drawn = await this.trainer.draw().catch(() => null);
    if (!drawn?.moves) this.app.notify(drawn ? NO_CASE : NO_SCRAMBLE);
    return drawn ?? { moves: null };
  }

  /** Marks the solve as assisted, since a solution or a lesson of it was shown. */
  #assist() {
    const { cube } = this.app;
    if (this.byHand) this.#scramble.assisted = true;
    else this.app.report('assisted', { size: cube.size, facelets: cube.facelets });
  }

  #stateOf(state) {
    if (state !== 'rest') this.stage.takeBack();
  }

  #timed({ time_ms: time, inspection_ms: inspection }) {
    this.#record({ time_ms: time, ...(inspection === null ? {} : { inspection_ms: inspection }), ...this.#ofHand() });
    this.#nextByHand();
  }

  #ofHand() {
    const { moves = null, trained, assisted } = this.#scramble ?? {};
    const what = trained?.record ?? { event: this.event, ...(this.trains ? { size: this.trainer.training.size } : {}) };
    return { ...what, ...(moves ? { scramble: moves } : {}), ...(assisted ? { assisted } : {}) };
  }

  #nextByHand() {
    const { trained } = this.#scramble ?? {};
    if (trained?.moves) this.trainer.solved(trained);
    if (this.#scramble) this.#newScramble();
  }

  // ---- a time as text, and options ----

  #more() {
    this.typed = element('input', { name: 'time', 'aria-label': t('Time~typed'), placeholder: '12.34, 1:02.3, 12.34+, DNF', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'timer-fault', oninput: () => this.#fault('') });
    this.typedFault = element('p', { id: 'timer-fault', class: 'fault', role: 'alert', hidden: true });
    this.typing = element('details', { class: 'typing' }, element('summary', {}, t('Enter a time')),
      element('form', { class: 'row', onsubmit: (event) => this.#enterTime(event) }, this.typed, element('button', {}, t('Add'))), this.typedFault);
    return element('div', { class: 'more' }, this.trainer.cases.box, this.typing, this.#options());
  }

  #fault(text) {
    this.typedFault.textContent = text;
    this.typedFault.hidden = text === '';
    if (text) this.typed.setAttribute('aria-invalid', 'true');
    else this.typed.removeAttribute('aria-invalid');
  }

  #enterTime(event) {
    event.preventDefault();
    const read = readTime(this.typed.value);
    if (!read) return this.#fault(t('This is not a time. Write 12.34, 1:02.3, 12.34+ (with the 2 seconds), DNF or DNF(12.34).'));
    this.typed.value = '';
    const { time_ms: time, penalty } = read;
    this.#record({ penalty, ...(time === null ? {} : { time_ms: time }), ...this.#ofHand() });
    this.#nextByHand();
  }

  // ---- recording ----

  #record(body) {
    const list = this.#list;
    this.book.add({ ...(list === null ? {} : { list }), ...body });
  }

  /** A cube of this page alone is solved, or what was trained on it is reached. */
  #solvedHere(body, trained) {
    const list = this.choices.get('list');
    this.book.add({ ...body, ...(trained?.record ?? { event: eventOfSize(body.size), ...(list === null ? {} : { list }) }) });
    if (trained) this.trainer.solved(trained);
  }

  async #saved(solve) {
    if (!this.#ofSession && this.scores.source?.query?.token !== this.book.key?.token) await this.#open(); // the first one of a book
    else await this.scores.add(solve);
    if (solve.list && !isTrainingList(solve.list) && !this.#lists.includes(solve.list)) this.#readLists();
    this.#shownTime(solve);
  }

  /** The clock shows what counts: also a penalty. */
  #shownTime(solve) {
    if (this.byHand && this.scores.shows(solve)) this.stopwatch.showTime(solveText(solve));
  }

  /** A session's solve was recorded by the server. The inspection is known only here. */
  async #recorded({ penalty }) {
    const { session } = this.app;
    if (penalty !== 'none') {
      const { items: [solve] } = await cubed.solves.list({ session: session.id, token: session.token, limit: 1 }).first().catch(() => ({ items: [] }));
      if (solve) await cubed.solves.change(solve.id, { penalty }, { token: session.token }).catch((error) => this.app.notify(error));
    }
    if (this.#ofSession) await this.scores.read();
  }

  #waiting() {
    if (this.#ofSession) return [];
    const list = this.#list;
    return this.book.waiting.filter(({ body }) => body.event === this.event && (list === null || body.list === list));
  }

  async #import(text, options) {
    const list = this.#list;
    const answer = await this.book.import(text, { ...options, ...(list === null ? {} : { list }) });
    await this.#open();
    return answer;
  }

  #words() {
    if (this.trains) return [this.trainer.training.list];
    return [eventOf(this.event).name, ...(this.choices.get('list') && !this.#ofSession ? [this.choices.get('list')] : [])];
  }

  // ---- showing ----

  /** Shows what fits what is chosen and open. */
  async #open() {
    this.#takeStage();
    for (const button of this.modes.children) button.setAttribute('aria-pressed', String(button.dataset.mode === this.mode));
    this.typing.hidden = !this.byHand;
    this.clock.box.hidden = this.byHand;
    this.events.hidden = this.#ofSession;
    this.#showEvents();
    this.trainer.show();
    this.lists.hidden = this.#ofSession || this.trains;
    if (this.lists.hidden) this.newList.hidden = true;
    this.#showLists();
    if (!this.trains) this.trainer.card.hide();
    this.clock.show();
    await Promise.all([this.scores.open(this.#source()), this.#readLists()]);
    this.files.show();
  }

  #source() {
    const { session } = this.app;
    if (this.#ofSession) return { query: { session: session.id, token: session.token, event: this.event }, none: t('No solves of this cube yet. Scramble it and solve it: the server records the time.') };
    const { token } = this.book.key ?? {};
    const list = this.#list;
    const none = `${list ? t('No solves in {list} yet.', { list }) : t('No solves yet.')} ${t('Your times are private: only this browser sees them.')}`;
    return { query: token ? { token, event: this.event, ...(list === null ? {} : { list }) } : null, none };
  }

  /** Lists the events that can be timed. */
  #showEvents() {
    const option = ([value, words]) => element('option', { value, selected: value === this.#timedNow }, words);
    const eventsOf = (isCube) => EVENTS.filter(({ size }) => (size !== null) === isCube).map(({ id, name }) => [id, t(name)]);
    const whole = this.byHand ? [[t('Whole solves'), eventsOf(true)], [t('Other puzzles: times only'), eventsOf(false)]] : [];
    this.events.replaceChildren(...(this.byHand ? [] : [option(['', t('Whole solves')])]),
      ...[...whole, ...this.trainer.options].filter(([, options]) => options.length > 0).map(([label, options]) => element('optgroup', { label }, options.map(option))));
  }

  async #readLists() {
    const { token } = this.book.key ?? {};
    if (!token) return;
    const { items } = await cubed.solves.stats({ token, group_by: 'list' }).catch(() => ({ items: [] }));
    this.#lists = [...new Set(items.map(({ list }) => list).filter((list) => list && !isTrainingList(list)))].sort((a, b) => a.localeCompare(b));
    this.#showLists();
  }

  #showLists() {
    const chosen = this.choices.get('list');
    const names = [...new Set([...this.#lists, ...(chosen === null ? [] : [chosen])])];
    const option = (value, text) => element('option', { value, selected: value === (chosen ?? '') }, text);
    this.lists.replaceChildren(option('', t('All lists')), ...names.map((name) => option(name, name)), option(NEW_LIST, t('New list…')));
  }
}
