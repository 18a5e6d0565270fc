// Section store: a million sessions with 20 million moves on the disk, and folding while others write.

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cubed, figures, median, program, run, temporaryDirectory } from './lib.mjs';

const SESSIONS = Number(process.env.SESSIONS ?? 1e6);
const MOVES = 20;
const MB_MOST = 80; // of a million sessions
const STARTS = 5;
const WRITES = 3;

const store = (...args) => figures(run(program('store'), args.map(String)));

const megabytes = (file) => statSync(file).size / 1e6;

/** ms until a server on that file is ready: its process begins, it says so, and /readyz does. */
async function startMs(file) {
  const begin = performance.now();
  const server = await cubed(`sqlite:${file}`);
  const answer = await fetch(`${server.url}/readyz`);
  const ms = performance.now() - begin;
  await server.stop();
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
  return ms;
}

async function medianStartMs(file) {
  const list = [];
  for (let i = 0; i < STARTS; i++) list.push(await startMs(file));
  return median(list);
}

async function million(directory, entries, turns) {
  const file = join(directory, `${entries}.db`);
  const loaded = store('load', file, SESSIONS, entries, turns);
  return { ...loaded, ...store('find', file, SESSIONS), mb: megabytes(file), start: await medianStartMs(file) };
}

async function writing(directory) {
  const list = [];
  let start = 0;
  for (let i = 0; i < WRITES; i++) {
    const file = join(directory, `write-${i}.db`);
    list.push(store('write', file));
    start = Math.max(start, await startMs(file));
  }
  const middle = (key) => median(list.map((figure) => figure[key]));
  const ratio = median(list.map((figure) => figure['write.folding.entries_s'] / figure['write.quiet.entries_s']));
  return { middle, ratio, start };
}

export async function measure(report) {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const whole = await million(directory, 1, MOVES);
  const single = await million(directory, MOVES, 1);
  const write = await writing(directory);

  const name = `${SESSIONS.toLocaleString('en-US')} sessions of ${MOVES} moves`;
  report.section(`store: ${name}`, ['what', `one entry of ${MOVES} moves`, `${MOVES} entries of one move`]);
  const row = (what, key) => report.row(what, whole[key], single[key]);
  row('on the disk when folded, MB', 'mb');
  row('entries loaded a second', 'load.entries_s');
  row('moves a second, folded', 'load.moves_s');
  row('look-up of a cold session, file not in memory, p50 us', 'find.disk.p50');
  row('the same, p99 us', 'find.disk.p99');
  row('look-up of a cold session, file in memory, p50 us', 'find.memory.p50');
  row('the same, p99 us', 'find.memory.p99');
  row('start until /readyz, ms', 'start');

  report.section('store: 64 clients that write', ['what', 'before folding', 'while folding', 'ratio']);
  report.row('entries a second', write.middle('write.quiet.entries_s'), write.middle('write.folding.entries_s'), write.ratio);
  report.row('p99 us', write.middle('write.quiet.p99'), write.middle('write.folding.p99'), '');

  report.section('store: targets', ['what', 'measured', 'target', '']);
  report.atMost(`${name}, one entry each`, whole.mb, (MB_MOST * SESSIONS) / 1e6, ' MB');
  report.atMost('start, one entry each', whole.start, 1000, ' ms');
  report.atMost(`start, ${MOVES} entries each`, single.start, 1000, ' ms');
  report.atMost('start after a kill while folding, the worst', write.start, 1000, ' ms');
}
