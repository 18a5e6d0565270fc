// search.js: the search in all documents: calls, parameters, members, schemas, problems, headings. Its rows are search.json,
// which the build makes; they are loaded when somebody is about to search.

import { base } from '../base.js';
import { element } from '../parts/element.js';

const SHOWN = 40;
/** Shorter texts are found at the beginning of a word alone: `oll` is not meant to be in `follow`. */
const INSIDE_LEAST = 4;

/** The kinds of rows: the weight and the name of each. */
const KINDS = {
  call: [14, 'call'], problem: [11, 'problem'], document: [10, 'document'], heading: [7, 'section'], parameter: [5, 'parameter'],
  schema: [4, 'schema'], member: [1, 'member'],
};

let loaded = null;

/** The rows, as {kind, name, place, address, text, ...}. */
function rows() {
  loaded ??= fetch(`${base}/docs/search.json`).then((answer) => answer.json()).then((all) => all.map(([kind, name, place, address, text, words = '']) => (
    { kind, name, place, address, text, low: name.toLowerCase(), around: `${place} ${text}`.toLowerCase(), words: ` ${words}` }
  )));
  loaded.catch(() => (loaded = null)); // another attempt with the next letter
  return loaded;
}

/** Returns true if a word begins at this place of the text. */
const begins = (text, at) => at === 0 || !/[a-z0-9]/.test(text[at - 1]);

/** Returns the place of the word in a text, if possible at the beginning of a word of the text; -1: nowhere. */
function placeIn(text, word) {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (begins(text, at)) return at;
  return first;
}

/** Rates how well a row fits one word; 0: not at all. */
function fit(row, word) {
  const inside = word.length >= INSIDE_LEAST;
  const at = placeIn(row.low, word);
  if (at >= 0 && (inside || begins(row.low, at))) return row.low === word ? 100 : at === 0 ? 60 : begins(row.low, at) ? 40 : 22;
  const around = placeIn(row.around, word);
  if (around >= 0 && (inside || begins(row.around, around))) return begins(row.around, around) ? 12 : 5;
  return row.words.includes(` ${word} `) ? 4 : row.words.includes(` ${word}`) ? 2 : 0;
}

/** The rows that have all words, the best first. */
export function find(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = [];
  for (const row of all) {
    const fits = words.map((word) => fit(row, word));
    if (fits.includes(0)) continue;
    const whole = row.low === words.join(' ') ? 60 : 0;
    found.push({ row, score: fits.reduce((sum, one) => sum + one, whole) / words.length + KINDS[row.kind][0] - row.name.length / 20 });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, SHOWN).map((one) => one.row);
}

/** A text with the words marked. */
function marked(text, words) {
  const low = text.toLowerCase();
  const parts = [];
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const word = words.find((one) => low.startsWith(one, at));
    if (!word) continue;
    parts.push(text.slice(done, at), element('mark', {}, text.slice(at, at + word.length)));
    done = at + word.length;
    at = done - 1;
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
}

function option(row, index, words) {
  const named = ['call', 'parameter', 'member', 'schema', 'problem'].includes(row.kind);
  return element('a', { role: 'option', id: `found-${index}`, href: base + row.address, tabindex: -1, 'aria-selected': 'false', class: named ? null : 'words' },
    element('span', { class: 'kind' }, KINDS[row.kind][1]), element('b', {}, marked(row.name, words)),
    element('small', {}, row.kind === 'call' ? row.text : [row.place, row.text].filter(Boolean).join(': ')));
}

/** Makes the field search; `arrived` is called after a hit on this page was chosen; `singleKeys()`: whether / leads to the field. */
export function prepareSearch(field, arrived, singleKeys) {
  const list = element('div', { id: 'found', role: 'listbox', 'aria-label': 'Found', hidden: true });
  const said = element('p', { class: 'unseen', role: 'status' });
  const chosen = () => list.querySelector('[aria-selected=true]');
  Object.entries({ role: 'combobox', 'aria-controls': 'found', 'aria-expanded': 'false', 'aria-autocomplete': 'list' }).forEach(([name, value]) => field.setAttribute(name, value));
  field.parentElement.append(list, said);

  function choose(one) {
    chosen()?.setAttribute('aria-selected', 'false');
    one?.setAttribute('aria-selected', 'true');
    one?.scrollIntoView({ block: 'nearest' });
    if (one) field.setAttribute('aria-activedescendant', one.id);
    else field.removeAttribute('aria-activedescendant');
  }

  function close() {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    choose(null);
  }

  async function show() {
    const text = field.value;
    if (text.trim() === '') {
      close();
      return;
    }
    let hits = [];
    try {
      hits = find(await rows(), text);
    } catch {
      list.replaceChildren(element('p', {}, 'The search could not be loaded. Is the server there?'));
    }
    if (text !== field.value) return; // more was typed meanwhile
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).sort((a, b) => b.length - a.length);
    if (loaded) list.replaceChildren(...(hits.length > 0 ? hits.map((row, i) => option(row, i, words)) : [element('p', {}, `Nothing has ${words.length > 1 ? 'all these words' : `“${text.trim()}”`}.`)]));
    list.hidden = false;
    list.scrollTop = 0;
    field.setAttribute('aria-expanded', 'true');
    said.textContent = hits.length === 0 ? 'Nothing found' : `${hits.length} found`;
    choose(list.querySelector('a'));
  }

  function follow(link) {
    close();
    field.blur();
    const there = new URL(link.href);
    const here = there.pathname === location.pathname && there.hash === location.hash;
    location.assign(there);
    if (here) arrived(); // the address stays, so nothing else reports it
  }

  function pressed(event) {
    const all = [...list.querySelectorAll('a')];
    const at = all.indexOf(chosen());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !list.hidden && all.length > 0) choose(all[(at + step + all.length) % all.length]);
    else if (event.key === 'Enter' && chosen()) follow(chosen());
    else if (event.key === 'Escape' && !list.hidden) close();
    else return;
    event.preventDefault();
  }

  field.addEventListener('focus', () => { rows().catch(() => {}); if (field.value) show(); });
  field.addEventListener('input', show);
  field.addEventListener('keydown', pressed);
  field.addEventListener('blur', () => setTimeout(() => field.matches(':focus') || close(), 150));
  list.addEventListener('mousedown', (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(link);
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || !singleKeys() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  if (document.querySelector('.missing')) field.value = decodeURIComponent(location.pathname).split(/[^\p{L}\p{N}]+/u).filter(Boolean).at(-1) ?? '';
  if (field.value && field.matches(':focus')) show(); // typed before this was loaded
}
