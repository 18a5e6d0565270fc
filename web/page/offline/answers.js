// answers.js: the one place that views ask about cubes. It knows who answers: the library in this page (library.js), or
// the server. Both answer in the same form, that of openapi.yaml.
//
// Questions that need no tables go to the library first, which answers without a round trip. Searches go to the server first,
// which has its tables ready and a faster processor than a phone; the library answers if the server does not.

import { server } from '../base.js';
import { t } from '../words.js';

const NOBODY = t('The server does not answer, and this browser cannot find it out alone. Try again when you are connected.');
/** After this time the library is asked instead. */
const PATIENCE_MS = 8000;

/** The library, as soon as it is loaded (library.js); it may be missing for ever. */
let library = null;
/** A client of the server that tries once, for questions that the library can answer as well. */
let brief = null;

export function useLibrary(loaded) {
  library = loaded;
}

async function client(isOnlyOne) {
  if (isOnlyOne) return (await import('../session/server.js')).cubed;
  brief ??= import('../../client/client.js').then(({ Cubed }) => new Cubed(server(), { attempts: 1, timeoutMs: PATIENCE_MS }));
  return brief;
}

/** Asks the server, then, if it does not answer, `orElse`; null: nobody else can answer. */
export async function fromServer(ask, orElse) {
  if (orElse && navigator.onLine === false) return orElse();
  try {
    return await ask(await client(orElse === null));
  } catch (error) {
    const transport = await import('../../client/transport.js').catch(() => null); // null: it was not there when the network went
    if (transport && !transport.isTemporary(error)) throw error;
    if (orElse) return orElse();
    throw error.status ? error : new Error(NOBODY, { cause: error });
  }
}

/** Asks the library, or the server if the library is not loaded or cannot answer. */
async function fromLibrary(name, question, ask) {
  try {
    if (library?.can(name, question)) return library[name](question);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    library = null; // it is broken
  }
  return fromServer(ask, null);
}

/** Moves of any text as the page turns them: {canonical, expanded}; see /v1/algorithm. */
export const algorithm = (question) => fromLibrary('algorithm', question, (cubed) => cubed.algorithm(question));

/** A cube that is described by a text: {cube: {size, facelets}}; see /v1/convert. */
export const convert = (question) => fromLibrary('convert', question, (cubed) => cubed.convert(question));

/** Says what is wrong with a painted cube; see /v1/validate. */
export const validate = (question) => fromLibrary('validate', question, (cubed) => cubed.validate(question));

/** The notations that are read: [{name, text}]. */
export const dialects = () => fromLibrary('dialects', {}, async (cubed) => (await cubed.formats()).dialects);

/**
 * A scramble: {size, moves}; see /v1/scramble. `question`: {size, variant}, by the rules; {until}, to a case; or {goal, place,
 * distance}.
 */
export function scramble(question) {
  const ask = async (cubed) => {
    const { size, scrambles: [{ moves }] } = await cubed.scramble({ ...question, count: 1, as: 'none' });
    return { size, moves };
  };
  return fromServer(ask, library?.can('scramble', question) ? () => library.scramble(question) : null);
}

/**
 * A solution or a lesson; see /v1/solve. `cube` is for the server, `state` ({size, facelets}) the same for the library.
 * `options`: those of the client; aborting ends the search, wherever it runs.
 */
export function solve({ cube, state, ...question }, options) {
  const own = { ...question, cube: state };
  return fromServer((cubed) => cubed.solve({ cube, ...question }, options), library?.can('solve', own) ? () => library.solve(own, options) : null);
}
