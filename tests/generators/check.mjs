// Code generators read openapi.yaml, and what they write compiles and works: each writes a client into build/generators, by
// the command of docs/reference/generated-clients.md; tsc --strict compiles it with the snippet of that page and with a longer
// program (programs/), and both talk to a running server.
// Two linters find nothing. The schemas of zod parse the server's answers. Faults that are planted in the document are found.
// Usage: node check.mjs [path of the binary]; build/openapi.json must be there. No network except loopback.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const out = join(root, 'build', 'generators');
/** The folder with the Node that runs this, before the one in node_modules/.bin, which is for kubb. */
const bin = join(out, 'bin');
const YAML = join(root, 'openapi.yaml');
const PAGE = readFileSync(join(root, 'docs', 'reference', 'generated-clients.md'), 'utf8');
const ADDRESS = 'http://127.0.0.1:8080';
const document = JSON.parse(readFileSync(join(root, 'build', 'openapi.json'), 'utf8'));
const require = createRequire(import.meta.url);
const TIMEOUT_MS = 1800000;
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1', NODE_NO_WARNINGS: '1', DISABLE_TELEMETRY: '1' };

/** Runs a command in a folder, with those of tests/generators/node_modules; fails with what it prints. */
async function run(folder, command, ...words) {
  const path = [bin, join(here, 'node_modules', '.bin'), process.env.PATH].join(':');
  const options = { cwd: folder, env: { ...process.env, ...QUIET, PATH: path }, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, words, options);
    return stdout + stderr;
  } catch (error) {
    throw new Error(`${command} ${words.join(' ')}\n${`${error.stdout}${error.stderr}`.slice(-4000) || error.message}`);
  }
}

/** The sections of the page about generators, and the names of their programs. */
const SECTIONS = {
  'openapi-typescript': 'openapi-typescript with openapi-fetch', 'hey-api': '@hey-api/openapi-ts', orval: 'orval', codegen: 'openapi-typescript-codegen', zod: 'openapi-zod-client',
};

const KUBB = `// kubb.config.mjs
import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  input: { path: 'openapi.yaml' },
  output: { path: 'cubed', extension: { '.ts': '' } },
  plugins: [pluginOas({ generators: [] }), pluginTs()],
});
`;

/** A program of a package that needs Node 20, which the package `node` brings. */
const withNode20 = (program) => [join('node', 'bin', 'node'), program].map((path) => join(here, 'node_modules', path)).join(' ');

/** Generators whose clients are only compiled: the command, and the file that it reads. */
const COMPILED = {
  'swagger-typescript-api': { command: 'swagger-typescript-api -p openapi.yaml -o . -n cubed.ts --silent' },
  'orval-zod': {
    command: 'orval --config orval.config.cjs',
    file: "// orval.config.cjs\nmodule.exports = { cubed: { input: 'openapi.yaml', output: { target: 'cubed.ts', client: 'zod' } } };\n",
  },
  kubb: { command: `${withNode20('@kubb/cli/bin/kubb.cjs')} generate --config kubb.config.mjs`, file: KUBB },
};

/** Reads a section: the command that generates, one that changes the document before it, the snippet, and a file that
 * the command reads. */
function sectionOf(title) {
  const text = PAGE.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  const block = (kind) => new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1];
  const [, command] = /^\$ npx ((?:.*\\\n)*.*)$/m.exec(block('console'));
  const before = /^\$ (sed .*)$/m.exec(block('console'))?.[1];
  return { command, before, snippet: block('ts'), file: block('js') };
}

/** Returns the program that npx runs for a word: the only program of the package with this name, or a program with this
 * name. */
function programOf(word) {
  const manifest = join(here, 'node_modules', word, 'package.json');
  if (!existsSync(manifest)) return word;
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return `node ${join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0])}`;
}

/** Writes a client of the document `source` into a folder, as the page says. */
async function generate(name, folder, source, url) {
  const { command, before, file } = COMPILED[name] ?? sectionOf(SECTIONS[name]);
  mkdirSync(folder, { recursive: true });
  cpSync(source, join(folder, 'openapi.yaml'));
  if (file) writeFileSync(join(folder, /^\/\/ (\S+)/.exec(file)[1]), file.replaceAll(ADDRESS, url));
  if (before) await run(folder, 'sh', '-c', before);
  await run(folder, 'sh', '-c', command.replace(/^\S+/, programOf));
}

/** The snippet of the page as a program. */
function snippetOf(name, url) {
  const lines = sectionOf(SECTIONS[name]).snippet.replaceAll(ADDRESS, url).split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const rest = lines.filter((line) => !line.startsWith('import '));
  return `${imports.join('\n')}\nexport async function run(): Promise<void> {\n${rest.join('\n')}}\n`;
}

