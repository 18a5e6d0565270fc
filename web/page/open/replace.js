// replace.js: another cube of this page in place of the one that is open, with a way back.

import { t } from '../words.js';


/** Opens the cube and says so in `words`; `options` as of app.openLocal(). */
export function replaceCube(app, cube, words, options = {}) {
  const { session, cube: former, link, guest } = app.room;
  const address = location.pathname + location.hash;
  const goBack = () => {
    if (session) {
      app.go(address);
      return;
    }
    app.openLocal(former, { link, guest });
    if (link) history.replaceState(null, '', address);
  };
  app.openLocal(cube, options);
  const isLost = session || link || former.revision > 0;
  app.notify(words, isLost ? { action: { label: t('Go back'), run: goBack } } : {});
}
