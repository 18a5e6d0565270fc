// link.js: the page's connection to the server: receives a session's events, sends changes in order, each once.
//
// The events are read by fetch as lines of JSON, not by EventSource: so the token goes in a header and never in an address,
// and missing pings reveal a dead connection. A broken stream continues after the last event that was read.
//
// Each change has its own Idempotency-Key. Without an answer it is unknown whether the change was applied, so it is sent again with
// the same key until there is an answer; later changes wait. The state of the cube comes from the events only.

const SILENT_MS = 40000; // the server pings every 15 s
const ANSWER_MS = 20000;
const WAIT_MS = [300, 1000, 2000, 4000, 8000];

/** Statuses after which the same change is sent again later. */
const LATER = [429, 500, 502, 503, 504];

export class Problem extends Error {
  constructor(status, details) {
    super(details.detail ?? details.title ?? `The server answered ${status}.`);
    this.status = status;
    this.details = details;
  }
}

/** A unique key; crypto.randomUUID is missing if the page was not loaded over HTTPS. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const waitFor = (turn) => WAIT_MS[Math.min(turn, WAIT_MS.length - 1)] * (0.75 + Math.random() / 2);

async function problemOf(response) {
  const details = await response.json().catch(() => ({}));
  return new Problem(response.status, details);
}

function headersOf(token, more = {}) {
  return { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more };
}

/** Sends a request and returns its JSON. Throws a Problem, or a TypeError if there was no answer. */
export async function call(method, path, { token, body, key, signal } = {}) {
  const response = await fetch(path, {
    method,
    signal: signal ?? AbortSignal.timeout(ANSWER_MS),
    headers: headersOf(token, { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...(key ? { 'Idempotency-Key': key } : {}) }),
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!response.ok) {
    const problem = await problemOf(response);
    problem.retryMs = Number(response.headers.get('Retry-After') ?? 0) * 1000;
    throw problem;
  }
  return response.status === 204 ? null : response.json();
}

/** Creates something (a session, a token); repeats the request with one key until there is an answer. */
export async function make(path, { token, body }) {
  const key = newKey();
  for (let turn = 0; ; turn++) {
    try {
      return await call('POST', path, { token, body, key });
    } catch (error) {
      if (turn === 3 || (error instanceof Problem && !LATER.includes(error.status))) throw error;
      await new Promise((done) => setTimeout(done, waitFor(turn)));
    }
  }
}

/** The lines of a body, as they arrive. */
async function* linesOf(body, heard) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    yield* lines.filter(Boolean);
  }
}

export class Link {
  #on;
  #waiting = []; // changes without an answer yet, oldest first
  #draining = false;
  #wakes = new Set();
  #closed = false;
  #stream = null; // aborts it
  #last = null; // the id of the last event
  #failures = 0;
  #restarted = false; // the stream was ended by refresh()

  /** `on`: state(session), session(its settings), entry(entry), presence(who), solved(), status(), answered(change, written), refused(change, problem), ended(problem). */
  constructor(id, token, on) {
    this.path = `/v1/sessions/${id}`;
    this.token = token;
    this.#on = on;
    this.online = false;
    this.revision = null;
    this.wake = () => this.#wakes.forEach((wake) => wake());
    this.lost = () => this.#stream?.abort();
    addEventListener('online', this.wake);
    addEventListener('offline', this.lost);
    this.#watch();
  }

  close() {
    this.#closed = true;
    this.#waiting = [];
    removeEventListener('online', this.wake);
    removeEventListener('offline', this.lost);
    this.#stream?.abort();
    this.wake();
  }

  call(method, path, body) {
    return call(method, this.path + path, { token: this.token, body });
  }

  /** How many changes have no answer yet. */
  get waiting() {
    return this.#waiting.length;
  }

  /** Sends a change (`moves`, `undo`, ...) after the waiting ones; `more` is kept with it, for `answered` and `refused`. */
  send(what, body = {}, more = {}) {
    this.#waiting.push({ what, body, key: newKey(), sent: false, ...more });
    this.#on.status();
    this.#drain();
  }

  /** Discards the changes that were never sent. */
  discard() {
    this.#waiting = this.#waiting.filter((change) => change.sent);
    this.#on.status();
  }

  /** Reads the whole state again, from a new stream. */
  refresh() {
    this.#last = null;
    this.#restarted = true;
    this.#stream?.abort();
  }

  #pause(ms) {
    return new Promise((done) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        done();
      };
      const timer = setTimeout(wake, ms);
      this.#wakes.add(wake);
    });
  }

  async #drain() {
    if (this.#draining) return;
    this.#draining = true;
    for (let turn = 0; this.#waiting.length > 0; ) {
      const [change] = this.#waiting;
      if (!change.sent && !navigator.onLine) {
        await this.#pause(WAIT_MS.at(-1));
        continue;
      }
      const retryMs = await this.#attempt(change, turn);
      turn = retryMs === null ? 0 : turn + 1;
      if (retryMs === null) this.#waiting = this.#waiting.filter((one) => one !== change);
      else await this.#pause(retryMs);
      if (!this.#closed) this.#on.status();
    }
    this.#draining = false;
  }

  /** Sends a change once. Returns null if it is settled, otherwise the time until the next attempt. */
  async #attempt(change, turn) {
    change.sent = true;
    try {
      const written = await call('POST', `${this.path}/${change.what}`, { token: this.token, body: change.body, key: change.key });
      this.#on.answered(change, written);
    } catch (error) {
      if (!(error instanceof Problem)) return waitFor(turn);
      if (LATER.includes(error.status)) return Math.max(error.retryMs, waitFor(turn));
      this.#on.refused(change, error);
    }
    return null;
  }

  #setOnline(online) {
    if (this.online === online) return;
    this.online = online;
    if (online) this.wake();
    this.#on.status();
  }

  async #watch() {
    while (!this.#closed) {
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof Problem && !LATER.includes(error.status)) {
          this.close();
          this.#on.ended(error);
          return;
        }
      }
      if (this.#closed) return;
      if (this.#restarted) {
        this.#restarted = false;
        continue;
      }
      this.#setOnline(false);
      await this.#pause(waitFor(this.#failures++));
    }
  }

  /** Reads the stream until it ends. */
  async #read() {
    const stream = new AbortController();
    this.#stream = stream;
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stream.abort(), SILENT_MS);
    };
    heard();
    try {
      const response = await fetch(`${this.path}/events`, {
        signal: stream.signal,
        headers: headersOf(this.token, { Accept: 'application/x-ndjson', ...(this.#last ? { 'Last-Event-ID': this.#last } : {}) }),
      });
      if (!response.ok) throw await problemOf(response);
      this.#setOnline(true);
      for await (const line of linesOf(response.body, heard)) {
        if (stream.signal.aborted) return;
        this.#failures = 0;
        this.#take(JSON.parse(line));
      }
    } finally {
      clearTimeout(timer);
      stream.abort();
    }
  }

  #take({ event, id, data }) {
    if (event === 'presence') this.#on.presence(data);
    if (event === 'solved') this.#on.solved();
    if (event === 'session') this.#on.session(data);
    if (event === 'state' || event === 'resync') {
      this.revision = data.revision;
      this.#last = id;
      this.#on.state(data);
    } else if (event === 'entry' && data.revision > this.revision) {
      if (data.revision !== this.revision + 1) return this.refresh();
      this.revision = data.revision;
      this.#last = id;
      this.#on.entry(data);
    }
  }
}
