// The clients as users get them: packed, and unpacked again.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../../support/patience.mjs';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The folder of the programs in tests/clients/node_modules. */
export const PROGRAMS = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));

/** Runs a program that must succeed; answers what it prints. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: PATIENCE_MS, ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** Puts the packed npm package into node_modules of a folder, without npm. */
export function unpack(folder) {
  run(join(ROOT, 'tools/pack-clients'), [folder]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const target = join(folder, 'node_modules/cubed-client');
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
  return target;
}
