// Section models: a 3x3x3 as cubies, as one number, as features, as poses; and composing states.

import { figures, median, program, run } from './lib.mjs';

const ROUNDS = 5;
const CODES = { avx512: 'AVX-512', avx2: 'AVX2', portable: 'portable' };

// Cycles of one composition in a dependent chain by the fastest public library known, vcube: 1.13 ns at 3.5 GHz.
const PEER_CHAIN_CYCLES = 4;
// ns for one row: 200,000 states a second.
const FEATURES_NS = 5000;

const ROWS = [
  ['rank, unrank: 8 pieces', ['rank.8', 'unrank.8']],
  ['rank, unrank: 12 pieces', ['rank.12', 'unrank.12']],
  ['cubies to one number, and back', ['index', 'cubies.index']],
  ['cube to cubies, cubies to colours, cubies to cube', ['cubies.of', 'cubies.paint', 'cubies.cube']],
  ["Reid's string: print, read", ['reid.print', 'reid.parse']],
  ['features: uint8, float32', ['features.uint8', 'features.float32']],
  ['poses, compact poses, compact poses read', ['poses.3', 'poses_compact.3', 'poses_compact_read.3']],
  ['flatten', ['flatten.3']],
];

/** The median of each figure over some runs of a program. */
function medians(name) {
  const runs = Array.from({ length: ROUNDS }, () => figures(run(program(name), [])));
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, median(runs.map((figure) => figure[key]))]));
}

export async function measure(report) {
  const own = { ...medians('state'), ...medians('forms') };

  report.section('models: ns a composition of two 3x3x3 states', ['code', 'dependent chain', '256 pairs, memory to memory', 'one call', 'inverse']);
  for (const [code, name] of Object.entries(CODES)) {
    if (own[`compose.${code}.chain`] === undefined) continue;
    report.row(name, ...['chain', 'streams', 'single', 'invert'].map((what) => own[`compose.${code}.${what}`]));
  }

  report.section('models: ns a 3x3x3', ['what', 'ns', '', '']);
  for (const [what, keys] of ROWS) report.row(what, ...keys.map((key) => own[key]), ...Array(3 - keys.length).fill(''));

  report.text(`A cycle of the clock took ${own.cycle} ns in this run.`);
  report.section('models: targets', ['what', 'measured', 'target', '']);
  const chains = Object.keys(CODES).map((code) => own[`compose.${code}.chain`]).filter((ns) => ns !== undefined);
  report.atMost('a composition in a dependent chain, the best code this machine has', Math.min(...chains) / own.cycle, PEER_CHAIN_CYCLES, ' cycles');
  report.atMost('features of one state, uint8', own['features.uint8'], FEATURES_NS, ' ns');
  report.atMost('features of one state, float32', own['features.float32'], FEATURES_NS, ' ns');
}
