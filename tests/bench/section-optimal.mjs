// Section optimal: shortest solutions of the 3x3x3, two threads on each. It takes some minutes, and runs only if it is
// asked for.

import { join } from 'node:path';
import { figures, program, repository, run } from './lib.mjs';

const STATES = join(repository, 'tests/data/random_states_1000.txt');
const COUNT = 20;

export async function measure(report) {
  const lines = run(program('optimal'), [STATES, String(COUNT), 'large']).trim().split('\n');
  const own = figures(lines.filter((line) => !line.startsWith('#')).join('\n'));
  const of = (figure) => own[`optimal3.large.${figure}`];

  report.section('optimal: 3x3x3, two threads', ['what', 'measured']);
  report.row('states, every fiftieth of a thousand', COUNT);
  report.row('turns, mean', of('moves'));
  report.row('s of the clock a state, median', of('median'));
  report.row('children a second, millions', of('rate'));

  report.section('optimal: targets', ['what', 'measured', 'target', '']);
  report.atMost('s of the clock a state, mean', of('s'), 9, ' s');
  report.atMost('tables', of('mb'), 1000, ' MB');
  report.atMost('tables made in, s of the clock', of('make'), 600, ' s');
}
