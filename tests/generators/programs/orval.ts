// A session, its history and events, a problem and a solution, with the client of orval with fetch.

import { appendMoves, applyMoves, createSession, getHistory, getSessionCube, getStreamSessionEventsUrl, solveCube, undoEntries } from './cubed';
import type { Entry, getHistoryResponse, SessionEvent } from './cubed';
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
  // The paths of the client are relative, as a page of the same server needs them.
  const direct = globalThis.fetch;
  globalThis.fetch = (input, init) => direct(new URL(String(input), baseUrl), init);
  try {
    await play();
  } finally {
    globalThis.fetch = direct;
  }
}

async function play(): Promise<void> {
  const created = await createSession({ size: 3, name: 'Table', scramble: 'R U' });
  if (created.status !== 201) throw new Error(`no session: ${created.status}`);
  const session = created.data;
  const options = { headers: { authorization: `Bearer ${session.token}` } };

  const turned = await appendMoves(session.id, { moves: "F'", revision: session.revision }, {}, options);
  if (turned.status !== 200) throw new Error(`no entry: ${turned.status}`);
  equal(turned.data.entry.moves, "F'");
  await undoEntries(session.id, {}, {}, options);

  const stale = await appendMoves(session.id, { moves: 'L', revision: 0 }, {}, options);
  if (stale.status !== 409) throw new Error('a stale revision is accepted');
  if (stale.data.type === 'urn:cubed:problem:stale-revision') equal(stale.data.missed.length, 2);

  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: getHistoryResponse = await getHistory(session.id, { after, limit: 1 }, options);
    if (page.status !== 200) throw new Error(`no page: ${page.status}`);
    entries.push(...page.data.items);
    after = page.data.next_after;
  }
  equal(entries.map(({ kind }) => kind).join(), 'moves,undo');

  const stream = await fetch(getStreamSessionEventsUrl(session.id, { after: '0' }), { headers: { ...options.headers, accept: 'application/x-ndjson' } });
  const events: SessionEvent[] = await lines(stream.body, 3);
  equal(events.map(told).join('; '), "session; F' by somebody; back to 0");

  const cube = await getSessionCube(session.id, { as: ['cubies', 'faces'] }, options);
  if (cube.status !== 200 || !cube.data.cube) throw new Error('the session has no cube');
  const solved = await solveCube({ cube: cube.data.cube, wait_ms: 60000 });
  if (solved.status !== 200 || !('solution' in solved.data)) throw new Error('the search takes too long');
  const applied = await applyMoves({ cube: cube.data.cube, moves: solved.data.solution ?? '' }, { turns: 'true' });
  if (applied.status !== 200) throw new Error('the solution cannot be applied');
  equal(applied.data.cube?.solved, true);
  const again = await applyMoves({ cube: cube.data.cube, moves: applied.data.turns });
  equal(again.status === 200 && again.data.cube?.facelets, applied.data.cube?.facelets);
}
