// cases.js: the cases of a set as pictures: which of them are trained, and how long each took.

import { element } from '../parts/element.js';
import { chosenPalette } from '../look.js';
import { caseWords, meanText, shapeOf, slowCases } from './times.js';
import { t } from '../words.js';

/** Larger sets are shown by shapes, each of which is opened. */
const WHOLE_MAX = 60;
/** A picture that did not come, for example because of the limit of requests, is requested again after this time. */
const AGAIN_MS = 3000;

/** The picture of a case in the colours of this person. */
export function casePicture({ picture }, settings, pixels) {
  const colors = chosenPalette(settings).colours.map((colour) => colour.slice(1)).join(',');
  const image = element('img', { src: `${picture}&pixels=${2 * pixels}&colors=${colors}`, alt: '', width: pixels, height: pixels, loading: 'lazy' });
  image.addEventListener('error', () => setTimeout(() => (image.src += ''), AGAIN_MS), { once: true });
  return image;
}

export class Cases {
  #set = null;
  #cells = new Map(); // by name: {box, time}
  #times = new Map();
  #slow = new Set(); // names

  /** `isOut(name)`: whether a case is left out; `choose(names, in)`: they are trained from now on, or not. */
  constructor({ app, isOut, choose }) {
    Object.assign(this, { app, isOut, choose });
    this.count = element('span');
    this.all = element('button', { type: 'button', onclick: () => this.#choose(this.#names, true) }, t('All'));
    this.none = element('button', { type: 'button', onclick: () => this.#choose(this.#names, false) }, t('None'));
    this.slow = element('button', { type: 'button', onclick: () => this.#only(slowCases(this.#times)) }, t('Only slow ones'));
    this.order = element('select', { 'aria-label': t('Order of the cases'), onchange: () => this.#fill() }, element('option', { value: 'set' }, t('in the order of the set')), element('option', { value: 'slow' }, t('the slowest first')));
    this.list = element('div', { class: 'list' });
    this.box = element('details', { class: 'cases', hidden: true, ontoggle: () => this.#fill() }, element('summary', {}, this.count),
      element('div', { class: 'row' }, this.all, this.none, this.slow, this.order), this.list);
  }

  /** Shows the cases of a set as the server answers it; null: nothing. */
  show(set) {
    if (this.#set?.name !== set?.name) this.list.replaceChildren();
    this.#set = set;
    this.box.hidden = set === null;
    if (!set) return;
    this.#fill();
    this.update();
  }

  /** The times by the names of cases: {count, mean}. */
  set times(times) {
    this.#times = times;
    const slow = slowCases(times);
    this.slow.hidden = slow.length === 0;
    this.#slow = new Set(slow);
    for (const [name, { time, box }] of this.#cells) this.#write(name, time, box);
    if (this.order.value === 'slow') this.#fill();
  }

  get #names() {
    return this.#set.cases.map(({ name }) => name);
  }

  #choose(names, into) {
    this.choose(names, into);
    this.update();
  }

  #only(names) {
    this.choose(this.#names, false);
    this.#choose(names, true);
    this.app.say(this.count.textContent);
  }

  /** Shows which cases are trained, after a change. */
  update() {
    for (const [name, { box }] of this.#cells) box.checked = !this.isOut(name);
    const chosen = this.#names.filter((name) => !this.isOut(name)).length;
    this.count.textContent = chosen === this.#set.count ? t('All {n} cases', { n: chosen }) : t('{chosen} of {n} cases', { chosen, n: this.#set.count });
  }

  /** Makes the cells; pictures are asked for when they are seen. */
  #fill() {
    if (!this.#set || !this.box.open) return;
    const { cases } = this.#set;
    this.#cells.clear();
    const slowest = (one) => this.#times.get(one.name)?.mean ?? -1;
    if (this.order.value === 'slow') {
      const timed = cases.filter(({ name }) => this.#times.has(name)).sort((a, b) => slowest(b) - slowest(a));
      this.list.replaceChildren(timed.length > 0 ? this.#grid(timed) : element('p', { class: 'faint' }, t('There are no times yet.')));
    } else if (cases.length <= WHOLE_MAX) this.list.replaceChildren(this.#grid(cases));
    else {
      const open = new Set(Array.from(this.list.querySelectorAll('details[open]'), ({ dataset }) => dataset.shape));
      const shapes = [...new Set(cases.map(({ name }) => shapeOf(name)))];
      this.list.replaceChildren(...shapes.map((shape) => this.#shape(shape, cases.filter(({ name }) => shapeOf(name) === shape), open.has(shape))));
    }
    this.update();
  }

  #shape(shape, cases, open) {
    const names = cases.map(({ name }) => name);
    const body = element('div');
    const fill = () => {
      if (!details.open || body.childElementCount > 0) return;
      body.append(element('div', { class: 'row' },
        element('button', { type: 'button', onclick: () => this.#choose(names, true) }, t('All of these')), element('button', { type: 'button', onclick: () => this.#choose(names, false) }, t('None of these'))), this.#grid(cases));
      this.update();
    };
    const title = /^\d+$/.test(shape) ? `OLL ${shape}` : caseWords(`-${shape}`);
    const details = element('details', { 'data-shape': shape, ontoggle: fill }, element('summary', {}, t('{title}: {n} case|{title}: {n} cases', { title, n: cases.length })), body);
    details.open = open;
    fill();
    return details;
  }

  #grid(cases) {
    return element('ul', { class: 'grid' }, cases.map((one) => {
      const box = element('input', { type: 'checkbox', onchange: () => this.#choose([one.name], box.checked) });
      const time = element('span');
      this.#cells.set(one.name, { box, time });
      this.#write(one.name, time, box);
      return element('li', {}, element('label', {}, box, element('b', {}, caseWords(one.name)), casePicture(one, this.app.settings, 64), time));
    }));
  }

  /** The mean, and of how many. */
  #write(name, time, box) {
    const times = this.#times.get(name);
    const words = caseWords(name);
    time.className = this.#slow.has(name) ? 'slow' : 'faint';
    time.textContent = times ? `${meanText(times.mean)} · ${times.count}` : '';
    box.setAttribute('aria-label', times ? [`${words}: ${t('mean {time}', { time: meanText(times.mean) })}`, t('{n} solve|{n} solves', { n: times.count }), this.#slow.has(name) && t('slow')].filter(Boolean).join(', ') : words);
  }
}
