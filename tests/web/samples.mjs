// The programs that the documents show beside each call (web/page/docs/samples.js): all are JavaScript and Python that can be
// read; those that need nothing stored are run, and get what the same call in curl gets.
// Usage: node samples.mjs [path of the binary]

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { callOf, namesOf, requestOf } from '../../web/page/docs/request.js';
import { curlOf, javascriptOf, pythonOf } from '../../web/page/docs/samples.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const server = await Server.start(binaryArgument(), 'memory:');
const api = await (await fetch(`${server.url}/openapi.json`)).json();
const calls = Object.entries(api.paths).flatMap(([path, item]) => METHODS.filter((method) => item[method]).map((method) => callOf(api, path, method)));

const folder = temporaryDirectory();
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(ROOT, 'clients/js'), join(folder, 'node_modules/cubed-client'));

const requests = calls.flatMap((call) => {
  const names = namesOf(call);
  return (names.length > 0 ? names : [{ name: undefined, refused: false }]).map(({ name, refused }) => ({ call, name, refused, request: requestOf(call, name) }));
});

await check('there is a request for each example, and its path is complete', () => {
  assert.ok(requests.length > 150, `${requests.length}`);
  for (const { call, name, request } of requests) assert.doesNotMatch(curlOf(request, server.url).match(/'http:[^\n]*$/)[0].split('?')[0], /[{}]/, `${call.id} ${name}`);
});

await check('all programs in Python can be read', () => {
  const texts = requests.map(({ call, name, request }) => [`${call.id} ${name}`, pythonOf(request, server.url)]);
  const program = 'import ast, json, sys\nfor name, text in json.load(sys.stdin):\n    try:\n        ast.parse(text)\n    except SyntaxError as error:\n        print(name, error, text)';
  assert.equal(execFileSync('python3', ['-c', program], { input: JSON.stringify(texts), encoding: 'utf8' }), '');
});

await check('all programs in JavaScript can be read', () => {
  const program = requests.map(({ request }, i) => `async function f${i}() {\n${javascriptOf(request, server.url).replace(/^import .*$/m, '')}\n}`).join('\n');
  writeFileSync(join(folder, 'all.mjs'), program);
  const { status, stderr } = spawnSync(process.execPath, ['--check', join(folder, 'all.mjs')], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

/** Returns the output of a program, read as JSON. */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 600000, cwd: folder, env: { ...process.env, PYTHONPATH: join(ROOT, 'clients/python'), TOKEN: '' } });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Removes what changes from one answer to the next. */
const lasting = (value) => JSON.parse(JSON.stringify(value, (name, one) => (/^(elapsed_ms|time_ms|nodes|uptime.*|id|token|created|updated|time)$/.test(name) ? undefined : one)));

/** The clients return what is inside of some answers. */
const inner = (value) => (value?.items ?? value?.matches ?? value?.limits ?? value);

const seen = new Set();
const runnable = requests.filter(({ call, refused, request }) => {
  const text = JSON.stringify([request.query, request.body ?? '', request.raw ?? '']);
  const alone = !refused && !/[{]/.test(call.path) && !request.token && !/"session|never|later/.test(text) && request.accept === 'application/json' && !['createTicket', 'getHealth', 'createSession', 'listSessions', 'searchSessions', 'getOpenapiJson', 'listFormats'].includes(call.id);
  if (!alone || seen.has(call.id)) return false;
  seen.add(call.id);
  return true;
});

await check('there are calls to run', () => assert.ok(runnable.length > 18, runnable.map(({ call }) => call.id).join()));
for (const { call, name, request } of runnable) {
  await check(`${call.id} ${name ?? ''} answers the same in curl, JavaScript and Python`, () => {
    const curl = lasting(inner(JSON.parse(run('bash', ['-c', curlOf(request, server.url).replace('curl', 'curl -sS --fail-with-body')]))));
    writeFileSync(join(folder, 'one.mjs'), javascriptOf(request, server.url).replace(/console\.log\((.*)\);$/m, 'console.log(JSON.stringify($1));'));
    writeFileSync(join(folder, 'one.py'), `import json\n${pythonOf(request, server.url).replace(/^( *)print\(answer\)$/m, '$1print(json.dumps(answer))')}\n`);
    const javascript = lasting(inner(JSON.parse(run(process.execPath, [join(folder, 'one.mjs')]))));
    assert.deepEqual(javascript, curl, 'JavaScript');
    const python = run('python3', [join(folder, 'one.py')]);
    if (call.id === 'getReadiness') assert.equal(python, 'true\n');
    else assert.deepEqual(lasting(inner(JSON.parse(python))), curl, 'Python');
  });
}

await server.stop();
finish();
