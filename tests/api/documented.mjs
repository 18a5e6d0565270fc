// The requests that openapi.yaml has as examples, made to a running server.

import { contract } from './client.mjs';

const VOLATILE = new Set(['id', 'created_at', 'updated_at', 'time', 'next_cursor', 'detail', 'token', 'ticket', 'expires_at', 'reopens_until', 'sessions', 'nodes', 'time_ms', 'elapsed_ms', 'depth', 'loaded', 'session', 'integrity']);

/** The session that the examples speak of: turned, turned, and once undone. */
export async function kitchenTable(client, needsOther = false, listed = false) {
  if (listed) await client.session({ size: 2, listed });
  const session = await client.session({ size: 3, name: 'Kitchen table', access: 'edit', listed });
  const anonymous = { token: null };
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: "R U R' U'" }, anonymous);
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: "F'" }, anonymous);
  await client.expect(200, 'POST', `${session.path}/undo`, {}, anonymous);
  if (needsOther) await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer', label: 'Bo' });
  return session.id;
}

/** A search that has ended. */
export async function kitchenJob(client) {
  const { id } = await client.expect(202, 'POST', '/v1/solve', { cube: { size: 3, moves: "R U F'" }, wait_ms: 0 });
  while ((await client.expect(200, 'GET', `/v1/jobs/${id}`)).status !== 'done') await new Promise((later) => setTimeout(later, 5));
  return id;
}

export const operationSource = ({ path, method }) => contract.document.paths[path][method.toLowerCase()];

/** Returns true if an operation has `security`, as those that only the owner may call do; the other examples are sent
 * without a token. */
export const needsToken = (operation) => operationSource(operation).security !== undefined;

/** Names of the examples in a request, the parameters' after the body's. */
export function requestNames(operation) {
  const names = new Set([...Object.keys(operation.body?.examples ?? {}), ...Object.keys(operation.lines?.examples ?? {})]);
  for (const parameter of operation.parameters) Object.keys(parameter.examples ?? {}).forEach((name) => names.add(name));
  return [...names];
}

/** The value with the documented session's id replaced by that of a real one. */
export function substitute(value, from, to) {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

/** A solve in the session's book, its owner's, for the examples that are about one. */
export async function solved(client, operation, id) {
  if (!operation.path.includes('{solve_id}')) return null;
  const json = { session: id, scramble: 'R U F', solution: "F'@0 U'@400 R'@1234", penalty: '+2', comment: 'one move off' };
  return (await client.expect(201, 'POST', '/v1/solves', json)).id;
}

/** The version in the paths of the page's files. */
export async function assetVersion(client) {
  return (await client.get('/')).text.match(/\/assets\/(\w+)\//)[1];
}

export const documentedId = contract.document.components.parameters.Id.example;

/** The request that the examples of that name make. */
export function requestOf(operation, name, id, job, solve) {
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

/** Makes the request that the examples of that name make, with the sessions and jobs that they speak of. `query`: more
 * parameters. */
export async function sendExample(client, operation, name, { accept, query = {} } = {}) {
  // The index lists each call.
  if (operation.id === 'getIndex') await client.send('GET', '/v1/solves', { token: null });
  const id = await kitchenTable(client, operation.path.includes('{token_id}'), operation.id === 'listSessions');
  const job = operation.path.includes('{job_id}') ? await kitchenJob(client) : undefined;
  const { target, json, body, headers } = requestOf(operation, name, id, job, await solved(client, operation, id));
  const [path, text] = (operation.path.includes('{version}') ? target.replace('{version}', await assetVersion(client)) : target).split('?');
  const parameters = new URLSearchParams(text);
  for (const [key, value] of Object.entries(query)) parameters.set(key, value);
  if (operation.id === 'streamEvents') {
    const { ticket } = await client.expect(201, 'POST', '/v1/tickets', { sessions: [{ id }] }, { token: null });
    parameters.set('ticket', ticket);
  }
  const whole = [...parameters].length ? `${path}?${parameters}` : path;
  const token = needsToken(operation) ? undefined : null;
  return client.send(operation.method, whole, { json, body, headers, accept, token });
}

/** A JSON value without what differs from run to run. */
export function settle(value) {
  if (value?.help) return settle(Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'help')));
  if (Array.isArray(value)) return value.map(settle);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, VOLATILE.has(key) ? member === null : settle(member)]),
  );
}
