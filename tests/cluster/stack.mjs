// stack.mjs: docker/compose-cluster.yaml without containers. Each of its services is an ordinary process with the command,
// the environment and the configuration files of that file; its name is an address of its own in 127.0.0.0/8, so that
// ports stay as they are; its volume is a folder in /tmp.
//
//     node tests/cluster/stack.mjs [PATH_TO_BINARY]            starts all of it and prints the address; ends with Ctrl-C
//
// With STACK_LOGS=FOLDER the logs of all services are copied there at the end.
//
// Needs the Debian packages of docker/cluster/Dockerfile (make packages-cluster). PostgreSQL refuses to run as root: if
// this runs as root, all parts but the nodes run as the user postgres.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { happens, PATIENCE_MS, sleep } from '../support/patience.mjs';
import { installed } from './haproxy.mjs';
import { Watchdog } from './watchdog.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPOSE = join(ROOT, 'docker/compose-cluster.yaml');
const BIN = '/usr/lib/postgresql/15/bin';

/** The settings that differ for haproxy: all clients have one address, and on a busy machine a node may answer a probe
 * late. */
const HAPROXY = { CUBED_ADDRESS_REQUESTS: '100000000', CUBED_ADDRESS_CONNECTIONS: '100000', CUBED_CHECK_TIMEOUT: '60s' };

const yaml = createRequire(join(ROOT, 'tests/api/'))('yaml');

/** The file as docker compose reads it: merged, and with the variables filled in. */
function composition(variables) {
  const text = readFileSync(COMPOSE, 'utf8').replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name, usual) => variables[name] ?? usual);
  return yaml.parse(text, { merge: true });
}

/** The user postgres as [uid, gid]; null if this does not run as root. */
function unprivileged() {
  if (process.getuid() !== 0) return null;
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8').split('\n').find((line) => line.startsWith('postgres:')).split(':');
  return [Number(uid), Number(gid)];
}

/** The processes whose parent is one of these, and theirs, and so on. */
function descendants(pids) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch { /* it ended meanwhile */ }
  }
  const found = new Set(pids);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** One service of the file as a process. */
class Service {
  constructor(stack, name, address, command, env, user) {
    Object.assign(this, { stack, name, address, command, env, user, log: join(stack.folder, `${name}.log`) });
  }

  start() {
    const out = openSync(this.log, 'a');
    const [program, ...args] = this.command;
    const options = { cwd: this.stack.folder, env: this.env, stdio: ['ignore', out, out], ...(this.user && { uid: this.user[0], gid: this.user[1] }) };
    this.child = spawn(program, args, options);
    this.exited = new Promise((done) => this.child.once('exit', done));
  }

  /** Its process and all that it started; of PostgreSQL also the server, which is not a child of Patroni. */
  pids() {
    const own = this.child && this.child.exitCode === null && this.child.signalCode === null ? [this.child.pid] : [];
    const postmaster = this.postmaster();
    return descendants(postmaster ? [...own, postmaster] : own);
  }

  /** The process that PostgreSQL wrote into its folder; null if there is none. */
  postmaster() {
    const data = this.env.PATRONI_POSTGRESQL_DATA_DIR;
    if (!data) return null;
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return alive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : null;
    } catch {
      return null;
    }
  }

  /** Its machine is lost: none of its processes sees another one end. */
  kill() {
    this.watchdog?.off();
    this.signal('SIGSTOP');
    this.signal('SIGKILL');
  }

  /** Sends a signal to all of its processes at once, as if it had happened to its machine. */
  signal(name) {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, name);
      } catch { /* it ended meanwhile */ }
    }
  }

  async stop() {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), 30000);
    await this.exited;
    clearTimeout(timer);
  }

  tail(lines = 15) {
    return readFileSync(this.log, 'utf8').split('\n').slice(-lines).join('\n');
  }
}

export class Stack {
  services = new Map();

