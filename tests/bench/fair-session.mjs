// The part of section fair about one session: the costs of an editor at its limit for the session's owner. Each has an address of its own.

import { join } from 'node:path';
import { ask, atRate, ONE, OTHER, p99 } from './fair-clients.mjs';
import { calm, median, Server, sleep, temporaryDirectory } from './lib.mjs';

const SECONDS = Number(process.env.FAIR_SECONDS ?? 6);
const WRITES_PER_SECOND = 20; // the limit of the editor
const MOVES_PER_SECOND = 10;
const REVOKES_PER_SECOND = 5;
const WARM_MS = 3000; // until its requests wait in line
const TURNS = "R 30Uw' 50Fw2 3L D 40Bw' 7R 20Uw 9F2 60Lw ".repeat(1000);

const options = (name) => ['--listen', '127.0.0.1:0', '--log-level', 'warning', '--store', `sqlite:${join(temporaryDirectory(), name)}`,
  '--rate-limit', 'on', '--trusted-proxy', '127.0.0.1', '--max-creations', 'off', '--max-sessions-per-address', 'off'];
const bearer = (token) => ({ authorization: `Bearer ${token}` });

/** A session with its owner and an editor, who have made a request each, so that both are known. */
async function share(url, size) {
  const owner = (await ask(url, OTHER, 'POST', '/v1/sessions', { body: JSON.stringify({ size }) })).json();
  const path = `/v1/sessions/${owner.id}`;
  const token = async (role) => {
    const answer = await ask(url, OTHER, 'POST', `${path}/tokens`, { body: JSON.stringify({ role }), headers: bearer(owner.token) });
    if (answer.status !== 201) throw new Error(`a token: ${answer.status}`);
    return answer.json();
  };
  const editor = await token('editor');
  const write = (address, who, call, body) => ask(url, address, 'POST', `${path}/${call}`, { body: JSON.stringify(body), headers: bearer(who.token) });
  return { path, owner, editor, token, edit: (call, body) => write(ONE, editor, call, body), own: (call, body) => write(OTHER, owner, call, body) };
}

function timed(answer, status) {
  if (answer.status !== status) throw new Error(`the owner: ${answer.status} ${JSON.stringify(answer.json())}`);
  return answer.ms;
}

/** The 99th percentile of a call of the owner, made at that rate. */
async function everySecond(perSecond, call) {
  const times = [];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
    const begin = performance.now();
    times.push(await call());
    await sleep(Math.max(0, 1000 / perSecond - (performance.now() - begin)));
  }
  return p99(times);
}

/** The owner's moves, and revoking, beside an editor who calls all the time. */
async function besideEditor(url, size, call, body) {
  const shared = await share(url, size);
  const done = { edits: 0 };
  const edit = async () => { done.edits += (await shared.edit(call, body)).status === 200 ? 1 : 0; };
  if (body) await edit(); // it opens what it needs
  const stop = body ? atRate(WRITES_PER_SECOND, edit) : async () => {};
  if (body) await sleep(WARM_MS);
  const move = await everySecond(MOVES_PER_SECOND, async () => timed(await shared.own('moves', { moves: 'R' }), 200));
  const revoke = await everySecond(REVOKES_PER_SECOND, async () => {
    const { id } = await shared.token('viewer');
    return timed(await ask(url, OTHER, 'DELETE', `${shared.path}/tokens/${id}`, { headers: bearer(shared.owner.token) }), 204);
  });
  await stop();
  return { move, revoke, edits: done.edits };
}

/** The longest move of the owner while the first scramble after a start is made. */
async function besideFirstScramble(binary) {
  const server = await Server.start(binary, options('fair-first.db'));
  try {
    const shared = await share(server.url, 4);
    const scramble = shared.edit('scramble', {});
    let made = false, longest = 0;
    scramble.then(({ status }) => { made = status; });
    await sleep(20); // bound: it is under way
    while (!made) {
      longest = Math.max(longest, timed(await shared.own('moves', { moves: 'R' }), 200));
      await sleep(60);
    }
    if (made !== 200) throw new Error(`a scramble: ${made}`);
    return { longest, scramble: (await scramble).ms };
  } finally {
    await server.stop();
  }
}

const CASES = {
  nothing: ['beside nothing', 4],
  scrambles: [`beside an editor's scrambles of a 4x4x4, ${WRITES_PER_SECOND}/s`, 4, 'scramble', {}],
  turns: [`beside an editor's 10,000 turns of a 100x100x100, ${WRITES_PER_SECOND}/s`, 100, 'moves', { moves: TURNS }],
};

async function round(binary) {
  const result = {};
  const server = await Server.start(binary, options('fair-session.db'));
  try {
    for (const [name, [, size, call, body]] of Object.entries(CASES)) result[name] = await besideEditor(server.url, size, call, body);
  } finally {
    await server.stop();
  }
  return { ...result, first: await besideFirstScramble(binary) };
}

export async function measureSession(report, binary, rounds) {
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await calm(() => round(binary)));
  const middle = (get) => median(all.map(get));
  for (const [name, [text]] of Object.entries(CASES)) {
    report.atMost(`the owner's move, p99, ${text}`, middle((one) => one[name].move), 250, ' ms');
    report.atMost(`the owner revokes a token, p99, ${text}`, middle((one) => one[name].revoke), 100, ' ms');
  }
  report.atMost("the owner's longest move beside the first scramble of a 4x4x4 after a start", middle((one) => one.first.longest), 250, ' ms');
  return all;
}
