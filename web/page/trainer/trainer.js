// trainer.js: training of one step: cases of a set, or a goal at a distance. Chooses what comes next, shows what it was after
// the solve, and the times of each case.

import { LocalCube } from '../../client/local.js';
import { colourNames } from '../cube/colours.js';
import { element } from '../parts/element.js';
import { chosenPalette } from '../look.js';
import { scramble, solve } from '../offline/answers.js';
import { caseSet, caseSets } from '../offline/sets.js';
import { Card } from './card.js';
import { Cases } from './cases.js';
import { endOf, lastLayerUp } from './ends.js';
import { distanceWords, GOALS, placeWords } from './goals.js';
import { timesByCase } from './times.js';
import { t, translated } from '../words.js';

/** Lists of solves that are made by training begin with this. Their names are kept, so they are the same in all languages. */
const LIST = 'Training: ';
export const isTrainingList = (list) => list.startsWith(LIST);

/** Shortest ways to a goal that are shown. */
const WAYS = 3;

export class Trainer {
  #sets = []; // summaries
  #set = null; // the one that is trained, with its cases
  #drawn = null; // the case being solved, as draw() returned it
  #last = '';

  /**
   * `applies()`: whether the cube that is timed can be trained on; `onOptions()`: more can be chosen; `onChoice()`: other
   * scrambles are wanted; `onShown()`: what is being solved was shown; `onPlay()`: an algorithm is shown on the cube.
   */
  constructor({ app, choices, applies, onOptions, onChoice, onShown, onPlay }) {
    Object.assign(this, { app, choices, applies, onOptions, onChoice, onShown });
    this.cases = new Cases({ app, isOut: (name) => this.#out.includes(name), choose: (names, into) => this.#choose(names, into) });
    this.card = new Card(app, onPlay);
    this.place = element('select', { 'aria-label': t('Where'), onchange: () => this.#setGoal({ place: this.place.value }) });
    this.distance = element('select', { 'aria-label': t('How far'), onchange: () => this.#setGoal({ distance: Number(this.distance.value) }) });
    this.reveal = element('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => this.#reveal() });
    this.show();
    if (this.choices.get('training')) this.#read();
    caseSets(app.settings).then(({ items }) => {
      this.#sets = items;
      this.onOptions();
    }, () => {}); // goals can be trained
  }

  // ---- what is trained ----

  /** The steps and cases that can be trained, for a list to choose from: [[group, [[value, words], ...]], ...]. */
  get options() {
    const { training } = this;
    const sets = this.#sets.map(({ name, title }) => [`set:${name}`, translated(title)]);
    if (training?.set && sets.length === 0) sets.push([training.value, training.title]);
    return [[t('Cases'), sets], [t('A first step'), GOALS.map(({ name, title }) => [`goal:${name}`, t(title)])]];
  }

  /** {value, title, list, size, set} or {value, title, list, size, goal, place, distance}; null: whole solves. */
  get training() {
    const value = this.choices.get('training');
    const [kind, name] = value?.split(':') ?? [];
    const goal = kind === 'goal' && GOALS.find((one) => one.name === name);
    if (goal) {
      const { place = goal.place, distance = goal.distance } = this.choices.get('goals')[name] ?? {};
      return { value, title: t(goal.title), list: `${LIST}${goal.title}, ${distance} ${distance === 1 ? 'turn' : 'turns'} away`, size: 3, goal: name, place, distance };
    }
    if (kind !== 'set') return null;
    const set = this.#sets.find((one) => one.name === name) ?? this.#set;
    const title = set?.title.split(':')[0] ?? name.toUpperCase();
    return { value, title, list: LIST + title, size: set?.size ?? 3, set: name };
  }

  choose(value) {
    this.choices.set('training', value);
    this.card.hide();
    this.show();
    if (value) this.#read();
  }

  get #out() {
    return this.choices.get('out')[this.training?.set] ?? [];
  }

  #choose(names, into) {
    const { set } = this.training;
    const out = into ? this.#out.filter((name) => !names.includes(name)) : [...new Set([...this.#out, ...names])];
    this.choices.set('out', { ...this.choices.get('out'), [set]: out });
    if (!this.#drawn || out.includes(this.#drawn.one?.name)) this.onChoice();
  }

  #setGoal(change) {
    const { goal } = this.training;
    const goals = this.choices.get('goals');
    this.choices.set('goals', { ...goals, [goal]: { ...goals[goal], ...change } });
    this.card.hide();
    this.show();
    this.onChoice();
  }

  async #read() {
    const { set } = this.training ?? {};
    if (!set || this.#set?.name === set) return this.#set;
    const found = await caseSet(set, this.app.settings).catch((error) => (this.app.notify(error), null));
    if (this.training?.set !== set) return null;
    this.#set = found;
    this.show();
    return found;
  }

  // ---- scrambles ----

  /**
   * The next scramble: {moves, size}, with what else is known of it: end, as endOf() says; record, what is recorded with
   * the solve. `moves` is null if no case is chosen. Fails if nobody answers.
   */
  async draw() {
    const { training } = this;
    const { title, size, set, goal, place, distance, list } = training;
    const common = { end: endOf(training), record: { event: 'other', size, list } };
    if (goal) {
      const { moves } = await scramble({ goal, place, distance });
      return { ...common, title: `${title}, ${distanceWords(distance)}`, goal, place, size, moves };
    }
    const found = await this.#read();
    if (!found) throw new Error('no cases');
    const names = found.cases.filter(({ name }) => !this.#out.includes(name));
    const others = names.filter(({ name }) => names.length === 1 || name !== this.#last);
    const one = others[Math.floor(Math.random() * others.length)];
    if (!one) return { moves: null, size: found.size };
    const { moves } = await scramble({ until: one.name });
    this.#last = one.name;
    return { ...common, record: { ...common.record, comment: one.name }, title, one, moves: size === 3 ? lastLayerUp(moves) : moves, size };
  }

  /** This is what is being solved from now on, as draw() gave it; null: nothing of it. */
  begin(drawn) {
    this.#drawn = drawn?.moves ? drawn : null;
    this.reveal.hidden = this.#drawn === null;
    this.reveal.textContent = drawn?.one ? t('Show the case') : t('Show a way');
  }

  // ---- what it was ----

  /** It is solved: now it may be seen what it was. */
  solved(drawn) {
    this.begin(null);
    this.#showWhat(drawn);
  }

  #reveal() {
    this.reveal.hidden = true;
    this.onShown();
    this.#showWhat(this.#drawn);
    this.card.box.scrollIntoView({ block: 'nearest' });
  }

  async #showWhat({ title, one, goal, place, size, moves, end }) {
    const cube = new LocalCube({ size });
    cube.turn(moves);
    if (one) return this.card.showCase(title, one, cube, end);
    const start = { size, facelets: cube.facelets };
    const shown = this.card.showWays(title, start, null);
    const answer = await solve({ cube: start, state: start, goal, place, solutions: WAYS }).catch((error) => (this.app.notify(error), null));
    if (!this.card.shows(shown)) return undefined; // something else is shown by now
    if (!answer) return this.card.showNoWays(title);
    const ways = (answer.solutions ?? [answer]).filter((way) => way.length === answer.length).map((way) => way.solution);
    return this.card.showWays(title, start, ways.filter(Boolean));
  }

  // ---- showing ----

  /** The results of the list of this training, oldest first: [{ms, comment}]. */
  set results(results) {
    this.cases.times = timesByCase(this.training?.set ? results : []);
  }

  show() {
    const training = this.applies() ? this.training : null;
    const goal = GOALS.find(({ name }) => name === training?.goal);
    this.place.hidden = this.distance.hidden = !goal;
    this.cases.show(training?.set && this.#set?.name === training.set ? this.#set : null);
    if (!goal) return;
    const names = colourNames(chosenPalette(this.app.settings).colours);
    const option = (chosen) => ([value, words]) => element('option', { value, selected: value === chosen }, words);
    this.place.replaceChildren(...goal.places.map((place) => [place, placeWords(place, names)]).map(option(training.place)));
    this.distance.replaceChildren(...Array.from({ length: goal.most }, (_, i) => [i + 1, distanceWords(i + 1)]).map(option(training.distance)));
  }
}
