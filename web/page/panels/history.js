// history.js: all that was done with the cube: moves one after another, as in a list of a game of chess, by whom and when; each
// of them can be chosen, and the stage shows the cube at that moment.

import { runAction } from '../parts/action.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { keepInView } from '../parts/movelist.js';
import { shownMoves } from '../cube/moves.js';
import { pastOf, showMoment } from '../past.js';
import { playedMoves } from '../played.js';
import { errorText, locale, t, translated } from '../words.js';

/** Entries that are read at a time, and shown at first. */
const CHUNK = 100;
/** The number of moves of an entry that are shown at first; the others follow on demand. */
const MOVES_MAX = 60;
/** After such a pause the time is shown again. */
const PAUSE_MS = 5 * 60000;
const NONE = t('Nothing was done yet. Turn the cube: every move is kept here.');
const ROLES = { owner: t('the owner'), editor: t('an editor'), viewer: t('a viewer') };
const MARKS = { scramble: t('Scramble~entry'), undo: t('Undo'), redo: t('Redo'), reset: t('Reset') };

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

export function preparePanel(app, root) {
  const panel = new History(app, root);
  return { shown: () => panel.shown() };
}

class History {
  #past = null;
  #first = 0; // the oldest entry that is shown
  #last = 0;
  #group = null;
  #off = () => {};
  #mine = new Set(); // ids of tokens of this person, as far as that is known
  #own = new Set(); // own entries

