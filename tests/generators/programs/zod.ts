// A session, its history and events, a problem and a solution, with the client of openapi-zod-client.

import { isErrorFromAlias } from '@zodios/core';
import type { z } from 'zod';
import { createApiClient, schemas } from './cubed';
import { equal, lines } from '../support';

type Entry = z.infer<typeof schemas.Entry>;
type SessionEvent = z.infer<typeof schemas.SessionEvent>;

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
  const api = createApiClient(baseUrl);
  const session = await api.createSession({ size: 3, name: 'Table', scramble: 'R U' });
  const headers = { Authorization: `Bearer ${session.token}` };
  const params = { id: session.id };

  const turned = await api.appendMoves({ moves: "F'", revision: session.revision }, { params, headers });
  equal(turned.entry.moves, "F'");
  await api.undoEntries({}, { params, headers });

  try {
    await api.appendMoves({ moves: 'L', revision: 0 }, { params, headers });
    throw new Error('a stale revision is accepted');
  } catch (error) {
    if (!isErrorFromAlias(api.api, 'appendMoves', error)) throw error;
    const problem = error.response.data;
    equal(problem.type, 'urn:cubed:problem:stale-revision');
    equal(schemas.StaleProblem.parse(problem).missed.length, 2);
  }

  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: z.infer<typeof schemas.HistoryPage> = await api.getHistory({ params, queries: { after, limit: 1 }, headers });
    entries.push(...page.items);
    after = page.next_after;
  }
  equal(entries.map(({ kind }) => kind).join(), 'moves,undo');

  const stream = await fetch(`${baseUrl}/v1/sessions/${session.id}/events?after=0`, { headers: { ...headers, accept: 'application/x-ndjson' } });
  const events = (await lines(stream.body, 3)).map((line) => schemas.SessionEvent.parse(line));
  equal(events.map(told).join('; '), "session; F' by somebody; back to 0");

  const { cube } = await api.getSessionCube({ params, queries: { as: ['cubies', 'faces'] }, headers });
  if (!cube) throw new Error('the session has no cube');
  const solved = schemas.Solution.parse(await api.solveCube({ cube, wait_ms: 60000 }));
  const applied = await api.applyMoves({ cube, moves: solved.solution ?? '' }, { queries: { turns: 'true' } });
  equal(applied.cube?.solved, true);
  const again = await api.applyMoves({ cube, moves: applied.turns });
  equal(again.cube?.facelets, applied.cube?.facelets);

  const session2 = schemas.Session.parse({ ...await api.getSession({ params, headers }), invented: 1 });
  equal('invented' in session2, true);
}
