// The same service as one writes it in Node: fastify, better-sqlite3 and cubing.js. 3x3x3 only; an answer is sent
// when the move is on the disk. Usage: node node-server.mjs FILE each|group
//
// each: a commit for each request. group: one commit for all requests of a turn of the event loop.

import fastify from 'fastify';
import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { Alg } from 'cubing/alg';
import { cube3x3x3 } from 'cubing/puzzles';

const [file, commit] = process.argv.slice(2);
const kpuzzle = await cube3x3x3.kpuzzle();

const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`CREATE TABLE session (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
         CREATE TABLE log (seq INTEGER PRIMARY KEY, session INTEGER NOT NULL, revision INTEGER NOT NULL,
                           moves TEXT NOT NULL, time INTEGER NOT NULL)`);
const create = db.prepare('INSERT INTO session (id) VALUES (?)');
const append = db.prepare('INSERT INTO log (session, revision, moves, time) VALUES (?, ?, ?, ?)');

const sessions = new Map();

// Pieces in the order of cubing.js, the facelets of each place counterclockwise; U R F D L B from 0.
const EDGES = [
  ['UF', 7, 19], ['UR', 5, 10], ['UB', 1, 46], ['UL', 3, 37], ['DF', 28, 25], ['DR', 32, 16],
  ['DB', 34, 52], ['DL', 30, 43], ['FR', 23, 12], ['FL', 21, 41], ['BR', 48, 14], ['BL', 50, 39],
];
const CORNERS = [
  ['UFR', 8, 20, 9], ['URB', 2, 11, 45], ['UBL', 0, 47, 36], ['ULF', 6, 38, 18],
  ['DRF', 29, 15, 26], ['DFL', 27, 24, 44], ['DLB', 33, 42, 53], ['DBR', 35, 51, 17],
];
const CENTERS = [['U', 4], ['L', 40], ['F', 22], ['R', 13], ['B', 49], ['D', 31]];

function place(facelets, orbit, places) {
  places.forEach(([name, ...at], i) => {
    const piece = places[orbit.pieces[i]][0];
    at.forEach((facelet, k) => {
      facelets[facelet] = piece[(k + orbit.orientation[i]) % piece.length];
    });
  });
}

function faceletsOf(pattern) {
  const facelets = new Array(54);
  const { EDGES: edges, CORNERS: corners, CENTERS: centers } = pattern.patternData;
  place(facelets, edges, EDGES);
  place(facelets, corners, CORNERS);
  CENTERS.forEach(([, at], i) => {
    facelets[at] = CENTERS[centers.pieces[i]][0];
  });
  return facelets.join('');
}

let waiting = [];

function flush() {
  const batch = waiting;
  waiting = [];
  db.transaction(() => batch.forEach(({ row }) => append.run(...row)))();
  batch.forEach(({ done }) => done());
}

function store(row) {
  if (commit !== 'group') {
    append.run(...row);
    return undefined;
  }
  return new Promise((done) => {
    if (waiting.push({ row, done }) === 1) setImmediate(flush);
  });
}

const app = fastify();

app.post('/v1/sessions', (request, reply) => {
  const id = randomBytes(10).toString('hex');
  const { lastInsertRowid } = create.run(id);
  sessions.set(id, { key: lastInsertRowid, revision: 0, pattern: kpuzzle.defaultPattern() });
  reply.code(201).send({ id, size: 3, revision: 0 });
});

const body = {
  type: 'object', required: ['moves'], additionalProperties: false, properties: { moves: { type: 'string' } },
};

app.post('/v1/sessions/:id/moves', { schema: { body } }, async (request, reply) => {
  const session = sessions.get(request.params.id);
  if (!session) return reply.code(404).send({ status: 404 });
  const alg = new Alg(request.body.moves);
  const moves = alg.toString();
  const pattern = session.pattern.applyAlg(alg);
  const revision = ++session.revision;
  const time = Date.now();
  session.pattern = pattern;
  await store([session.key, revision, moves, time]);
  return {
    revision,
    entry: { revision, kind: 'moves', moves, actor: null, time: new Date(time).toISOString() },
    cube: {
      size: 3,
      facelets: faceletsOf(pattern),
      solved: pattern.experimentalIsSolved({ ignorePuzzleOrientation: true, ignoreCenterOrientation: true }),
    },
  };
});

console.log(`node is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
