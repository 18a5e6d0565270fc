// malformed.mjs: requests that are not HTTP, or could be read in two ways.
// Each is answered 4xx, or the connection closes; never a 5xx, never a hang, and the server goes on.
//
//     node tests/http/malformed.mjs PATH_TO_BINARY [MUTATIONS [SEED]]
import { GOOD, HOST, alive, check, connect, exchange, finish, start } from './support/server.mjs';

const mutations = Number(process.argv[3] ?? 2000);
const seed = Number(process.argv[4] ?? 1);

const get = (...headers) => ['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n');
const post = (headers, body) => ['POST /v1/apply HTTP/1.1', HOST, 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// name, bytes, the status that is expected (none: any 4xx, or closed without an answer)
const table = [
  ['two Hosts', get(HOST, HOST), 400],
  ['no Host', get(), 400],
  ['a space before the colon', get(HOST, 'Content-Length : 0'), 400],
  ['a space in a name', get(HOST, 'Content Length: 0'), 400],
  ['an empty name', get(HOST, ': x'), 400],
  ['a name in brackets', get(HOST, '(x): y'), 400],
  ['no colon', get(HOST, 'nonsense')],
  ['a folded line', get(HOST, 'X-Fold: a', ' b'), 400],
  ['a folded Transfer-Encoding', post(['Transfer-Encoding:', ' chunked'], '0\r\n\r\n'), 400],
  ['a folded Host', get('Host:', ' 127.0.0.1'), 400],
  ['a NUL in a value', get(HOST, 'X-Nul: a\0b'), 400],
  ['a NUL in a name', get(HOST, 'X\0: b'), 400],
  ['a control character in a value', get(HOST, 'X-Bell: \x07'), 400],
  ['a bare CR in a value', get(HOST, 'X-Cr: a\rb'), 400],
  ['bare LFs', `GET /healthz HTTP/1.1\n${HOST}\n\n`, 400],
  ['one bare LF', `GET /healthz HTTP/1.1\r\n${HOST}\nX: y\r\n\r\n`, 400],
  ['two equal Content-Lengths', post(['Content-Length: 2', 'Content-Length: 2'], '{}'), 400],
  ['two Content-Lengths', post(['Content-Length: 2', 'Content-Length: 7'], '{}'), 400],
  ['a list of Content-Lengths', post(['Content-Length: 2, 2'], '{}'), 400],
  ['a negative Content-Length', post(['Content-Length: -1'], '{}'), 400],
  ['a signed Content-Length', post(['Content-Length: +2'], '{}'), 400],
  ['a hexadecimal Content-Length', post(['Content-Length: 0x2'], '{}'), 400],
  ['an empty Content-Length', post(['Content-Length:'], '{}'), 400],
  ['a Content-Length beyond 64 bits', post(['Content-Length: 99999999999999999999999'], '{}')],
  ['a huge Content-Length', post(['Content-Length: 9999999999999'], '{}'), 413],
  ['length and encoding', post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'), 400],
  ['encoding and length', post(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'), 400],
  ['two encodings', post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'), 400],
  ['an unknown encoding', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'), 400],
  ['gzip, chunked', post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'), 400],
  ['identity', post(['Transfer-Encoding: identity'], '{}'), 400],
  ['chunked with a tab', post(['Transfer-Encoding: chunked\t'], '0\r\n\r\n'), 400],
  ['chunked in HTTP/1.0', post(['Transfer-Encoding: chunked'], '0\r\n\r\n').replace('1.1', '1.0'), 400],
  ['a chunk size of nonsense', post(['Transfer-Encoding: chunked'], 'zz\r\n\r\n'), 400],
  ['a negative chunk size', post(['Transfer-Encoding: chunked'], '-1\r\n\r\n'), 400],
  ['a chunk size beyond 64 bits', post(['Transfer-Encoding: chunked'], 'fffffffffffffffffffff\r\n'), 413],
  ['a chunk without its end', post(['Transfer-Encoding: chunked'], '2\r\n{}xx0\r\n\r\n'), 400],
  ['a chunked body that outgrows the limit', post(['Transfer-Encoding: chunked'], `100000\r\n${' '.repeat(0x100000)}\r\n`.repeat(4)), 413],
  ['a body that outgrows the limit', post(['Content-Length: 4000000'], ' '.repeat(4000000)), 413],
  ['%00 in the path', 'GET /healthz%00 HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['%00 in the query', 'GET /healthz?a=%00 HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['a NUL in the target', 'GET /heal\0thz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['a space in the target', 'GET /heal thz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['a tab in the target', 'GET /heal\tthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['a CR in the target', 'GET /heal\rthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['two spaces', 'GET  /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['no slash', 'GET healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['an authority', 'CONNECT 127.0.0.1:80 HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['another scheme', 'GET ftp://127.0.0.1/ HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['no path after the host', 'GET http:// HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['a broken escape', 'GET /%zz HTTP/1.1\r\n' + HOST + '\r\n\r\n'],
  ['half an escape', 'GET /% HTTP/1.1\r\n' + HOST + '\r\n\r\n'],
  ['climbing', 'GET /../../etc/passwd HTTP/1.1\r\n' + HOST + '\r\n\r\n'],
  ['500 query arguments', `GET /v1/apply?${many(500, (i) => `a${i}=${i}`).join('&')} HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a target of 8193 bytes', `GET /${'x'.repeat(8192)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 414],
  ['a target of 100 KiB', `GET /${'x'.repeat(102400)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 414],
  ['a head of 10.5 KiB', get(HOST, ...many(10, () => 'X-Long: ' + 'x'.repeat(1064))), 431],
  ['a head of 17 KiB', get(HOST, ...many(17, () => 'X-Long: ' + 'x'.repeat(1014))), 431],
  ['a header that leaves no room for an answer', get(HOST, 'X-Long: ' + 'x'.repeat(11900)), 431],
  ['a header of 100 KiB', get(HOST, 'X-Long: ' + 'x'.repeat(102400)), 431],
  ['5000 headers', get(HOST, ...many(5000, (i) => `X-${i}: ${i}`)), 431],
  ['3000 cookies', get(HOST, 'Cookie: ' + 'a=b; '.repeat(3000)), 431],
  ['a method of brackets', '(GET) /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 400],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 405],
  ['a method in small letters', 'get /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 405],
  ['a long method', 'G'.repeat(2000) + ' /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 405],
  ['TRACE', 'TRACE /healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 405],
  ['no version', 'GET /healthz\r\n\r\n', 400],
  ['only a method', 'GET\r\n\r\n'],
  ['another protocol', 'GET /healthz FTP/1.1\r\n\r\n', 400],
  ['a TLS greeting', Buffer.from('16030100d1010000cd0303' + '5a'.repeat(190) + '0a0a', 'hex')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['SSH', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
  ['zeros', Buffer.alloc(1000)],
  ['empty lines and then nonsense', '\r\n\r\n\r\nx\r\n'],
];

// Requests that must not be taken for faults.
const good = [
  ['an absolute target', 'GET http://127.0.0.1/healthz HTTP/1.1\r\n' + HOST + '\r\n\r\n', 200],
  ['an empty value', get(HOST, 'X-Empty:'), 200],
  ['blanks around a value', get('Host:   127.0.0.1', 'X:\t y'), 200],
  ['blanks behind a value', get(`${HOST} \t`, 'X: y '), 200],
  ['Latin letters in a value', get(HOST, 'X: \xe9'), 200],
  ['many headers', get(HOST, ...many(60, (i) => `X-${i}: ${'v'.repeat(100)}`)), 200],
  ['a head of 9.9 KiB', get(HOST, ...many(10, () => 'X-Long: ' + 'x'.repeat(1000))), 200],
  ['a head of many headers', get(HOST, ...many(40, (i) => `X-${i}: ${'v'.repeat(200)}`)), 200],
  ['a target of 8192 bytes', `GET /${'x'.repeat(8191)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 404],
  ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
  ['500 empty query arguments', `GET /healthz?${'&'.repeat(500)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 200],
  ['2000 cookies', get(HOST, 'Cookie: ' + 'a=b; '.repeat(2000)), 200],
  ['two Accepts', get(HOST, 'Accept: application/json', 'Accept: */*'), 200],
  ['an empty line before', '\r\n' + GOOD, 200],
  ['small letters', 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 200],
];

function random(state) {
  // mulberry32 by Tommy Ettinger, public domain.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Some bytes of a request changed, dropped, doubled, or exchanged for a part of another. */
function mutate(sources, next) {
  const pick = (n) => Math.floor(next() * n);
  let bytes = [...Buffer.from(sources[pick(sources.length)], 'latin1').subarray(0, 4000)];
  for (let changes = 1 + pick(6); changes > 0; changes--) {
    const at = pick(bytes.length);
    const other = Buffer.from(sources[pick(sources.length)], 'latin1');
    const from = pick(other.length);
    const part = [...other.subarray(from, from + pick(30))];
    [
      () => (bytes[at] = pick(256)),
      () => bytes.splice(at, 1 + pick(8)),
      () => bytes.splice(at, 0, ...bytes.slice(at, at + pick(40))),
      () => bytes.splice(at, 0, ...part),
      () => bytes.splice(at, 0, [0, 9, 10, 13, 32, 58][pick(6)]),
      () => bytes.splice(at, part.length, ...part),
    ][pick(6)]();
  }
  return Buffer.from(bytes);
}

async function mutated(port) {
  const sources = [...table, ...good].map(([, bytes]) => (typeof bytes === 'string' ? bytes : bytes.toString('latin1')));
  const next = random(seed);
  let bad = 0;
  for (let done = 0; done < mutations; done += 50) {
    await Promise.all(many(Math.min(50, mutations - done), async () => {
      const bytes = mutate(sources, next);
      // An input that looks incomplete waits for more: the deadline of 300 ms ends it.
      const { statuses, closed } = await exchange(port, bytes);
      if ((statuses.some((status) => status >= 500 && status !== 505) || (statuses.length === 0 && !closed)) && bad++ < 10)
        console.log(`FAILED mutation ${JSON.stringify(bytes.toString('latin1'))}: ${statuses}, closed ${closed}`);
    }));
  }
  check(`${mutations} mutations with seed ${seed}`, bad === 0, `${bad} of them`);
}

// bound: what may be incomplete is cut; what must be answered goes to a patient server, which a slow machine may ask late
const server = await start('--header-timeout-ms', '300', '--body-timeout-ms', '300', '--keep-alive-timeout-ms', '1000');
const patient = await start();
for (const [name, bytes, status] of table) {
  const { statuses, closed, text } = await exchange((status ? patient : server).port, bytes);
  const wrong = status ? statuses[0] !== status : statuses.length ? statuses[0] < 400 || statuses[0] >= 500 : !closed;
  check(name, !wrong, `${statuses} closed ${closed} ${text.slice(0, 100)}`);
  if (status === 400) check(`${name}: closes`, closed);
  check(`${name}: the server goes on`, (await alive((status ? patient : server).port)).good);
}
for (const [name, bytes, status] of good) {
  const { statuses, text } = await exchange(patient.port, bytes);
  check(name, statuses[0] === status, `${statuses} ${text.slice(-200)}`);
}
// A request a byte at a time is a request.
const slow = connect(patient.port);
await slow.ready;
for (const byte of GOOD) {
  slow.socket.write(byte);
  await new Promise((resolve) => setImmediate(resolve));
}
await slow.until((now) => now.text.includes('\r\n\r\n'));
slow.socket.destroy();
check('a byte at a time', slow.text.startsWith('HTTP/1.1 200'), slow.text);
await mutated(server.port);
for (const one of [server, patient]) {
  check('the server goes on after it all', (await alive(one.port)).good);
  const end = await one.stop();
  check('a clean end', end.code === 0, `${JSON.stringify(end)} ${one.errors()}`);
}
finish();
