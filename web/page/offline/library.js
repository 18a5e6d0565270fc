// library.js: libcube in this page as WebAssembly, and the parts of the page that work with it: from then on the page needs no
// network. What is quick is answered here, searches and scrambles in a worker.

import { Library } from '../../library/cube.js';
import { helperOf } from '../../library/helper.js';
import { Solver } from '../../library/solver.js';
import { loadSheet } from '../sheet.js';
import { useLibrary } from './answers.js';
import { canAnswer, QUICK } from './forms.js';
import { afterWords } from '../words.js';

/** The address of all files of the page. */
const [assets] = /^.*?\/assets\/[^/]+\//.exec(import.meta.url);

/** Pages may require that addresses of scripts are marked as trusted; this one is constant. */
function startWorker() {
  const url = new URL('./worker.js', import.meta.url).href;
  const trusted = globalThis.trustedTypes?.createPolicy('cubed-library', { createScriptURL: () => url }).createScriptURL('') ?? url;
  return helperOf(new Worker(trusted, { type: 'module' }));
}

/** Answers of the library, by the names of answers.js. */
class Answers {
  #library;
  #solver;
  #works = false; // the worker

  constructor(module) {
    this.#library = new Library(module);
    this.#solver = new Solver(module, startWorker);
  }

  /** Resolves when the worker can work: its files come now, while there is a network. */
  async ready() {
    this.#works = await this.#solver.ask('ready', []);
  }

  can(name, question) {
    return (name in QUICK || this.#works) && canAnswer(name, question);
  }

  algorithm(question) {
    return QUICK.algorithm(this.#library, question);
  }

  convert(question) {
    return QUICK.convert(this.#library, question);
  }

  validate(question) {
    return QUICK.validate(this.#library, question);
  }

  dialects() {
    return QUICK.dialects(this.#library);
  }

  scramble(question) {
    return this.#solver.ask('scramble', [question]);
  }

  solve(question, { signal, onProgress } = {}) {
    const report = ({ nodes, depth, best }) => onProgress?.({ status: 'running', progress: { nodes, depth, best: best < 0 ? null : best, ahead: 0 } });
    return this.#solver.ask('solve', [question], { signal, onProgress: report });
  }
}

/** The parts of the page that are worth something without a network. */
const parts = () => afterWords(() => Promise.all([
  import('../panels/history.js'),
  import('../panels/solver.js'),
  import('../panels/timer.js'),
  import('../panels/paint.js'),
  import('../cube/dialects.js'),
  import('../cube/plain.js'),
  import('../parts/fault.js'),
  loadSheet(),
  loadSheet('timer'),
]));

/** Loads all of it. Fails if this browser has no WebAssembly, or if something does not come. */
export async function loadLibrary() {
  const module = await WebAssembly.compileStreaming(fetch(`${assets}libcube.wasm`));
  const answers = new Answers(module);
  useLibrary(answers);
  await Promise.all([answers.ready(), parts()]);
}
