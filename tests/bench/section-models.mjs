// Section models: a 3x3x3 as cubies, as one number, as features, as poses; composing states; and matching patterns.

import { figures, program, run } from './lib.mjs';

const CODES = { avx512: 'AVX-512', avx2: 'AVX2', portable: 'portable' };

// Cycles of one composition in a dependent chain by the fastest public library known, vcube: 1.13 ns at 3.5 GHz.
const PEER_CHAIN_CYCLES = 4;
// ns for one row: 200,000 states a second.
const FEATURES_NS = 5000;
// ns for a state in all 24 ways, with generics: less than reading it costs.
const PATTERN_NS = 60;

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

const PATTERNS = [
  ['colours', ['fixed.2', 'fixed.3']],
  ['generics', ['generics.2', 'generics.3', 'generics.4', 'generics.5']],
  ['a cross', ['', 'cross.3']],
  ['solved, and it is: colours', ['', 'fixed.solved.3']],
  ['solved, and it is: six generics', ['', 'generics.solved.3']],
  ['generics, without AVX2', ['', 'generics.portable.3']],
  ['what is matched: the colours of a state', ['colors.2', 'colors.3', 'colors.4', 'colors.5']],
];

export async function measure(report) {
  const own = Object.assign({}, ...['state', 'forms', 'pattern'].map((name) => figures(run(program(name), []))));

  report.section('models: ns a composition of two 3x3x3 states', ['code', 'dependent chain', '256 pairs, memory to memory', 'one call', 'inverse']);
  for (const [code, name] of Object.entries(CODES)) {
    if (own[`compose.${code}.chain`] === undefined) continue;
    report.row(name, ...['chain', 'streams', 'single', 'invert'].map((what) => own[`compose.${code}.${what}`]));
  }

  report.section('models: ns a 3x3x3', ['what', 'ns', '', '']);
  for (const [what, keys] of ROWS) report.row(what, ...keys.map((key) => own[key]), ...Array(3 - keys.length).fill(''));

  report.section('models: ns a state against a pattern, in all 24 ways', ['pattern', '2x2x2', '3x3x3', '4x4x4', '5x5x5']);
  for (const [what, keys] of PATTERNS) report.row(what, ...[0, 1, 2, 3].map((i) => own[`pattern.${keys[i]}`] ?? ''));

  report.text(`A cycle of the clock took ${own.cycle} ns in this run.`);
  report.section('models: targets', ['what', 'measured', 'target', '']);
  const chains = Object.keys(CODES).map((code) => own[`compose.${code}.chain`]).filter((ns) => ns !== undefined);
  report.atMost('a composition in a dependent chain, the best code this machine has', Math.min(...chains) / own.cycle, PEER_CHAIN_CYCLES, ' cycles');
  report.atMost('a random state against a pattern with generics', own['pattern.generics.3'], PATTERN_NS, ' ns');
  report.atMost('a state against six generics that all fit', own['pattern.generics.solved.3'], PATTERN_NS, ' ns');
  report.atMost('features of one state, uint8', own['features.uint8'], FEATURES_NS, ' ns');
  report.atMost('features of one state, float32', own['features.float32'], FEATURES_NS, ' ns');
}
