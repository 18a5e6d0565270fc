// worker.js: a SharedWorker that leads all tabs of a browser. It holds a lock as long as it lives, so that the tabs
// notice its end: it crashes with whichever tab it shares a process.

import { newKey } from '../random.js';
import { Leader } from './leader.js';

const leader = new Leader();

/** The name of the lock; null without Web Locks. @type {Promise<string | null>} */
const life = new Promise((held) => {
  const name = `cubed-worker-${newKey()}`;
  const { locks } = navigator;
  if (!locks) return held(null);
  return locks.request(name, () => {
    held(name);
    return new Promise(() => {});
  });
});

/** @type {any} */ (globalThis).onconnect = async (/** @type {MessageEvent} */ { ports: [port] }) => {
  leader.connect(port);
  port.postMessage({ type: 'ready', lock: await life });
};
