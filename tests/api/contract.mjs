// openapi.yaml as a judge: is this answer to that request a documented one?

import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { pageItems } from './pages.mjs';

const LOCATION = new URL('../../openapi.yaml', import.meta.url);

/** Headers that an answer may have only if they are documented for it. */
const DOCUMENTED_HEADERS = ['etag', 'location', 'link', 'allow', 'retry-after', 'www-authenticate', 'idempotent-replayed'];

/** Headers that every answer has; openapi.yaml lists them at its beginning. */
const COMMON_HEADERS = {
  'access-control-allow-origin': /^\*$/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[!-~]{1,128}$/,
};

/** The Cache-Control of answers to GET that may be kept; all others are no-store. */
const KEPT = /^((private, )?no-cache|public, max-age=86400|no-store)$/;
/** An ETag of the body, which any of them may have. */
const BODY_ETAG = /^"[0-9a-f]{12}(-gz)?"$/;

/** Headers that any answer may have; openapi.yaml lists them at its beginning. */
const POSSIBLE_HEADERS = { ratelimit: /^"[a-z-]+";r=[0-9]+;t=[0-9]+$/, 'ratelimit-policy': /^"[a-z-]+";q=[0-9]+;w=[0-9]+$/ };

/** The headers that a status of the common errors has, besides those of any answer: 'always' or 'maybe'. */
const DEFAULT_HEADERS = { 401: { 'WWW-Authenticate': 'always' }, 415: { 'Accept-Encoding': 'maybe' }, 429: { 'Retry-After': 'always' }, 503: { 'Retry-After': 'always' } };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export class ContractError extends Error {}

function fail(what, details = '') {
  throw new ContractError(details ? `${what}: ${details}` : what);
}

export const mediaType = (contentType) => (contentType ?? '').split(';')[0].trim().toLowerCase();

const escape = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keywords of a schema that hold schemas for the same value. */
const ALTERNATIVES = ['anyOf', 'oneOf'];

/** The name under which a schema that is part of another one is stored open, beside the closed schema itself. */
const PART = '.part';

/** A schema that accepts only documented members: openapi.yaml leaves answers open, so that clients survive new members,
 * but a test must notice a member that nobody has described. A part of another schema stays open; the whole closes it. */
function closed(schema, part = false) {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, part));
  if (schema === null || typeof schema !== 'object') return schema;
  const composed = Boolean(schema.properties || schema.allOf);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => {
    if (key === '$ref') return [key, part ? value + PART : value];
    if (key === 'allOf') return [key, closed(value, true)];
    if (ALTERNATIVES.includes(key)) return [key, closed(value, part || composed)];
    if (key === 'properties') return [key, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))];
    if (['items', 'prefixItems', 'additionalProperties'].includes(key)) return [key, closed(value)];
    return [key, value];
  }));
  if (copy.additionalProperties === false) delete copy.additionalProperties;
  if (composed && !part && !('additionalProperties' in copy)) copy.unevaluatedProperties = false;
  if (schema.additionalProperties === false && !composed) copy.additionalProperties = false;
  return copy;
}

