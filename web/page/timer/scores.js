// scores.js: the solves of an event and list: averages, the plot, and the list of all of them.

import { isTemporary } from '../../client/transport.js';
import { element } from '../parts/element.js';
import { penaltyOfInspection } from './clock.js';
import { Charts } from './charts.js';
import { resultsOf } from './files.js';
import { KeptRows } from './rows.js';
import { lastRow, solveRow, waitingRow } from './solve_row.js';
import { resultMs, resultText } from './times.js';
import { t } from '../words.js';

const PAGE = 50;
/** Averages that are shown, with their names. */
const AVERAGES = ['mo3', 'ao5', 'ao12', 'ao50', 'ao100', 'ao1000'];
/** The time after which a reading that failed is tried again. */
const AGAIN_MS = 5000;

/** All averages of the server's statistics: [[name, average], ...]. */
const averagesIn = (stats) => [...AVERAGES.map((name) => [name, stats[name]]), ...(stats.averages ?? []).filter(({ name }) => !AVERAGES.includes(name)).map((one) => [one.name, one])];

/** Returns the words for the solves that are marked, by id. */
function marksOf(stats) {
  const marks = new Map();
  const mark = (id, text) => marks.set(id, [...(marks.get(id) ?? []), text]);
  if (stats?.best) mark(stats.best.id, t('best single'));
  for (const [name, { best_solves: solves }] of stats ? averagesIn(stats) : []) if (solves) mark(solves.last, t('best {name}', { name }));
  return marks;
}

/** The averages as rows of a table: [name, current, best]. */
export function averageRows(stats) {
  return [
    [t('single'), stats.latest, stats.best],
    ...averagesIn(stats).filter(([, { current }]) => current).map(([name, { current, best }]) => [name, current, best]),
  ];
}

/** A solve that was not judged by the server yet. */
function textOfSent({ time_ms: time = null, penalty, inspection_ms: inspection }) {
  const judged = penalty ?? penaltyOfInspection(inspection ?? 0);
  return resultText(resultMs(time, judged)) + (judged.startsWith('+') ? '+' : '');
}

export class Scores {
  #source = null;
  #stats = null;
  #results = []; // of all solves that count, oldest first: {ms, at, comment}
  #complete = false; // all results of the source are here
  #solves = []; // the listed ones, newest first
  #pages = null;
  #wanted = PAGE; // the number to list: more after t("Show more")
  #reading = 0;
  #marks = new Map(); // by the ids of solves: words

