// session.js: one session: reading it, changing it, its tokens, and what happens in it.

import { LiveCube } from './live.js';
import { Pages } from './pages.js';

/**
 * @import {CallOptions, ChangeOptions, Cube, CubeOptions, Cue, CueAnswer, Entry, HistoryMatches} from './types.js'
 * @import {HistoryStages, Moves, Notation, Pattern, PictureOptions, Rebase, Role, SessionChangeRequest} from './types.js'
 * @import {SessionDetails, SessionEvent, TokenInfo, WrittenEntry} from './types.js'
 * @import {Request} from './transport.js'
 */

export class Session {
  #client;

  /**
   * Made by `createSession()` and `session()` of a client.
   * @param {import('./client.js').Cubed} client
   * @param {string} id
   * @param {string | null} token
   * @param {SessionDetails | null} [details]
   */
  constructor(client, id, token, details = null) {
    this.#client = client;
    this.feed = client.feed;
    this.id = id;
    /** The token of this session, or null. Keep it: the server shows it once. */
    this.token = token;
    /** The session as it was created; null for one that existed. */
    this.details = details;
    /** The ETag of the last answer about the session, for `ifMatch`. */
    this.etag = /** @type {string | null} */ (null);
    this.path = `/v1/sessions/${id}`;
    this.tokens = new Tokens(this);
  }

  /**
   * Sends a request about this session.
   * @param {Omit<Request, 'path'> & {path?: string}} request
   * @returns {Promise<any>}
   */
  async call({ path = '', ...request }) {
    const token = request.token === undefined ? this.token : request.token;
    const { headers, text } = await this.#client.transport.send({ ...request, path: this.path + path, token });
    this.etag = headers.get('ETag') ?? this.etag;
    return text === '' ? null : JSON.parse(text);
  }

  // ---- reading ----

  /**
   * @param {CubeOptions} [options]
   * @returns {Promise<SessionDetails>}
   */
  read({ signal, token, ...query } = {}) {
    return this.call({ query, signal, token });
  }

  /**
   * Its cube now, or `at` a revision.
   * @param {CubeOptions & {at?: number}} [options]
   * @returns {Promise<{revision: number, cube: Cube}>}
   */
  cube({ signal, token, ...query } = {}) {
    return this.call({ path: '/cube', query, signal, token });
  }

  /**
   * The address of a picture of its cube, now or `at` a revision, for an <img>. An address has no token: everybody who knows the
   * id must be allowed to see the session.
   * @param {{format?: 'svg' | 'png', at?: number} & PictureOptions} [query]
   */
  pictureUrl({ format = 'svg', ...query } = {}) {
    return this.#client.transport.url(`${this.path}/image.${format}`, query);
  }

  /**
   * Its entries, oldest first.
   * @param {CallOptions & {after?: number, limit?: number, turns?: boolean}} [options]
   * @returns {Pages<Entry>}
   */
  history({ signal, token, ...query } = {}) {
    return new Pages((position) => this.call({ path: '/history', query: { ...query, ...position }, signal, token }));
  }

  /**
   * Finds where a pattern came to hold in the history.
   * @param {{pattern: Pattern, first?: boolean, after?: number}} body
   * @param {CallOptions} [options]
   * @returns {Promise<HistoryMatches>}
   */
  find(body, options) {
    return this.call({ ...options, method: 'POST', path: '/find', body });
  }

  /**
   * The stages of the newest solve: where each pattern first held, one after another.
   * @param {Pattern[]} patterns
   * @param {CallOptions} [options]
   * @returns {Promise<HistoryStages>}
   */
  stages(patterns, options) {
    return this.call({ ...options, method: 'POST', path: '/find', body: { patterns } });
  }

  /**
   * Yields the events of the session, from its present `state` on, or from `after` (a revision or the id of an event)
   * on. Broken connections are opened again and nothing is missed. Ends after the event `end`; fails with a Problem if
   * the session may not be seen any more.
   * @param {{after?: string | number, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<SessionEvent, void, undefined>}
   */
  watch(options) {
    return this.feed.watch(this, options);
  }

  /**
   * The cube as it is now and stays: follows all changes, and shows its own turns at once.
   * @param {import('./live.js').LiveOptions} [options]
   */
  live(options) {
    return LiveCube.open(this, options);
  }

