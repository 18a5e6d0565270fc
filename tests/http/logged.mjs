// logged.mjs: which requests are in the log, with what, how many of a flood, and that no secret is.
//
//     node tests/http/logged.mjs PATH_TO_BINARY
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens } from '../support/patience.mjs';
import { check, connect, exchange, finish, HOST, start } from './support/server.mjs';

const JSON_LOG = ['--log-format', 'json'];

/** A request with a body of JSON; answers {status, json, id}. */
function ask(at, method, path, json, headers = {}) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const sent = body === undefined ? headers : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
  const where = typeof at === 'string' ? { socketPath: at } : { host: '127.0.0.1', port: at };
  return new Promise((answered, failed) => {
    const request = http.request({ ...where, method, path, headers: sent, agent: false }, (response) => {
      let text = '';
      response.on('data', (bytes) => (text += bytes));
      response.on('end', () => answered({ status: response.statusCode, text, json: /json$/.test(response.headers['content-type']) ? JSON.parse(text) : null, id: response.headers['x-request-id'] }));
    });
    request.on('error', failed);
    request.end(body);
  });
}

/** The lines of a server's log about requests and connections. */
const lines_of = (server, ...messages) => server.errors().split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  .filter(({ msg }) => (messages.length ? messages : ['request', 'connection refused']).includes(msg));
const LEFT_OUT = 'lines were left out of the log';

// Refused requests are logged by default, others are not; with what an operator needs.
{
  const server = await start(...JSON_LOG, '--rate-limit', 'on', '--loopback-factor', '1', '--max-reads', '1', '--max-reads-burst', '3', '--trusted-proxy', '127.0.0.1');
  const as = (address) => ({ 'x-forwarded-for': address });
  for (let i = 0; i < 3; i++) await ask(server.port, 'GET', '/v1/formats', undefined, as('192.0.2.7'));
  await ask(server.port, 'GET', '/v1/nothing', undefined, as('192.0.2.8'));
  let refused;
  await happens(async () => (refused = await ask(server.port, 'GET', '/v1/formats?as=net', undefined, as('192.0.2.7'))).status === 429);
  const v6 = await happens(async () => {
    const answer = await ask(server.port, 'GET', '/v1/sets/oll/sune', undefined, as('2001:db8::17'));
    return answer.status === 429 && answer;
  });
  await server.stop();
  const lines = lines_of(server);
  const line = lines.find(({ request_id }) => request_id === refused.id);
  check('a refused request is a line', line?.level === 'info' && line.method === 'GET' && line.path === '/v1/formats' && line.route === '/v1/formats' && line.status === 429 &&
    line.problem === 'rate-limited' && line.reason === 'reads' && line.client === '192.0.2.7' && line.took_us >= 0, JSON.stringify(lines));
  const other = lines.find(({ request_id }) => request_id === v6.id);
  check('one of IPv6, with the whole address', other?.client === '2001:db8::17' && other.path === '/v1/sets/oll/sune', JSON.stringify(other));
  check('others are not logged', lines.length === 2 && lines.every(({ status }) => status === 429), JSON.stringify(lines));
}

