// smuggling.mjs: requests behind nginx and haproxy that hide another one in a body: in chunks whose lines end in a bare LF
// or have extensions, in trailers, in two lengths. Both proxies refuse one path; what reaches the server there was hidden
// from them. The server refuses such bodies itself (malformed.mjs); here the proxies write bodies again.
//
//     node tests/http/smuggling.mjs PATH_TO_BINARY
import { check, connect, exchange, finish, GOOD, HOST, start, statuses } from './support/server.mjs';
import { FORBIDDEN, haproxy, nginx } from './support/proxies.mjs';

const server = await start('--rate-limit', 'off');
const hidden = `GET ${FORBIDDEN} HTTP/1.1\r\n${HOST}\r\n\r\n`;
const hex = (text) => text.length.toString(16);
const post = (headers, body) => ['POST /v1/apply HTTP/1.1', HOST, 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const chunked = (body) => post(['Transfer-Encoding: chunked'], body);
const end = '0\r\n\r\n';
const payloads = [
  ['a LF that ends an extension, then a request', chunked(`5;\nAAAAA\r\n${end}${hidden}`)],
  ['a LF in an extension, whose chunk ends as the server sees it', chunked(`5;\nAAAAA\r\n${end}\r\n${hex(hidden)}\r\n${hidden}\r\n${end}`)],
  ['a LF in an extension, a request as a chunk', chunked(`2;\nxx\r\n${hex(end + hidden)}\r\n${end}${hidden}\r\n${end}`)],
  ['a LF in an extension with a value', chunked(`2;a=b\nxx\r\n${hex(end + hidden)};c\n${end}${hidden}\r\n${end}`)],
  ['bare LFs around chunks', chunked(`2\n{}\n0\n\n${hidden}`)],
  ['a bare LF behind a chunk', chunked(`2\r\n{}\n${hex(hidden)}\r\n${hidden}\r\n${end}`)],
  ['two bytes behind a chunk', chunked(`2\r\n{}xx${hex(hidden)}\r\n${hidden}\r\n${end}`)],
  ['a bare CR', chunked(`2\r{}\r0\r\r${hidden}`)],
  ['a request as a trailer', chunked(`2\r\n{}\r\n0\r\n${hidden}`)],
  ['a request behind a trailer with a LF', chunked(`2\r\n{}\r\n0\r\nX: y\n\n${hidden}`)],
  ['a length as a trailer', chunked(`2\r\n{}\r\n0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`)],
  ['a chunk of nothing with an extension', chunked(`0;${'x'.repeat(20)}\n\r\n${hidden}`)],
  ['a long extension', chunked(`2;${'x'.repeat(5000)}\r\n{}\r\n0\r\n\r\n${hidden}`)],
  ['a size with zeros in front', chunked(`0000000000000000000000002\r\n{}\r\n${end}${hidden}`)],
  ['a size beyond 64 bits', chunked(`10000000000000002\r\n{}\r\n${end}${hidden}`)],
  ['a size with 0x', chunked(`0x2\r\n{}\r\n${end}${hidden}`)],
  ['length and encoding', post(['Content-Length: 5', 'Transfer-Encoding: chunked'], `${end}${hidden}`)],
  ['encoding and length', post(['Transfer-Encoding: chunked', `Content-Length: ${(end + hidden).length}`], `${end}${hidden}`)],
  ['two lengths', post(['Content-Length: 2', `Content-Length: ${(`{}${hidden}`).length}`], `{}${hidden}`)],
  ['a length beyond 64 bits', post(['Content-Length: 18446744073709551618'], `{}${hidden}`)],
  ['an encoding that is none', post(['Transfer-Encoding: xchunked', 'Content-Length: 2'], `{}${hidden}`)],
  ['chunks in HTTP/1.0', chunked(`${end}${hidden}`).replace('HTTP/1.1', 'HTTP/1.0')],
];

/** Returns how often the server was asked for the path, by its own account. */
async function reached() {
  const { text } = await exchange(server.port, `GET /metrics HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
  return [...text.matchAll(/^cubed_http_requests_total\{.*route="\/v1\/formats".*\} (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const before = await reached();
await exchange(server.port, hidden);
const control = await reached();
check('the server counts what reaches it', control > before, `${before} ${control}`);

for (const begin of [nginx, haproxy]) {
  const proxy = await begin(`127.0.0.1:${server.port}`);
  for (const [i, port] of proxy.ports.entries()) {
    const refused = await exchange(port, hidden);
    check(`${proxy.name} ${i}: the path is refused`, refused.statuses[0] === 403, refused.text.slice(0, 60));
    for (const [name, payload] of payloads) {
      const client = connect(port);
      await client.ready;
      client.socket.write(payload);
      await client.until(({ text }) => statuses(text).length > 0, 300); // bound: some are never answered, and nothing is demanded of it
      // The next client on the same connection to the server gets its own answer.
      const next = await exchange(port, GOOD);
      check(`${proxy.name} ${i}: ${name}: the next client is not touched`, next.statuses[0] === 200, next.text.slice(0, 80));
      client.socket.destroy();
    }
    check(`${proxy.name} ${i}: nothing reached the server that the proxy did not see`, (await reached()) === control, await reached());
  }
  check(`${proxy.name} still runs`, !proxy.ended, proxy.log);
  await proxy.stop();
}
const stopped = await server.stop();
check('a clean end', stopped.code === 0, server.errors());
finish();
