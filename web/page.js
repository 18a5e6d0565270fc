// page.js: the web page: one cube that several people turn. Its parts are in web/page/.
//
// The address is #ID or #ID.TOKEN. What is shown is the live cube of the client (clients/js): what the server has confirmed,
// with own turns on top that have no answer yet.

import { Board } from './page/board.js';
import { textNet } from './page/net.js';
import { Past, wordsOf } from './page/past.js';
import { cubed } from './page/server.js';
import { prepareSharing } from './page/share.js';
import { beginSolving, followEntry, prepareSolving } from './page/solving.js';
import { listPublic, NO_ADDRESS, prepareStart, readAddress } from './page/start.js';
import { hideTimes, showTimes } from './page/times.js';
import { clearFault, prepareTurning, showFault } from './page/turning.js';

const $ = (id) => document.getElementById(id);

const HISTORY = 100;
/** Characters of an entry that are read aloud. */
const SAID_MAX = 80;

/** With so many changes without an answer the page says so, even if it is online. */
const MANY = 3;

const ENDED = { deleted: 'This cube was deleted.', revoked: 'This link is no longer valid.' };

/** After this time without an answer the page shows a notice. */
const SLOW_MS = 1000;

let slow; // its timer
let room = null; // {session, cube}: what is open; `cube` is null until its state is known

const board = new Board($('space'), $('flat'), (moving) => $('stage').setAttribute('aria-busy', moving));
const past = new Past($('history'));

function notify(error) {
  $('notice').textContent = error ? error.message : '';
  $('notice').hidden = !error;
}

// ---- the state of the cube ----

function showState() {
  const { size: n, revision, solved, stickers } = room.cube;
  $('state').textContent = `${n}×${n}×${n} · revision ${revision}${solved ? ' · solved' : ''}`;
  if ($('words').open) $('text').textContent = textNet(stickers, n);
}

async function fillHistory({ session, cube }) {
  const { items } = await session.history({ after: Math.max(0, cube.revision - HISTORY), limit: HISTORY }).first();
  if (room?.session === session) items.forEach((entry) => past.add(entry));
}

function onSettings() {
  const n = room.cube.size;
  const title = room.cube.settings.name ?? `A ${n}×${n}×${n}`;
  $('title').textContent = title;
  $('title').hidden = false;
  document.title = `${title} · cubed`;
}

function onOpened() {
  const { size } = room.cube;
  $('layer').max = size;
  $('depth').hidden = size === 2;
  clearTimeout(slow);
  $('opening').hidden = true;
  $('room').hidden = false;
  onState();
  onSettings();
  onStatus();
  if (room.cube.presence) onPresence();
}

/** The cube, as it was read from the server: at first, or after a gap in the events. */
function onState() {
  past.clear();
  beginSolving(room.cube.size);
  fillHistory(room).catch(() => {});
  showTimes(room).catch(() => {});
  onRedrawn();
}

function onRedrawn() {
  board.show(room.cube.stickers, room.cube.size);
  showState();
}

function onTurned({ turns }) {
  board.turn(turns);
  showState();
}

function onEntry({ entry }) {
  past.add(entry);
  followEntry(entry);
  $('said').textContent = `${past.whoOf(entry)}: ${wordsOf(entry).slice(0, SAID_MAX)}`;
  showState();
}

function onPresence() {
  const { watchers, names } = room.cube.presence;
  const others = watchers - names.length;
  const who = [...names, ...(names.length && others > 0 ? [`${others} more`] : [])].join(', ');
  $('people').textContent = `${watchers} here${who ? `: ${who}` : ''}`;
  $('people').hidden = false;
}

function onStatus() {
  const { cube } = room;
  $('line').textContent = cube.online ? 'online' : 'offline, reconnecting';
  $('line').classList.toggle('off', !cube.online);
  $('line').hidden = false;
  const count = cube.waiting;
  $('waiting').replaceChildren();
  if (count === 0 || (cube.online && count < MANY)) return;
  const forget = document.createElement('button');
  forget.type = 'button';
  forget.textContent = 'Discard';
  forget.onclick = () => cube.discard();
  $('waiting').append(`${count} ${count === 1 ? 'change is' : 'changes are'} waiting for the server. `, forget);
}

function onSaved({ written }) {
  past.claim(written.revision);
  notify(null);
}

function onRefused({ problem, changes: [change] }) {
  if (problem.kind === 'bad-notation' && change.kind === 'moves') showFault(problem, change.body.moves);
  else notify(problem);
}

/** What happens to the open cube, by type. */
const HANDLERS = {
  turned: onTurned,
  redrawn: onRedrawn,
  state: onState,
  entry: onEntry,
  saved: onSaved,
  refused: onRefused,
  settings: onSettings,
  presence: onPresence,
  solved: () => showTimes(room).catch(() => {}),
  status: onStatus,
  ended: ({ problem, reason }) => leave(problem ?? new Error(ENDED[reason] ?? 'The cube can no longer be watched.')),
};

// ---- opening and closing a cube ----

function close() {
  room?.abort.abort();
  room = null;
  beginSolving(0);
  hideTimes();
  past.clear();
  clearFault();
  notify(null);
  document.title = 'cubed';
  clearTimeout(slow);
  for (const id of ['start', 'room', 'opening', 'title', 'line', 'people', 'share']) $(id).hidden = true;
}

/** Shown until the server answers. */
function showOpening() {
  $('opening').textContent = 'Opening the cube…';
  $('opening').hidden = false;
  clearTimeout(slow);
  slow = setTimeout(() => ($('opening').textContent = 'The server has not answered yet. Still trying…'), SLOW_MS);
}

function showStart() {
  close();
  $('start').hidden = false;
  listPublic().catch(notify);
}

function leave(problem) {
  showStart();
  notify(problem);
}

async function open() {
  close();
  const address = readAddress(location.hash);
  if (!address) {
    showStart();
    if (location.hash.length > 1) notify(new Error(NO_ADDRESS));
    return;
  }
  showOpening();
  const session = cubed.session(address.id, { token: address.token });
  const mine = { session, cube: null, abort: new AbortController() };
  room = mine;
  $('share').hidden = false;
  try {
    mine.cube = await session.live({ signal: mine.abort.signal, onChange: (change) => room === mine && mine.cube && HANDLERS[change.type](change) });
    if (room === mine) onOpened();
  } catch (error) {
    if (room === mine) leave(error);
  }
}

prepareStart(notify);
prepareTurning(() => room?.cube ?? null);
prepareSolving(() => (room?.cube ? room : null));
prepareSharing(() => room, notify);
$('unfold').checked = board.unfolded;
$('unfold').disabled = !board.hasSpace;
$('unfold').onchange = () => {
  board.unfolded = $('unfold').checked;
  board.redraw();
};
$('letters').onchange = () => {
  board.letters = $('letters').checked;
  board.redraw();
};
$('words').ontoggle = () => room?.cube && showState();
addEventListener('hashchange', open);
addEventListener('beforeunload', (event) => {
  if (room?.cube?.waiting) event.preventDefault();
});
open();