  /**
   * Starts it. `nodes` false: without nodes and haproxy. `flags` are added to each node's; `patroni` is applied to the
   * text of patroni.yml, `node` to the nodes' environment. `asynchronous`: that text has no synchronous standby.
   * `watchdog`: each PostgreSQL has one, and its Patroni requires it.
   */
  static async start(binary, { nodes = true, flags = [], patroni = (text) => text, node = {}, asynchronous = false, watchdog = false } = {}) {
    const stack = new Stack();
    stack.asynchronous = asynchronous;
    stack.folder = mkdtempSync('/tmp/cubed-stack-');
    chmodSync(stack.folder, 0o755);
    stack.user = unprivileged();
    process.on('exit', () => stack.#end());
    stack.#prepare(binary, flags, patroni, node);
    if (watchdog) for (const service of stack.databases) stack.#addWatchdog(service);
    const parts = [...stack.services.keys()];
    for (const name of parts.filter((part) => /^(etcd|postgresql)/.test(part))) stack.services.get(name).start();
    if (!(await happens(() => stack.replicated(), 200))) throw new Error(`PostgreSQL did not start:\n${stack.services.get('postgresql-a').tail()}`);
    if (nodes) await stack.#startNodes(parts);
    return stack;
  }

  async #startNodes(parts) {
    for (const name of parts.filter((part) => part.startsWith('cubed'))) {
      this.services.get(name).start();
      // One after another, as by hand; starting together is a test of its own.
      if (!(await happens(() => this.answers(`http://${this.services.get(name).address}:8080/readyz`), 50))) throw new Error(`${name} did not start:\n${this.services.get(name).tail()}`);
    }
    this.services.get('haproxy').start();
    this.url = `http://${this.services.get('haproxy').address}:8080`;
    if (!(await happens(() => this.answers(`${this.url}/readyz`), 50))) throw new Error(`haproxy did not start:\n${this.services.get('haproxy').tail()}`);
  }

