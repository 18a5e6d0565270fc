// A session, its history and events, a problem and a solution, with the client of @hey-api/openapi-ts.

import { appendMoves, applyMoves, createSession, getHistory, getSessionCube, solveCube, streamSessionEvents, undoEntries } from './cubed';
import type { Entry, HistoryPage, SessionEvent, SessionEventData } from './cubed';
import { client } from './cubed/client.gen';
import { equal } from '../support';

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
  client.setConfig({ baseUrl });
  const { data: session, error } = await createSession({ body: { size: 3, name: 'Table', scramble: 'R U' } });
  if (!session) throw new Error(error.detail);
  client.setConfig({ auth: session.token });
  const path = { id: session.id };

  const turned = await appendMoves({ path, body: { moves: "F'", revision: session.revision } });
  equal(turned.data?.entry.moves, "F'");
  await undoEntries({ path, body: {} });

  const stale = await appendMoves({ path, body: { moves: 'L', revision: 0 } });
  if (stale.error?.type === 'urn:cubed:problem:stale-revision') equal(stale.error.missed.length, 2);
  else throw new Error('a stale revision is accepted');

  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { data: page }: { data: HistoryPage } = await getHistory({ path, query: { after, limit: 1 }, throwOnError: true });
    entries.push(...page.items);
    after = page.next_after;
  }
  equal(entries.map(({ kind }) => kind).join(), 'moves,undo');

  const leave = new AbortController();
  const events: SessionEvent[] = [];
  const data: SessionEventData[] = [];
  const { stream } = await streamSessionEvents({
    path,
    query: { after: '0' },
    signal: leave.signal,
    onSseEvent: (event) => events.push(event as SessionEvent),
  });
  for await (const one of stream) if (data.push(one) === 3) break;
  leave.abort();
  equal(events.map(told).join('; '), "session; F' by somebody; back to 0");
  equal(data.map((one) => ('kind' in one ? one.kind : 'name' in one ? one.name : '')).join(), 'Table,moves,undo');

  const { data: cube } = await getSessionCube({ path, query: { as: ['cubies', 'faces'] } });
  if (!cube?.cube) throw new Error('the session has no cube');
  const { data: solved } = await solveCube({ body: { cube: cube.cube, wait_ms: 60000 } });
  if (!solved || !('solution' in solved)) throw new Error('the search takes too long');
  const { data: applied } = await applyMoves({ query: { turns: 'true' }, body: { cube: cube.cube, moves: solved.solution ?? '' } });
  equal(applied?.cube?.solved, true);
  const again = await applyMoves({ body: { cube: cube.cube, moves: applied?.turns } });
  equal(again.data?.cube?.facelets, applied?.cube?.facelets);
}
