// notice.js: one calm line above the cube: what went wrong, or what there is to know, and what can be done.

const SHOWN_MS = 8000;
/** The same for a notice with a button. */
const OFFERED_MS = 30000;

export class Notice {
  #timer = 0;
  #shownMs = SHOWN_MS;

  constructor(root) {
    this.root = root;
    this.text = root.querySelector('#notice-text');
    this.button = root.querySelector('#notice-action');
    root.querySelector('#notice-close').onclick = () => this.show(null);
    for (const type of ['pointerleave', 'focusout']) root.addEventListener(type, () => this.#hideLater());
  }

  /** Shows a text for a while, with a button for `action`: {label, run}; null hides it. */
  show(text, action = null) {
    clearTimeout(this.#timer);
    this.text.textContent = text ?? '';
    this.root.hidden = !text;
    this.button.hidden = !action;
    if (!text) return;
    if (action) {
      this.button.textContent = action.label;
      this.button.onclick = () => {
        this.show(null);
        action.run();
      };
    }
    this.#shownMs = action ? OFFERED_MS : SHOWN_MS;
    this.#hideLater();
  }

  /** Begins to count the time again; the notice stays if the pointer or the focus is in it by then. */
  #hideLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => !this.root.matches(':focus-within, :hover') && this.show(null), this.#shownMs);
  }
}
