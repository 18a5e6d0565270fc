// The rules of openapi.yaml that code generators need, as functions that list what breaks them: `find`. `plant` breaks the
// rule in a copy of the document; lint.mjs sees that it is found.

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const UNIONS = ['anyOf', 'oneOf', 'allOf'];

/** With which an operation id begins; its summary begins with one, too. */
const VERBS = ['add', 'analyze', 'append', 'apply', 'cancel', 'compose', 'compute', 'convert', 'create', 'delete', 'describe', 'draw', 'find', 'generate', 'get',
  'import', 'invert', 'list', 'match', 'record', 'redo', 'reset', 'revoke', 'scramble', 'search', 'send', 'solve', 'store', 'stream', 'turn', 'undo', 'update', 'validate'];
const SUMMARY_VERBS = [...VERBS, 'analyse', 'change', 'check', 'rename'];

/** Names that mean something else in the languages of clients, beside those that Node itself has. */
const TAKEN = ['Any', 'Attr', 'Comment', 'Date', 'Dict', 'Document', 'Duration', 'Element', 'Enum', 'File', 'History', 'Image', 'List', 'Location', 'Lock', 'Node',
  'None', 'Notification', 'Option', 'Optional', 'Plugin', 'Position', 'Range', 'Record', 'Result', 'Selection', 'State', 'Text', 'Time', 'Timer', 'Touch', 'Tuple', 'Type',
  'Union', 'Window'];

/** Words that no variable can be called in JavaScript, Python, Java, C#, Go or Rust, in lower case; a path parameter becomes one. */
const RESERVED = new Set(`abstract and as assert async await base become bool boolean box break byte case catch chan char checked class const continue crate debugger
  decimal def default defer del delegate delete do double dyn elif else enum eval event except explicit export extends extern fallthrough false final finally fixed
  float fn for foreach from func function gen global go goto if impl implements implicit import in instanceof int interface internal is lambda let lock long loop
  macro map match mod move mut namespace native new nil none nonlocal not null object operator or out override package params pass pub public priv private protected
  raise range readonly ref return sbyte sealed select self short sizeof stackalloc static strictfp string struct super switch synchronized this throw throws trait
  transient true try type typeof uint ulong unchecked undefined union unsafe unsized use ushort using var virtual void volatile where while with yield`.split(/\s+/));

/** A call with the parameters of another program, VisualCube, which have shapes of their own. */
const FOREIGN = 'drawVisualCube';

/** The words that generators append to the name of an operation for types of their own. */
const DERIVED = ['Body', 'Data', 'Error', 'Errors', 'Headers', 'Params', 'Request', 'Response', 'Responses', 'Result'];

/** The response of the errors that any operation may answer with. */
const DEFAULT = '#/components/responses/Failed';

const reads = (member, { document, ...operation }) =>
  member in (resolve(document, operation.requestBody?.content['application/json']?.schema)?.properties ?? {}) ||
  parametersOf(document, operation).some((one) => one.in === 'query' && one.name === member);
const hasParameter = (name, { document, ...operation }) => parametersOf(document, operation).some((one) => one.name === name);
const isRetried = (operation) => hasParameter('Idempotency-Key', operation);
const needsToken = ({ security }) => Boolean(security?.every((one) => 'token' in one));

/** The answers that an operation lists if this holds for it. The moves of a cue are not parsed. */
const OWN = {
  304: (operation) => operation.method === 'get' && hasParameter('If-None-Match', operation),
  403: (operation) => needsToken(operation) || reads('revision', operation) || (isRetried(operation) && operation.operationId !== 'createSession'),
  404: (operation) => operation.method !== 'put' && ['name', 'case_name', 'job_id', 'solve_id'].some((name) => operation.path.includes(`{${name}}`)),
  409: (operation) => isRetried(operation) && reads('revision', operation),
  412: isRetried,
  422: (operation) => (['moves', 'pattern'].some((member) => reads(member, operation)) && operation.operationId !== 'sendCue') || (operation.method === 'post' && reads('cube', operation)),
  500: (operation) => reads('method', operation),
  503: (operation) => reads('method', operation),
};

const pascal = (name) => name[0].toUpperCase() + name.slice(1);

