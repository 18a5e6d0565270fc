// `cubed play --join`: players in pseudo-terminals who share a session with each other and with a client, through
// refusals, restarts of the server, and the end of the session. Usage: node join.mjs [path of the binary]

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { Client } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { Proxy, randomFrom } from '../clients/support/proxy.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { sleep, until as waitUntil } from '../support/patience.mjs';

const binary = binaryArgument();
const directory = temporaryDirectory();
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Waits until `found` returns something, and returns that. */
const until = (what, found) => waitUntil(found, what, 20);

const quoted = (word) => `'${word}'`;

/** A player in a terminal of 24 x 80 without colours or a cursor, which gets each screen as lines of text. */
class Player {
  constructor(args, { env = {}, rows = 24, columns = 80 } = {}) {
    const command = `stty rows ${rows} cols ${columns}; exec ${[binary, 'play', ...args].map(quoted).join(' ')}`;
    this.child = spawn('script', ['-qfec', command, '/dev/null'], { env: { ...process.env, TERM: 'dumb', ...env } });
    this.text = '';
    this.child.stdout.on('data', (bytes) => (this.text += String(bytes).replaceAll('\r', '')));
    this.exited = new Promise((done) => this.child.once('exit', done));
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
  }

  type(keys) {
    this.child.stdin.write(keys);
  }

  /** Waits until all that was typed was read: the list of keys is opened, which shows that, and closed again. */
  async read() {
    const before = this.text.length;
    this.type('?');
    await until('the list of keys', () => this.text.slice(before).includes('Any key returns'));
    this.type('?');
  }

  /** The newest whole screen: from its title to the line that has the keys. */
  get screen() {
    const end = this.text.lastIndexOf('\n', this.text.length - 1);
    const whole = this.text.slice(0, end + 1);
    const last = whole.lastIndexOf('\n? keys');
    if (last < 0) return '';
    const titles = [...whole.slice(0, last).matchAll(/^\d+x\d+x\d+\b/gm)];
    return whole.slice(titles.at(-1)?.index ?? 0);
  }

  /** The stickers that are shown, as the server writes them; '' if it is not unfolded. */
  get facelets() {
    const rows = this.screen.split('\n').filter((line) => /^ *[WRGYOB]( +[WRGYOB])+ *$/.test(line)).map((line) => line.replaceAll(' ', ''));
    const n = rows.length / 3;
    if (!Number.isInteger(n) || n < 2 || rows[n].length !== 4 * n) return '';
    const middle = rows.slice(n, 2 * n);
    const face = (index) => middle.map((row) => row.slice(index * n, (index + 1) * n)).join('');
    const letters = [rows.slice(0, n).join(''), face(2), face(1), rows.slice(2 * n).join(''), face(0), face(3)].join('');
    return [...letters].map((letter) => 'URFDLB'['WRGYOB'.indexOf(letter)]).join('');
  }

  shows(pattern) {
    return until(() => `${pattern} in ${JSON.stringify(this.screen || this.text)}`, () => pattern.test(this.screen || this.text));
  }

  /** Waits until the cube is the one that the server has. */
  async agrees(client, path, options) {
    let wanted;
    await until(() => `${wanted} in ${JSON.stringify(this.screen)}`, async () => {
      wanted = (await client.expect(200, 'GET', path, undefined, options)).cube.facelets;
      return wanted === this.facelets;
    });
  }

  async quit() {
    this.type('\x03');
    return this.exited;
  }
}

const store = `sqlite:${join(directory, 'join.db')}`;
let server = await Server.start(binary, store);
let client = new Client(server.url);

