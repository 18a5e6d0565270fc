// node-random.js: random numbers of Node, which has them in a module in all its versions.

import { webcrypto } from 'node:crypto';
import { Library } from './cube.js';

Library.random = (bytes) => webcrypto.getRandomValues(bytes);