  /**
   * Shows something to all who watch the session, until the next cue, or a reaction; it changes nothing and is not stored.
   * @param {Cue} cue
   * @param {CallOptions} [options]
   * @returns {Promise<CueAnswer>}
   */
  cue(cue, options) {
    return this.call({ ...options, method: 'POST', path: '/cue', body: cue });
  }

  // ---- changing ----

  /**
   * Turns the cube: one entry in its history. `rebase`: whether also on top of entries after `revision`.
   * @param {Moves} moves
   * @param {ChangeOptions & {notation?: Notation, rebase?: Rebase}} [options]
   */
  turn(moves, { notation, rebase, ...options } = {}) {
    return this.change('moves', { moves, notation, rebase }, options);
  }

  /**
   * Takes the newest entries back.
   * @param {number} [count]
   * @param {ChangeOptions} [options]
   */
  undo(count = 1, options = {}) {
    return this.change('undo', { count }, options);
  }

  /**
   * @param {number} [count]
   * @param {ChangeOptions} [options]
   */
  redo(count = 1, options = {}) {
    return this.change('redo', { count }, options);
  }

  /** @param {ChangeOptions} [options] */
  reset(options = {}) {
    return this.change('reset', {}, options);
  }

  /**
   * Without `moves` the server makes a scramble.
   * @param {{moves?: Moves, seed?: string, notation?: Notation}} [body]
   * @param {ChangeOptions} [options]
   */
  scramble(body = {}, options = {}) {
    return this.change('scramble', body, options);
  }

  /**
   * Appends an entry. `minimal`: the answer has no `cube`.
   * @param {'moves' | 'undo' | 'redo' | 'reset' | 'scramble'} kind
   * @param {object} body
   * @param {ChangeOptions & {minimal?: boolean, attempts?: number, timeoutMs?: number}} [options]
   * @returns {Promise<WrittenEntry>}
   */
  change(kind, body, { signal, token, key, revision, ifMatch, minimal, attempts, timeoutMs, ...query } = {}) {
    return this.call({
      method: 'POST',
      path: `/${kind}`,
      query,
      body: { ...body, revision },
      headers: { 'If-Match': ifMatch, Prefer: minimal ? 'return=minimal' : undefined },
      signal,
      token,
      key: key ?? true,
      attempts,
      timeoutMs,
    });
  }

  /**
   * Changes name, access, turn policy, or whether it is listed.
   * @param {SessionChangeRequest} settings
   * @param {CallOptions & {ifMatch?: string}} [options]
   * @returns {Promise<SessionDetails>}
   */
  configure(settings, { signal, token, ifMatch } = {}) {
    return this.call({ method: 'PATCH', body: settings, headers: { 'If-Match': ifMatch }, signal, token, key: true });
  }

  /**
   * Removes the session and its history, for ever.
   * @param {CallOptions} [options]
   * @returns {Promise<null>}
   */
  remove(options) {
    return this.call({ ...options, method: 'DELETE', key: true });
  }
}

/** The tokens of a session; only an owner may list and revoke them. */
class Tokens {
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {CallOptions} [options]
   * @returns {Promise<{items: TokenInfo[]}>}
   */
  list(options) {
    return this.#session.call({ ...options, path: '/tokens' });
  }

  /**
   * The answer has the `token`, which is shown only once. `label` is the name that others see. Made by an owner it may
   * have any role; by others, it is a guest: of at most their role, and revoked together with their token.
   * @param {{role: Role, label?: string}} body
   * @param {CallOptions} [options]
   * @returns {Promise<TokenInfo & {token: string}>}
   */
  create(body, options) {
    return this.#session.call({ ...options, method: 'POST', path: '/tokens', body, key: true });
  }

  /**
   * Sets the name that others see. `id` 'self' is the token of this client; an owner may name any.
   * @param {string} id
   * @param {string | null} label
   * @param {CallOptions} [options]
   * @returns {Promise<TokenInfo>}
   */
  rename(id, label, options) {
    return this.#session.call({ ...options, method: 'PATCH', path: `/tokens/${id}`, body: { label }, key: true });
  }

  /**
   * Its guests are revoked with it.
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<null>}
   */
  revoke(id, options) {
    return this.#session.call({ ...options, method: 'DELETE', path: `/tokens/${id}`, key: true });
  }
}
