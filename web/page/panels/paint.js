// paint.js: enter the colours of a real cube, see what is wrong with them, and solve it.

import { FACES, toFacelets } from '../../client/cube.js';
import { LocalCube } from '../../client/local.js';
import { colourNames } from '../cube/colours.js';
import { isMiddle } from '../cube/cubies.js';
import { element } from '../parts/element.js';
import { Board } from '../paint/board.js';
import { Brush } from '../paint/brush.js';
import { causes, explain, faultsSoFar } from '../paint/diagnosis.js';
import { commandOf, nextPlace } from '../paint/keyboard.js';
import { EMPTY, emptyStickers, Painted, solvedStickers } from '../paint/painted.js';
import { keepPainted, keptPainted } from '../paint/kept.js';
import { pasteForm } from '../paint/paste.js';
import { repaired, repairsOf } from '../paint/repair.js';
import { replaceCube } from '../open/replace.js';
import { possibleView, problemsView } from '../paint/verdict.js';
import { validate } from '../offline/answers.js';
import { SIZE_MAX, SIZE_MIN } from '../cube/sizes.js';
import { errorText, t } from '../words.js';

const PAUSE_MS = 250;
const SIZE_LARGE = 7; // from here on a face takes all the room there is

/** From where each face can be seen well: yaw and pitch. */
const LOOKS = [[-0.62, 0.85], [-0.95, 0.45], [-0.35, 0.45], [-0.62, -0.75], [0.8, 0.45], [2.5, 0.45]];

/** The faces as one paints them: around the cube, then top and bottom. */
const ORDER = [2, 1, 5, 4, 0, 3];

export function preparePanel(app, root) {
  const painter = new Painter(app, root);
  return { shown: () => painter.open(), hidden: () => painter.close() };
}

class Painter {
  #app;
  #open = false;
  #cursor = 0;
  #wrong = new Set();
  #timer = null;
  #judged = false; // the verdict on all stickers was shown
  #checked = 0; // counts the checks: only the newest counts
  #looked = null; // from where the cube was seen before

