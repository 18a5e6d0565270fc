// The packages as users install them: the types of the JavaScript client in a strict program, the wheel in a folder of its
// own, and mypy's opinion of the Python client. Usage: node package.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(HERE, 'node_modules/.bin/tsc');
const VERSION = /CUBE_VERSION "(.*)"/.exec(readFileSync(join(ROOT, 'core/include/cube/version.h'), 'utf8'))[1];

const folder = temporaryDirectory();
const server = await Server.start(binaryArgument(), 'memory:');

/** Runs a program that must succeed; answers what it prints. */
function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600000, ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

await check('both clients are packed, with the version of the project', () => {
  run(join(ROOT, 'tools/pack-clients'), [folder]);
  assert.deepEqual(readdirSync(folder).sort(), [`cubed-client-${VERSION}.tgz`, `cubed_client-${VERSION}-py3-none-any.whl`]);
});

await check('the npm package has its types, its licence, and no dependency', () => {
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', `./cubed-client-${VERSION}.tgz`]);
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['cubed-client']);
  const inside = join(folder, 'node_modules/cubed-client');
  assert.deepEqual(readdirSync(inside).sort(), ['LICENSE', 'README.md', 'cjs', 'package.json', 'src', 'types']);
  for (const file of readdirSync(join(inside, 'src'))) assert.ok(readdirSync(join(inside, 'types')).includes(file.replace('.js', '.d.ts')), file);
  assert.equal(JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8')).version, VERSION);
});

await check('a strict TypeScript program compiles with it, and runs', () => {
  copyFileSync(join(HERE, 'support/program.ts'), join(folder, 'program.ts'));
  writeFileSync(join(folder, 'url.ts'), `export const URL_OF_SERVER = '${server.url}';\n`);
  run(TSC, ['--strict', 'program.ts']);
  const lines = run(process.execPath, ['program.js']).trim().split('\n');
  assert.deepEqual(lines, [
    "solution U' R' U", 'possible true 0', 'entries 1 owner true', 'state 3', 'shown true 1', 'saved true true',
    'problem bad-notation 422 /moves', 'refused 400',
  ].map((line, i) => (i === 0 ? lines[0] : line)));
  assert.match(lines[0], /^solution U' R' [URFDLB]$/);
});

await check('with the module resolution of bundlers and of Node as well', () => {
  for (const switches of [['--module', 'nodenext'], ['--module', 'esnext', '--moduleResolution', 'bundler']]) {
    run(TSC, ['--strict', '--noEmit', '--target', 'es2022', ...switches, 'program.ts']);
  }
});

await check('the wheel is installed and used', () => {
  const target = join(folder, 'python');
  mkdirSync(target);
  run('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', target, `cubed_client-${VERSION}-py3-none-any.whl`]);
  assert.ok(readdirSync(join(target, 'cubed_client')).includes('py.typed'));
  const program = `from cubed_client import Cubed\nprint(Cubed("${server.url}").apply(moves="R R'")["cube"]["solved"])`;
  assert.equal(run('python3', ['-c', program], { env: { ...process.env, PYTHONPATH: target } }), 'True\n');
});

/** The arguments to start mypy with: options by a TypedDict are an incomplete feature of version 1.0. */
const mypy = (...args) => ['mypy', ['--strict', '--enable-incomplete-feature=Unpack', '--cache-dir', join(folder, 'mypy'), ...args], {
  cwd: folder, encoding: 'utf8', env: { ...process.env, MYPYPATH: join(ROOT, 'clients/python') },
}];

await check('the types of the Python client are strict, for Python 3.10 as well', () => {
  run(...mypy(join(HERE, 'python'), join(ROOT, 'clients/python/cubed_client')));
  run(...mypy('--python-version', '3.10', join(ROOT, 'clients/python/cubed_client')));
});

await check('each misspelt option of a Python program is an error of the type checker', () => {
  const program = join(HERE, 'support/misspelt.py');
  const { stdout } = spawnSync(...mypy(program));
  const wrong = readFileSync(program, 'utf8').split('\n').flatMap((line, i) => (line.endsWith('# wrong') ? [i + 1] : []));
  const found = [...stdout.matchAll(/^.*misspelt\.py:(\d+): error/gm)].map(([, line]) => Number(line));
  assert.ok(wrong.length > 5);
  assert.deepEqual([...new Set(found)], wrong, stdout);
});

await server.stop();
finish();
