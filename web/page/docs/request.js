// request.js: what a call of openapi.yaml is, and the requests that its examples make. Examples with the same name belong
// together: parameters, body and answer.

/** Follows `$ref` of the document. */
export function resolve(api, value) {
  while (value?.$ref) {
    value = value.$ref.slice(2).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).reduce((at, part) => at[part], api);
  }
  return value;
}

/** The examples of a media type or parameter by name: [name, {summary, value}]. */
function examplesOf(api, media) {
  return Object.entries({ ...media?.examples, ...media?.['x-examples'] }).map(([name, one]) => [name, resolve(api, one)]);
}

/** Returns true if many calls have a parameter, for the form of their answers. Those with names that begin with Given say what is asked. */
const isShared = (one) => Boolean(one.$ref) && !one.$ref.includes('/parameters/Given');

/** A call with everything that it refers to. */
export function callOf(api, path, method) {
  const item = api.paths[path];
  const operation = item[method];
  const parameters = [...item.parameters ?? [], ...operation.parameters ?? []].map((one) => {
    const parameter = resolve(api, one);
    return { ...parameter, shared: isShared(one), schema: resolve(api, parameter.schema) };
  });
  const body = Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => ({ type, examples: examplesOf(api, media) }));
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status, content: Object.entries(resolve(api, answer).content ?? {}).map(([type, media]) => ({ type, examples: examplesOf(api, media) })),
  }));
  const token = operation.responses['403']?.$ref?.endsWith('/Refused') || Boolean(operation.security && !operation.security.some((one) => Object.keys(one).length === 0));
  return { id: operation.operationId, path, method: method.toUpperCase(), parameters, body, answers, token };
}

/** The answers that have an example of that name: [{status, type, value}]. */
export function answersOf(call, name) {
  return call.answers.flatMap(({ status, content }) => content.flatMap(({ type, examples }) => examples
    .filter(([one]) => one === name).map(([, { value }]) => ({ status, type, value }))));
}

/** The names of a call's examples with a title each; those that need a stored cube come later, refused ones last. */
export function namesOf(call) {
  const titles = new Map();
  const add = ([name, { summary }]) => titles.set(name, titles.get(name) ?? summary);
  const bodies = call.body.flatMap(({ examples }) => examples);
  if (bodies.length > 0) bodies.forEach(add);
  else for (const shared of [false, true]) call.parameters.filter((one) => one.shared === shared).forEach((one) => Object.entries(one.examples ?? {}).forEach(add));
  for (const { content } of call.answers) for (const { examples } of content) for (const one of examples) if (titles.has(one[0])) add(one);
  const refused = (name) => { const all = answersOf(call, name); return all.length > 0 && all.every(({ status }) => status >= '400'); };
  const named = [...titles].map(([name, title]) => ({ name, title: title ?? name.replaceAll('_', ' '), refused: refused(name) }));
  const stored = ({ name }) => call.parameters.some((one) => one.name === 'session' && one.examples?.[name]);
  const alone = bodies.length === 0 && !call.parameters.some((one) => !one.shared && one.examples);
  if (alone && named.length > 0) named.unshift({ name: undefined, title: 'plain', refused: false });
  const rank = (one) => (one.refused ? 2 : stored(one) ? 1 : 0);
  return named.sort((a, b) => rank(a) - rank(b));
}

/** The value of a parameter in an example; undefined: it is left out. */
function valueOf(parameter, name) {
  const example = parameter.examples?.[name]?.value;
  if (example !== undefined || !parameter.required) return example;
  return parameter.example ?? Object.values(parameter.examples ?? {})[0]?.value ?? parameter.schema?.examples?.[0] ?? '';
}

/**
 * The request of an example: {call, path, query, headers, body | raw, type, accept, token}; `name` undefined: the plainest one.
 * @param {ReturnType<typeof callOf>} call
 * @param {string} [name]
 */
export function requestOf(call, name) {
  const request = { call, method: call.method, parts: {}, query: {}, headers: {}, body: undefined, raw: undefined, type: undefined, accept: acceptOf(call, name), token: call.token };
  for (const parameter of call.parameters) {
    const value = valueOf(parameter, name);
    if (value === undefined || value === '') continue;
    request[{ path: 'parts', query: 'query', header: 'headers' }[parameter.in]][parameter.name] = value;
  }
  for (const { type, examples } of call.body) {
    const example = examples.find(([one]) => one === name)?.[1];
    if (!example || request.type) continue;
    request.type = type;
    if (/json$/.test(type) && typeof example.value !== 'string') request.body = example.value;
    else request.raw = String(example.value);
  }
  if (!request.type && call.body.length > 0 && call.method !== 'GET') [request.type, request.body] = ['application/json', {}];
  return request;
}

/** The media type that the answer of an example has; that of the first answer otherwise. */
function acceptOf(call, name) {
  const good = (status) => status < '300';
  const named = answersOf(call, name).filter(({ status }) => good(status));
  const types = call.answers.filter(({ status }) => good(status)).flatMap(({ content }) => content.map(({ type }) => type));
  if (types.includes('text/event-stream')) return 'text/event-stream';
  return named[0]?.type ?? types[0] ?? 'application/json';
}

/** The path with its parts, and the query. */
export function addressOf({ call, parts, query }) {
  const path = call.path.replace(/\{(\w+)\}/g, (hole, name) => (parts[name] === undefined || parts[name] === '' ? hole : encodeURIComponent(parts[name])));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent([value].flat().join(',')).replace(/%(20|2C|3A|2F)/g, (code) => ({ '%20': '+', '%2C': ',', '%3A': ':', '%2F': '/' })[code])}`).join('&');
  return text ? `${path}?${text}` : path;
}
