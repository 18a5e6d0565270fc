// panels.js: the panels beside the cube and their tabs. A panel is loaded when it is shown for the first time.

import { NOT_LOADED } from './app.js';
import { element, icon } from './parts/element.js';
import { loadMore, loadSheet } from './sheet.js';
import { t } from './words.js';

/** In the order of the tabs; `icon` is a path in a square of 24. A panel without an icon has a button in the header. */
const PANELS = [
  { name: 'turn', title: 'Turn', icon: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4', load: () => import('./panels/turn.js') },
  { name: 'history', title: 'History', icon: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01', load: () => import('./panels/history.js') },
  { name: 'solver', title: 'Solve', icon: 'M9.5 18h5M10 21h4M12 3a6 6 0 0 1 3.5 10.9c-.6.5-1 1.3-1 2.1h-5c0-.8-.4-1.6-1-2.1A6 6 0 0 1 12 3z', load: () => import('./panels/solver.js') },
  { name: 'timer', title: 'Time', icon: 'M12 6a7.5 7.5 0 1 0 0 15a7.5 7.5 0 1 0 0-15zM12 9.5v4l2.5 1.5M10 3h4M12 3v3', load: () => Promise.all([import('./panels/timer.js'), loadSheet('timer')]).then(([module]) => module) },
  { name: 'paint', title: 'My cube', icon: 'M14 5l5 5L9 20H4v-5zM12 7l5 5', load: () => import('./panels/paint.js') },
  { name: 'ask', title: 'Patterns', icon: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.5 15.5L20 20', load: () => import('./panels/ask.js') },
  { name: 'friends', title: 'Friends', icon: 'M9 5a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 1 0 9 5zM3 19.5c0-3 2.7-5 6-5s6 2 6 5M16 5.5a3 3 0 0 1 0 5.5M17.5 14.8c2 .6 3.5 2.3 3.5 4.7', load: () => import('./panels/friends.js') },
  { name: 'cubes', title: 'Cubes', load: () => import('./panels/cubes.js') },
];

/** The panel of the first screen; its look is part of page.css. */
const FIRST = 'turn';

export class Panels {
  #app;
  #cubeIsThere; // panels are about the cube: a tab that is chosen sooner waits
  #shown = null;

  constructor(app, tabs, host) {
    this.#app = app;
    this.#cubeIsThere = new Promise((done) => app.on('room', done));
    this.entries = PANELS.map((panel) => {
      const tab = panel.icon ? this.#tabOf(panel) : null;
      const root = element('section', { id: `panel-${panel.name}`, class: 'panel', tabindex: '-1', hidden: true, ...(tab ? { role: 'tabpanel', 'aria-labelledby': tab.id } : { 'aria-label': t(panel.title) }) });
      if (tab) tabs.append(tab);
      host.append(root);
      return { ...panel, tab, root, ready: null, hooks: null };
    });
    tabs.addEventListener('keydown', (event) => this.#move(event));
  }

  #tabOf({ name, title, icon: path }) {
    return element('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, 'aria-selected': 'false', tabindex: '-1', onclick: () => this.show(name) },
      icon(path), element('span', {}, t(title)));
  }

  /** The name of the panel in front. */
  get shown() {
    return this.#shown?.name ?? null;
  }

  /** Brings a panel to the front. Resolves when it can be used. */
  async show(name) {
    const entry = this.entries.find((one) => one.name === name);
    if (!entry) throw new Error(`no panel ${name}`);
    const before = this.#shown;
    if (before !== entry) {
      this.#shown = entry;
      for (const one of this.entries) {
        one.tab?.setAttribute('aria-selected', String(one === entry));
        if (one.tab) one.tab.tabIndex = one === (entry.tab ? entry : this.entries[0]) ? 0 : -1;
        one.root.hidden = one !== entry;
      }
      document.body.dataset.panel = name;
      before?.hooks?.hidden?.();
    }
    await this.#prepare(entry);
    if (before !== entry && this.#shown === entry) {
      entry.hooks?.shown?.();
      this.#app.report('panel', name);
    }
  }

  #prepare(entry) {
    if (!entry.ready) entry.root.textContent = t('Loading…');
    const loaded = entry.ready ?? (entry.name === FIRST ? entry.load() : loadMore(entry.load));
    entry.ready ??= loaded.then(async ({ preparePanel }) => {
      await this.#cubeIsThere;
      entry.root.replaceChildren();
      entry.hooks = preparePanel(this.#app, entry.root) ?? {};
    }, () => {
      entry.ready = null;
      const again = () => {
        if (entry.ready || this.#shown !== entry) return;
        this.#shown = null; // so that show() calls its hook
        this.show(entry.name);
      };
      addEventListener('online', again, { once: true });
      entry.root.replaceChildren(element('p', {}, NOT_LOADED), element('button', { type: 'button', onclick: again }, t('Try again')));
    });
    return entry.ready;
  }

  /** Arrow keys, Home and End move between the tabs, as in every list of tabs. */
  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return; // keys of the browser
    const tabs = this.entries.filter(({ tab }) => tab);
    const at = Math.max(0, tabs.findIndex(({ tab }) => tab === document.activeElement));
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    this.show(next.name);
    next.tab.focus();
  }
}
