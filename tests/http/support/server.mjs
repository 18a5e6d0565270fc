// server.mjs: what the tests over raw sockets share: starting the server, speaking bytes to it, counting.
import { spawn } from 'node:child_process';
import net from 'node:net';
import { happens, PATIENCE_MS, PATIENT, sleep } from '../../support/patience.mjs';

export const HOST = 'Host: 127.0.0.1';
export const GOOD = `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`;

process.setMaxListeners(50); // each process that is started is ended with this one

let passed = 0;
let failed = 0;

export function check(name, good, detail = '') {
  if (good) {
    passed++;
  } else {
    failed++;
    console.log(`FAILED ${name}${detail === '' ? '' : `: ${detail}`}`);
  }
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed || !passed ? 1 : 0);
}

export { sleep };

/** The server named on the command line, on a free port, with a store in memory and three loops. */
export const start = (...flags) => start_plain('--loops', '3', ...flags);

/** The same with as many loops as it finds right. */
export function start_plain(...flags) {
  const binary = process.argv[2];
  if (!binary) {
    console.log('usage: node tests/http/NAME.mjs PATH_TO_BINARY');
    process.exit(2);
  }
  // A server that is stopped while tables are made exits without joining its threads.
  const env = { ...process.env, TSAN_OPTIONS: 'report_thread_leaks=0' };
  const child = spawn(binary, ['--listen', '127.0.0.1:0', '--store', 'memory:', ...PATIENT, ...flags],
    { env, stdio: ['ignore', 'pipe', process.env.CUBED_TEST_LOG ? 'inherit' : 'pipe'] });
  let errors = '';
  child.stderr?.on('data', (text) => (errors = (errors + text).slice(-20000)));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  process.on('exit', (code) => {
    child.kill('SIGKILL');
    // A promise that nobody will keep ends Node without a word.
    if (code === 13) console.log(`FAILED: the test hung ${errors}`);
  });
  return new Promise((resolve, reject) => {
    let out = '';
    child.on('error', reject);
    ended.then(() => reject(new Error(`the server ended: ${errors}`)));
    child.stdout.on('data', (text) => {
      out += text;
      const port = /https?:\/\/[^ ]*:(\d+)/.exec(out)?.[1];
      const path = / is ready at unix:(.*)\n/.exec(out)?.[1];
      if (port || path) {
        resolve({
          port: Number(port), path, child, ended, errors: () => errors,
          async stop() {
            child.kill('SIGTERM');
            return Promise.race([ended, sleep(PATIENCE_MS).then(() => ({}))]);
          },
        });
      }
    });
  });
}

/** A connection to a port, or to the path of a Unix socket, whose answers are gathered in `text`. */
export function connect(port) {
  const begin = performance.now();
  const socket = net.connect(typeof port === 'string' ? { path: port } : { port, host: '127.0.0.1', noDelay: true });
  const client = { socket, text: '', closed: false, error: '' };
  let changed = () => {};
  socket.on('data', (bytes) => {
    client.text += bytes.toString('latin1');
    changed();
  });
  socket.on('error', (error) => (client.error = error.code));
  client.end = new Promise((resolve) => socket.on('close', () => {
    client.closed = true;
    client.closed_ms = performance.now() - begin;
    changed();
    resolve();
  }));
  client.ready = Promise.race([new Promise((resolve) => socket.on('connect', resolve)), client.end]);
  /** Waits until `done(client)` or the end of the connection; false when the time is out. A shorter time than usual is for what
   * may not come. */
  client.until = (done, ms = PATIENCE_MS) => new Promise((resolve) => {
    const timer = setTimeout(() => finished(false), ms);
    const finished = (result) => {
      clearTimeout(timer);
      changed = () => {};
      resolve(result);
    };
    changed = () => {
      if (done(client)) finished(true);
      else if (client.closed) finished(false);
    };
    changed();
  });
  return client;
}

/** The statuses of all answers in a text, by Content-Length. */
export function statuses(text) {
  const found = [];
  while (text) {
    const head = text.indexOf('\r\n\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(text);
    if (head < 0 || !status) break;
    if (status[1] !== '100') found.push(Number(status[1]));
    text = text.slice(head + 4 + Number(/\r\nContent-Length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0));
  }
  return found;
}

/** Sends bytes, reads the first answer, and what comes a moment later, or to the end if it is announced. */
export async function exchange(port, bytes, ms = PATIENCE_MS) {
  const client = connect(port);
  await client.ready;
  client.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await client.until((now) => now.closed || statuses(now.text).length > 0, ms);
  const result = { statuses: statuses(client.text), text: client.text, closed: client.closed };
  if (!client.closed) {
    // bound: what may not come; the end that an answer announces is waited for
    await client.until((now) => now.closed, /\r\nConnection: close\r\n/i.test(client.text) ? ms : 100);
    result.closed = client.closed;
  }
  result.text = client.text;
  result.statuses = statuses(client.text);
  client.socket.destroy();
  return result;
}

/** Returns true if the server still answers. Opens a connection that is cut without an answer again: the deadlines of
 * some servers under test are short, and the machine may be slow. */
export async function alive(port) {
  return { good: await happens(async () => {
    const { statuses: [status] } = await exchange(port, GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    return status === 200;
  }) };
}
