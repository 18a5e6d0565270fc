// turn.js: the pad of turns, undo and redo, scramble and reset, and moves as text.

import { moveOf, shownMoves } from '../cube/moves.js';
import { element } from '../parts/element.js';
import { t } from '../words.js';

const SIDES = { U: 'the top', R: 'the right side', F: 'the front', D: 'the bottom', L: 'the left side', B: 'the back' };

/** The names of what turns, by the kind of turn. */
const PARTS = { face: '{side}', wide: '{n} layers of {side}', inner: 'layer {n} below {side}', cube: 'the whole cube as {side} turns' };

/** The sentences for a quarter turn in each direction, and for a half turn. */
const WAYS = { 1: '{move}: turn {what} clockwise', [-1]: '{move}: turn {what} counterclockwise', 2: '{move}: turn {what} by half a turn' };

/** The kinds of turns on the pad: `turnOf(letter, layer, n)`, and the sizes of cubes that have them. */
const KINDS = [
  { name: 'face', title: 'Face', least: 2, letters: 'URFDLB', turnOf: (face) => ({ face, from: 1, to: 1 }) },
  { name: 'wide', title: 'Wide', least: 3, letters: 'URFDLB', turnOf: (face, layer) => ({ face, from: 1, to: layer }) },
  { name: 'inner', title: 'Inner', least: 3, letters: 'URFDLB', turnOf: (face, layer) => ({ face, from: layer, to: layer }) },
  { name: 'cube', title: 'Whole cube', least: 2, letters: 'xyz', turnOf: (axis, _, n) => ({ face: { x: 'R', y: 'U', z: 'F' }[axis], from: 1, to: n }) },
];

export function preparePanel(app, root) {
  const pad = new Pad(app);
  const typed = typedMoves(app);
  root.append(pad.kinds, pad.keys, actions(app), typed.form);
  app.on('room', () => {
    pad.kind = KINDS[0];
    pad.show();
    typed.clear();
  });
  app.on('may', ({ turn }) => pad.enable(turn));
  let watching = null; // a cube of this page alone needs no such module
  const expectWatching = () => {
    if (app.session) watching ??= app.need(() => import('../session/watching.js'), ({ prepareWatching }) => prepareWatching(app, root));
  };
  app.on('room', expectWatching);
  app.on('fault', ({ problem, changes: [change] }) => change?.kind === 'moves' && typed.refuse(problem, change.body.moves));
  pad.show();
  expectWatching();
}

