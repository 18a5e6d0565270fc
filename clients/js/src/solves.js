// solves.js: recorded solves, their averages, and files of other timers.

import { Pages } from './pages.js';

/**
 * @import {CallOptions, ImportedSolves, NewSolveRequest, RecordedSolve, Solve} from './types.js'
 * @import {SolveChangeRequest, SolveOptions, SolveStats} from './types.js'
 */

const CSTIMER = 'application/vnd.cstimer+json';

export class Solves {
  #transport;

  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * Records a solve. Without a session and a token a new book is made; the answer then has its `token`.
   * @param {NewSolveRequest} body
   * @param {CallOptions & {key?: string}} [options]
   * @returns {Promise<RecordedSolve>}
   */
  add(body, { signal, token, key } = {}) {
    return this.#transport.json({ method: 'POST', path: '/v1/solves', body, signal, token, key: key ?? true });
  }

  /**
   * The newest first.
   * @param {SolveOptions & {assisted?: boolean, limit?: number}} [options]
   * @returns {Pages<Solve>}
   */
  list({ signal, token, ...query } = {}) {
    const request = { path: '/v1/solves', signal, token };
    return new Pages((position) => this.#transport.json({ ...request, query: { ...query, ...position } }));
  }

  /**
   * Averages of each event, that of the newest solve first; `averages`: more of them, such as `ao25` and `mo10`.
   * @param {SolveOptions & {group_by?: 'event' | 'list', averages?: string[]}} [options]
   * @returns {Promise<SolveStats>}
   */
  stats({ signal, token, ...query } = {}) {
    return this.#transport.json({ path: '/v1/solves/stats', query, signal, token });
  }

  /**
   * One solve with its stages.
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<RecordedSolve>}
   */
  get(id, options) {
    return this.#transport.json({ ...options, path: `/v1/solves/${id}` });
  }

  /**
   * @param {string} id
   * @param {SolveChangeRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<RecordedSolve>}
   */
  change(id, body, options) {
    return this.#transport.json({ ...options, method: 'PATCH', path: `/v1/solves/${id}`, body, key: true });
  }

  /**
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<null>}
   */
  remove(id, options) {
    return this.#transport.json({ ...options, method: 'DELETE', path: `/v1/solves/${id}`, key: true });
  }

  /**
   * Reads a file of another timer.
   * @param {string} file
   * @param {CallOptions & {session?: string, size?: number, event?: string, list?: string, skip_known?: boolean, type?: string}} [options]
   * @returns {Promise<ImportedSolves>}
   */
  import(file, { signal, token, type = 'text/plain', ...query } = {}) {
    const request = { method: 'POST', path: '/v1/solves/import', query, raw: file, type, signal, token, key: true };
    return this.#transport.json(request);
  }

  /**
   * All solves as a file of csTimer, or as a table.
   * @param {'cstimer' | 'csv'} form
   * @param {SolveOptions} [options]
   */
  async export(form, { signal, token, ...query } = {}) {
    const accept = form === 'csv' ? 'text/csv' : CSTIMER;
    return (await this.#transport.send({ path: '/v1/solves', query, accept, signal, token })).text;
  }
}
