// worker.js: the worker of the page, which searches and scrambles.

import { answer } from '../../library/answer.js';
import { SLOW } from './forms.js';
import { withTables } from './tables.js';

const QUESTIONS = { ...SLOW, solve: withTables(SLOW.solve), scramble: withTables(SLOW.scramble) };

globalThis.onmessage = ({ data }) => answer(data, (message) => globalThis.postMessage(message), QUESTIONS);
