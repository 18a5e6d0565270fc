// names.js: names of people and cubes as the server takes them, and names for people who have not said theirs. Pure: used by
// tests without a browser.

export const NAME_MAX = 32;

/** Characters that hide text or change its direction (also those that join emoji), and halves of characters. */
const REFUSED = /[\p{C}\u2028\u2029\u{e0000}-\u{e0fff}]/gu;

/** A text as a name; empty if nothing of it is left. */
export const nameText = (text) => Array.from(text.replace(REFUSED, '').trim()).slice(0, NAME_MAX).join('');

const ADJECTIVES = ['Blue', 'Bold', 'Brave', 'Bright', 'Calm', 'Clever', 'Curious', 'Fast', 'Friendly', 'Gentle', 'Golden', 'Green', 'Happy', 'Jolly', 'Kind', 'Lucky', 'Merry', 'Patient', 'Quick', 'Quiet', 'Red', 'Silver', 'Sunny', 'Swift'];
const ANIMALS = ['Badger', 'Bear', 'Beaver', 'Bee', 'Crane', 'Deer', 'Dolphin', 'Duck', 'Eagle', 'Falcon', 'Finch', 'Fox', 'Hare', 'Hedgehog', 'Heron', 'Koala', 'Lion', 'Lynx', 'Marten', 'Mouse', 'Otter', 'Owl', 'Panda', 'Penguin', 'Robin', 'Seal', 'Sparrow', 'Squirrel', 'Stork', 'Swan', 'Tiger', 'Turtle'];

/** Returns a friendly name for somebody who has not said theirs, such as Blue Fox. */
export function guestName(random = Math.random) {
  const one = (words) => words[Math.floor(random() * words.length)];
  return `${one(ADJECTIVES)} ${one(ANIMALS)}`;
}
