// Section solve: what the library's solvers take, on one core.

import { join } from 'node:path';
import { cubed, figures, median, post, program, repository, run } from './lib.mjs';

const STATES = join(repository, 'tests/data/random_states_1000.txt');
const SIZES = [4, 5, 6, 7, 20, 100];
/** Mean turns wanted, by size. */
const TURNS = [[4, 60], [5, 110], [6, 180], [7, 250]];

/** Requests with a goal, each with tables of its own, and how many times longer the first one takes at least. */
const GOALS = [
  ['cross on D', { goal: 'cross', place: 'D' }, 10],
  ['cross on D, 20 solutions', { goal: 'cross', place: 'D', metric: 'qtm', solutions: 20 }, 10],
  ['2x2x2 at DBL', { goal: '2x2x2', place: 'DBL' }, 10],
];
const AGAIN = 20; // requests after the first one
const CROSSES = ['U', 'R', 'F', 'D', 'L', 'B'];

/** Measures requests with a goal, in ms: the first one, which makes its tables, and the median of the later ones. */
async function measureGoals(report) {
  report.section('solve: goals', ['goal', 'first request, ms', 'later ones, ms', 'first / later', 'target', '']);
  const server = await cubed('memory:');
  await server.rest();
  const solve = async (body) => (await post(`${server.url}/v1/solve`, { cube: { moves: 'R U2 F L D2 B U R2 F2 L2' }, ...body })).time_ms;
  for (const [what, body, target] of GOALS) {
    const first = await solve(body);
    const times = [];
    for (let i = 0; i < AGAIN; i++) times.push(await solve(body));
    const later = median(times);
    report.row(what, first, later, first / later, `at least ${target}`, first / later >= target ? 'reached' : '**missed**');
  }
  for (const place of CROSSES) await solve({ goal: 'cross', place, solutions: 20 });
  const times = [];
  for (const place of CROSSES) times.push(await solve({ goal: 'cross', place, solutions: 20 }));
  report.row('the slowest of six crosses, 20 solutions, again', '', Math.max(...times), '', 'at most 5 ms', Math.max(...times) <= 5 ? 'reached' : '**missed**');
  await server.stop();
}

export async function measure(report) {
  await measureGoals(report);
  const own = figures(run(program('solve'), [STATES, 'large']));
  const fewest = figures(run(program('fewest'), [STATES, '20', '1']));

  report.section('solve: two_phase', ['tables', 'MB', 'made in, ms', 'within 21, ms', 'within 20, ms', 'mean length in 10 ms', 'usual answer, mean', 'longest', 'ms']);
  for (const tables of ['small', 'large'])
    report.row(tables, ...['mb', 'make', '21', '20', '10ms', 'usual', 'usual_most', 'usual_ms'].map((figure) => own[`two_phase.${tables}.${figure}`]));

  report.section('solve: fewest', ['tables, MB', 'made in, ms', 'mean length in 0.1 s', 'in 1 s', 'turns of eo', 'dr', 'htr', 'finish']);
  report.row(...['mb', 'make', '0.1', '1', 'eo', 'dr', 'htr', 'finish'].map((figure) => fewest[`fewest.${figure}`]));

  report.section('solve: others', ['what', 'measured']);
  report.row('2x2x2, table, ms', own['optimal2.make']);
  report.row('2x2x2, a shortest solution, us', own['optimal2.solve']);
  report.row('3x3x3, a lesson, ms', own['beginner.ms']);
  report.row('4x4x4, tables, ms', own['reduction.4.make']);
  report.row('larger, tables, ms', own['reduction.5.make']);
  for (const size of [2, 3, 7]) report.row(`scramble of size ${size}, us`, own[`scramble.${size}`]);

  report.section('solve: reduction', ['size', 'turns', 'ms']);
  for (const size of SIZES) report.row(size, own[`reduction.${size}.turns`], own[`reduction.${size}.ms`]);

  report.section('solve: targets', ['what', 'measured', 'target', '']);
  report.atMost('small tables', own['two_phase.small.make'], 300, ' ms');
  report.atMost('within 21, small tables', own['two_phase.small.21'], 0.5, ' ms');
  report.atMost('within 21, large tables', own['two_phase.large.21'], 0.09, ' ms');
  report.atMost('mean length in 10 ms, small tables', own['two_phase.small.10ms'], 19.2);
  report.atMost('usual answer, mean, small tables', own['two_phase.small.usual'], 19.5);
  report.atMost('usual answer, longest, small tables', own['two_phase.small.usual_most'], 20);
  report.atMost('fewest moves, mean length in 1 s', fewest['fewest.1'], 20);
  report.atMost('table of the 2x2x2', own['optimal2.make'], 100, ' ms');
  report.atMost('a solution of the 2x2x2', own['optimal2.solve'], 50, ' us');
  report.atMost('a solution of the 4x4x4', own['reduction.4.ms'], 100, ' ms');
  report.atMost('a solution of the 20x20x20', own['reduction.20.ms'], 1000, ' ms');
  report.atMost('turns of a lesson', own['beginner.turns'], 150);
  for (const [size, turns] of TURNS) report.atMost(`turns of a ${size}x${size}x${size}`, own[`reduction.${size}.turns`], turns);
}
