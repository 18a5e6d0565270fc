// nametag.js: the name of somebody else at the layer that they turn, in their colour, for a moment. What they turned is
// read to screen readers from the history (announce.js), so the tags are hidden from these.

import { SIDES, turnInSpace } from '../../client/cube.js';
import { parseMoves } from '../../client/moves.js';
import { element } from '../parts/element.js';
import { nameOf } from './rights.js';

const SHOWN_MS = 1200;
/** The most tags at a time; more people than colours could not be distinguished. */
const TAGS_MAX = 8;

/** Colours of people, in which white can be read. */
const COLOURS = ['#b3261e', '#0b57d0', '#146c2e', '#8e3a9d', '#8a4b00', '#00687a', '#a31d63', '#5a5f00'];

/** The colour of a person: by the number of their token, so that everybody sees them in the same one. */
export const colourOf = (person) => COLOURS[(Number(person?.id ?? 0) || 0) % COLOURS.length];

/** The row or column of a sticker whose layer along an axis, counted from its negative end, is `layer`. */
const stepsTo = (sign, layer, n) => (sign > 0 ? layer : n - 1 - layer);

/**
 * Returns stickers in the middle of each side of a turned layer, first those of the side that is turned as a whole.
 * Pure: used by tests without a browser.
 */
export function placesOf(turn, n) {
  const { axis, low, high } = turnInSpace(turn, n);
  const [middle, layer] = [n >> 1, (low + high - 1) >> 1];
  const at = (face, row, column) => (face * n + row) * n + column;
  const ends = [];
  const around = [];
  SIDES.forEach((side, face) => {
    if (side.axis === axis) {
      if (side.sign > 0 ? high === n : low === 0) ends.push(at(face, middle, middle));
    } else if (side.right[0] === axis) around.push(at(face, middle, stepsTo(side.right[1], layer, n)));
    else around.push(at(face, stepsTo(side.down[1], layer, n), middle));
  });
  return [...ends, ...around];
}

export function prepareNameTags(app) {
  const stage = app.view.host;
  const tags = new Map(); // by the person's id
  let turned = false; // somebody else has turned: their entry comes next

  const remove = (key) => {
    clearTimeout(tags.get(key)?.timer);
    tags.get(key)?.root.remove();
    tags.delete(key);
  };
  const clear = () => [...tags.keys()].forEach(remove);

  /** Returns the first of these stickers that is seen, in pixels of the stage. */
  const seen = (places) => {
    for (const place of places) {
      const point = app.view.placeOnScreen(place);
      if (point) return point;
    }
    return null;
  };

  function show(actor, turn) {
    const key = actor?.id ?? '';
    const point = seen(placesOf(turn, app.cube.size));
    if (!point || (!tags.has(key) && tags.size >= TAGS_MAX)) return;
    const name = nameOf(actor).replace(/^./, (first) => first.toUpperCase());
    const isNew = !tags.has(key);
    const { root, timer } = tags.get(key) ?? { root: element('p', { class: 'name-tag', 'aria-hidden': 'true' }) };
    clearTimeout(timer);
    root.textContent = name;
    root.style.background = colourOf(actor);
    root.style.left = `${point[0]}px`;
    root.style.top = `${point[1]}px`;
    if (isNew) stage.append(root);
    if (isNew && !matchMedia('(prefers-reduced-motion: reduce)').matches) root.animate([{ scale: 0.6, opacity: 0 }, { scale: 1, opacity: 1 }], { duration: 120 });
    tags.set(key, { root, timer: setTimeout(() => remove(key), SHOWN_MS) });
  }

  app.on('turned', ({ by }) => (turned = by === 'others'));
  app.on('entry', ({ entry: { actor, kind, moves } }) => {
    const isOther = turned || (actor?.id && !app.isSelf(actor) && kind === 'moves');
    turned = false;
    if (!isOther || app.isSelf(actor) || !app.session || app.shown !== app.cube || moves == null) return;
    const turns = parseMoves(moves, app.cube.size);
    if (turns?.length) show(actor, turns.at(-1));
  });
  for (const type of ['room', 'shown']) app.on(type, clear);
}
