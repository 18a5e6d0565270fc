// The texts of the page in other languages (web/page/words), without a browser: the tables have the same texts with the same
// placeholders, each text is one of the page, and the page has no text outside of them. Usage: node words.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageFor, t } from '../../web/page/words.js';
import { check, finish } from '../api/report.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const list = (...patterns) => execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' }).trim().split('\n');

const LANGUAGES = ['de', 'es', 'fr', 'zh'];
const PARTS = ['play', 'solve', 'time'];
/** The modules that are loaded after all texts (afterWords); the others have only those of words/LANGUAGE.js. */
const LATER = /^web\/page\/(panels\/(?!turn)|session\/reactions|dialogs\/|paint\/|solver\/|timer\/|trainer\/|ask\/|cube\/table)/;

const tables = {};
for (const language of LANGUAGES) {
  const first = (await import(`../../web/page/words/${language}.js`)).words;
  const parts = await Promise.all(PARTS.map((part) => import(`../../web/page/words/${language}/${part}.js`)));
  tables[language] = { first, all: Object.assign({}, first, ...parts.map(({ words }) => words)), count: [first, ...parts.map(({ words }) => words)].reduce((sum, one) => sum + Object.keys(one).length, 0) };
}

/** The modules of the page; documents are in English, and frames and clients have no texts of the page. */
const modules = list('web/page.js', 'web/page/*.js').filter((path) => !/^web\/page\/(docs|words)\/|embed\.js$/.test(path) || path.includes('dialogs/'));
const html = read('web/index.html');

