// sheet.js: the style sheets that the first screen does without: that of the other panels, and that of the timer.

import { element } from './parts/element.js';
import { afterWords } from './words.js';

const sheets = {};

/** Resolves when the sheet applies. */
export function loadSheet(name = 'panels') {
  sheets[name] ??= new Promise((done, failed) => {
    const href = new URL(`../${name}.css`, import.meta.url).href;
    document.head.append(element('link', { rel: 'stylesheet', href, onload: done, onerror: failed }));
  }).catch((error) => {
    sheets[name] = null;
    throw error;
  });
  return sheets[name];
}

/** Loads what the first screen does without: a module, after its texts and together with its look. */
export const loadMore = (load) => Promise.all([afterWords(load), loadSheet()]).then(([module]) => module);
