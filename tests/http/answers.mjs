// answers.mjs: the same bytes get the same answer, whatever the version of libmicrohttpd. What is recorded in
// answers.txt was answered with 0.9.75; every system that the tests run on must answer the same.
//
//     node tests/http/answers.mjs PATH_TO_BINARY [--record]
import { readFileSync, writeFileSync } from 'node:fs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { check, connect, finish, GOOD, HOST, start, statuses } from './support/server.mjs';

const get = (...headers) => ['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n');
const post = (headers, body) => ['POST /v1/apply HTTP/1.1', HOST, 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const chunked = (body) => post(['Transfer-Encoding: chunked'], body);
const moves = '{"moves":"R"}';
const CASES = {
  'a request': get(HOST),
  'a folded header line': get(HOST, 'X-Fold: a', ' b'),
  'a folded Transfer-Encoding': post(['Transfer-Encoding:', ' chunked'], '0\r\n\r\n'),
  'bare LFs': `GET /healthz HTTP/1.1\n${HOST}\n\n`,
  'one bare LF': `GET /healthz HTTP/1.1\r\n${HOST}\nX: y\r\n\r\n`,
  'a NUL in a value': get(HOST, 'X: a\0b'),
  'a NUL in a name': get(HOST, 'X\0: b'),
  'a bare CR in a value': get(HOST, 'X: a\rb'),
  'a blank before the colon': get(HOST, 'X : b'),
  'no colon': get(HOST, 'nonsense'),
  'length and chunks': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  'chunks and length': post(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'),
  'two lengths': post(['Content-Length: 2', 'Content-Length: 7'], '{}'),
  'two equal lengths': post(['Content-Length: 2', 'Content-Length: 2'], '{}'),
  'a length with a sign': post(['Content-Length: +2'], '{}'),
  'a length with a blank behind it': post(['Content-Length: 2 '], '{}'),
  'an unknown encoding': post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'),
  'chunks in HTTP/1.0': chunked('0\r\n\r\n').replace('HTTP/1.1', 'HTTP/1.0'),
  'no Host': get(),
  'two Hosts': get(HOST, HOST),
  'an absolute target': `GET http://127.0.0.1/healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an absolute target of another host': `GET http://evil.example/healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an absolute target without a path': `GET http://127.0.0.1 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a query of 2000 arguments': `GET /healthz?${'a&'.repeat(2000)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a DEL in the target': `GET /health\x7fz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'two spaces': `GET  /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a target of 8193 bytes': `GET /${'x'.repeat(8192)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a target of 100 KiB': `GET /${'x'.repeat(102400)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a head of 12 KB': get(HOST, `X: ${'x'.repeat(11900)}`),
  'a head of 100 KiB': get(HOST, `X: ${'x'.repeat(102400)}`),
  'a head of 5000 lines': get(HOST, ...Array.from({ length: 5000 }, (_, i) => `X-${i}: ${i}`)),
  'a chunk': chunked(`d\r\n${moves}\r\n0\r\n\r\n`),
  'a chunk with a small extension': chunked(`d;a=b\r\n${moves}\r\n0;c\r\n\r\n`),
  'a chunk with an extension of 5 KB': chunked(`d;${'x'.repeat(5000)}\r\n${moves}\r\n0\r\n\r\n`),
  'a chunk with an extension of 13 KB': chunked(`d;${'x'.repeat(13000)}\r\n${moves}\r\n0\r\n\r\n`),
  'a trailer': chunked(`d\r\n${moves}\r\n0\r\nX: y\r\n\r\n`),
  'a request as a trailer': chunked(`d\r\n${moves}\r\n0\r\n${GOOD}`),
  'chunks with bare LFs': chunked(`d\n${moves}\n0\n\n`),
  'a chunk of nonsense': chunked('zz\r\n'),
  'a chunk beyond 64 bits': chunked('fffffffffffffffffffff\r\n'),
  'a chunk that goes on': chunked('2\r\n{}xx0\r\n\r\n'),
  'a declared body that is too large': post(['Content-Length: 9999999999999'], '{}'),
  'chunks that are too large': chunked(`100000\r\n${' '.repeat(0x100000)}\r\n`.repeat(4)),
  'HEAD of a stream': `HEAD /v1/scramble?size=100&count=3 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'HEAD of an answer': `HEAD /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'requests behind a refused one': get(HOST, 'X-Fold: a', ' b') + GOOD + GOOD,
  'a refused one between requests': GOOD + get(HOST, 'X-Fold: a', ' b') + GOOD,
  'a refused body between requests': GOOD + chunked('zz\r\n') + GOOD,
  'three requests': GOOD + post([`Content-Length: ${moves.length}`], moves) + GOOD,
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/0.9': 'GET /healthz HTTP/0.9\r\n\r\n',
  'HTTP/1.2': `GET /healthz HTTP/1.2\r\n${HOST}\r\n\r\n`,
  'HTTP/1.0': 'GET /healthz HTTP/1.0\r\n\r\n',
  'HTTP/1.0 that is kept': 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'another protocol': 'SSH-2.0-OpenSSH_9.2p1\r\n',
  'no version': 'GET /healthz\r\n\r\n',
  'empty lines before a request': `\r\n\r\n${GOOD}`,
  'Connection: close': get(HOST, 'Connection: close'),
  'an upgrade': get(HOST, 'Connection: Upgrade', 'Upgrade: h2c'),
  'Expect with a body behind it': post([`Content-Length: ${moves.length}`, 'Expect: 100-continue'], moves),
  'a body of GET': `GET /healthz HTTP/1.1\r\n${HOST}\r\nContent-Length: 2\r\n\r\n{}`,
  'nothing modified': `GET /v1/sets HTTP/1.1\r\n${HOST}\r\nIf-None-Match: *\r\n\r\n`,
  'no content': `OPTIONS /v1/apply HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an unknown method': `BREW /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an unknown path': `GET /nowhere HTTP/1.1\r\n${HOST}\r\n\r\n`,
};

/** Answers without what is new each time, the headers in the order of their names. */
const plain = (text) => text.replace(/^(HTTP\/1\.1 .*\r\n)((?:.+\r\n)*)/gm, (_, line, headers) => line + headers.split(/(?<=\n)/).sort().join(''))
 .replace(/^(Date|X-Request-Id|Content-Length): .*\r$/gm, '$1: *\r').replace(/"request_id":"\w+"/g, '"request_id":"*"')
  .replace(/^ETag: .*\r$/gm, 'ETag: *\r');

const file = new URL('answers.txt', import.meta.url);
const recorded = {};
for (const part of readFileSync(file, 'utf8').split(/^== /m).slice(1)) {
  const [name, how, ...lines] = part.split('\n');
  recorded[name] = { closes: how === 'closes', text: lines.join('\n').trimEnd().replaceAll('\\r', '\r') };
}

/** The answers to some bytes; how many they are, and whether the connection closes then, is known or found out. */
async function ask(port, bytes, expected) {
  const client = connect(port);
  await client.ready;
  client.socket.write(Buffer.from(bytes, 'latin1'));
  // bound: only for --record, whose result is looked at
  if (!expected) await client.until((now) => now.closed, 1000);
  else if (expected.closes) await client.until((now) => now.closed, PATIENCE_MS);
  else await client.until((now) => statuses(now.text).length >= expected.text.match(/^HTTP\/1\.1 (?!100)/gm).length, PATIENCE_MS);
  const closes = client.closed;
  let text = plain(client.text);
  if (!closes) {
    // The connection goes on, and nothing stands between the answers.
    const before = client.text.length;
    client.socket.write(GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await client.until((now) => now.closed, PATIENCE_MS);
    if (!client.text.slice(before).startsWith('HTTP/1.1 200 OK\r\n')) text += `[then ${client.text.slice(before)}]`;
  }
  client.socket.destroy();
  return { closes, text: text.trimEnd() };
}

const server = await start('--rate-limit', 'off');
let record = '';
for (const [name, bytes] of Object.entries(CASES)) {
  const expected = process.argv[3] === '--record' ? undefined : recorded[name];
  const { closes, text } = await ask(server.port, bytes, expected);
  record += `== ${name}\n${closes ? 'closes' : 'stays open'}\n${text.replaceAll('\r', '\\r')}\n\n`;
  if (process.argv[3] === '--record') continue;
  check(`${name} is recorded`, expected !== undefined);
  check(name, text === expected?.text && closes === expected?.closes, `${closes ? 'closes' : 'stays open'}\n${text}`);
}
check('nothing else is recorded', process.argv[3] === '--record' || Object.keys(recorded).length === Object.keys(CASES).length);
if (process.argv[3] === '--record') writeFileSync(file, record);
const stopped = await server.stop();
check('a clean end', stopped.code === 0, server.errors());
finish();
