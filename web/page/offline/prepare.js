// prepare.js: gets what the page needs without a network, once somebody uses it: a visitor who only looks pays nothing for it.

/** A browser that is never idle waits no longer than this. */
const IDLE_MS = 2000;
/** Reports of the app that say that the page is used. */
const USED = ['turned', 'panel', 'turning'];

export function prepareOffline(app) {
  const ends = [];
  const begin = () => {
    for (const end of ends.splice(0)) end();
    if (navigator.connection?.saveData) return;
    const load = () => import('./library.js').then(({ loadLibrary }) => loadLibrary()).then(() => (app.independent = true), () => addEventListener('online', load, { once: true }));
    if (globalThis.requestIdleCallback) requestIdleCallback(load, { timeout: IDLE_MS });
    else load();
  };
  ends.push(...USED.map((type) => app.on(type, begin)));
  if (app.front !== 'turn') begin();
}
