// The environments of the container, as the documents and files in docker/ set them: no foreign page and no DNS rebinding
// changes anything in a server that is started with them. Usage: node container.mjs [path of the binary]
//
// The server gets the variables that a container would have. Only its port and the place of its store are the test's own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';

const binary = binaryArgument();
const yaml = createRequire(new URL('../api/', import.meta.url))('yaml');
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const START_MS = 60000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

// ---- what the files say ----

/** The variables that the last stage of the Dockerfile sets. */
function imageEnvironment() {
  const stage = read('docker/Dockerfile').replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n/g, ' ').split(/^FROM /m).at(-1);
  return Object.fromEntries([...stage.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs]) => pairs.trim().split(/\s+/).map((pair) => pair.split('='))));
}

/** The commands of install.md that run the image, each on one line. */
function runLines() {
  return [...read('docs/reference/install.md').replaceAll(/\\\n\s*/g, '').matchAll(/^ {4}(?:docker|podman \$P .*) run .*$/gm)].map(([line]) => line.trim());
}

const flagsOf = (line, flag) => [...line.matchAll(new RegExp(` ${flag} (\\S+)`, 'g'))].map(([, value]) => value);
/** A service of a compose file, with the defaults of its variables. */
const composed = (file, service) => yaml.parse(read(file).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }).services[service];

const lines = runLines();
const environments = [
  ['docker/Dockerfile', {}],
  ['docker/compose.yaml', composed('docker/compose.yaml', 'cubed').environment],
  ['docker/compose-cluster.yaml', composed('docker/compose-cluster.yaml', 'cubed-a').environment],
  ...lines.map((line) => [`install.md: ${line.slice(0, 30)}`, Object.fromEntries(flagsOf(line, '-e').map((pair) => pair.split('=')))]),
];

// ---- a server with them ----

/** Starts the server with these variables and no flags; resolves to its port and its end. */
function start(environment) {
  const host = environment.CUBED_LISTEN.replace(/:\d+$/, '');
  const env = { ...environment, CUBED_LISTEN: `${host}:0`, CUBED_STORE: 'memory:' };
  const child = spawn(binary, [], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(child);
  const exited = new Promise((done) => child.once('exit', done)).then(() => running.delete(child));
  const stop = () => (child.kill('SIGTERM'), exited);
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('the server did not start')), START_MS);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (bytes) => {
      const port = /ready at http:\/\/[^ ]*:(\d+)/.exec(bytes)?.[1];
      if (!port) return;
      clearTimeout(timer);
      done({ port, stop });
    });
  });
}

/** Sends what a browser would send; fetch() would not let the test say who sends it. */
function send(port, method, path, headers = {}, body = undefined) {
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { host: `localhost:${port}`, ...(body && { 'content-type': 'application/json' }), ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

// ---- the attacks ----

/** Returns the headers that a browser adds for each kind of page, and that the page cannot choose. */
const senders = (port) => Object.entries({
  'a page of another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'a page of another site, without Fetch Metadata': { origin: 'http://evil.example' },
  'a form or an image of another site': { 'sec-fetch-site': 'cross-site' },
  'a sandboxed page or a file': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a page on another port of this machine': { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
  'a page whose name was rebound to this address': { host: `evil.example:${port}`, origin: `http://evil.example:${port}`, 'sec-fetch-site': 'same-origin' },
  'a page whose name was rebound, without Origin': { host: `evil.example:${port}`, 'sec-fetch-site': 'same-origin' },
  'a page whose name was rebound, without Fetch Metadata': { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
  'a page at a name that begins like this one': { host: `localhost.evil.example:${port}`, origin: `http://localhost.evil.example:${port}`, 'sec-fetch-site': 'same-origin' },
});

const attacks = (id) => [
  ['POST', '/v1/sessions', '{"size": 3}'],
  ['POST', `/v1/sessions/${id}/moves`, '{"moves": "R"}'],
  ['POST', `/v1/sessions/${id}/scramble`, '{}'],
  ['PATCH', `/v1/sessions/${id}`, '{"name": "taken"}'],
  ['DELETE', `/v1/sessions/${id}`],
  ['POST', `/v1/sessions/${id}/tokens`, '{"role": "editor"}'],
  ['POST', '/v1/solves/import', '{}'],
  ['POST', '/v1/solve', '{"moves": "R U F", "wait_ms": 0}'],
  ['GET', '/v1/solve?moves=R+U+F'],
];

/** Runs all attacks; answers those that were not refused. */
async function attack(port) {
  const { id } = JSON.parse((await send(port, 'POST', '/v1/sessions', {}, '{"size": 3, "access": "edit"}')).text);
  const passed = [];
  for (const [sender, headers] of senders(port)) {
    for (const [method, path, body] of attacks(id)) {
      const { status, headers: answered } = await send(port, method, path, headers, body);
      if (status !== 403 || answered['access-control-allow-origin']) passed.push(`${sender}: ${method} ${path} is ${status}`);
    }
    const { headers: answered } = await send(port, 'GET', `/v1/sessions/${id}`, headers);
    if (answered['access-control-allow-origin']) passed.push(`${sender} reads`);
    const preflight = await send(port, 'OPTIONS', '/v1/sessions', { ...headers, 'access-control-request-method': 'POST' });
    if (preflight.headers['access-control-allow-origin']) passed.push(`${sender} is allowed ahead`);
  }
  const { status, text } = await send(port, 'GET', `/v1/sessions/${id}`);
  if (status !== 200 || JSON.parse(text).revision !== 0 || JSON.parse(text).name) passed.push('the session was changed');
  return passed;
}

await check('the documents have every way to run the image', () => {
  assert.equal(lines.length, 2, lines.join('\n'));
  assert.deepEqual(flagsOf(lines[0], '-p'), ['127.0.0.1:8080:8080']);
  for (const file of ['docker/compose.yaml', 'docker/compose-cluster.yaml'])
    for (const { ports = [] } of Object.values(yaml.parse(read(file), { merge: true }).services)) for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, file);
});

for (const [name, environment] of environments) {
  await check(`${name}: no other page changes anything`, async () => {
    const { port, stop } = await start({ ...imageEnvironment(), ...environment });
    try {
      assert.deepEqual(await attack(port), []);
    } finally {
      await stop();
    }
  });
  await check(`${name}: its own page does`, async () => {
    const { port, stop } = await start({ ...imageEnvironment(), ...environment });
    try {
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
        const { status } = await send(port, 'POST', '/v1/sessions', { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, '{"size": 3}');
        assert.equal(status, 201, host);
      }
    } finally {
      await stop();
    }
  });
}

await check('the attacks succeed on a server that is open to all', async () => {
  const { port, stop } = await start({ ...imageEnvironment(), CUBED_ALLOW_HOST: '', CUBED_ALLOW_ORIGIN: '*' });
  try {
    assert.ok((await attack(port)).length > 50);
  } finally {
    await stop();
  }
});

finish();
