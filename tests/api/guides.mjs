// Runs the examples of README.md and docs/guide/ against a server. Usage: node guides.mjs [path of the binary] [document]
//
// The blocks of a document that are marked as `sh` run one after another in one shell, in an empty folder with the server's
// database: every command must succeed, and every answer must be below 400. A block `sh stream` runs beside the others from where
// it stands; it must print something before the document ends. A block `js` must be a valid module. Blocks with the name of a
// file, such as `c solver.c`, are put into that file, one after the other, before the first command. Other blocks are not run.
// Programs find the library that was built beside the binary, also from Python, the Python client, and cubed-cube as `make wasm` has
// packed it.
// Links between all documents must lead somewhere.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../cluster/haproxy.mjs';
import { Postgres } from '../support/postgres.mjs';
import { check, finish } from './report.mjs';
import { binaryArgument, Server, temporaryDirectory } from './server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CURL = `#!/bin/sh
exec /usr/bin/env PATH="$REAL_PATH" curl --fail-with-body --silent --show-error --max-time 900 "$@"
`;

/** The fenced blocks of a document: [kind, text, line]. */
function blocksOf(text) {
  const fence = /^```([a-z. ]*)\n([^]*?)^```$/gm;
  return [...text.matchAll(fence)].map((match) => [match[1].trim(), match[2], text.slice(0, match.index).split('\n').length + 1]);
}

/** The script of all blocks; a failure names the line of the document on which its command ends. */
function scriptOf(blocks) {
  const lines = ['set -eEo pipefail', 'trap \'echo "line $((LINENO - OFFSET)): $BASH_COMMAND" >&2\' ERR', "trap 'code=$?; kill $(jobs -p) 2>/dev/null || true; exit $code' EXIT"];
  for (const [kind, text, line] of blocks) {
    if (kind === 'sh') lines.push(`OFFSET=${lines.length + 2 - line}`, ...text.trimEnd().split('\n'));
    if (kind === 'sh stream') lines.push(`( ${text.trim()} ) >stream-${line} 2>/dev/null & sleep 0.3`);
  }
  for (const [kind, , line] of blocks) {
    if (kind === 'sh stream') lines.push(`for try in $(seq 1200); do [ ! -s stream-${line} ] || break; sleep 0.1; done; [ -s stream-${line} ]`);
  }
  return `${lines.join('\n')}\n`;
}

/** The files that blocks of the document are: name to text. */
function filesOf(blocks) {
  const files = new Map();
  for (const [kind, text] of blocks) {
    const name = /^\w+ (\w+\.\w+)$/.exec(kind)?.[1];
    if (name) files.set(name, (files.get(name) ?? '') + text);
  }
  return files;
}

function writeFiles(blocks, folder, url) {
  for (const [name, text] of filesOf(blocks)) writeFileSync(join(folder, name), text.replaceAll('http://localhost:8080', url));
}

/** Describes the library that was built beside the binary for pkg-config, in the folder. */
function describeLibrary(binary, folder) {
  writeFileSync(join(folder, 'libcube.pc'), `Name: libcube\nDescription: as it was built\nVersion: 0\nCflags: -I${ROOT}core/include\nLibs: ${join(dirname(binary), 'libcube.a')}\n`);
  return { PKG_CONFIG_PATH: folder, PYTHONPATH: `${join(ROOT, 'clients/python')}:${folder}`, PYTHONDONTWRITEBYTECODE: '1' };
}

/** Puts the Python package with the library that was built beside the binary into the folder, and the Python that has NumPy. */
function linkPackage(binary, folder) {
  const modules = join(ROOT, 'bindings/python/libcube');
  mkdirSync(join(folder, 'libcube'));
  for (const name of readdirSync(modules).filter((file) => file.endsWith('.py'))) symlinkSync(join(modules, name), join(folder, 'libcube', name));
  symlinkSync(join(dirname(binary), 'libcube_native.so'), join(folder, 'libcube/libcube_native.so'));
  if (existsSync('/usr/bin/python3')) symlinkSync('/usr/bin/python3', join(folder, 'python3'));
}

function run(command, options) {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', command], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (bytes) => (output += bytes));
    child.stderr.on('data', (bytes) => (output += bytes));
    child.on('exit', (code) => done({ code, output }));
  });
}

const DATABASE = 'postgresql:host=db-1,db-2 user=cubed dbname=cubed';

/** For a document that starts nodes on 127.0.0.1:8081 and so on: a PostgreSQL server, and ports that are free. */
async function several(blocks) {
  if (!blocks.some(([kind, text]) => kind === 'sh' && text.includes(DATABASE))) return { replace: (script) => script, stop: () => {} };
  const postgres = await Postgres.shared();
  const store = await postgres.store();
  const ports = await Promise.all([8081, 8082, 8083].map(async (port) => [`:${port}`, `:${await freePort()}`]));
  const replace = (script) => ports.reduce((text, [from, to]) => text.replaceAll(from, to), script.replaceAll(DATABASE, store));
  return { replace, stop: () => postgres.stop() };
}

// The same program learns for longer in `make prove`.
const SHORT = 'measure.py 25';
const LONG = 'measure.py 200';

async function runDocument(name, binary) {
  const blocks = blocksOf(readFileSync(join(ROOT, name), 'utf8'));
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/curl'), CURL, { mode: 0o755 });
  symlinkSync(binary, join(folder, 'bin/cubed'));
  linkPackage(binary, join(folder, 'bin'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'build/wasm/package'), join(folder, 'node_modules/cubed-cube'));
  const server = await Server.start(binary, `sqlite:${join(folder, 'cubed.db')}`);
  const nodes = await several(blocks);
  const commands = process.env.CUBED_TEST_LONG ? scriptOf(blocks).replace(SHORT, LONG) : scriptOf(blocks);
  const script = nodes.replace(commands.replaceAll(/(localhost|127\.0\.0\.1):8080/g, `127.0.0.1:${server.port}`));
  const env = { ...process.env, ...describeLibrary(binary, join(folder, 'bin')), REAL_PATH: process.env.PATH, PATH: `${folder}/bin:${process.env.PATH}` };
  writeFiles(blocks, folder, server.url);
  const { code, output } = await run(script, { cwd: folder, env });
  await server.stop();
  await nodes.stop();
  assert.equal(code, 0, output.slice(-2000));
  for (const [kind, text, line] of blocks) {
    if (kind !== 'js') continue;
    writeFileSync(join(folder, `block-${line}.mjs`), text);
    const { status, stderr } = spawnSync(process.execPath, ['--check', join(folder, `block-${line}.mjs`)], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  return blocks.filter(([kind]) => kind.startsWith('sh')).length;
}

const chosen = process.argv.slice(2).filter((argument) => argument.endsWith('.md'));
const guides = readdirSync(join(ROOT, 'docs/guide')).filter((file) => file.endsWith('.md'));
const binary = binaryArgument();
for (const name of chosen.length > 0 ? chosen : ['README.md', ...guides.map((file) => `docs/guide/${file}`)]) {
  await check(name, async () => assert.ok((await runDocument(name, binary)) > 0, 'no example is marked as sh'));
}

await check('the solvers in the guide have as many lines as it says', () => {
  const text = readFileSync(join(ROOT, 'docs/guide/write-a-solver.md'), 'utf8');
  const said = [...text.matchAll(/one of (\d+) lines in/g)].map(([, lines]) => Number(lines));
  assert.deepEqual([...filesOf(blocksOf(text)).values()].map((program) => program.trimEnd().split('\n').length), said);
});

await check('a command that fails is noticed, with its line', async () => {
  const failing = scriptOf(blocksOf('# A\n\n```sh\ntrue\nfalse\n```\n'));
  const { code, output } = await run(failing, {});
  assert.notEqual(code, 0);
  assert.match(output, /line 5: false/);
});

/** As a heading is called in a link to it. */
const anchor = (heading) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-');

const anchorsOf = (path) => [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));

/** Links of the document that lead nowhere; code has none. */
function brokenLinks(path) {
  const links = [...readFileSync(path, 'utf8').replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link).filter((link) => !/^[a-z]+:/.test(link));
  return links.filter((link) => {
    const [file, heading] = link.split('#');
    const target = file ? join(dirname(path), file) : path;
    return !existsSync(target) || (heading && target.endsWith('.md') && !anchorsOf(target).includes(heading));
  });
}

const inFolder = (folder) => readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.md')).map((file) => join(ROOT, folder, file));
const documents = ['.', 'tests', 'docs', 'docs/guide', 'docs/reference', 'docs/internals', 'clients/js', 'clients/python', 'bindings/python', 'bindings/js', ...readdirSync(join(ROOT, 'server/modules')).map((name) => `server/modules/${name}`).filter((path) => existsSync(join(ROOT, path, 'README.md')))].flatMap(inFolder);

await check('every link between documents leads somewhere', () => {
  for (const path of documents) assert.deepEqual(brokenLinks(path), [], path);
});

/** The numbers of the lines that are longer than 100 columns. Tables and code may be longer in documents for contributors. */
function longLines(path) {
  const prose = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGES.md', 'tests/README.md'].includes(relative(ROOT, path)) || /^(docs\/internals|server\/modules)\//.test(relative(ROOT, path));
  let fenced = false;
  return readFileSync(path, 'utf8').split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) fenced = !fenced;
    const free = prose && (fenced || /^(\||    )/.test(line));
    return [...line].length > 100 && !free ? [index + 1] : [];
  });
}

await check('documents have lines of at most 100 columns', () => {
  const long = documents.flatMap((path) => longLines(path).map((line) => `${relative(ROOT, path)}:${line}`));
  assert.deepEqual(long, []);
});

/** Returns the faults of the releases in CHANGES.md; the newest one may still be unreleased and longer. */
function releaseFaults(text) {
  const [newest, ...cut] = text.split(/^## /m).slice(1);
  return [
    ...(/^\d+\.\d+\.\d+, (unreleased|\d{4}-\d\d-\d\d \([0-9a-f]{8}\))\n/.test(newest) ? [] : ['the newest release has no number']),
    ...cut.flatMap((release) => {
      const [heading, ...lines] = release.trimEnd().split('\n');
      return [
        ...(/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d \([0-9a-f]{8}\)$/.test(heading) ? [] : [`${heading}: no date and commit, as in "0.5.0, 2026-11-27 (6c844a8c)"`]),
        ...(lines.length < 60 ? [] : [`${heading}: ${lines.length + 1} lines, more than 60`]),
        ...lines.filter((line) => /^ +\S/.test(line)).map((line) => `${heading}: a change has more than one line: ${line}`),
      ];
    }),
  ];
}

await check('releases have a date, a commit, and one line for each change', () => {
  assert.deepEqual(releaseFaults(readFileSync(join(ROOT, 'CHANGES.md'), 'utf8')), []);
  const faults = releaseFaults('# Changes\n\n## Next\n\n## 0.2.0, unreleased\n\n- One\n  change.\n');
  assert.equal(faults.length, 3, faults.join());
  for (const [i, part] of ['has no number', 'no date and commit', 'more than one line'].entries()) assert.ok(faults[i].includes(part), faults[i]);
});

/** The lines that need a blank line above: a heading, and what follows a table, which would become a row of it. */
function gluedLines(text) {
  let fenced = false;
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const above = lines[index - 1] ?? '';
    const glued = /^#+ /.test(line) ? above !== '' : /^ {0,3}\|/.test(above) && !/^ {0,3}\||^\s*$/.test(line);
    return !fenced && glued ? [index + 1] : [];
  });
}

await check('there is a blank line between a table and a paragraph, and above a heading', () => {
  const glued = documents.flatMap((path) => gluedLines(readFileSync(path, 'utf8')).map((line) => `${relative(ROOT, path)}:${line}`));
  assert.deepEqual(glued, []);
  assert.deepEqual(gluedLines('# A\n\n| b |\n|---|\n| c |\nd\n## E\n\n```sh\n| f |\n# g\n```\n\n## H\n'), [6, 7]);
});

