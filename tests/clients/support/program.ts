// A program that a user of the packed client might write, compiled with `tsc --strict`. It prints what package.mjs
// expects.

import { Cubed, NoAnswer, Problem, parseMoves, toFacelets } from 'cubed-client';
import type { Cube, Entry, LiveChange, SessionEvent, Solution } from 'cubed-client';
import { URL_OF_SERVER } from './url.js';

const cubed = new Cubed(URL_OF_SERVER, { attempts: 3 });

const applied = await cubed.apply({ size: 3, moves: 'R U' }, { as: ['faces', 'net'], turns: true });
const cube: Cube = applied.cube;
const corner: string | undefined = cube.faces?.U[2][2];
const solution: Solution = await cubed.solve({ cube });
console.log('solution', solution.solution, corner);

const validated = await cubed.validate({ cube: { facelets: cube.facelets } });
console.log('possible', validated.possible, validated.problems.map((problem) => problem.repair).length);

const session = await cubed.createSession({ size: 3, name: 'Typed' });
const token: string | null = session.token;
await session.turn([{ face: 'R', turns: 2 }, { axis: 'x', angle: 1 }]);
const entries: Entry[] = await session.history({ limit: 10 }).all();
console.log('entries', entries.length, entries[0].actor?.role, token !== null);

function describe(event: SessionEvent): string {
  switch (event.event) {
    case 'state':
      return `state ${event.data.cube.size}`;
    case 'entry':
      return `entry ${event.data.kind}`;
    default:
      return event.event;
  }
}
for await (const event of session.watch()) {
  console.log(describe(event));
  break;
}

const changes: LiveChange['type'][] = [];
const live = await session.live({ onChange: (change) => void changes.push(change.type) });
live.turn('U');
console.log('shown', live.facelets === toFacelets(live.stickers), parseMoves('U', 3)?.length);
await live.settled();
live.close();
console.log('saved', changes.includes('turned'), changes.includes('saved'));

try {
  await cubed.apply({ moves: 'Q' });
} catch (error) {
  if (error instanceof Problem) console.log('problem', error.kind, error.status, error.pointer);
  else if (error instanceof NoAnswer) throw error;
}

// @ts-expect-error: the compiler notices a wrong member
await cubed.apply({ movez: 'R' }).catch((error: Problem) => console.log('refused', error.status));
