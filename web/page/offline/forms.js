// forms.js: what the library says (bindings/wasm/facade.h) in the form of the server's answers, which openapi.yaml describes.
// Pure: runs in the page, in its worker, and in tests.

import { Problem } from '../../client/problem.js';

const VARIANTS = ['', 'bld', 'fmc'];
const FACES = 'URFDLB';
/** The colour of a lesson's first layer that stands for the one that is furthest done. */
const ANY = 6;
/** The usual methods, and others that need no tables of hundreds of megabytes and no proof. */
const METHODS = { 2: ['optimal', 'beginner'], 3: ['two_phase', 'optimal', 'beginner'] };
const LARGER = ['reduction', 'beginner'];
const LARGEST = 7;
/** A solution of at most so many turns is enough for a 3x3x3. */
const ENOUGH = 20;
/** The server's limit of moves written out (max-moves). */
const MOVES_MAX = 10000;
const PROBLEMS_MAX = 16;
const QUOTED_MAX = 24;
const TIMES = 'moves without times; R@120 is read in a session\'s moves and in recorded solves';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Without members that are empty. */
const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null));

// ---- moves ----

/** The part of a text that is wrong, in quotes, cut at a character. */
function quoted(bytes, offset, length) {
  let end = Math.min(offset + Math.min(length, QUOTED_MAX), bytes.length);
  while (end > offset && (bytes[end] & 0xc0) === 0x80) end--;
  return end > offset ? `"${decoder.decode(bytes.subarray(offset, end))}" ` : '';
}

/** The problem that the row of a refusal means; `pointer` leads to the text in the question. */
function problemOf(row, text, pointer) {
  const [at, long, message, expected, suggestion, ...readings] = row.split('\t');
  const bytes = encoder.encode(text);
  const [offset, length] = [Number(at), Number(long)];
  const column = Array.from(decoder.decode(bytes.subarray(0, offset))).length + 1;
  const part = quoted(bytes, offset, length);
  const isTime = bytes[offset] === '@'.charCodeAt(0) && message.startsWith('unknown character');
  return new Problem({
    type: 'urn:cubed:problem:bad-notation',
    title: 'The moves are invalid',
    status: 422,
    detail: `${part}${part ? 'at' : 'At'} column ${column}: ${message}.`,
    pointer,
    offset,
    length,
    column,
    ...withoutEmpty({ expected: isTime ? TIMES : expected, suggestion, readings: readings[0] ? readings : null }),
  });
}

function dialectRows(library) {
  library.calls.exports.dialects();
  return library.calls.rows().map(([name, text]) => ({ name, text }));
}

function algorithm(library, { moves, size = 3, notation }) {
  const { calls } = library;
  const dialect = notation ? dialectRows(library).findIndex(({ name }) => name === notation) : 0;
  const end = calls.exports.parse(size, calls.put(moves), dialect, MOVES_MAX);
  if (end === -1) throw problemOf(calls.text(), moves, '/moves');
  calls.check(end);
  const [canonical, expanded = null] = calls.text().split('\n');
  return { size, canonical, expanded };
}

// ---- cubes as text ----

/** A cube by its facelets, or by moves from a solved one. */
function convert(library, { cube: { facelets, size, moves } }) {
  const { calls } = library;
  if (facelets) return { cube: { size: Math.sqrt(facelets.length / 6), facelets } };
  calls.exports.reset(size);
  const end = calls.exports.turn(calls.put(moves));
  if (end === -1) throw problemOf(calls.text(), moves, '/cube/moves');
  calls.check(end);
  calls.exports.facelets();
  return { cube: { size, facelets: calls.text() } };
}

// ---- painted cubes ----

function validate(library, { cube }) {
  const { calls } = library;
  const count = calls.check(calls.exports.read(calls.put(cube)), cube);
  const rows = calls.rows().slice(0, PROBLEMS_MAX);
  const problems = rows.map(([kind, amount, place, piece, letters, repair]) => ({
    ...withoutEmpty({ kind, piece, place, letters }),
    ...(amount !== '0' || kind === 'wrong_count' ? { amount: Number(amount) } : {}),
    ...withoutEmpty({ repair }),
  }));
  const answer = { possible: count === 0, problems, problem_count: count };
  if (count === 0) return { ...answer, cube: { solved: calls.exports.solved() === 1 } };
  const found = calls.check(calls.exports.candidates(calls.put(cube)));
  return found < 2 ? answer : { ...answer, candidates: calls.text().split('\n').slice(0, -1) };
}

// ---- solutions ----

const metricsOf = (library, moves, size) => {
  const { moves: written, ...metrics } = library.parse(moves, size);
  return metrics;
};

const joined = (...moves) => moves.filter(Boolean).join(' ');

