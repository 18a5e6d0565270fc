// page.js: the web page: one cube that several people turn. Its parts are in web/page/.
//
// The address is #ID or #ID.TOKEN. The shown state of the cube comes only from the session's events, in the server's order.

import { Board } from './page/board.js';
import { fromFacelets, isSolved, parseMoves } from './page/cube.js';
import { Link } from './page/link.js';
import { textNet } from './page/net.js';
import { Past, wordsOf } from './page/past.js';
import { prepareSharing } from './page/share.js';
import { beginSolving, followEntry, prepareSolving } from './page/solving.js';
import { listPublic, NO_ADDRESS, prepareStart, readAddress } from './page/start.js';
import { hideTimes, showTimes } from './page/times.js';
import { clearFault, giveBack, prepareTurning, showFault } from './page/turning.js';

const $ = (id) => document.getElementById(id);

/** Facelets to turn one by one; for more, the cube is loaded from the server. */
const WORK_MAX = 20e6;
const HISTORY = 100;
/** Characters of an entry that are read aloud. */
const SAID_MAX = 80;

/** After this time without an answer the page shows a notice. */
const SLOW_MS = 1000;

let slow; // its timer
let room = null; // {id, token, link, n}: the cube that is open

const board = new Board($('space'), $('flat'), (moving) => $('stage').setAttribute('aria-busy', moving));
const past = new Past($('history'));

function notify(error) {
  $('notice').textContent = error ? error.message : '';
  $('notice').hidden = !error;
}

// ---- the state of the cube ----

function showState() {
  const { n } = room;
  $('state').textContent = `${n}×${n}×${n} · revision ${room.link.revision}${isSolved(board.now, n) ? ' · solved' : ''}`;
  if ($('words').open) $('text').textContent = textNet(board.now, n);
}

async function fillHistory(link) {
  const { items } = await link.call('GET', `/history?after=${Math.max(0, link.revision - HISTORY)}&limit=${HISTORY}`);
  if (room?.link === link) items.forEach((entry) => past.add(entry));
}

function onSession({ name }) {
  const title = name ?? (room.n ? `A ${room.n}×${room.n}×${room.n}` : '');
  $('title').textContent = title;
  $('title').hidden = false;
  document.title = `${title} · cubed`;
}

function onState(session) {
  const { link } = room;
  room.n = session.size;
  onSession(session);
  $('layer').max = session.size;
  $('depth').hidden = session.size === 2;
  board.show(fromFacelets(session.cube.facelets), session.size);
  past.clear();
  beginSolving(room.n);
  fillHistory(link).catch(() => {});
  showTimes(room).catch(() => {});
  clearTimeout(slow);
  $('opening').hidden = true;
  $('room').hidden = false;
  board.redraw();
  showState();
}

function onEntry(entry) {
  past.add(entry);
  followEntry(entry);
  $('said').textContent = `${past.whoOf(entry)}: ${wordsOf(entry).slice(0, SAID_MAX)}`;
  const turns = entry.moves === null ? null : parseMoves(entry.moves, room.n);
  if (!turns || turns.length * 6 * room.n ** 2 > WORK_MAX) return room.link.refresh();
  board.turn(turns);
  showState();
}

function onPresence({ watchers, names }) {
  const others = watchers - names.length;
  const who = [...names, ...(names.length && others > 0 ? [`${others} more`] : [])].join(', ');
  $('people').textContent = `${watchers} here${who ? `: ${who}` : ''}`;
  $('people').hidden = false;
}

function onStatus() {
  const { link } = room;
  $('line').textContent = link.online ? 'online' : 'offline, reconnecting';
  $('line').classList.toggle('off', !link.online);
  $('line').hidden = false;
  const count = link.waiting;
  $('waiting').replaceChildren();
  if (count === 0 || (link.online && count < 3)) return;
  const forget = document.createElement('button');
  forget.type = 'button';
  forget.textContent = 'Discard';
  forget.onclick = () => link.discard();
  $('waiting').append(`${count} ${count === 1 ? 'change is' : 'changes are'} waiting for the server. `, forget);
}

function onAnswered(change, written) {
  past.claim(written.revision);
  notify(null);
}

function onRefused(change, problem) {
  if (problem.details.type?.endsWith(':bad-notation') && change.what === 'moves') showFault(problem.details, change.body.moves);
  else notify(problem);
  giveBack(change);
}

// ---- opening and closing a cube ----

function close() {
  room?.link.close();
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

function open() {
  close();
  const address = readAddress(location.hash);
  if (!address) {
    showStart();
    if (location.hash.length > 1) notify(new Error(NO_ADDRESS));
    return;
  }
  showOpening();
  room = { ...address, link: null, n: 0 };
  const mine = room;
  const only = (handle) => (...values) => room === mine && mine.link && handle(...values);
  room.link = new Link(address.id, address.token, {
    state: only(onState),
    session: only(onSession),
    entry: only(onEntry),
    presence: only(onPresence),
    solved: only(() => showTimes(room).catch(() => {})),
    status: only(onStatus),
    answered: only(onAnswered),
    refused: only(onRefused),
    ended: only((problem) => {
      showStart();
      notify(problem);
    }),
  });
  $('share').hidden = false;
}

prepareStart(notify);
prepareTurning(() => (room?.n ? room : null));
prepareSolving(() => (room?.n ? room : null));
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
$('words').ontoggle = () => room?.n && showState();
addEventListener('hashchange', open);
addEventListener('beforeunload', (event) => {
  if (room?.link.waiting) event.preventDefault();
});
open();