/** A session with an editor's token for each name. */
async function shared(names, body = {}) {
  const { path, session } = await makeSession(body);
  const tokens = [];
  for (const [role, label] of names) tokens.push((await client.expect(201, 'POST', `${path}/tokens`, { role, label }, { token: session.token })).token);
  return { path, id: session.id, owner: { token: session.token }, tokens, link: (token) => `${server.url}/c/${session.id}${token ? `#${token.split('_')[1]}` : ''}` };
}

async function makeSession(body) {
  const session = await client.expect(201, 'POST', '/v1/sessions', { size: 3, access: 'none', ...body });
  return { session, path: `/v1/sessions/${session.id}` };
}

const history = async ({ path, owner }) => (await client.expect(200, 'GET', `${path}/history`, undefined, owner)).items;

await check('turns go both ways, with their times and who made them', async () => {
  const game = await shared([['editor', 'Anna'], ['editor', 'Bo']]);
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  const bo = new Player(['--join', game.link(), '--token-file', (writeFileSync(join(directory, 'bo'), `${game.tokens[1]}\n`), join(directory, 'bo'))]);
  await anna.shows(/3x3x3 {2}solved[\s\S]*online {3}2 here: (Anna, Bo|Bo, Anna)/);
  await bo.shows(/online {3}2 here/);
  anna.type('r');
  await bo.shows(/Anna: moves R/);
  await bo.agrees(client, game.path, game.owner);
  bo.type('U2f');
  await anna.shows(/Bo: moves/);
  await until('three turns of Bo', async () => (await history(game)).flatMap(({ moves }) => moves.split(' ')).join(' ') === "R U' F2");
  await anna.agrees(client, game.path, game.owner);
  await bo.agrees(client, game.path, game.owner);
  const entries = await history(game);
  assert.deepEqual(entries.map(({ actor }) => actor.label).filter((label, at, all) => label !== all[at - 1]), ['Anna', 'Bo']);
  assert.ok(entries.every(({ times_ms: times, moves }) => times.length === moves.split(' ').length));
  await client.expect(200, 'POST', `${game.path}/moves`, { moves: "L D'" }, game.owner);
  await anna.shows(/owner: moves L D'/);
  await anna.agrees(client, game.path, game.owner);
  anna.type('rrrruuuullll'.repeat(20));
  await until('240 turns', async () => (await history(game)).flatMap(({ moves }) => moves.split(' ')).length === 5 + 240);
  await bo.agrees(client, game.path, game.owner);
  assert.equal(await anna.quit(), 0);
  assert.equal(await bo.quit(), 0);
});

await check('undo, redo, scrambles and resets are those of the session', async () => {
  const game = await shared([['editor', 'Anna']]);
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  await anna.shows(/online/);
  anna.type('r');
  await until('the turn', async () => (await history(game)).length === 1);
  await anna.shows(/online {3}/); // it is saved
  anna.type('\x7f');
  await until('undo', async () => (await history(game)).at(-1).kind === 'undo');
  await anna.shows(/solved/);
  anna.type('\x1b[C');
  await until('redo', async () => (await history(game)).at(-1).kind === 'redo');
  await anna.agrees(client, game.path, game.owner);
  anna.type(' ');
  await until('a scramble', async () => (await history(game)).at(-1).kind === 'scramble');
  await until('the inspection', () => /inspection: 1/.test(anna.text)); // it is shown for some seconds
  await anna.agrees(client, game.path, game.owner);
  anna.type('\t');
  await anna.shows(/Lesson: /);
  anna.type('\x1b\x0e');
  await until('a reset', async () => (await history(game)).at(-1).kind === 'reset');
  await anna.shows(/solved/);
  await client.expect(200, 'POST', `${game.path}/moves`, { moves: 'F' }, game.owner);
  await anna.shows(/owner: moves F/);
  anna.type('\x7f'); // a turn of somebody else
  await anna.shows(/Refused: /);
  await anna.agrees(client, game.path, game.owner);
  assert.equal((await history(game)).at(-1).kind, 'moves');
  assert.equal(await anna.quit(), 0);
});

await check('refused turns are taken back, with the reason', async () => {
  const game = await shared([['editor', 'Anna'], ['viewer', 'Vera']]);
  await client.expect(200, 'PATCH', game.path, { turn_policy: 'alternate' }, game.owner);
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  await anna.shows(/online/);
  anna.type('r');
  await until('the turn', async () => (await history(game)).length === 1);
  await anna.shows(/online {3}/);
  anna.type('u');
  await anna.shows(/Refused: /);
  await anna.agrees(client, game.path, game.owner);
  assert.equal((await history(game)).length, 1);
  const vera = new Player(['--join', game.link()], { env: { CUBED_TOKEN: game.tokens[1] } });
  await vera.shows(/online, view only/);
  vera.type('r');
  await vera.shows(/You may only watch/);
  await vera.agrees(client, game.path, game.owner);
  await client.expect(200, 'PATCH', game.path, { access: 'edit', turn_policy: 'free' }, game.owner);
  await vera.shows(/online {3}/);
  vera.type('l');
  await until('her turn', async () => (await history(game)).length === 2);
  assert.equal(await anna.quit(), 0);
  assert.equal(await vera.quit(), 0);
});

await check('after the server was killed and restarted it goes on, and each turn was made once', async () => {
  const game = await shared([['editor', 'Anna']], { size: 5 });
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  await anna.shows(/online/);
  anna.type('rwu');
  await until('two turns', async () => (await history(game)).flatMap(({ moves }) => moves.split(' ')).length === 2);
  const { port } = server;
  await server.kill();
  await anna.shows(/offline, trying again/);
  anna.type('fd'); // shown, and sent later
  await anna.read();
  server = await Server.startPlain(binary, ['--listen', `127.0.0.1:${port}`, '--store', store, '--rate-limit', 'off', '--allow-origin', '*']);
  client.close();
  client = new Client(server.url);
  await anna.shows(/online/);
  await until('four turns', async () => (await history(game)).flatMap(({ moves }) => moves.split(' ')).join(' ') === 'R Uw F D');
  await client.expect(200, 'POST', `${game.path}/moves`, { moves: '3R2' }, game.owner);
  await anna.shows(/owner: moves 3R2/);
  await anna.agrees(client, game.path, game.owner);
  assert.equal(await anna.quit(), 0);
});

await check('over a bad network each turn is made once, in order, whatever others do', async () => {
  const game = await shared([['editor', 'Anna']]);
  const random = randomFrom(7);
  const proxy = await Proxy.start(server.url);
  let faults = 0;
  proxy.fault = ({ method }) => {
    if (random() < 0.5 && method === 'POST') return ++faults && ['cut', 'lose', { status: 503 }][Math.floor(random() * 3)];
    return undefined;
  };
  const anna = new Player(['--join', `${proxy.url}/c/${game.id}#${game.tokens[0]}`]);
  await anna.shows(/online/);
  const made = [];
  for (let round = 0; round < 12; round++) {
    const keys = 'rludfb'[Math.floor(random() * 6)] + (round % 3 === 0 ? 'U' : '');
    anna.type(keys);
    made.push(...[...keys].map((key) => (key === 'U' ? "U'" : key.toUpperCase())));
    if (round % 4 === 1) proxy.cut();
    if (round % 3 === 2) await client.expect(200, 'POST', `${game.path}/moves`, { moves: 'M' }, game.owner);
    await sleep(150);
  }
  const annas = async () => (await history(game)).filter(({ actor }) => actor.label === 'Anna').map(({ moves }) => moves).join(' ');
  await until(async () => `${made.join(' ')}, but ${await annas()}`, async () => (await annas()) === made.join(' '));
  proxy.fault = () => undefined;
  await anna.agrees(client, game.path, game.owner);
  assert.ok(faults > 2);
  // A server that does not answer: that is said, and what was turned stays.
  proxy.latencyMs = 700;
  anna.type('m');
  await until('that the server is slow', () => /the server is slow/.test(anna.text)); // it is shown for a moment
  await anna.shows(/online {3}/);
  await anna.agrees(client, game.path, game.owner);
  assert.equal(await anna.quit(), 0);
  await proxy.stop();
});

await check('HTTPS, if the certificate is trusted', async () => {
  const [key, crt] = ['key', 'crt'].map((end) => join(directory, `join.${end}`));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', crt,
    '-days', '2', '-subj', '/CN=join', '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' });
  const secure = spawn(binary, ['--listen', '127.0.0.1:0', '--store', 'memory:', '--tls-cert', crt, '--tls-key', key], { stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(secure);
  let said = '';
  secure.stdout.on('data', (bytes) => (said += bytes));
  const [url] = await until('the address', () => /https:\/\/127\.0\.0\.1:\d+/.exec(said));
  const created = execFileSync('curl', ['-sS', '--cacert', crt, '--json', '{"size": 4, "access": "none"}', `${url}/v1/sessions`], { encoding: 'utf8' });
  const { id, token } = JSON.parse(created);
  const link = `${url}/c/${id}#${token}`;
  const { status, stderr } = spawnSync(binary, ['play', '--join', link], { encoding: 'utf8' });
  assert.match(stderr, /certificate/);
  assert.equal(status, 1);
  const [one, other] = [1, 2].map(() => new Player(['--join', link], { env: { SSL_CERT_FILE: crt } }));
  await one.shows(/4x4x4[\s\S]*online {3}2 here/);
  await other.shows(/online {3}2 here/);
  one.type('r');
  await other.shows(/owner: moves R/);
  assert.equal(one.facelets, other.facelets);
  assert.equal(await one.quit(), 0);
  assert.equal(await other.quit(), 0);
  secure.kill();
});

await check('what cannot be joined is said before the terminal is taken', async () => {
  const refused = (code, pattern, ...args) => {
    const { status, stderr } = spawnSync(binary, ['play', ...args], { encoding: 'utf8' });
    assert.match(stderr, pattern);
    assert.equal(status, code);
  };
  const id = '0123456789abcdef';
  refused(1, /no session|No session|not (exist|found)|unknown/i, '--join', `${server.url}/c/${id}`);
  refused(1, /token/i, '--join', `${server.url}/c/${id}#${id}_wrong`);
  refused(1, /connect/i, '--join', `http://127.0.0.1:1/c/${id}`);
  refused(1, /https?:|SSL|TLS/i, '--join', `${server.url.replace('http', 'https')}/c/${id}`);
  refused(2, /begins with neither/, '--join', 'localhost:8080');
  refused(2, /has no id of a session/, '--join', server.url);
  refused(2, /has no id of a session/, '--join', `${server.url}/c/nonsense`);
  refused(2, /has no id of a session/, '--join', `http:///c/${id}`);
  const elsewhere = spawn(process.execPath, ['-e', `require('node:http').createServer((_, response) => response.writeHead(301, { location: 'https://x/' }).end())
    .listen(0, '127.0.0.1', function () { console.log(this.address().port); })`], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(elsewhere);
  const [port] = await once(elsewhere.stdout, 'data');
  refused(1, /redirects elsewhere \(301\)/, '--join', `http://127.0.0.1:${String(port).trim()}/c/${id}`);
  elsewhere.kill();
  refused(1, /resolve|connect/i, '--join', `http://x/c/${id}`);
  refused(1, /token/i, '--join', `${server.url}/c/${id}#wrong`);
  refused(2, /no valid token/, '--join', `${server.url}/c/${id}#WRONG`);
  refused(2, /No such file/, '--join', `${server.url}/c/${id}`, '--token-file', join(directory, 'none'));
  refused(2, /--size with --join/, '--join', `${server.url}/c/${id}`, '--size', '3');
});

await check('a token in a link is not in the list of processes', async () => {
  const game = await shared([['editor', 'Anna']]);
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  await anna.shows(/online/);
  const player = join(dirname(binary), 'cubed-play');
  const children = readFileSync(`/proc/${anna.child.pid}/task/${anna.child.pid}/children`, 'utf8').trim().split(' ');
  for (const pid of children.filter((one) => existsSync(`/proc/${one}/cmdline`))) {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (words[0] === player) assert.match(words[2], /#\*+$/);
    assert.equal(words[0] === player || words.join(' ').includes('stty'), true);
  }
  assert.equal(await anna.quit(), 0);
});

/** A server of one session, whose events and answers are what a test says. */
class Script {
  static async start() {
    const script = new Script();
    script.posts = []; // path, body and answer() of each request that changes something
    script.http = createServer(async (request, response) => {
      const path = request.url.replace(/^.*\/|\?.*$/g, '');
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        if (script.first) response.write(script.first);
        else response.flushHeaders();
        script.stream = response;
        return;
      }
      const bytes = [];
      for await (const part of request) bytes.push(part);
      const answer = (revision) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ revision }));
      script.posts.push({ path, body: JSON.parse(Buffer.concat(bytes)), answer });
    });
    await new Promise((done) => script.http.listen(0, '127.0.0.1', done));
    script.link = `http://127.0.0.1:${script.http.address().port}/c/0123456789abcdef`;
    return script;
  }

  static state(revision, size = 3, event = 'state') {
    const facelets = [...'URFDLB'].map((letter) => letter.repeat(size * size)).join('');
    return `${JSON.stringify({ event, id: `a-${revision}`, data: { revision, size, access: 'edit', cube: { size, facelets } } })}\n`;
  }

  static entry(revision, moves, kind = 'moves') {
    return `${JSON.stringify({ event: 'entry', id: `a-${revision}`, data: { revision, kind, moves, actor: null } })}\n`;
  }

  async post(count, path) {
    await until(`request ${count}`, () => this.posts.length >= count);
    assert.equal(this.posts[count - 1].path, path);
    return this.posts[count - 1];
  }

  stop() {
    this.http.close();
    this.http.closeAllConnections();
  }
}

