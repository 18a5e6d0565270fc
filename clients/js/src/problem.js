// problem.js: what a call fails with if it is refused.

const PREFIX = 'urn:cubed:problem:';

/** The server refused a request (RFC 9457). Compare `kind` or `status`; `message` is for people. */
export class Problem extends Error {
  /**
   * @param {import('./types.js').ProblemDetails} details
   * @param {number} [retryAfterMs] what the header Retry-After asks for
   */
  constructor(details, retryAfterMs) {
    super(details.detail || details.title || `The server answered ${details.status}.`);
    this.name = 'Problem';
    this.type = details.type;
    /** The last part of `type`, for example `stale-revision`. */
    this.kind = details.type.startsWith(PREFIX) ? details.type.slice(PREFIX.length) : details.type;
    this.title = details.title;
    this.status = details.status;
    this.detail = details.detail;
    /** JSON pointer to the wrong member. */
    this.pointer = details.pointer;
    /** Name of the wrong query parameter. */
    this.parameter = details.parameter;
    /** Position and length of the fault in its text, in bytes. */
    this.offset = details.offset;
    this.length = details.length;
    /** Position in characters, from 1. */
    this.column = details.column;
    this.expected = details.expected;
    this.suggestion = details.suggestion;
    this.readings = details.readings;
    /** Every wrong member, if there are several. */
    this.errors = details.errors ?? [];
    /** A page that explains the type. */
    this.help = details.help;
    this.requestId = details.request_id;
    /** All members, also those that only some types have: `missed`, `revision`, `problems`, ... */
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}
