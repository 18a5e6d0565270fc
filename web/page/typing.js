// typing.js: while something is typed on a phone, the page is as high as the keyboard on the screen leaves it, so that
// neither the field nor the cube is behind it. Some browsers resize the page themselves, others only what is seen of it.

/** The least height that is covered by a keyboard; less is the bar of the address. */
const KEYBOARD_LEAST = 120;
const FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file])';

export function prepareTyping() {
  const seen = globalThis.visualViewport;
  if (!seen) return;
  let [width, full] = [0, 0]; // the height without a keyboard, for this width
  const fit = () => {
    if (innerWidth !== width) [width, full] = [innerWidth, 0];
    full = Math.max(full, innerHeight, Math.round(seen.height));
    const field = document.activeElement;
    const typing = field.matches(FIELDS) && seen.scale < 1.05 && seen.height < full - KEYBOARD_LEAST && matchMedia('(pointer: coarse)').matches;
    document.body.classList.toggle('on-screen-keyboard', typing);
    document.body.style.height = typing ? `${seen.height}px` : '';
    if (!typing) return;
    scrollTo(0, 0);
    field.scrollIntoView({ block: 'nearest' });
  };
  for (const type of ['resize', 'scroll']) seen.addEventListener(type, fit);
  for (const type of ['focusin', 'focusout']) addEventListener(type, () => setTimeout(fit));
  fit();
}
