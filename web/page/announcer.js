// announcer.js: what is read aloud of what happens: who turned what, joined if much comes at once.

import { sameTurns, parseMoves } from '../client/moves.js';
import { turnsWords } from './cube/words.js';
import { t } from './words.js';

/** Silence after the last event before it is read, and the longest that anything waits. */
const QUIET_MS = 500;
const LONGEST_MS = 2500;

const ROLES = { owner: t('The owner'), editor: t('An editor'), viewer: t('A viewer') };
const KINDS = { undo: t('undo'), redo: t('redo'), reset: t('reset'), scramble: t('scramble~done') };

const nameOf = (actor) => actor?.label || ROLES[actor?.role] || t('Somebody');

export class Announcer {
  #say;
  #pause;
  /** The entries that wait to be read: {who, turns} or {who, words}. */
  #pending = [];
  /** Own turns whose entry has not come yet. */
  #own = [];
  #claimed = new Set();
  #isSelf = () => false;
  #timer = null;
  #since = 0;

  /**
   * @param {(text: string) => void} say
   * @param {{set: (run: () => void, ms: number) => unknown, clear: (timer: unknown) => void, now: () => number}} [clock]
   */
  constructor(say, clock = { set: setTimeout.bind(globalThis), clear: clearTimeout.bind(globalThis), now: () => performance.now() }) {
    this.#say = say;
    this.#pause = clock;
    this.size = 3;
  }

  /** Another cube is open; `isSelf(actor)`: whether an actor is this person. */
  open(size, isSelf = () => false) {
    this.size = size;
    this.#isSelf = isSelf;
    this.#pending = [];
    this.#own = [];
    this.#claimed.clear();
  }

  turned({ turns, by }) {
    if (by === 'others') return; // their entry says who
    this.#own.push(...turns);
    this.#add({ who: t('You'), turns });
  }

  entry({ entry }) {
    const turns = entry.moves == null ? null : parseMoves(entry.moves, this.size);
    const { revision } = entry;
    const words = KINDS[entry.kind] ?? entry.kind;
    if (this.#isOwn(turns)) {
      if (entry.kind !== 'moves') this.#sayInstead(turns, words);
      return;
    }
    const claimed = this.#claimed.has(revision);
    const who = claimed || this.#isSelf(entry.actor) ? t('You') : nameOf(entry.actor);
    if (entry.kind !== 'moves') this.#add({ who, words, revision });
    else if (!claimed) this.#add(turns ? { who, turns, revision } : { who, words: t('many turns'), revision });
  }

  /** An own change is saved: its entry is none of others. */
  saved({ written }) {
    this.#claimed.add(written.revision);
    for (const one of this.#pending) if (one.revision === written.revision) one.who = t('You');
    this.#pending = this.#pending.filter((one) => one.revision !== written.revision || one.words);
  }

  refused() {
    this.#own = [];
    this.note(t('Your change was taken back.'));
  }

  /** Anything else that is worth saying. */
  note(words) {
    this.#add({ who: '', words });
  }

  /** Returns true if an entry is the next of the own turns, and removes these. */
  #isOwn(turns) {
    if (!turns?.length || !sameTurns(this.#own.slice(0, turns.length), turns)) return false;
    this.#own.splice(0, turns.length);
    return true;
  }

  /** Reads a word such as `undo` in place of own turns that wait to be read; nothing more if they were read already. */
  #sayInstead(turns, words) {
    const waiting = this.#pending.findLast((one) => one.turns && sameTurns(one.turns, turns));
    if (waiting) Object.assign(waiting, { turns: null, words });
  }

  #add(what) {
    const { now, set, clear } = this.#pause;
    if (this.#pending.length === 0) this.#since = now();
    this.#pending.push(what);
    clear(this.#timer);
    this.#timer = set(() => this.#flush(), Math.max(0, Math.min(QUIET_MS, this.#since + LONGEST_MS - now())));
  }

  #flush() {
    const parts = [];
    for (const { who, turns, words } of this.#pending) {
      const last = parts.at(-1);
      if (turns && last?.turns && last.who === who) last.turns.push(...turns);
      else parts.push({ who, words, turns: turns ? [...turns] : null });
    }
    this.#pending = [];
    const text = parts.map(({ who, turns, words }) => `${who ? `${who}: ` : ''}${turns ? turnsWords(turns, this.size) : words}`);
    if (text.length) this.#say(text.map((part) => (/[.!?。！？]$/.test(part) ? part : `${part}.`)).join(' '));
  }
}
