// Section live: many who watch one session, and what they cost.

import { join } from 'node:path';
import { calm, cubed, figures, median, program, run, temporaryDirectory } from './lib.mjs';
import { digits } from './report.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WATCHERS = Number(process.env.WATCHERS ?? 10000);
const EVENTS = 20;
const SECONDS = 2;

let databases = 0;

async function round(directory) {
  const plain = figures(run(program('plain_sends'), [WATCHERS, EVENTS].map(String)));
  const server = await cubed(`sqlite:${join(directory, `live-${databases++}.db`)}`);
  try {
    return { ...plain, ...figures(run(program('fanout'), [new URL(server.url).port, server.child.pid, WATCHERS, EVENTS, SECONDS].map(String))) };
  } finally {
    await server.stop();
  }
}

export async function measure(report) {
  const directory = temporaryDirectory();
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await calm(() => round(directory)));
  const middle = (name) => median(rounds.map((round) => round[name]));
  report.section('live: one session, many who watch it', ['what', 'measured', 'target', '']);
  report.atMost(`an event to ${WATCHERS} watchers, the last of them`, middle('last_ms'), 80, ' ms');
  report.row(`as many bytes to ${WATCHERS} connections by a program that does nothing else`, `${digits(middle('plain_ms'))} ms`, '', '');
  report.atMost('memory of an idle watcher', middle('idle_kb'), 4.5, ' KB');
  report.atLeast(`durable POSTs beside ${WATCHERS} idle watchers / beside none`, middle('writes_ratio'), 0.8);
}
