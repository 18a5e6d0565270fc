// Tests that a live cube reports a server that is slow, silent or gone long before the connection itself ends, and that
// it is back. Usage: node status.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { Line } from './support/line.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { Proxy, until } from './support/proxy.mjs';

const QUIET_MS = 300; // bound: after this time without an event the client asks

// No ping and no time limit of a stream says it.
const server = await Server.start(binaryArgument(), 'memory:', ['--ping-interval-ms', `${5 * PATIENCE_MS}`]);
const direct = () => new Cubed(server.url);

async function open(url, id, options) {
  const cube = await new Cubed(url, options).session(id).live();
  await until(() => cube.online, 'it is online');
  return cube;
}

const create = () => direct().createSession({ size: 3, access: 'edit' });

await check('a connection that breaks', async () => {
  const proxy = await Proxy.start(server.url);
  const { id } = await create();
  const cube = await open(proxy.url, id);
  proxy.fault = () => 'cut';
  proxy.cut();
  await until(() => !cube.online, 'it is said');
  proxy.fault = () => undefined;
  await until(() => cube.online, 'it is back');
  cube.close();
  await proxy.stop();
});

await check('a turn that is not answered, while the connection stands', async () => {
  const proxy = await Proxy.start(server.url);
  const { id } = await create();
  const cube = await open(proxy.url, id);
  const said = [];
  cube.subscribe(({ type }) => type === 'status' && said.push(cube.online));
  const pass = proxy.fault;
  proxy.fault = ({ path }) => {
    if (path.endsWith('/moves')) proxy.latencyMs = 2500;
    return undefined;
  };
  const turn = cube.turn('R');
  await until(() => said.includes(false), 'it is said');
  proxy.latencyMs = 0;
  proxy.fault = pass;
  await turn;
  assert.ok(cube.online);
  assert.deepEqual(said.filter((online, i) => online !== said[i - 1]), [true, false, true]);
  cube.close();
  await proxy.stop();
});

await check('a turn that the server cannot store yet', async () => {
  const proxy = await Proxy.start(server.url);
  const { id } = await create();
  const cube = await open(proxy.url, id);
  let refusals = 0;
  let away = true;
  proxy.fault = ({ path }) => (path.endsWith('/moves') && away ? (refusals++, { status: 503, type: 'urn:cubed:problem:store-unavailable' }) : undefined);
  const turn = cube.turn('R');
  await until(() => refusals >= 2 && cube.waiting === 1 && !cube.online, 'it is said for as long as the turn waits');
  away = false;
  await turn;
  assert.ok(cube.online);
  cube.close();
  await proxy.stop();
});

await check('a line that swallows everything: with a turn', async () => {
  const line = await Line.open(server.url);
  const { id } = await create();
  const cube = await open(line.url, id);
  line.silent = true;
  cube.turn('R');
  await until(() => !cube.online, 'it is said');
  assert.ok(!cube.solved, 'the turn stays shown');
  line.silent = false;
  await cube.settled();
  assert.equal((await direct().session(id).read()).revision, 1);
  cube.close();
  await line.close();
});

await check('... and without one, if it is asked; the stream is opened again as soon as there are answers', async () => {
  const line = await Line.open(server.url);
  const { id } = await create();
  const cube = await open(line.url, id, { quietMs: QUIET_MS });
  line.silent = true;
  await until(() => !cube.online, 'it is said');
  line.silent = false;
  await direct().session(id).turn('R');
  await until(() => cube.online && cube.revision === 1, 'it is back, with what was missed');
  cube.close();
  await line.close();
});

await check('a server that is only quiet is not taken for a dead one', async () => {
  const proxy = await Proxy.start(server.url);
  const { id } = await create();
  const cube = await open(proxy.url, id, { quietMs: QUIET_MS });
  const said = [];
  cube.subscribe(({ type }) => type === 'status' && said.push(cube.online));
  const questions = () => proxy.log.filter(({ path }) => path === '/healthz').length;
  await until(() => questions() >= 4, 'some questions');
  // A second without an answer would be one too many.
  const late = proxy.log.some(({ path, took }) => path === '/healthz' && !(took < 500)); // bound: a slow machine is not judged
  if (!late) assert.deepEqual(said, []);
  cube.close();
  const before = questions();
  await new Promise((done) => setTimeout(done, 3 * QUIET_MS)); // bound: nothing comes
  assert.ok(questions() <= before + 1, 'nobody asks any more');
  await proxy.stop();
});

await check('several live cubes of one client', async () => {
  const proxy = await Proxy.start(server.url);
  const client = new Cubed(proxy.url);
  const sessions = [await create(), await create()];
  const cubes = [];
  for (const { id } of sessions) {
    const cube = await client.session(id).live();
    cubes.push(cube);
    await until(() => cubes.every(({ online }) => online), 'all are online');
  }
  proxy.fault = () => 'cut';
  proxy.cut();
  await until(() => cubes.every(({ online }) => !online), 'it is said');
  cubes.forEach((cube) => cube.close());
  await proxy.stop();
});

await server.stop();
finish();