// Each limit has its reason.
{
  const server = await start(...JSON_LOG, '--rate-limit', 'off', '--max-watchers-per-session', '1', '--max-streams-per-address', '1', '--max-store-bytes', '3000', '--trusted-proxy', '127.0.0.1',
    '--max-connections-per-address', '4', '--max-connections', '20');
  const { json } = await ask(server.port, 'POST', '/v1/sessions', { size: 3, access: 'edit' });
  const path = `/v1/sessions/${json.id}`;
  const stream = (at, forwarded) => {
    const client = connect(server.port);
    client.socket.write(`GET ${at}/events HTTP/1.1\r\n${HOST}\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`);
    return client;
  };
  const first = stream(path, '192.0.2.1');
  await first.until(({ text }) => text.includes('event: state'));
  check('a watcher too many', (await ask(server.port, 'GET', `${path}/events`, undefined, { 'x-forwarded-for': '192.0.2.2' })).status === 429);
  const second = await ask(server.port, 'POST', '/v1/sessions', { size: 2, access: 'edit' });
  check('a stream too many', (await ask(server.port, 'GET', `/v1/sessions/${second.json.id}/events`, undefined, { 'x-forwarded-for': '192.0.2.1' })).status === 429);
  let full;
  for (let i = 0; i < 1000 && full?.status !== 507; i++) full = await ask(server.port, 'POST', `${path}/moves`, { moves: "R U R' ".repeat(30) });
  check('a full store', full.status === 507);
  const all = Array.from({ length: 40 }, () => connect(server.port));
  check('a connection too many', await happens(() => lines_of(server, 'connection refused').length > 0));
  all.forEach(({ socket }) => socket.destroy());
  first.socket.destroy();
  const metrics = await happens(async () => {
    const answer = await ask(server.port, 'GET', '/metrics').catch(() => null);
    return answer?.status === 200 && answer.text;
  });
  await server.stop();
  const lines = lines_of(server);
  const reasons = lines.map(({ reason, status, level, msg, client }) => `${msg} ${level} ${status} ${reason} ${client}`);
  for (const expected of ['request info 429 watchers 192.0.2.2', 'request info 429 address_streams 192.0.2.1', 'request warning 507 storage-full 127.0.0.1', 'connection refused warning 503 connections 127.0.0.1'])
    check(`logged: ${expected}`, reasons.includes(expected), reasons.join('\n'));
  for (const [reason, status] of [['watchers', 429], ['address_streams', 429], ['storage-full', 507], ['connections', 503]])
    check(`counted: ${reason}`, new RegExp(`^cubed_refused_total\\{reason="${reason}",status="${status}"\\} [1-9]`, 'm').test(metrics), metrics.match(/^cubed_refused.*[1-9]$/gm)?.join());
  check('the gauge of a full store', /^cubed_store_full 1$/m.test(metrics));
}

// A flood: some lines, and how many were left out. Nothing is lost from the count.
{
  const server = await start(...JSON_LOG, '--rate-limit', 'on', '--loopback-factor', '1', '--max-reads', '1', '--max-reads-burst', '1');
  const begin = performance.now();
  let refused = 0;
  for (let i = 0; i < 40; i++)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, () => ask(server.port, 'GET', '/v1/limits')))) refused += status === 429;
  await server.stop();
  const minutes = Math.ceil((performance.now() - begin) / 60000);
  const lines = lines_of(server).length;
  const left = lines_of(server, LEFT_OUT);
  check('a flood has few lines', refused > 100 && lines >= 10 && lines <= 10 * (minutes + 1), `${lines} of ${refused}`);
  check('and the number of the others', left.reduce((sum, { count }) => sum + count, 0) === refused - lines, `${lines} of ${refused} ${JSON.stringify(left)}`);
  check('with the reason', left.length > 0 && left.every((line) => line.reason === 'reads' && line.status === 429 && line.level === 'info'), JSON.stringify(left));
}

// All, none; and debug, which shows all whatever was chosen.
for (const [flags, expected] of [
  [['--log-requests', 'all'], 'info 200 GET /healthz, info 404 GET /nowh..., info 429 GET /healthz'],
  [['--log-requests', 'none'], ''],
  [['--log-requests', 'none', '--log-level', 'debug'], 'debug 200 GET /healthz, debug 404 GET /nowh..., debug 429 GET /healthz'],
  [['--log-requests', 'errors', '--log-level', 'warning'], ''],
  [['--log-requests', 'errors', '--log-level', 'debug'], 'debug 200 GET /healthz, debug 404 GET /nowh..., info 429 GET /healthz'],
]) {
  const server = await start(...JSON_LOG, '--rate-limit', 'on', '--loopback-factor', '1', '--max-reads', '1', '--max-reads-burst', '2', ...flags);
  const seen = [];
  for (const path of ['/healthz', '/nowhere/at/all']) seen.push(await ask(server.port, 'GET', path));
  await happens(async () => seen[2 + seen.push(await ask(server.port, 'GET', '/healthz')) - 3].status === 429, 1);
  await server.stop();
  const ids = [seen[0].id, seen[1].id, seen.at(-1).id];
  const lines = lines_of(server).filter(({ request_id }) => ids.includes(request_id));
  const found = lines.map(({ level, status, method, path }) => `${level} ${status} ${method} ${path}`).join(', ').replace('/nowh.../at/all', '/nowh...');
  check(flags.join(' '), found === expected && (expected || lines_of(server).length === 0), `${found} ${server.errors()}`);
}