/** The code spans of a document, in their words. */
const codeWords = (path) =>
  [...readFileSync(path, 'utf8').replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code.split(/[\s(),=]+/));

const named = documents.filter((path) => !path.includes('/tests/'));

await check('the files that documents name exist', () => {
  const isPath = /^(core|server|tests|tools|web|docs|packaging|schema|docker)\/[\w./-]+$/;
  for (const path of named) {
    const missing = codeWords(path).filter((word) => isPath.test(word) && !word.includes('NNN') && !existsSync(join(ROOT, word)));
    assert.deepEqual(missing, [], path);
  }
});

await check('the flags and metrics that documents name exist', async () => {
  const commands = [[], ['apply'], ['solve'], ['scramble'], ['convert'], ['draw']];
  const help = commands.map((command) => spawnSync(binary, [...command, '--help'], { encoding: 'utf8' }).stdout).join('');
  const flags = new Set([...help.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag));
  for (const foreign of ['--json', '--oauth2-bearer', '--build', '--build-arg', '--unix-socket', '--args', '--code', '--cflags', '--libs', '--enable-incomplete-feature', '--data-checksums']) flags.add(foreign);
  const server = await Server.start(binary, `sqlite:${temporaryDirectory()}/cubed.db`);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  await server.stop();
  const of_others = ['cubed_tls_certificate_expiry_timestamp_seconds']; // of a server with TLS: live/tls.mjs
  for (const path of named) {
    const words = codeWords(path);
    assert.deepEqual(words.filter((word) => /^--[a-z]/.test(word) && !flags.has(word)), [], path);
    assert.deepEqual(words.map((word) => /^(cubed|process)_[a-z_]+/.exec(word)?.[0]).filter((name) => name && !metrics.includes(name) && !of_others.includes(name)), [], path);
  }
});

finish();
