// panels.js: the panels beside the cube and their tabs. A panel is loaded when it is shown for the first time.

import { element } from './element.js';

/** In the order of the tabs. A panel without an icon is reached by a button of the header. */
const PANELS = [
  { name: 'turn', title: 'Turn', load: () => import('./panels/turn.js') },
  { name: 'history', title: 'History', load: () => import('./panels/history.js') },
  { name: 'solver', title: 'Solver', load: () => import('./panels/solver.js') },
  { name: 'timer', title: 'Timer', load: () => import('./panels/timer.js') },
  { name: 'paint', title: 'Paint', load: () => import('./panels/paint.js') },
  { name: 'friends', title: 'Friends', load: () => import('./panels/friends.js') },
  { name: 'cubes', title: 'Cubes', load: () => import('./panels/cubes.js') },
];

export class Panels {
  #app;
  #shown = null;

  constructor(app, tabs, host) {
    this.#app = app;
    this.entries = PANELS.map((panel) => {
      const tab = element('button', { type: 'button', role: 'tab', id: `tab-${panel.name}`, 'aria-controls': `panel-${panel.name}`, 'aria-selected': 'false', tabindex: '-1', onclick: () => this.show(panel.name) }, panel.title);
      const root = element('section', { id: `panel-${panel.name}`, class: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${panel.name}`, tabindex: '-1', hidden: true });
      tabs.append(tab);
      host.append(root);
      return { ...panel, tab, root, ready: null, hooks: null };
    });
    tabs.addEventListener('keydown', (event) => this.#move(event));
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
        one.tab.setAttribute('aria-selected', String(one === entry));
        one.tab.tabIndex = one === entry ? 0 : -1;
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
    entry.ready ??= entry.load().then(({ preparePanel }) => {
      entry.root.replaceChildren();
      entry.hooks = preparePanel(this.#app, entry.root) ?? {};
    }, () => {
      entry.ready = null;
      const again = element('button', { type: 'button', onclick: () => this.show(entry.name) }, 'Try again');
      entry.root.replaceChildren(element('p', {}, 'This part of the page could not be loaded.'), again);
    });
    return entry.ready;
  }

  /** Arrow keys move between the tabs, as in every list of tabs. */
  #move(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.entries.indexOf(this.#shown);
    const next = this.entries[(at + step + this.entries.length) % this.entries.length];
    this.show(next.name);
    next.tab.focus();
  }
}