// No secret: tokens, tickets, whole ids of sessions; wherever they are sent, and also over a Unix socket.
{
  const directory = mkdtempSync(join(tmpdir(), 'cubed-logged-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const socket = join(directory, 'socket');
  const server = await start(...JSON_LOG, '--log-requests', 'all', '--log-level', 'debug', '--listen', `unix:${socket}`);
  const { json } = await ask(socket, 'POST', '/v1/sessions', { size: 3, access: 'none' });
  const { id, token } = json;
  const bearer = { authorization: `Bearer ${token}` };
  const made = await ask(socket, 'POST', `/v1/sessions/${id}/tokens`, { role: 'editor', label: 'a friend' }, bearer);
  const ticket = await ask(socket, 'POST', '/v1/tickets', { sessions: [{ id }] }, bearer);
  const secrets = { 'the id': id, token, 'its secret': token.split('_')[1], 'another token': made.json.token, ticket: ticket.json.ticket };
  check('there are secrets', Object.values(secrets).every((secret) => secret?.length >= 16), JSON.stringify([made.json, ticket.json]));
  const targets = [`/c/${id}`, `/v1/sessions/${id}`, `/v1/sessions/${id}/cube?as=net`, `/v1/sessions/${id}/nothing`, `/v1/sessions/${token}`, `/c/${token}`, `/${token}`, `/c/${id}%23${token}`,
    `/c/${id}/${token}`, `/v1/sessions/${id}/cube?token=${token}`, `/?${token}`, `/v1/patterns/${token}?session=${id}`, `/v1/events?ticket=${ticket.json.ticket}x`,
    `/v1/sessions/${id}/tokens/${token}`, `/v1/jobs/${token}`, `/v1/solves/${token}`, `http://${token}@localhost/v1/formats`, `/v1%2Fsessions%2F${id}`, `/docs/${token}/${id}`, `/${'x'.repeat(500)}/${token}`];
  for (const target of targets) for (const method of ['GET', 'DELETE', 'POST', 'OPTIONS']) await ask(socket, method, target, undefined, bearer).catch(() => null);
  await ask(socket, 'POST', `/v1/sessions/${id}/moves`, { moves: 'R' }, { ...bearer, 'idempotency-key': token, cookie: token, referer: `http://localhost/c/${id}#${token}` });
  await exchange(socket, `GET /c/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nX: \x01${token}\r\n\r\n`);
  await server.stop();
  const lines = lines_of(server);
  const log = server.errors();
  check('requests are logged', lines.length >= 60 && lines.some(({ path }) => path === `/v1/sessions/${id.slice(0, 4)}.../moves`), lines.map(({ path }) => path).join());
  for (const [name, secret] of Object.entries(secrets)) check(`${name} is not in the log`, !log.includes(secret), log.split('\n').find((line) => line.includes(secret)));
  for (let at = 0; at + 8 <= token.length; at++) check('not a part of it', !log.includes(token.slice(at, at + 8)), token.slice(at, at + 8));
  check('the user of a Unix socket', lines.every(({ client }) => client === `unix:${process.getuid()}`), lines[0]?.client);
}
finish();
