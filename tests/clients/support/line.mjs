// A long and bad line: passes bytes on to a server after a time, in order. A lost packet is sent again after a second, as
// TCP does, and everything behind it waits; now and then a connection is reset, or the line is silent.

import net from 'node:net';

const AGAIN_MS = 1000;

export class Line {
  /** Opens a line to the server at this URL. One of `lossEvery` packets is lost, one of `resetEvery` ends its connection. */
  static async open(target, { delayMs = 0, lossEvery = Infinity, resetEvery = Infinity } = {}) {
    const line = new Line();
    Object.assign(line, { target, delayMs, lossEvery, resetEvery });
    line.server = net.createServer((near) => line.#connect(near));
    await new Promise((done) => line.server.listen(0, '127.0.0.1', done));
    line.url = `http://127.0.0.1:${line.server.address().port}`;
    return line;
  }

  /** Nothing passes, without an error; connections can still be made. */
  silent = false;
  #packets = 0;
  /** The numbers of packets that were lost, and of connections that were reset. */
  lost = 0;
  wereReset = 0;
  #sockets = new Set();

  #connect(near) {
    const far = net.connect(new URL(this.target).port, '127.0.0.1');
    const end = () => {
      near.destroy();
      far.destroy();
      this.#sockets.delete(near);
    };
    this.#sockets.add(near);
    near.setNoDelay();
    far.setNoDelay();
    for (const [from, to] of [[near, far], [far, near]]) {
      from.on('error', end);
      this.#pass(from, to, end);
    }
  }

  /** One direction. */
  #pass(from, to, end) {
    let due = 0; // nothing overtakes what is before it
    const send = (run) => {
      due = Math.max(due, performance.now() + this.delayMs);
      if (this.#packets % this.lossEvery === 20) {
        this.lost++;
        due += AGAIN_MS;
      }
      setTimeout(run, due - performance.now());
    };
    from.on('data', (bytes) => {
      if (this.silent) return;
      this.#packets++;
      if (this.#packets % this.resetEvery === 30) {
        this.wereReset++;
        end();
      } else {
        send(() => to.destroyed || to.write(bytes));
      }
    });
    from.on('close', () => this.silent || send(end));
  }

  /** Resets all connections. */
  cut() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close() {
    const closed = new Promise((done) => this.server.close(done));
    this.silent = false;
    this.cut();
    await closed;
  }
}
