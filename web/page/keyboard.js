// keyboard.js: what the keys do on the page: turns, undo and redo, the help.

import { Keys } from './keys.js';

/** Keys act on the cube only while one of these, or nothing, has the focus (WCAG 2.1.4); on the time line only undo and redo. */
const KEYED = '#stage, #pad, #actions, #tabs';

/** Returns true if a key acts on the cube: not on what else has the focus. */
export const isForCube = (app, { target, defaultPrevented }) => app.room !== null && !defaultPrevented && !document.querySelector('dialog[open]')
  && (target === document.body || target.closest(KEYED) !== null) && !target.closest('#words, input, select, textarea');

/** `early` are events of keys from before. */
export function prepareKeyboard(app, openHelp, early) {
  const keys = new Keys();
  const press = (event) => {
    const { target } = event;
    if (!isForCube(app, event) || (app.covered && event.key !== '?')) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && !event.altKey && ['z', 'y'].includes(key)) {
      event.preventDefault();
      if (event.shiftKey || key === 'y') app.redo();
      else app.undo();
    }
    if (command || event.altKey || event.repeat || target.closest('#timeline')) return;
    const layout = app.settings.get('keys');
    if (layout === 'off') return; // also the one for help
    if (event.key === '?') return void openHelp();
    const turn = keys.turnOfKey(event, layout, app.cube.size);
    if (turn) app.pressTurn(turn);
    if (turn !== undefined) event.preventDefault();
  };
  early.forEach(press);
  addEventListener('keydown', press);
}
