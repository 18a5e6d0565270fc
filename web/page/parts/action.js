// action.js: what a button does, if it takes time.

/** Runs an action with its button disabled. A problem is shown as a notice; then the result is null. */
export async function runAction(app, button, action) {
  button.disabled = true;
  try {
    return await action();
  } catch (problem) {
    app.notify(problem);
    return null;
  } finally {
    button.disabled = false;
  }
}