function resolve(document, value) {
  while (value?.$ref) value = value.$ref.slice(2).split('/').reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return value;
}

/** A schema and all that it contains, without following references: [place, schema]. */
function* within(schema, place) {
  yield [place, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* within(member, `${place}/${name}`);
  for (const key of ['items', 'additionalProperties', 'propertyNames']) {
    if (schema[key] && typeof schema[key] === 'object') yield* within(schema[key], `${place}/${key}`);
  }
  for (const key of [...UNIONS, 'prefixItems']) {
    for (const [index, part] of (schema[key] ?? []).entries()) yield* within(part, `${place}/${key}/${index}`);
  }
}

/** The parameters of an operation, of its path too. */
const parametersOf = (document, { item, parameters = [] }) => [...(item.parameters ?? []), ...parameters].map((parameter) => resolve(document, parameter));

const operationsOf = (document) => Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => ({ path, method, item, ...item[method] })));

/** The schemas of bodies and parameters, where they stand: [place, schema, kind]. */
function* roots(document) {
  const media = function* (content, place) {
    for (const [type, { schema }] of Object.entries(content ?? {})) if (schema) yield [`${place} ${type}`, schema];
  };
  for (const { operationId, item, parameters = [], requestBody, responses } of operationsOf(document)) {
    for (const parameter of [...(item.parameters ?? []), ...parameters]) if (parameter.schema) yield [`${operationId} ${parameter.name}`, parameter.schema];
    yield* media(requestBody?.content, `${operationId} body`);
    for (const [status, response] of Object.entries(responses)) yield* media(response.content, `${operationId} ${status}`);
  }
  for (const [name, response] of Object.entries(document.components.responses)) yield* media(response.content, name);
  for (const [name, parameter] of Object.entries(document.components.parameters)) yield [name, parameter.schema];
}

/** All schemas of the document: [place, schema]. */
function* schemas(document) {
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* within(schema, name);
  for (const [place, schema] of roots(document)) yield* within(schema, place);
}

/** The names of schemas to which answers lead. */
function answered(document) {
  const found = new Set();
  const walk = (value) => {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.$ref === 'string') {
      if (found.has(value.$ref)) return;
      found.add(value.$ref);
      walk(resolve(document, value));
    }
    for (const [key, member] of Object.entries(value)) if (!/^(x-)?examples?$/.test(key)) walk(member);
  };
  for (const { responses } of operationsOf(document)) walk(responses);
  walk(document.components.responses);
  return [...found].filter((ref) => ref.startsWith('#/components/schemas/')).map((ref) => ref.split('/').at(-1));
}

/** The types of the values that a schema allows. */
function typesOf(document, schema, seen = new Set()) {
  if (schema.$ref) {
    if (seen.has(schema.$ref)) return [];
    return typesOf(document, resolve(document, schema), new Set([...seen, schema.$ref]));
  }
  const parts = UNIONS.flatMap((key) => schema[key] ?? []).flatMap((part) => typesOf(document, part, seen));
  return [schema.type ?? [], parts].flat();
}

const isObject = (schema) => 'properties' in schema || [schema.type].flat().includes('object');
const isNullable = (schema) => Object.keys(schema).every((key) => ['anyOf', 'description'].includes(key)) && schema.anyOf?.length === 2 &&
  schema.anyOf[0].$ref && schema.anyOf[1].type === 'null';

/** All that an operation answers as lines or as events. */
const streamsOf = (document) => operationsOf(document).flatMap(({ operationId, responses }) =>
  Object.values(responses).flatMap((response) => Object.entries(resolve(document, response).content ?? {})
    .filter(([type]) => ['application/x-ndjson', 'text/event-stream'].includes(type)).map(([type, media]) => ({ operationId, type, media }))));

/** All that is found, as texts. */
const places = (all, wrong) => [...all].filter(wrong).map(([place]) => place);

