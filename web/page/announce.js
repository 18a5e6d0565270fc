// announce.js: the live region of the page, and reports of what happens to the cube in it.

import { Announcer } from './announcer.js';
import { element } from './element.js';

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
    announcer.open(app.cube.size);
    mayTurn = null;
  };
  app.on('room', open);
  app.on('turned', (change) => app.shown === app.cube && announcer.turned(change));
  app.on('entry', (change) => announcer.entry(change));
  app.on('saved', (change) => announcer.saved(change));
  app.on('refused', () => announcer.refused());
  app.on('solved', () => announcer.note('The cube is solved.'));
  app.on('may', () => {
    const turn = Boolean(app.may?.turn);
    const ordered = (app.cube?.settings?.turn_policy ?? 'free') !== 'free';
    if (ordered && mayTurn !== null && turn !== mayTurn) announcer.note(turn ? 'It is your turn.' : 'It is somebody else\'s turn.');
    mayTurn = turn;
  });
  if (app.cube) open();
  return { say };
}
