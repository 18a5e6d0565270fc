// worker.js: the worker of the page, which searches and scrambles.

import { answer } from '../../library/answer.js';
import { SLOW } from './forms.js';

globalThis.onmessage = ({ data }) => answer(data, (message) => globalThis.postMessage(message), SLOW);
