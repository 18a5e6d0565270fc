// The errors of a call, with the types of kubb: those of its own, and the common ones.

import type { AppendMovesError, AppendMovesMutation } from './cubed';

export function told(problem: AppendMovesMutation['Errors'] | AppendMovesError): string {
  switch (problem.type) {
    case 'urn:cubed:problem:stale-revision':
      return `missed ${problem.missed.length}`;
    case 'urn:cubed:problem:rate-limited':
      return `wait ${problem.retry_after_ms} ms`;
    default:
      return problem.detail;
  }
}
