// changing.mjs: a server whose version changes, or which fails, for a browser that stays: a proxy before a real one. It replaces
// the version in the paths of the page's files, as another build would, and answers some paths otherwise.

import http from 'node:http';

/** The answers that name the version: the page, also of a session, and the service worker. */
const NAMING = /^\/(\?.*|c\/.*|service-worker\.js(\?.*)?)?$/;

export class ChangingServer {
  /** The paths that were asked for, without queries. */
  asked = [];
  /** Other answers, by path: a status, 'never', or {text} of a script. */
  answers = new Map();
  /** The version of the page: '' is that of the real server, else 12 hexadecimal digits. */
  version = '';
  #sockets = new Set();

  /** `server`: a real one (tests/api/server.mjs). */
  static async start(server) {
    const started = new ChangingServer();
    const [, real] = /\/assets\/([0-9a-f]{12})\//.exec(await (await fetch(server.url)).text());
    Object.assign(started, { server, real });
    started.http = http.createServer((request, reply) => started.#serve(request, reply));
    started.http.on('connection', (socket) => {
      started.#sockets.add(socket);
      socket.on('close', () => started.#sockets.delete(socket));
    });
    await started.begin(0);
    started.port = started.http.address().port;
    started.url = `http://127.0.0.1:${started.port}`;
    return started;
  }

  begin(port = this.port) {
    return new Promise((done) => this.http.listen(port, '127.0.0.1', done));
  }

  /** Ends as a network does that is cut. */
  end() {
    const closed = new Promise((done) => this.http.close(done));
    for (const socket of this.#sockets) socket.destroy();
    return closed;
  }

  /** The version that a browser sees. */
  get seen() {
    return this.version || this.real;
  }

  #serve(request, reply) {
    const [path] = request.url.split('?');
    this.asked.push(path);
    const other = this.answers.get(path);
    if (other === 'never') return undefined;
    if (other?.text) return reply.writeHead(200, { 'Content-Type': 'text/javascript' }).end(other.text);
    if (other) return reply.writeHead(other, { 'Cache-Control': 'no-store' }).end();
    const headers = { ...request.headers, host: new URL(this.server.url).host, ...(NAMING.test(request.url) ? { 'accept-encoding': 'identity', 'if-none-match': '' } : {}) };
    const target = { port: this.server.port, method: request.method, path: request.url.replace(`/assets/${this.seen}/`, `/assets/${this.real}/`), headers };
    const forward = http.request(target, (answer) => this.#pass(request, answer, reply)).on('error', () => reply.destroy());
    request.pipe(forward);
    return reply.on('close', () => forward.destroy());
  }

  #pass(request, answer, reply) {
    if (!NAMING.test(request.url) || !this.version) return answer.pipe(reply.writeHead(answer.statusCode, answer.headers));
    const parts = [];
    answer.on('data', (part) => parts.push(part)).on('end', () => {
      const text = Buffer.concat(parts).toString().replaceAll(this.real, this.version).replace(/^(const \[KEY, \.\.\.FILES\] = \[')[0-9a-f]{12}/m, `$1${this.version}`);
      const { 'content-length': length, etag, ...headers } = answer.headers;
      reply.writeHead(answer.statusCode, headers).end(text);
    });
    return undefined;
  }
}
