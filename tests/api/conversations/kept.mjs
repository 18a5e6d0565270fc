// An answer that took long is kept, and given again for the same cube, however it is held.

import assert from 'node:assert/strict';
import { until } from '../../support/patience.mjs';

const SCRAMBLES = ["R U2 F' D L2 B U R2 F D2 L'", "F2 L D' R U B2 L' F U2 R D B", "U R2 F B R B2 R U2 L B2 R U'", "D L2 U' B R' F2 D2 L U F' R2 B D'"];
const LONG_MS = 100; // bound: what is kept took at least so long

const solve = (client, moves, more = {}) => client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, method: 'optimal', wait_ms: 60000, ...more });

/** Asks until it is given from what is kept: that comes behind the answer. */
async function again(client, moves) {
  return until(async () => {
    const answer = await solve(client, moves);
    return answer.kept && answer;
  }, 'it is kept');
}

export default [
  ['a solution that took long to find is stored and found again', async (talk) => {
    for (const scramble of SCRAMBLES) {
      const first = await solve(talk.client, scramble);
      if (first.kept || first.time_ms < LONG_MS) continue;
      for (const hold of ['', ' x', " y' z2"]) {
        const kept = await again(talk.client, scramble + hold);
        assert.deepEqual([kept.length, kept.optimal, kept.bound, kept.nodes], [first.length, true, first.length, 0]);
        const { cube } = await talk.client.expect(200, 'POST', '/v1/apply', { cube: { size: 3, moves: scramble + hold }, moves: kept.solution });
        assert.equal(cube.solved, true, `${scramble}${hold}: ${kept.solution}`);
      }
      assert.equal((await solve(talk.client, scramble, { max_length: 20 })).kept, undefined, 'another question');
      if (!talk.persistent) return;
      await talk.restart('kill');
      assert.equal((await solve(talk.client, scramble)).kept, true, 'it outlives a kill');
      return;
    }
  }],
];
