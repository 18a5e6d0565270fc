// Section live: many who watch one session, and what they cost.

import { join } from 'node:path';
import { cubed, figures, median, program, run, temporaryDirectory } from './lib.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WATCHERS = Number(process.env.WATCHERS ?? 10000);
const EVENTS = 20;
const SECONDS = 2;

export async function measure(report) {
  const directory = temporaryDirectory();
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const server = await cubed(`sqlite:${join(directory, `live-${i}.db`)}`);
    try {
      rounds.push(figures(run(program('fanout'), [new URL(server.url).port, server.child.pid, WATCHERS, EVENTS, SECONDS].map(String))));
    } finally {
      await server.stop();
    }
  }
  const middle = (name) => median(rounds.map((round) => round[name]));
  report.section('live: one session, many who watch it', ['what', 'measured', 'target', '']);
  report.atMost(`an event to ${WATCHERS} watchers, the last of them`, middle('last_ms'), 80, ' ms');
  report.atMost('memory of an idle watcher', middle('idle_kb'), 4.5, ' KB');
  report.atLeast(`durable POSTs beside ${WATCHERS} idle watchers / beside none`, middle('writes_ratio'), 0.8);
}
