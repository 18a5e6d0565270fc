// frames.js: what both clocks need while they run: drawing in each frame, and a question before the page is left.

/** Returns a function that begins to call `show` with each frame, as long as `goesOn()`. */
export function drawing(show, goesOn) {
  let frame = null;
  const step = () => {
    frame = goesOn() ? requestAnimationFrame(step) : null;
    show();
  };
  return () => {
    frame ??= requestAnimationFrame(step);
  };
}

/** Returns a function that takes whether a solve would be lost by leaving the page: then the browser asks before. */
export function leavingQuestion() {
  const ask = (event) => event.preventDefault();
  return (lost) => {
    if (lost) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  };
}
