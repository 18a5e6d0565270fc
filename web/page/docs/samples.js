// samples.js: the request of an example as a program: for curl, for the JavaScript client and for the Python client. Calls that
// a client does not have are made with what the language has for HTTP.

import { argumentsOf, lineOf, pythonArguments, sourceOf } from './code.js';
import { addressOf } from './request.js';

const CUBE = ['size', 'facelets', 'index', 'reid', 'session', 'at', 'moves', 'notation'];

const pick = (from, names) => Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
const omit = (from, ...names) => Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

/** The cube that a query describes, as a body has it, and the rest of the query. */
function cubeOf({ query }) {
  const cube = pick(query, CUBE);
  return { cube: Object.keys(cube).length > 0 ? cube : { size: 3 }, rest: omit(query, ...CUBE) };
}

/** Returns the body of an `apply` request, with the moves and the cube that they turn, and its query. */
function applied(request) {
  if (request.body) return [request.body, request.query];
  const { cube, rest } = cubeOf(request);
  const { moves, notation, ...described } = cube;
  const plain = Object.keys(described).every((name) => name === 'size');
  return [{ ...(plain ? described : { cube: described }), ...(moves === undefined ? {} : { moves }), ...(notation === undefined ? {} : { notation }) }, rest];
}

/** A body with its cube below `cube`, where the clients expect it, and the query. */
function asked(request, ...members) {
  if (request.body) {
    const cube = pick(request.body, CUBE);
    const onTop = !('cube' in request.body) && Object.keys(cube).length > 0;
    return [onTop ? { cube, ...omit(request.body, ...CUBE) } : request.body, request.query];
  }
  const { cube, rest } = cubeOf(request);
  return [{ cube, ...pick(rest, members) }, omit(rest, ...members)];
}

const ndjson = (request) => request.raw.trim().split('\n').map((line) => JSON.parse(line));

// ---- forms of programs ----

/** A call with an answer. */
const answer = (js, python) => ({ js: (r) => [`const answer = await cubed.${js(r)};`, 'console.log(answer);'], python: (r) => [`answer = cubed.${python(r)}`, 'print(answer)'] });
/** A list that is read on as far as one likes. */
const list = (js, python) => ({ js: (r) => [`for await (const item of cubed.${js(r)}) console.log(item);`], python: (r) => [`for item in cubed.${python(r)}:`, '    print(item)'] });

const session = {
  js: ({ parts, token }) => `const session = cubed.session(${argumentsOf(parts.id, token ? { token: 'TOKEN' } : undefined)});`,
  python: ({ parts, token }) => `session = cubed.session(${pythonArguments([parts.id], token ? { token: 'TOKEN' } : {})})`,
};
const inSession = (js, python, loop = false) => ({
  js: (r) => [session.js(r), ...(loop ? [`for await (const item of session.${js(r)}) console.log(item);`] : [`const answer = await session.${js(r)};`, 'console.log(answer);'])],
  python: (r) => [session.python(r), ...(loop ? [`for item in session.${python(r)}:`, '    print(item)'] : [`answer = session.${python(r)}`, 'print(answer)'])],
});

const optionsOf = (r) => ({ ...r.query, ...(r.token ? { token: 'TOKEN' } : {}) });
const tokenOf = (r) => (r.token ? { token: 'TOKEN' } : {});
const js = (name, of) => (r) => `${name}(${argumentsOf(...of(r))})`;
const python = (name, positional, named = () => ({})) => (r) => `${name}(${pythonArguments(positional(r), named(r))})`;
const none = () => [];
const query = (r) => r.query;
const body = (r) => r.body ?? {};

/** A change of a session: what its body says, `revision` as an option. */
const change = (name, of) => inSession(
  (r) => `${name}(${argumentsOf(...of(r), { ...pick(body(r), ['revision', 'notation', 'rebase']), ...r.query })})`,
  (r) => `${name}(${pythonArguments(of(r), pick(body(r), ['revision', 'notation']))})`,
);

