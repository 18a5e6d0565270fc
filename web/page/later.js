// later.js: what comes after the first screen, without delaying it.

import { prepareAnnouncements } from './announce.js';
import { prepareCelebration } from './celebration.js';
import { preparePresence } from './session/presence.js';
import { prepareDrop } from './open/drop.js';
import { prepareOffline } from './offline/prepare.js';
import { prepareKeyboard } from './keyboard.js';
import { loadSheet } from './sheet.js';
import { prepareTimeline } from './timeline.js';
import { prepareTyping } from './typing.js';

/** Restores the lesson that solver/kept.js kept in this tab, under this key. Most tabs have none, so its code is loaded on demand. */
async function restoreLesson(app) {
  try {
    if (!sessionStorage['cubed.lesson']) return;
  } catch {
    return; // There is no storage.
  }
  const kept = await import('./solver/kept.js');
  kept.restoreLesson(app);
}

/** `early` are events of keys from before. */
export function prepareLater(app, openHelp, early) {
  prepareOffline(app);
  prepareKeyboard(app, openHelp, early);
  prepareDrop(app);
  prepareTyping();
  preparePresence(app);
  prepareCelebration(app);
  app.on('say', prepareAnnouncements(app).say);
  restoreLesson(app);
  app.need(loadSheet, () => prepareTimeline(app, document.getElementById('timeline')));
}
