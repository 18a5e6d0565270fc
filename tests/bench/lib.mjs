// Processes, their CPU time, wrk, medians, and what the hypervisor took away.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const bench = dirname(fileURLToPath(import.meta.url));
export const repository = join(bench, '../..');
export const cubedBinary = join(repository, 'build/cubed');

/** A program of this folder, as built by make. */
export const program = (name) => join(repository, 'build/bench', name);

const START_MS = 20000;
const REST_MS = 200;
const TICKS_PER_SECOND = 100; // of /proc/PID/stat, on every Linux

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** The kind of machine, for the table. */
export function machine() {
  const os = readFileSync('/etc/os-release', 'utf8').match(/^PRETTY_NAME="(.*)"$/m)[1];
  return `${cpus().length} cores (${cpus()[0].model.trim()}), ${os}`;
}

/** Room on the disk that the benchmarks are about: in build/, not in a /tmp that may be memory. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(repository, 'build/bench/run-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs a program to its end and answers what it printed. */
export function run(command, args, options = {}) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });
}

/** Lines "name value" as an object. */
export function figures(text) {
  const pairs = text.trim().split('\n').map((line) => line.split(' '));
  return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
}

export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Ticks so far in which a core had work, and those of them in which the hypervisor gave it to others. */
function ticks() {
  const [user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/\s+/).slice(1).map(Number);
  return { stolen, all: user + nice + system + irq + softirq + stolen };
}

const CALM = 0.02;
const CALM_TRIES = 3;

/**
 * Measures, and again where the hypervisor took away more than a fiftieth of what was to be computed, thrice at most.
 * Answers what was measured when it took the least, with that share as `stolen`.
 */
export async function calm(measure) {
  let calmest;
  for (let i = 0; i < CALM_TRIES && !(calmest?.stolen <= CALM); i++) {
    const before = ticks();
    const result = await measure();
    const after = ticks();
    const stolen = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
    if (!calmest || stolen < calmest.stolen) calmest = { ...result, stolen };
  }
  return calmest;
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** A server that prints its URL when it is ready. */
export class Server {
  static async start(command, args) {
    const server = new Server();
    server.child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(server.child);
    server.exited = new Promise((done) => server.child.once('exit', done));
    server.exited.then(() => running.delete(server.child));
    server.url = await server.#address(command);
    return server;
  }

  #address(command) {
    return new Promise((found, fail) => {
      let out = '';
      const timer = setTimeout(() => fail(new Error(`${command} did not start`)), START_MS);
      this.child.once('error', fail);
      this.child.once('exit', (code) => fail(new Error(`${command} ended with ${code}`)));
      this.child.stdout.on('data', (bytes) => {
        out += bytes;
        const url = out.match(/http:\/\/\S+/);
        if (!url) return;
        clearTimeout(timer);
        found(url[0]);
      });
    });
  }

  /** CPU time of all its threads so far. */
  cpuUs() {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
  }

  /** Waits until it uses no CPU: what it does at its start is done. */
  async rest() {
    const end = Date.now() + START_MS;
    for (let before = -1; before !== this.cpuUs() && Date.now() < end; await sleep(REST_MS)) before = this.cpuUs();
  }

  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await this.exited;
    clearTimeout(timer);
  }
}

export function cubed(store) {
  return Server.start(cubedBinary, ['--listen', '127.0.0.1:0', '--rate-limit', 'off', '--log-level', 'warning', '--store', store]);
}

function freePort() {
  return new Promise((found) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => found(port));
    });
  });
}

/** nginx with one worker that serves the file `body` from the directory. */
export async function nginx(directory) {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(file, `
daemon off; master_process off; worker_processes 1; pid ${directory}/nginx.pid; error_log stderr error;
events { worker_connections 2048; }
http {
  access_log off; keepalive_requests 1000000000; sendfile on; open_file_cache max=10; default_type application/json;
  ${paths.map((path) => `${path}_temp_path ${directory}/${path};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${directory}; }
}`);
  const server = new Server();
  server.child = spawn('/usr/sbin/nginx', ['-e', 'stderr', '-p', directory, '-c', file], { stdio: 'inherit' });
  running.add(server.child);
  server.exited = new Promise((done) => server.child.once('exit', done));
  server.exited.then(() => running.delete(server.child));
  server.url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (await fetch(`${server.url}/body`).then((answer) => answer.ok, () => false)) return server;
    await sleep(20);
  }
  throw new Error('nginx did not start');
}

/** Runs wrk with these requests ({method, path, body}) in turn; answers rate, p50 and p99 in us, failed. */
export async function wrk(url, directory, requests, clients, seconds) {
  const file = join(directory, 'requests.txt');
  writeFileSync(file, requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}\n`).join(''));
  const args = ['-t1', `-c${clients}`, `-d${seconds}s`, '-s', join(bench, 'load.lua'), url];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, BENCH_REQUESTS: file } });
  running.add(child);
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  await new Promise((done) => child.once('close', done));
  running.delete(child);
  const line = out.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`wrk said: ${out}`);
  const { requests: count, us, p50, p99, failed } = JSON.parse(line);
  return { count, rate: (count * 1e6) / us, p50, p99, failed };
}

/** POSTs JSON and answers the JSON; over a connection of its own, which is closed, if there is no agent. */
export function post(url, json, agent = false) {
  return new Promise((done, failed) => {
    const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, agent }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => (answer.statusCode < 300 ? done(JSON.parse(text)) : failed(new Error(`POST ${url}: ${answer.statusCode}`))));
    });
    asked.on('error', failed);
    asked.end(JSON.stringify(json));
  });
}

/** Creates that many sessions and returns their ids. None of the connections stays: those of the load are to be the
 * only ones. */
export async function makeSessions(url, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const asked = Array.from({ length: count }, () => post(`${url}/v1/sessions`, { size: 3, access: 'edit' }, agent));
  const made = await Promise.all(asked);
  agent.destroy();
  return made.map(({ id }) => id);
}
