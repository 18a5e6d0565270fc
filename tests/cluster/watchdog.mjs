// watchdog.mjs: the watchdog of a machine that runs Patroni: what /dev/watchdog does, for Patroni's own driver for tests,
// which writes to a named pipe. It is not a part of the machine: when that stands still, this does not.

import { execFileSync } from 'node:child_process';
import { chownSync, constants, openSync } from 'node:fs';
import net from 'node:net';

export class Watchdog {
  /** Resets of the machine so far. */
  resets = 0;

  /** Makes the pipe at `path`, for `user` ([uid, gid] or null). `reset` is called when Patroni was silent for too long. */
  constructor(path, user, reset) {
    execFileSync('mkfifo', ['-m', '600', path]);
    if (user) chownSync(path, ...user);
    this.reset = reset;
    // Open for writing too: so it does not end when Patroni closes it.
    this.pipe = new net.Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true, writable: false });
    this.pipe.on('data', (bytes) => this.#hear(bytes.toString('latin1')));
    this.pipe.on('error', () => this.stop());
  }

  /** "Ctimeout=15\n" sets the time, "V" ends the watch, anything else keeps the machine alive. */
  #hear(text) {
    this.#arm(false);
    const [, seconds] = /Ctimeout=(\d+)\n/.exec(text) ?? [];
    if (seconds) this.ms = Number(seconds) * 1000;
    if (text.endsWith('V')) this.ms = undefined;
    this.#arm(this.ms !== undefined);
  }

  #arm(on) {
    clearTimeout(this.timer);
    this.kept = true;
    if (on) this.timer = setTimeout(() => this.#look(), this.ms);
  }

  /** The time is over; but if this process was busy, what Patroni wrote in time may not have been read yet. */
  #look() {
    this.kept = false;
    setImmediate(() => setImmediate(() => {
      if (this.kept || this.ms === undefined) return;
      this.ms = undefined;
      this.resets++;
      this.reset();
    }));
  }

  /** The machine has no power. */
  off() {
    this.ms = undefined;
    this.#arm(false);
  }

  stop() {
    this.off();
    this.pipe.destroy();
  }
}
