// worker-node.js: the worker of a Solver in Node.

import { parentPort } from 'node:worker_threads';
import { answer } from './answer.js';
import './node-random.js';

parentPort.on('message', (question) => answer(question, (message) => parentPort.postMessage(message)));
