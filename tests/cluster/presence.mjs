// presence.mjs: the watchers of a session at three nodes are one presence, and see what is shown at any of them.
// Usage: node presence.mjs [binary]
//
// Control: a session that nobody else watches has one watcher.

import assert from 'node:assert/strict';
import http from 'node:http';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';
import { ask, owner, session } from '../live/support.mjs';
import { sleep, until as waitUntil } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const STEP_MS = 50;

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3);
const ports = nodes.servers.map(({ port }) => port);

/** The events of a session as they come. */
function watch(port, path) {
  const watcher = { events: [], last: (name) => watcher.events.findLast(({ event }) => event === name)?.data };
  watcher.request = http.get({ host: '127.0.0.1', port, path: `${path}/events`, headers: { accept: 'application/x-ndjson', ...owner(path) } }, (response) => {
    let rest = '';
    response.on('error', () => {});
    response.on('data', (bytes) => {
      const lines = (rest + bytes).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line) watcher.events.push(JSON.parse(line));
    });
  });
  watcher.request.on('error', () => {});
  return watcher;
}

const until = (what, good) => waitUntil(good, what, STEP_MS);

const seen = (watchers) => watchers.map((watcher) => watcher.last('presence')?.watchers);
const allSee = (watchers, count) => until(() => JSON.stringify([seen(watchers), count]), () => seen(watchers).every((n) => n === count));

const path = await session(ports[0]);
const watchers = ports.map((port) => watch(port, path));

await check('watchers at three nodes are one presence', async () => {
  await allSee(watchers, 3);
  const [people] = watchers.map((watcher) => watcher.last('presence').people);
  assert.equal(people.reduce((sum, { watchers: n }) => sum + n, 0), 3);
});

await check('control: they are not counted where another session is watched', async () => {
  const alone = watch(ports[1], await session(ports[1]));
  await allSee([alone], 1);
  await sleep(1500); // bound: nothing comes
  assert.deepEqual(seen([alone]), [1]);
  alone.request.destroy();
});

await check('who leaves at one node leaves at all', async () => {
  watchers.pop().request.destroy();
  await allSee(watchers, 2);
});

await check('what is shown at one node is seen at all, also where nobody watches', async () => {
  for (const [i, port] of ports.entries()) {
    const title = `step ${i}`;
    const { status, json, text } = await ask(port, 'POST', `${path}/cue`, { title }, owner(path));
    assert.equal(status, 200, text);
    assert.equal(json.watchers, 2);
    await until(() => JSON.stringify(watchers.map((watcher) => watcher.last('cue'))), () => watchers.every((watcher) => watcher.last('cue')?.cue.title === title));
  }
  for (const watcher of watchers) assert.equal(watcher.events.filter(({ event }) => event === 'cue').length, ports.length);
});

await check('a reaction sent at one node reaches watchers at every node once, and does not replace the cue', async () => {
  const { title } = watchers[0].last('cue').cue;
  const reactions = (watcher) => watcher.events.filter(({ event, data }) => event === 'cue' && data.cue.reaction).map(({ data }) => data.cue.reaction);
  const sent = [];
  for (const [i, port] of ports.entries()) {
    sent.push(['clap', 'heart', 'wow'][i]);
    const { json } = await ask(port, 'POST', `${path}/cue`, { reaction: sent.at(-1) }, owner(path));
    assert.equal(json.watchers, 2);
    await until(() => JSON.stringify(watchers.map(reactions)), () => watchers.every((watcher) => reactions(watcher).length === sent.length));
  }
  const late = ports.map((port) => watch(port, path));
  await until(() => 'no cue', () => late.every((watcher) => watcher.last('cue')));
  await allSee(watchers, 5);
  for (const watcher of late) assert.deepEqual([watcher.last('cue').cue, reactions(watcher)], [{ title }, []]);
  for (const watcher of watchers) assert.deepEqual(reactions(watcher), sent);
  for (const { request } of late) request.destroy();
  await allSee(watchers, 2);
});

await check('who watches counts at every node from the first event on, and gets the last cue first', async () => {
  for (let i = 0; i < 5; i++) {
    const path = await session(ports[i % 3]);
    const streams = [];
    for (const [n, port] of ports.entries()) {
      const stream = watch(port, path);
      streams.push(stream);
      await until(() => 'no state', () => stream.last('state'));
      if (n > 0) await until(() => 'no cue', () => stream.last('cue'));
      const other = ports[(n + 1 + (i % 2)) % 3];
      for (const title of ['an old one', `step ${n}`]) {
        const { json } = await ask(other, 'POST', `${path}/cue`, { title }, owner(path));
        assert.equal(json.watchers, n + 1);
      }
    }
    assert.equal(streams[2].events.find(({ event }) => event === 'cue').data.cue.title, 'step 1');
    for (const { request } of streams) request.destroy();
  }
});

await check('those at a node that is killed have left soon', async () => {
  nodes.servers[0].child.kill('SIGKILL');
  await allSee(watchers.slice(1), 1);
});

for (const { request } of watchers) request.destroy();
await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
