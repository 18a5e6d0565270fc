// `cubed play` starts the program cubed-play: the one beside it, else the one in PATH, with the same arguments; or it says
// what is missing. Usage: node play.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, temporaryDirectory } from '../api/server.mjs';

const binary = binaryArgument();
const directory = temporaryDirectory();

/** A folder of its own, empty. */
function folder(name) {
  const path = join(directory, name);
  mkdirSync(path);
  return path;
}

/** A program in that folder that prints this name and its arguments, one a line, and exits with 7. */
function program(place, name) {
  const path = join(place, 'cubed-play');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' ${name} "$@"\nexit 7\n`);
  chmodSync(path, 0o755);
}

/** A copy of the server's binary without anything beside it. */
function alone(name) {
  const path = join(folder(name), 'cubed');
  copyFileSync(binary, path);
  return path;
}

function run(path, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', env: { ...process.env, PATH: '/nowhere', ...env } });
  return { status, stdout, stderr };
}

await check('the program is the one beside the server, and knows its usage', () => {
  const { status, stdout, stderr } = run(binary, ['play', '--help']);
  assert.match(stdout, /^usage: cubed play \[--size N\]/);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.deepEqual(run(join(dirname(binary), 'cubed-play'), ['--help']), { status, stdout, stderr });
});

await check('its exit codes and messages are those of the command', () => {
  assert.deepEqual(run(binary, ['play', '--sise', '4']), { status: 2, stdout: '', stderr: 'cubed: play: unknown argument "--sise"; did you mean --size\n' });
  const { status, stderr } = run(binary, ['play']);
  assert.equal(status, 1);
  assert.match(stderr, /^cubed: play needs a terminal/);
});

await check('the one beside the binary comes before the one in PATH, also through a link to the binary', () => {
  const cubed = alone('both');
  const elsewhere = folder('elsewhere');
  program(dirname(cubed), 'beside');
  program(elsewhere, 'elsewhere');
  assert.deepEqual(run(cubed, ['play'], { PATH: elsewhere }), { status: 7, stdout: 'beside\n', stderr: '' });
  const link = join(elsewhere, 'cubed');
  symlinkSync(cubed, link);
  assert.equal(run(link, ['play'], { PATH: elsewhere }).stdout, 'beside\n');
  rmSync(join(dirname(cubed), 'cubed-play'));
  assert.deepEqual(run(cubed, ['play'], { PATH: elsewhere }), { status: 7, stdout: 'elsewhere\n', stderr: '' });
});

await check('all arguments are passed on as they are', () => {
  const cubed = alone('arguments');
  program(dirname(cubed), 'beside');
  for (const args of [['--size', '4'], ['--keys=speed', '', 'a b', "'", '--', '--help'], ['play', 'serve', '--store', 'x']])
    assert.deepEqual(run(cubed, ['play', ...args]), { status: 7, stdout: `${['beside', ...args].join('\n')}\n`, stderr: '' });
});

await check('without the program it says what installs it', () => {
  const cubed = alone('missing');
  for (const PATH of ['/nowhere', '']) {
    const { status, stdout, stderr } = run(cubed, ['play', '--help'], { PATH });
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
    assert.match(stderr, /^cubed: play needs the program cubed-play, which is neither in \/.*\/missing\/ nor in PATH .*package cubed.*make install.*\n$/);
  }
});

await check('a program that cannot be started is named, and no other is started in its place', () => {
  const cubed = alone('broken');
  const elsewhere = folder('instead');
  const beside = join(dirname(cubed), 'cubed-play');
  program(elsewhere, 'elsewhere');
  writeFileSync(beside, '');
  chmodSync(beside, 0o644);
  assert.deepEqual(run(cubed, ['play'], { PATH: elsewhere }), { status: 1, stdout: '', stderr: `cubed: ${beside}: Permission denied\n` });
});

finish();