  /** Fills `services` with what the file says. */
  #prepare(binary, flags, patroni, node) {
    const { services } = composition({ CUBED_NETWORK: '127.0.0.0/8' });
    const names = Object.keys(services);
    const net = `127.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`;
    const addresses = Object.fromEntries(names.map((name, i) => [name, `${net}.${10 + i}`]));
    const configuration = join(this.folder, 'etc');
    cpSync(join(ROOT, 'docker/cluster'), configuration, { recursive: true });
    const file = join(configuration, 'patroni.yml');
    writeFileSync(file, patroni(readFileSync(file, 'utf8')));
    for (const name of names) {
      // A node answers for localhost, which haproxy asks for; the tests ask nodes by their addresses.
      const { command = [binary, '--allow-host', addresses[name], '--allow-host', 'localhost', ...flags], environment = {}, volumes = [] } = services[name];
      const mine = (text) => this.#local(String(text), addresses, name, volumes, configuration);
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, key.endsWith('_NAME') ? value : mine(value)]));
      const [program, ...args] = command;
      const path = `${configuration}:/usr/sbin:${process.env.PATH}`;
      const part = !name.startsWith('cubed');
      const settings = part ? (name === 'haproxy' ? HAPROXY : {}) : node;
      const run = [part ? installed(program, '/usr/bin') : resolve(program), ...args.map(mine)];
      this.services.set(name, new Service(this, name, addresses[name], run, { PATH: path, HOME: this.folder, LANG: 'C.UTF-8', ...env, ...settings }, part ? this.user : null));
    }
  }

  /** In a copy of patroni.yml of its own: its device is a pipe (watchdog.mjs). */
  #addWatchdog(service) {
    const device = join(this.folder, `${service.name}.watchdog`);
    service.watchdog = new Watchdog(device, this.user, () => service.kill());
    service.command = service.command.map((argument) => {
      if (!argument.endsWith('patroni.yml')) return argument;
      const copy = argument.replace('patroni.yml', `${service.name}.yml`);
      const { watchdog, ...rest } = yaml.parse(readFileSync(argument, 'utf8'));
      writeFileSync(copy, yaml.stringify({ ...rest, watchdog: { ...watchdog, mode: 'required', driver: 'testing', device } }));
      return copy;
    });
  }

  /** A text of the file on this machine: addresses for names, folders for volumes. */
  #local(text, addresses, own, volumes, configuration) {
    let local = text.replaceAll('0.0.0.0', addresses[own]).replaceAll('/etc/cubed/', `${configuration}/`);
    for (const [name, address] of Object.entries(addresses)) local = local.replaceAll(new RegExp(`(?<=^|://|host=|,)${name}(?=:\\d|,| |$)`, 'g'), address);
    for (const volume of volumes) {
      const [name, path] = volume.split(':');
      const folder = join(this.folder, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (this.user) chownSync(folder, ...this.user);
      local = local.replaceAll(path, folder);
    }
    return local;
  }

  async answers(url, method = 'GET') {
    try {
      const answer = await fetch(url, { method, signal: AbortSignal.timeout(20000) }); // bound: it is asked again
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  get databases() {
    return [...this.services.values()].filter(({ name }) => name.startsWith('postgresql'));
  }

  get nodes() {
    return [...this.services.values()].filter(({ name }) => name.startsWith('cubed'));
  }

  get urls() {
    return this.nodes.map(({ address }) => `http://${address}:8080`);
  }

  /** The service that is the primary now, or null. */
  async primary() {
    for (const service of this.databases) if (await this.answers(`http://${service.address}:8008/primary`)) return service;
    return null;
  }

  /** Returns true if there are a primary and a standby that follows it: synchronously, unless `asynchronous`. */
  async replicated(asynchronous = this.asynchronous) {
    const primary = await this.primary();
    const standby = this.databases.find((service) => service !== primary);
    if (!primary || !standby) return false;
    if (!(await this.answers(`http://${standby.address}:8008/${asynchronous ? 'replica' : 'synchronous'}`))) return false;
    return !asynchronous || this.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", primary) === '1';
  }

  /** Runs SQL at a server as its superuser. */
  sql(text, service, database = 'postgres') {
    const { PATRONI_SUPERUSER_USERNAME: user, PATRONI_SUPERUSER_PASSWORD: PGPASSWORD } = service.env;
    const conninfo = `host=${service.address} user=${user} dbname=${database} connect_timeout=2`; // bound: one that is away is asked again
    return execFileSync(join(BIN, 'psql'), ['-XAtq', '-c', text, conninfo], { encoding: 'utf8', env: { ...process.env, PGPASSWORD }, timeout: PATIENCE_MS }).trim();
  }

  /** The connection string with which the nodes find the database, with the password. */
  get conninfo() {
    const { CUBED_STORE, PGPASSWORD } = this.nodes[0].env;
    return `${CUBED_STORE.slice('postgresql:'.length)} password=${PGPASSWORD}`;
  }

  /** Ends the nodes as an operator would, and the rest at once: its folders are not needed any longer. */
  async stop() {
    await Promise.all(this.nodes.map((node) => node.stop()));
    this.#end();
  }

  #end() {
    if (this.ended) return;
    this.ended = true;
    for (const service of this.services.values()) {
      service.watchdog?.stop();
      service.signal('SIGKILL');
    }
    const { STACK_LOGS: logs } = process.env;
    if (logs) for (const name of readdirSync(this.folder).filter((file) => file.endsWith('.log'))) cpSync(join(this.folder, name), join(logs, name));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const binary = resolve(process.argv[2] ?? join(ROOT, 'build/cubed'));
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(130));
  const stack = await Stack.start(binary);
  for (const { name, address, log } of stack.services.values()) console.log(`${name.padEnd(14)}${address.padEnd(16)}${log}`);
  console.log(`\n${stack.url} is ready; Ctrl-C ends it`);
  while (true) await sleep(1000);
}