  constructor(app, root) {
    this.#app = app;
    this.cube = keptPainted() ?? new Painted(app.cube.size <= 7 ? app.cube.size : 3);
    this.cube.fixed = true; // hands do not turn it
    this.brush = new Brush((colour) => this.#choose(colour));
    this.board = new Board({ onPaint: (place) => this.#paint(place), onMove: (place) => this.#move(place), onFace: (face) => this.#goToFace(face) });
    this.size = element('input', { id: 'paint-size', type: 'number', inputmode: 'numeric', min: String(SIZE_MIN), max: String(SIZE_MAX), onchange: () => this.#resize() });
    this.undo = element('button', { type: 'button', onclick: () => this.cube.undo() }, t('Undo'));
    this.redo = element('button', { type: 'button', onclick: () => this.cube.redo() }, t('Redo'));
    this.guide = element('p', { class: 'guide' });
    this.next = element('button', { type: 'button', class: 'next', onclick: () => this.#goToFace(this.#nextFace()) }, t('Next face'));
    this.verdict = element('div', { class: 'verdict', role: 'status' });
    root.append(...this.#parts());
    this.#cursor = startOf(this.cube.size);
    this.cube.subscribe(() => this.#changed());
    for (const name of ['palette', 'colours', 'letters', 'stickerless']) app.settings.on(name, () => this.#show());
    app.on('room', () => this.#open && app.panel('turn'));
    app.on('shown', () => this.#follow());
    app.on('cube-text', (text) => this.paste.read(text));
    addEventListener('keydown', (event) => this.#key(event), true);
    addEventListener('paste', (event) => this.#pasted(event));
  }

  #parts() {
    const button = (text, run) => element('button', { type: 'button', onclick: run }, text);
    this.paste = pasteForm(({ size, stickers }) => this.#replace(size, stickers), () => this.cube.size);
    return [
      this.brush.root, this.board.tabs,
      element('div', { class: 'work' }, this.board.net,
        element('div', { class: 'aside' }, this.guide, element('div', { class: 'row' }, this.undo, this.redo, this.next))),
      this.verdict,
      element('div', { class: 'row start' },
        element('label', { for: 'paint-size' }, t('Size')), this.size,
        button(t('Empty'), () => this.#replace(this.cube.size, emptyStickers(this.cube.size))),
        button(t('Solved~cube'), () => this.#replace(this.cube.size, solvedStickers(this.cube.size))),
        button(t('This cube'), () => this.#replace(this.#app.cube.size, this.#app.cube.stickers))),
      this.paste.root,
    ];
  }

  // ---- with the panel ----

  open() {
    this.#open = true;
    this.#looked = this.#app.view.looking;
    this.#app.show(this.cube);
    this.#changed();
  }

  /** Clicks on the stage paint while the painted cube is there. */
  #follow() {
    const there = this.#open && this.#app.shown === this.cube;
    this.#app.view.onPick = there ? (place) => this.#paint(place) : null;
  }

  close() {
    this.#open = false;
    this.#app.view.mark([]);
    if (this.#looked) this.#app.view.look(this.#looked.yaw, this.#looked.pitch, this.#looked.zoom);
    this.#looked = null;
    if (this.#app.shown === this.cube) this.#app.showNow();
    this.#follow();
  }

  // ---- painting ----

  #choose(colour) {
    this.brush.colour = colour;
    this.#show();
  }

  /** With the brush; the cursor goes there. */
  #paint(place) {
    this.#cursor = place;
    if (this.cube.isFixed(place)) {
      this.#app.notify(t('The middle of a face stays: it says how the cube is held.'));
      this.#show();
    } else if (!this.cube.paint(place, this.brush.colour)) this.#show();
  }

  #move(place) {
    if (place === this.#cursor) return;
    this.#cursor = place;
    this.#show();
  }

  #replace(size, stickers) {
    if (size !== this.cube.size) this.#cursor = startOf(size);
    this.#judged = false;
    this.cube.begin(size, stickers);
    if (this.#open) this.#app.show(this.cube); // of another size
  }

  #resize() {
    const size = Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(Number(this.size.value)) || 3));
    if (size !== this.cube.size) this.#replace(size, emptyStickers(size));
    this.size.value = String(this.cube.size);
  }

  #nextFace() {
    const { size: n, stickers } = this.cube;
    const now = Math.floor(this.#cursor / (n * n));
    const at = ORDER.indexOf(now);
    const order = [...ORDER.slice(at + 1), ...ORDER.slice(0, at + 1)];
    return order.find((face) => stickers.subarray(face * n * n, (face + 1) * n * n).includes(EMPTY)) ?? order[0];
  }

  #goToFace(face) {
    const n = this.cube.size;
    const places = Array.from({ length: n * n }, (_, i) => face * n * n + i).filter((place) => !isMiddle(place, n));
    this.#goTo(places.find((place) => this.cube.stickers[place] === EMPTY) ?? places[0]);
  }

  /** Moves the cursor, and looks at that face. */
  #goTo(place) {
    this.#cursor = place;
    this.#app.view.look(...LOOKS[Math.floor(place / this.cube.size ** 2)]);
    this.#show();
  }

  // ---- keys and the clipboard ----

  /** Keys act on the board, the stage, the tabs, and where nothing has the focus. */
  #key(event) {
    const { target } = event;
    if (!this.#open || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const onBoard = this.board.net.contains(target);
    const around = target === document.body || target.closest?.('#stage, #tabs');
    if (!onBoard && !around) return;
    const single = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (!onBoard && single && this.#app.settings.get('keys') === 'off') return;
    const command = commandOf(event, this.#cursor, this.cube.size);
    if (!command || (command.does === 'move' && !onBoard)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (command.does === 'paint') this.#paintAtCursor(command);
    else if (command.does === 'erase') this.#eraseBefore();
    else if (command.does === 'move') this.#cursor = command.place;
    else this.cube[command.does]();
    this.#show();
    if (onBoard) this.board.focus(this.#cursor);
  }

  #paintAtCursor({ colour }) {
    this.cube.paint(this.#cursor, colour);
    this.#cursor = nextPlace(this.#cursor, this.cube.size);
  }

  #eraseBefore() {
    this.#cursor = nextPlace(this.#cursor, this.cube.size, -1);
    this.cube.paint(this.#cursor, EMPTY);
  }

  #pasted(event) {
    if (!this.#open || event.target.closest?.('input, textarea, dialog')) return;
    event.preventDefault();
    this.paste.read(event.clipboardData.getData('text'));
  }

  // ---- showing ----

  /** The palette, and what its colours are called. */
  get #look() {
    const { palette, letters } = this.#app.view.settings;
    const { colours, inks } = palette;
    return { colours, inks, letters, names: colourNames(colours), ...style() };
  }

  #changed() {
    const { size: n } = this.cube;
    if (this.#cursor >= 6 * n * n) this.#cursor = startOf(n);
    this.#light([]);
    keepPainted(this.cube);
    if (!this.#open) return;
    if (this.#app.shown !== this.cube) this.#app.show(this.cube);
    this.#show();
    this.#check();
  }

  #show() {
    const { cube } = this;
    const { size: n, stickers, counts } = cube;
    const look = this.#look;
    const all = { ...look, size: n, stickers, counts, wrong: this.#wrong, cursor: this.#cursor };
    this.board.show(all);
    this.board.net.style.setProperty('--n', String(Math.min(n, SIZE_LARGE)));
    this.brush.show(all);
    if (document.activeElement !== this.size) this.size.value = String(n);
    this.undo.disabled = !cube.mayUndo;
    this.redo.disabled = !cube.mayRedo;
    const face = this.board.face;
    const rest = stickers.subarray(face * n * n, (face + 1) * n * n);
    this.next.classList.toggle('main', !rest.includes(EMPTY) && !cube.complete);
    this.guide.textContent = guideWords(face, n, stickers, look.names);
  }

  /** Lights stickers, on the cube and on the board. */
  #light(places) {
    this.#wrong = new Set(places);
    if (this.#open) this.#app.view.mark(places.length ? [{ places, kind: 'wrong' }] : []);
  }

  #lightAndGo(places) {
    this.#light(places);
    this.#goTo(places[0]);
  }

  // ---- the diagnosis ----

  #check() {
    clearTimeout(this.#timer);
    const check = ++this.#checked;
    if (!this.cube.complete) return this.#showSoFar();
    this.#timer = setTimeout(() => this.#ask(check), PAUSE_MS);
  }

  /** While stickers are empty: how many, and what is wrong already. */
  #showSoFar() {
    const { size: n, stickers, counts } = this.cube;
    const { names } = this.#look;
    const faults = faultsSoFar(stickers, n);
    const empty = counts[EMPTY];
    this.#judged = false;
    const words = element('p', { class: 'faint' }, t('{n} sticker is still empty.|{n} stickers are still empty.', { n: empty }));
    if (faults.length === 0) return this.verdict.replaceChildren(words);
    this.#light(faults.flatMap((fault) => explain(fault, { stickers, n, names }).places));
    this.#show();
    return this.verdict.replaceChildren(...this.#problems(faults), words);
  }

  #problems(problems, candidates) {
    const { size: n, stickers } = this.cube;
    return problemsView({
      problems,
      candidates,
      cube: { stickers, n, names: this.#look.names },
      onLight: (places) => this.#lightAndGo(places),
      onRepair: () => this.cube.begin(n, repairsOf(problems, n).reduce(repaired, stickers)),
    });
  }

  /** The diagnosis of all stickers. */
  async #ask(check) {
    const { size: n, stickers } = this.cube;
    try {
      const { possible, problems, candidates, cube } = await validate({ cube: toFacelets(stickers) });
      if (check !== this.#checked) return;
      if (possible) return this.#showPossible(cube.solved);
      this.#light(causes(problems).flatMap((problem) => explain(problem, { stickers, n, names: this.#look.names }).places));
      this.#show();
      this.#judge(this.#problems(problems, candidates));
    } catch (error) {
      if (check !== this.#checked) return;
      const again = element('button', { type: 'button', onclick: () => this.#check() }, t('Try again'));
      this.verdict.replaceChildren(element('p', {}, t('The cube could not be checked: {why}', { why: errorText(error) })), again);
    }
  }

  #showPossible(solved) {
    this.#light([]);
    this.#show();
    this.#judge(possibleView({
      solved,
      onSolve: () => this.#leaveFor('solver', 'solve'),
      onLesson: () => this.#leaveFor('solver', 'lesson'),
      onTurn: () => this.#leaveFor('turn'),
    }));
  }

  /** Shows the verdict on a complete cube. Only the first is scrolled to: later ones would move the board under the hand. */
  #judge(parts) {
    this.verdict.replaceChildren(...parts);
    if (!this.#judged) this.verdict.scrollIntoView({ block: 'nearest' });
    this.#judged = true;
  }

  /** Opens the painted cube, to be turned or solved. */
  async #leaveFor(panel, wish = null) {
    const { size, stickers } = this.cube;
    const app = this.#app;
    this.#open = false;
    app.view.mark([]);
    replaceCube(app, new LocalCube({ size, facelets: toFacelets(stickers) }), t('This is the painted cube.'));
    await app.panel(panel);
    if (wish) app.report(wish);
  }
}

/** The first sticker in front. */
const startOf = (n) => ORDER[0] * n * n;

/** Sentences for the way to hold an odd cube for each face, by the colours of its middles. */
const HOLDS = {
  U: (values) => t('Then tip it towards you: {top} with {front} below it.', values),
  F: (values) => t('Paint what you see in front.', values),
  D: (values) => t('Then tip it away: {bottom} with {front} above it.', values),
};

/** The same for an even cube, which has no middles. */
const LOOKED = {
  U: () => t('Now look at the top, with the front below it.'),
  R: () => t('Now look at the right, the top stays up.'),
  F: () => t('Hold the cube still in mind: first the front.'),
  D: () => t('Now look at the bottom, with the front above it.'),
  L: () => t('Now look at the left, the top stays up.'),
  B: () => t('Now look at the back, the top stays up.'),
};

/** Explains how to hold the cube for a face. */
function guideWords(face, n, stickers, names) {
  if (n % 2 === 0) return LOOKED[FACES[face]]();
  const middle = (one) => names[stickers[one * n * n + (n * n - 1) / 2]];
  const values = { top: middle(0), front: middle(2), bottom: middle(3), face: middle(face) };
  const then = HOLDS[FACES[face]] ?? ((all) => t('Then turn {face} to you; {top} stays up.', all));
  return `${t('Hold {top} up and {front} in front.', values)} ${then(values)}`;
}

/** Colours of the page for pictures. */
function style() {
  const of = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return { empty: '#8b8f98', mark: of('--bad') || '#b3261e' };
}

