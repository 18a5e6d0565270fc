// haproxy.mjs: docker/cluster/haproxy.cfg as an ordinary process before three addresses of this machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { happens } from '../support/patience.mjs';

const CONFIGURATION = fileURLToPath(new URL('../../docker/cluster/haproxy.cfg', import.meta.url));

/** A port that is free now. */
export const freePort = () => new Promise((found) => {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});

export const listens = (port) => new Promise((answered) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('connect', () => answered(true)).on('error', () => answered(false)).on('connect', () => socket.destroy());
});

/** The path of an installed program, also if its folder is only in the path of root. */
export function installed(name, ...folders) {
  const all = [...folders, ...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const found = all.map((folder) => join(folder, name)).find(existsSync);
  if (!found) throw new Error(`${name} is not installed (make packages-cluster)`);
  return found;
}

/**
 * Starts it before these ports. `variables` are those of the file, without CUBED_; `change` is applied to the text of
 * the file. On a busy machine a node may answer a probe late: it has the patience of the tests. Answers {port, url, stop}.
 */
export async function startHaproxy(ports, variables = {}, change = (text) => text) {
  const folder = mkdtempSync(join(tmpdir(), 'cubed-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, change(readFileSync(CONFIGURATION, 'utf8')));
  const port = await freePort();
  const [a, b, c] = ports.map((node) => `127.0.0.1:${node}`);
  const values = { BIND: `127.0.0.1:${port}`, NODE_A: a, NODE_B: b, NODE_C: c, INTERVAL: '100ms', CHECK_TIMEOUT: '120s', ADDRESS_REQUESTS: 100000000, ADDRESS_CONNECTIONS: 100000, ...variables };
  const env = { ...process.env, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`CUBED_${name}`, String(value)])) };
  const child = spawn(installed('haproxy'), ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (log = (log + bytes).slice(-20000)));
  const exit = new Promise((done) => child.on('exit', done).on('error', done));
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  if (!(await happens(() => child.exitCode !== null || listens(port))) || child.exitCode !== null) throw new Error(`haproxy did not start: ${log}`);
  const stop = () => {
    child.kill('SIGKILL');
    return exit;
  };
  return { port, url: `http://127.0.0.1:${port}`, stop };
}