/** A slash after one of these begins a regular expression. */
const BEFORE_REGEXP = /(?:[(,=:[!&|?{};\n]|=>|\breturn)\s*$/;
const SKIPPED = /\/\/.*|\/\*[\s\S]*?\*\//y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const QUOTED = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y;

/** Returns what an expression finds at a place, and null otherwise. */
function foundAt(expression, source, at) {
  expression.lastIndex = at;
  return expression.exec(source);
}

/** Adds the literals of code to `found`, up to the bracket that closes a value of a template, or the end. Returns the place. */
function scan(source, from, found) {
  for (let at = from, depth = 0; at < source.length; at++) {
    const quoted = foundAt(QUOTED, source, at);
    const skipped = foundAt(SKIPPED, source, at) ?? (source[at] === '/' && BEFORE_REGEXP.test(source.slice(Math.max(0, at - 20), at)) ? foundAt(REGEXP, source, at) : null);
    if (quoted) found.push({ text: (quoted[1] ?? quoted[2]).replace(/\\(['"])/g, '$1'), before: source.slice(Math.max(0, at - 40), at) });
    if (quoted ?? skipped) at += (quoted ?? skipped)[0].length - 1;
    else if (source[at] === '`') at = scanTemplate(source, at, found);
    else if (source[at] === '{') depth++;
    else if (source[at] === '}' && depth-- === 0) return at;
  }
  return source.length;
}

/** The same for a template, whose values are a 0 in its text. */
function scanTemplate(source, from, found) {
  let text = '';
  let at = from + 1;
  for (; source[at] !== '`'; at++) {
    if (source.startsWith('${', at)) {
      at = scan(source, at + 2, found);
      text += '0';
    } else text += source[at];
  }
  found.push({ text, before: source.slice(Math.max(0, from - 40), from) });
  return at;
}

const literals = new Map(modules.map((path) => {
  const found = [];
  scan(read(path), 0, found);
  return [path, found.map((one) => ({ ...one, isTranslated: /(?<![\w.#])t\($/.test(one.before) }))];
}));

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

await check('the tables of all languages have the same texts, each once', () => {
  const texts = Object.keys(tables.de.all).sort();
  for (const [language, { first, all, count }] of Object.entries(tables)) {
    assert.deepEqual(Object.keys(all).sort(), texts, language);
    assert.deepEqual(Object.keys(first).sort(), Object.keys(tables.de.first).sort(), language);
    assert.equal(count, texts.length, `${language} has a text twice`);
  }
});

await check('a translation has the placeholders of its text, and the forms of its language', () => {
  for (const [language, { all }] of Object.entries(tables)) {
    for (const [text, words] of Object.entries(all)) {
      assert.deepEqual(placeholders(words), placeholders(text), `${language}: ${text}`);
      const forms = text.includes('|') && language !== 'zh' ? 2 : 1;
      assert.equal(words.split('|').length, forms, `${language}: ${text}`);
      assert.equal(/^ /.test(text) && language !== 'zh', /^ /.test(words), `${language}: ${text}`);
      assert.ok(words.trim(), `${language}: ${text}`);
    }
  }
});

await check('each text of the page is in the tables, that of the first screen in the one that comes with it', () => {
  for (const [path, found] of literals) {
    const table = LATER.test(path) ? tables.de.all : tables.de.first;
    const missing = found.filter(({ text, isTranslated }) => isTranslated && !(text in table));
    assert.deepEqual(missing.map(({ text }) => text), [], path);
  }
});

await check('each text of index.html is in the tables', () => {
  const body = html.slice(html.indexOf('<body>')).replace(/<noscript>.*<\/noscript>/, '');
  const seen = [...body.matchAll(/>([^<>]*[A-Za-z][^<>]*)</g), ...body.matchAll(/ (?:aria-label|title)="([^"]*)"/g)].map((found) => found[1]);
  assert.deepEqual(seen.filter((text) => text !== 'cubed' && text !== '?' && !(text in tables.de.first)), []);
  assert.ok(seen.length > 20);
});

await check('no text of the tables is left over', () => {
  const used = new Set([...literals.values()].flat().map(({ text }) => text));
  const view = read('clients/js/src/view/view.js');
  // The server and the library have these in English; the names of colours are members.
  const elsewhere = [...list('core/pattern/*.def', 'core/sets/sets.c', 'server/modules/times/stage_times.c'), 'docs/reference/problems.md', 'clients/js/src/outbox.js'].map(read).join('\n');
  const colours = read('web/page/cube/colours.js');
  const isUsed = (text) => used.has(text) || html.includes(`>${text}<`) || html.includes(`"${text}"`) || view.includes(`'${text}'`)
    || elsewhere.includes(text.endsWith('~stage') ? `"${text.replace('~stage', '')}"` : text) || new RegExp(`[ {]'?${text}'?: \\[`).test(colours);
  assert.deepEqual(Object.keys(tables.de.all).filter((text) => !isUsed(text)), []);
});

/** Literals with words that are not texts of the page: names, code, the form of files, and errors that are caught. */
const UNREAD = [
  /^[\w-]*$/,
  /^(no (setting|panel|storage|cases|id of a session)|nothing to copy)/,
  /^u r f d l b$|^ao25, mo10$|^12\.34, 1:02\.3/,
  /^0, in the form of csTimer$/,
  /^moves without times; R@120/,
];
/** The other names of patterns, by which they are searched. */
const isOtherName = (path, text) => path === 'web/page/ask/meanings.js' && /^[a-z0-9 ]+$/.test(text);

/** The beginnings of code that shows a text. */
const SHOWS = /(textContent = |(aria-label'?|title|placeholder): |notify\(|say\(|new Error\(|note\()$/;
const WORDS = /^[A-Z][a-z]+( [a-z]+)+|[a-z]+ [a-z]+ [a-z]+ [a-z]+/;

await check('the page has no text outside of the tables', () => {
  const outside = [];
  for (const [path, found] of literals) {
    for (const { text, isTranslated, before } of found) {
      const isText = SHOWS.test(before) ? /[A-Za-z]{2}/.test(text) : WORDS.test(text);
      const isKnown = isTranslated || text in tables.de.all || UNREAD.some((one) => one.test(text)) || isOtherName(path, text);
      if (isText && !isKnown) outside.push(`${path}: ${text}`);
    }
  }
  assert.deepEqual(outside, []);
});

await check('the language is the chosen one, else the first of the browser\'s that there is', () => {
  assert.equal(languageFor(['', 'pt-BR', 'fr-CA', 'de']), 'fr');
  assert.equal(languageFor(['zh', 'de']), 'zh');
  assert.equal(languageFor(['', 'zh-Hans-CN', 'en-US']), 'zh');
  assert.equal(languageFor(['', 'en-GB', 'de']), 'en');
  assert.equal(languageFor(['', 'pt']), 'en');
  assert.equal(languageFor([]), 'en');
});

await check('English texts: values, numbers, one and many, and meanings', () => {
  assert.equal(t('{n} move|{n} moves', { n: 1 }), '1 move');
  assert.equal(t('{n} move|{n} moves', { n: 12345 }), '12,345 moves');
  assert.equal(t('It is the turn of {name}.', { name: '{n} $& |' }), 'It is the turn of {n} $& |.');
  assert.equal(t('Scramble~entry'), 'Scramble');
});

finish();
