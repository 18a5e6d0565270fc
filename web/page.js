// page.js: starts the page: the cube on the stage, the panels beside it, and what its address asks for.

import { CubeView } from './client/view/view.js';
import { readAddress, pathOf } from './page/address.js';
import { App } from './page/app.js';
import { Keys } from './page/keys.js';
import { prepareLook } from './page/look.js';
import { Notice } from './page/notice.js';
import { Panels } from './page/panels.js';
import { Settings } from './page/settings.js';
import { loadLocal, rememberLocal } from './page/local.js';

const $ = (id) => document.getElementById(id);

/** After this time without an answer the page says so. */
const SLOW_MS = 1000;

/** How far from the frame single keys turn the cube: WCAG 2.1.4. */
const KEYED = '#stage, #pad, #deeds';

const ENDED = { deleted: 'This cube was deleted.', revoked: 'Your link to this cube is no longer valid.' };
const NO_ADDRESS = 'This is not the address of a cube. Here is one of your own.';

const settings = new Settings();
const notice = new Notice($('notice'));
const view = new CubeView($('view'));
const app = new App({
  view,
  settings,
  notify: (text, action) => notice.show(text, action),
});
const panels = new Panels(app, $('tabs'), $('panels'));
app.panels = panels;
globalThis.cubed = { app }; // for the console of the browser, and for tests

// ---- the frame follows the cube ----

function showState() {
  const { size: n, solved } = app.cube;
  $('state').textContent = `${n}×${n}×${n}${solved ? ' · solved' : ''}`;
}

function showTitle() {
  const { session, cube } = app.room;
  const title = cube.settings?.name ?? (session ? `A ${cube.size}×${cube.size}×${cube.size}` : "Rubik's cube");
  $('title').textContent = title;
  document.title = session ? `${title} · cubed` : 'cubed';
}

/** Everybody with a token counts once, however many tabs they have or reload. */
function showPeople() {
  const { presence } = app.cube;
  const here = (presence?.people ?? []).reduce((sum, { id, watchers }) => sum + (id === null ? watchers : 1), 0);
  const more = presence && presence.people.length === 100 ? presence.watchers : here;
  $('people').hidden = more < 2;
  $('people').textContent = `${more} here`;
}

function showStatus() {
  const { session, cube } = app.room;
  const text = session && !cube.online ? 'offline, reconnecting' : app.waiting;
  $('line').textContent = text ?? '';
  $('line').hidden = !text;
}

app.on('room', () => {
  if (!app.session && location.pathname.startsWith('/c/')) history.pushState(null, '', '/');
  showState();
  showTitle();
  showPeople();
  $('invite').hidden = app.session !== null && !app.may.own;
  document.body.toggleAttribute('data-session', app.session !== null);
  $('page').setAttribute('aria-busy', 'false');
});
for (const type of ['turned', 'redrawn', 'state', 'entry']) app.on(type, showState);
app.on('settings', showTitle);
app.on('presence', showPeople);
for (const type of ['status', 'saved', 'refused']) app.on(type, showStatus);
app.on('ended', ({ problem, reason }) => {
  start();
  app.notify(problem ?? ENDED[reason] ?? 'This cube can no longer be watched.');
});
view.onBusy = (busy) => $('stage').setAttribute('aria-busy', String(busy));
$('stage').setAttribute('aria-busy', 'false');

$('cubes').onclick = () => panels.show('cubes');
$('invite').onclick = () => panels.show('friends');
$('people').onclick = () => panels.show('friends');
$('adjust').onclick = () => import('./page/dialogs/settings.js').then(({ openSettings }) => openSettings(app));
const openHelp = () => import('./page/dialogs/keys.js').then(({ openKeys }) => openKeys(app));
$('help').onclick = openHelp;

// ---- keys ----

const keys = new Keys();

addEventListener('keydown', (event) => {
  const { target } = event;
  if (!app.room || event.defaultPrevented || document.querySelector('dialog[open]')) return;
  if (target !== document.body && !target.closest(KEYED)) return;
  if (target.closest('#words, input, select, textarea')) return;
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && event.key.toLowerCase() === 'z') {
    event.preventDefault();
    if (event.shiftKey) app.redo();
    else app.undo();
  }
  if (command || event.altKey || event.repeat) return;
  if (event.key === '?') return void openHelp();
  const layout = settings.get('keys');
  if (layout === 'off') return;
  const turn = keys.turnOf(event, layout, app.cube.size);
  if (turn) app.pressTurn(turn);
  if (turn !== undefined) event.preventDefault();
});

// ---- what the address asks for ----

function start() {
  app.openLocal(loadLocal(settings));
}

async function openSession({ id, token }) {
  const slow = setTimeout(() => app.notify('The server has not answered yet. Still trying…'), SLOW_MS);
  try {
    const { openRoom } = await import('./page/sessions.js');
    app.notify(await openRoom(app, id, token));
  } catch (error) {
    if (!app.room) start();
    app.notify(error);
  } finally {
    clearTimeout(slow);
  }
}

async function openAddress() {
  const address = readAddress(location);
  if (address.kind === 'session') {
    history.replaceState(null, '', pathOf(address.id)); // the token stays in no history and no screenshot
    return openSession(address);
  }
  if (address.kind === 'start') return start();
  if (address.kind === 'link') {
    const { openLink } = await import('./page/links.js');
    return openLink(app, address.fragment);
  }
  start();
  return app.notify(NO_ADDRESS);
}

/** Goes to another cube without loading the page again. */
app.go = (path) => {
  history.pushState(null, '', path);
  return openAddress();
};
addEventListener('popstate', openAddress);
addEventListener('hashchange', () => location.hash.length > 1 && openAddress());
addEventListener('beforeunload', (event) => {
  if (app.session && app.cube.waiting) event.preventDefault();
});

prepareLook(app);
rememberLocal(app);
import('./page/announce.js').then(({ prepareAnnouncements }) => {
  const { say } = prepareAnnouncements(app);
  app.on('say', say);
});
$('words').addEventListener('toggle', () => import('./page/table.js').then(({ prepareTable }) => prepareTable(app, $('table'))), { once: true });
await openAddress();
import('./page/timeline.js').then(({ prepareTimeline }) => prepareTimeline(app, $('timeline')));
panels.show(panels.shown ?? 'turn');
