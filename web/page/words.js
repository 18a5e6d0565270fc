// words.js: the texts of the page in the language of its reader. The code has them in English, as t('Undo'); each other
// language has tables with the same texts (words/), which only its readers load. See docs/internals/translations.md.

import { storedSettings } from './settings.js';

/** English needs no table. */
const TABLES = {
  en: () => null,
  de: () => import('./words/de.js'),
  es: () => import('./words/es.js'),
  fr: () => import('./words/fr.js'),
  zh: () => import('./words/zh.js'),
};

/** Returns the language for somebody who wants these, as BCP 47 has them, the best first. */
export function languageFor(tags) {
  return tags.map((tag) => tag.split('-')[0]).find((one) => one in TABLES) ?? 'en';
}

/** The documents, and tests without a browser, are in English. */
const asked = globalThis.document?.getElementById('page') ? [storedSettings().language ?? '', ...navigator.languages] : [];
const wanted = languageFor(asked);
const file = await TABLES[wanted]()?.catch(() => null);

/** The language of the page; English if the table of the wanted one does not come. */
export const language = file ? wanted : 'en';
/** The same with its region, for dates: en-GB writes them otherwise than en-US. */
export const locale = asked.find((tag) => tag.startsWith(language)) ?? language;

const table = { ...file?.words };
const plurals = new Intl.PluralRules(language);

/** Returns what the tables have for a text of the server, such as the title of a pattern. */
export const translated = (text, otherwise = text) => table[text] ?? otherwise;

/**
 * Returns an English text in the language of the page. `{name}` is replaced by a value; numbers are written as the language
 * does. A text with two forms, separated by |, has one for the number `n` if it is counted as one, and one for others. What
 * follows ~ says which of several meanings the text has.
 */
export function t(text, values = {}) {
  const [one, other = one] = translated(text, text.replace(/~.*/, '')).split('|');
  const form = plurals.select(values.n ?? 0) === 'one' ? one : other;
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name].toLocaleString(locale));
}

/** Returns the text for an error. The server's details are in English, so the kind of the problem precedes them. */
export function errorText({ title, message }) {
  return title in table ? `${t(title)}: ${message}` : message;
}

/** Loads the texts of what the first screen does not show, then a module with such texts. */
export async function afterWords(load) {
  for (const { words } of (await file?.rest()) ?? []) Object.assign(table, words);
  return load();
}