/** The linters: each fails if it has anything to say. */
const LINTERS = {
  spectral: async (source, folder) => {
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
    await run(folder, 'spectral', 'lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', source);
  },
  redocly: async (source, folder) => {
    // This rule counts only statuses, and not the common errors, which are the `default` answer.
    const said = await run(folder, 'redocly', 'lint', '--format', 'json', '--skip-rule', 'operation-4xx-response', source);
    const { totals } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
    if (totals.errors + totals.warnings > 0) throw new Error(said);
  },
};

/** A folder below build/generators with a folder for each of the clients and its programs, and nothing else. */
function folderFor(name, clients) {
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(here, 'programs', 'support.ts'), join(folder, 'support.ts'));
  for (const client of clients) cpSync(join(here, 'programs', `${client}.ts`), join(folder, client, 'program.ts'));
  const compilerOptions = { strict: true, target: 'es2022', module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true, types: [], rootDir: '.', outDir: 'out' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts', 'kubb/cubed/*.ts'], exclude: ['node_modules', 'out'] }));
  return folder;
}

const compile = (folder) => run(folder, 'tsc', '-p', '.');

/** Fails unless that fails, with a text that fits. */
async function mustFail(doing, why) {
  const found = await Promise.resolve().then(doing).then(() => undefined, (error) => error.message);
  if (found === undefined || !why.test(found)) throw new Error(found ?? 'it is not found');
}

/** Runs the snippet; answers what it prints. */
async function printed(snippet) {
  const { log } = console;
  const lines = [];
  console.log = (...words) => lines.push(words.join(' '));
  try {
    await snippet();
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

/** The client of openapi-typescript, of a document with a fault. */
async function compileTypes(source, folder) {
  await generate('openapi-typescript', join(folder, 'openapi-typescript'), source, ADDRESS);
  await compile(folder);
}

/** Faults, planted in a copy of the document, who must find each, and what is then said. */
const PLANTED = {
  'a null in an enum': [({ schemas }) => schemas.SolveClock.enum.push(null), LINTERS.spectral, /SolveClock/],
  'a component without use': [({ schemas }) => { schemas.Unused = { type: 'string' }; }, LINTERS.redocly, /Unused/],
  'a default in a request, which makes its member a required one, and an event of unknown data': [({ schemas }) => {
    schemas.StepsRequest.properties.count.default = 1;
    schemas.PresenceEvent.properties.data = { type: 'string' };
  }, compileTypes, /program\.ts[^]*'watchers'[^]*'count' is missing/],
};

/** Answers that the schemas of zod must parse: [schema, method and path, body]. */
const ANSWERS = [
  ['AppliedMoves', 'GET /v1/apply?size=3&moves=R+U&as=faces,cubies,reid,index,features,flatten,pieces,rubyks,poses,compact_poses,net&turns=cubies'],
  ['AlgorithmAnalysis', 'POST /v1/algorithm', { moves: '(R U) x6', size: 4 }],
  ['CubeValidation', 'POST /v1/validate', { cube: { facelets: 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB' } }],
  ['CubeFacts', 'POST /v1/facts', { cube: { moves: 'R U' } }],
  ['PatternMatches', 'POST /v1/match', { cube: {}, pattern: { name: 'f2l' } }],
  ['PatternList', 'GET /v1/patterns'],
  ['NamedPattern', 'GET /v1/patterns/f2l'],
  ['ScrambleList', 'GET /v1/scramble?size=2&count=3'],
  ['Solution', 'POST /v1/solve', { cube: { moves: 'R U F' }, method: 'beginner', wait_ms: 60000 }],
  ['SolverList', 'GET /v1/solvers'],
  ['FormatList', 'GET /v1/formats'],
  ['LimitList', 'GET /v1/limits'],
  ['CreatedSession', 'POST /v1/sessions', { size: 3, scramble: true, access: 'edit' }],
  ['RecordedSolve', 'POST /v1/solves', { scramble: 'R U', solution: "U'@0 R'@900" }],
  ['SessionPage', 'GET /v1/sessions?as=net'],
  ['SolvePage', 'GET /v1/solves'],
  ['SolveStats', 'GET /v1/solves/stats'],
  ['BadRequestProblem', 'POST /v1/apply', { move: 'R' }],
  ['NotationProblem', 'POST /v1/apply', { moves: 'R Q' }],
  ['RouteProblem', 'GET /v1/nothing'],
];

/** The token of the newest book of solves, which its solves can be read with. */
let token;

async function answerOf(url, [, call, json]) {
  const [method, path] = call.split(' ');
  const headers = { ...(json && { 'content-type': 'application/json' }), ...(token && path.startsWith('/v1/solves') && { authorization: `Bearer ${token}` }) };
  const answer = await (await fetch(url + path, { method, body: json && JSON.stringify(json), headers })).json();
  if (path === '/v1/solves') token ??= answer.token;
  return answer;
}

/** Parses a value; fails with the first things that do not fit. */
function parse(schema, name, value) {
  if (!schema) throw new Error(`there is no schema ${name}`);
  const { success, error } = schema.safeParse(value);
  if (!success) throw new Error(`${name}: ${JSON.stringify(error.issues).slice(0, 400)}`);
}

/** The examples of JSON answers: [where, name of the schema, value]. */
function* examples() {
  const resolve = (value) => (value.$ref ? value.$ref.slice(2).split('/').reduce((at, part) => at[part], document) : value);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(item).filter(([, operation]) => operation.responses)) {
      for (const [status, response] of Object.entries(responses)) {
        for (const [type, media] of Object.entries(resolve(response).content ?? {}).filter(([name]) => /^application\/(problem\+)?json$/.test(name))) {
          for (const [name, example] of Object.entries(media.examples ?? {})) yield [`${method} ${path} ${status} ${type} ${name}`, media.schema.$ref.split('/').at(-1), resolve(example).value];
        }
      }
    }
  }
}

async function plantAll() {
  for (const [index, [name, [plant, find, why]]] of Object.entries(PLANTED).entries()) {
    await check(`planted: ${name}`, async () => {
      const planted = folderFor(`planted-${index}`, ['openapi-typescript']);
      const source = join(planted, 'openapi.json');
      const copy = JSON.parse(JSON.stringify(document));
      plant(copy.components);
      writeFileSync(source, JSON.stringify(copy));
      await mustFail(() => find(source, planted), why);
    });
  }
}

rmSync(out, { recursive: true, force: true });
mkdirSync(bin, { recursive: true });
symlinkSync(process.execPath, join(bin, 'node'));
const names = Object.keys(SECTIONS);
const folder = folderFor('clients', [...names, 'kubb']);
const server = await Server.start(binaryArgument(), 'memory:');

async function generateAll() {
  for (const name of names) {
    await check(`${name} reads openapi.yaml`, () => generate(name, join(folder, name), YAML, server.url));
    writeFileSync(join(folder, name, 'snippet.ts'), snippetOf(name, server.url));
  }
  for (const name of Object.keys(COMPILED)) await check(`${name} reads openapi.yaml`, () => generate(name, join(folder, name), YAML, server.url));
  return check('the clients, and the programs that use them, compile', () => compile(folder));
}

async function lintAll() {
  for (const [name, lint] of Object.entries(LINTERS)) await check(`${name} has no warning`, () => lint(YAML, folder));
}

const [compiled] = await Promise.all([generateAll(), lintAll().then(plantAll)]);

if (compiled) {
  for (const name of names) {
    await check(`the program of ${name} works`, () => require(join(folder, 'out', name, 'program.js')).run(server.url));
    await check(`the snippet of ${name} works`, async () => {
      const text = await printed(require(join(folder, 'out', name, 'snippet.js')).run);
      if (!["moves R U R'", ''].includes(text)) throw new Error(text);
    });
  }
  const { schemas } = require(join(folder, 'out', 'zod', 'cubed.js'));
  for (const one of ANSWERS) await check(`zod parses the answer to ${one[1]}`, async () => parse(schemas[one[0]], one[0], await answerOf(server.url, one)));
  for (const [where, schema, value] of examples()) {
    await check(`zod parses ${where}`, () => parse(schemas[schema], schema, value));
  }
  await check('zod refuses what is no answer', () => mustFail(() => schemas.AppliedMoves.parse({ cube: {} }), /facelets/));
}
await check('the server ends well', async () => {
  const { code } = await server.stop();
  if (code !== 0) throw new Error(`it ends with ${code}`);
});

await check('no schema has the name of a type of the browser or of JavaScript', () => {
  const lib = (name) => readFileSync(join(here, 'node_modules', 'typescript', 'lib', `lib.${name}.d.ts`), 'utf8');
  const globals = new Set(['dom', 'es5', 'es2015.collection', 'es2015.promise'].flatMap((name) => [...lib(name).matchAll(/^(?:declare var|interface|type|declare function) (\w+)/gm)].map(([, global]) => global)));
  if (!globals.has('Event') || !globals.has('Map')) throw new Error('the names are not found');
  const taken = Object.keys(document.components.schemas).filter((name) => globals.has(name));
  if (taken.length > 0) throw new Error(taken.join(', '));
});

finish();
