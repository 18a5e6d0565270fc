// client.js: Cubed, the way in: questions about cubes, and the server's lists.

import { Feed } from './feed.js';
import { Jobs } from './jobs.js';
import { Pages } from './pages.js';
import { Patterns } from './patterns.js';
import { Session } from './session.js';
import { Solves } from './solves.js';
import { linesOf } from './stream.js';
import { Transport } from './transport.js';

/**
 * @import {AlgorithmAnalysis, AppliedMoves, ApplyOptions, CallOptions, CaseSet, CaseSetSummary, ConvertOptions} from './types.js'
 * @import {CubeAnswer, CubeFacts, CubeInput, CubeLineError, CubeOptions, CubeValidation, FormatList} from './types.js'
 * @import {Geometry, Limit, ListedSession, MoveForm, Moves, NewSessionRequest, Notation, Pattern} from './types.js'
 * @import {PatternMatch, PictureOptions, RandomState, RandomStateList, ScrambleList, SessionDetails, SetCase} from './types.js'
 * @import {RowOptions, Solution, SolutionRequest, Solver, StateOptions, Ticket, TrainingRow, TransformationAnswer} from './types.js'
 */

const NDJSON = 'application/x-ndjson';
const ROWS = 'application/octet-stream';

/** @param {Iterable<unknown>} values */
const lines = (values) => Array.from(values, (value) => `${JSON.stringify(value)}\n`).join('');

/**
 * A server. `new Cubed('http://localhost:8080')`.
 *
 * The first argument of a call is its body as in openapi.yaml, the last one has its query parameters, `signal` and
 * `token`. Calls fail with a Problem if the server refuses, with NoAnswer if there is no answer after some attempts.
 */
export class Cubed {
  /**
   * @param {string | URL} url
   * @param {import('./transport.js').TransportOptions} [options]
   */
  constructor(url, options = {}) {
    this.transport = new Transport(url, options);
    /**
     * The stream of events that all sessions of this client share. A page can set a SharedFeed, which all tabs of the
     * browser share.
     * @type {Pick<Feed, 'watch' | 'listen' | 'reconnect'>}
     */
    this.feed = new Feed(this.transport);
    this.jobs = new Jobs(this.transport);
    this.patterns = new Patterns(this.transport);
    /** Recorded solves. */
    this.solves = new Solves(this.transport);
  }

  /** Sent with each call that has none of its own. */
  get token() {
    return this.transport.token;
  }

  set token(token) {
    this.transport.token = token;
  }

  // ---- questions about cubes ----

  /**
   * Turns a cube.
   * @param {{cube?: CubeInput, size?: number, moves?: Moves, notation?: Notation}} body
   * @param {ApplyOptions} [options]
   * @returns {Promise<AppliedMoves>}
   */
  apply(body, options) {
    return this.#ask('/v1/apply', body, options);
  }

  /**
   * Describes a move sequence: canonical, inverse, simplified, its length and order.
   * @param {{moves: Moves, size?: number, notation?: Notation, spin?: boolean, rotation?: Moves, mirror?: 'E' | 'M' | 'S', write?: MoveForm}} body
   * @param {CallOptions} [options]
   * @returns {Promise<AlgorithmAnalysis>}
   */
  algorithm(body, options) {
    return this.#ask('/v1/algorithm', body, options);
  }

  /**
   * A cube in other formats.
   * @param {{cube: CubeInput}} body
   * @param {ConvertOptions} [options]
   * @returns {Promise<CubeAnswer>}
   */
  convert(body, options) {
    return this.#ask('/v1/convert', body, options);
  }

  /**
   * Many cubes in other formats, in their order; a cube that is wrong has an `error` in its place.
   * @param {Iterable<CubeInput>} cubes
   * @param {ConvertOptions} [options]
   * @returns {AsyncGenerator<CubeAnswer | CubeLineError, void, undefined>}
   */
  convertAll(cubes, options) {
    return this.#askLines('/v1/convert', cubes, options);
  }

  /**
   * Checks whether turns lead to a cube; if not, says why, and how to repair it.
   * @param {{cube: CubeInput}} body
   * @param {CubeOptions} [options]
   * @returns {Promise<CubeValidation>}
   */
  validate(body, options) {
    return this.#ask('/v1/validate', body, options);
  }

  /**
   * One cube after another, each used as what it does to a solved one.
   * @param {{cubes: CubeInput[], assembled?: boolean}} body
   * @param {CubeOptions} [options]
   * @returns {Promise<TransformationAnswer>}
   */
  compose(body, options) {
    return this.#ask('/v1/compose', body, options);
  }

  /**
   * The cube that undoes a cube.
   * @param {{cube: CubeInput, assembled?: boolean}} body
   * @param {CubeOptions} [options]
   * @returns {Promise<TransformationAnswer>}
   */
  invert(body, options) {
    return this.#ask('/v1/invert', body, options);
  }

