// timer.js: the timer: a clock for the cube on the page or for one in the hand, the solves, their averages and files.

import { element } from '../element.js';
import { cubed } from '../server.js';
import { storageOf } from '../settings.js';
import { Book } from '../timer/book.js';
import { Choices, EVENTS, eventOf, eventOfSize, scrambleFor } from '../timer/choices.js';
import { CubeClock } from '../timer/cube_clock.js';
import { FileBox } from '../timer/file_box.js';
import { Scores } from '../timer/scores.js';
import { Stopwatch } from '../timer/stopwatch.js';
import { readTime, solveText } from '../timer/times.js';

const NEW_LIST = '\u0000new';
const LIST_BYTES = 200;

export function preparePanel(app, root) {
  const timer = new Timer(app, root);
  return { shown: () => timer.shown(), hidden: () => timer.hidden() };
}

class Timer {
  #shown = false;
  #scramble = null; // {event, moves} for a cube in the hand
  #lists = []; // names of lists in the book

  constructor(app, root) {
    const storage = storageOf();
    this.app = app;
    this.root = root;
    this.choices = new Choices(storage);
    this.book = new Book({ solves: cubed.solves, storage, locks: globalThis.navigator?.locks ?? null, onSaved: (solve) => this.#saved(solve), onRefused: (problem) => app.notify(problem), onWaiting: () => this.scores?.showWaiting() });
    this.scores = new Scores({ app, solves: cubed.solves, book: this.book, waiting: () => this.#waiting() });
    this.stopwatch = new Stopwatch({ app, choices: this.choices, active: () => this.#shown && this.byHand, onSolve: (result) => this.#timed(result), onState: (state) => this.#stateOf(state) });
    this.clock = new CubeClock({
      app, choices: this.choices, active: () => !this.byHand,
      scrambleOf: async (size) => (await cubed.scramble({ size, count: 1 })).scrambles[0].moves,
      onLocal: (body) => this.#record({ ...body, event: eventOfSize(body.size) }),
      onRecorded: (result) => this.#recorded(result),
    });
    this.files = new FileBox({ app, root, scores: this.scores, words: () => this.#words(), eventFor: () => ({ event: this.event }), importText: (text, options) => this.#import(text, options), mayImport: () => !this.#ofSession });
    root.append(this.#modes(), this.#choosers(), this.#handBox(), this.clock.box, this.scores.last, this.#more(), this.scores.box, this.files.box);
    app.on('room', () => this.#open());
    addEventListener('online', () => this.book.send());
    if (this.book.waiting.length > 0) this.book.send();
    this.#open();
  }

  get byHand() {
    return this.choices.get('mode') === 'hand';
  }

  /** Whether the solves are those that the server records for the cube that is open. */
  get #ofSession() {
    return !this.byHand && this.app.session !== null;
  }

  get event() {
    return this.byHand ? this.choices.get('event') : eventOfSize(this.app.cube.size);
  }

  shown() {
    this.#shown = true;
    this.scores.read();
    if (this.byHand && !this.#scramble) this.#newScramble();
  }

  hidden() {
    this.#shown = false;
  }

  // ---- what is chosen ----

  #modes() {
    const button = (mode, text) => element('button', { type: 'button', 'data-mode': mode, onclick: () => this.#set('mode', mode) }, text);
    this.modes = element('div', { class: 'modes', role: 'group', 'aria-label': 'What is timed' }, button('page', 'Cube on the page'), button('hand', 'Cube in my hand'));
    return this.modes;
  }

  #choosers() {
    this.events = element('select', { 'aria-label': 'Event', onchange: () => this.#set('event', this.events.value) }, EVENTS.map(({ id, name }) => element('option', { value: id }, name)));
    this.lists = element('select', { 'aria-label': 'List', onchange: () => this.#chooseList(this.lists.value) });
    this.newList = element('form', { class: 'row', hidden: true, onsubmit: (event) => this.#makeList(event) },
      element('input', { name: 'list', 'aria-label': 'Name of the new list', placeholder: 'Name of the new list', autocomplete: 'off', required: true, maxlength: '60' }), element('button', {}, 'Create'));
    return element('div', { class: 'choosers' }, this.events, this.lists, this.newList);
  }

  #set(name, value) {
    this.choices.set(name, value);
    this.stopwatch.reset();
    this.#open();
    if (this.byHand && this.#scramble?.event !== this.event) this.#newScramble();
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
    const calls = element('select', { onchange: () => this.choices.set('calls', calls.value) }, [['voice', 'a voice'], ['sound', 'a sound'], ['none', 'nothing']].map(([value, text]) => element('option', { value, selected: this.choices.get('calls') === value }, text)));
    const hold = element('select', { onchange: () => this.choices.set('hold', Number(hold.value)) }, [[0, 'not at all'], [300, '0.3 seconds'], [550, '0.55 seconds']].map(([value, text]) => element('option', { value, selected: this.choices.get('hold') === value }, text)));
    return element('details', { class: 'options' }, element('summary', {}, 'Options'),
      element('label', {}, inspection, 'Inspection of 15 seconds'),
      element('label', {}, 'Calls at 8 and 12 seconds by ', calls),
      element('label', {}, 'Hold before the start ', hold));
  }

  // ---- a cube in the hand ----

  #handBox() {
    this.scrambleText = element('p', { class: 'scramble', 'aria-live': 'polite' });
    this.picture = element('img', { class: 'picture', alt: '', hidden: true });
    const next = element('button', { type: 'button', class: 'quiet', onclick: () => this.#newScramble() }, 'New scramble');
    this.scrambleBox = element('div', { class: 'scrambled' }, this.scrambleText, this.picture, next);
    this.hand = element('div', { class: 'hand' }, this.scrambleBox, this.stopwatch.pad);
    return this.hand;
  }

  async #newScramble() {
    const { event } = this;
    const query = scrambleFor(event);
    this.#scramble = { event, moves: null };
    this.scrambleBox.hidden = query === null;
    this.picture.hidden = true;
    if (query === null) return;
    this.scrambleText.textContent = 'Scramble…';
    const found = await cubed.scramble({ ...query, count: 1 }).catch(() => null);
    if (event !== this.event) return;
    const moves = found?.scrambles[0].moves ?? null;
    this.#scramble = { event, moves };
    this.scrambleText.textContent = moves ?? 'No scramble: the server does not answer.';
    if (moves) Object.assign(this.picture, { src: cubed.pictureUrl({ size: query.size, moves, view: 'net' }), hidden: false });
  }

  #stateOf(state) {
    this.root.dataset.clock = state;
  }

  #timed({ time_ms: time, inspection_ms: inspection }) {
    this.#record({ time_ms: time, ...(inspection === null ? {} : { inspection_ms: inspection }), ...this.#ofHand() });
    this.#newScramble();
  }

  #ofHand() {
    const { moves = null } = this.#scramble ?? {};
    return { event: this.event, ...(moves ? { scramble: moves } : {}) };
  }

  // ---- a time as text, and options ----

  #more() {
    this.typed = element('input', { name: 'time', 'aria-label': 'Time', placeholder: '12.34, 1:02.3, 12.34+, DNF', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'timer-fault', oninput: () => this.#fault('') });
    this.typedFault = element('p', { id: 'timer-fault', class: 'fault', role: 'alert', hidden: true });
    this.typing = element('details', { class: 'typing' }, element('summary', {}, 'Enter a time'),
      element('form', { class: 'row', onsubmit: (event) => this.#enterTime(event) }, this.typed, element('button', {}, 'Add')), this.typedFault);
    return element('div', { class: 'more' }, this.typing, this.#options());
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
    if (!read) return this.#fault('This is not a time. Write 12.34, 1:02.3, 12.34+ (with the 2 seconds), DNF or DNF(12.34).');
    this.typed.value = '';
    const { time_ms: time, penalty } = read;
    this.#record({ penalty, ...(time === null ? {} : { time_ms: time }), ...this.#ofHand() });
    if (this.#scramble) this.#newScramble();
  }

  // ---- recording ----

  #record(body) {
    const list = this.choices.get('list');
    this.book.add({ ...body, ...(list === null ? {} : { list }) });
  }

  async #saved(solve) {
    if (!this.scores.source?.query && !this.#ofSession) return this.#open(); // it was the first
    await this.scores.read(solve);
    if (solve.list && !this.#lists.includes(solve.list)) this.#readLists();
    this.#shownTime(solve);
  }

  /** The clock shows what counts: also a penalty. */
  #shownTime(solve) {
    if (this.byHand) this.stopwatch.showTime(solveText(solve));
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
    const list = this.choices.get('list');
    return this.book.waiting.filter(({ body }) => body.event === this.event && (list === null || body.list === list));
  }

  async #import(text, options) {
    const list = this.choices.get('list');
    const answer = await this.book.import(text, { ...options, ...(list === null ? {} : { list }) });
    await this.#open();
    return answer;
  }

  #words() {
    return [eventOf(this.event).name, ...(this.choices.get('list') && !this.#ofSession ? [this.choices.get('list')] : [])];
  }

  // ---- showing ----

  /** Shows what fits what is chosen and open. */
  async #open() {
    this.root.dataset.mode = this.choices.get('mode');
    for (const button of this.modes.children) button.setAttribute('aria-pressed', String(button.dataset.mode === this.choices.get('mode')));
    this.hand.hidden = this.typing.hidden = !this.byHand;
    this.clock.box.hidden = this.byHand;
    this.events.hidden = !this.byHand;
    this.events.value = this.event;
    this.lists.hidden = this.#ofSession;
    this.#showLists();
    this.clock.show();
    await Promise.all([this.scores.open(this.#source()), this.#readLists()]);
    this.files.show();
  }

  #source() {
    const { session } = this.app;
    if (this.#ofSession) return { query: { session: session.id, token: session.token, event: this.event }, none: 'No solves of this cube yet. Scramble it and solve it: the server records the time.' };
    const { token } = this.book.key ?? {};
    const list = this.choices.get('list');
    const none = `No solves${list ? ` in ${list}` : ''} yet. Your times are private: only this browser sees them.`;
    return { query: token ? { token, event: this.event, ...(list === null ? {} : { list }) } : null, none };
  }

  async #readLists() {
    const { token } = this.book.key ?? {};
    if (!token) return;
    const { items } = await cubed.solves.stats({ token, group_by: 'list' }).catch(() => ({ items: [] }));
    this.#lists = [...new Set(items.map(({ list }) => list).filter(Boolean))].sort((a, b) => a.localeCompare(b));
    this.#showLists();
  }

  #showLists() {
    const chosen = this.choices.get('list');
    const names = [...new Set([...this.#lists, ...(chosen === null ? [] : [chosen])])];
    const option = (value, text) => element('option', { value, selected: value === (chosen ?? '') }, text);
    this.lists.replaceChildren(option('', 'All lists'), ...names.map((name) => option(name, name)), option(NEW_LIST, 'New list…'));
  }
}
