// The server's tables of routes and openapi.yaml name the same paths and methods, and so does the running server.
// Usage: node routes.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client, contract } from './client.mjs';
import { pageItems } from './pages.mjs';
import { binaryArgument, Server } from './server.mjs';
import { check, finish } from './report.mjs';

const TABLES = ['api/request/routes.def', 'modules/times/routes.def'].map((name) => new URL(`../../server/${name}`, import.meta.url));
const SHARED = new URL('../../server/api/routes.c', import.meta.url);
const QUERY = new URL('../../server/api/request/query.h', import.meta.url);

/** The media types of enum media. */
const MEDIA = {
  JSON: 'application/json', YAML: 'application/yaml', TEXT: 'text/plain', EVENTS: 'text/event-stream', NDJSON: 'application/x-ndjson',
  OCTETS: 'application/octet-stream', NPY: 'application/x-npy', HTML: 'text/html', SVG: 'image/svg+xml', PNG: 'image/png', CSV: 'text/csv', CSTIMER: 'application/vnd.cstimer+json',
};

/** The errors that every operation may answer with: a reference to a shared response. */
const DEFAULT = { $ref: '#/components/responses/Failed' };

/** Rows of the table as {route, parameters, media}. */
function tableRows() {
  const source = TABLES.map((table) => readFileSync(table, 'utf8')).join('\n');
  const names = Object.fromEntries(
    [...readFileSync(QUERY, 'utf8').matchAll(/X\(PARAMETER_(\w+), "(\w+)"\)/g)].map(([, constant, name]) => [constant, name]),
  );
  const shared = Object.fromEntries([...readFileSync(SHARED, 'utf8').replaceAll(/\s*\\\n\s*/g, ' ').matchAll(/^#define (\w+) (\([PM]\(.*)$/gm)].map(([, name, value]) => [name, value]));
  return [...source.matchAll(/^ROUTE\("([A-Z]+)",\s*"(\/[^"]*)",((?:\([^()]*\)|[^()])*)\)$/gm)].map(([, method, path, rest]) => {
    const flat = rest.replace(/\b[A-Z_]+_PARAMETERS\b/g, (name) => shared[name] ?? name);
    const parameters = [...flat.matchAll(/\bP\((\w+)\)/g)].map(([, constant]) => names[constant]);
    const answers = rest.replace(/\b[A-Z_]+_MEDIA\b/g, (name) => shared[name] ?? name);
    const media = new Set([...answers.matchAll(/\bM\((\w+)\)/g)].map(([, constant]) => MEDIA[constant]));
    return { route: `${method} ${path}`, parameters: parameters.sort(), media: [...media].sort() };
  });
}

const documented = contract.operations.map((operation) => ({
  route: `${operation.method} ${operation.path}`,
  parameters: operation.parameters.filter((p) => p.in === 'query').map((p) => p.name).sort(),
  responses: contract.document.paths[operation.path][operation.method.toLowerCase()].responses,
}));

/** The media types of what is documented as a success. */
function mediaOf(responses) {
  const successes = Object.entries(responses).filter(([status]) => status < '300').map(([, response]) => contract.resolve(response).value);
  return [...new Set(successes.flatMap(({ content }) => Object.keys(content ?? {})))].sort();
}
const rows = tableRows();
const pages = Object.keys(pageItems);

await check('the table is found', () => assert.ok(rows.length > 10 && pages.includes('/docs'), `${rows.length} rows, ${pages.length} pages`));
await check('pages are not documented', () => assert.deepEqual(pages.filter((path) => contract.document.paths[path]), []));
for (const { route } of rows) {
  await check(`${route} is documented`, () => assert.ok(documented.some((one) => one.route === route)));
}
for (const { route, parameters, responses } of documented) {
  await check(`${route} is served with its query parameters, media types and common errors`, () => {
    const row = rows.find((one) => one.route === route);
    assert.ok(row, 'the table has no such row');
    assert.deepEqual(row.parameters, parameters);
    assert.deepEqual(row.media, mediaOf(responses));
    assert.deepEqual(responses.default, DEFAULT);
  });
}

const server = await Server.start(binaryArgument(), 'memory:');
const client = new Client(server.url);
for (const path of [...Object.keys(contract.document.paths), ...pages]) {
  await check(`OPTIONS ${path}`, () => client.send('OPTIONS', path.replace('{id}', '0000000000000000').replace(/\{\w+\}/, '1')));
}
client.close();
await server.stop();

finish();
