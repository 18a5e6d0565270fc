// A session, its history and events, a problem and a solution, with the client of openapi-typescript-codegen.

import { ApiError, CubesService, OpenAPI, SessionsService, SolvingService } from './cubed';
import type { ConflictProblem, Entry, SessionEvent } from './cubed';
import { equal, lines } from '../support';

/** Describes what is new in an event, for a person. */
function told(event: SessionEvent): string {
  switch (event.event) {
    case 'state':
    case 'resync':
      return `${event.data.id} at ${event.data.revision}: ${event.data.cube.facelets}`;
    case 'entry':
      return event.data.kind === 'undo' ? `back to ${event.data.restores}` : `${event.data.moves ?? 'many moves'} by ${event.data.actor?.label ?? 'somebody'}`;
    case 'presence':
      return `${event.data.watchers} watch: ${event.data.names.join(', ')}`;
    default:
      return event.event;
  }
}

export async function run(baseUrl: string): Promise<void> {
  OpenAPI.BASE = baseUrl;
  const session = await SessionsService.createSession({ requestBody: { size: 3, name: 'Table', scramble: 'R U' } });
  OpenAPI.TOKEN = session.token;
  const { id } = session;

  const turned = await SessionsService.appendMoves({ id, requestBody: { moves: "F'", revision: session.revision } });
  equal(turned.entry.moves, "F'");
  await SessionsService.undoEntries({ id, requestBody: {} });

  try {
    await SessionsService.appendMoves({ id, requestBody: { moves: 'L', revision: 0 } });
    throw new Error('a stale revision is accepted');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem: ConflictProblem = error.body;
    if (problem.type === 'urn:cubed:problem:stale-revision') equal(problem.missed.length, 2);
    else throw error;
  }

  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { items: Entry[]; next_after: number | null } = await SessionsService.getHistory({ id, after, limit: 1 });
    entries.push(...page.items);
    after = page.next_after;
  }
  equal(entries.map(({ kind }) => kind).join(), 'moves,undo');

  const stream = await fetch(`${baseUrl}/v1/sessions/${id}/events?after=0`, { headers: { authorization: `Bearer ${session.token}`, accept: 'application/x-ndjson' } });
  const events: SessionEvent[] = await lines(stream.body, 3);
  equal(events.map(told).join('; '), "session; F' by somebody; back to 0");

  const { cube } = await SessionsService.getSessionCube({ id, as: ['cubies', 'faces'] });
  if (!cube) throw new Error('the session has no cube');
  const solved = await SolvingService.solveCube({ requestBody: { cube, wait_ms: 60000 } });
  if (!('solution' in solved)) throw new Error('the search takes too long');
  const applied = await CubesService.applyMoves({ turns: 'true', requestBody: { cube, moves: solved.solution ?? '' } });
  equal(applied.cube?.solved, true);
  const again = await CubesService.applyMoves({ requestBody: { cube, moves: applied.turns } });
  equal(again.cube?.facelets, applied.cube?.facelets);
}
