// ask.js: "Is this ...?": the named patterns, which of them the cube fits now and where, and where else they are.

import { toFacelets } from '../../client/cube.js';
import { LocalCube } from '../../client/local.js';
import { placesOfFit } from '../ask/fit.js';
import { algorithmOf, GROUPS, meaningOf, searched, titleOf } from '../ask/meanings.js';
import { fitsOf, fittingNames, patternNamed, patternPictured, patternsFor } from '../ask/patterns.js';
import { patternPicture } from '../ask/picture.js';
import { whereElse } from '../ask/elsewhere.js';
import { element } from '../parts/element.js';
import { replaceCube } from '../open/replace.js';
import { cubed } from '../session/server.js';
import { errorText, t } from '../words.js';

const PAUSE_MS = 250;
/** So many of the patterns that fit are listed, the last stages first. */
const SHOWN_FITTING = 12;

export function preparePanel(app, root) {
  const asking = new Asking(app, root);
  return { shown: () => asking.open(), hidden: () => asking.close() };
}

class Asking {
  #app;
  #open = false;
  #size = 0;
  #patterns = [];
  #fitting = null; // names; null: not known
  #chosen = null;
  #timer = null;
  #asked = 0; // counts: only the newest answer counts
  #pictures;

  constructor(app, root) {
    this.#app = app;
    this.search = element('input', { id: 'ask-search', type: 'search', placeholder: t('Sune, T perm, checkerboard …'), autocomplete: 'off', spellcheck: 'false', 'aria-label': t('Search patterns'), oninput: () => this.#list() });
    this.now = element('p', { class: 'faint', role: 'status' }, t('Loading…'));
    this.fits = element('ul', { class: 'cards' });
    this.detail = element('article', { class: 'detail', hidden: true });
    this.others = element('div', { class: 'groups' });
    root.append(this.search, this.detail, this.now, this.fits, this.others);
    // Pictures are made when they come into sight: there are some hundred.
    this.#pictures = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.#draw(target);
    }, { root: root.closest('#panels'), rootMargin: '200px' });
    for (const type of ['room', 'shown', 'turned', 'redrawn', 'state']) app.on(type, () => this.#later());
    for (const name of ['palette', 'colours']) app.settings.on(name, () => this.#open && this.#list());
  }

  open() {
    this.#open = true;
    this.#refresh();
  }

  close() {
    this.#open = false;
    this.#app.view.mark([]);
  }

  // ---- what fits now ----

  #later() {
    clearTimeout(this.#timer);
    if (this.#open) this.#timer = setTimeout(() => this.#refresh(), PAUSE_MS);
  }

  async #refresh() {
    const asked = ++this.#asked;
    const { size, stickers } = this.#app.shown;
    try {
      const [patterns, fitting] = await Promise.all([patternsFor(size), fittingNames(toFacelets(stickers))]);
      if (asked !== this.#asked) return;
      const other = size !== this.#size;
      [this.#size, this.#patterns, this.#fitting] = [size, patterns, fitting];
      if (other && !patterns.some(({ name }) => name === this.#chosen?.name)) this.#choose(null);
      this.#list();
      if (this.#chosen) this.#showWays();
    } catch (error) {
      if (asked === this.#asked) this.now.textContent = t('What fits is not known now: {why}', { why: errorText(error) });
    }
  }

  #list() {
    const focused = document.activeElement?.dataset.card;
    const search = this.search.value.trim();
    const fitting = this.#fitting ?? [];
    const found = search ? searched(this.#patterns, search) : this.#patterns.filter(({ name }) => fitting.includes(name)).reverse();
    this.#pictures.disconnect();
    this.fits.replaceChildren(...found.slice(0, search ? found.length : SHOWN_FITTING).map((one) => this.#card(one, { known: !search })));
    if (search) this.now.textContent = found.length === 0 ? t('No pattern has this name.') : t('{n} pattern, {fitting} of them now on the cube.|{n} patterns, {fitting} of them now on the cube.', { n: found.length, fitting: found.filter(({ name }) => fitting.includes(name)).length });
    else this.now.textContent = found.length === 0 ? t('The cube fits no named pattern now. Search one, or choose below:') : t('The cube is now:');
    this.others.hidden = Boolean(search);
    if (!search) this.#listGroups();
    if (focused) document.querySelector(`#panel-ask [data-card="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** All patterns by group; the cards are made when a group is opened. */
  #listGroups() {
    const opened = new Set([...this.others.querySelectorAll('details[open]')].map((one) => one.dataset.group));
    this.others.replaceChildren(...GROUPS.map(({ title, has }) => {
      const patterns = this.#patterns.filter(({ name }) => has(name));
      if (patterns.length === 0) return null;
      const cards = element('ul', { class: 'cards' });
      const fill = () => group.open && cards.childElementCount === 0 && cards.replaceChildren(...patterns.map((one) => this.#card(one, { group: title })));
      const group = element('details', { 'data-group': title, open: opened.has(title), ontoggle: fill }, element('summary', {}, `${title} (${patterns.length})`), cards);
      fill();
      return group;
    }).filter(Boolean));
  }

  /** `known`: that it fits is said already; `group`: of which group it is a card. */
  #card(pattern, { known = false, group = '' }) {
    const fits = !known && this.#fitting?.includes(pattern.name);
    const picture = element('span', { class: 'picture' });
    const card = element('button', { type: 'button', 'data-card': `${group}/${pattern.name}`, 'aria-pressed': String(pattern === this.#chosen), onclick: () => this.#choose(pattern) },
      picture, element('span', { class: 'name' }, titleOf(pattern)), fits && element('span', { class: 'fits' }, t('fits')));
    picture.pattern = pattern;
    this.#pictures.observe(picture);
    return element('li', {}, card);
  }

  async #draw(target) {
    this.#pictures.unobserve(target);
    if (target.firstChild) return;
    try {
      const named = await patternPictured(target.pattern, this.#size);
      target.replaceChildren(patternPicture(named, this.#app.view.settings.palette.colours));
    } catch {
      // A card without its picture can still be chosen.
    }
  }

  // ---- one pattern ----

  async #choose(pattern) {
    this.#chosen = pattern;
    this.detail.hidden = !pattern;
    this.#app.view.mark([]);
    if (!pattern) return;
    this.#list();
    this.ways = element('div', { class: 'ways' });
    const picture = element('span', { class: 'picture' });
    picture.pattern = pattern;
    this.more = element('div', { class: 'more' });
    this.detail.replaceChildren(
      element('div', { class: 'head' }, picture, element('div', { class: 'column' },
        element('h2', {}, titleOf(pattern)), element('p', {}, meaningOf(pattern)), element('p', { class: 'faint' }, pattern.source ?? ''))),
      this.ways, this.more, whereElse(this.#app, pattern));
    this.#draw(picture);
    this.detail.scrollIntoView({ block: 'nearest' });
    this.#showWays();
    this.#showMore(pattern);
  }

  /** Shows the ways in which the pattern fits, one after the other. */
  #showWays() {
    this.#findWays().catch((error) => this.ways.replaceChildren(element('p', {}, errorText(error))));
  }

  async #findWays() {
    const { size: n, stickers } = this.#app.shown;
    const pattern = this.#chosen;
    if (!this.#fitting?.includes(pattern.name)) {
      this.#app.view.mark([]);
      this.ways.replaceChildren(element('p', {}, t('The cube does not fit it now.')));
      return;
    }
    const [named, matches] = await Promise.all([patternNamed(pattern.name, n), fitsOf(pattern.name, toFacelets(stickers))]);
    if (pattern !== this.#chosen || this.#app.shown.stickers !== stickers || !this.#open) return;
    // Ways that are about the same stickers are one.
    const ways = new Map(matches.map((match) => placesOfFit(named.pattern, match, stickers, n)).map((places) => [[...places].sort().join(), places]));
    this.#showWay([...ways.values()], 0);
  }

  #showWay(ways, at) {
    const places = ways[at] ?? [];
    const all = places.length === this.#app.shown.stickers.length;
    this.#app.view.mark(places.length && !all ? [{ places, kind: 'piece' }] : []);
    const next = element('button', { type: 'button', onclick: () => this.#showWay(ways, (at + 1) % ways.length) }, t('Next place'));
    this.ways.replaceChildren(element('p', { class: 'yes' }, ways.length > 1 ? t('Yes, in {n} places; this is place {i}.', { n: ways.length, i: at + 1 }) : t('Yes: the cube fits it now.')), ways.length > 1 ? next : '');
  }

  /** The algorithm of a case, and a cube to try it. */
  async #showMore(pattern) {
    const named = await patternNamed(pattern.name, Math.min(Math.max(this.#size, pattern.sizes.min), pattern.sizes.max)).catch(() => null);
    if (!named || pattern !== this.#chosen) return;
    const algorithm = algorithmOf(named.setup);
    const solves = algorithm && /^(oll|pll)-/.test(pattern.name);
    if (solves && this.#fitting?.includes(pattern.name)) this.#assisted();
    this.more.replaceChildren(
      solves ? element('p', {}, t('An algorithm for it:'), ' ', element('code', {}, algorithm)) : '',
      named.setup ? element('button', { type: 'button', onclick: () => this.#set(named) }, t('Try it on a cube of your own')) : '');
  }

  #assisted() {
    const { size, stickers } = this.#app.shown;
    this.#app.report('assisted', { size, facelets: toFacelets(stickers) });
  }

  /** A cube that shows the pattern, to be turned; it does not replace the one that this browser keeps. */
  async #set({ size, setup }) {
    const app = this.#app;
    const opening = app.beginOpening();
    try {
      const { cube: { facelets } } = await cubed.apply({ size, moves: setup });
      if (opening.aborted) return; // another cube is opened
      replaceCube(app, new LocalCube({ size, facelets }), t('This is a cube of your own, with the pattern.'), { guest: true });
    } catch (error) {
      app.notify(error);
    }
  }
}

