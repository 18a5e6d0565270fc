// outbox.js: own changes of a live cube on their way to the server, in order and each made once.
//
// One request is under way at a time. Turns that are made meanwhile wait, and go as one entry with the next. Without an
// answer it is unknown whether a change was made, so it is sent again with the same key until there is an answer.

import { Problem } from './problem.js';
import { newKey } from './random.js';
import { isTemporary } from './transport.js';
import { pause, waitMs } from './waiting.js';

/**
 * @import {LayerTurn} from './moves.js'
 * @import {Entry, Notation, WrittenEntry} from './types.js'
 */

/** Most moves of one entry that are joined from several changes. */
const JOINED_MAX = 1000;

/**
 * A change that was asked for. `turns`: what it does, if that is known here.
 * @typedef {{
 *   kind: 'moves' | 'undo' | 'redo' | 'reset' | 'scramble',
 *   body: {moves?: string, notation?: Notation, count?: number, seed?: string},
 *   turns: LayerTurn[] | null,
 *   done: (written: WrittenEntry) => void,
 *   failed: (error: unknown) => void,
 * }} Change
 */

/**
 * Changes that are sent as one entry. `settled`: its entry has come before its answer.
 * @typedef {{
 *   changes: Change[],
 *   kind: Change['kind'],
 *   body: Change['body'],
 *   turns: LayerTurn[] | null,
 *   key: string,
 *   revision: number | undefined,
 *   settled: boolean,
 * }} Batch
 */

/**
 * The owner of an outbox.
 * @typedef {{
 *   revision: () => number,
 *   saved: (written: WrittenEntry) => void,
 *   missed: (entries: Entry[], revision: number) => Promise<void>,
 *   refused: (changes: Change[], problem: unknown) => void,
 *   waited: () => void,
 * }} Host
 */

export class Outbox {
  #session;
  #host;
  #closed = new AbortController();
  #wake = new AbortController();
  /** Changes in order; the first ones are those of the batch. @type {Change[]} */
  #changes = [];
  /** What is under way. @type {Batch | null} */
  #batch = null;
  #running = false;

  /**
   * @param {import('./session.js').Session} session
   * @param {Host} host
   */
  constructor(session, host) {
    this.#session = session;
    this.#host = host;
  }

  /** Changes without an answer. */
  get size() {
    return this.#changes.length;
  }

  get batch() {
    return this.#batch;
  }

  /** The turns that are made here already: up to the first change whose effect is not known. */
  get turns() {
    const settled = this.#batch?.settled ? this.#batch.changes.length : 0;
    const rest = this.#changes.slice(settled);
    const unknown = rest.findIndex((change) => !change.turns);
    return rest.slice(0, unknown < 0 ? rest.length : unknown).flatMap((change) => change.turns ?? []);
  }

  /** Whether the next change with known turns can be shown at once. */
  get isKnown() {
    return this.#changes.every((change) => change.turns);
  }

  /** @param {Change} change */
  add(change) {
    this.#changes.push(change);
    if (!this.#running) this.#run();
  }

  /** Forgets the changes that were never sent. */
  discard() {
    const gone = this.#changes.splice(this.#batch?.changes.length ?? 0);
    gone.forEach((change) => change.failed(new DOMException('The change was discarded.', 'AbortError')));
  }

  /** Tries again now. */
  wake() {
    this.#wake.abort();
  }

  close() {
    this.#closed.abort(new DOMException('The cube was closed.', 'AbortError'));
    this.#wake.abort();
    this.#changes.splice(0).forEach((change) => change.failed(this.#closed.signal.reason));
  }

  async #run() {
    this.#running = true;
    for (let failures = 0; this.#changes.length > 0; ) {
      if (!this.#batch && isOffline()) {
        await this.#rest(failures++);
        continue;
      }
      const batch = (this.#batch ??= this.#next());
      try {
        const written = await this.#send(batch);
        this.#finish(batch);
        this.#host.saved(written);
        batch.changes.forEach((change) => change.done(written));
        failures = 0;
      } catch (error) {
        if (this.#closed.signal.aborted) break;
        if (isTemporary(error)) await this.#rest(failures++, error);
        else if (error instanceof Problem && error.kind === 'stale-revision') await this.#rebase(batch, error);
        else this.#refuse(batch, error);
      }
    }
    this.#running = false;
  }

  /** @param {Batch} batch */
  #send({ kind, body, key, revision }) {
    return this.#session.change(kind, body, { key, revision, minimal: true, signal: this.#closed.signal });
  }

  /**
   * The next changes as one entry: turns whose effect is known are joined.
   * @returns {Batch}
   */
  #next() {
    const [first] = this.#changes;
    const changes = [first];
    let turns = first.turns ?? [];
    for (const change of first.turns ? this.#changes.slice(1) : []) {
      if (!change.turns || isTimed(change) !== isTimed(first) || turns.length + change.turns.length > JOINED_MAX) break;
      changes.push(change);
      turns = [...turns, ...change.turns];
    }
    const body = changes.length === 1 ? first.body : { moves: changes.map((change) => change.body.moves).join(' ') };
    const revision = first.kind === 'moves' ? this.#host.revision() : undefined;
    return { changes, kind: first.kind, body, turns: first.turns && turns, key: newKey(), revision, settled: false };
  }

  /**
   * Somebody was faster: makes the same turns on top of theirs.
   * @param {Batch} batch
   * @param {Problem} problem
   */
  async #rebase(batch, problem) {
    const { missed, revision } = problem.details;
    Object.assign(batch, { settled: false, revision: undefined }); // it was not made: none of the entries is it
    await this.#host.missed(missed ?? [], revision ?? 0).catch(() => this.#rest(0));
    this.#batch = { ...batch, key: newKey(), revision: this.#host.revision(), settled: false };
  }

  /**
   * Turns that were shown go together with those that were made after them, on a cube that there never was.
   * @param {Batch} batch
   * @param {unknown} problem
   */
  #refuse(batch, problem) {
    this.#finish(batch);
    const gone = [...batch.changes, ...(batch.turns ? this.#changes.splice(0) : [])];
    this.#host.refused(gone, problem);
    gone.forEach((change) => change.failed(problem));
  }

  /** @param {Batch} batch */
  #finish(batch) {
    this.#changes.splice(0, batch.changes.length);
    this.#batch = null;
  }

  /**
   * @param {number} failures
   * @param {unknown} [error]
   */
  async #rest(failures, error) {
    this.#host.waited();
    this.#wake = new AbortController();
    await pause(waitMs(failures, error), this.#wake.signal).catch(() => {});
  }
}

/** Browsers know when there is no network at all: what is not sent then can still be discarded. */
const isOffline = () => globalThis.navigator?.onLine === false;

/** @param {Change} change */
const isTimed = ({ body }) => body.moves?.includes('@') ?? false;