const apply = answer(js('apply', applied), python('apply', none, (r) => Object.assign({}, ...applied(r).map((one) => pick(one, ['cube', 'size', 'moves', 'notation', 'as', 'turns'])))));
const algorithm = answer((r) => `algorithm(${argumentsOf(r.body ?? r.query)})`, (r) => { const { moves, ...rest } = r.body ?? r.query; return `algorithm(${pythonArguments([moves], pick(rest, ['size', 'notation']))})`; });
const convert = answer(js('convert', asked), python('convert', (r) => [asked(r)[0].cube, asked(r)[1].as ?? 'facelets']));
const validate = answer(js('validate', asked), python('validate', (r) => [asked(r)[0].cube]));
/** In a query a pattern is a name. */
const fitted = (r) => {
  const [one, rest] = asked(r, 'pattern', 'any');
  return [typeof one.pattern === 'string' ? { ...one, pattern: { name: one.pattern } } : one, rest];
};
const match = {
  ...answer(js('match', fitted), python('match', (r) => [fitted(r)[0].cube ?? { size: 3 }, fitted(r)[0].pattern])),
  pythonHas: (r) => fitted(r)[0].any === undefined,
};
const facts = answer(js('facts', asked), python('facts', (r) => [asked(r)[0].cube]));
const solve = answer(js('solve', (r) => { const [cube, rest] = asked(r); return [{ ...cube, ...rest }]; }), python('solve', (r) => [asked(r)[0].cube], (r) => { const [one, rest] = asked(r); return { ...omit(one, 'cube'), ...rest }; }));

