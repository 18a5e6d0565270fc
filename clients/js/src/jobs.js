// jobs.js: searches for solutions, and the jobs that long ones become.

import { tell } from './listeners.js';
import { Problem } from './problem.js';
import { pause } from './waiting.js';

/** @import {CallOptions, Job, Solution, SolutionRequest} from './types.js' */

/** The time that the request itself waits; a longer search becomes a job. */
const WAIT_MS = 2000;
/** A job is looked at after this time, later after longer ones. */
const LOOK_FIRST_MS = 200;
const LOOK_LAST_MS = 2000;
const GOES_ON = ['queued', 'running'];

/**
 * @typedef {CallOptions & {onProgress?: (job: Job) => void}} WaitOptions
 */

export class Jobs {
  #transport;

  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * Asks for a solution: the solution, if it is found within `wait_ms`, else the job.
   * @param {SolutionRequest} body
   * @param {CallOptions} [options]
   * @returns {Promise<{solution: Solution, job: null} | {solution: null, job: Job}>}
   */
  async start(body, { signal, token } = {}) {
    const wait = body.wait_ms ?? WAIT_MS;
    const timeoutMs = this.#transport.timeoutMs + wait;
    const request = { method: 'POST', path: '/v1/solve', body: { ...body, wait_ms: wait }, signal, token, timeoutMs };
    const { status, text } = await this.#transport.send(request);
    return status === 202 ? { solution: null, job: JSON.parse(text) } : { solution: JSON.parse(text), job: null };
  }

  /**
   * Asks for a solution and waits for it.
   * @param {SolutionRequest} body
   * @param {WaitOptions} [options]
   * @returns {Promise<Solution>}
   */
  async solve(body, options = {}) {
    const { solution, job } = await this.start(body, options);
    return job ? this.wait(job.id, options) : solution;
  }

  /**
   * Waits until a job has ended and returns its result: of a cancelled one the best solution so far. Aborting cancels
   * the job.
   * @param {string} id
   * @param {WaitOptions} [options]
   * @returns {Promise<Solution>}
   */
  async wait(id, { signal, token, onProgress } = {}) {
    try {
      for (let look = LOOK_FIRST_MS; ; look = Math.min(LOOK_LAST_MS, look * 1.3)) {
        const job = await this.get(id, { signal, token });
        tell(onProgress, job);
        if (job.problem) throw new Problem(job.problem);
        if (job.result) return job.result;
        if (!GOES_ON.includes(job.status)) throw new Error(`Job ${id} has no result: it is ${job.status}.`);
        await pause(look, signal);
      }
    } catch (error) {
      if (signal?.aborted) this.cancel(id, { token }).catch(() => {});
      throw error;
    }
  }

  /**
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<Job>}
   */
  get(id, options) {
    return this.#transport.json({ ...options, path: `/v1/jobs/${id}` });
  }

  /**
   * Ends a job; its result is then the best solution so far.
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<Job>}
   */
  cancel(id, options) {
    return this.#transport.json({ ...options, method: 'DELETE', path: `/v1/jobs/${id}` });
  }
}
