// sheet.js: the style sheet of the panels that the first screen does not show. Loaded with the first of them.

import { element } from './element.js';

let sheet = null;

/** Resolves when the sheet applies. */
export function loadSheet() {
  sheet ??= new Promise((done, failed) => {
    const href = new URL('../panels.css', import.meta.url).href;
    document.head.append(element('link', { rel: 'stylesheet', href, onload: done, onerror: failed }));
  }).catch((error) => {
    sheet = null;
    throw error;
  });
  return sheet;
}
