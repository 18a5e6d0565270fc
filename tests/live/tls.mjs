// tls.mjs: HTTPS, events over it, and a new certificate while connections are open.
//
//     node tests/live/tls.mjs PATH_TO_BINARY
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { check, finish, start } from '../http/support/server.mjs';
import { happens, PATIENCE_MS } from '../support/patience.mjs';
import { Watcher } from './support.mjs';

const STREAMS = 12;
/* Tables of solvers take seconds there, and are not left in the middle of a step. */

const directory = mkdtempSync(join(tmpdir(), 'cubed-tls-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const file = (name) => join(directory, name);

function make(name, days, ...kind) {
  execFileSync('openssl', ['req', '-x509', '-newkey', ...kind, '-nodes', '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`),
    '-days', days, '-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' });
}
make('first', '2', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1');
make('second', '3', 'rsa:2048');

/** Sets the certificate that the server must show from its next look on. */
function show(certificate, key = certificate) {
  copyFileSync(file(`${certificate}.crt`), file('shown.crt'));
  copyFileSync(file(`${key}.key`), file('shown.key'));
}

// Faults are reported at once, and nothing is served.
const run = (...flags) => spawnSync(process.argv[2], ['--listen', '127.0.0.1:0', '--store', 'memory:', ...flags], { encoding: 'utf8', timeout: PATIENCE_MS });
writeFileSync(file('none.crt'), 'nothing\n');
for (const [what, flags] of [
  ['a certificate alone', ['--tls-cert', file('first.crt')]],
  ['no such file', ['--tls-cert', file('first.crt'), '--tls-key', file('absent.key')]],
  ['no certificate', ['--tls-cert', file('none.crt'), '--tls-key', file('first.key')]],
  ['the key of another', ['--tls-cert', file('first.crt'), '--tls-key', file('second.key')]],
]) {
  const { status, stderr } = run(...flags);
  check(`${what} is told`, status !== 0 && status !== null && /^cubed: .+\n$/m.test(stderr), `${status} ${stderr}`);
}

show('first');
const server = await start('--tls-cert', file('shown.crt'), '--tls-key', file('shown.key'), '--ping-interval-ms', '200', '--max-tls-streams', String(STREAMS), '--rate-limit', 'off');
const { port } = server;
const ca = ['first', 'second'].map((name) => readFileSync(file(`${name}.crt`)));
const agent = new https.Agent({ keepAlive: true, ca });
const secure = { request_module: https, ca };

function ask(method, path, json, options = {}) {
  const body = json && JSON.stringify(json);
  return new Promise((answered) => {
    const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {};
    const request = https.request({ host: '127.0.0.1', port, method, path, agent, headers, ...options }, (response) => {
      const parts = [];
      const certificate = response.socket.getPeerCertificate().subject?.CN;
      response.on('data', (bytes) => parts.push(bytes));
      response.on('end', () => answered({ status: response.statusCode, text: Buffer.concat(parts).toString(), certificate }));
    });
    request.on('error', (error) => answered({ status: null, text: error.message }));
    request.end(body);
  });
}

const fresh = (path) => ask('GET', path, undefined, { agent: false, ca });
const handshake = (version, ciphers = 'DEFAULT', at = port) => new Promise((done) => {
  const socket = tls.connect({ host: '127.0.0.1', port: at, ca, minVersion: version, maxVersion: version, ciphers: `${ciphers}@SECLEVEL=0` }, () => {
    done(socket.getProtocol());
    socket.destroy();
  });
  socket.on('error', () => done(null));
});

check('TLS 1.3', (await handshake('TLSv1.3')) === 'TLSv1.3');
check('TLS 1.2', (await handshake('TLSv1.2')) === 'TLSv1.2');
check('no TLS 1.1', (await handshake('TLSv1.1')) === null);
// With a certificate of RSA, which could be used for an exchange of keys without forward secrecy.
show('second');
const rsa = await start('--tls-cert', file('shown.crt'), '--tls-key', file('shown.key'));
for (const [cipher, good] of [
  ['ECDHE-RSA-AES256-GCM-SHA384', true], ['ECDHE-RSA-AES128-GCM-SHA256', true], ['ECDHE-RSA-CHACHA20-POLY1305', true],
  ['AES256-GCM-SHA384', false], ['AES256-SHA', false], ['AES128-SHA256', false], ['ECDHE-RSA-AES256-SHA', false], ['DHE-RSA-AES128-SHA', false],
]) {
  const found = await handshake('TLSv1.2', cipher, rsa.port);
  check(`${cipher} is ${good ? 'taken' : 'refused'}`, good ? found === 'TLSv1.2' : found === null, found);
}
await rsa.stop();
show('first');
const made = await ask('POST', '/v1/sessions', { size: 3, access: 'edit' });
check('a session', made.status === 201 && made.certificate === 'first', `${made.status} ${made.certificate}`);
const path = `/v1/sessions/${JSON.parse(made.text).id}`;
const large = await ask('GET', '/openapi.json');
check('a large answer', large.status === 200 && JSON.parse(large.text).openapi);
const plain = await new Promise((done) => http.get({ host: '127.0.0.1', port, path: '/healthz' }, () => done('answered')).on('error', () => done('refused')));
check('HTTP without TLS is not answered', plain === 'refused');

const health = spawnSync(process.argv[2], ['--health', '--listen', `127.0.0.1:${port}`, '--tls-cert', file('shown.crt'), '--tls-key', file('shown.key')], { encoding: 'utf8' });
check('--health over TLS', health.status === 0 && health.stdout === 'ready\n', health.stderr);

const watchers = Array.from({ length: STREAMS }, (_, i) => new Watcher(path, i % 2 ? '?cube=true' : ''));
for (const watcher of watchers) check('a stream', (await watcher.open(port, secure)) === 200);
check('one stream too many', (await new Watcher(path).open(port, secure)) === 503);
for (let i = 0; i < 300; i++) await ask('POST', `${path}/moves`, { moves: 'R U' });
check('all events over TLS', (await Promise.all(watchers.map((watcher) => watcher.at(300)))).every(Boolean), watchers.map((one) => one.revision).join());
check('once, in order', watchers.every((watcher) => watcher.fault === null && watcher.resyncs === 0));
watchers[0].close();
const paused = watchers[1];
paused.pause();

// Nobody speaks, or not to the end: others do not wait.
const silent = Array.from({ length: 50 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
silent.forEach((socket, i) => i % 2 && socket.write(Buffer.from([22, 3, 1, 2, 0, 1])));
for (let i = 0; i < 20; i++) check('others are served beside silent ones', (await fresh('/healthz')).status === 200);

const expires = async () => Number(/^cubed_tls_certificate_expiry_timestamp_seconds (\d+)$/m.exec((await fresh('/metrics')).text)?.[1]);
const end_of = (name) => Date.parse(new X509Certificate(readFileSync(file(`${name}.crt`))).validTo) / 1000;
check('the certificate expires', (await expires()) === end_of('first'), `${await expires()} ${end_of('first')}`);
show('second');
server.child.kill('SIGHUP');
check('a new certificate for new connections', await happens(async () => (await fresh('/healthz')).certificate === 'second'));
show('second', 'first');
server.child.kill('SIGHUP');
check('which expires at another time', end_of('second') !== end_of('first') && (await expires()) === end_of('second'), `${await expires()} ${end_of('second')}`);
check('one that does not fit is told', await happens(() => /stays as it was/.test(server.errors())), server.errors());
check('and is not taken', (await fresh('/healthz')).certificate === 'second');

for (let i = 0; i < 50; i++) await ask('POST', `${path}/moves`, { moves: 'F' });
paused.resume();
check('streams outlive the certificate', (await Promise.all(watchers.slice(1).map((watcher) => watcher.at(350)))).every(Boolean));
check('a place that was left is free again', await happens(async () => (await watchers[0].open(port, secure)) === 200));
check('and goes on where it was', (await watchers[0].at(350)) && watchers[0].fault === null && watchers[0].entries === 350, watchers[0].fault);
check('pings', await happens(() => watchers.every((watcher) => watcher.pings > 0)));
const end = await server.stop();
check('a clean end with streams', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
check('each has the end of its chunks', (await happens(() => watchers.every(({ ended }) => ended))) && watchers.every(({ response }) => response.complete));
silent.forEach((socket) => socket.destroy());

// A client that leaves is noticed at once, not by a ping.
show('first');
const quiet = await start('--tls-cert', file('shown.crt'), '--tls-key', file('shown.key'), '--max-tls-streams', '2', '--rate-limit', 'off', '--ping-interval-ms', `${5 * PATIENCE_MS}`);
const open = (watcher) => watcher.open(quiet.port, secure);
const table = `/v1/sessions/${JSON.parse((await ask('POST', '/v1/sessions', { size: 3 }, { port: quiet.port })).text).id}`;
const [stays, leaves, late] = ['', '', ''].map(() => new Watcher(table));
check('two who watch', (await open(stays)) === 200 && (await open(leaves)) === 200 && (await open(late)) === 503);
leaves.close();
check('who left does not watch', await happens(async () => /^cubed_watchers 1$/m.test((await ask('GET', '/metrics', undefined, { port: quiet.port })).text)));
check('and his place is free', (await open(late)) === 200);
check('who stays is not cut', !stays.ended);
await quiet.stop();
agent.destroy();
finish();
