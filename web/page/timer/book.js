// book.js: the solves of this browser, in a book on the server that nobody else sees. It is created with the first
// solve. What has no answer yet waits in the storage of the browser: no time is lost without a network or by a reload.

import { newKey } from '../../client/random.js';
import { Problem } from '../../client/problem.js';
import { isTemporary } from '../../client/transport.js';

const BOOK = 'cubed.book';
const WAITING = 'cubed.book.waiting';

/** Between attempts to send what waits. */
const AGAIN_MS = 5000;

/** The book is gone or closed to us; then a new one is made, unless the server has no books at all. */
const GONE = [401, 404, 410];

export class Book {
  #solves;
  #storage;
  #locks;
  #memory = new Map(); // used if the storage is forbidden
  #sending = null;
  #timer = null;

  /**
   * `solves`: those of a client; `storage`: as localStorage, or null; `locks`: as navigator.locks, for several tabs.
   * Reports with `onSaved(solve, body)`, `onRefused(problem, body)`, `onWaiting()`.
   */
  constructor({ solves, storage = null, locks = null, onSaved = () => {}, onRefused = () => {}, onWaiting = () => {} }) {
    this.#solves = solves;
    this.#storage = storage;
    this.#locks = locks;
    this.onSaved = onSaved;
    this.onRefused = onRefused;
    this.onWaiting = onWaiting;
  }

  /** {session, token}; null before the first solve. */
  get key() {
    return this.#read(BOOK, null);
  }

  /** Solves without an answer, oldest first: [{key, body}]. */
  get waiting() {
    return this.#read(WAITING, []);
  }

  /** Records a solve: kept at once, sent as soon as possible. */
  add(body) {
    const sent = { created_at: new Date().toISOString(), ...body };
    this.#write(WAITING, [...this.waiting, { key: newKey(), body: sent }]);
    this.onWaiting();
    return this.send();
  }

  /** Sends what waits. Resolves when nothing is being sent any more; what could not be sent is tried again later. */
  send() {
    this.#sending ??= this.#locked(() => this.#sendAll()).finally(() => {
      this.#sending = null;
      if (this.waiting.length > 0 && !this.#timer) this.send(); // added at the last moment
    });
    return this.#sending;
  }

  /** Reads a file of another timer into the book, except for solves that it has; without one, a new book is made. */
  async import(file, options) {
    return this.#locked(async () => {
      const answer = await this.#solves.import(file, { ...options, skip_known: true, token: this.key?.token ?? null });
      this.#keep(answer);
      return answer;
    });
  }

  /** Forgets that a solve waits: it is given up before it was sent. */
  drop(key) {
    this.#write(WAITING, this.waiting.filter((one) => one.key !== key));
    this.onWaiting();
  }

  async #sendAll() {
    for (let next; (next = this.waiting[0]); ) {
      try {
        const { token, ...solve } = await this.#solves.add(next.body, { token: this.key?.token ?? null, key: next.key });
        this.#keep({ session: solve.session, token });
        this.drop(next.key);
        this.onSaved(solve, next);
      } catch (error) {
        if (isTemporary(error) || !(error instanceof Problem)) return this.#later();
        if (GONE.includes(error.status) && error.kind !== 'no-such-route' && this.key) {
          this.#write(BOOK, null);
          continue;
        }
        this.drop(next.key);
        this.onRefused(error, next);
      }
    }
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.send();
    }, AGAIN_MS);
    this.onWaiting();
  }

  #keep({ session, token }) {
    if (token) this.#write(BOOK, { session, token });
  }

  /** One tab at a time: two first solves at once would make two books. */
  #locked(run) {
    return this.#locks ? this.#locks.request(BOOK, run) : run();
  }

  #read(name, fallback) {
    try {
      const text = this.#memory.get(name) ?? this.#storage?.getItem(name);
      return text ? (JSON.parse(text) ?? fallback) : fallback;
    } catch {
      return fallback;
    }
  }

  #write(name, value) {
    const text = JSON.stringify(value);
    try {
      if (!this.#storage) throw new Error('no storage');
      this.#storage.setItem(name, text);
      this.#memory.delete(name);
    } catch {
      this.#memory.set(name, text); // forbidden or full: it lasts as long as the page
    }
  }
}
