// worker.js: the worker of a Solver in browsers.

import { answer } from './answer.js';

globalThis.onmessage = ({ data }) => answer(data, (message) => globalThis.postMessage(message));
