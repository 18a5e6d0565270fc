// A PostgreSQL server of the tests' own (postgres.sh): one for this program, or, if there is a CUBED_TEST_POSTGRES, that of the
// run. It ends with the program, also if that is killed.

import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const SCRIPT = new URL('./postgres.sh', import.meta.url).pathname;

const execute = promisify(execFile);
let serial = 0;

export class Postgres {
  #answers;
  #child;

  /** Starts one of our own; `settings` are lines of postgresql.conf. */
  static async start(settings = []) {
    const postgres = new Postgres();
    postgres.#child = spawn(SCRIPT, ['serve', ...settings], { stdio: ['pipe', 'pipe', 'inherit'] });
    postgres.#answers = createInterface({ input: postgres.#child.stdout })[Symbol.asyncIterator]();
    const [word, folder] = await postgres.#answer();
    if (word !== 'ready') throw new Error('PostgreSQL did not start');
    postgres.folder = folder;
    return postgres;
  }

  /** Returns the server of the run, which takes no commands, or else one of our own. */
  static async shared() {
    if (!process.env.CUBED_TEST_POSTGRES) return Postgres.start();
    const postgres = new Postgres();
    postgres.folder = process.env.CUBED_TEST_POSTGRES;
    return postgres;
  }

  async #answer() {
    const { value = '' } = await this.#answers.next();
    return value.split(' ');
  }

  /** A command of postgres.sh: "kill a", "start a", "standby b a". One at a time. */
  async command(line) {
    this.#child.stdin.write(`${line}\n`);
    const answer = await this.#answer();
    if (answer[0] !== 'ok') throw new Error(`PostgreSQL: ${answer.join(' ') || 'has ended'}: ${line}`);
  }

  async stop() {
    if (!this.#child) return;
    const ended = new Promise((done) => { this.#child.once('exit', done); });
    this.#child.stdin.end();
    await ended;
  }

  /** Returns the string with which libpq finds a database on these servers. */
  conninfo(database = 'postgres', servers = ['a']) {
    const hosts = servers.map((name) => `${this.folder}/${name}`).join(',');
    return `host=${hosts} user=cubed dbname=${database}`;
  }

  /** Returns what psql prints for a statement, with | between columns. */
  async sql(statement, database = 'postgres', server = 'a') {
    const { stdout } = await execute('psql', ['-XAtqd', this.conninfo(database, [server]), '-v', 'ON_ERROR_STOP=1', '-c', statement], { maxBuffer: 1 << 28 });
    return stdout.trimEnd();
  }

  /** Creates an empty database; answers its name. */
  async database(server = 'a') {
    const name = `test_${process.pid}_${++serial}`;
    await this.sql(`CREATE DATABASE ${name}`, 'postgres', server);
    return name;
  }

  /** The store (`--store`) of a new database. */
  async store(servers = ['a']) {
    return `postgresql:${this.conninfo(await this.database(servers[0]), servers)}`;
  }
}
