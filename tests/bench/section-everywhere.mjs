// Section everywhere: what programs in other languages get of the library, most of it beside a peer in the same language.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bench, figures, median, program, repository, run } from './lib.mjs';

const STATES = join(repository, 'tests/data/random_states_1000.txt');
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MILLION = 1e6;

/** Installs the wheel into a folder of its own, with Debian's Python, and returns the environment that finds it. */
function installWheel() {
  const folder = join(repository, 'build/bench/python');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('sh', ['-c', `/usr/bin/python3 -m pip install --quiet --root-user-action=ignore --no-index --no-deps --target "$1" "$2"/libcube-*.whl`, 'sh', folder, join(repository, 'build')]);
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', OPENBLAS_NUM_THREADS: '1' };
}

// A row for each language: its name, and what prints its figures, in units a second. Another language is another row.
const LANGUAGES = [
  { name: 'C', prepare: () => () => run(program('everywhere'), [STATES]) },
  {
    name: 'Python',
    prepare: () => {
      const env = installWheel();
      return () => run('/usr/bin/python3', [join(bench, 'everywhere.py'), STATES], { env });
    },
  },
  { name: 'WebAssembly', prepare: () => () => run(process.execPath, [join(bench, 'everywhere.mjs'), STATES]) },
];

// The figures that languages have, in units of the scale, and the target of each; some have another.
const FIGURES = [
  { key: 'step', what: 'steps, million a second', scale: MILLION, target: 60 },
  { key: 'step_colors', what: 'steps with 54 colours, million a second', scale: MILLION, target: 15 },
  { key: 'rows', what: 'labelled rows, million a second', scale: MILLION, target: 8, targets: { WebAssembly: 4 } },
  { key: 'solve', what: 'solutions of at most 21 turns, a second', scale: 1, target: 1000 / 0.6 },
];
const PEERS = { portable: 'portable code', numpy: 'NumPy', kociemba: 'kociemba', javascript: 'JavaScript alone', cubing: 'cubing' };

/** A program's figures in each round; the programs run in turn. */
function measureRounds() {
  const programs = LANGUAGES.map(({ prepare }) => prepare());
  const rounds = LANGUAGES.map(() => []);
  for (let round = 0; round < ROUNDS; round++) programs.forEach((measureOnce, i) => rounds[i].push(figures(measureOnce())));
  return rounds;
}

/** The peer of a figure, as a name and the median of the rounds' ratios. */
function peerOf(rounds, key) {
  const found = Object.entries(PEERS).find(([peer]) => rounds[0][`${key}.${peer}`] !== undefined);
  return found ? [found[1], median(rounds.map((round) => round[key] / round[`${key}.${found[0]}`]))] : ['', ''];
}

/** The languages that have a figure, with their rounds. */
const having = (all, key) => LANGUAGES.map(({ name }, i) => ({ name, rounds: all[i] })).filter(({ rounds }) => rounds[0][key] !== undefined);

export async function measure(report) {
  const all = measureRounds();
  report.section('everywhere: one core', ['what', 'language', 'measured', 'peer', 'measured / peer', 'measured / C']);
  for (const { key, what, scale } of FIGURES) {
    for (const { name, rounds } of having(all, key)) {
      const share = median(rounds.map((round, j) => round[key] / all[0][j][key]));
      report.row(what, name, median(rounds.map((round) => round[key])) / scale, ...peerOf(rounds, key), rounds === all[0] ? '' : share);
    }
  }
  report.section('everywhere: targets', ['what', 'measured', 'target', '']);
  for (const { key, what, scale, target, targets } of FIGURES) {
    for (const { name, rounds } of having(all, key)) report.atLeast(`${name}: ${what}`, median(rounds.map((round) => round[key])) / scale, targets?.[name] ?? target);
  }
}
