// solve_row.js: one solve in the list: its time, what it was, and what can be changed: penalty, comment, deleting.

import { element } from '../element.js';
import { solveText } from './times.js';

const PENALTIES = [['none', 'OK'], ['+2', '+2'], ['dnf', 'DNF']];
const SCRAMBLE_SHOWN = 400;

const ASSISTED = 'A solution was shown before it was finished: it counts in no average';

/** The buttons of the penalties; the present one is pressed. */
export function penaltyButtons(penalty, choose) {
  return element('div', { class: 'penalties', role: 'group', 'aria-label': 'Penalty' },
    PENALTIES.map(([value, text]) => element('button', { type: 'button', 'aria-pressed': String(penalty === value), onclick: () => penalty !== value && choose(value) }, text)));
}

/** A button that asks before it deletes. */
export function deleteButton(remove, what) {
  const box = element('span', { class: 'delete' });
  const ask = () => {
    const yes = element('button', { type: 'button', class: 'bad', onclick: remove }, `Delete ${what}`);
    box.replaceChildren(yes, element('button', { type: 'button', onclick: () => (show(), box.firstChild.focus()) }, 'Keep'));
    yes.focus();
  };
  const show = () => box.replaceChildren(element('button', { type: 'button', class: 'quiet', onclick: ask }, 'Delete'));
  show();
  return box;
}

function stageRows(stages) {
  return (stages ?? []).map(({ name, metrics, duration_ms: ms }) => element('tr', {},
    element('th', { scope: 'row' }, name.replaceAll('-', ' ')),
    element('td', {}, `${metrics.htm} turns`), element('td', {}, ms === null ? '' : `${(ms / 1000).toFixed(2)} s`)));
}

function commentForm(solve, save) {
  const input = element('input', { value: solve.comment ?? '', 'aria-label': 'Comment', placeholder: 'Comment', maxlength: '1000', autocomplete: 'off' });
  const submit = (event) => {
    event.preventDefault();
    if (input.value !== (solve.comment ?? '')) save(input.value || null);
  };
  return element('form', { class: 'row', onsubmit: submit }, input, element('button', {}, 'Save'));
}

function detailsOf(solve, actions) {
  const stages = element('table', { class: 'stages' });
  if (solve.solution) actions.stages(solve).then((found) => stages.replaceChildren(...stageRows(found))).catch(() => {});
  const facts = [
    new Date(solve.created_at).toLocaleString(),
    solve.metrics && `${solve.metrics.htm} turns`,
    solve.tps && `${solve.tps.toFixed(1)} turns a second`,
    solve.list && `list ${solve.list}`,
  ].filter(Boolean).join(' · ');
  const scramble = solve.scramble && (solve.scramble.length > SCRAMBLE_SHOWN ? `${solve.scramble.slice(0, solve.scramble.lastIndexOf(' ', SCRAMBLE_SHOWN))} …` : solve.scramble);
  return [
    element('p', { class: 'faint' }, facts),
    scramble && element('p', { class: 'scramble' }, scramble),
    stages,
    penaltyButtons(solve.penalty, (penalty) => actions.change(solve, { penalty })),
    commentForm(solve, (comment) => actions.change(solve, { comment })),
    deleteButton(() => actions.remove(solve), solveText(solve)),
  ];
}

/** `marks`: words such as "best single"; `actions`: change(solve, body), remove(solve), stages(solve). */
export function solveRow(solve, marks, actions, open = false) {
  const body = element('div', { class: 'column' });
  const fill = () => row.open && body.childElementCount === 0 && body.append(...detailsOf(solve, actions).filter(Boolean));
  const chips = [...marks, ...(solve.assisted ? ['assisted'] : [])];
  const row = element('details', { ontoggle: fill, open, 'data-id': solve.id },
    element('summary', {},
      element('b', {}, solveText(solve)),
      chips.map((text) => element('span', { class: `chip${text === 'assisted' ? ' assisted' : ''}`, title: text === 'assisted' ? ASSISTED : null }, text)),
      solve.comment && element('span', { class: 'comment' }, solve.comment)),
    body);
  return element('li', {}, row);
}

/** A solve that has no answer of the server yet. */
export function waitingRow(text, drop) {
  return element('li', { class: 'waiting' }, element('b', {}, text), element('span', { class: 'faint' }, 'waits for the server'), deleteButton(drop, text));
}
