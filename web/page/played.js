// played.js: the moves that are played on the stage; or those of the link that was opened, which can be watched again
// after the cube was turned. Each move can be chosen.

import { element } from './parts/element.js';
import { MoveList } from './parts/movelist.js';
import { t } from './words.js';

/** An element that lists the moves on the stage, or those of the link; hidden if there are neither. */
export function playedMoves(app) {
  let off = () => {};
  let model = null;
  const choose = (i) => {
    if (app.shown !== model) app.show(model);
    model.seek(i + 1);
  };
  const list = new MoveList(t('Moves to watch'), choose);
  const title = element('h2');
  const root = element('div', { class: 'played', hidden: true }, title, element('div', { class: 'scrolls' }, list.root));
  const show = () => {
    off();
    off = () => {};
    const isShown = Array.isArray(app.shown?.moves);
    model = isShown ? app.shown : app.room?.link?.playback ?? null;
    root.hidden = model === null;
    if (!model) return;
    title.textContent = isShown ? t('On the stage') : t('Of the link');
    list.set(model.moves, model.size);
    list.show(isShown ? model.position : 0);
    if (isShown) off = model.subscribe((change) => change.type === 'position' && list.show(model.position));
  };
  app.on('shown', show);
  show();
  return root;
}
