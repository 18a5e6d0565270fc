// charts.js: all times of a list as one of three pictures: their trend, their distribution, the solves of each day.

import { element } from '../parts/element.js';
import { drawBars } from './bars.js';
import { summaryOf } from './files.js';
import { daysOf, distributionOf } from './histogram.js';
import { drawnAverages, drawPlot } from './plot.js';
import { t } from '../words.js';

const HEIGHT = 190;

const key = (kind, text) => element('span', { class: kind }, text);

function trend(results, size) {
  const times = results.map(({ ms }) => ms);
  const drawn = drawPlot(times, { ...size, label: `${t('All times.')} ${summaryOf(times)}` });
  const averages = drawnAverages(times.length);
  const lines = ['short', 'long'].map((kind) => times.length >= averages[kind] && key(kind, `ao${averages[kind]}`));
  return drawn && [drawn, [key('dots', t('single')), ...lines, key('best', t('best'))]];
}

function bars(found, size) {
  return found && [drawBars(found.bars, { ...size, label: found.words }), [found.words]];
}

/** The kinds of pictures, with the words of their buttons. Each returns the picture and what stands below it; null: nothing. */
const KINDS = [
  ['trend', t('Trend'), trend],
  ['distribution', t('Distribution'), (results, size) => bars(distributionOf(results.map(({ ms }) => ms)), size)],
  ['days', t('By day'), (results, size) => bars(daysOf(results.map(({ at }) => at)), size)],
];

export class Charts {
  #results = [];

  /** `choices` remembers the kind. */
  constructor(choices) {
    this.choices = choices;
    this.figure = element('figure', { class: 'plot' });
    this.buttons = element('div', { class: 'kinds', role: 'group', 'aria-label': t('Picture of the times') },
      KINDS.map(([kind, words]) => element('button', { type: 'button', 'data-plot': kind, onclick: () => this.#choose(kind) }, words)));
    this.box = element('div', { class: 'charts' }, this.buttons, this.figure);
    new ResizeObserver(() => this.#draw()).observe(this.figure);
  }

  /** `results`: of all solves that count, oldest first: [{ms, at}]. */
  show(results) {
    this.#results = results;
    this.#draw();
  }

  #choose(kind) {
    this.choices.set('plot', kind);
    this.#draw();
  }

  #draw() {
    const chosen = this.choices.get('plot');
    for (const button of this.buttons.children) button.setAttribute('aria-pressed', String(button.dataset.plot === chosen));
    const [, , draw] = KINDS.find(([kind]) => kind === chosen) ?? KINDS[0];
    const [drawn, words] = (this.#results.length > 0 && draw(this.#results, { width: Math.round(this.figure.clientWidth) || 340, height: HEIGHT })) || [];
    this.box.hidden = this.#results.length === 0;
    this.figure.hidden = !drawn;
    if (drawn) this.figure.replaceChildren(drawn, element('figcaption', { 'aria-hidden': 'true' }, words));
  }
}
