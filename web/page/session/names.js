// names.js: names of people and cubes as the server takes them. Pure: used by tests without a browser.

export const NAME_MAX = 32;

/** Characters that hide text or change its direction (also those that join emoji), and halves of characters. */
const REFUSED = /[\p{C}\u2028\u2029\u{e0000}-\u{e0fff}]/gu;

/** A text as a name; empty if nothing of it is left. */
export const nameText = (text) => Array.from(text.replace(REFUSED, '').trim()).slice(0, NAME_MAX).join('');
