// open.js: opens what an address asks for, other than the cube of this page alone: a session, or a link to an algorithm.

import { home } from '../base.js';
import { pathOf, readAddress } from './address.js';
import { t } from '../words.js';

/** After this time without an answer the page says so. */
const SLOW_MS = 1000;
const NO_ADDRESS = t('This is not the address of a cube. Here is one of your own.');

/** Asks for the name that others see, or says which one this person was given, until they have said theirs. */
function askName(app) {
  const given = app.settings.get('name');
  const focus = async () => {
    await app.panel('friends');
    const input = document.getElementById('your-name');
    input.focus();
    input.select();
  };
  const words = given ? t('You turn this cube with others. They see you as “{name}”.', { name: given }) : t('You turn this cube with others. Say who you are:');
  app.notify(words, { action: { label: given ? t('Change') : t('Your name'), run: focus } });
  const end = app.settings.on('name', () => {
    end();
    app.notify(null);
  });
}

async function openSession(app, start, { id, token }) {
  const signal = app.beginOpening();
  const name = app.settings.get('name');
  const slow = setTimeout(() => signal.aborted || app.notify(t('The server has not answered yet. Still trying…')), SLOW_MS);
  try {
    const { openRoom } = await import('../session/sessions.js');
    const note = await openRoom(app, id, token, signal);
    if (signal.aborted) return;
    const nameless = token && !note && app.may.turn && !name;
    if (nameless) askName(app);
    else app.notify(note);
  } catch (error) {
    if (signal.aborted) return; // another cube is opened
    if (app.room) history.replaceState(null, '', app.session ? pathOf(app.session.id) : home); // as is what is still open
    else start();
    app.notify(error);
  } finally {
    clearTimeout(slow);
  }
}

/** Opens the link whose parameters are in the query (/?alg=...); a cube of this page alone if the query has none of them. */
async function openQuery(app, search, start) {
  const { openLink, readQuery } = await import('./links.js');
  const fragment = readQuery(search);
  history.replaceState(null, '', fragment ? `${home}#${fragment}` : home);
  return fragment ? openLink(app, fragment) : start();
}

/** Opens an address: {pathname, search, hash}; `start` opens a cube of this page alone. */
export async function openOther(app, location, start) {
  const address = readAddress(location);
  if (address.kind === 'session') {
    history.replaceState(null, '', pathOf(address.id)); // the token stays in no history and no screenshot
    return openSession(app, start, address);
  }
  if (address.kind === 'link') {
    const { openLink } = await import('./links.js');
    return openLink(app, address.fragment);
  }
  if (address.kind === 'start') return openQuery(app, location.search, start);
  history.replaceState(null, '', home); // the way back does not lead here again
  start();
  return app.notify(NO_ADDRESS);
}
