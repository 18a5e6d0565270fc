// solve_row.js: one solve in the list: its time, what it was, and what can be changed: penalty, comment, deleting.

import { element } from '../parts/element.js';
import { solveText } from './times.js';
import { locale, t, translated } from '../words.js';

const PENALTIES = [['none', 'OK'], ['+2', '+2'], ['dnf', 'DNF']];
const SCRAMBLE_SHOWN = 400;

const ASSISTED = t('A solution was shown before it was finished: it counts in no average');

/** The buttons of the penalties, as {box, update}; update(penalty): it is the present one, and is pressed. */
function penaltyButtons(choose) {
  let present = null;
  const buttons = PENALTIES.map(([value, text]) => element('button', { type: 'button', 'data-penalty': value, onclick: () => value !== present && choose(value) }, text));
  const update = (penalty) => {
    present = penalty;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.penalty === penalty));
  };
  return { box: element('div', { class: 'penalties', role: 'group', 'aria-label': t('Penalty') }, buttons), update };
}

/** A button that asks before it deletes; `what()` says what. */
function deleteButton(remove, what) {
  const box = element('span', { class: 'delete' });
  const ask = () => {
    const yes = element('button', { type: 'button', class: 'bad', onclick: remove }, t('Delete {time}', { time: what() }));
    box.replaceChildren(yes, element('button', { type: 'button', onclick: () => (show(), box.firstChild.focus()) }, t('Keep')));
    yes.focus();
  };
  const show = () => box.replaceChildren(element('button', { type: 'button', class: 'quiet', onclick: ask }, t('Delete')));
  show();
  return box;
}

function stageRows(stages) {
  return (stages ?? []).map(({ name, metrics, duration_ms: ms }) => element('tr', {},
    element('th', { scope: 'row' }, translated(`${name}~stage`, name.replaceAll('-', ' '))),
    element('td', {}, t('{n} turn|{n} turns', { n: metrics.htm })), element('td', {}, ms === null ? '' : `${(ms / 1000).toFixed(2)} s`)));
}

/** The field of the comment, as {box, update}; what is typed and not saved yet stays. */
function commentForm(save) {
  let saved = '';
  const input = element('input', { 'aria-label': t('Comment'), placeholder: t('Comment'), maxlength: '1000', autocomplete: 'off' });
  const submit = (event) => {
    event.preventDefault();
    if (input.value !== saved) save(input.value || null);
  };
  const update = (comment) => {
    if (input.value === saved) input.value = comment;
    saved = comment;
  };
  return { box: element('form', { class: 'row', onsubmit: submit }, input, element('button', {}, t('Save'))), update };
}

/** Returns the part of an open row that never changes. */
function factsOf(solve, actions) {
  const stages = element('table', { class: 'stages' });
  if (solve.solution) actions.stages(solve).then((found) => stages.replaceChildren(...stageRows(found))).catch(() => {});
  const facts = [
    new Date(solve.created_at).toLocaleString(locale),
    solve.metrics && t('{n} turn|{n} turns', { n: solve.metrics.htm }),
    solve.tps && t('{n} turns a second', { n: solve.tps.toFixed(1) }),
    solve.list && t('list {name}', { name: solve.list }),
  ].filter(Boolean).join(' · ');
  const scramble = solve.scramble && (solve.scramble.length > SCRAMBLE_SHOWN ? `${solve.scramble.slice(0, solve.scramble.lastIndexOf(' ', SCRAMBLE_SHOWN))} …` : solve.scramble);
  return [
    element('p', { class: 'faint' }, facts),
    scramble && element('p', { class: 'scramble' }, scramble),
    stages,
  ].filter(Boolean);
}

function summaryOf(solve, marks) {
  const assisted = solve.assisted && element('span', { class: 'chip assisted', title: ASSISTED }, t('assisted'));
  return [
    element('b', {}, solveText(solve)),
    ...marks.map((text) => element('span', { class: 'chip' }, text)), assisted,
    solve.comment && element('span', { class: 'comment' }, solve.comment),
  ].filter(Boolean);
}

/**
 * A solve as {row, update}; update(solve, marks) shows it as it is now, with words such as "best single". `actions`:
 * change(solve, body), remove(solve), stages(solve).
 */
export function solveRow(first, actions) {
  let [solve, shown] = [first, null];
  const penalties = penaltyButtons((penalty) => actions.change(solve, { penalty }));
  const comment = commentForm((text) => actions.change(solve, { comment: text }));
  const remove = deleteButton(() => actions.remove(solve), () => solveText(solve));
  const summary = element('summary');
  const body = element('div', { class: 'column' });
  const fill = () => details.open && body.childElementCount === 0 && body.append(...factsOf(solve, actions), penalties.box, comment.box, remove);
  const details = element('details', { ontoggle: fill }, summary, body);
  const update = (now, marks) => {
    const text = JSON.stringify([now, marks]);
    if (text === shown) return;
    [solve, shown] = [now, text];
    summary.replaceChildren(...summaryOf(solve, marks));
    penalties.update(solve.penalty);
    comment.update(solve.comment ?? '');
  };
  return { row: element('li', {}, details), update };
}

/** A solve that has no answer of the server yet, as {row, update}. */
export function waitingRow(text, drop) {
  const row = element('li', { class: 'waiting' }, element('b', {}, text), element('span', { class: 'faint' }, t('waits for the server')), deleteButton(drop, () => text));
  return { row, update: () => {} };
}

/** The newest solve, with what may be corrected right after it, as {row, update}. */
export function lastRow(first, actions) {
  let solve = first;
  const text = element('span', { class: 'faint' });
  const penalties = penaltyButtons((penalty) => actions.change(solve, { penalty }));
  const row = element('div', { class: 'last' }, text, penalties.box, deleteButton(() => actions.remove(solve), () => solveText(solve)));
  const update = (now) => {
    solve = now;
    text.textContent = t('Last: {time}', { time: solveText(solve) });
    penalties.update(solve.penalty);
  };
  return { row, update };
}
