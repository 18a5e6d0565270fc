// sets.js: the sets of cases that are trained. The server has them; in this browser those are kept that were read.
//
// All sets together are 200 KB, compressed, of which somebody trains one or two: they are kept as they come, instead of being
// a part of the page.

import { base, home } from '../base.js';
import { fromServer } from './answers.js';

/** Its name begins as that of the page's own cache, and is removed with it (keep.js, service-worker.js). */
const CACHE = `cubed ${home} sets`;
const addressOf = (name) => `${base}/v1/sets/${name}`;

/** A kept answer; null: none. */
async function read(name) {
  try {
    return (await (await caches.match(addressOf(name), { cacheName: CACHE }))?.json()) ?? null;
  } catch {
    return null; // only secure pages may keep something
  }
}

async function write(name, answer) {
  try {
    await (await caches.open(CACHE)).put(addressOf(name), new Response(JSON.stringify(answer)));
  } catch {
    // Forbidden, or no room: without the server the set is not there.
  }
}

/** The server's answer, or the kept one if it does not answer. */
async function askOrRead(name, settings, ask) {
  const known = await read(name);
  return fromServer(async (cubed) => {
    const answer = await ask(cubed);
    if (settings.get('keep')) await write(name, answer);
    return answer;
  }, known && (() => known));
}

/** All sets, without their cases: {items}; see /v1/sets. */
export const caseSets = (settings) => askOrRead('', settings, (cubed) => cubed.caseSets());

/** A set with its cases. */
export const caseSet = (name, settings) => askOrRead(name, settings, (cubed) => cubed.caseSet(name));
