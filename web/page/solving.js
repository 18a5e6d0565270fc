// solving.js: shows a solution of the server and applies it step by step: the steps of a lesson, or single moves.
//
// A solution is for one revision. It continues when its own steps arrive as entries of the session; any other entry ends it.

import { prepareCopy } from './clipboard.js';
import { element } from './element.js';
import { cubed } from './server.js';

const $ = (id) => document.getElementById(id);

const TIME_MS = 60000;
/** Most moves of one change. */
const AT_ONCE = 5000;
/** Up to this many moves, each is a step of its own; most characters of a step that are shown. */
const SINGLE = 60;
const SHOWN = 160;

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

/** Moves as texts of at most `most` moves. */
function split(moves, most) {
  const words = wordsOf(moves);
  return Array.from({ length: Math.ceil(words.length / most) }, (_, i) => words.slice(i * most, (i + 1) * most).join(' '));
}

/** The steps of an answer: {moves, text, stage}, each with few enough moves for one change. */
function partsOf(answer) {
  if (!answer.stages) return split(answer.solution, wordsOf(answer.solution).length > SINGLE ? AT_ONCE : 1).map((moves) => ({ moves }));
  return answer.stages.flatMap((stage) => stage.steps.flatMap(({ moves, text }) => split(moves, AT_ONCE).map((part) => ({ moves: part, text })))
    .map((part, i) => ({ ...part, stage: i === 0 ? stage.name : null })));
}

/** Moves as shown: truncated between two moves if there are too many. */
function shorten(moves, most) {
  return moves.length <= most ? moves : `${moves.slice(0, moves.lastIndexOf(' ', most))} …`;
}

let room = () => null;
let way = null; // {room, parts, done, sent: [moves]}
let search = null; // aborts it

function say(text) {
  $('found').textContent = text;
}

function show() {
  const left = way ? way.parts.length - way.done : 0;
  const last = way && way.done + way.sent.length;
  $('stop').hidden = !search;
  $('solve').disabled = $('lesson').disabled = search !== null;
  $('next').hidden = $('rest').hidden = left === 0;
  $('next').disabled = $('rest').disabled = !way || last >= way.parts.length;
  $('steps').hidden = !way;
  $('copy-solution').hidden = !way?.solution;
  for (const [i, row] of [...$('steps').children].entries()) {
    row.classList.toggle('past', i < way.done);
    if (i === way.done) row.setAttribute('aria-current', 'step');
    else row.removeAttribute('aria-current');
  }
  const current = $('steps').querySelector('[aria-current]');
  if (current) $('steps').scrollTop = current.offsetTop - $('steps').offsetTop;
}

function forget(why) {
  way = null;
  $('steps').replaceChildren();
  say(why);
  show();
}

function begin(answer, mine, revision) {
  if (answer.solution === null) return forget(`No solution was found in time; none has fewer than ${answer.bound} turns.`);
  if (room() !== mine || mine.cube.revision !== revision) return forget('The cube was turned during the search. Solve it again.');
  const parts = partsOf(answer);
  way = { room: mine, parts, done: 0, sent: [], solution: answer.solution };
  $('steps').replaceChildren(...(parts.some(({ text, stage }) => text || stage) ? parts : []).map(({ moves, text, stage }) => element('li', {},
    stage && element('b', {}, stage.replaceAll('-', ' ')),
    element('code', {}, shorten(moves, SHOWN)), text && element('small', {}, text))));
  say(parts.length === 0 ? 'The cube is solved.' : `${answer.metrics.htm} turns${answer.optimal ? ', a shortest solution' : ''}${answer.stages ? '' : `: ${shorten(answer.solution, 4 * SHOWN)}`}`);
  show();
}

function sayProgress({ status, progress: { nodes, best } }) {
  const found = best === null ? '' : `, ${best} turns so far`;
  say(status === 'queued' ? 'Waiting for its turn…' : `Searching: ${nodes.toLocaleString()} positions${found}…`);
}

async function solve(method) {
  const mine = room();
  if (!mine) return;
  const { session, cube: { revision } } = mine;
  const abort = new AbortController();
  forget('Searching…');
  search = abort;
  show();
  try {
    const question = { cube: { session: session.id, at: revision }, timeout_ms: TIME_MS, ...(method ? { method } : {}) };
    const answer = await cubed.solve(question, { token: session.token, signal: abort.signal, onProgress: sayProgress });
    search = null;
    begin(answer, mine, revision);
  } catch (error) {
    search = null;
    forget(error.name === 'AbortError' ? '' : error.message);
  }
}

function stop() {
  search?.abort();
}

function send(count) {
  const from = way.done + way.sent.length;
  const parts = way.parts.slice(from, from + count);
  for (const { moves } of parts) {
    way.room.cube.turn(moves);
    way.sent.push(moves);
  }
  show();
}

/** Handles a new entry: the next steps of the solution, which may come as one entry, or the end of it. */
export function followEntry(entry) {
  if (!way) return;
  let rest = entry.kind === 'moves' ? entry.moves : null;
  while (rest && `${rest} `.startsWith(`${way.sent[0]} `)) {
    rest = rest.slice(way.sent.shift().length + 1);
    way.done += 1;
  }
  if (rest !== '') return forget('The cube was turned differently. Solve it again.');
  if (way.done === way.parts.length) forget('Solved: this was the last step.');
  else show();
}

/** Starts again for another cube or another state of it. */
export function beginSolving(n) {
  stop();
  $('lesson').hidden = n !== 3;
  forget('');
}

/** `now` returns the open cube, or null. */
export function prepareSolving(now) {
  room = now;
  $('solve').onclick = () => solve(null);
  $('lesson').onclick = () => solve('beginner');
  $('stop').onclick = stop;
  $('next').onclick = () => send(1);
  $('rest').onclick = () => send(Infinity);
  prepareCopy($('copy-solution'), () => way.solution);
}
