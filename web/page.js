// page.js: starts the page: the cube on the stage, the panels beside it, and what its address asks for.

import { CubeView } from './client/view/view.js';
import { App } from './page/app.js';
import { sizeText } from './page/cube/sizes.js';
import { prepareLook } from './page/look.js';
import { Notice } from './page/parts/notice.js';
import { Panels } from './page/panels.js';
import { Settings } from './page/settings.js';
import { loadMore } from './page/sheet.js';
import { loadLocal, rememberLocal } from './page/open/local.js';
import { prepareWelcome } from './page/welcome.js';
import { language, t } from './page/words.js';

const $ = (id) => document.getElementById(id);
const home = $('home'); // the link to this page, at its path (base.js)

const settings = new Settings();
const notice = new Notice($('notice'));
const view = new CubeView($('view'));
if (language !== 'en') await import('./page/frame.js');
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
  const { size: n } = app.shown;
  $('state').textContent = `${sizeText(n)}${app.shown === app.cube && app.cube.solved ? ` · ${t('solved')}` : ''}`;
}

function showTitle() {
  const { session, cube } = app.room;
  const title = cube.settings?.name ?? (session ? t('A {size}', { size: sizeText(cube.size) }) : t("Rubik's cube"));
  $('title').textContent = title;
  document.title = session ? `${title} · cubed` : 'cubed';
}

app.on('room', ({ session, link }) => {
  const isOwn = !session && !link;
  if (isOwn && location.href !== home.href) history.pushState(null, '', home);
  showState();
  showTitle();
  $('invite').hidden = app.session !== null && !app.may.own;
  document.body.toggleAttribute('data-session', app.session !== null);
  $('page').setAttribute('aria-busy', 'false');
});
for (const type of ['turned', 'redrawn', 'state', 'entry', 'shown']) app.on(type, showState);
app.on('settings', showTitle);
view.onBusy = (busy) => {
  $('stage').setAttribute('aria-busy', String(busy));
  app.report('busy', busy);
};
$('stage').setAttribute('aria-busy', 'false');

$('cubes').onclick = () => panels.show('cubes');
$('invite').onclick = () => panels.show('friends');
$('people').onclick = () => panels.show('friends');

$('adjust').onclick = () => app.need(() => loadMore(() => import('./page/dialogs/settings.js')), ({ openSettings }) => openSettings(app));
const openHelp = () => app.need(() => loadMore(() => import('./page/dialogs/keys.js')), ({ openKeys }) => openKeys(app));
$('help').onclick = openHelp;

// ---- what the address asks for ----

function start() {
  app.openLocal(loadLocal(settings));
}

/** The page as it is found first needs no more than this; open.js knows all other addresses. */
async function openAddress() {
  const { pathname, search, hash } = location; // before anything else happens to it
  if (pathname === home.pathname && search === '' && hash.length < 2) return start();
  try {
    const { openOther } = await import('./page/open/open.js');
    await openOther(app, { pathname, search, hash }, start);
  } catch (error) {
    if (!app.room) start(); // the module that opens others did not come
    app.notify(error);
  }
}

/** Goes to another cube without loading the page again. */
app.go = (path) => {
  history.pushState(null, '', path);
  return openAddress();
};
addEventListener('popstate', openAddress); // also when only the part after # was changed
addEventListener('beforeunload', (event) => {
  if (app.unanswered > 0) event.preventDefault();
});

// Keys are known a little later; what is pressed before that is not lost.
const early = [];
const keep = (event) => early.push(event);
addEventListener('keydown', keep);

prepareLook(app);
prepareWelcome(app);
rememberLocal(app);
$('words').addEventListener('toggle', () => app.need(() => loadMore(() => import('./page/cube/table.js')), ({ prepareTable }) => prepareTable(app, $('table'))), { once: true });
panels.show('turn'); // which waits for the cube
await openAddress();

// ---- what comes after the first screen, without delaying it ----

/** A browser that is never idle waits no longer than this. */
const IDLE_MS = 1000;
/** For browsers that do not say when they are idle. */
const LATER_MS = 200;

await new Promise((done) => (globalThis.requestIdleCallback ? requestIdleCallback(done, { timeout: IDLE_MS }) : setTimeout(done, LATER_MS)));
app.need(() => import('./page/later.js'), ({ prepareLater }) => {
  removeEventListener('keydown', keep);
  prepareLater(app, openHelp, early);
});