/** The document with closed schemas, and with `NAME.part` for use in other schemas. */
function closedDocument(document) {
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    [name, closed(schema)],
    [name + PART, closed(schema, true)],
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** The examples of a media type. Those of lines are text, and do not fit its schema, which is that of one line. */
export const examplesOf = (media) => ({ ...media?.examples, ...media?.['x-examples'] });

/** The events of a text/event-stream as they would be as lines; comments and what is cut at the end are left out. */
export function eventsOf(text) {
  return text.split('\n\n').slice(0, -1).map((block) => {
    const fields = block.split('\n').filter((line) => !line.startsWith(':')).map((line) => /^(\w+): ?(.*)$/s.exec(line).slice(1));
    const { data, ...event } = Object.fromEntries(fields.filter(([name]) => name !== 'retry'));
    return data === undefined ? event : { ...event, data: JSON.parse(data) };
  }).filter((event) => Object.keys(event).length > 0);
}

export class Contract {
  constructor(document = parse(readFileSync(LOCATION, 'utf8'))) {
    this.document = document;
    this.ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, formats: { 'date-time': true, binary: true } });
    this.ajv.addSchema(closedDocument({ ...document, paths: { ...document.paths, ...pageItems } }), 'contract');
    this.operations = this.#operations(document.paths);
    this.pages = this.#operations(pageItems);
  }

  #operations(paths) {
    return Object.entries(paths).flatMap(([path, item]) => METHODS.filter((method) => item[method]).map((method) => this.#operation(path, item, method)));
  }

  #operation(path, item, method) {
    const operation = item[method];
    const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)');
    return {
      id: operation.operationId,
      path,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${pattern}$`),
      pointer: `#/paths/${escape(path)}/${method}`,
      parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((p) => this.resolve(p).value),
      body: operation.requestBody?.content?.['application/json'],
      lines: operation.requestBody?.content?.['application/x-ndjson'],
      responses: operation.responses,
    };
  }

  /** Follows references: the value, and the pointer where it stands. */
  resolve(value, pointer = '') {
    while (value?.$ref) {
      pointer = value.$ref;
      value = pointer
        .slice(2)
        .split('/')
        .reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
    }
    return { value, pointer };
  }

  /** Checks a value against the schema at a pointer; answers a text of what is wrong, or "". */
  faults(pointer, value) {
    const uri = pointer
      .split('/')
      .map((part) => encodeURIComponent(part).replace('%23', '#'))
      .join('/');
    const validate = this.ajv.getSchema(`contract${uri}`);
    if (!validate) throw new Error(`openapi.yaml has no schema at ${pointer}`);
    if (validate(value)) return '';
    return validate.errors.map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`).join('; ');
  }

  /** The operations of a path: those that name it, or else those whose holes it fits. */
  #at(path) {
    const all = [...this.operations, ...this.pages];
    const named = all.filter((operation) => operation.path === path);
    return named.length > 0 ? named : all.filter((operation) => operation.pattern.test(path));
  }

  methodsOf(path) {
    return this.#at(path).map((operation) => operation.method);
  }

  find(method, path) {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.#at(path).find((operation) => operation.method === wanted);
  }

  /** The documented response to which an answer belongs, with its pointer. */
  #response(operation, path, status) {
    if (!operation) {
      const name = this.methodsOf(path).length > 0 ? 'MethodNotAllowed' : 'NoSuchRoute';
      const expected = name === 'NoSuchRoute' ? 404 : 405;
      if (status !== expected) fail(`${path} is not documented, so ${expected} was expected`, `the answer is ${status}`);
      return this.resolve({ $ref: `#/components/responses/${name}` });
    }
    const listed = status in operation.responses;
    if (!listed && (status < 400 || !operation.responses.default)) fail(`${operation.id} documents no answer ${status}`);
    const key = listed ? status : 'default';
    const { value, pointer } = this.resolve(operation.responses[key], `${operation.pointer}/responses/${key}`);
    return { value: listed ? value : this.#ofStatus(value, status), pointer };
  }

  /** The default response as it is for one status, which has only some of its headers. */
  #ofStatus(response, status) {
    const headers = Object.entries(DEFAULT_HEADERS[status] ?? {}).map(([name, when]) => {
      const header = this.resolve(response.headers[name]).value;
      return [name, { ...header, required: when === 'always' }];
    });
    return { ...response, headers: Object.fromEntries(headers) };
  }

  /** Throws a ContractError unless the answer is a documented one. `request`: method, path, query
   * (URLSearchParams), json; `answer`: status, headers, text, json. */
  check(request, answer) {
    if (request.method === 'OPTIONS' && this.methodsOf(request.path).length > 0) return this.#checkOptions(request, answer);
    const operation = this.find(request.method, request.path);
    const { value: response, pointer } = this.#response(operation, request.path, answer.status);
    this.#checkCommonHeaders(answer, response);
    this.#checkCaching(request, answer, response);
    this.#checkHeaders(response, answer);
    this.#checkContent(operation, response, pointer, request, answer);
    if (operation && answer.status < 300) this.#checkAccepted(operation, request);
    return operation;
  }

  /** A response may document a header of its own in their place. */
  #checkCommonHeaders({ headers }, response = {}) {
    const own = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    for (const [name, value] of Object.entries(COMMON_HEADERS)) {
      if (!own.has(name) && !value.test(headers[name] ?? '')) fail(`the header ${name} should be ${value}`, `it is ${headers[name]}`);
    }
  }

  #checkCaching({ method }, { status, headers }, response = {}) {
    if (Object.keys(response.headers ?? {}).includes('Cache-Control')) return;
    const cache = headers['cache-control'];
    const kept = ['GET', 'HEAD'].includes(method) && [200, 304].includes(status);
    if (kept ? !KEPT.test(cache) : cache !== 'no-store') fail(`${method} ${status} should not have this Cache-Control`, cache);
    if (cache !== 'no-store' && !/^Accept, Accept-Encoding(, Origin)?$/.test(headers.vary)) fail('what may be kept should have Vary', headers.vary);
  }

  #checkOptions({ path }, answer) {
    const { status, headers, text } = answer;
    this.#checkCommonHeaders(answer);
    if (status !== 204 || text !== '') fail('OPTIONS is answered 204 without a body', `${status} ${text}`);
    const documented = new Set(['OPTIONS', ...this.methodsOf(path)]);
    if (documented.has('GET')) documented.add('HEAD');
    const allowed = new Set((headers.allow ?? '').split(', '));
    if ([...documented].sort().join() !== [...allowed].sort().join()) {
      fail(`Allow of ${path} should be ${[...documented].join(', ')}`, headers.allow);
    }
  }

  #checkHeaders(response, { headers }) {
    for (const [name, value] of Object.entries(POSSIBLE_HEADERS)) {
      if (headers[name] !== undefined && !value.test(headers[name])) fail(`the header ${name} should be ${value}`, headers[name]);
    }
    const documented = Object.fromEntries(
      Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), this.resolve(header).value]),
    );
    for (const name of DOCUMENTED_HEADERS) {
      if (name === 'etag' && BODY_ETAG.test(headers.etag) && headers['cache-control'] !== 'no-store') continue;
      if (headers[name] !== undefined && !documented[name]) fail(`the header ${name} is not documented here`, headers[name]);
    }
    for (const [name, header] of Object.entries(documented)) {
      if (headers[name] === undefined) {
        if (header.required) fail(`the documented header ${name} is missing`);
      } else if (header.schema.const !== undefined) {
        if (headers[name] !== header.schema.const) fail(`the header ${name} is not as documented`, headers[name]);
      } else if (!new RegExp(header.schema.pattern).test(headers[name])) {
        fail(`the header ${name} is not as documented`, headers[name]);
      }
    }
  }

  #checkContent(operation, response, pointer, request, { status, headers, text, json }) {
    const type = mediaType(headers['content-type']);
    if (!response.content) {
      if (type || text) fail(`the answer ${status} should be empty`, `${type} ${text}`);
      return;
    }
    if (!response.content[type]) fail(`${type || 'an answer without content type'} is not documented for ${status}`, text);
    if (request.method === 'HEAD') {
      if (text) fail('an answer to HEAD has a body', text);
      return;
    }
    const schema = `${pointer}/content/${escape(type)}/schema`;
    if (type === 'application/x-ndjson') {
      if (text && !text.endsWith('\n')) fail('the last line is not ended');
      for (const line of text.split('\n').slice(0, -1)) this.#checkValue(schema, JSON.parse(line));
    } else if (type === 'text/event-stream') {
      const lines = schema.replace('text~1event-stream', 'application~1x-ndjson');
      for (const event of eventsOf(text)) {
        this.#checkValue(lines, event);
        this.#checkValue(schema, event.data);
      }
    } else {
      this.#checkValue(schema, type.endsWith('json') ? json : text);
      if (type === 'application/problem+json' && json.status !== status) fail('the problem tells another status', text);
    }
  }

  #checkValue(pointer, value) {
    const faults = this.faults(pointer, value);
    if (faults) fail('the answer is not as documented', `${faults}\n${JSON.stringify(value).slice(0, 2000)}`);
  }

  /** Checks that an accepted request is documented as acceptable; pages do not read their query. */
  #checkAccepted(operation, { query, json }) {
    for (const name of (!this.pages.includes(operation) && query?.keys()) || []) {
      if (!operation.parameters.some((p) => p.in === 'query' && p.name === name)) fail(`the parameter ${name} is not documented`);
    }
    if (!operation.body || json === undefined) return;
    const faults = this.faults(`${operation.pointer}/requestBody/content/application~1json/schema`, json);
    if (faults) fail('the server accepted a body that is not documented', `${faults} ${JSON.stringify(json)}`);
  }
}
