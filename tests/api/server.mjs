// Starting, stopping and killing the server under test.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATIENCE_MS, PATIENT } from '../support/patience.mjs';

const running = new Set();
const directories = new Set();
process.on('exit', () => {
  running.forEach((child) => child.kill('SIGKILL'));
  directories.forEach((directory) => rmSync(directory, { recursive: true, force: true }));
});

/** The binary of the command line: its first argument that is not a number, or the one that `make` builds. */
export function binaryArgument() {
  const given = process.argv.slice(2).find((argument) => !/^\d+$/.test(argument));
  return resolve(given ?? new URL('../../build/cubed', import.meta.url).pathname);
}

/** A whole number of the command line, the `index`th, or `fallback`. */
export function numberArgument(index, fallback) {
  const numbers = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
  return numbers.length > index ? Number(numbers[index]) : fallback;
}

/** A directory of its own, removed when the process ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'cubed-test-'));
  directories.add(directory);
  return directory;
}

export class Server {
  /** Starts the server as most tests want it: open to all, on a free port. */
  static start(binary, store, flags = []) {
    return Server.startPlain(binary, ['--listen', '127.0.0.1:0', '--store', store, '--rate-limit', 'off', '--allow-origin', '*', '--loops', '3', ...PATIENT, ...flags]);
  }

  /** Starts the server with these flags alone and waits for the line with its address. */
  static async startPlain(binary, flags) {
    const server = new Server();
    // A server that is stopped while tables are made exits without joining its threads.
    const env = { ...process.env, TSAN_OPTIONS: 'report_thread_leaks=0' };
    server.child = spawn(binary, flags, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    server.log = '';
    server.exited = new Promise((done) => {
      server.child.once('exit', (code, signal) => done({ code, signal }));
    });
    server.child.stderr.on('data', (bytes) => {
      server.log = (server.log + bytes).slice(-20000);
    });
    running.add(server.child);
    server.child.once('exit', () => running.delete(server.child));
    server.url = await server.#address();
    server.port = Number(new URL(server.url).port);
    return server;
  }

  #address() {
    return new Promise((found, fail) => {
      let out = '';
      const giveUp = (why) => fail(new Error(`the server did not start: ${why}\n${this.log}`));
      const timer = setTimeout(() => giveUp('it printed no address'), PATIENCE_MS);
      this.child.once('error', (error) => giveUp(error.message));
      this.child.once('exit', (code, signal) => giveUp(`it ended with ${code ?? signal}`));
      this.child.stdout.on('data', (bytes) => {
        out += bytes;
        const address = /http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)/.exec(out);
        if (address) {
          clearTimeout(timer);
          found(`http://127.0.0.1:${address[1]}`);
        }
      });
    });
  }

  /** Ends it as an operator would; answers its exit code, or -1 if it had to be killed. */
  async stop() {
    let late = false;
    const timer = setTimeout(() => (late = this.child.kill('SIGKILL')), PATIENCE_MS);
    this.child.kill('SIGTERM');
    const { code, signal } = await this.exited;
    clearTimeout(timer);
    return { code: late ? -1 : code, signal };
  }

  /** Ends it as a power cut would. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
