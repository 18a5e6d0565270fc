// The pages and their files, the PAGE rows of routes.def: they are served, but are not a part of the API, so openapi.yaml leaves
// them out. Here they are described as it would, so that their answers are checked as all others.

import { readFileSync } from 'node:fs';

const TABLE = new URL('../../server/api/request/routes.def', import.meta.url);

const VERSION = /CUBE_VERSION "(.*)"/.exec(readFileSync(new URL('../../core/include/cube/version.h', import.meta.url), 'utf8'))[1];

const TYPES = { HTML: 'text/html', SCRIPT: 'text/javascript', STYLE: 'text/css', SVG: 'image/svg+xml', JSON: 'application/json', PNG: 'image/png', MANIFEST: 'application/manifest+json', WASM: 'application/wasm', WOFF2: 'font/woff2' };

const SHAPES = { [TYPES.JSON]: 'array', [TYPES.MANIFEST]: 'object' };

/** Only the page's own files may run in it; what is neither page nor script nor picture has no policy. */
const POLICED = [TYPES.HTML, TYPES.SCRIPT, TYPES.SVG];
const POLICY = { required: true, schema: { type: 'string', pattern: "^default-src 'none';" } };

/** The path changes with the file. */
const FOREVER = { required: true, schema: { const: 'public, max-age=31536000, immutable' } };

const PROBLEMS = { 404: 'NoSuchRoute', default: 'Failed' };

function pageItem(path, type) {
  const problems = Object.entries(PROBLEMS).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]);
  const caching = /^\/(assets\/|cubed-)/.test(path) ? { 'Cache-Control': FOREVER } : {};
  const policy = POLICED.includes(type) ? { 'Content-Security-Policy': POLICY } : {};
  const file = { headers: { ...policy, ...caching }, content: { [type]: { schema: { type: SHAPES[type] ?? 'string' } } } };
  // A cube that not everybody may see, or that does not exist, has the same page with status 404.
  const missing = path.startsWith('/c/') ? { 404: { headers: { 'Content-Security-Policy': POLICY }, content: { [type]: { schema: { type: 'string' } } } } } : {};
  return { get: { operationId: `page ${path}`, responses: { ...Object.fromEntries(problems), 200: file, 304: { headers: caching }, ...missing } } };
}

/** The path items of the pages, by path. */
export const pageItems = Object.fromEntries(
  [...readFileSync(TABLE, 'utf8').matchAll(/^PAGE\("(\/.*)", \w+, M\((\w+)\)\)/gm)].map(([, path, type]) => [path.replace('" CUBE_VERSION "', VERSION), type]).map(([path, type]) => [path, pageItem(path, TYPES[type])]),
);