  /**
   * `solves`: those of the client; `waiting()`: those that have no answer yet: [{key, body}]; `onRead(results)`: they were
   * read again: all that count, oldest first: [{ms, comment}]; `choices`: which averages and picture are shown.
   */
  constructor({ app, solves, book, choices, waiting, onRead = () => {} }) {
    Object.assign(this, { app, solves, book, choices, waiting, onRead });
    this.last = element('div');
    this.table = element('table', { class: 'averages' });
    this.mean = element('p', { class: 'faint' });
    this.charts = new Charts(choices);
    this.unsent = element('ol', { class: 'solves', 'aria-label': t('Solves that wait for the server, newest first') });
    this.list = element('ol', { class: 'solves', 'aria-label': t('Solves, newest first') });
    this.more = element('button', { type: 'button', onclick: () => this.#next() }, t('Show more'));
    this.empty = element('p', { class: 'faint' });
    this.box = element('div', { class: 'scores' }, this.empty, this.table, this.mean, this.charts.box, this.unsent, this.list, this.more);
    this.#keepRows();
    this.#show();
  }

  #keepRows() {
    const actions = {
      change: (solve, body) => this.#change(solve, body),
      remove: (solve) => this.#remove(solve),
      stages: async (solve) => (await this.solves.get(solve.id, { token: this.#source.query.token })).stages,
    };
    const idOf = ({ id }) => id;
    const marked = (made) => ({ row: made.row, update: (solve) => made.update(solve, this.#marks.get(solve.id) ?? []) });
    this.lastRows = new KeptRows(this.last, idOf, (solve) => lastRow(solve, actions));
    this.unsentRows = new KeptRows(this.unsent, ({ key }) => key, ({ key, body }) => waitingRow(textOfSent(body), () => this.book.drop(key)));
    this.rows = new KeptRows(this.list, idOf, (solve) => marked(solveRow(solve, actions)));
  }

  get stats() {
    return this.#stats;
  }

  get source() {
    return this.#source;
  }

  /**
   * Shows the solves of `source`: {query, none}. `query` selects them: {session, token, event, list}; it is null before the
   * first one was recorded. `none` is the text for an empty list.
   */
  async open(source) {
    if (JSON.stringify(source.query) !== JSON.stringify(this.#source?.query)) this.#wanted = PAGE;
    this.#source = source;
    await this.read();
  }

  /** Returns true if a solve belongs to those that are shown. */
  shows({ session, event, list }) {
    const query = this.#source?.query;
    const isIn = (wanted, value) => wanted === undefined || wanted === value;
    return Boolean(query) && event === query.event && isIn(query.list, list) && isIn(query.session, session);
  }

  /** Reads them again. */
  async read() {
    this.#complete = false;
    await this.#read();
  }

  /** Reads them again with a solve that was just recorded: all other results are known. */
  async add(solve) {
    if (!this.shows(solve)) return;
    if (this.#complete && solve.result !== null && !solve.assisted) this.#results.push({ ms: resultMs(solve.time_ms, solve.penalty), at: Date.parse(solve.created_at), comment: solve.comment });
    await this.#read();
  }

  async #read() {
    const source = this.#source;
    const reading = ++this.#reading;
    if (!source?.query) {
      [this.#stats, this.#results, this.#solves, this.#pages] = [null, [], [], null];
      this.onRead([]);
      return this.#show();
    }
    if (this.#solves.length === 0) Object.assign(this.empty, { hidden: false, textContent: t('Loading…') });
    try {
      const pages = this.solves.list({ ...source.query, limit: PAGE }).pages();
      const known = this.#complete;
      const [first, stats, table] = await Promise.all([pages.next(), this.solves.stats({ ...source.query, ...this.#asked() }), known ? null : this.solves.export('csv', source.query)]);
      let { items, next_cursor: next } = first.value;
      while (next && items.length < this.#wanted) {
        const { value } = await pages.next();
        if (reading !== this.#reading) return;
        [items, next] = [[...items, ...value.items], value.next_cursor];
      }
      if (reading !== this.#reading) return;
      this.#pages = next ? pages : null;
      this.#solves = items;
      this.#stats = stats.items[0] ?? null;
      if (!known) this.#results = resultsOf(table);
      this.#complete = true;
      this.onRead(this.#results);
      this.#show();
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#show();
      if (isTemporary(error)) setTimeout(() => reading === this.#reading && this.read(), AGAIN_MS);
      if (error.status !== 404) this.app.notify(error);
    }
  }

  /** More averages, as a parameter of the statistics. */
  #asked() {
    const averages = this.choices.get('averages');
    return averages.length > 0 ? { averages: averages.join() } : {};
  }

  async #next() {
    const pages = this.#pages;
    const { value } = await pages.next().catch((error) => (this.app.notify(error), {}));
    if (!value || pages !== this.#pages) return;
    if (!value.next_cursor) this.#pages = null;
    const from = this.#solves.length;
    this.#solves.push(...value.items);
    this.#wanted = this.#solves.length;
    this.#showList();
    this.#focus(from);
  }

  /** All solves of the source, oldest first. */
  async all() {
    return this.#source?.query ? (await this.solves.list({ ...this.#source.query, limit: 100 }).all()).reverse() : [];
  }

  // ---- changing ----

  async #change(solve, body) {
    await this.#ask(() => this.solves.change(solve.id, body, { token: this.#source.query.token }));
    this.app.say(body.penalty ? t('Penalty: {penalty}', { penalty: body.penalty }) : t('Saved'));
  }

  async #remove(solve) {
    const place = this.#solves.findIndex(({ id }) => id === solve.id);
    const isInList = this.list.contains(document.activeElement);
    await this.#ask(() => this.solves.remove(solve.id, { token: this.#source.query.token }));
    this.app.say(t('Deleted'));
    if (isInList && document.activeElement === document.body) this.#focus(place);
  }

  /** The row at a place of the list has the focus now, or the last one; without a row the panel has it. */
  #focus(place) {
    const rows = this.list.querySelectorAll('summary');
    (rows[Math.min(place, rows.length - 1)] ?? this.box.closest('.panel')).focus();
  }

  async #ask(request) {
    try {
      await request();
      this.app.notify(null);
    } catch (error) {
      this.app.notify(error);
    }
    await this.read();
  }

  // ---- showing ----

  #show() {
    this.lastRows.show(this.#solves.slice(0, 1));
    this.#showAverages();
    this.charts.show(this.#results);
    this.#showList();
    const none = this.#solves.length === 0 && this.waiting().length === 0;
    this.empty.hidden = !none;
    this.empty.textContent = this.#source?.none ?? '';
  }

  #showAverages() {
    const stats = this.#stats;
    this.table.hidden = this.mean.hidden = !stats;
    if (!stats) return;
    const cell = (value) => element('td', {}, value?.result ?? '–');
    this.table.replaceChildren(
      element('thead', {}, element('tr', {}, element('td', {}), element('th', { scope: 'col' }, t('current')), element('th', { scope: 'col' }, t('best')))),
      element('tbody', {}, averageRows(stats).map(([name, now, best]) => element('tr', {}, element('th', { scope: 'row' }, name), cell(now), cell(best)))));
    const finished = stats.solves - stats.dnf - stats.untimed - stats.assisted;
    const notes = [stats.dnf && `${stats.dnf} DNF`, stats.untimed && t('{n} without a time', { n: stats.untimed }), stats.assisted && t('{n} assisted, not counted', { n: stats.assisted })].filter(Boolean);
    this.mean.textContent = [t('{finished}/{n} solves', { finished, n: stats.solves }), stats.mean && t('mean {time}', { time: stats.mean.result }), ...notes].filter(Boolean).join(' · ');
  }

  #showList() {
    this.#marks = marksOf(this.#stats);
    this.unsentRows.show(this.waiting().reverse());
    this.rows.show(this.#solves);
    this.more.hidden = !this.#pages;
  }

  /** Shows the solves that wait to be sent, after they have changed. */
  showWaiting() {
    this.unsentRows.show(this.waiting().reverse());
    this.empty.hidden = this.empty.hidden || this.waiting().length > 0;
  }
}
