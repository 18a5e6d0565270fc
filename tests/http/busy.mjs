// More computations of one client than are worth waiting for: some are answered, the others are refused, each refusal complete
// and with an id of its own. The answers of others stay as they are.
//
//     node tests/http/busy.mjs PATH_TO_BINARY
import { check, connect, exchange, finish, GOOD, HOST, start, statuses } from './support/server.mjs';

const MANY = 600; // each takes ten milliseconds of a processor, and a quarter of a second of them may wait

const parts = (text) => {
  const end = text.indexOf('\r\n\r\n');
  const lines = text.slice(0, end).split('\r\n').slice(1).map((line) => line.split(': '));
  return { names: lines.map(([name]) => name.toLowerCase()), field: Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value])), body: text.slice(end + 4) };
};

const server = await start('--rate-limit', 'off');
const question = (i) => `GET /v1/image.png?size=20 HTTP/1.1\r\n${HOST}\r\n${i % 2 ? `X-Request-Id: number-${i}\r\n` : ''}\r\n`;
check('one alone is answered', (await exchange(server.port, question(0))).statuses[0] === 200);
const clients = Array.from({ length: MANY }, () => connect(server.port));
await Promise.all(clients.map(({ ready }) => ready));
clients.forEach(({ socket }, i) => socket.write(question(i)));
await Promise.all(clients.map((client) => client.until(({ text }) => statuses(text).length > 0)));
const answers = clients.map(({ text }) => text);
clients.forEach(({ socket }) => socket.destroy());
const codes = answers.map((text) => statuses(text)[0]);
check('each is answered or refused', codes.every((code) => code === 200 || code === 503), [...new Set(codes)].join());
check('some are answered', codes.includes(200));
const refused = answers.map((text, i) => ({ i, ...parts(text) })).filter(({ i }) => codes[i] === 503);
check('others are refused', refused.length > 0);
for (const [name, good] of Object.entries({
  'a refusal says when to come again': ({ field }) => field['retry-after'] === '1',
  'it is a problem': ({ field, body }) => field['content-type'] === 'application/problem+json' && JSON.parse(body).type === 'urn:cubed:problem:busy',
  'it is not kept': ({ field }) => field['cache-control'] === 'no-store',
  'it has the id of its request': ({ i, field, body }) => JSON.parse(body).request_id === field['x-request-id'] && (i % 2 === 0 || field['x-request-id'] === `number-${i}`),
  'its length is right': ({ field, body }) => Number(field['content-length']) === Buffer.byteLength(body),
  'it has each field once': ({ names }) => new Set(names).size === names.length,
  'it has a date': ({ field }) => !Number.isNaN(Date.parse(field.date)),
})) {
  const wrong = refused.find((one) => !good(one));
  check(name, !wrong, JSON.stringify(wrong));
}
check('no two have the same id', new Set(refused.map(({ field }) => field['x-request-id'])).size === refused.length);
const { text } = await exchange(server.port, GOOD);
check('other answers have no Retry-After', statuses(text)[0] === 200 && !/retry-after/i.test(text), text);
check('a clean end', (await server.stop()).code === 0);
finish();
