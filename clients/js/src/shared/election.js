// election.js: one of the tabs leads the others, if there is no SharedWorker (Chrome on Android). The tab that gets a
// Web Lock leads; when it is closed, crashes or is frozen, another one gets the lock at once.

import { newKey } from '../random.js';
import { Leader } from './leader.js';

/** Tabs with other messages do not meet. */
const NAME = 'cubed-events-1';

/** @param {string} tab */
const channelOf = (tab) => new BroadcastChannel(`${NAME}-${tab}`); // between one tab and the leader

/**
 * Takes part. Returns the port to whichever tab leads; a `ready` comes from each new leader.
 * @returns {import('./leader.js').Port}
 */
export function joinElection() {
  const tab = newKey();
  const port = channelOf(tab);
  const all = new BroadcastChannel(NAME);
  const close = port.close.bind(port);
  port.close = () => {
    close();
    all.close();
  };
  all.onmessage = ({ data }) => data.type === 'leader' && all.postMessage({ type: 'tab', tab });
  standForElection(tab);
  all.postMessage({ type: 'tab', tab });
  return port;
}

/** @param {string} own */
function standForElection(own) {
  navigator.locks.request(NAME, () => {
    const leader = new Leader();
    const all = new BroadcastChannel(NAME);
    const tabs = new Set();
    const serve = (/** @type {string} */ tab) => {
      if (tabs.has(tab)) return;
      tabs.add(tab);
      const channel = channelOf(tab);
      leader.connect(channel);
      channel.postMessage({ type: 'ready' });
    };
    all.onmessage = ({ data }) => data.type === 'tab' && serve(data.tab);
    serve(own);
    all.postMessage({ type: 'leader' });
    return new Promise((release) => {
      document.addEventListener('freeze', () => {
        all.close();
        leader.close();
        release(undefined);
        document.addEventListener('resume', () => standForElection(own), { once: true });
      }, { once: true });
    });
  }).catch(() => {});
}