  /**
   * Finds where a pattern fits a cube; with `named` which of the common patterns fit, and where.
   * @param {{cube?: CubeInput, pattern: Pattern, any?: boolean} | {cube?: CubeInput, named: true, any?: boolean}} body
   * @param {CallOptions} [options]
   * @returns {Promise<{matches: PatternMatch[]}>}
   */
  match(body, options) {
    return this.#ask('/v1/match', body, options);
  }

  /**
   * Describes the state of a cube: its order, cycles, symmetry and canonical form.
   * @param {{cube: CubeInput}} body
   * @param {CallOptions} [options]
   * @returns {Promise<CubeFacts>}
   */
  facts(body, options) {
    return this.#ask('/v1/facts', body, options);
  }

  /**
   * Rows of 364 numbers 0 and 1, one after another, for a neural network.
   * @param {{cubes: CubeInput[]}} body
   * @param {CallOptions} [options]
   */
  async features(body, { signal, token } = {}) {
    const request = { method: 'POST', path: '/v1/features', query: { dtype: 'uint8' }, body, signal, token };
    const { bytes } = await this.transport.send({ ...request, accept: ROWS });
    return new Uint8Array(bytes);
  }

  /**
   * An unfolded cube as text.
   * @param {{cube?: CubeInput, size?: number, moves?: Moves, notation?: Notation}} body
   * @param {CallOptions & {color?: 'always' | 'never'}} [options]
   */
  async net(body, { signal, token, ...query } = {}) {
    const request = { method: 'POST', path: '/v1/apply', query, body, accept: 'text/plain', signal, token };
    return (await this.transport.send(request)).text;
  }

  /**
   * The address of a picture, for an <img>; SVG unless PNG is chosen.
   * @param {{format?: 'svg' | 'png', size?: number, moves?: string, case?: string, facelets?: string} & PictureOptions} query
   */
  pictureUrl({ format = 'svg', ...query }) {
    return this.transport.url(`/v1/image.${format}`, query);
  }

  // ---- scrambles and solutions ----

  /**
   * The sets of cases, such as COLL and ZBLL.
   * @param {CallOptions} [options]
   * @returns {Promise<{items: CaseSetSummary[]}>}
   */
  caseSets({ signal, token } = {}) {
    return this.transport.json({ path: '/v1/sets', signal, token });
  }

  /**
   * A set with its cases and their algorithms.
   * @param {string} name
   * @param {CallOptions} [options]
   * @returns {Promise<CaseSet>}
   */
  caseSet(name, { signal, token } = {}) {
    return this.transport.json({ path: `/v1/sets/${encodeURIComponent(name)}`, signal, token });
  }

  /**
   * A case of a set, such as pll-t of pll.
   * @param {string} set
   * @param {string} name
   * @param {CallOptions} [options]
   * @returns {Promise<SetCase>}
   */
  setCase(set, name, { signal, token } = {}) {
    return this.transport.json({ path: `/v1/sets/${encodeURIComponent(set)}/${encodeURIComponent(name)}`, signal, token });
  }

  /**
   * @param {{size?: number, event?: string, count?: number, extras?: number, seed?: string, variant?: string, until?: string, goal?: string, place?: string, distance?: number, generators?: string} & CubeOptions} [options]
   * @returns {Promise<ScrambleList>}
   */
  scramble({ signal, token, ...query } = {}) {
    return this.transport.json({ path: '/v1/scramble', query, signal, token });
  }

  /**
   * Random states, without moves: much faster than scrambles, since nothing is solved.
   * @param {StateOptions} [options]
   * @returns {Promise<RandomStateList>}
   */
  states({ signal, token, ...query } = {}) {
    return this.transport.json({ path: '/v1/states', query, signal, token });
  }

  /**
   * The same one by one, while they come: for very many.
   * @param {StateOptions} [options]
   * @returns {AsyncGenerator<RandomState, void, undefined>}
   */
  eachState({ signal, token, ...query } = {}) {
    return this.#lines({ path: '/v1/states', query, accept: NDJSON, signal, token });
  }

  /**
   * Random states of the 3x3x3 as rows of features().
   * @param {CallOptions & {count?: number, seed?: string}} [options]
   */
  async stateFeatures({ signal, token, ...query } = {}) {
    const request = { path: '/v1/states', query: { ...query, dtype: 'uint8' }, accept: ROWS, signal, token };
    return new Uint8Array((await this.transport.send(request)).bytes);
  }

  /**
   * Rows of random 3x3x3 or 2x2x2 cubes for training, as bytes, one after another: with `walk`, such as '1..26', of random
   * walks. A row depends on `seed` and its number alone, so `first` continues a set.
   * @param {RowOptions} [options]
   */
  async rows({ signal, token, ...query } = {}) {
    const request = { path: '/v1/rows', query: { ...query, format: 'raw' }, accept: ROWS, signal, token };
    return new Uint8Array((await this.transport.send(request)).bytes);
  }

  /**
   * The same one by one, while they come: for very many.
   * @param {RowOptions} [options]
   * @returns {AsyncGenerator<TrainingRow, void, undefined>}
   */
  eachRow({ signal, token, ...query } = {}) {
    return this.#lines({ path: '/v1/rows', query: { ...query, format: 'ndjson' }, accept: NDJSON, signal, token });
  }

