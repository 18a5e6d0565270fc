// `cubed apply`, `solve`, `scramble`, `convert`, `rows` and `draw`: the same answers as those of a server; lines, texts, exit statuses.
// Usage: node shell.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const binary = binaryArgument();
const directory = temporaryDirectory();
const server = await Server.start(binary, 'memory:');
const openapi = await (await fetch(`${server.url}/openapi.json`)).json();

const SOLVED = 'UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';
const TURNED = 'UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB'; // by R
const REID = 'UF FR UB UL DF BR DB DL DR FL UR BL FDR FRU UBL ULF BRD DFL DLB BUR'; // the same
const INDEX = '37480707092961792000'; // the same
const PATHS = { apply: '/v1/apply', solve: '/v1/solve', scramble: '/v1/scramble', convert: '/v1/convert', rows: '/v1/rows', draw: '/v1/image.svg' };

/** Runs a program; answers {code, signal, out, err, bytes}. */
function run(program, args, input = '', env = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: directory, env: { ...process.env, ...env } });
    const out = [];
    let err = '';
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => (err += bytes));
    child.once('error', failed);
    child.once('close', (code, signal) => done({ code, signal, err, bytes: Buffer.concat(out), out: Buffer.concat(out).toString() }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const cubed = (args, input, env) => run(binary, args, input, env);

/** Removes what differs between two requests that are the same. */
const comparable = (text) => text.trimEnd().replaceAll(/"request_id":"[0-9a-f]+"|"time_ms":[0-9.]+|"nodes":\d+/g, '""');

/** The server's answer to a question: `query` has the options, `body` is one in JSON. */
async function answer(command, query, { accept = 'application/json', body, path = PATHS[command] } = {}) {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${server.url}${path}?${parameters}`, { method: body ? 'POST' : 'GET', headers, body });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const optionsOf = (query) => Object.entries(query).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)]);

// Command, options, and the argument with the parameter that it is for.
const questions = [
  ['apply', {}, ["R U R' U'", 'moves']],
  ['apply', { size: 4 }, ['Rw U2', 'moves']],
  ['apply', { size: 5, as: 'faces,net', turns: 'cubies' }, ['3Rw2 x (U D)2', 'moves']],
  ['apply', { facelets: TURNED }, ["R'", 'moves']],
  ['apply', { index: INDEX, as: 'none' }, ["R'", 'moves']],
  ['apply', { notation: 'axis' }, ['x', 'moves']],
  ['apply', {}, ['R & U = 50% + ?', 'moves']],
  ['apply', {}, ['R Ü', 'moves']],
  ['apply', { size: 101 }, ['R', 'moves']],
  ['apply', { as: 'nothing' }, ['R', 'moves']],
  ['apply', { moves: 'R' }],
  ['apply', { as: 'cubies,kpattern', order: 'cubing' }, [TURNED, 'facelets']],
  ['convert', { as: 'reid,index,ranks', pieces: 'URF,UF' }, [TURNED, 'facelets']],
  ['convert', { as: 'index' }, [REID, 'reid']],
  ['convert', { as: 'cubies' }, [INDEX, 'index']],
  ['convert', { as: 'cubies', size: 2 }, ['1234', 'index']],
  ['convert', {}, ['UUUUUUUUU RRRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB', 'facelets']],
  ['convert', {}, [SOLVED.slice(1), 'facelets']],
  ['convert', { as: 'reid' }, [`${TURNED.slice(0, 53)}U`, 'facelets']],
  ['convert', { as: 'reid', size: 4 }, ['Rw', 'moves']],
  ['convert', { size: 2 }, [SOLVED, 'facelets']],
  ['solve', {}, ["R U F'", 'moves']],
  ['solve', { method: 'optimal', size: 2 }, ["R U F' R2 U'", 'moves']],
  ['solve', { goal: 'cross', place: 'D' }, ["R U F' D L2", 'moves']],
  ['solve', { method: 'beginner', steps: 2 }, ['R U', 'moves']],
  ['solve', { method: 'beginner', first: 'white' }, [TURNED, 'facelets']],
  ['solve', {}, [SOLVED, 'facelets']],
  ['solve', {}, ['R U Q', 'moves']],
  ['solve', { method: 'two_phse' }, ['R U', 'moves']],
  ['solve', { max_length: 0 }, ['R U', 'moves']],
  ['solve', {}, [`${TURNED.slice(0, 53)}U`, 'facelets']],
  ['scramble', { seed: 'a b+c', count: 3 }],
  ['scramble', { seed: 'x', event: '333bf', extras: 1 }],
  ['scramble', { seed: 'x', size: 7 }],
  ['scramble', { seed: 'x', count: 200, size: 5, as: 'net' }],
  ['scramble', { seed: 'x', generators: 'R U', size: 2 }],
  ['scramble', { generators: 'R L' }],
  ['scramble', { event: '33bf' }],
  ['scramble', { count: 100000 }],
];

for (const [command, options, argument] of questions) {
  await check(`the same JSON as of a server: ${command} ${optionsOf(options).join(' ')} ${argument?.[0] ?? ''}`, async () => {
    const { status, bytes } = await answer(command, { ...options, ...(argument && { [argument[1]]: argument[0] }) });
    const shell = await cubed([command, ...optionsOf(options), '--json', ...(argument ? [argument[0]] : [])]);
    assert.equal(comparable(shell.out), comparable(bytes.toString()));
    assert.match(shell.out, /^[^\n]+\n$/);
    if (status === 200) assert.deepEqual([shell.code, shell.err], [0, '']);
    else assert.ok([1, 2].includes(shell.code) && shell.err.startsWith(`cubed: `) && shell.err.includes(JSON.parse(bytes).detail), shell.err);
  });
}

await check('lines are answered one by one, as JSON the same as alone', async () => {
  const lines = ["R U R' U'", '', '  F2  ', TURNED, 'R Q', INDEX, REID, '{"cube": {"facelets": "UUU"}}', `{"cube": {"moves": "R"}}`, '{"cube": ', 'L D2'];
  const sent = [['moves', "R U R' U'"], ['moves', 'F2'], ['facelets', TURNED], ['moves', 'R Q'], ['index', INDEX], ['reid', REID], [null, '{"cube": {"facelets": "UUU"}}'], [null, '{"cube": {"moves": "R"}}'], [null, '{"cube":'], ['moves', 'L D2']];
  const shell = await cubed(['convert', '--as', 'reid', '--json'], lines.join('\n'));
  const answers = await Promise.all(sent.map(([name, value]) => answer('convert', { as: 'reid', ...(name && { [name]: value }) }, { body: name ? undefined : value })));
  assert.deepEqual(shell.out.trimEnd().split('\n').map(comparable), answers.map(({ bytes }) => comparable(bytes.toString())));
  assert.equal(shell.code, 1);
  assert.deepEqual([...shell.err.matchAll(/^cubed: line (\d+): /gm)].map(([, line]) => Number(line)), [5, 8, 10]);
});

await check('searches of many lines are answered in the order of the lines', async () => {
  const scrambles = (await cubed(['scramble', '--count', '30', '--seed', 'lines'])).out;
  const shell = await cubed(['solve', '--json'], scrambles);
  const solutions = shell.out.trimEnd().split('\n').map((line) => JSON.parse(line).solution);
  assert.deepEqual([solutions.length, shell.code], [30, 0]);
  const both = scrambles.trimEnd().split('\n').map((scramble, i) => `${scramble} ${solutions[i]}`).join('\n');
  assert.equal((await cubed(['apply'], both)).out, `${SOLVED}\n`.repeat(30));
});

await check('each line is answered before the next one is sent', async () => {
  for (const command of ['apply', 'solve']) {
    const child = spawn(binary, [command, '--json']);
    const answers = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
    for (const moves of ['R', 'U2', "F'"]) {
      child.stdin.write(`${moves}\n`);
      let text = '';
      while (!text.endsWith('\n')) text += (await answers.next()).value;
      const { bytes } = await answer(command, { moves });
      assert.equal(comparable(text), comparable(bytes.toString()));
    }
    child.stdin.end();
    assert.equal(await new Promise((done) => child.once('close', done)), 0);
  }
});

await check('a search that becomes a job is waited for', async () => {
  const body = '{"cube": {"moves": "R U2 F"}, "wait_ms": 0}';
  const text = await cubed(['solve'], body);
  assert.deepEqual([text.out, text.code], ["F' U2 R'\n", 0]);
  const json = await cubed(['solve', '--json', body]);
  assert.equal(JSON.parse(json.out).solution, "F' U2 R'");
  const several = await cubed(['solve'], '{"cube": {"size": 2, "moves": "R"}, "method": "optimal", "solutions": 2, "wait_ms": 0}');
  assert.equal(several.out.split('\n').length, 3);
  const failing = await cubed(['solve', '--json'], '{"cube": {"moves": "R U F"}, "max_length": 1, "wait_ms": 0}');
  assert.equal(failing.code, JSON.parse(failing.out).solution === null ? 0 : 1);
});

// The output without --json.
const texts = [
  [['apply', 'R'], `${TURNED}\n`],
  [['apply', 'R', "R'"], `${SOLVED}\n`],
  [['apply', '--as', 'reid,index', 'R'], `${REID}\t${INDEX}\n`],
  [['apply', '--as=index', '--', 'R'], `${INDEX}\n`],
  [['apply', '--as', 'Reid', '--as', 'INDEX,facelets', 'R'], `${REID}\t${INDEX}\t${TURNED}\n`],
  [['apply', '--as', 'cubies', '--size', '2', 'x'], /^\{"order":"kociemba".*\}\n$/],
  [['convert', TURNED], `${TURNED}\n`],
  [['solve', "R U F'"], "F U' R'\n"],
  [['solve', '--size', '2', '--moves', ''], '\n'],
  [['solve', '--solutions', '2', '--method', 'optimal', '--size', '2', '--moves', 'R'], /^R'\n[^\n]+\n$/],
  [['scramble', '--seed', 'x', '--size', '2', '--count', '2'], /^(([URF][2']? ?){11}\n){2}$/],
];
for (const [args, expected] of texts) {
  await check(`text: ${args.join(' ')}`, async () => {
    const { out, err, code } = await cubed(args);
    assert.deepEqual([err, code], ['', 0]);
    if (expected instanceof RegExp) assert.match(out, expected);
    else assert.equal(out, expected);
  });
}

await check('an unfolded cube is the plain text of a server; two have a line between them', async () => {
  const nets = await Promise.all(['R', 'U'].map(async (moves) => (await answer('apply', { size: 4, moves }, { accept: 'text/plain' })).bytes.toString()));
  assert.equal((await cubed(['apply', '--as', 'net', '--size', '4'], 'R\nU\n')).out, nets.join('\n'));
  const coloured = (await answer('apply', { moves: 'R', color: 'always' }, { accept: 'text/plain' })).bytes.toString();
  assert.equal((await cubed(['apply', '--color', 'always', 'R'])).out, coloured);
});

await check('on a terminal the cube is unfolded, in colours unless NO_COLOR is set', async () => {
  const plain = (await answer('apply', { moves: 'R' }, { accept: 'text/plain' })).bytes.toString();
  const coloured = (await answer('apply', { moves: 'R', color: 'always' }, { accept: 'text/plain' })).bytes.toString();
  const shown = async (env) => (await run('script', ['-qec', `'${binary}' apply R`, '/dev/null'], '', env)).out.replaceAll('\r\n', '\n');
  assert.equal(await shown({ TERM: 'xterm', NO_COLOR: '' }), coloured);
  assert.equal(await shown({ TERM: 'xterm', NO_COLOR: '1' }), plain);
  assert.equal(await shown({ TERM: 'dumb' }), plain);
});

await check('pictures are those of a server, to the standard output and into files', async () => {
  const svg = (await answer('draw', { size: 4, moves: 'Rw U2' }, { accept: '*/*' })).bytes;
  const png = (await answer('draw', { size: 4, moves: 'Rw U2', view: 'net' }, { accept: '*/*', path: '/v1/image.png' })).bytes;
  assert.deepEqual((await cubed(['draw', '--size', '4', 'Rw U2'])).bytes, svg);
  assert.deepEqual((await cubed(['draw', '--size', '4', '-'], 'Rw U2\n')).bytes, svg);
  assert.deepEqual((await cubed(['draw', '--size', '4', '--view', 'net', '--format', 'png'], 'Rw U2')).bytes, png);
  assert.deepEqual((await cubed(['draw', '--size', '4', '--view', 'net', '-o', 'a.png', 'Rw U2'])).out, '');
  assert.deepEqual(readFileSync(join(directory, 'a.png')), png);
  assert.equal((await cubed(['draw', '-o', 'b.svg', 'R Q'])).code, 1);
  assert.ok(!existsSync(join(directory, 'b.svg')));
  assert.deepEqual((await cubed(['draw'])).bytes, (await answer('draw', {}, { accept: '*/*' })).bytes, 'without a cube: a solved one');
});

await check('rows are those of a server, as lines and as bytes without anything after them', async () => {
  const options = { seed: 'x', count: 3000, first: 70, walk: '1..26', label: 'walk', as: 'colors,cubies' };
  for (const format of ['ndjson', 'npy', 'raw']) {
    const { bytes } = await answer('rows', { ...options, format }, { accept: '*/*' });
    const shell = await cubed(['rows', ...optionsOf({ ...options, format })]);
    assert.deepEqual([shell.code, shell.err, Buffer.compare(shell.bytes, bytes)], [0, '', 0], format);
    if (format === 'ndjson') assert.equal((await cubed(['rows', ...optionsOf(options)])).out, bytes.toString());
  }
  const ending = await cubed(['rows', '--count', '1', '--seed', '0', '--format', 'raw']);
  assert.equal(ending.bytes.length, 54, 'no line break follows');
});

await check('bytes of rows are not printed on a terminal', async () => {
  const { out, code } = await run('script', ['-qec', `'${binary}' rows --format raw`, '/dev/null']);
  assert.match(out, /^cubed: numbers in bytes are not for a terminal; use > rows\.npy\r?\n$/);
  assert.equal(code, 2);
});

await check('rows end when the disk is full', async () => {
  const full = await run('bash', ['-c', `'${binary}' rows --count 1000000000 --format raw > /dev/full`]);
  assert.deepEqual([full.code, full.err], [1, 'cubed: the answers cannot be written: No space left on device\n']);
});

await check('a line that is refused leaves an empty line, a mark under the fault, and status 1', async () => {
  const { out, err, code } = await cubed(['apply', '--as', 'index'], 'R\nR U Q F\nR\n');
  assert.deepEqual([out, code], [`${INDEX}\n\n${INDEX}\n`, 1]);
  assert.equal(err, `cubed: line 2: "Q" at column 5: unknown move; write moves such as R, U', F2, Rw and M.\n  R U Q F\n      ^\n`);
});

await check('notes on moves are those of a server, on the standard error, with a mark', async () => {
  const { notes: [note] } = JSON.parse((await answer('apply', { moves: 'R2U2R2' })).bytes);
  const marked = `  R2U2R2\n  ${' '.repeat(note.offset)}${'^'.repeat(note.length)}\n`;
  const plain = await cubed(['apply', 'R2 U2 R2']);
  assert.deepEqual([plain.err, plain.code], ['', 0]);
  const noted = await cubed(['apply', 'R2U2R2']);
  assert.deepEqual([noted.out, noted.err, noted.code], [plain.out, `cubed: note: ${note.detail}\n${marked}`, 0]);
  const net = await cubed(['apply', '--as', 'net', '--color', 'always'], 'R\nR2U2R2\n');
  assert.deepEqual([net.err, net.code], [`cubed: line 2: note: ${note.detail}\n${marked}`, 0]);
  assert.equal((await cubed(['apply', '--moves', 'R2U2R2'])).err, noted.err);
  assert.equal((await cubed(['apply', '{"moves": "R2U2R2"}'])).err, `cubed: note: ${note.detail}\n`);
  assert.equal((await cubed(['apply', '--json', 'R2U2R2'])).err, '', 'they are in the JSON');
});

await check('the mark counts characters, and a long text is cut around it', async () => {
  const marked = async (text) => (await cubed(['apply', text])).err.split('\n').slice(1, 3);
  const [shown, mark] = await marked('(R U “Q)');
  assert.equal(shown[mark.length - 1], '“');
  const [cut, under] = await marked(`${'R U '.repeat(50)}Q ${'F '.repeat(50)}`);
  assert.ok(cut.startsWith('  ...') && cut.endsWith('...') && cut.length <= 80, cut);
  assert.equal(cut[under.length - 1], 'Q');
  assert.match((await cubed(['apply', '--facelets', 'UUX', 'R'])).err, /^cubed: --facelets: [^\n]+\n {2}UUX\n {4}\^\n$/);
});

await check('facelets in digits or letters of one’s own are a cube, by rows too', async () => {
  for (const symbols of ['012345', 'abcdef']) {
    const own = [...TURNED].map((letter) => symbols['URFDLB'.indexOf(letter)]).join('');
    for (const text of [own, own.match(/.{9}/g).join(' ')]) assert.equal((await cubed(['apply', text])).out, `${TURNED}\n`);
  }
  assert.match((await cubed(['apply', '012345'.repeat(9).slice(1)])).err, /^cubed: 53 letters; a 3x3x3 has 54/);
});

await check('of an impossible cube the first repair is told', async () => {
  const solved = [...'URFDLB'].map((face) => face.repeat(9)).join('');
  const twisted = [...solved].map((letter, i) => ({ 8: 'F', 20: 'U' })[i] ?? letter).join('');
  const { err, code } = await cubed(['solve', twisted]);
  assert.deepEqual([err.split('\n').slice(0, 2), code], [[
    'cubed: No sequence of turns leads to these colours: 1 problem.',
    '  repair: exchange facelet 8 (U row 3 column 3) and facelet 20 (F row 1 column 3)'], 1]);
});

// Wrong usage is refused with status 2 and one line, and nothing is printed on the standard output.
const wrong = [
  [['apply', '--sise', '4', 'R'], /unknown option --sise; did you mean --size\?/],
  [['solve', '--max_lenght', '4', 'R'], /did you mean --max-length\?/],
  [['apply', '--siez', '4', 'R'], /did you mean --size\?/],
  [['srcamble'], /there is no command "srcamble"; did you mean scramble; --help/],
  [['paint'], /there is no command "paint"; --help/],
  [['--stroe', 'memory:'], /unknown flag --stroe; did you mean --store; --help/],
  [['--max-entires', '5'], /did you mean --max-entries;/],
  [['--port', '80'], /unknown flag --port; --help/],
  [['apply', '--method', 'x'], /unknown option --method\./],
  [['apply', '--session', '7n3k9qv2m5x8c4tz'], /unknown option --session/],
  [['solve', '--wait-ms', '1'], /unknown option --wait-ms/],
  [['apply', '-s', '4'], /this is not an option: -s/],
  [['apply', '--size'], /--size needs a value/],
  [['scramble', 'R'], /options only/],
  [['draw', '--json', 'R'], /unknown option --json/],
  [['draw', '-o', 'cube.gif', 'R'], /must end in \.svg or \.png/],
  [['draw', '--format', 'gif'], /svg or png/],
  [['draw'], /one picture/, 'R\nU\n'],
  [['rows', '--json'], /unknown option --json/],
  [['rows', 'R'], /options only/],
  [['rows', '--wolk', '5'], /did you mean --walk\?/],
  [['rows', '--walk', '31', '--format', 'raw'], /^cubed: --walk: [^\n]+20 or 1\.\.26/],
  [['rows', '--format', 'np'], /^cubed: --format: [^\n]+npy/],
  [['apply', '--size', 'four', 'R'], /^cubed: --size: Must be an integer from 2 to 100\.\n$/],
  [['apply', '--size', '101'], /^cubed: line 1: --size: [^\n]+\n$/, 'R\nR\nR\n'],
  [['solve', '--method', 'two_phse'], /^cubed: line 1: --method: [^\n]+\n( {2}suggestion: [^\n]+\n)?$/, 'R\n'.repeat(20)],
  [['apply', '--log-level', 'loud', 'R'], /log-level/],
];
for (const [args, message, input] of wrong) {
  await check(`wrong usage: ${args.join(' ')}`, async () => {
    const { code, out, err } = await cubed(args, input);
    assert.match(err, message);
    assert.deepEqual([code, out.trim()], [2, '']);
  });
}

await check('a value that one line contradicts is status 2, and the others are answered', async () => {
  const { out, code } = await cubed(['convert', '--size', '3', '--as', 'index'], `${TURNED}\nUUUURRRRFFFFDDDDLLLLBBBB\nR\n`);
  assert.deepEqual([out, code], [`${INDEX}\n\n${INDEX}\n`, 2]);
});

await check('the options of a command are the parameters of its call, and --help describes them', async () => {
  for (const [command, path] of Object.entries(PATHS)) {
    const { out, code } = await cubed([command, '--help']);
    assert.equal(code, 0);
    const resolve = (item) => (item.$ref ? openapi.components.parameters[item.$ref.split('/').pop()] : item);
    const parameters = openapi.paths[path].get.parameters.map(resolve).filter((item) => item.in === 'query').map(({ name }) => name);
    const own = { draw: ['format', 'output'], rows: [] }[command] ?? ['json'];
    const expected = [...own, 'tables-dir', ...parameters.filter((name) => !['session', 'at', 'wait_ms'].includes(name))];
    const listed = [...out.matchAll(/^ {2}--([a-z-]+) +\S/gm)].map(([, name]) => name.replaceAll('-', '_'));
    assert.deepEqual(listed.sort(), expected.map((name) => name.replaceAll('-', '_')).sort(), command);
    assert.ok(out.split('\n').every((line) => line.length <= 100), 'lines of at most 100 columns');
  }
});

await check('tables are made only for searches', async () => {
  const made = async (...args) => (await cubed([...args, '--log-level', 'info'])).err.includes('tables made');
  assert.deepEqual([await made('apply', 'R'), await made('convert', 'R'), await made('solve', 'R')], [false, false, true]);
  assert.equal((await cubed(['tables', 'build', 'two_phase-3-small'])).code, 0);
  assert.equal(await made('solve', 'R'), false, 'a file in cubed-tables is read');
});

await check('a reader that leaves ends the command quietly', async () => {
  const piped = (command) => run('bash', ['-c', `${command} | head -1; echo "\${PIPESTATUS[0]}"`]);
  for (const command of [`'${binary}' scramble --count 1000 --size 5`, `yes R | '${binary}' apply`, `yes R | '${binary}' solve --json`]) {
    const { out, err } = await piped(command);
    const [, status] = out.trimEnd().split('\n');
    assert.equal(err, '', command);
    assert.ok(['141', '0'].includes(status === undefined ? out : status), `${command}: ${out}`);
  }
});

await check('an output that cannot be written, and a line that is too long, are status 1', async () => {
  const full = await run('bash', ['-c', `'${binary}' apply R > /dev/full`]);
  assert.deepEqual([full.code, full.err], [1, 'cubed: the answers cannot be written: No space left on device\n']);
  const long = await cubed(['apply'], 'R'.repeat(3000000));
  assert.deepEqual([long.code, long.err], [1, 'cubed: a line of the standard input is longer than 1 MiB\n']);
});

await check('an unknown variable of the environment is refused, with the one that was meant', async () => {
  const refused = async (variables, expected, args = ['--listen', '127.0.0.1:0', '--store', 'memory:']) => {
    const { out, err, code } = await cubed(args, '', variables);
    assert.deepEqual([out, code], ['', 2], err);
    assert.match(err, expected);
  };
  await refused({ CUBED_LISTN: '8080' }, /CUBED_LISTEN/, ['apply', 'R']); // the first one, as it always ends
  await refused({ CUBED_LISTN: '8080' }, /^cubed: unknown environment variable CUBED_LISTN; did you mean CUBED_LISTEN; --help lists the flags[^\n]+\n$/);
  await refused({ CUBED_MAX_ENTIRES: '5' }, /did you mean CUBED_MAX_ENTRIES;/);
  await refused({ CUBED_PORT: '8080' }, /unknown environment variable CUBED_PORT; --help/);
  assert.equal((await cubed(['--help'], '', { CUBED_LISTN: '8080' })).code, 0);
});

await check('variables of programs around the server are none of its own', async () => {
  const files = ['haproxy.cfg', '../compose-cluster.yaml', 'cubed-create-database'].map((name) => new URL(`../../docker/cluster/${name}`, import.meta.url));
  const names = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bCUBED_[A-Z_]+\b/g));
  const flags = new Set((await cubed(['--help'])).out.match(/(?<=--)[a-z-]+/g).map((flag) => `CUBED_${flag.replaceAll('-', '_').toUpperCase()}`));
  const others = [...new Set(names)].filter((name) => !flags.has(name));
  assert.ok(others.length > 5, others.join());
  // Kubernetes describes a service named cubed to each container like this.
  const service = { CUBED_SERVICE_HOST: '10.0.0.1', CUBED_SERVICE_PORT_HTTP: '80', CUBED_PORT: 'tcp://10.0.0.1:80', CUBED_PORT_80_TCP_ADDR: '10.0.0.1' };
  for (const variables of [Object.fromEntries(others.map((name) => [name, '1'])), service, { CUBED_TOKEN: 'x', CUBED_LISTN: '' }]) {
    const { err, code } = await cubed(['apply', 'R'], '', variables);
    assert.equal(code, 0, err);
  }
});

await check('a store of the environment is not opened', async () => {
  const { out, code } = await cubed(['apply', 'R'], '', { CUBED_STORE: 'sqlite:none/none.db', CUBED_LISTEN: '203.0.113.1:80' });
  assert.deepEqual([out, code], [`${TURNED}\n`, 0]);
});

await server.stop();
finish();