export const rules = {
  'no schema has a default: it would make a member of a request a required one': {
    find: (document) => places(schemas(document), ([, schema]) => 'default' in schema),
    plant: ({ components }) => { components.schemas.StepsRequest.properties.count.default = 1; },
  },
  'an enum has values of one type, which it names, and no null': {
    find: (document) => places(schemas(document), ([, { enum: values, type }]) =>
      values && (!['string', 'integer'].includes(type) || values.some((value) => typeof value !== (type === 'string' ? 'string' : 'number')))),
    plant: ({ components }) => { components.schemas.SolveClock.enum.push(null); },
  },
  'only booleans are constants: another constant is an enum of one value': {
    find: (document) => places(schemas(document), ([, schema]) => 'const' in schema && schema.type !== 'boolean'),
    plant: ({ components }) => { components.schemas.Health.properties.status = { type: 'string', const: 'ok\n' }; },
  },
  'an object is a schema with a name': {
    find: (document) => [
      ...Object.entries(document.components.schemas).flatMap(([name, schema]) => places([...within(schema, name)].slice(1), ([, part]) => isObject(part))),
      ...[...roots(document)].flatMap(([place, schema]) => places(within(schema, place), ([, part]) => isObject(part))),
    ],
    plant: ({ components }) => { components.schemas.Session.properties.cube = { type: 'object', properties: {} }; },
  },
  'a union is a schema with a name, except of another schema and null': {
    find: (document) => [
      ...Object.entries(document.components.schemas).flatMap(([name, schema]) =>
        places([...within(schema, name)].slice(1), ([, part]) => UNIONS.some((key) => part[key]) && !isNullable(part))),
      ...[...roots(document)].flatMap(([place, schema]) => places(within(schema, place), ([, part]) => UNIONS.some((key) => part[key]))),
    ],
    plant: ({ paths }) => { paths['/v1/sessions'].post.responses['201'].content['application/json'].schema = { oneOf: [{ $ref: '#/components/schemas/Session' }] }; },
  },
  'JSON is described by a schema with a name': {
    find: (document) => places(roots(document), ([place, schema]) => /json$/.test(place) && !schema.$ref && schema.type !== 'string'),
    plant: ({ paths }) => { paths['/v1/features'].post.responses['200'].content['application/json'].schema = { type: 'array', items: {} }; },
  },
  'no value is a boolean or a string, except the scramble of a new session': {
    find: (document) => places(schemas(document), ([place, schema]) => {
      const types = typesOf(document, schema);
      return types.includes('boolean') && types.includes('string') && !/SessionScramble$|^NewSessionRequest\/scramble$/.test(place);
    }),
    plant: ({ components }) => { components.schemas.Rebase = { type: ['string', 'boolean'] }; },
  },
  'answers are open: a client survives a new member': {
    find: (document) => answered(document).flatMap((name) => places(within(document.components.schemas[name], name),
      ([, schema]) => schema.additionalProperties === false || 'unevaluatedProperties' in schema)),
    plant: ({ components }) => { components.schemas.Metrics.additionalProperties = false; },
  },
  'a schema with alternatives that are told apart by a member says by which value': {
    find: ({ components: { schemas: all } }) => Object.entries(all).filter(([, { oneOf, discriminator }]) => {
      if (!oneOf && !discriminator) return false;
      const mapping = Object.entries(discriminator?.mapping ?? {});
      return mapping.length !== oneOf?.length || mapping.some(([value, ref]) => {
        const { required, properties } = resolve({ components: { schemas: all } }, { $ref: ref });
        const { enum: values } = properties[discriminator.propertyName];
        return !oneOf.some(({ $ref }) => $ref === ref) || !required.includes(discriminator.propertyName) || values.join() !== value;
      });
    }).map(([name]) => name),
    plant: ({ components }) => { components.schemas.SessionEvent.oneOf.pop(); },
  },
  'a name is that of one schema, parameter or response': {
    find: (document) => {
      const names = ['schemas', 'parameters', 'responses'].flatMap((section) => Object.keys(document.components[section]));
      return names.filter((name, index) => !/^[A-Z][A-Za-z0-9]*$/.test(name) || names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index);
    },
    plant: ({ components }) => { components.schemas.Order = components.schemas.PieceOrder; },
  },
  'no schema has the name of a global': {
    find: ({ components }) => Object.keys(components.schemas).filter((name) => name in globalThis || TAKEN.includes(name)),
    plant: ({ components }) => { components.schemas.Event = components.schemas.SessionEvent; },
  },
  'no schema has a name that generators derive from an operation': {
    find: (document) => {
      const derived = new Set(operationsOf(document).flatMap(({ operationId }) => ['', ...DERIVED].map((suffix) => pascal(operationId) + suffix)));
      return Object.keys(document.components.schemas).filter((name) => derived.has(name));
    },
    plant: ({ components }) => { components.schemas.CreateSessionRequest = components.schemas.NewSessionRequest; },
  },
  'no component is without use': {
    find: (document) => {
      const text = JSON.stringify(document);
      return ['schemas', 'parameters', 'responses', 'headers'].flatMap((section) => Object.keys(document.components[section])
        .filter((name) => !text.includes(`"#/components/${section}/${name}"`)));
    },
    plant: ({ components }) => { components.schemas.Unused = { type: 'string' }; },
  },
  'an operation id is a verb and a noun, and no other operation has it': {
    find: (document) => {
      const ids = operationsOf(document).map(({ operationId }) => operationId);
      return ids.filter((id, index) => !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(id) || !VERBS.includes(/^[a-z]+/.exec(id)[0]) ||
        ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) !== index);
    },
    plant: ({ paths }) => { paths['/v1/solve'].post.operationId = 'solve'; },
  },
  'no part of a path has the name of a reserved word': {
    find: (document) => operationsOf(document).flatMap((operation) => parametersOf(document, operation).filter(({ in: place, name }) =>
      place === 'path' && RESERVED.has(name.toLowerCase())).map(({ name }) => `${operation.operationId} ${name}`)),
    plant: ({ paths }) => { paths['/v1/sets/{name}/{case_name}'].get.parameters.find(({ name }) => name === 'case_name').name = 'case'; },
  },
  'a query parameter has one schema everywhere': {
    find: (document) => {
      const schemaOf = {};
      return operationsOf(document).filter(({ operationId }) => operationId !== FOREIGN).flatMap((operation) =>
        parametersOf(document, operation).filter((one) => {
          const shape = JSON.stringify([one.schema, one.style, one.explode]);
          return one.in === 'query' && (schemaOf[one.name] ??= shape) !== shape;
        }).map(({ name }) => `${operation.operationId} ${name}`));
    },
    plant: ({ components }) => { components.parameters.TurnList.schema = { type: 'boolean' }; },
  },
  'a summary begins with a verb and names the thing': {
    find: (document) => operationsOf(document).filter(({ summary = '' }) =>
      !SUMMARY_VERBS.includes(summary.split(' ')[0].toLowerCase()) || !/^[A-Z][^.]+ [^.]+$/.test(summary) || summary.length > 80).map(({ operationId }) => operationId),
    plant: ({ paths }) => { paths['/v1/apply'].post.summary = 'Turns a cube'; },
  },
  'an operation has one tag, and a description': {
    find: (document) => operationsOf(document).filter(({ tags = [], description }) =>
      tags.length !== 1 || !document.tags.some(({ name }) => name === tags[0]) || !description).map(({ operationId }) => operationId),
    plant: ({ paths }) => { paths['/v1/search'].post.tags.push('Patterns'); },
  },
  'the data of an event is that of a line with the same event': {
    find: (document) => operationsOf(document).filter(({ responses }) => {
      const { content = {} } = resolve(document, responses['200']) ?? {};
      if (!content['text/event-stream']) return false;
      const events = (resolve(document, content['application/x-ndjson'].schema).oneOf ?? []).map((one) => resolve(document, one).properties.data?.$ref).filter(Boolean);
      const { schema } = content['text/event-stream'];
      const data = (resolve(document, schema).anyOf ?? [schema]).map(({ $ref }) => $ref);
      return [...new Set(events)].sort().join() !== data.sort().join();
    }).map(({ operationId }) => operationId),
    plant: ({ components }) => { components.schemas.SessionEventData.anyOf.pop(); },
  },
  'a body with members that are required is required': {
    find: (document) => operationsOf(document).filter(({ requestBody }) => {
      const schema = resolve(document, requestBody?.content['application/json']?.schema) ?? {};
      return schema.required && !requestBody.required;
    }).map(({ operationId }) => operationId),
    plant: ({ paths }) => { delete paths['/v1/compose'].post.requestBody.required; },
  },
  'a problem has a type by which it is known': {
    find: (document) => [...new Set(JSON.stringify([document.paths, document.components.responses]).match(/"application\/problem\+json":\{"schema":\{"\$ref":"[^"]*"/g))]
      .map((text) => ({ $ref: /#[^"]*/.exec(text)[0] })).flatMap((schema) => (resolve(document, schema).anyOf ?? [schema]))
      .filter((schema) => {
        const { required = [], properties } = resolve(document, schema);
        return !required.includes('type') || !properties?.type.enum?.length;
      }).map(({ $ref }) => $ref),
    plant: ({ components }) => { components.schemas.GoneProblem.required = []; },
  },
  'the errors that any operation may answer with are the default answer of each': {
    find: (document) => operationsOf(document).filter(({ responses }) => responses.default?.$ref !== DEFAULT || Object.keys(responses).at(-1) !== 'default')
      .map(({ operationId }) => operationId),
    plant: ({ paths }) => { delete paths['/v1/solve'].post.responses.default; },
  },
  'a shared answer tells of other errors than the default answer does': {
    find: (document) => {
      const problemsOf = (response) => {
        const schema = resolve(document, response).content?.['application/problem+json']?.schema;
        return schema ? (resolve(document, schema).anyOf ?? [schema]).map(({ $ref }) => $ref) : [];
      };
      const common = problemsOf({ $ref: DEFAULT });
      return operationsOf(document).flatMap(({ operationId, responses }) => Object.entries(responses).filter(([status, response]) => {
        const problems = status !== 'default' && response.$ref ? problemsOf(response) : [];
        return problems.length > 0 && problems.every((one) => common.includes(one));
      }).map(([status]) => `${operationId} ${status}`));
    },
    plant: ({ paths, components }) => {
      components.responses.Missing = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/NotFoundProblem' } } } };
      paths['/v1/solve'].post.responses['404'] = { $ref: '#/components/responses/Missing' };
    },
  },
  ...Object.fromEntries(Object.entries(OWN).map(([status, needs]) => [`an operation lists the answer ${status} if it has one of its own`, {
    find: (document) => operationsOf(document).filter((operation) => !operation.responses[status] && needs({ document, ...operation })).map(({ operationId }) => operationId),
    plant: (document) => { delete operationsOf(document).find((operation) => needs({ document, ...operation })).responses[status]; },
  }])),
  'JSON is the first of several media types: generators take the first one': {
    find: (document) => operationsOf(document).filter(({ requestBody, responses }) =>
      [requestBody?.content, ...Object.values(responses).map((response) => resolve(document, response).content)]
        .some((content) => Object.keys(content ?? {}).indexOf('application/json') > 0)).map(({ operationId }) => operationId),
    plant: ({ paths }) => {
      const body = paths['/v1/solve'].post.requestBody;
      body.content = Object.fromEntries(Object.entries(body.content).reverse());
    },
  },
  'lines and events are described one by one, by a schema with a name': {
    find: (document) => streamsOf(document).filter(({ media }) => !media.schema?.$ref || media.examples).map(({ operationId, type }) => `${operationId} ${type}`),
    plant: ({ paths }) => { paths['/v1/sessions/{id}/events'].get.responses['200'].content['text/event-stream'].schema = { type: 'string' }; },
  },
  'each member of a described cube has a description of one line': {
    find: ({ components }) => Object.entries(components.schemas.CubeDescription.properties).filter(([, { description = '' }]) =>
      description === '' || description.length > 120 || description.includes('\n')).map(([name]) => name),
    plant: ({ components }) => { delete components.schemas.CubeDescription.properties.net.description; },
  },
  'what a client sends as a cube is a text or one flat object': {
    find: (document) => {
      const { anyOf = [] } = document.components.schemas.CubeInput;
      const flat = anyOf.map((one) => resolve(document, one)).filter((one) => one.type === 'string' || (one.type === 'object' && !UNIONS.some((key) => one[key]) && !one.required));
      return anyOf.length === 2 && flat.length === 2 ? [] : ['CubeInput'];
    },
    plant: ({ components }) => { components.schemas.CubeInput.anyOf.push({ $ref: '#/components/schemas/Cubies' }); },
  },
};
