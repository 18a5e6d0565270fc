// dialects.js: the notations that are read.

import { dialects } from '../offline/answers.js';

/** Fills a list of dialects; `text` says what the chosen one is. */
export async function listDialects(select, text) {
  if (select.options.length > 1) return;
  const all = await dialects();
  select.replaceChildren(...all.map(({ name }) => new Option(name, name)));
  select.onchange = () => (text.textContent = all.find(({ name }) => name === select.value).text);
  select.onchange();
}
