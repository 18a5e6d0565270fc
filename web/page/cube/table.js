// table.js: the cube as tables of words, a face each, and "what is at UF?".

import { colourNames } from './colours.js';
import { element } from '../parts/element.js';
import { SIDE_NAMES } from './cubies.js';
import { cellWords, faceWords, whatIsAt } from './words.js';
import { FACES } from '../../client/cube.js';
import { t } from '../words.js';

/** Up to this size all faces are there at once, beyond it only one that is chosen. */
const WHOLE_MAX = 7;
const PAUSE_MS = 150;

/** The cube that is shown, with the names of its colours. */
const present = (app) => ({ stickers: app.shown.stickers, n: app.shown.size, names: colourNames(app.view.settings.palette.colours) });

/** A table of one face; `update` writes what changed. */
function faceTable(face, cube) {
  const { n } = cube;
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  const caption = element('caption');
  const cells = [];
  const row = (number) => element('tr', {},
    element('th', { scope: 'row' }, String(number)),
    numbers.map((column) => {
      const cell = element('td');
      cells[(number - 1) * n + column - 1] = cell;
      return cell;
    }));
  const table = element('table', {}, caption,
    element('thead', {}, element('tr', {}, element('td', {}, ''), numbers.map((number) => element('th', { scope: 'col' }, String(number))))),
    element('tbody', {}, numbers.map(row)));
  const write = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };
  const update = (now) => {
    write(caption, faceWords(face, now));
    cells.forEach((cell, i) => {
      const place = face * n * n + i;
      write(cell, now.names[now.stickers[place]] ?? t('empty'));
      cell.setAttribute('aria-label', cellWords(place, now));
    });
  };
  return { table, update };
}

/** The field that answers what is at a place. */
function askingForm(app) {
  const field = element('input', { id: 'where', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', 'aria-describedby': 'where-help' });
  const answer = element('p', { class: 'answer', role: 'status' });
  const form = element('form', { class: 'where', onsubmit: (event) => {
    event.preventDefault();
    answer.textContent = whatIsAt(field.value, present(app));
  } },
  element('label', { for: 'where' }, t('What is at')),
  element('div', { class: 'row' }, field, element('button', {}, t('Answer'))),
  element('p', { id: 'where-help', class: 'faint' }, t('A corner (UFR), an edge (UF), a sticker (U1, or U 1 3 for row 1, column 3) or a face (U).')),
  answer);
  return form;
}

/**
 * Fills `root` with the tables and the field. They follow the cube while they can be seen.
 * @param {HTMLElement} root an empty element, for example in a <details>
 */
export function prepareTable(app, root) {
  const tables = element('div', { class: 'faces' });
  const choice = element('select', {}, element('option', { value: '' }, t('none~face')),
    [...FACES].map((letter, face) => element('option', { value: String(face) }, `${letter}, ${SIDE_NAMES[face]}`)));
  const chosen = element('label', { class: 'row' }, t('Table of the face'), choice);
  let made = []; // the tables that are there
  let size = 0;
  let timer = null;

  const build = (cube) => {
    size = cube.n;
    chosen.hidden = size <= WHOLE_MAX;
    const one = choice.value === '' ? [] : [Number(choice.value)];
    const faces = size <= WHOLE_MAX ? [0, 1, 2, 3, 4, 5] : one;
    made = faces.map((face) => faceTable(face, cube));
    tables.replaceChildren(...made.map(({ table }) => table));
  };
  const visible = () => root.isConnected && root.getClientRects().length > 0;
  const update = () => {
    timer = null;
    if (!visible()) return;
    const cube = present(app);
    if (cube.n !== size) build(cube);
    for (const { update: write } of made) write(cube);
  };
  const later = () => (timer ??= setTimeout(update, PAUSE_MS));
  choice.onchange = () => {
    size = 0;
    update();
  };
  root.append(askingForm(app), chosen, tables);
  for (const type of ['room', 'shown', 'turned', 'redrawn']) app.on(type, later);
  for (const name of ['palette', 'colours']) app.settings.on(name, later);
  root.closest('details')?.addEventListener('toggle', update);
  update();
  return { update };
}
