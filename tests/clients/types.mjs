// The types of the clients against the schemas of openapi.yaml: those with the name of a schema have its members, all of
// them and no others, and the same ones are required. Usage: node types.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Types that have another name than their schema, because the class has that. */
const RENAMED = { SessionDetails: 'Session', ProblemDetails: 'Problem' };
/** Types that join several schemas. */
const JOINED = ['ProblemDetails', 'Pattern', 'SessionEvent'];

const server = await Server.start(binaryArgument(), 'memory:');
const { paths, components: { schemas, parameters } } = await (await fetch(`${server.url}/openapi.json`)).json();
await server.stop();

const resolve = (schema) => (schema.$ref ? resolve(schemas[schema.$ref.split('/').at(-1)]) : schema);

/** The members of a schema of an object: a map from each to whether it is required. Null for other schemas. */
function membersOf(schema) {
  const { properties, allOf, anyOf, oneOf, required = [] } = resolve(schema);
  const members = new Map();
  for (const part of allOf ?? []) for (const [name, needed] of membersOf(part) ?? []) members.set(name, needed);
  const variants = (anyOf ?? oneOf ?? []).map(membersOf);
  for (const variant of variants.every(Boolean) ? variants : []) {
    for (const name of variant.keys()) members.set(name, variants.every((one) => one.get(name)));
  }
  for (const name of Object.keys(properties ?? {})) members.set(name, members.get(name) || required.includes(name));
  return members.size > 0 ? members : null;
}

/** The object types of types.js: [name, members]. */
function typesOfJavaScript() {
  const file = path('../../clients/js/src/types.js');
  const program = ts.createProgram([file], { allowJs: true, checkJs: true, strict: true, target: ts.ScriptTarget.ES2022 });
  const checker = program.getTypeChecker();
  const source = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker.getExportsOfModule(source).map((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
    const members = isObject ? type.getProperties().map((one) => [one.name, !(one.flags & ts.SymbolFlags.Optional)]) : [];
    return [symbol.name, new Map(members)];
  });
}

/** The TypedDicts of a module: [name, members]. */
function typesOfPython(module) {
  const program = `
import json
from cubed_client import ${module} as module
print(json.dumps([[name, [[member, member in one.__required_keys__] for member in one.__annotations__]]
                  for name, one in vars(module).items() if hasattr(one, "__required_keys__")]))`;
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], { env: { ...process.env, PYTHONPATH: path('../../clients/python') }, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).map(([name, members]) => [name, new Map(members)]);
}

/** Names of members, with a `?` for those that may be missing. (A `cube` is missing only from what was asked for without.) */
const sorted = (members) => [...members].map(([name, needed]) => (needed || name === 'cube' ? name : `${name}?`)).sort();

for (const [language, types, least] of [['JavaScript', typesOfJavaScript(), 50], ['Python', typesOfPython('types'), 15]]) {
  let compared = 0;
  for (const [name, members] of types) {
    const schema = schemas[RENAMED[name] ?? name];
    const wanted = schema && membersOf(schema);
    if (!wanted || members.size === 0 || JOINED.includes(name)) continue;
    compared++;
    await check(`${language}: ${name}`, () => assert.deepEqual(sorted(members), sorted(wanted)));
  }
  await check(`the types of ${language} are compared`, () => assert.ok(compared >= least, String(compared)));
}

/** Options of calls in Python: the query parameters of this path, or the members that this schema itself has. */
const OPTIONS = {
  PictureOptions: '/v1/image.svg',
  SessionPictureOptions: '/v1/sessions/{id}/image.svg',
  ScrambleOptions: '/v1/scramble',
  StateOptions: '/v1/states',
  RowOptions: '/v1/rows',
  SheetOptions: '/v1/sheet',
  ListOptions: '/v1/solves',
  StatsOptions: '/v1/solves/stats',
  ImportOptions: '/v1/solves/import',
  SolveOptions: 'SolutionRequest',
  SessionChangeRequest: 'SessionChangeRequest',
  NewSessionRequest: 'NewSessionRequest',
  SolveChangeRequest: 'SolveChangeRequest',
  NewSolveRequest: 'NewSolveRequest',
  Cue: 'Cue',
};
/** Names that the calls set themselves, or have as parameters of their own; `order` is of formats that programs do not need. */
const OWN = ['cube', 'wait_ms', 'cursor', 'order', 'dtype', 'format'];

/** The names of the query parameters of a path. */
function queryOf(path) {
  const { get, post } = paths[path];
  const all = (get ?? post).parameters.map((one) => (one.$ref ? parameters[one.$ref.split('/').at(-1)] : one));
  return all.filter((one) => one.in === 'query').map(({ name }) => name);
}

const options = new Map(typesOfPython('options'));
for (const [name, source] of Object.entries(OPTIONS)) {
  await check(`Python: ${name}`, () => {
    const wanted = source.startsWith('/') ? queryOf(source) : Object.keys(schemas[source].properties);
    const without = (names) => names.filter((one) => !OWN.includes(one)).sort();
    assert.deepEqual(without([...options.get(name).keys()].map((one) => one.replace(/_$/, ''))), without(wanted));
  });
}

finish();
