// The modules that the server under test was built without: CUBED_TEST_LEFT_OUT, which the Makefile sets. A check that calls
// one of them is left out.

const LEFT_OUT = (process.env.CUBED_TEST_LEFT_OUT ?? '').split(' ');

/** Returns true if a text, the detail of a problem, says that the server is without such a module. */
export function isLeftOut(text) {
  const [, module] = /make MODULES=(\w+)$/.exec(text ?? '') ?? [];
  return module !== undefined && LEFT_OUT.includes(module);
}
