// support.mjs: what the tests of live sessions share: writing, watching, comparing.
import http from 'node:http';
import { happens } from '../support/patience.mjs';

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

/** A request; answers {status, json, text}, or null if there was no whole answer. */
export function ask(port, method, path, json, headers = {}) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const sent = body === undefined ? headers : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
  return new Promise((answered) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, agent, headers: sent }, (response) => {
      const parts = [];
      response.on('data', (bytes) => parts.push(bytes));
      response.on('error', () => answered(null));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const type = response.headers['content-type'] ?? '';
        answered({ status: response.statusCode, headers: response.headers, text, json: type.includes('json') && !type.includes('ndjson') && text ? JSON.parse(text) : undefined });
      });
    });
    request.on('error', () => answered(null));
    request.end(body);
  });
}

/** The headers that the owner of a session sends, by its path. */
const owners = new Map();
export const owner = (path) => owners.get(path) ?? {};

/** A new session that everybody may turn; its path. */
export async function session(port, size = 3) {
  const { status, json } = await ask(port, 'POST', '/v1/sessions', { size, access: 'edit' });
  if (status !== 201) throw new Error(`no session: ${status}`);
  const path = `/v1/sessions/${json.id}`;
  if (json.token) owners.set(path, { authorization: `Bearer ${json.token}` });
  return path;
}

/**
 * A watcher. `events` are {name, id, data}; `last` is the id to go on from. It checks by itself that each entry
 * comes once, in order, and remembers the first `fault`.
 */
export class Watcher {
  constructor(path, query = '') {
    Object.assign(this, { path, query, last: null, revision: null, events: 0, entries: 0, resyncs: 0, states: 0, solved: 0, pings: 0, facelets: null, presence: null, went: [], fault: null, rest: '', connects: 0, ended: true });
  }

  /** Opens the stream, behind what it has seen; resolves when its head is there (the status), or null. */
  open(port, { pause = false, extra = {}, request_module = http, ...options } = {}) {
    this.rest = '';
    this.ended = false;
    this.connects++;
    this.resumes = this.last !== null;
    const headers = { accept: 'text/event-stream', ...(this.last && { 'last-event-id': this.last }), ...extra };
    return new Promise((opened) => {
      const request = request_module.request({ host: '127.0.0.1', port, path: `${this.path}/events${this.query}`, headers, agent: false, ...options }, (response) => {
        this.response = response;
        response.setEncoding('utf8');
        const current = () => this.request === request;
        response.on('data', (text) => current() && this.take(text));
        response.on('error', () => {});
        response.on('close', () => current() && (this.ended = true));
        if (pause) response.pause();
        opened(response.statusCode);
      });
      request.on('error', () => {
        if (this.request === request) this.ended = true;
        opened(null);
      });
      this.request = request;
      request.end();
    });
  }

  close() {
    this.request?.destroy();
    this.request = null;
    this.ended = true;
  }

  pause() {
    this.response?.pause();
  }

  resume() {
    this.response?.resume();
  }

  wrong(what) {
    this.fault ??= `${what} (after revision ${this.revision})`;
  }

  take(text) {
    this.rest += text;
    for (let end; (end = this.rest.indexOf('\n\n')) >= 0; this.rest = this.rest.slice(end + 2)) this.event(this.rest.slice(0, end));
  }

  event(text) {
    if (text === ': ping') {
      this.pings++;
      return;
    }
    const fields = Object.fromEntries(text.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
    if (fields.retry) this.retry = Number(fields.retry);
    const data = JSON.parse(fields.data);
    this.events++;
    if (fields.id) {
      this.last = fields.id;
      if (Number(fields.id.split('-')[1]) !== data.revision) this.wrong(`the id ${fields.id} with revision ${data.revision}`);
    }
    if (fields.event === 'entry') {
      if (data.revision !== this.revision + 1) this.wrong(`entry ${data.revision}`);
      this.entries++;
      this.actor = data.actor;
    } else if (fields.event === 'state') {
      if (this.resumes) this.wrong('a state where it resumed');
      this.states++;
      this.from = data.revision;
    } else if (fields.event === 'resync') {
      this.resyncs++;
    } else if (fields.event === 'presence') {
      this.presence = data;
      this.went.push(...data.went);
      return;
    } else if (fields.event === 'session') {
      if (fields.id) this.wrong('a session with an id');
      this.about = data;
      return;
    } else if (fields.event === 'end') {
      this.end = data.reason;
      return;
    } else if (fields.event === 'solved') {
      this.solved++;
      return;
    } else {
      this.wrong(`an event ${fields.event}`);
    }
    this.revision = data.revision;
    this.facelets = data.cube?.facelets ?? null;
  }

  /** Waits until it is at that revision. */
  async at(revision) {
    await happens(() => this.revision >= revision, 5);
    return this.revision === revision;
  }
}

/** A random generator with a seed (Mulberry32): whole numbers below n. */
export function generator(state) {
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Bytes of memory that a process has now. */
export async function resident(pid) {
  const { readFile } = await import('node:fs/promises');
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
