// A session, its history and events, a problem and a solution, with the client of openapi-typescript with openapi-fetch.

import createClient from 'openapi-fetch';
import { equal, lines } from '../support';
import type { components, paths } from './cubed';

type Schemas = components['schemas'];

/** Describes what is new in an event, for a person. */
function told(event: Schemas['SessionEvent']): string {
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
  const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl });

  const { data: session, error } = await client.POST('/v1/sessions', { body: { size: 3, name: 'Table', scramble: 'R U' } });
  if (!session) throw new Error(error.detail);
  const headers = { authorization: `Bearer ${session.token}` };
  const path = { id: session.id };

  const turned = await client.POST('/v1/sessions/{id}/moves', { params: { path }, headers, body: { moves: "F'", revision: session.revision } });
  equal(turned.data?.entry.moves, "F'");
  await client.POST('/v1/sessions/{id}/undo', { params: { path }, headers, body: {} });

  const stale = await client.POST('/v1/sessions/{id}/moves', { params: { path }, headers, body: { moves: 'L', revision: 0 } });
  if (stale.error?.type === 'urn:cubed:problem:stale-revision') equal(stale.error.missed.length, 2);
  else throw new Error('a stale revision is accepted');

  const entries: Schemas['Entry'][] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: { data?: Schemas['HistoryPage'] } = await client.GET('/v1/sessions/{id}/history', { params: { path, query: { after, limit: 1 } }, headers });
    entries.push(...page.data?.items ?? []);
    after = page.data?.next_after ?? null;
  }
  equal(entries.map(({ kind }) => kind).join(), 'moves,undo');

  const stream = await client.GET('/v1/sessions/{id}/events', { params: { path, query: { after: '0' } }, headers: { ...headers, accept: 'application/x-ndjson' }, parseAs: 'stream' });
  const events: Schemas['SessionEvent'][] = await lines(stream.response.body, 3);
  equal(events.map(told).join('; '), "session; F' by somebody; back to 0");

  const { data: cube } = await client.GET('/v1/sessions/{id}/cube', { params: { path, query: { as: ['cubies', 'faces'] } }, headers });
  if (!cube?.cube) throw new Error('the session has no cube');
  const solved = await client.POST('/v1/solve', { body: { cube: cube.cube, wait_ms: 60000 } });
  if (!solved.data || !('solution' in solved.data)) throw new Error('the search takes too long');
  const { data: applied } = await client.POST('/v1/apply', { params: { query: { turns: 'true' } }, body: { cube: cube.cube, moves: solved.data.solution ?? '' } });
  equal(applied?.cube?.solved, true);
  const again = await client.POST('/v1/apply', { body: { cube: cube.cube, moves: applied?.turns } });
  equal(again.data?.cube?.facelets, applied?.cube?.facelets);
}
