// Counting: every script here checks many things, names those that fail and ends with "N passed, N failed".

import { isLeftOut } from '../support/modules.mjs';

let passed = 0;
let failed = 0;
let current = 'before the first check';
const durations = [];

// A run that hangs is ended by tools/run-tests.
process.once('SIGTERM', () => {
  failed++;
  console.log(`FAIL ${current}\n     ended by SIGTERM`);
  finish();
});

/** Runs one check. A failure is printed and counted; the checks after it still run. A check that needs a module which the
 * server is without is printed and not counted. */
export async function check(name, run) {
  current = name;
  const start = performance.now();
  try {
    await run();
    passed++;
    return true;
  } catch (error) {
    if (isLeftOut(error.message)) {
      console.log(`left out: ${name}`);
      return true;
    }
    failed++;
    const lines = String(error.code === 'ERR_ASSERTION' || error.expected ? error.message : error.stack).split('\n');
    console.log(`FAIL ${name}\n${lines.map((line) => `     ${line}`).join('\n')}`);
    return false;
  } finally {
    durations.push([performance.now() - start, name]);
  }
}

/** Counts `count` checks that were made elsewhere and found right. */
export function count(amount) {
  passed += amount;
}

/** Returns the five checks that took longest, of those that took more than two seconds. */
function slowest() {
  return durations.sort(([a], [b]) => b - a).slice(0, 5).filter(([ms]) => ms > 2000).map(([ms, name]) => `${(ms / 1000).toFixed(1)} s: ${name}`);
}

/** Prints the slowest checks and the closing line, and ends the process. A run without a single check is a failure. */
export function finish() {
  console.log([...slowest(), `${passed} passed, ${failed} failed`].join('\n'));
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
