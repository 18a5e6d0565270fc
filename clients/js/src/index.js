// index.js: all that users of the package see.

export { Cubed } from './client.js';
export { Session } from './session.js';
export { LiveCube } from './live.js';
export { LocalCube } from './local.js';
export { NoAnswer } from './answer.js';
export { Problem } from './problem.js';
export { Pages } from './pages.js';
export { fromFacelets, isSolved, toFacelets, turned, turnedAll, turnInPlace } from './cube.js';
export { canonicalMoves, inverseMoves, moveText, parseMoves } from './moves.js';
export { Past } from './past.js';
export { SharedFeed } from './shared/feed.js';
export { Playback } from './playback.js';
export * from './types.js';

/** @typedef {import('./live.js').LiveChange} LiveChange */
/** @typedef {import('./live.js').LiveOptions} LiveOptions */
/** @typedef {import('./local.js').LocalChange} LocalChange */
/** @typedef {import('./moves.js').LayerTurn} LayerTurn */
/** @typedef {import('./transport.js').TransportOptions} TransportOptions */
/** @typedef {import('./playback.js').PlaybackChange} PlaybackChange */
/** @typedef {import('./past.js').PastChange} PastChange */
/** @typedef {import('./past.js').PastSource} PastSource */
