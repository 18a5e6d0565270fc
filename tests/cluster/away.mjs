// away.mjs: a database that cannot be reached shows in /metrics and in the log of its nodes, and that it is back.
// Usage: node away.mjs [binary]

import assert from 'node:assert/strict';
import { Client } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';

const postgres = await Postgres.start();
const server = await Server.start(binaryArgument(), await postgres.store(), ['--store-wait-ms', '300', '--log-format', 'json', '--max-store-bytes', 'off']);
const client = new Client(server.url);
const metric = async (name) => Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} ([\\d.]+)$`, 'm').exec((await client.get('/metrics')).text)?.[1]);
const lines = () => server.log.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
const { id } = await client.expect(201, 'POST', '/v1/sessions', { size: 3, access: 'edit' });

await check('while it is there', async () => {
  assert.equal(await metric('cubed_store_away'), 0);
  assert.ok((await metric('cubed_store_bytes')) > 8192, 'the size is known without a limit, too');
  assert.ok(!(await metric('cubed_store_limit_bytes')));
  assert.deepEqual(lines(), []);
});

await check('while it is away', async () => {
  await postgres.command('kill a');
  await until(async () => (await metric('cubed_store_away')) === 1, 'no metric says that it is away');
  const refused = await client.post(`/v1/sessions/${id}/moves`, { moves: 'R' });
  assert.equal(refused.status, 503);
  const line = await until(() => lines().find(({ request_id: found }) => found === refused.headers['x-request-id']), 'no line of the log');
  assert.equal(`${line.level} ${line.problem} ${line.reason} ${line.client} ${line.path}`, `warning store-away store-away 127.0.0.1 /v1/sessions/${id.slice(0, 4)}.../moves`);
  assert.ok((await metric('cubed_refused_total{reason="store-away",status="503"}')) >= 1);
});

await check('when it is back', async () => {
  await postgres.command('start a');
  await until(async () => (await metric('cubed_store_away')) === 0, 'no metric says that it is back');
  assert.equal((await client.post(`/v1/sessions/${id}/moves`, { moves: 'R' })).status, 200);
});

client.close();
assert.equal((await server.stop()).code, 0, server.log);
await postgres.stop();
finish();
