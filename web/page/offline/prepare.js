// prepare.js: gets what the page needs without a network, once somebody uses it, and then keeps the page: a visitor who only
// looks pays nothing for it.

/** A browser that is never idle waits no longer than this. */
const IDLE_MS = 2000;
/** Reports of the app that say that the page is used. */
const USED = ['turned', 'panel', 'turning'];

/** Calls `run` when the browser has nothing else to do. */
const whenIdle = (run) => (globalThis.requestIdleCallback ? requestIdleCallback(run, { timeout: IDLE_MS }) : run());

/** Keeps the page for a visit without a network. What does not come is fetched at another visit. */
const keep = (settings) => import('./keep.js').then(({ keepPage }) => keepPage(settings)).catch(() => {});

export function prepareOffline(app) {
  const ends = [];
  const begin = () => {
    for (const end of ends.splice(0)) end();
    if (navigator.connection?.saveData) return;
    const loaded = () => {
      app.independent = true;
      whenIdle(() => keep(app.settings));
    };
    const load = () => import('./library.js').then(({ loadLibrary }) => loadLibrary()).then(loaded, () => addEventListener('online', load, { once: true }));
    whenIdle(load);
  };
  ends.push(...USED.map((type) => app.on(type, begin)));
  if (app.front !== 'turn') begin();
}