  constructor(app, root) {
    this.app = app;
    this.earlier = element('button', { id: 'earlier', type: 'button', class: 'quiet', hidden: true, onclick: () => this.#askEarlier() });
    this.list = element('div', { class: 'entries' });
    this.end = element('p', { class: 'faint', id: 'no-entries' });
    this.scrolls = element('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': t('Moves of the cube') }, this.earlier, this.list, this.end);
    this.copy = prepareCopy(element('button', { type: 'button' }, t('Copy')), () => this.#text());
    this.find = findForm(app, (revision, move) => showMoment(app, revision, move).catch((error) => app.notify(error)));
    root.append(playedMoves(app), element('div', { class: 'row head' }, element('h2', {}, t('History')), this.copy), this.scrolls, this.find.root);
    this.list.addEventListener('click', (event) => this.#choose(event));
    app.on('room', () => {
      for (const known of [this.#own, this.#mine]) known.clear(); // of another cube
      this.#begin();
    });
    app.on('saved', ({ written }) => this.#claim(written.entry));
    app.on('entry', ({ entry }) => this.#add(entry).catch((error) => app.notify(error)));
    app.on('state', () => this.#begin());
    app.on('shown', () => this.#followShown());
    this.#begin();
  }

  /** The present moment is seen. */
  shown() {
    const lit = this.list.querySelector('[aria-current]');
    if (lit) keepInView(lit, this.list);
    else this.scrolls.scrollTop = this.scrolls.scrollHeight;
  }

  // ---- reading ----

  async #begin() {
    const { room } = this.app;
    if (!room) return; // it is being opened
    this.#first = this.#last = 0;
    this.#group = null;
    this.list.replaceChildren();
    this.find.root.hidden = room.session === null;
    this.end.hidden = false;
    this.copy.disabled = true;
    this.end.textContent = room.cube.revision > 0 ? t('Loading…') : NONE;
    this.#past = null;
    try {
      const past = await pastOf(this.app);
      if (room !== this.app.room) return;
      this.#past = past;
      await this.#show(Math.max(1, past.length - CHUNK + 1), past.length);
      this.scrolls.scrollTop = this.scrolls.scrollHeight;
    } catch (error) {
      if (room === this.app.room) this.end.textContent = t('The history could not be read.');
      this.app.notify(error);
    }
    this.#followShown();
  }

  /** Shows entries that come after those that are shown, or are the first ones. */
  async #show(from, to) {
    const past = this.#past;
    const entries = await past.read(from, to);
    if (past !== this.#past) return;
    if (this.#first === 0 && entries.length > 0) this.#first = entries[0].revision;
    for (const entry of entries) this.#append(entry);
    this.#showEarlier();
  }

  #showEarlier() {
    const left = this.#first - 1;
    this.earlier.hidden = left <= 0;
    this.earlier.textContent = t('Show {shown} of {n} earlier entries', { shown: Math.min(left, CHUNK), n: left });
    this.end.hidden = this.#last > 0;
    this.copy.disabled = this.#last === 0;
  }

  async #askEarlier() {
    const focused = document.activeElement === this.earlier;
    await runAction(this.app, this.earlier, () => this.#readEarlier());
    if (focused && document.activeElement === document.body) this.earlier.focus({ preventScroll: true }); // it was disabled
  }

  async #readEarlier() {
    const past = this.#past;
    const [from, to] = [Math.max(1, this.#first - CHUNK), this.#first - 1];
    const entries = await past.read(from, to);
    if (past !== this.#past || to !== this.#first - 1 || entries.length === 0) return;
    const height = this.scrolls.scrollHeight;
    const group = this.#group;
    const after = [...this.list.children];
    this.#group = null;
    const last = this.#last;
    this.list.replaceChildren();
    for (const entry of entries) this.#append(entry);
    this.list.append(...after);
    this.#group = group;
    this.#last = last;
    this.#first = from;
    this.#showEarlier();
    this.scrolls.scrollTop += this.scrolls.scrollHeight - height;
    this.#light();
  }

  async #add(entry) {
    if (!this.#past || entry.revision <= this.#last) return;
    const atEnd = this.scrolls.scrollHeight - this.scrolls.scrollTop - this.scrolls.clientHeight < 40;
    if (this.#last > 0 && entry.revision > this.#last + 1) await this.#show(this.#last + 1, entry.revision);
    else {
      if (this.#first === 0) this.#first = entry.revision;
      this.#append(entry);
    }
    this.#showEarlier();
    this.#light();
    if (atEnd) this.scrolls.scrollTop = this.scrolls.scrollHeight;
  }

  // ---- rows ----

  #append(entry) {
    if (this.list.querySelector(`[data-entry="${entry.revision}"]`)) return;
    const time = Date.parse(entry.time);
    const who = entry.actor?.id ?? '';
    if (!this.#group || this.#group.who !== who || time - this.#group.time > PAUSE_MS) this.#begins(entry, who, time);
    this.#group.time = time;
    this.#group.moves.append(this.#rowOf(entry));
    this.#last = Math.max(this.#last, entry.revision);
  }

  /** Entries of one person in a row have one heading. */
  #begins(entry, who, time) {
    const isNewDay = !this.#group || new Date(this.#group.time).toDateString() !== new Date(time).toDateString();
    const today = new Date(time).toDateString() === new Date().toDateString();
    const when = element('time', { datetime: entry.time }, `${isNewDay && !today ? `${day.format(time)}, ` : ''}${clock.format(time)}`);
    const name = element('b', { 'data-who': who, 'data-first': entry.revision }, this.#whoOf(entry));
    const moves = element('ol', { class: 'moves' });
    this.list.append(element('p', { class: 'group' }, name, ' ', when), moves);
    this.#group = { who, time, moves };
  }

  #rowOf(entry) {
    const row = element('li', { class: 'entry', 'data-entry': entry.revision, title: t('Entry {entry}, {time}', { entry: entry.revision, time: exact.format(Date.parse(entry.time)) }) });
    const words = entry.moves?.split(' ').filter(Boolean) ?? null;
    if (entry.kind !== 'moves' || !words || words.length === 0) row.append(this.#markOf(entry, words));
    else row.append(...this.#buttonsOf(entry.revision, words));
    return row;
  }

  #markOf(entry, words) {
    const name = MARKS[entry.kind] ?? (words ? t('nothing~done') : t('Many moves'));
    const moves = entry.kind === 'scramble' && words ? words.slice(0, MOVES_MAX).join(' ') + (words.length > MOVES_MAX ? ` … ${t('{n} move|{n} moves', { n: words.length })}` : '') : '';
    const label = entry.kind === 'undo' && words ? `${t('Undo')}: ${words.slice(0, 9).join(' ')}` : null;
    return element('button', { type: 'button', class: 'mark', 'data-move': 'all', 'aria-label': label }, element('span', { class: 'kind' }, name), moves && element('span', { class: 'of' }, ` ${shownMoves(moves)}`));
  }

  #buttonsOf(revision, words) {
    const shown = words.length > MOVES_MAX + 5 ? words.slice(0, MOVES_MAX) : words;
    const buttons = shown.map((word, i) => element('button', { type: 'button', 'data-move': i + 1 }, shownMoves(word)));
    const left = words.length - shown.length;
    if (left > 0) buttons.push(element('button', { type: 'button', class: 'mark', 'data-move': 'all' }, t('… {n} more move|… {n} more moves', { n: left })));
    return buttons;
  }

  // ---- who ----

  #whoOf(entry) {
    if (!this.app.session) return t('You');
    const name = entry.actor?.label || (entry.actor ? ROLES[entry.actor.role] : t('somebody'));
    const mine = this.#own.has(entry.revision) || (entry.actor && (this.#mine.has(entry.actor.id) || this.app.isSelf(entry.actor)));
    const text = mine ? `${t('You')}${entry.actor?.label ? ` (${entry.actor.label})` : ''}` : name;
    return text.replace(/^./, (first) => first.toUpperCase());
  }

  /** An own entry shows which actor this person is. */
  #claim(entry) {
    if (!entry) return;
    this.#own.add(entry.revision);
    if (!entry.actor || this.#mine.has(entry.actor.id)) return;
    this.#mine.add(entry.actor.id);
    for (const name of this.list.querySelectorAll('[data-who]')) {
      if (name.dataset.who === entry.actor.id) name.textContent = this.#whoOf({ revision: 0, actor: entry.actor });
    }
  }

  // ---- the present moment ----

  #choose(event) {
    const button = event.target.closest('button');
    if (!button) return;
    const revision = Number(button.closest('[data-entry]').dataset.entry);
    const count = this.#past.movesOf(revision)?.length ?? 0;
    const move = button.dataset.move === 'all' ? count : Number(button.dataset.move);
    const whole = button.dataset.move === 'all' || move >= count;
    const shown = whole ? showMoment(this.app, revision) : showMoment(this.app, revision - 1, move);
    shown.catch((error) => this.app.notify(error));
  }

  #followShown() {
    this.#off();
    this.#off = this.#past && this.app.room && this.app.shown === this.#past ? this.#past.subscribe(({ type }) => type === 'position' && this.#light()) : () => {};
    this.#light();
  }

  /** Lights the move at which the cube is that is shown. */
  #light() {
    for (const lit of this.list.querySelectorAll('[aria-current]')) lit.removeAttribute('aria-current');
    if (!this.#past || !this.app.room || (this.app.shown !== this.#past && this.app.shown !== this.app.cube)) return;
    const { revision, move } = this.app.shown === this.#past ? this.#past.place : { revision: this.app.cube.revision, move: null };
    const row = this.list.querySelector(`[data-entry="${revision}"]`);
    if (!row) return;
    const lit = (move && row.querySelector(`[data-move="${move}"]`)) ?? row.lastElementChild;
    lit?.setAttribute('aria-current', 'step');
    if (lit && this.app.shown === this.#past) keepInView(lit, this.list);
  }

  /** The history as text; null while it is being read. */
  async #text() {
    const past = this.#past;
    if (!past) return null;
    const entries = await past.read(1, past.length);
    return entries.map(({ kind, moves }) => (kind === 'moves' ? moves ?? '(many moves)' : `// ${kind}${moves ? `\n${moves}` : ''}`)).join('\n');
  }
}

/** "Where did the cross come to hold?" */
function findForm(app, show) {
  const select = element('select', { id: 'find-pattern', 'aria-label': t('Pattern') });
  const found = element('div', { class: 'found', role: 'status' });
  const fill = async () => {
    if (select.options.length > 0) return;
    const { cubed } = await import('../session/server.js');
    const { items } = await cubed.patterns.list({ size: app.cube.size });
    select.replaceChildren(...items.map(({ name, title }) => new Option(title ? translated(title) : name, name)));
  };
  const search = async (event) => {
    event.preventDefault();
    const { session } = app;
    found.replaceChildren(t('Searching…'));
    try {
      const matches = [];
      for (let after = 0; after !== null && matches.length < CHUNK; ) {
        const page = await session.find({ pattern: { name: select.value }, after });
        matches.push(...page.matches);
        after = page.next_after;
      }
      if (session !== app.session) return; // another cube is open
      found.replaceChildren(...(matches.length === 0 ? [t('It never held.')] : [
        element('span', {}, t('It came to hold once:|It came to hold {n} times:', { n: matches.length })),
        element('span', { class: 'row' }, matches.slice(0, CHUNK).map(({ revision, move }) => element('button', { type: 'button', onclick: () => show(move ? revision - 1 : revision, move ?? 0) },
          revision === 0 ? t('at the beginning') : move ? t('entry {entry}, move {move}', { entry: revision, move }) : t('entry {entry}', { entry: revision }))))]));
    } catch (error) {
      if (session === app.session) found.replaceChildren(errorText(error));
    }
    found.scrollIntoView({ block: 'nearest' });
  };
  const form = element('form', { class: 'row', onsubmit: search }, select, element('button', {}, t('Find')));
  const root = element('details', { ontoggle: () => root.open && fill().catch((error) => app.notify(error)) }, element('summary', { class: 'faint' }, t('When did a pattern come to hold?')), form, found);
  app.on('room', () => {
    select.replaceChildren();
    found.replaceChildren();
    if (root.open && app.session) fill().catch((error) => app.notify(error));
  });
  return { root };
}
