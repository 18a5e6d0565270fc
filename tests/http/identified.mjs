// identified.mjs: every answer has an X-Request-Id, its problem and the log have the same; a valid traceparent is logged.
//
//     node tests/http/identified.mjs PATH_TO_BINARY
import { check, exchange, finish, HOST, start } from './support/server.mjs';

const server = await start('--log-level', 'debug', '--log-format', 'json');
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const MADE = /^[0-9a-f]{16}$/;

/** Sends one request; its answer's status, id, and that of its problem. */
async function ask(line, headers = [], body = '') {
  const { text } = await exchange(server.port, [`${line} HTTP/1.1`, HOST, 'Connection: close', ...headers, '', body].join('\r\n'));
  const end = text.indexOf('\r\n\r\n');
  const ids = [...text.slice(0, end).matchAll(/^X-Request-Id: (.*)$/gm)].map(([, id]) => id.trim());
  const problem = /application\/problem\+json/.test(text) ? JSON.parse(text.slice(end + 4)).request_id : undefined;
  return { status: Number(text.slice(9, 12)), ids, problem };
}

const JSON_BODY = (length) => ['Content-Type: application/json', `Content-Length: ${length}`];
const asked = {
  'an answer': ['GET /healthz'],
  'a longer answer': ['GET /v1/formats'],
  'a page': ['GET /'],
  'a stream': ['GET /v1/scramble?size=100&count=3'],
  'a preflight': ['OPTIONS /healthz'],
  'an unknown path': ['GET /v1/nothing'],
  'a broken head': ['GET /healthz', ['X: a\x01b']],
  'a head that is too large': ['GET /healthz', [`X-Long: ${'x'.repeat(10200)}`]],
  'a body that is too large': ['POST /v1/apply', JSON_BODY(99999999)],
  'a chunked body that is too large': ['POST /v1/apply', ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    `10ffff\r\n${' '.repeat(0x10ffff)}\r\n0\r\n\r\n`],
  'a wrong body': ['POST /v1/apply', JSON_BODY(1), '{'],
};
const seen = new Set();
for (const [name, [line, headers = [], body]] of Object.entries(asked)) {
  for (const sent of [undefined, 'mine', 'x'.repeat(128)]) {
    const more = sent === undefined ? [] : [`X-Request-Id: ${sent}`];
    const answer = await ask(line, [...more, ...headers], body);
    const what = `${name}, ${sent?.slice(0, 5)}`;
    check(`${what}: one id`, answer.ids.length === 1, JSON.stringify(answer));
    const [id] = answer.ids;
    if (sent === undefined) check(`${what}: one that is made`, MADE.test(id), id);
    else check(`${what}: the client's`, id === sent, id);
    check(`${what}: in the problem`, answer.status < 400 ? answer.problem === undefined : answer.problem === id, JSON.stringify(answer));
    if (sent === undefined) seen.add(id);
  }
}
check('no id is made twice', seen.size === Object.keys(asked).length);

for (const [name, ...sent] of [
  ['one that is too long', `X-Request-Id: ${'x'.repeat(129)}`],
  ['one with a space', 'X-Request-Id: a b'],
  ['one that is not ASCII', 'X-Request-Id: \xe4'],
  ['an empty one', 'X-Request-Id: '],
  ['two', 'X-Request-Id: a', 'X-Request-Id: b'],
]) {
  const { ids } = await ask('GET /healthz', sent);
  check(`${name} is replaced`, ids.length === 1 && MADE.test(ids[0]), ids.join());
}

// On one connection: answers of the same length, which share a response, with ids of the same and of other lengths.
const agent = await exchange(server.port, ['one', 'two', 'a-longer-one', '', 'three', ''].map((id, i, all) =>
  `GET /healthz HTTP/1.1\r\n${HOST}\r\n${id ? `X-Request-Id: ${id}\r\n` : ''}${i === all.length - 1 ? 'Connection: close\r\n' : ''}\r\n`).join(''));
const ids = [...agent.text.matchAll(/^X-Request-Id: (.*)\r$/gm)].map(([, id]) => id);
check('of a shared response', ids.length === 6 && ids[0] === 'one' && ids[1] === 'two' && ids[2] === 'a-longer-one' &&
  MADE.test(ids[3]) && ids[4] === 'three' && MADE.test(ids[5]) && ids[5] !== ids[3], ids.join());

await ask('GET /v1/apply?moves=R', ['X-Request-Id: traced', `traceparent: ${TRACE}`]);
await ask('GET /v1/apply?moves=Q', ['X-Request-Id: wrong', `traceparent: ${TRACE}`]);
await ask('GET /v1/apply', ['X-Request-Id: future', `traceparent: cc${TRACE.slice(2)}-what`]);
const bad = ['', 'x', TRACE.slice(0, -1), `${TRACE}-what`, TRACE.replace('00-', 'ff-'), TRACE.toUpperCase(), TRACE.replace(/4bf\w+/, '0'.repeat(32)),
  TRACE.replace('00f067aa0ba902b7', '0'.repeat(16)), TRACE.replaceAll('-', '_')];
for (const [i, trace] of bad.entries()) await ask('GET /v1/apply', [`X-Request-Id: bad${i}`, `traceparent: ${trace}`]);
await server.stop();
const lines = server.errors().split('\n').filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
const logged = (id) => lines.find((line) => line.request_id === id);
const { status, method, route, took_us: took, traceparent } = logged('traced') ?? {};
check('a request is logged', status === 200 && method === 'GET' && route === '/v1/apply' && took > 0 && traceparent === TRACE, JSON.stringify(logged('traced')));
check('a problem too', logged('wrong')?.problem === 'bad-notation' && logged('wrong').status === 422, JSON.stringify(logged('wrong')));
check('the traceparent of a later version', logged('future')?.traceparent === `cc${TRACE.slice(2)}-what`, JSON.stringify(logged('future')));
for (const [i, trace] of bad.entries()) check(`no traceparent: ${trace}`, logged(`bad${i}`) && !logged(`bad${i}`).traceparent, JSON.stringify(logged(`bad${i}`)));
check('the query is not logged', lines.length > 0 && !lines.some((line) => JSON.stringify(line).includes('moves')));
finish();
