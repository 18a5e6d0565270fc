// nametag.js: the name of somebody else at the layer that they turn, in their colour, for a moment; and the name of
// somebody who reacts, with the sign of that. Screen readers get both in words (announce.js, reactions.js), so the tags are
// hidden from these.

import { SIDES, turnInSpace } from '../../client/cube.js';
import { parseMoves } from '../../client/moves.js';
import { element } from '../parts/element.js';
import { nameOf } from './rights.js';
import { t } from '../words.js';

const SHOWN_MS = 1200;
const REACTION_MS = 2000;
/** The height of the rows, from the top of the stage on, for people who react and whose layer is not seen. */
const ROW = 36;
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

/** Returns {react(actor, sign)}: shows the name of a person with a sign, an element. */
export function prepareNameTags(app) {
  const stage = app.view.host;
  const tags = new Map(); // by the person's id: {root, name, sign, until, timer, signTimer}
  const newest = new Map(); // the moves of the newest entry of each person, by their id
  let turned = false; // somebody else has turned: their entry comes next

  const remove = (key) => {
    clearTimeout(tags.get(key)?.timer);
    tags.get(key)?.root.remove();
    tags.delete(key);
  };
  const clear = () => [...tags.keys()].forEach(remove);
  const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

  /** Returns a sticker of the layer that some moves turned last, if one is seen, in pixels of the stage. */
  const seen = (moves) => {
    const turn = parseMoves(moves, app.cube.size)?.at(-1);
    for (const place of turn ? placesOf(turn, app.cube.size) : []) {
      const point = app.view.placeOnScreen(place);
      if (point) return point;
    }
    return null;
  };

  /** Shows the name of a person for so long: at a point; null: where it is, or at the top. Returns the tag; null: there
   * are too many. */
  function show(actor, point, ms) {
    const key = actor?.id ?? '';
    const isNew = !tags.has(key);
    if (isNew && tags.size >= TAGS_MAX) return null;
    const tag = tags.get(key) ?? { root: element('p', { class: 'name-tag', 'aria-hidden': 'true' }), name: element('span'), sign: null, until: 0 };
    clearTimeout(tag.timer);
    tag.until = Math.max(tag.until, performance.now() + ms);
    tag.timer = setTimeout(() => remove(key), tag.until - performance.now());
    tag.name.textContent = app.isSelf(actor) ? t('You') : nameOf(actor).replace(/^./, (first) => first.toUpperCase());
    tag.root.style.background = colourOf(actor);
    const place = point ?? (isNew ? [stage.clientWidth / 2, ROW * (tags.size + 0.7)] : null);
    if (place) [tag.root.style.left, tag.root.style.top] = place.map((pixels) => `${pixels}px`);
    if (isNew) {
      tags.set(key, tag);
      tag.root.append(tag.name);
      stage.append(tag.root);
      if (!isStill()) tag.root.animate([{ scale: 0.6, opacity: 0 }, { scale: 1, opacity: 1 }], { duration: 120 });
    }
    return tag;
  }

  function react(actor, sign) {
    const moves = newest.get(actor?.id ?? '');
    const tag = show(actor, app.shown === app.cube && moves ? seen(moves) : null, REACTION_MS);
    if (!tag) return;
    clearTimeout(tag.signTimer);
    tag.sign?.remove();
    tag.sign = sign;
    tag.signTimer = setTimeout(() => sign.remove(), REACTION_MS);
    tag.root.append(sign);
    if (!isStill()) sign.animate([{ scale: 0.3 }, { scale: 1.4, offset: 0.6 }, { scale: 1 }], { duration: 300 });
  }

  app.on('turned', ({ by }) => (turned = by === 'others'));
  app.on('entry', ({ entry: { actor, kind, moves } }) => {
    const isOther = turned || (actor?.id && !app.isSelf(actor) && kind === 'moves');
    turned = false;
    if (!app.session || moves == null) return;
    newest.set(actor?.id ?? '', moves);
    const point = isOther && !app.isSelf(actor) && app.shown === app.cube && seen(moves);
    if (point) show(actor, point, SHOWN_MS);
  });
  app.on('room', () => newest.clear());
  for (const type of ['room', 'shown']) app.on(type, clear);
  return { react };
}
