// watched.js: the moves that are played on the stage, such as those of a link; each can be chosen.

import { element } from './element.js';
import { MoveList } from './movelist.js';

/** An element with the moves of the model on the stage, if that is a list of moves; hidden otherwise. */
export function watchedMoves(app) {
  let off = () => {};
  const list = new MoveList('Moves on the stage', (i) => app.shown.seek?.(i + 1));
  const root = element('div', { class: 'watched', hidden: true }, element('h2', {}, 'On the stage'), element('div', { class: 'scrolls' }, list.root));
  const show = () => {
    off();
    const model = app.shown;
    root.hidden = !Array.isArray(model?.moves);
    if (root.hidden) return;
    list.set(model.moves, model.size);
    list.show(model.position);
    off = model.subscribe((change) => change.type === 'position' && list.show(model.position));
  };
  app.on('shown', show);
  show();
  return root;
}