/** Rows of a lesson as its stages with their steps, and what is said once. */
function lessonOf(library, size, rows) {
  const introduction = [];
  const stages = [];
  const read = {
    first: () => {},
    introduction: (text) => introduction.push(text),
    stage: (name, title, aim) => stages.push({ name, title, aim, picture: null, algorithms: [], steps: [] }),
    algorithm: (name, moves, text) => stages.at(-1).algorithms.push({ name, moves, text }),
    step: (piece, up, front, turning, holding, hint, text, moves) => stages.at(-1).steps.push(
      { text, piece: piece || null, moves, hold: { up, front, moves: turning, text: holding }, hint, picture: null }),
  };
  for (const [kind, ...fields] of rows) read[kind](...fields);
  const moved = stages.map((stage) => {
    const moves = joined(...stage.steps.map((step) => joined(step.hold.moves, step.moves)));
    return { ...stage, moves, metrics: metricsOf(library, moves, size) };
  });
  const steps = stages.reduce((sum, stage) => sum + stage.steps.length, 0);
  return { stages: moved, lesson: { language: 'en', first: rows[0][1], steps, introduction } };
}

/** Rows of steps as stages. */
function stagesOf(library, size, rows) {
  const stages = [];
  for (const [name, moves] of rows) {
    if (stages.at(-1)?.name === name) stages.at(-1).moves = joined(stages.at(-1).moves, moves);
    else stages.push({ name, moves });
  }
  return stages.length === 0 ? null : stages.map((stage) => ({ ...stage, metrics: metricsOf(library, stage.moves, size), steps: [] }));
}

const methodsOf = (size) => (size > LARGEST ? [] : METHODS[size] ?? LARGER);

function solve(library, { cube: { size, facelets }, method = methodsOf(size)[0], colors = '', first = '' }) {
  const { calls } = library;
  const isLesson = method === 'beginner';
  library.prepare(size, method);
  library.read(facelets); // which is then the current cube
  calls.exports.words(first === 'any' ? ANY : Math.max(0, FACES.indexOf(first)), calls.put(colors));
  const enough = { two_phase: ENOUGH, optimal: 0 }[method] ?? 2 ** 31 - 1;
  const length = calls.check(calls.exports.solve(calls.put(method), 0, enough, 0, isLesson ? 2 : 1));
  const [solution, ...lines] = calls.text().split('\n');
  const rows = lines.map((line) => line.split('\t'));
  const bound = calls.exports.bound();
  return {
    solution,
    length,
    method,
    metric: 'htm',
    metrics: metricsOf(library, solution, size),
    complete: true,
    optimal: length <= bound,
    bound,
    from_history: false,
    ...(isLesson ? lessonOf(library, size, rows) : { stages: stagesOf(library, size, rows) }),
  };
}

function scramble(library, { size = 3, variant = '', seed, until, goal, place, distance }) {
  if (until) return library.scrambleTo(until, { seed });
  if (goal) return library.scrambleTo(`${goal} ${place}`, { distance, seed });
  return { size, moves: library.scramble(size, seed, variant) };
}

/** Questions that are answered at once, and those for a worker; `ready` only waits for it. */
export const QUICK = { algorithm, convert, validate, dialects: dialectRows };
export const SLOW = { solve, scramble, ready: () => true };

const isOf = (object, names) => Object.keys(object).every((name) => names.includes(name));

/** Links to other sites are read by the server. */
const isPlain = (moves) => typeof moves === 'string' && !moves.includes('://');
const isFacelets = (text) => typeof text === 'string' && /^[URFDLB]{24,}$/.test(text) && Number.isInteger(Math.sqrt(text.length / 6));

/** Goals of which the library has states at each distance, and names of cases. */
const GOALS = ['cross', '2x2x2', 'eo'];
const isCase = (name) => /^[a-z0-9]+-[a-z0-9-]+$/.test(name);

/** Says which scrambles the library can make. */
function canScramble({ size = 3, variant = '', until, goal, place, distance, ...others }) {
  if (!isOf(others, ['seed'])) return false;
  if (until !== undefined) return isCase(until);
  if (goal !== undefined) return GOALS.includes(goal) && typeof place === 'string' && Number.isInteger(distance);
  return size >= 2 && size <= LARGEST && VARIANTS.includes(variant);
}

/** Says which questions the library can answer. */
const POSSIBLE = {
  algorithm: ({ moves }) => isPlain(moves),
  convert: ({ cube: { facelets, moves, ...others } }) => (moves === undefined ? isFacelets(facelets) && isOf(others, []) : facelets === undefined && isPlain(moves) && isOf(others, ['size'])),
  validate: ({ cube }) => typeof cube === 'string',
  dialects: () => true,
  scramble: canScramble,
  solve: ({ cube: { size }, method, ...others }) => (method === undefined ? methodsOf(size).length > 0 : methodsOf(size).includes(method)) && isOf(others, ['colors', 'first']),
};

/** Answers whether the library can answer a question. */
export const canAnswer = (name, question) => POSSIBLE[name](question);
