// activation.mjs: the server under a service manager: it says when it is ready and when it stops, and takes sockets
// that it is handed.
//
//     node tests/http/activation.mjs PATH_TO_BINARY
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATIENCE_MS } from '../support/patience.mjs';
import { check, finish } from './support/server.mjs';

const binary = resolve(process.argv[2] ?? 'build/cubed');
const source = new URL('../package/manager.c', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'cubed-activation-'));
const program = join(directory, 'manager');
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
execFileSync(process.env.CC ?? 'cc', ['-std=c17', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-o', program, source]);

/** A service manager with these sockets; `lines` are what it said and has not been asked for yet. */
class Manager {
  constructor(kinds, name = join(directory, `notify-${Manager.count++}`), flags = []) {
    this.child = spawn(program, [name, kinds, binary, '--store', 'memory:', '--listen', '127.0.0.1:0', ...flags],
      { stdio: ['pipe', 'pipe', 'pipe'] });
    this.lines = [];
    this.errors = '';
    this.changed = () => {};
    let rest = '';
    this.child.stdout.on('data', (bytes) => {
      const parts = (rest + bytes).split('\n');
      rest = parts.pop();
      this.lines.push(...parts);
      this.changed();
    });
    this.child.stderr.on('data', (bytes) => (this.errors += bytes));
    process.on('exit', () => this.child.kill('SIGKILL'));
  }

  command(letter) {
    this.child.stdin.write(letter);
  }

  /** The next line that begins so, without its beginning; '' when none comes. */
  line(begin) {
    return new Promise((done) => {
      const timer = setTimeout(() => done(''), PATIENCE_MS);
      this.changed = () => {
        const at = this.lines.findIndex((line) => line.startsWith(begin));
        if (at < 0) return;
        clearTimeout(timer);
        this.changed = () => {};
        done(this.lines.splice(at, 1)[0].slice(begin.length));
      };
      this.changed();
    });
  }

  async port() {
    return Number(await this.line('port '));
  }

  /** Sends SIGTERM; the exit status. */
  async stop() {
    this.command('t');
    return this.line('exit ');
  }

  end() {
    this.child.stdin.end();
  }
}
Manager.count = 0;

/** A request on a connection of its own; the answer's status, 0 if there is none. */
function get(port, { family = 4, host = 'localhost' } = {}) {
  return new Promise((done) => {
    const socket = net.connect(typeof port === 'string' ? { path: port } : { port, host: family === 6 ? '::1' : '127.0.0.1' });
    let text = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (bytes) => (text += bytes));
    socket.on('error', () => {});
    socket.on('close', () => done(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
    socket.write(`GET /v1/limits HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

const portOf = (status) => Number(/:(\d+)\.$/.exec(status)?.[1] ?? 0);

for (const name of [undefined, `@cubed-test-${process.pid}`]) {
  const manager = new Manager('-', name);
  manager.command('s');
  const ready = await manager.line('notify ');
  check(`${name ?? 'a path'}: ready, with a status`, ready.startsWith('READY=1|STATUS=Serving at http://127.0.0.1:'), ready);
  check('ready means that it answers', (await get(portOf(ready))) === 200);
  check('a clean end', (await manager.stop()) === '0', manager.errors);
  const stopping = await manager.line('notify ');
  check('it says that it stops, and how long that may take', /^STOPPING=1\|STATUS=.+\|EXTEND_TIMEOUT_USEC=15000000$/.test(stopping), stopping);
  manager.end();
}

{
  const manager = new Manager('4');
  const port = await manager.port();
  const early = get(port);
  manager.command('s');
  const ready = await manager.line('notify ');
  check('the port is the one handed over', portOf(ready) === port, ready);
  check('who came before the server is served', (await early) === 200);
  check('and who comes after', (await get(port)) === 200);
  check('a clean end with a socket handed over', (await manager.stop()) === '0', manager.errors);
  const between = get(port);
  manager.command('s');
  check('who came between two servers is served', (await between) === 200);
  check('the host is checked as on loopback', (await get(port, { host: 'example.org' })) === 403);
  check('a second clean end', (await manager.stop()) === '0', manager.errors);
  manager.end();
}

{
  const manager = new Manager('46*');
  const ports = [await manager.port(), await manager.port(), await manager.port()];
  manager.command('s');
  const ready = await manager.line('notify READY=1');
  check('the address told is the one open to others', ready.endsWith(`http://0.0.0.0:${ports[2]}.`), ready);
  const found = [await get(ports[0]), await get(ports[1], { family: 6 }), await get(ports[2])];
  check('three sockets are served', found.join() === '200,200,200', found.join());
  check('a socket for everybody answers to any host', (await get(ports[2], { host: 'example.org' })) === 200);
  check('a clean end with three', (await manager.stop()) === '0', manager.errors);
  manager.end();
}

{
  const manager = new Manager('4');
  const port = await manager.port();
  manager.command('w');
  const ready = await manager.line('notify READY=1');
  check('sockets for another process are left alone', portOf(ready) > 0 && portOf(ready) !== port, ready);
  check('and its own are served', (await get(portOf(ready))) === 200);
  await manager.stop();
  manager.end();
}

{
  const manager = new Manager('l');
  const path = await manager.line('path ');
  manager.command('s');
  const ready = await manager.line('notify READY=1');
  check('the path of a Unix socket is told', ready.endsWith(` at unix:${path}.`), ready);
  check('it is served', (await get(path)) === 200);
  check('the host is checked there', (await get(path, { host: 'example.org' })) === 403);
  check('a clean end with a Unix socket', (await manager.stop()) === '0', manager.errors);
  check("its file is the manager's, and stays", existsSync(path));
  const between = get(path);
  manager.command('s');
  check('who came between two servers is served there', (await between) === 200);
  await manager.stop();
  manager.end();
  rmSync(path);
}

{
  const manager = new Manager('l4');
  const [path, port] = [await manager.line('path '), await manager.port()];
  manager.command('s');
  const ready = await manager.line('notify READY=1');
  check('the address told is the one that more can reach', portOf(ready) === port, ready);
  check('both are served', (await get(path)) === 200 && (await get(port)) === 200);
  await manager.stop();
  manager.end();
  rmSync(path);
}

for (const [kinds, words] of [['u', 'descriptor 3, which is not a listening TCP or Unix stream socket'], ['4f', 'descriptor 4, which is not'],
  ['444444444', 'passes 9 sockets; at most 8 are possible']]) {
  const manager = new Manager(kinds);
  manager.command('s');
  const status = await manager.line('exit ');
  check(`${kinds}: refused with a reason`, status === '1' && manager.errors.includes(words), `${status} ${manager.errors}`);
  check(`${kinds}: not ready`, !manager.lines.some((line) => line.includes('READY=1')));
  manager.end();
}
finish();
