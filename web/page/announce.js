// announce.js: the live region of the page, and reports of what happens to the cube in it.

import { Announcer } from './announcer.js';
import { isSolved } from '../client/cube.js';
import { element } from './parts/element.js';
import { t } from './words.js';

/**
 * Reads aloud who turned what, that the cube is solved, and whose turn it is. Makes the live region.
 * @returns {{say: (text: string) => void}} `say` reads a text, politely
 */
export function prepareAnnouncements(app) {
  // Two regions in turn: a text that is said twice is a change each time.
  const regions = [0, 1].map(() => element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' }));
  document.body.append(...regions);
  let next = 0;
  const say = (text) => {
    regions[next].textContent = text;
    next = 1 - next;
    regions[next].textContent = '';
  };
  const announcer = new Announcer(say);
  let mayTurn = null;
  const open = () => {
    announcer.open(app.cube.size, app.isSelf);
    mayTurn = null;
    describe();
  };
  const wanted = () => app.settings.get('announceTurns');
  const describe = describeCanvas(app);
  app.on('room', open);
  app.on('shown', describe);
  app.settings.on('keys', describe);
  app.on('turned', (change) => {
    describe();
    if (wanted()) announcer.turned(change);
  });
  app.on('redrawn', describe);
  app.on('entry', (change) => wanted() && announcer.entry(change));
  app.on('saved', (change) => announcer.saved(change));
  app.on('refused', () => announcer.refused());
  app.on('solved', () => announcer.note(t('The cube is solved.')));
  app.on('may', () => {
    const turn = Boolean(app.may?.turn);
    const ordered = (app.cube?.settings?.turn_policy ?? 'free') !== 'free';
    if (ordered && mayTurn !== null && turn !== mayTurn) announcer.note(turn ? t('It is your turn.') : t('It is somebody else\'s turn.'));
    mayTurn = turn;
  });
  if (app.room) open();
  return { say };
}

/** The text alternative of the cube that is drawn; returns what brings it up to date. */
function describeCanvas(app) {
  const text = element('p', { id: 'cube-words', hidden: true });
  document.body.append(text);
  app.view.canvas.setAttribute('aria-describedby', text.id);
  return () => {
    const { size: n, stickers } = app.shown;
    const state = isSolved(stickers, n) ? t('A cube of {n} by {n} by {n}, solved.', { n }) : t('A cube of {n} by {n} by {n}, not solved.', { n });
    const keys = app.settings.get('keys') === 'off' ? '' : t('Single keys turn it; the settings switch them off.');
    const words = [state, t('Every sticker is in “The cube as a table”, at the end of the page.'), keys].filter(Boolean).join(' ');
    if (text.textContent !== words) text.textContent = words;
  };
}
