// Sends every example of openapi.yaml to a running server and compares the answers with the examples of the
// same name. Usage: node examples.mjs [path of the binary]; once for each store.
//
// An example of an operation is what bears one name in its body and parameters. Where it has no body of
// that name, the first one is sent. An operation without any request examples is sent once, and its
// example of the answer, whatever its name, is compared. Members that differ from run to run are not.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client, contract } from './client.mjs';
import { binaryArgument, Server, temporaryDirectory } from './server.mjs';
import { check, finish } from './report.mjs';

const VOLATILE = new Set(['id', 'created_at', 'updated_at', 'time', 'next_cursor', 'detail', 'token', 'ticket', 'expires_at', 'nodes', 'time_ms', 'elapsed_ms', 'depth', 'loaded', 'session']);

/** The session that the examples speak of: turned, turned, and once undone. */
async function kitchenTable(client, needsOther = false) {
  const session = await client.session({ size: 3, name: 'Kitchen table', access: 'edit' });
  const anonymous = { token: null };
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: "R U R' U'" }, anonymous);
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: "F'" }, anonymous);
  await client.expect(200, 'POST', `${session.path}/undo`, {}, anonymous);
  if (needsOther) await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer', label: 'Bo' });
  return session.id;
}

/** A search that has ended. */
async function kitchenJob(client) {
  const { id } = await client.expect(202, 'POST', '/v1/solve', { cube: { size: 3, moves: "R U F'" }, wait_ms: 0 });
  while ((await client.expect(200, 'GET', `/v1/jobs/${id}`)).status !== 'done') await new Promise((later) => setTimeout(later, 5));
  return id;
}

const operationSource = ({ path, method }) => contract.document.paths[path][method.toLowerCase()];

/** What only the owner may is said by `security`; the other examples are of somebody without a token. */
const needsToken = (operation) => operationSource(operation).security !== undefined;

/** Names of the examples in a request, the parameters' after the body's. */
function requestNames(operation) {
  const names = new Set([...Object.keys(operation.body?.examples ?? {}), ...Object.keys(operation.lines?.examples ?? {})]);
  for (const parameter of operation.parameters) Object.keys(parameter.examples ?? {}).forEach((name) => names.add(name));
  return [...names];
}

/** The value with the documented session's id replaced by that of a real one. */
function substitute(value, from, to) {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

/** A solve in the session's book, its owner's, for the examples that are about one. */
async function solved(client, operation, id) {
  if (!operation.path.includes('{solve_id}')) return null;
  const json = { session: id, scramble: 'R U F', solution: "F'@0 U'@400 R'@1234" };
  return (await client.expect(201, 'POST', '/v1/solves', json)).id;
}

const documentedId = contract.document.components.parameters.Id.example;

/** The request that the examples of that name make. */
function requestOf(operation, name, id, job, solve) {
  const query = new URLSearchParams();
  const headers = {};
  let path = operation.path.replace('{id}', id).replace('{job_id}', job).replace('{solve_id}', solve);
  for (const parameter of operation.parameters) {
    const example = parameter.examples?.[name]?.value;
    if (example === undefined) continue;
    const text = substitute({ text: [example].flat().join(',') }, documentedId, id).text;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, text);
    else if (parameter.in === 'query') query.set(parameter.name, text);
    else headers[parameter.name.toLowerCase()] = text;
  }
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' && parameter.name !== 'id' && parameter.example) path = path.replace(`{${parameter.name}}`, parameter.example);
  }
  const target = path + (query.size || [...query].length ? `?${query}` : '');
  const lines = operation.lines?.examples?.[name]?.value;
  if (lines) return { target, body: lines, headers: { ...headers, 'content-type': 'application/x-ndjson' } };
  const bodies = operation.body?.examples ?? {};
  const body = (bodies[name] ?? Object.values(bodies)[0])?.value;
  return {
    target,
    json: body === undefined ? undefined : substitute(body, documentedId, id),
    headers,
  };
}

/** A JSON value without what differs from run to run. */
function settle(value) {
  if (Array.isArray(value)) return value.map(settle);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, VOLATILE.has(key) ? member === null : settle(member)]),
  );
}

function settleText(type, text) {
  if (type !== 'application/x-ndjson') return text;
  return text.split('\n').filter(Boolean).map((line) => settle(JSON.parse(line)));
}

/** The documented answers of one name: [status, media type, value]. */
function answersOf(operation, name) {
  return Object.entries(operation.responses).flatMap(([status, given]) =>
    Object.entries(contract.resolve(given).value.content ?? {}).flatMap(([type, media]) => {
      const examples = name === null && status === '200' ? Object.keys(media.examples ?? {}) : [name];
      return examples
        .filter((key) => media.examples?.[key])
        .map((key) => [Number(status), type, contract.resolve(media.examples[key]).value.value]);
    }),
  );
}

/** Operations whose examples show some of the items that are answered. */
const EXCERPTS = new Set(['listSolvers']);

function compareExcerpt(answer, value) {
  for (const item of value.items) assert.ok(answer.items.some((one) => isDeepStrictEqual(one, item)), JSON.stringify(item));
}

async function compare(client, operation, name, [status, type, value]) {
  const id = await kitchenTable(client, operation.path.includes('{token_id}'));
  const job = operation.path.includes('{job_id}') ? await kitchenJob(client) : undefined;
  const { target, json, body, headers } = requestOf(operation, name, id, job, await solved(client, operation, id));
  const token = needsToken(operation) ? undefined : null;
  const accept = type.includes('problem') ? undefined : type;
  const answer = await client.send(operation.method, target, { json, body, headers, accept, token });
  assert.equal(answer.status, status, answer.text);
  if (EXCERPTS.has(operation.id)) compareExcerpt(settle(answer.json), settle(value));
  else if (type.endsWith('json') && type !== 'application/x-ndjson') assert.deepEqual(settle(answer.json), settle(value));
  else assert.deepEqual(settleText(type, answer.text), settleText(type, value));
}

async function send(client, operation, name) {
  const id = await kitchenTable(client, operation.path.includes('{token_id}'));
  const job = operation.path.includes('{job_id}') ? await kitchenJob(client) : undefined;
  const { target, json, body, headers } = requestOf(operation, name, id, job, await solved(client, operation, id));
  const token = needsToken(operation) ? undefined : null;
  const answer = await client.send(operation.method, target, { json, body, headers, token });
  assert.ok(answer.status < 300, `an example without a documented answer should succeed\n${answer.text}`);
}

for (const store of ['memory:', `sqlite:${join(temporaryDirectory(), 'examples.db')}`]) {
  const server = await Server.start(binaryArgument(), store);
  const client = new Client(server.url);
  for (const operation of contract.operations) {
    const names = requestNames(operation);
    for (const name of names.length > 0 ? names : [null]) {
      const where = `${store.split(':')[0]} ${operation.id} ${name ?? ''}`;
      const answers = answersOf(operation, name);
      if (answers.length === 0) await check(where, () => send(client, operation, name));
      for (const answer of answers) await check(`${where} ${answer[1]}`, () => compare(client, operation, name, answer));
    }
    await check(`${operation.id} is described`, () => assert.ok(operationSource(operation).summary));
  }
  client.close();
  await check(`${store} ends well`, async () => assert.deepEqual((await server.stop()).code, 0));
}

finish();
