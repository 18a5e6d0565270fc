// swipe.js: recognises swipes of a finger or a pen over a part of the page.

/** A swipe is this long at least, and this many times longer than it is high. */
const LEAST_PX = 48;
const FLAT = 2;

/** Calls `run` with 1 for a swipe to the left, as one turns a page, and with -1 for one to the right. */
export function listenForSwipes(root, run) {
  let start = null;
  root.addEventListener('pointerdown', (event) => {
    const isSwipe = event.isPrimary && event.pointerType !== 'mouse' && !event.target.closest('select, input');
    start = isSwipe ? { x: event.clientX, y: event.clientY } : null;
  });
  root.addEventListener('pointercancel', () => (start = null));
  root.addEventListener('pointerup', (event) => {
    if (!start || !event.isPrimary) return;
    const [right, down] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(right) >= LEAST_PX && Math.abs(right) >= FLAT * Math.abs(down)) run(right < 0 ? 1 : -1);
  });
}
