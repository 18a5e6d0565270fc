// settings.js: what this person has chosen, remembered in the browser's local storage.

const KEY = 'cubed.settings';

/** The settings and what they are at first. Their dialog is in dialogs/settings.js. */
const DEFAULTS = {
  language: '', // en, de, fr, es or zh; empty: as the browser wants
  theme: 'system', // system, light, dark, quiet
  palette: 'wca', // wca, okabe-ito, own
  colours: ['#ffffff', '#c41e3a', '#009e60', '#ffd500', '#ff5800', '#0051ba'], // the own palette
  stickerless: false,
  letters: false,
  back: 'none', // the view of the sides at the back: none, hints, view
  unfolded: false,
  keys: 'letters', // letters, speed, off
  announceTurns: true,
  name: '', // of this person
  size: 3, // of the cube on the first screen
  welcome: true, // the first screen offers ways to begin
  hint: true, // and says that stickers can be dragged
  keep: true, // the page is kept in this browser, to open without a network
};

export class Settings {
  #values;
  #listeners = new Map();

  /** `storage` may be null: then nothing is remembered. */
  constructor(storage = storageOf()) {
    this.storage = storage;
    this.#values = { ...DEFAULTS, ...storedSettings(this.storage) };
    globalThis.addEventListener?.('storage', (event) => event.key === KEY && this.#readAgain());
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (!(name in DEFAULTS)) throw new Error(`no setting ${name}`);
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    const changed = Object.entries(this.#values).filter(([key, one]) => one !== DEFAULTS[key]);
    try {
      this.storage?.setItem(KEY, JSON.stringify(Object.fromEntries(changed)));
    } catch {
      // Storage is full or forbidden: the setting lasts as long as the page.
    }
    this.#report(name);
  }

  /** Calls the listener with the value whenever it changes, here or in another tab. Returns a function that ends this. */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }

  /** Another tab has changed something. */
  #readAgain() {
    const before = this.#values;
    this.#values = { ...DEFAULTS, ...storedSettings(this.storage) };
    for (const name of Object.keys(DEFAULTS)) if (before[name] !== this.#values[name]) this.#report(name);
  }

  #report(name) {
    for (const listener of this.#listeners.get(name) ?? []) listener(this.#values[name]);
  }
}

/** Returns what was chosen and is remembered, without the settings that are as at first. */
export function storedSettings(storage = storageOf()) {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(storage?.getItem(KEY) ?? '{}')).filter(([key]) => key in DEFAULTS));
  } catch {
    return {};
  }
}

/** The local storage; null if the browser forbids it. */
export function storageOf() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
