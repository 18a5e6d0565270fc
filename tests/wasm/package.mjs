// The package as its users have it: what calls answer and refuse, the worker, bundles, types, sizes. Usage: node package.mjs, after
// `make wasm`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = join(ROOT, 'build/wasm/package');
const PROGRAMS = join(ROOT, 'tests/clients/node_modules/.bin');
const { Cube, CubeError, Library, load, newSolver } = await import(join(PACKAGE, 'src/node.js'));
const SOLVED = [...'URFDLB'].map((face) => face.repeat(9)).join('');
const HARD = 'DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD';

const library = await load();
const folder = temporaryDirectory();

/** Runs a program that must succeed; answers what it prints. */
function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600000, ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

function fault(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof CubeError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

await check('cubes of every size are turned and turned back', () => {
  for (const size of [2, 3, 4, 7, 100]) {
    const moves = size > 2 ? 'R U2 [F, Rw] x' : 'R U2 [F, R] x';
    const cube = library.cube(size, moves);
    assert.equal(cube.size, size);
    assert.equal(cube.solved, false);
    assert.equal(cube.facelets.length, 6 * size * size);
    const copy = cube.copy().turn(library.inverse(moves, size));
    assert.ok(copy.solved && copy.equals(library.cube(size)) && !cube.equals(copy));
  }
});

await check('moves are rewritten and counted', () => {
  assert.deepEqual(library.parse('(R2 U)2 M x'), { moves: '(R2 U)2 M x', htm: 6, qtm: 8, stm: 5, qstm: 7, etm: 6 });
  assert.equal(library.inverse('[R, U] F2'), "F2' [U, R]");
  assert.equal(library.simplify("[R, U] U R2 R'"), 'R U');
});

await check('a fault of moves has its place, in UTF-16 units', () => {
  const cube = library.cube();
  const { column, length, message } = fault(() => cube.turn("R U' Ä"));
  assert.deepEqual([column, length], [6, 1]);
  assert.match(message, /character 6/);
  assert.ok(cube.solved);
  assert.equal(fault(() => cube.turn('R U’ Q')).column, 6);
  for (const size of [1, 101, 2.5, '3']) fault(() => library.cube(size));
});

await check('colours are read, and diagnosed', () => {
  assert.equal(library.read(HARD).facelets, HARD);
  assert.deepEqual(library.diagnose(SOLVED), []);
  const [first, ...more] = library.diagnose(`R${SOLVED.slice(1)}`);
  assert.equal(first.kind, 'wrong_count');
  assert.ok(more.length > 0 && first.repair !== '');
  assert.ok(fault(() => library.read(`R${SOLVED.slice(1)}`)).problems.length > 0);
  assert.deepEqual(fault(() => library.read('U')).problems, []);
  assert.equal(fault(() => library.read(`${SOLVED.slice(0, 53)}Q`)).column, 54);
});

await check('solutions solve, within their limits', () => {
  const cube = library.read(HARD);
  const { moves, length } = library.solve(cube);
  assert.ok(length <= 21 && moves.split(' ').length === length);
  assert.ok(cube.copy().turn(moves).solved);
  assert.equal(library.solve(library.cube(3, 'R U F'), { longest: 3 }).moves, "F' U' R'");
  fault(() => library.solve(library.cube(3, 'R U F'), { longest: 2 }));
  fault(() => library.solve(cube, { method: 'magic' }));
  for (const [size, method] of [[2, ''], [2, 'optimal'], [4, 'reduction']]) {
    const other = library.cube(size, "R U2 F' R U");
    assert.ok(other.turn(library.solve(other, { method }).moves).solved, `${size} ${method}`);
  }
});

await check('the steps of a lesson are the solution, with words', () => {
  const cube = library.read(HARD);
  const { steps } = library.lesson(cube);
  for (const step of steps) {
    assert.ok(step.text !== '' && step.stage !== '');
    cube.turn(step.moves);
  }
  assert.ok(cube.solved);
});

await check('a seed gives a scramble, and none a random one', () => {
  for (const size of [2, 3, 5, 20]) {
    assert.equal(library.scramble(size, 'a'), library.scramble(size, new Uint8Array([97])));
    assert.notEqual(library.scramble(size), library.scramble(size));
    assert.ok(!library.cube(size, library.scramble(size)).solved);
  }
});

await check('tables are copied to another instance, unless they are damaged', () => {
  library.prepare(3, 'two_phase');
  const bytes = library.tables(3, 'two_phase');
  const other = new Library(library.calls.module);
  const give = (method, copy) => other.giveTables(3, method, copy);
  assert.equal(other.tables(3, 'two_phase'), null);
  const damaged = bytes.slice();
  damaged[damaged.length >> 1] ^= 1;
  for (const wrong of [damaged, bytes.subarray(1), new Uint8Array(0)]) assert.equal(give('two_phase', wrong), false);
  for (const method of ['optimal', 'beginner', 'none']) assert.equal(give(method, bytes), false);
  assert.equal(other.tables(3, 'two_phase'), null);
  assert.equal(give('two_phase', bytes), true);
  assert.equal(give('two_phase', bytes), true, 'it has them already');
  assert.ok(Buffer.from(bytes).equals(other.tables(3, 'two_phase')));
  const cube = library.cube(3, "R U2 F' L D B");
  assert.deepEqual(other.solve(other.read(cube.facelets)), library.solve(cube));
});

await check('scrambles for blindfolded solving and for fewest moves', () => {
  assert.match(library.scramble(3, 'a', 'fmc'), /^R' U' F .* R' U' F$/);
  assert.equal(library.scramble(5, 'a', 'bld'), library.scramble(5, 'a', 'bld'));
  assert.notEqual(library.scramble(5, 'a', 'bld'), library.scramble(5, 'a'));
  assert.throws(() => library.scramble(4, 'a', 'fmc'), CubeError);
});

await check('scrambles to a case, and to a distance from a goal; the next one is a usual one', () => {
  const { size, moves } = library.scrambleTo('pll-t', { seed: 'a' });
  assert.equal(size, 3);
  assert.equal(library.pattern('f2l').match(library.cube(3, moves)) !== 0, true);
  assert.equal(library.scrambleTo('cll').size, 2);
  assert.equal(library.pattern('cross').match(library.cube(3, library.scrambleTo('cross D', { distance: 0 }).moves)) !== 0, true);
  assert.equal(library.pattern('cross').match(library.cube(3, library.scrambleTo('cross D', { distance: 7 }).moves)) & 1, 0);
  for (const [aim, distance] of [['', 0], ['none', 0], ['pll-none', 0], ['cross', 3], ['cross Q', 3], ['cross D', 9], ['cross D', -1], ['f2l D', 1]]) assert.throws(() => library.scrambleTo(aim, { distance }), CubeError, aim);
  library.calls.exports.aim(library.calls.put('pll-t'), 0);
  library.scramble(3, 'a');
  assert.equal(library.scramble(3, 'a'), library.scramble(3, 'a'));
});

await check('patterns match, by name and by arrays', () => {
  const cross = library.pattern('cross');
  assert.equal(cross.match(library.cube()), 0xffffff);
  assert.equal(cross.match(library.read(HARD)), 0);
  assert.equal(library.pattern('cross'), cross);
  const arrays = library.pattern('1111*1111 *2**2**** *3**3**** *4**4**** *5**5**** *********');
  assert.notEqual(arrays.match(library.cube()), 0);
  assert.equal(arrays.match(library.cube(3, 'R U')), 0);
  fault(() => library.pattern('no-such-pattern'));
  fault(() => library.pattern('111'));
  fault(() => cross.matchAll(new Uint8Array(53)));
});

await check('pictures are SVG', () => {
  for (const view of ['iso', 'net', 'plan', 'trans']) assert.match(library.picture(library.cube(3, 'R'), { view }), /^<svg [^]*<\/svg>\s*$/);
  fault(() => library.picture(library.cube(), { view: 'moon' }));
});

await check('a row is the same in every set', () => {
  const all = library.rows(40, { seed: 3 });
  const part = library.rows(7, { seed: 3n, first: 20 });
  assert.deepEqual(part.numbers, all.numbers.slice(20 * 54, 27 * 54));
  assert.deepEqual(part.lengths, all.lengths.slice(20, 27));
  assert.equal(library.rows(5, { kind: 'features', walk: null }).numbers.length, 5 * 364);
  fault(() => library.rows(1, { walk: [5, 4] }));
  fault(() => library.rows(-1));
  // Their bytes are more than 32 bits can count.
  for (const count of [12000000, 20000000, 2 ** 31]) assert.match(fault(() => library.rows(count, { kind: 'features' })).message, /memory/);
});

await check('rows of size 2, with symmetries, children and bounds, are those of Python', () => {
  // tests/python/test_batch.py has the same hashes.
  const hashes = [];
  for (const [size, walk] of [[2, null], [2, [0, 12]], [3, null], [3, [0, 12]]]) {
    const data = createHash('sha256');
    for (const kind of ['colors', 'one_hot']) {
      for (const [symmetry, children] of [['none', false], ['none', true], ['random', false], ['random', true]]) {
        const { numbers, lengths, last, bounds } = library.rows(100, { size, seed: 5, first: 9, kind, walk, symmetry, children, bound: true });
        for (const part of [numbers, lengths, last, bounds]) data.update(part);
      }
    }
    hashes.push(data.digest('hex').slice(0, 16));
  }
  assert.deepEqual(hashes, ['84f362eb4bf08ca8', '1f43143601a0e625', '6c841e5d0781d5fb', '38031e863c4deabe']);
  assert.equal(library.rows(2, { size: 2, children: true }).numbers.length, 2 * 10 * 24);
  assert.deepEqual([library.rows(2).bounds.length, library.rows(0, { bound: true }).bounds.length], [0, 0]);
  for (const wrong of [{ size: 4 }, { size: 2, kind: 'features' }, { symmetry: 'all' }]) fault(() => library.rows(1, wrong));
});

await check('the small module reads, turns and diagnoses alone', () => {
  const small = new Library(new WebAssembly.Module(readFileSync(join(PACKAGE, 'src/core.wasm'))));
  assert.equal(small.cube(3, "R U R' U'").facelets, library.cube(3, "R U R' U'").facelets);
  assert.deepEqual(small.diagnose(`R${SOLVED.slice(1)}`), library.diagnose(`R${SOLVED.slice(1)}`));
  assert.ok(small.read(SOLVED) instanceof Cube);
});

// Its allocator and its texts are not those of libcube.wasm and of the C library.
await check('the small module answers like the whole one, from memory that does not grow', () => {
  const small = new Library(new WebAssembly.Module(readFileSync(join(PACKAGE, 'src/core.wasm'))));
  const memory = () => small.calls.exports.memory.buffer.byteLength;
  let state = 5;
  const random = (/** @type {number} */ below) => (state = (Math.imul(state, 48271) >>> 0) % 2147483647) % below;
  const words = ['R', "U'", '2Fw2', '(L D)3', '[R: [U, F]]', 'M', '3-4r', '((', '1x', 'Rw-', 'x2', '"', 'F/', '7Uw', "R2'"];
  const answer = (/** @type {() => any} */ call) => {
    try {
      return call();
    } catch (error) {
      return { ...error, message: error.message };
    }
  };
  let grown = 0;
  for (let round = 0; round < 3000; round++) {
    if (round === 2000) grown = memory();
    const size = random(20) === 0 ? 2 + random(99) : 2 + random(6);
    const moves = Array.from({ length: random(40) ** (1 + random(2)) }, () => words[random(random(3) === 0 ? words.length : 6)]).join(' ');
    const turned = [library, small].map((from) => answer(() => from.cube(size, moves).facelets));
    assert.deepEqual(turned[1], turned[0], `${size} ${moves}`);
    if (typeof turned[0] !== 'string') continue;
    const letters = [...turned[0]];
    for (let wrong = random(5); wrong > 0; wrong--) letters[random(letters.length)] = 'URFDLBX'[random(random(9) === 0 ? 7 : 6)];
    const problems = [library, small].map((from) => answer(() => from.diagnose(letters.join(''))));
    assert.deepEqual(problems[1], problems[0], letters.join(''));
  }
  assert.ok(grown > 0 && memory() - grown <= 131072, `${grown} bytes, then ${memory()}`);
});

// ---- the worker ----

const solver = await newSolver();

await check('searches in a worker answer in turn', async () => {
  const answers = await Promise.all([solver.solve(HARD), solver.lesson(HARD), solver.scramble(3, 'a')]);
  assert.deepEqual(answers, [library.solve(library.read(HARD)), library.lesson(library.read(HARD)), library.scramble(3, 'a')]);
});

await check('a search refuses like the library', async () => {
  const error = await solver.solve(`R${SOLVED.slice(1)}`).catch((caught) => caught);
  assert.ok(error instanceof CubeError && error.problems[0].kind === 'wrong_count', String(error));
});

await check('a search reports, and is cancelled, and so is one that waits', async () => {
  const stop = new AbortController();
  const seen = [];
  // No solution has 10 turns, so this one goes on until it is cancelled.
  const watched = solver.solve(HARD, {
    enough: 10,
    signal: stop.signal,
    onProgress(progress) {
      seen.push(progress);
      if (progress.best > 0) stop.abort();
    },
  });
  const waiting = solver.solve(HARD, { signal: stop.signal });
  const ends = await Promise.allSettled([watched, waiting]);
  assert.deepEqual(ends.map(({ reason }) => reason?.name), ['AbortError', 'AbortError']);
  assert.ok(seen.some(({ best, nodes }) => best > 0 && nodes > 0));
  assert.equal((await solver.solve(HARD)).length, library.solve(library.read(HARD)).length);
});

await check('a solver that is closed ends its search, and begins again if asked', async () => {
  const search = solver.solve(HARD, { enough: 10, onProgress: ({ best }) => best > 0 && solver.close() });
  assert.equal((await search.catch((error) => error)).name, 'AbortError');
  assert.equal((await solver.scramble(5, 'a')), library.scramble(5, 'a'));
});
solver.close();

// ---- packed ----

await check('the package is installed and used by its name, and by one without a file to load', () => {
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
  const [packed] = readdirSync(join(ROOT, 'build')).filter((name) => /^cubed-cube-.*\.tgz$/.test(name));
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', join(ROOT, 'build', packed)]);
  for (const name of ['cubed-cube', 'cubed-cube/inline']) {
    const program = `import { load } from '${name}'; console.log((await load()).solve((await load()).cube(3, 'R U')).moves);`;
    assert.equal(run(process.execPath, ['--input-type=module', '-e', program]), "U' R'\n");
  }
});

await check('a search that ended does not keep a program alive', () => {
  const program = "import { newSolver } from 'cubed-cube'; const s = await newSolver(); console.log(await s.scramble(7, 'a'));";
  assert.equal(run(process.execPath, ['--input-type=module', '-e', program]).trim(), library.scramble(7, 'a'));
});

await check('scrambles are random in a Node without a global source of random numbers', () => {
  writeFileSync(join(folder, 'random.mjs'), "import { load, newSolver } from 'cubed-cube'; console.log((await load()).scramble(7) !== await (await newSolver()).scramble(7), typeof crypto);");
  assert.equal(run(process.execPath, ['--no-experimental-global-webcrypto', 'random.mjs']), 'true undefined\n');
});

await check('esbuild bundles the inlined build for browsers, and it runs alone', () => {
  writeFileSync(join(folder, 'page.js'), "import { load } from 'cubed-cube/inline'; load().then((lib) => console.log(lib.cube(3, 'R2').solved));");
  run(join(PROGRAMS, 'esbuild'), ['--bundle', '--format=iife', '--target=es2020', '--log-level=error', '--outfile=bundle.cjs', 'page.js']);
  mkdirSync(join(folder, 'alone'));
  cpSync(join(folder, 'bundle.cjs'), join(folder, 'alone/bundle.cjs'));
  assert.equal(run(process.execPath, ['alone/bundle.cjs']), 'false\n');
});

await check('no module waits for something while it is loaded', () => {
  for (const file of ['index.js', 'worker.js']) {
    run(join(PROGRAMS, 'esbuild'), ['--bundle', '--format=iife', '--target=es2020', '--log-level=error', '--define:import.meta.url=undefined', '--outfile=out.js', join(PACKAGE, 'src', file)]);
  }
});

await check('a strict program compiles with its types', () => {
  writeFileSync(join(folder, 'typed.ts'), `
import { CubeError, load, newSolver, type Lesson, type Problem } from 'cubed-cube';
import { load as loadInline } from 'cubed-cube/inline';
export async function all(signal: AbortSignal): Promise<string> {
  const library = await load();
  const problems: Problem[] = library.diagnose('U');
  const lesson: Lesson = library.lesson(library.cube(3, 'R'));
  const { moves } = await (await newSolver()).solve(library.cube().facelets, { signal, onProgress: ({ best }) => best });
  const rows: Uint8Array = library.rows(3, { size: 2, kind: 'one_hot', walk: [1, 2], symmetry: 'random', children: true, bound: true }).bounds;
  // @ts-expect-error: no such size
  library.rows(3, { size: 4 });
  // @ts-expect-error: no such view
  library.picture(library.cube(), { view: 'moon' });
  return moves + problems.length + lesson.steps[0].hold + rows.length + (await loadInline()).scramble(2) + String(new CubeError('x').column);
}
`);
  for (const switches of [['--module', 'nodenext'], ['--module', 'esnext', '--moduleResolution', 'bundler']]) {
    run(join(PROGRAMS, 'tsc'), ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', ...switches, 'typed.ts']);
  }
});

await check('the modules are as small as README.md says', () => {
  const said = /(\d+) KB[^]*? (\d+) KB/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'));
  for (const [i, file] of ['libcube.wasm', 'core.wasm'].entries()) {
    const bytes = gzipSync(readFileSync(join(PACKAGE, 'src', file)), { level: 9 }).length;
    assert.ok(bytes <= 1000 * said[i + 1], `${file}: ${bytes}`);
  }
});

finish();
