// probe.js: asks a silent server whether it still answers, so that a dead line is noticed before the next ping is due.

/** An answer must come within this time. */
const ANSWER_MS = 1000;
/** After so many questions without an answer the line is given up. */
const QUESTIONS_MAX = 3;

export class Probe {
  #transport;
  #quietMs;
  #host;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #stopped = new AbortController();

  /**
   * Asks after `quietMs` of silence; 0: never. `heard`: whether there was an answer; `dead`: there were none.
   * @param {import('./transport.js').Transport} transport
   * @param {number} quietMs
   * @param {{heard: (answered: boolean) => void, dead: () => void}} host
   */
  constructor(transport, quietMs, host) {
    this.#transport = transport;
    this.#quietMs = quietMs;
    this.#host = host;
    this.noticeBytes();
  }

  /** Something came: asks only if it is silent again. */
  noticeBytes() {
    clearTimeout(this.#timer);
    if (this.#quietMs > 0 && !this.#stopped.signal.aborted) this.#timer = setTimeout(() => this.#ask(), this.#quietMs);
  }

  stop() {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  async #ask() {
    const { signal } = this.#stopped;
    for (let questions = 0; questions < QUESTIONS_MAX; questions++) {
      const begin = Date.now();
      const request = { path: '/healthz', token: null, timeoutMs: ANSWER_MS, signal };
      const answered = await this.#transport.once(request).then(() => true, () => false);
      if (signal.aborted) return;
      this.#host.heard(answered);
      if (answered) return this.noticeBytes();
      await new Promise((done) => setTimeout(done, ANSWER_MS - (Date.now() - begin)));
      if (signal.aborted) return;
    }
    this.#host.dead();
  }
}
