// choices.js: what this person has chosen in the timer, remembered in the browser, and the events with their words.

const KEY = 'cubed.timer';

const DEFAULTS = {
  mode: null, // page: the cube on the page; hand: a real one; null: what suits the open cube
  inspection: false,
  calls: 'voice', // voice, sound, none
  event: '333',
  list: null, // the list of new solves; null: none
  hold: 300, // ms
  plot: 'trend', // trend, distribution, days
  averages: [], // more of them, by their names: ao25, mo10
  training: null, // 'set:pll', 'goal:cross'; null: whole solves
  out: {}, // by set: the names of cases that are not trained
  goals: {}, // by goal: {place, distance}
};

/** Events by their WCA ids: name, and the size of the cube; those without a size are other puzzles. */
export const EVENTS = [
  { id: '333', name: '3x3x3', size: 3 },
  { id: '222', name: '2x2x2', size: 2 },
  { id: '444', name: '4x4x4', size: 4 },
  { id: '555', name: '5x5x5', size: 5 },
  { id: '666', name: '6x6x6', size: 6 },
  { id: '777', name: '7x7x7', size: 7 },
  { id: '333oh', name: '3x3x3 one-handed', size: 3 },
  { id: '333bf', name: '3x3x3 blindfolded', size: 3 },
  { id: '333fm', name: '3x3x3 fewest moves', size: 3 },
  { id: '333ft', name: '3x3x3 with feet', size: 3 },
  { id: '333mbf', name: '3x3x3 multi-blind', size: 3 },
  { id: '444bf', name: '4x4x4 blindfolded', size: 4 },
  { id: '555bf', name: '5x5x5 blindfolded', size: 5 },
  { id: 'clock', name: 'Clock', size: null },
  { id: 'minx', name: 'Megaminx', size: null },
  { id: 'pyram', name: 'Pyraminx', size: null },
  { id: 'skewb', name: 'Skewb', size: null },
  { id: 'sq1', name: 'Square-1', size: null },
  { id: 'other', name: 'Other', size: null },
];

/** The usual event of a cube's size. */
export const eventOfSize = (n) => EVENTS.find(({ size }) => size === n)?.id ?? 'other';

export const eventOf = (id) => EVENTS.find((event) => event.id === id) ?? { id, name: id, size: null };

/** Returns the server's parameters for a scramble of an event: {size, variant}; null if it has none. */
export function scrambleFor(id) {
  const { size } = eventOf(id);
  if (size === null) return null;
  if (/bf$/.test(id)) return { size, variant: 'bld' };
  return id === '333fm' ? { size, variant: 'fmc' } : { size };
}

export class Choices {
  #storage;
  #values;

  /** `storage`: as localStorage, or null. */
  constructor(storage) {
    this.#storage = storage;
    this.#values = { ...DEFAULTS, ...this.#read() };
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Full or forbidden: it lasts as long as the page.
    }
  }

  #read() {
    try {
      const read = JSON.parse(this.#storage?.getItem(KEY) ?? '{}');
      return Object.fromEntries(Object.entries(read).filter(([name]) => name in DEFAULTS));
    } catch {
      return {};
    }
  }
}
