// code.js: values as the source text of JavaScript, Python and JSON: on one line if they are short.

const LINE = 76;
const NAME = /^[A-Za-z_$][\w$]*$/;

const string = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The way in which each language writes values. */
const LANGUAGES = {
  js: { text: (text) => (text.includes("'") && !text.includes('"') ? JSON.stringify(text) : string(text)), key: (name) => (NAME.test(name) ? name : string(name)), words: { true: 'true', false: 'false', null: 'null' }, pad: ' ', comma: ',' },
  python: { text: (text) => JSON.stringify(text), key: (name) => JSON.stringify(name), words: { true: 'True', false: 'False', null: 'None' }, pad: '', comma: ',' },
  json: { text: (text) => JSON.stringify(text), key: (name) => JSON.stringify(name), words: { true: 'true', false: 'false', null: 'null' }, pad: '', comma: '' },
};

/** The text of a value; `indent` is that of the line on which it begins. */
export function sourceOf(value, language, indent = '', line = LINE) {
  const { text, key, words, pad, comma } = LANGUAGES[language];
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return words[value] ?? String(value);
  const list = Array.isArray(value);
  const [open, close] = list ? '[]' : '{}';
  const members = (deeper) => (list ? value.map((one) => sourceOf(one, language, deeper, line)) : Object.entries(value).filter(([, one]) => one !== undefined).map(([name, one]) => `${key(name)}: ${sourceOf(one, language, deeper, line)}`));
  const short = members(indent);
  const inner = list ? '' : pad;
  const whole = short.length === 0 ? open + close : `${open}${inner}${short.join(', ')}${inner}${close}`;
  if (indent.length + whole.length <= line && !whole.includes('\n')) return whole;
  const deeper = `${indent}${language === 'python' ? '    ' : '  '}`;
  return `${open}\n${members(deeper).map((one) => deeper + one).join(',\n')}${comma}\n${indent}${close}`;
}

/** On one line, for a shell. */
export const lineOf = (value) => sourceOf(value, 'json', '', Infinity);

/** Arguments of a JavaScript function: empty ones at the end are left out. */
export function argumentsOf(...values) {
  const empty = (value) => value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0);
  while (values.length > 0 && empty(values.at(-1))) values.pop();
  return values.map((value) => sourceOf(value === undefined ? {} : value, 'js')).join(', ');
}

/** Python's names that are taken. */
const TAKEN = ['as', 'from', 'import'];

/** Arguments of a Python function: those by position, then those by name. */
export function pythonArguments(positional, named = {}) {
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  const all = (indent) => [...positional.map((value) => sourceOf(value, 'python', indent)), ...given.map(([name, value]) => `${TAKEN.includes(name) ? `${name}_` : name}=${sourceOf(value, 'python', indent)}`)];
  const line = all('').join(', ');
  return line.length > LINE && all('').length > 1 ? `\n    ${all('    ').join(',\n    ')},\n` : line;
}
