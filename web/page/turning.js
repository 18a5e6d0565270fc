// turning.js: turns the cube by typed moves, buttons and keys.

import { cubed } from './server.js';

const $ = (id) => document.getElementById(id);

const NAMES = {
  U: 'the top', R: 'the right side', F: 'the front', D: 'the bottom', L: 'the left side', B: 'the back',
  x: 'the cube like the right side', y: 'the cube like the top', z: 'the cube like the front',
};
/** Slice moves have keys, no buttons; cubes of even size have no middle layer. */
const SLICES = 'mes';

const layerOf = (n) => Math.min(Math.max(1, Math.trunc(Number($('layer').value)) || 1), n);

/** The move of a letter with the chosen layers. */
export function moveOf(letter, prime, n) {
  const layer = layerOf(n);
  const wide = $('wide').checked && layer > 1;
  let text = letter;
  if ('URFDLB'.includes(letter) && layer > 1) {
    if (!wide) text = `${layer}${letter}`;
    else if (layer === n) text = { R: 'x', L: 'x', U: 'y', D: 'y', F: 'z', B: 'z' }[letter];
    else text = `${layer > 2 ? layer : ''}${letter}w`;
    if (wide && layer === n && 'LDB'.includes(letter)) prime = !prime;
  }
  return text + (prime ? "'" : '');
}

/** UTF-16 units before a number of code points. */
const unitsOf = (text, points) => Array.from(text).slice(0, points).join('').length;

/** Marks the wrong part of the typed text. */
export function showFault(problem, text) {
  const input = $('moves');
  if (input.value === '') input.value = text;
  const start = unitsOf(text, problem.column - 1);
  const bytes = new TextEncoder().encode(text.slice(start)).slice(0, problem.length);
  const end = start + new TextDecoder().decode(bytes).length;
  const code = document.createElement('code');
  const mark = document.createElement('mark');
  mark.textContent = text.slice(start, end) || '␣';
  code.append(text.slice(0, start), mark, text.slice(end));
  const offers = [problem.suggestion, ...(problem.readings ?? [])].filter((one) => typeof one === 'string');
  $('fault').replaceChildren(problem.detail, code, ...offers.map((offer) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Write ${offer}`;
    button.onclick = () => {
      input.value = text.slice(0, start) + offer + text.slice(end);
      $('fault').replaceChildren();
      input.focus();
    };
    return button;
  }));
  input.setAttribute('aria-invalid', 'true');
  if (input.value === text) input.setSelectionRange(start, end);
}

/** Puts a refused text back into the field, unless something else was typed since. */
function giveBack(typed) {
  if ($('moves').value === '') $('moves').value = typed;
}

export function clearFault() {
  $('fault').replaceChildren();
  $('moves').removeAttribute('aria-invalid');
}

async function listDialects() {
  const { dialects } = await cubed.formats();
  const select = $('notation');
  select.replaceChildren(...dialects.map(({ name }) => new Option(name, name)));
  select.onchange = () => ($('dialect').textContent = dialects.find(({ name }) => name === select.value).text);
  select.onchange();
}

function buttonOf(letter, prime, turn) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = letter + (prime ? '′' : '');
  button.setAttribute('aria-label', `${letter}${prime ? ' prime' : ''}: turn ${NAMES[letter]} ${prime ? 'counterclockwise' : 'clockwise'}`);
  button.onclick = () => turn(letter, prime);
  return button;
}

/** The Latin letter of a key: what it types or, on a layout without Latin letters, what this key types on a Latin one. */
function letterOf(event) {
  const typed = event.key.toLowerCase();
  return /^[a-z]$/.test(typed) ? typed : (/^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase() ?? '');
}

/** `cube` returns the open cube, or null. */
export function prepareTurning(cube) {
  // With the time of the move: it times the solve, not the arrival at the server.
  const turn = (letter, prime) => cube()?.turn(`${moveOf(letter, prime, cube().size)}@${Math.round(performance.now())}`);
  for (const letter of 'URFDLBxyz') $('buttons').append(buttonOf(letter, false, turn), buttonOf(letter, true, turn));
  $('typed').onsubmit = (event) => {
    event.preventDefault();
    const moves = $('moves').value;
    clearFault();
    if (!moves.trim()) return;
    const notation = $('notation').value || undefined;
    cube()?.turn(moves, { notation }).catch(() => giveBack(moves));
    $('moves').value = '';
  };
  $('moves').oninput = clearFault;
  $('layer').onchange = () => ($('layer').value = layerOf(cube()?.size ?? 1)); // shows the layer that will turn
  $('undo').onclick = () => cube()?.undo();
  $('redo').onclick = () => cube()?.redo();
  $('reset').onclick = () => cube()?.reset();
  $('scramble').onclick = () => cube()?.scramble();
  document.addEventListener('keydown', (event) => {
    if (!cube() || $('sharing').open || event.target.closest('input:not([type=checkbox]), select, textarea')) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z') {
      if (event.shiftKey) cube().redo();
      else cube().undo();
      event.preventDefault();
      return;
    }
    if (!$('keys').checked || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = letterOf(event);
    if (!key) return;
    if ('urfdlb'.includes(key)) turn(key.toUpperCase(), event.shiftKey);
    else if ('xyz'.includes(key)) turn(key, event.shiftKey);
    else if (SLICES.includes(key) && cube().size % 2 === 1) turn(key.toUpperCase(), event.shiftKey);
  });
  listDialects().catch(() => {});
}
