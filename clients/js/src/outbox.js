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
/** The time to wait for an answer before the change is sent again, at first and at most. */
const ANSWER_MS = 4000;
const ANSWER_MAX_MS = 20000;
/** Without an answer for this time the server is slow. */
const SLOW_MS = 1000;

/**
 * A requested change. `turns`: what it does, if that is known here; `revision`: of its entry, once it is made;
 * `expects`: for undo and redo, the revision of the entry that they are about, if that is known.
 * @typedef {{
 *   kind: 'moves' | 'undo' | 'redo' | 'reset' | 'scramble',
 *   body: {moves?: string, notation?: Notation, count?: number, seed?: string},
 *   turns: LayerTurn[] | null,
 *   done: (written: WrittenEntry) => void,
 *   failed: (error: unknown) => void,
 *   revision?: number,
 *   expects?: () => number | undefined,
 * }} Change
 */

/**
 * Changes that are sent as one entry. `settled`: its entry came before its answer.
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
 * The owner of an outbox. `isDue`: whether an undo or redo still means the entry that it was made for.
 * @typedef {{
 *   revision: () => number,
 *   isDue: (change: Change) => boolean,
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
  /** The batch that is under way. @type {Batch | null} */
  #batch = null;
  #running = false;
  /** The newest revision that an answer had: the host may not have all entries up to it. */
  #written = -1;
  /** True if the answer to a request is late, or said that nothing can be stored now. */
  isSlow = false;

  /**
   * @param {import('./session.js').Session} session
   * @param {Host} host
   */
  constructor(session, host) {
    this.#session = session;
    this.#host = host;
  }

  /** The number of changes without an answer. */
  get size() {
    return this.#changes.length;
  }

  get batch() {
    return this.#batch;
  }

  /** The changes that are not under way. */
  get unsent() {
    return this.#changes.slice(this.#batch?.changes.length ?? 0);
  }

  /** The turns that are made here already: up to the first change whose effect is not known. */
  get turns() {
    const settled = this.#batch?.settled ? this.#batch.changes.length : 0;
    const rest = this.#changes.slice(settled);
    const unknown = rest.findIndex((change) => !change.turns);
    return rest.slice(0, unknown < 0 ? rest.length : unknown).flatMap((change) => change.turns ?? []);
  }

  /** True if the next change with known turns can be shown at once. */
  get isKnown() {
    return this.#changes.every((change) => change.turns);
  }

  /** @param {Change} change */
  add(change) {
    this.#changes.push(change);
    if (!this.#running) this.#run();
  }

  /**
   * Forgets the newest change, which was not sent.
   * @param {string} why
   */
  withdraw(why) {
    this.#changes.pop()?.failed(new DOMException(why, 'AbortError'));
  }

  /** Forgets the changes that were never sent. */
  discard() {
    while (this.unsent.length > 0) this.withdraw('The change was discarded.');
  }

  /** Tries again now. */
  wake() {
    this.#wake.abort();
  }

  /**
   * Sends nothing more. Returns the changes without an answer, which fail.
   * @param {unknown} reason
   */
  close(reason) {
    this.#closed.abort(reason);
    this.#wake.abort();
    this.#batch = null;
    const gone = this.#changes.splice(0);
    gone.forEach((change) => change.failed(reason));
    return gone;
  }

  async #run() {
    this.#running = true;
    for (let failures = 0; this.#changes.length > 0; ) {
      if (!this.#batch && isOffline()) {
        await this.#rest(failures++);
        continue;
      }
      const batch = this.#batch ?? this.#next();
      if (!this.#batch && !this.#isDue(batch)) {
        this.#refuse(batch, changedBetween(batch.kind), { alone: true });
        continue;
      }
      this.#batch = batch;
      try {
        const written = await this.#send(batch, failures);
        this.#noticeSlow(false);
        this.#finish(batch, written);
        this.#host.saved(written);
        batch.changes.forEach((change) => change.done(written));
        failures = 0;
      } catch (error) {
        if (this.#closed.signal.aborted) break;
        if (error instanceof Problem) this.#noticeSlow(error.status === 503 && isTemporary(error));
        if (isTemporary(error)) await this.#rest(failures++, error);
        else if (error instanceof Problem && error.kind === 'stale-revision') await this.#rebase(batch, error);
        else this.#refuse(batch, error);
      }
    }
    this.#running = false;
  }

  /**
   * @param {Batch} batch
   * @param {number} failures
   */
  async #send({ kind, body, key, revision }, failures) {
    const timeoutMs = Math.min(ANSWER_MS * 2 ** failures, ANSWER_MAX_MS);
    const options = { key, revision, minimal: true, signal: this.#closed.signal, attempts: 1, timeoutMs };
    const slow = setTimeout(() => this.#noticeSlow(true), SLOW_MS);
    try {
      return await this.#session.change(kind, body, options);
    } catch (error) {
      if (!(error instanceof Problem)) this.#noticeSlow(true);
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  /** @param {boolean} isSlow */
  #noticeSlow(isSlow) {
    if (this.isSlow === isSlow || this.#closed.signal.aborted) return;
    this.isSlow = isSlow;
    this.#host.waited();
  }

  /**
   * The next changes as one entry: those whose effect is known are joined, if they are of one kind.
   * @returns {Batch}
   */
  #next() {
    const [first] = this.#changes;
    const changes = [first];
    const turns = first.turns?.slice() ?? [];
    for (const change of first.turns ? this.#changes.slice(1) : []) {
      if (!change.turns || !isJoined(first, change) || turns.length + change.turns.length > JOINED_MAX) break;
      changes.push(change);
      turns.push(...change.turns);
    }
    const { kind } = first;
    const revision = kind === 'reset' ? undefined : this.#revision;
    return { changes, kind, body: bodyOf(changes), turns: first.turns && turns, key: newKey(), revision, settled: false };
  }

  /** The newest revision that is known here. */
  get #revision() {
    return Math.max(this.#host.revision(), this.#written);
  }

  /** @param {Batch} batch */
  #isDue({ changes: [first] }) {
    return !isRestoring(first) || this.#written > this.#host.revision() || this.#host.isDue(first);
  }

  /**
   * Somebody was faster: makes the same turns on top of theirs. What undo or redo would do now is something else than
   * what was asked for.
   * @param {Batch} batch
   * @param {Problem} problem
   */
  async #rebase(batch, problem) {
    const { missed, revision } = problem.details;
    Object.assign(batch, { settled: false, revision: undefined }); // it was not made: none of the entries is it
    await this.#host.missed(missed ?? [], revision ?? 0).catch(() => this.#rest(0));
    if (this.#closed.signal.aborted) return;
    if (isRestoring(batch)) this.#refuse(batch, changedBetween(batch.kind), { alone: true });
    else this.#batch = { ...batch, key: newKey(), revision: this.#revision, settled: false };
  }

  /**
   * Takes back what was refused, and what was made because of it: turns that were shown go together with those that were
   * made after them, on a cube that there never was; an undo goes with what it was to take back. `alone`: the turns
   * after it can be made all the same.
   * @param {Batch} batch
   * @param {unknown} problem
   * @param {{alone?: boolean}} [options]
   */
  #refuse(batch, problem, { alone = false } = {}) {
    this.#finish(batch);
    const others = this.#changes.findIndex((change) => !isRestoring(change));
    const because = alone || !batch.turns ? others : -1;
    const gone = [...batch.changes, ...this.#changes.splice(0, because < 0 ? this.#changes.length : because)];
    this.#host.refused(gone, problem);
    gone.forEach((change) => change.failed(problem));
  }

  /**
   * @param {Batch} batch
   * @param {WrittenEntry} [written]
   */
  #finish(batch, written) {
    this.#changes.splice(0, batch.changes.length);
    this.#batch = null;
    if (!written) return;
    this.#written = written.revision;
    for (const change of batch.changes) change.revision = written.revision;
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

/** @param {{kind: Change['kind']}} change */
const isRestoring = ({ kind }) => kind === 'undo' || kind === 'redo';

/** @param {Change} change */
const isTimed = ({ body }) => body.moves?.includes('@') ?? false;

/**
 * Returns true if these changes can be one entry.
 * @param {Change} first
 * @param {Change} next
 */
function isJoined(first, next) {
  if (next.kind !== first.kind || next.kind === 'reset' || next.kind === 'scramble') return false;
  return isTimed(first) === isTimed(next);
}

/**
 * @param {Change[]} changes
 * @returns {Change['body']}
 */
function bodyOf(changes) {
  if (changes.length === 1) return changes[0].body;
  if (isRestoring(changes[0])) return { count: changes.reduce((sum, { body }) => sum + (body.count ?? 1), 0) };
  return { moves: changes.map((change) => change.body.moves).join(' ') };
}

/** @param {Change['kind']} kind */
const changedBetween = (kind) => new Problem({
  type: 'urn:cubed:problem:stale-revision',
  title: 'The cube was changed before',
  status: 409,
  detail: `Somebody changed the cube before your ${kind}, so it was not made.`,
});
