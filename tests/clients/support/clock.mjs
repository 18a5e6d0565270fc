// A clock that only the test moves: setTimeout() waits for it, until restore().

export class Clock {
  #now = 0;
  #timers = new Map();
  #real = { setTimeout, clearTimeout };

  constructor() {
    globalThis.setTimeout = (run, ms = 0, ...args) => {
      const timer = { ref: () => timer, unref: () => timer, refresh: () => timer }; // as Node's own connections need it
      this.#timers.set(timer, { run: () => run(...args), due: this.#now + ms });
      return timer;
    };
    globalThis.clearTimeout = (timer) => this.#timers.delete(timer) || this.#real.clearTimeout(timer);
  }

  /** Lets time pass, after everything that goes on without it; runs what is due. */
  async pass(ms) {
    await settle();
    this.#now += ms;
    for (const [timer, { run, due }] of [...this.#timers]) {
      if (due > this.#now) continue;
      this.#timers.delete(timer);
      run();
    }
    await settle();
  }

  restore() {
    Object.assign(globalThis, this.#real);
  }
}

/** Everything that needs no time is done. */
async function settle() {
  for (let i = 0; i < 10; i++) await new Promise((done) => setImmediate(done));
}