  /**
   * The address of a page with the scrambles of a round, to print.
   * @param {{size?: number, event?: string, variant?: string, count?: number, extras?: number, title?: string, seed?: string}} [query]
   */
  scrambleSheetUrl(query = {}) {
    return this.transport.url('/v1/sheet', query);
  }

  /**
   * Solves a cube, however long that takes: a long search is a job, which this waits for. Aborting ends the job.
   * @param {SolutionRequest} body
   * @param {import('./jobs.js').WaitOptions} [options]
   * @returns {Promise<Solution>}
   */
  solve(body, options) {
    return this.jobs.solve(body, options);
  }

  /**
   * Solves many cubes; a cube that is wrong has an `error` in its place.
   * @param {Iterable<SolutionRequest>} questions
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Solution | CubeLineError, void, undefined>}
   */
  solveAll(questions, options) {
    return this.#askLines('/v1/solve', questions, options);
  }

  /**
   * @param {CallOptions} [options]
   * @returns {Promise<{items: Solver[]}>}
   */
  solvers(options) {
    return this.transport.json({ ...options, path: '/v1/solvers' });
  }

  // ---- sessions ----

  /**
   * Creates a session: a cube that is stored. The result has the owner's token.
   * @param {NewSessionRequest} body
   * @param {CubeOptions & {key?: string}} [options]
   */
  async createSession(body, { signal, token, key, ...query } = {}) {
    /** @type {SessionDetails & {token?: string}} */
    const { token: owner, ...details } = await this.transport.json({
      method: 'POST', path: '/v1/sessions', query, body, signal, token, key: key ?? true,
    });
    return new Session(this, details.id, owner ?? null, details);
  }

  /**
   * A session that exists. Nothing is sent yet.
   * @param {string} id
   * @param {{token?: string | null}} [options] without a token its `access` applies
   */
  session(id, { token = this.token } = {}) {
    return new Session(this, id, token);
  }

  /**
   * The listed sessions, newest first.
   * @param {CubeOptions & {limit?: number, size?: number, name?: string, sort?: string}} [options]
   * @returns {Pages<ListedSession>}
   */
  sessions({ signal, token, ...query } = {}) {
    const request = { path: '/v1/sessions', signal, token };
    return new Pages((position) => this.transport.json({ ...request, query: { ...query, ...position } }));
  }

  /**
   * Sessions whose cube fits a pattern now, or shows the same as `cube`.
   * @param {{pattern: Pattern, size?: number} | {cube: CubeInput}} body
   * @param {CubeOptions & {limit?: number}} [options]
   * @returns {Pages<ListedSession>}
   */
  search(body, { signal, token, ...query } = {}) {
    const request = { method: 'POST', path: '/v1/search', body, signal, token };
    return new Pages((position) => this.transport.json({ ...request, query: { ...query, ...position } }));
  }

  /**
   * A ticket opens a stream of events without sending tokens, as an EventSource needs it.
   * @param {{sessions: {id: string, token?: string}[]}} body
   * @param {CallOptions} [options]
   * @returns {Promise<Ticket>}
   */
  createTicket(body, { signal, token } = {}) {
    return this.transport.json({ method: 'POST', path: '/v1/tickets', body, signal, token });
  }

  // ---- the server ----

  /**
   * Checks whether changes are accepted: resolves if so, fails with a Problem otherwise.
   * @param {CallOptions} [options]
   * @returns {Promise<{status: 'ready', store: 'ok'}>}
   */
  ready(options) {
    return this.transport.json({ ...options, path: '/readyz' });
  }

  /**
   * Returns the neighbours of each facelet, the rings of facelets around layers, and the facelets of cubies.
   * @param {number} [size]
   * @param {CallOptions} [options]
   * @returns {Promise<Geometry>}
   */
  geometry(size = 3, options) {
    return this.transport.json({ ...options, path: '/v1/geometry', query: { size } });
  }

  /**
   * @param {CallOptions} [options]
   * @returns {Promise<FormatList>}
   */
  formats(options) {
    return this.transport.json({ ...options, path: '/v1/formats' });
  }

  /**
   * @param {CallOptions} [options]
   * @returns {Promise<Record<string, Limit>>}
   */
  async limits(options) {
    return (await this.transport.json({ ...options, path: '/v1/limits' })).limits;
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {CallOptions & Record<string, unknown>} [options]
   */
  #ask(path, body, { signal, token, ...query } = {}) {
    return this.transport.json({ method: 'POST', path, query, body, signal, token });
  }

  /**
   * @param {string} path
   * @param {Iterable<unknown>} values
   * @param {CallOptions & Record<string, unknown>} [options]
   */
  #askLines(path, values, { signal, token, ...query } = {}) {
    return this.#lines({ method: 'POST', path, query, raw: lines(values), type: NDJSON, accept: NDJSON, signal, token });
  }

  /** @param {import('./transport.js').Request} request */
  async *#lines(request) {
    const body = await this.transport.open(request);
    for await (const line of linesOf(body)) yield JSON.parse(line);
  }
}