await check('an entry that is sent together with the state is not lost', async () => {
  const script = await Script.start();
  script.first = Script.state(5) + Script.entry(6, 'R');
  const anna = new Player(['--join', script.link]);
  await anna.shows(/somebody: moves R/);
  assert.equal(anna.facelets.slice(0, 9), 'UUFUUFUUF');
  assert.equal(await anna.quit(), 0);
  script.stop();
});

await check('a server that sends its head long before its first event is waited for', async () => {
  const script = await Script.start();
  const anna = new Player(['--join', script.link]);
  await until('the stream', () => script.stream);
  await sleep(300); // longer than the program sleeps
  script.stream.write(Script.state(5));
  await anna.shows(/online/);
  assert.equal(await anna.quit(), 0);
  script.stop();
});

await check('undo and redo that wait are counted against each other', async () => {
  const script = await Script.start();
  script.first = Script.state(5);
  const anna = new Player(['--join', script.link]);
  await anna.shows(/online/);
  anna.type('r');
  const { answer } = await script.post(1, 'moves');
  anna.type('\x7f\x7f\x1b[C'); // undo twice and redo, while the turn has no answer
  await anna.read();
  answer(6);
  const undo = await script.post(2, 'undo');
  assert.deepEqual(undo.body, { count: 1, revision: 6 });
  anna.type(' \x1b[C'); // a scramble, after which redo has no meaning
  await anna.read();
  undo.answer(7);
  script.stream.write(Script.entry(7, "R'", 'undo'));
  const scramble = await script.post(3, 'scramble');
  anna.type('\x7f\x1b[Cu'); // undo and redo of nothing that was sent
  await anna.read();
  scramble.answer(8);
  script.stream.write(Script.entry(8, 'F2 D', 'scramble'));
  await script.post(4, 'moves');
  assert.equal(await anna.quit(), 0);
  script.stop();
});

