// serve.mjs: a server of files for the tests in a browser.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

/** A server need not know the type of WebAssembly. */
const TYPES = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/octet-stream' };

/** Serves the files of a folder on a free port, and `index` if it has no index.html. */
export async function serveFolder(folder, index, headers = {}) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const name = path === '/' ? '/index.html' : path;
    response.setHeaders(new Map([...Object.entries(headers), ['Content-Type', TYPES[extname(name)] ?? 'text/plain']]));
    try {
      response.end(readFileSync(join(folder, name)));
    } catch {
      if (path === '/') response.end(index);
      else response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
