// Runs the programs in the documents: JavaScript and Python, each as a program of its own, against one server. The
// JavaScript is also compiled, as strict TypeScript reads it; mypy reads the Python. (tests/api/guides.mjs runs curl.)
// Usage: node cookbook.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = fileURLToPath(new URL('node_modules/.bin/tsc', import.meta.url));
const DOCUMENTS = ['README.md', 'docs/guide/cookbook.md', 'clients/js/README.md', 'clients/python/README.md'];
const TIME_MS = 600000;

const folder = temporaryDirectory();
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(ROOT, 'clients/js'), join(folder, 'node_modules/cubed-client'));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
const server = await Server.start(binaryArgument(), 'memory:');
const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python'), MYPYPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };

function run(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: folder, env, timeout: TIME_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    child.on('close', (code) => done({ code, output }));
  });
}

async function succeed(command, args) {
  const { code, output } = await run(command, args);
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

/** The programs of a document, written to the folder with the address of the server in them. */
function programsOf(document) {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(js|python)\n([^]*?)^```$/gm)].map((match) => {
    const [, language, program] = match;
    const before = text.slice(0, match.index);
    const heading = [...before.matchAll(/^#+ (.*)$/gm)].at(-1)[1];
    const file = `${document.replace(/\W/g, '_')}_${before.split('\n').length}.${language === 'js' ? 'js' : 'py'}`;
    writeFileSync(join(folder, file), program.replaceAll('http://localhost:8080', server.url));
    return { document, language, heading, file };
  });
}

const programs = DOCUMENTS.flatMap(programsOf);
const filesIn = (wanted) => programs.filter(({ language }) => language === wanted).map(({ file }) => file);

for (const { document, heading, language, file } of programs) {
  await check(`${document}: ${heading}, in ${language}`, async () => {
    const output = await succeed(language === 'js' ? process.execPath : 'python3', [file]);
    assert.notEqual(output, '');
  });
}

await check('a strict compiler finds no error in the JavaScript', async () => {
  const paths = { 'cubed-client': [join(ROOT, 'clients/js/src/index.js')] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { allowJs: true, checkJs: true, strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [], paths },
    files: filesIn('js'),
  }));
  await succeed(TSC, ['-p', '.']);
});

await check('mypy finds none in the Python', () => succeed('mypy', ['--strict', '--enable-incomplete-feature=Unpack', '--scripts-are-modules', ...filesIn('python')]));

await check('each task of the cookbook that asks a server is there with curl, JavaScript and Python', () => {
  // The parts that are put into a page are run by tests/web/element.mjs.
  const tasks = readFileSync(join(ROOT, 'docs/guide/cookbook.md'), 'utf8').split(/^## /m).slice(1).filter((task) => !task.includes('```html\n'));
  assert.ok(tasks.length >= 10);
  for (const task of tasks) for (const kind of ['sh', 'js', 'python']) assert.ok(task.includes(`\`\`\`${kind}\n`), `${task.split('\n')[0]}: ${kind}`);
});

await server.stop();
finish();
