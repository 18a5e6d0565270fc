// local.mjs: the server on a Unix socket: its file, who is counted as whom, deadlines and streams.
//
//     node tests/http/local.mjs PATH_TO_BINARY
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { happens, PATIENCE_MS } from '../support/patience.mjs';
import { check, connect, exchange, finish, GOOD, HOST, sleep, start, statuses } from './support/server.mjs';

const binary = resolve(process.argv[2] ?? 'build/cubed');
const directory = mkdtempSync(join(tmpdir(), 'cubed-local-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const file = (name) => join(directory, name);
const path = file('cubed.sock');
const run = (listen, ...flags) => spawnSync(binary, ['--store', 'memory:', '--listen', listen, ...flags], { encoding: 'utf8', timeout: PATIENCE_MS });
const curl = (...options) => spawnSync('curl', ['-s', '-m', '120', '--unix-socket', path, ...options], { encoding: 'utf8' }).stdout;
const ready = (listen) => spawnSync(binary, ['--health', '--listen', listen], { encoding: 'utf8' });

// The file.
for (const [what, listen] of [['no path', 'unix:'], ['a path that is too long', `unix:/${'x'.repeat(107)}`]]) {
  const { status, stderr } = run(listen);
  check(`${what} is refused`, status === 2 && stderr.includes('unix:PATH of at most 107 bytes'), `${status} ${stderr}`);
}
writeFileSync(file('file'), 'mine\n');
const { status: taken, stderr: why } = run(`unix:${file('file')}`);
check('a file that is no socket is refused, and stays', taken === 1 && why.includes('exists and is not a socket') && lstatSync(file('file')).isFile(), why);
const { status: absent, stderr: nowhere } = run(`unix:${file('absent')}/cubed.sock`);
check('a folder that is not there is refused', absent === 1 && nowhere.includes('No such file'), nowhere);

const mask = process.umask(0o077);
let server = await start('--listen', `unix:${path}`);
process.umask(mask);
check('the path is told', server.path === path, server.path);
check('owner and group may connect, whatever the umask', (statSync(path).mode & 0o777) === 0o660, statSync(path).mode.toString(8));
check('curl', curl('http://localhost/v1/limits').includes('"connections"'));
check('the host is checked as on loopback', JSON.parse(curl('http://example.org/v1/limits')).status === 403);
check('--health', ready(`unix:${path}`).stdout === 'ready\n');
const { status: second, stderr: there } = run(`unix:${path}`);
check('a second server is refused', second === 1 && there.includes(`Another server is listening on the socket ${path}`), there);
check('and the first still answers', ready(`unix:${path}`).status === 0);
server.child.kill('SIGKILL');
await server.ended;
check('a server that is killed leaves its file', existsSync(path));
check('--health tells that nobody answers', ready(`unix:${path}`).status === 1);
server = await start('--listen', `unix:${path}`);
check('the next one replaces it', ready(`unix:${path}`).status === 0);
check('a clean end', (await server.stop()).code === 0, server.errors());
check('the file is gone', !existsSync(path));
server = await start('--listen', `unix:${path}`);
rmSync(path);
const other = net.createServer().listen(path);
await new Promise((done) => other.on('listening', done));
await server.stop();
check("another's file is left alone", existsSync(path));
await new Promise((done) => other.close(done));

// Clients on a socket are distinguished by user.
const BURST = 5;
const rates = ['--max-reads', '1', '--max-reads-burst', String(BURST)];
/** The statuses of so many requests, as another user where one is given. */
function ask(count, { user, told } = {}) {
  const options = ['-s', '-m', '120', '--unix-socket', path, '-o', '/dev/null', '-w', '%{http_code} '];
  if (told) options.push('-H', `X-Forwarded-For: ${told}`);
  const urls = Array.from({ length: count }, (_, i) => (i ? ['-o', '/dev/null'] : []).concat('http://localhost/v1/limits')).flat();
  const command = [...(user ? ['setpriv', '--reuid', user, '--regid', user, '--clear-groups'] : []), 'curl', ...options, ...urls];
  return spawnSync(command[0], command.slice(1), { encoding: 'utf8' }).stdout.trim().split(' ').map(Number);
}
const good = (found) => found.filter((status) => status === 200).length;
/** Returns true if no more are served than the burst, and one each second since. */
const limited = (served, since) => served <= BURST + 1 + (performance.now() - since) / 1000;

server = await start('--listen', `unix:${path}`, ...rates);
let since = performance.now();
let served = good(ask(2 * BURST));
check('a user is counted', served >= BURST && limited(served, since), served);
served += good(ask(2 * BURST, { told: '192.0.2.1' }));
check('whatever it tells of others', limited(served, since), served);
if (process.getuid() === 0) {
  chmodSync(directory, 0o755);
  chmodSync(path, 0o666);
  since = performance.now();
  served = good(ask(2 * BURST, { user: '12345' }));
  check('another user has its own rate', served >= BURST, served);
  check('and is counted as well', limited(served + good(ask(2 * BURST, { user: '12345' })), since));
}
await server.stop();
server = await start('--listen', `unix:${path}`, '--trusted-proxy', 'unix', ...rates);
since = performance.now();
served = good(ask(2 * BURST, { told: '192.0.2.1' }));
check('a proxy tells of a client', limited(served, since), served);
check('and of another', good(ask(BURST, { told: '192.0.2.2' })) === BURST);
check('the first is still counted', limited(served + good(ask(2 * BURST, { told: '192.0.2.1' })), since));
since = performance.now();
check('nobody passes for a user of this machine', limited(good(ask(2 * BURST, { told: '75:6e78:0:1::' })), since));
await server.stop();
server = await start('--listen', `unix:${path}`, '--max-connections-per-address', '3', '--rate-limit', 'off');
const open = Array.from({ length: 3 }, () => connect(path));
await Promise.all(open.map(({ ready: begun }) => begun));
for (const client of open) {
  client.socket.write(`POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Length: 9\r\n\r\n`);
}
check('connections of a user are counted', await happens(async () => (await exchange(path, GOOD)).statuses[0] === 503));
open.forEach(({ socket }) => socket.destroy());
await server.stop();

// Deadlines; streams.
const IDLE_MS = 3000; // bound: of the server; a client that a slow machine keeps from reading is not judged
const CUT_MS = 500; // bound: of the server, for clients that must be cut
server = await start('--listen', `unix:${path}`, '--keep-alive-timeout-ms', String(IDLE_MS), '--header-timeout-ms', String(CUT_MS), '--body-timeout-ms', String(CUT_MS), '--rate-limit', 'off');
const LARGE = `GET /v1/apply?size=100&as=poses HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`; // 7 MB
const slow = [
  ['nothing', ''], ['a part of a head', 'GET / HT'], ['a part of a body', `POST /v1/apply HTTP/1.1\r\n${HOST}\r\nContent-Length: 9\r\n\r\n{`],
  ['nothing more', GOOD],
].map(([name, text]) => {
  const client = connect(path);
  client.socket.write(text);
  return { name, client };
});
for (const { name, client } of slow) check(`who sends ${name} is cut`, await client.until((now) => now.closed));
const reader = connect(path);
await reader.ready;
reader.socket.write(LARGE);
let longest = 0;
for (let i = 1; i <= 8; i++) {
  const paused = performance.now();
  reader.socket.pause();
  await sleep(IDLE_MS / 6);
  reader.socket.resume();
  await reader.until(({ text }) => text.length > i * 400000);
  longest = Math.max(longest, performance.now() - paused);
}
await reader.until((now) => now.closed);
const announced = Number(/\r\nContent-Length: (\d+)/i.exec(reader.text)?.[1]);
const whole = reader.text.indexOf('\r\n\r\n') + 4 + announced;
if (longest < IDLE_MS / 2) check('who reads slowly gets all', announced > 4000000 && reader.text.length === whole, `${reader.text.length} of ${whole}`);
const lazy = connect(path);
await lazy.ready;
lazy.socket.write(LARGE);
await lazy.until(({ text }) => text.length > 1000);
lazy.socket.pause();
const count = () => Number(/^cubed_http_connections (\d+)/m.exec(curl('http://localhost/metrics'))[1]);
await happens(() => count() === 1);
check('who reads no more is cut', count() === 1, count());
lazy.socket.destroy();

const leaving = connect(path);
await leaving.ready;
leaving.socket.end(GOOD + GOOD);
check('who closes behind two requests is answered', await leaving.until(({ text }) => statuses(text).length === 2));
const made = JSON.parse(curl('-d', '{"size":3,"access":"edit"}', '-H', 'Content-Type: application/json', 'http://localhost/v1/sessions'));
const events = [];
const stream = http.get({ socketPath: path, path: `/v1/sessions/${made.id}/events`, headers: { host: 'localhost' } }, (response) => {
  response.on('data', (bytes) => events.push(...String(bytes).matchAll(/^event: (.*)$/gm)));
  response.on('error', () => {});
}).on('error', () => {});
await happens(() => events.length > 0);
for (let i = 0; i < 20; i++) curl('-d', '{"moves":"R"}', '-H', 'Content-Type: application/json', `http://localhost/v1/sessions/${made.id}/moves`);
await happens(() => events.length >= 21);
const names = events.map(([, name]) => name);
check('events', names.filter((name) => name === 'entry').length === 20, names.join());
const watchers = () => Number(/^cubed_watchers (\d+)/m.exec(curl('http://localhost/metrics'))[1]);
check('one who watches', watchers() === 1, watchers());
stream.destroy();
await happens(() => watchers() === 0);
check('and nobody any more', watchers() === 0);
check('a clean end behind it all', (await server.stop()).code === 0, server.errors());

// TLS, which a proxy may want all the way.
execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('key'), '-out', file('crt'),
  '-days', '2', '-subj', '/CN=localhost'], { stdio: 'ignore' });
server = await start('--listen', `unix:${path}`, '--tls-cert', file('crt'), '--tls-key', file('key'));
check('TLS', curl('-k', 'https://localhost/v1/limits').includes('"connections"'));
check('--health over TLS', spawnSync(binary, ['--health', '--listen', `unix:${path}`, '--tls-cert', file('crt'), '--tls-key', file('key')], { encoding: 'utf8' }).stdout === 'ready\n');
await server.stop();
finish();