/** The buttons of the turns; `kind` and `layer` are chosen above them. */
class Pad {
  constructor(app) {
    this.app = app;
    this.kind = KINDS[0];
    this.layer = 2;
    this.keys = element('div', { id: 'pad', role: 'group', 'aria-label': t('Turns') });
    this.chosen = element('input', { id: 'layer', type: 'number', inputmode: 'numeric', 'aria-label': t('Layer, counted from the face'), onchange: () => this.#chooseLayer() });
    this.kinds = element('div', { id: 'kinds', role: 'group', 'aria-label': t('What turns') },
      KINDS.map((kind) => element('button', { type: 'button', 'data-kind': kind.name, onclick: () => this.#chooseKind(kind) }, t(kind.title))), this.chosen);
  }

  show() {
    const { size: n } = this.app.cube;
    if (n < this.kind.least) this.kind = KINDS[0];
    this.layer = Math.min(Math.max(2, this.layer), Math.max(2, n - 1));
    for (const button of this.kinds.querySelectorAll('button')) {
      const kind = KINDS.find(({ name }) => name === button.dataset.kind);
      button.hidden = n < kind.least;
      button.setAttribute('aria-pressed', String(kind === this.kind));
    }
    Object.assign(this.chosen, { min: 2, max: Math.max(2, n - 1), value: this.layer, hidden: n < 4 || !['wide', 'inner'].includes(this.kind.name) });
    this.keys.replaceChildren(...[1, -1, 2].flatMap((turns) => [...this.kind.letters].map((letter) => this.#button(letter, turns, n))));
  }

  /** The buttons stay: one may have the focus, or be pressed just now. */
  enable(may) {
    for (const button of this.keys.children) button.disabled = !may;
  }

  #button(letter, turns, n) {
    const turn = this.kind.turnOf(letter, this.layer, n);
    const move = moveOf({ ...turn, turns }, n);
    const what = t(PARTS[this.kind.name], { n: this.layer, side: t(SIDES[turn.face]) });
    const meaning = t(WAYS[turns], { move, what });
    return element('button', { type: 'button', 'aria-label': meaning, title: meaning, disabled: !this.app.may.turn, onclick: () => this.app.press(move) }, shownMoves(move));
  }

  #chooseKind(kind) {
    this.kind = kind;
    this.show();
  }

  #chooseLayer() {
    this.layer = Math.trunc(Number(this.chosen.value)) || 2;
    this.show();
  }
}

/** Undo, redo, scramble, reset: what cannot be done is disabled. */
function actions(app) {
  const undo = element('button', { id: 'undo', type: 'button', onclick: () => app.undo() }, t('Undo'));
  const redo = element('button', { id: 'redo', type: 'button', onclick: () => app.redo() }, t('Redo'));
  const scramble = element('button', { id: 'scramble', type: 'button', onclick: () => app.change('scramble') }, t('Scramble'));
  const reset = element('button', { id: 'reset', type: 'button', onclick: () => app.change('reset') }, t('Reset'));
  const show = () => {
    undo.disabled = !app.may.undo;
    redo.disabled = !app.may.redo;
    scramble.disabled = reset.disabled = !app.may.turn;
  };
  app.on('may', show);
  app.on('room', show);
  show();
  return element('div', { id: 'actions' }, undo, redo, scramble, reset);
}

/** Moves as text, in any notation; a fault is shown where it is, with the repair. */
function typedMoves(app) {
  const input = element('input', { id: 'moves', placeholder: t("Type moves: R U R' U'"), 'aria-label': t('Moves'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go', 'aria-describedby': 'fault' });
  const fault = element('div', { id: 'fault', role: 'alert' });
  const notation = element('select', { id: 'notation', 'aria-label': t('Notation') }, element('option', { value: '' }, 'sign'));
  const dialect = element('p', { id: 'dialect' });
  const clear = () => {
    fault.replaceChildren();
    input.removeAttribute('aria-invalid');
  };
  let sent = null; // the newest text on its way
  const showFault = async (problem, text) => {
    const { faultView } = await import('../parts/fault.js');
    if (text !== sent || !input.hasAttribute('aria-invalid')) return; // something else was typed meanwhile
    fault.replaceChildren(...faultView(problem, text, (better) => {
      input.value = better;
      clear();
      input.focus();
    }));
  };
  const refuse = (problem, text) => {
    if (text !== sent) return false;
    if (input.value === '') input.value = text;
    input.setAttribute('aria-invalid', 'true');
    showFault(problem, text);
    return true;
  };
  const send = async (event) => {
    event.preventDefault();
    const moves = input.value;
    clear();
    if (!moves.trim()) return;
    input.value = '';
    sent = moves;
    const kept = await app.turn(moves, { notation: notation.value || undefined });
    if (!kept && input.value === '') input.value = moves; // nothing typed is lost
  };
  const more = element('details', { ontoggle: () => more.open && import('../cube/dialects.js').then(({ listDialects }) => listDialects(notation, dialect)) },
    element('summary', { class: 'faint' }, t('Other notation')), notation, dialect);
  input.addEventListener('input', clear);
  const form = element('form', { id: 'typed', onsubmit: send }, element('div', { class: 'row' }, input, element('button', { class: 'main' }, t('Turn'))), fault, more);
  return { form, refuse, clear };
}
