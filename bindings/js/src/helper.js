// helper.js: a worker of browsers as a Solver uses it.

/**
 * @param {Worker} worker
 * @returns {import('./solver.js').Helper}
 */
export function helperOf(worker) {
  return {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    listen(onMessage, onError) {
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onerror = (event) => onError(new Error(event.message || 'the worker could not be started'));
    },
  };
}
