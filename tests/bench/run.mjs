// `make bench`: one run, one table. Usage: node run.mjs [core] [models] [solve] [server] [store] [live] [fair] [page] [everywhere] [optimal] [cluster]
//
// Sections run one after the other; within each, what is compared runs in turn (A B A B), and medians count. Prints the
// table, writes it to build/bench.md, and ends with 1 only if something could not be measured.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine, repository, run } from './lib.mjs';
import { Report } from './report.mjs';

const SECTIONS = ['core', 'models', 'solve', 'server', 'store', 'live', 'fair', 'page', 'everywhere', 'optimal', 'cluster'];
const ONLY_ASKED = ['optimal', 'cluster'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !SECTIONS.includes(name));
if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}; there are ${SECTIONS.join(', ')}`);

const report = new Report();
const begin = Date.now();
mkdirSync(join(repository, 'build/bench'), { recursive: true });
report.text(`Measured on ${machine()}, commit ${run('git', ['-C', repository, 'rev-parse', '--short', 'HEAD']).trim()}.`);
for (const name of SECTIONS) {
  if (asked.length > 0 ? !asked.includes(name) : ONLY_ASKED.includes(name)) continue;
  const { measure } = await import(`./section-${name}.mjs`);
  await measure(report);
}
report.text(`It took ${Math.round((Date.now() - begin) / 1000)} s.`);
writeFileSync(join(repository, 'build/bench.md'), report.markdown());
process.stdout.write(`\n${report.markdown()}`);
