// Section core: turns, notation and algorithms, beside cubing.js.

import { join } from 'node:path';
import { bench, figures, program, repository, run } from './lib.mjs';
import { makeTexts } from './texts.mjs';

const SIZES = [3, 5, 7, 20, 50, 100];
const KINDS = ['inner', 'outer', 'half', 'wide', 'rotation'];
const US = 1000;

// ns that a turn may take: twice those of the best prototype with one plain byte a sticker, which moves
// colours only. Ours are two bytes a sticker, each with its identity. For n = 100 a bound of its own.
const MOST_NS = {
  inner: { 3: 2 * 34, 5: 2 * 26, 7: 2 * 29, 20: 2 * 36, 50: 2 * 56, 100: 300 },
  outer: { 3: 2 * 43, 5: 2 * 36, 7: 2 * 33, 20: 2 * 84, 50: 2 * 226, 100: 2000 },
};

const TEXTS = { 3: '1,000 moves, n = 3', 7: '1,000 moves, n = 7', brackets: 'brackets, n = 3' };

export async function measure(report) {
  const directory = join(repository, 'build/bench/texts');
  makeTexts(directory);
  const own = figures(run(program('core'), [directory]));
  const cubing = figures(run('node', [join(bench, 'cubing.mjs'), directory]));

  report.section('core: ns a turn', ['n', ...KINDS, 'cubing.js, outer', 'cubing.js / cubed, outer']);
  for (const size of SIZES) {
    const ns = KINDS.map((kind) => own[`turn.${size}.${kind}`]);
    const peer = cubing[`turn.${size}.outer`];
    report.row(size, ...ns, peer ?? '', peer ? peer / own[`turn.${size}.outer`] : '');
  }

  report.section('core: targets', ['what', 'measured', 'target', '']);
  for (const [kind, most] of Object.entries(MOST_NS))
    for (const size of SIZES) report.atMost(`${kind} turn, n = ${size}`, own[`turn.${size}.${kind}`], most[size], ' ns');

  report.section('core: batches of 4,096 states', ['what', 'ns a state', 'million a second']);
  const batch = figures(run(program('batch')));
  for (const [name, ns] of Object.entries(batch)) report.row(name.replace('batch.', ''), ns, US / ns);
  report.atMost('a step', batch['batch.step'], US / 60, ' ns');
  report.atMost('a step and its 54 colours', batch['batch.step_colors'], US / 15, ' ns');

  report.section('core: text', ['what', 'cubed', 'cubing.js', 'ratio']);
  for (const [text, name] of Object.entries(TEXTS)) {
    const parse = [own[`parse.${text}`], cubing[`parse.${text}`]];
    report.row(`read, MB/s: ${name}`, ...parse, parse[0] / parse[1]);
    for (const [key, what] of [['apply', 'apply'], ['both', 'read and apply']]) {
      const us = [own[`${key}.${text}`] / US, cubing[`${key}.${text}`] / US];
      report.row(`${what}, us: ${name}`, ...us, us[1] / us[0]);
    }
  }
}
