// prose.js: the descriptions of openapi.yaml as elements: headings, lists, tables, code, and words in `code` or *emphasis*.

import { element } from './element.js';

function words(text) {
  return text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).filter(Boolean).map((part) => {
    if (part[0] === '`' && part.length > 1) return element('code', {}, part.slice(1, -1));
    if (/^\*[^*]+\*$/.test(part)) return element('em', {}, part.slice(1, -1));
    return part;
  });
}

const cells = (line) => line.replace(/^\s*\||\|\s*$/g, '').split('|').map((cell) => words(cell.trim()));

function table(lines) {
  const [head, , ...rows] = lines;
  return element('table', {},
    element('thead', {}, element('tr', {}, cells(head).map((cell) => element('th', {}, cell)))),
    element('tbody', {}, rows.map((row) => element('tr', {}, cells(row).map((cell) => element('td', {}, cell))))));
}

/** The kind of a block of lines, by the beginning of its first line: the first row that matches. */
const BLOCKS = [
  [/^#+ /, (lines) => element('h2', {}, words(lines.join(' ').replace(/^#+ /, '')))],
  [/^\|/, table],
  [/^ {4}/, (lines) => element('pre', { tabindex: 0 }, lines.map((line) => line.slice(4)).join('\n'))],
  [/^[*-] /, (lines) => element('ul', {}, lines.join('\n').split(/\n(?=[*-] )/).map((item) => element('li', {}, words(item.slice(2)))))],
  [/^/, (lines) => element('p', {}, words(lines.join('\n')))],
];

/** Elements for a text; none for an empty text. */
export function prose(text = '') {
  const blocks = text.trimEnd().split(/\n\s*\n/).filter((block) => block.trim());
  return blocks.map((block) => {
    const lines = block.replace(/^\n+/, '').split('\n');
    return BLOCKS.find(([begins]) => begins.test(lines[0]))[1](lines);
  });
}