/** By operationId; `lines` where the body has lines. */
const CALLS = {
  applyMovesByQuery: apply, applyMoves: apply, analyzeAlgorithmByQuery: algorithm, analyzeAlgorithm: algorithm,
  convertCubeByQuery: convert,
  convertCube: { ...convert, lines: list((r) => `convertAll(${argumentsOf(ndjson(r), r.query)})`, (r) => `convert_all(${pythonArguments([ndjson(r), r.query.as ?? 'facelets'])})`) },
  validateCubeByQuery: validate, validateCube: validate,
  composeCubes: answer(js('compose', (r) => [body(r), r.query]), (r) => `compose(${pythonArguments(body(r).cubes, { ...pick(body(r), ['assembled']), ...pick(r.query, ['as']) })})`),
  invertCube: answer(js('invert', asked), python('invert', (r) => [asked(r)[0].cube], (r) => ({ ...pick(body(r), ['assembled']), ...pick(r.query, ['as']) }))),
  matchPatternByQuery: match, matchPattern: match, describeCubeByQuery: facts, describeCube: facts,
  listPatterns: answer(js('patterns.list', (r) => [r.query]), python('patterns.list', none, query)),
  getPattern: answer(js('patterns.get', (r) => [r.parts.name, r.query]), python('patterns.get', (r) => [r.parts.name], query)),
  storePattern: answer(js('patterns.put', (r) => [r.parts.name, body(r), optionsOf(r)]), python('patterns.put', (r) => [r.parts.name, body(r).pattern], (r) => ({ ...pick(body(r), ['title']), ...r.query, ...tokenOf(r) }))),
  deletePattern: answer(js('patterns.remove', (r) => [r.parts.name, optionsOf(r)]), python('patterns.remove', (r) => [r.parts.name], (r) => ({ ...r.query, ...tokenOf(r) }))),
  generateStates: answer(js('states', (r) => [r.query]), python('states', none, (r) => pick(r.query, ['size', 'count', 'seed', 'as', 'pieces']))),
  generateScrambles: answer(js('scramble', (r) => [r.query]), python('scramble', none, query)),
  solveCubeByQuery: solve,
  solveCube: { ...solve, lines: list((r) => `solveAll(${argumentsOf(ndjson(r))})`, (r) => `solve_all(${pythonArguments([ndjson(r)])})`) },
  getJob: answer(js('jobs.get', (r) => [r.parts.job_id]), python('jobs.get', (r) => [r.parts.job_id])),
  cancelJob: answer(js('jobs.cancel', (r) => [r.parts.job_id]), python('jobs.cancel', (r) => [r.parts.job_id])),
  streamJobEvents: answer((r) => `jobs.wait(${argumentsOf(r.parts.job_id)}, { onProgress: console.log })`, (r) => `jobs.wait(${pythonArguments([r.parts.job_id])}, on_progress=print)`),
  listSolvers: answer(() => 'solvers()', () => 'solvers()'), listFormats: answer(() => 'formats()', () => 'formats()'), listLimits: answer(() => 'limits()', () => 'limits()'),
  getReadiness: answer(() => 'ready()', () => 'ready()'),
  listSessions: list(js('sessions', (r) => [r.query]), python('sessions', none, (r) => pick(r.query, ['size', 'name', 'limit', 'as']))),
  searchSessions: list(js('search', (r) => [body(r), r.query]), python('search', none, (r) => ({ ...body(r), ...pick(r.query, ['limit']) }))),
  createSession: {
    js: (r) => [`const session = await cubed.createSession(${argumentsOf(body(r), r.query)});`, 'console.log(session.id, session.token);'],
    python: (r) => [`session = cubed.create_session(${pythonArguments([], body(r))})`, 'print(session.id, session.token)'],
  },
  getSession: inSession(js('read', (r) => [r.query]), python('read', none, (r) => pick(r.query, ['as']))),
  updateSession: inSession(js('configure', (r) => [body(r)]), python('configure', none, body)),
  deleteSession: inSession(() => 'remove()', () => 'remove()'),
  getSessionCube: inSession(js('cube', (r) => [r.query]), python('cube', none, (r) => pick(r.query, ['at', 'as']))),
  appendMoves: change('turn', (r) => [body(r).moves ?? 'R U']),
  undoEntries: change('undo', (r) => [body(r).count ?? 1]), redoEntries: change('redo', (r) => [body(r).count ?? 1]), resetSession: change('reset', none),
  scrambleSession: inSession(js('scramble', (r) => [omit(body(r), 'revision'), pick(body(r), ['revision'])]), python('scramble', none, (r) => pick(body(r), ['moves', 'seed', 'revision']))),
  getHistory: inSession(js('history', (r) => [omit(r.query, 'wait_ms')]), python('history', none, (r) => pick(r.query, ['after', 'limit'])), true),
  streamSessionEvents: inSession(js('watch', (r) => [pick(r.query, ['after'])]), python('watch', none, (r) => pick(r.query, ['after'])), true),
  searchHistory: inSession(
    (r) => (body(r).patterns ? `stages(${argumentsOf(body(r).patterns)})` : `find(${argumentsOf(body(r))})`),
    (r) => (body(r).patterns ? `stages(${pythonArguments(body(r).patterns)})` : `find(${pythonArguments([body(r).pattern], pick(body(r), ['after']))})`),
  ),
  createToken: inSession(js('tokens.create', (r) => [body(r)]), python('create_token', (r) => [body(r).role], (r) => pick(body(r), ['label']))),
  listTokens: inSession(() => 'tokens.list()', () => 'tokens()'),
  revokeToken: inSession(js('tokens.revoke', (r) => [r.parts.token_id]), python('revoke_token', (r) => [r.parts.token_id])),
  recordSolve: answer(js('solves.add', (r) => [body(r), tokenOf(r)]), python('solves.add', none, body)),
  listSolves: list(js('solves.list', (r) => [r.query]), python('solves.list', none, query)),
  getSolveStats: answer(js('solves.stats', (r) => [r.query]), python('solves.stats', none, query)),
  getSolve: answer(js('solves.get', (r) => [r.parts.solve_id]), python('solves.get', (r) => [r.parts.solve_id])),
  updateSolve: answer(js('solves.change', (r) => [r.parts.solve_id, body(r), tokenOf(r)]), python('solves.change', (r) => [r.parts.solve_id], body)),
  deleteSolve: answer(js('solves.remove', (r) => [r.parts.solve_id, tokenOf(r)]), python('solves.remove', (r) => [r.parts.solve_id])),
};

