// watching.js: what the panel of turns shows to people who may not turn the cube of a session: that they watch, and what
// they can do; or whose turn it is.

import { runAction } from '../parts/action.js';
import { linkOf } from '../open/address.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { reach } from './reach.js';
import { roleOf, whoseTurn } from './rights.js';
import { t } from '../words.js';

export const WATCHING = t('You are watching this cube. You can turn a copy of it, or ask for a link to turn this one.');

/** The buttons for people who watch: a copy of the cube, and words with which they ask for a link. */
export function watchingButtons(app) {
  const copy = element('button', { class: 'main', type: 'button' }, t('Turn a copy of my own'));
  copy.onclick = () => runAction(app, copy, async () => {
    const { createRoom } = await import('./sessions.js');
    await createRoom(app, { cube: { session: app.session.id }, name: app.cube.settings.name }, { token: app.session.token });
  });
  const ask = prepareCopy(element('button', { type: 'button' }, t('Copy a request for a link')), async () => {
    const { id } = app.session;
    return t('Please send me a link to turn this cube: {link}', { link: linkOf(id, null, (await reach()).origin ?? undefined) });
  });
  return { copy, ask };
}

/** Shows it at the top of the panel of turns; who watches has no use for the rest of that panel. */
export function prepareWatching(app, panel) {
  const words = element('p');
  const { copy, ask } = watchingButtons(app);
  const buttons = element('div', { class: 'row' }, copy, ask);
  const stage = element('p', { id: 'whose' }); // seen beside every panel
  document.getElementById('stage').append(stage);
  const box = element('div', { id: 'watch', class: 'column' }, words, buttons);
  const show = () => {
    const { session, cube } = app.room;
    const watches = session !== null && roleOf(cube) === 'viewer';
    const text = watches ? WATCHING : session && whoseTurn(cube).text;
    words.textContent = text ?? '';
    stage.textContent = watches ? t('You are watching.') : text ?? '';
    buttons.hidden = !watches;
    if (panel.firstChild !== box) panel.prepend(box);
    for (const part of panel.children) part.hidden = part === box ? !text : watches;
  };
  for (const type of ['room', 'may', 'settings', 'standing', 'panel']) app.on(type, show);
  show();
}
