// reactions.js: clap, heart and wow: everybody at a cube sends them by a button or a key, and sees them for a moment at
// the name of who did. Loaded when somebody else is here.

import { isForCube } from '../keyboard.js';
import { element, icon } from '../parts/element.js';
import { countPeople } from './presence.js';
import { nameOf, roleOf } from './rights.js';
import { t } from '../words.js';

/** In the order of the buttons. `icon` is a path in a square of 24, `code` the key, which is known by its place. */
const REACTIONS = [
  { name: 'clap', title: 'Clap', said: '{name} claps.', code: 'BracketLeft', icon: 'M7.2 20.6L4 13.9a1.3 1.3 0 0 1 2.4-1.1l1.3 2.6-2-7.2a1.3 1.3 0 0 1 2.5-.7l1.6 5.4-.9-7.2a1.3 1.3 0 0 1 2.6-.3l1.2 7.3.9-3.6a1.3 1.3 0 0 1 2.5.7l-.9 6.4c-.4 2.6-1.6 3.9-3.4 4.9M17.4 13.6l1-3.4a1.3 1.3 0 0 1 2.5.7l-1.5 6c-.4 1.6-1.2 2.7-2.4 3.5M15.2 5.4l.4-2.4M18.2 6.2l1.4-2M20.2 8.2l2-.9' },
  { name: 'heart', title: 'Heart', said: '{name} sends a heart.', code: 'BracketRight', icon: 'M12 20.2S3.8 15.4 3.8 9.4A4.3 4.3 0 0 1 12 7.6a4.3 4.3 0 0 1 8.2 1.8c0 6-8.2 10.8-8.2 10.8z' },
  { name: 'wow', title: 'Wow', said: '{name} is amazed.', code: 'Quote', icon: 'M12 3.2a8.8 8.8 0 1 0 0 17.6a8.8 8.8 0 1 0 0-17.6zM8.8 9v1M15.2 9v1M12 13a2 2.4 0 1 0 0 4.8a2 2.4 0 1 0 0-4.8z' },
];

/** Alone there is nobody to see it, without the server no way to them, and who only watches shows nothing to others. */
const mayReact = (app) => app.session !== null && app.cube.online && roleOf(app.cube) !== 'viewer' && countPeople(app) > 1;

let sending = false;

/** Sends a reaction, one after the other. */
async function react(app, reaction) {
  if (sending || !mayReact(app)) return;
  sending = true;
  try {
    await app.session.cue({ reaction });
  } catch (problem) {
    app.notify(problem);
  } finally {
    sending = false;
  }
}

/** Returns a group of the three buttons, with their names in words if they are `named`. */
export function reactionButtons(app, { named = false } = {}) {
  const button = ({ name, title, icon: path }) => element('button', { type: 'button', class: named ? null : 'icon', 'data-reaction': name, 'aria-label': t(title), title: t(title), onclick: () => react(app, name) }, icon(path), named && element('span', {}, t(title)));
  const root = element('div', { class: 'reactions', role: 'group', 'aria-label': t('Reactions') }, REACTIONS.map(button));
  const show = () => (root.hidden = !mayReact(app));
  for (const type of ['room', 'presence', 'settings', 'state', 'status']) app.on(type, show);
  show();
  return root;
}

/** Buttons at the cube, keys, and reactions as they come: `tags` are the names at the cube (nametag.js). */
export function prepareReactions(app, tags) {
  app.view.host.append(reactionButtons(app));
  addEventListener('keydown', (event) => {
    const { code, target } = event;
    const pressed = REACTIONS.find((one) => one.code === code);
    if (!pressed || !isForCube(app, event) || app.settings.get('keys') === 'off' || !mayReact(app)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat || app.covered || target.closest('#timeline')) return;
    event.preventDefault();
    react(app, pressed.name);
  });
  app.on('reaction', ({ reaction, actor }) => {
    const seen = REACTIONS.find(({ name }) => name === reaction);
    if (!seen) return; // of a newer server
    tags.react(actor, element('span', { 'data-reaction': reaction }, icon(seen.icon)));
    app.say(app.isSelf(actor) ? t('Sent to all who are here.') : t(seen.said, { name: nameOf(actor).replace(/^./, (first) => first.toUpperCase()) }));
  });
}