// ---- without a client ----

const headersOf = ({ headers, accept, token, type }) => ({
  ...headers, ...(accept === 'application/json' ? {} : { Accept: accept }), ...(type ? { 'Content-Type': type } : {}), ...(token ? { Authorization: 'Bearer TOKEN' } : {}),
});

const sent = (r) => r.raw ?? (r.body === undefined ? undefined : lineOf(r.body));

function plainJs(r, base) {
  const headers = headersOf(r);
  const options = { ...(r.method === 'GET' ? {} : { method: r.method }), ...(Object.keys(headers).length > 0 ? { headers } : {}), ...(sent(r) === undefined ? {} : { body: sent(r) }) };
  return [`const answer = await fetch(${argumentsOf(base + addressOf(r), options)});`, `console.log(await answer.${/json$/.test(r.accept) && !/ndjson/.test(r.accept) ? 'json' : 'text'}());`];
}

function plainPython(r, base) {
  const data = sent(r) === undefined ? {} : { data: sent(r) };
  const headers = headersOf(r);
  const named = pythonArguments([base + addressOf(r)], { ...data, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...(r.method === 'GET' ? {} : { method: r.method }) });
  return ['from urllib.request import Request, urlopen', '', `request = Request(${named.replace(/data=("(?:[^"\\]|\\.)*")/, 'data=$1.encode()')})`, 'print(urlopen(request).read().decode())'];
}

// ---- the programs ----

/** Quoted for a POSIX shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlOf(r, base) {
  const words = [['curl']];
  const text = sent(r);
  const json = r.type === 'application/json' && text !== undefined;
  if (r.method !== (text === undefined ? 'GET' : 'POST')) words.push(['-X', r.method]);
  if (/event-stream|ndjson/.test(r.accept)) words.push(['-N']);
  for (const [name, value] of Object.entries({ ...r.headers, Accept: r.accept === 'application/json' ? undefined : r.accept, 'Content-Type': json ? undefined : r.type })) if (value) words.push(['-H', quoted(`${name}: ${value}`)]);
  if (r.token) words.push(['--oauth2-bearer', '"$TOKEN"']);
  if (text !== undefined) words.push([json ? '--json' : '--data-binary', quoted(text)]);
  words.push([quoted(base + addressOf(r))]);
  const pairs = words.map((pair) => pair.join(' '));
  const line = pairs.join(' ');
  return line.length <= 60 ? line : [pairs.slice(0, 2).join(' '), ...pairs.slice(2)].join(' \\\n  ');
}

const formOf = (r) => (r.raw !== undefined ? CALLS[r.call.id]?.lines : CALLS[r.call.id]);
const needsSolveToken = (r) => r.token && /^(recordSolve|getSolve|updateSolve|deleteSolve)$/.test(r.call.id);

export function javascriptOf(r, base) {
  const form = formOf(r);
  if (!form) return plainJs(r, base).join('\n');
  return ["import { Cubed } from 'cubed-client';", '', `const cubed = new Cubed(${sourceOf(base, 'js')});`, ...form.js(r)].join('\n');
}

export function pythonOf(r, base) {
  const form = formOf(r);
  if (!form || form.pythonHas?.(r) === false) return plainPython(r, base).join('\n');
  return ['from cubed_client import Cubed', '', `cubed = Cubed(${pythonArguments([base], needsSolveToken(r) ? { token: 'TOKEN' } : {})})`, ...form.python(r)].join('\n');
}

export const LANGUAGES = [['curl', curlOf], ['JavaScript', javascriptOf], ['Python', pythonOf]];
