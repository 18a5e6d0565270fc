// tables.js: the tables of the library's usual search in this browser's IndexedDB (11 MB), so that neither another visit nor a
// worker that starts again has to make them. The library checks them: those that are damaged or of another version are made again
// and replaced. In a browser that stores nothing, each worker makes its own.

const DATABASE = 'cubed-tables';
const STORE = 'tables';
/** The method that solutions and scrambles of a 3x3x3 use. Its name is also the key in the database. */
const [SIZE, METHOD] = [3, 'two_phase'];

const ended = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** Opens the database for one request; resolves to its result. */
async function ask(mode, call, ...args) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await ended(opening);
  try {
    return await ended(database.transaction(STORE, mode).objectStore(STORE)[call](...args));
  } finally {
    database.close();
  }
}

async function restore(library) {
  const kept = await ask('readonly', 'get', METHOD);
  return kept?.bytes instanceof Uint8Array && library.giveTables(SIZE, METHOD, kept.bytes);
}

async function keep(library) {
  const bytes = library.tables(SIZE, METHOD);
  return bytes !== null && ask('readwrite', 'put', { bytes, made: Date.now() }, METHOD).then(() => true);
}

/** Resolves to true if the tables are in the database. */
let kept = null;

/** Returns a question to the library that finds the tables there, and leaves them there. */
export const withTables = (question) => async (library, ...args) => {
  kept ??= restore(library).catch(() => false);
  const isKept = await kept;
  const result = question(library, ...args);
  if (!isKept) kept = keep(library).catch(() => false);
  return result;
};

/** Removes them. */
export const forgetTables = () => ended(indexedDB.deleteDatabase(DATABASE));