await check('after a backup was restored, turns that are gone are no longer waited for', async () => {
  const script = await Script.start();
  script.first = Script.state(5);
  const anna = new Player(['--join', script.link]);
  await anna.shows(/online/);
  anna.type('r');
  (await script.post(1, 'moves')).answer(7); // 6 is not here yet
  await anna.shows(/online, saving/);
  script.stream.write(Script.state(2, 3, 'resync'));
  await until('that it is not saving', () => !/saving/.test(anna.screen));
  assert.match(anna.screen, /solved/);
  anna.type('u');
  await script.post(2, 'moves');
  assert.equal(await anna.quit(), 0);
  script.stop();
});

await check('a state of another size ends the session here', async () => {
  const script = await Script.start();
  script.first = Script.state(5);
  const anna = new Player(['--join', script.link]);
  await anna.shows(/online/);
  script.stream.write(Script.state(6, 100));
  await anna.shows(/ended: the server's answer cannot be read/);
  await until('the end of the stream', () => script.stream.closed);
  assert.equal(await anna.quit(), 0);
  script.stop();
});

await check('the session ends, or the terminal is too small', async () => {
  const game = await shared([['editor', 'Anna']]);
  const anna = new Player(['--join', game.link(game.tokens[0])]);
  const small = new Player(['--join', game.link(game.tokens[0])], { rows: 5, columns: 60 });
  await anna.shows(/online/);
  await small.shows(/The cube needs /);
  await client.expect(204, 'DELETE', game.path, undefined, game.owner);
  await anna.shows(/ended: the session was deleted/);
  anna.type('r');
  await anna.shows(/This session has ended here/);
  assert.equal(await anna.quit(), 0);
  assert.equal(await small.quit(), 0);
});

client.close();
await server.stop();
finish();
