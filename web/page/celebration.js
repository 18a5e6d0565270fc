// celebration.js: words and flying stickers for a turn that solves the cube on the stage.

import { chosenPalette } from './look.js';
import { element } from './parts/element.js';
import { t } from './words.js';

/** So many pieces fly, for so many milliseconds, unless less motion is preferred. */
const PIECES = 36;
const FLIGHT_MS = 1600;

/** Returns the number of turns of layers since the cube of this page was scrambled or reset. */
export function turnsSince(entries) {
  const from = entries.findLastIndex(({ kind }) => kind === 'scramble' || kind === 'reset');
  return entries.slice(from + 1).flatMap(({ moves }) => moves.split(' ')).filter((move) => move && !/^[xyz]/.test(move)).length;
}

export function prepareCelebration(app) {
  const stage = document.getElementById('stage');
  let kind = null; // of the newest entry
  let words = null; // waiting until the turn is drawn
  let sign = null;
  const end = () => {
    sign?.remove();
    sign = words = null;
  };
  const show = () => {
    if (words === null || app.view.busy) return;
    sign = element('p', { id: 'celebration', 'aria-hidden': 'true' }, words); // announce.js reads it
    words = null;
    stage.append(sign);
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) fly(sign, chosenPalette(app.settings).colours);
  };
  app.on('entry', ({ entry }) => (kind = entry.kind));
  for (const type of ['turned', 'room', 'shown']) app.on(type, end);
  app.on('busy', show);
  app.on('solved', () => {
    if (kind !== 'moves' || app.shown !== app.cube) return;
    end();
    const turns = app.session ? 0 : turnsSince(app.cube.entries);
    words = turns > 1 ? t('Solved in {n} turns!', { n: turns }) : t('Solved!');
    show();
  });
}

/** Throws stickers of these colours in the air: they are gone when they have fallen. */
function fly(sign, colours) {
  sign.animate([{ scale: 0.3 }, { scale: 1.15, offset: 0.7 }, { scale: 1 }], { duration: 350, easing: 'ease-out' });
  for (let i = 0; i < PIECES; i++) {
    const piece = element('i');
    piece.style.background = colours[i % colours.length];
    const [x, up] = [(Math.random() - 0.5) * 2 * innerWidth / 3, -(0.2 + Math.random() * 0.4) * innerHeight];
    sign.append(piece);
    const flight = piece.animate([
      { translate: '0 0' },
      { translate: `${x * 0.7}px ${up}px`, rotate: '200deg', easing: 'ease-in', offset: 0.45 },
      { translate: `${x}px ${innerHeight / 3}px`, rotate: '500deg', opacity: 0 },
    ], { duration: FLIGHT_MS * (0.7 + Math.random() * 0.3), easing: 'ease-out' });
    flight.onfinish = () => piece.remove();
  }
}
