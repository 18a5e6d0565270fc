// clipboard.js: copies text and pictures; text even if the page was not loaded over HTTPS and browsers offer no clipboard API.

import { errorText, t } from '../words.js';



const SHOWN_MS = 1500;
const NOT_COPIED = t('Not copied: the browser forbids it');

/** Copies by selecting a hidden field, which also works over plain HTTP. */
function copySelected(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  (document.querySelector('dialog[open]') ?? document.body).append(field); // behind an open dialog nothing can be selected
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

/** Copies a text. Returns true if that succeeded. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies a text that is not known yet, and returns true if that succeeded. Some browsers copy only during a click, but accept
 * a promise. */
async function copyPromised(text) {
  try {
    const blob = text.then((known) => (known === null ? Promise.reject(new Error('nothing to copy')) : new Blob([known], { type: 'text/plain' })));
    blob.catch(() => {}); // the browser may refuse before it is there
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    const known = await text;
    return known !== null && copyText(known);
  }
}

/** Copies the picture at an address, and returns true if that succeeded. Passes a promise, for browsers that copy only
 * during a click. */
async function copyPicture(url) {
  try {
    const png = fetch(url).then((response) => (response.ok ? response.blob() : Promise.reject(new Error(response.statusText))));
    png.catch(() => {}); // the browser may refuse before it is there
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    return false;
  }
}

/** Makes a button copy by `copy()`, and show for a moment what it says of that; null: nothing. */
function prepare(button, copy) {
  const label = button.textContent;
  button.onclick = async () => {
    const words = await copy().catch((error) => t('Not copied: {why}', { why: errorText(error) }));
    if (words === null) return;
    button.textContent = words;
    button.focus();
    setTimeout(() => (button.textContent = label), SHOWN_MS);
  };
  return button;
}

/** Makes a button copy what `text()` returns or promises, if anything, and report for a moment whether that worked. */
export const prepareCopy = (button, text) => prepare(button, async () => {
  const wanted = text();
  const isCopied = await (wanted instanceof Promise ? copyPromised(wanted) : copyText(wanted));
  if ((await wanted) === null) return null;
  return isCopied ? t('Copied') : NOT_COPIED;
});

/** The same for the picture at the address `png()`; where the browser copies only text, the address `url()` is copied. */
export const preparePictureCopy = (button, png, url) => prepare(button, async () => {
  if (navigator.clipboard?.write && globalThis.ClipboardItem && (await copyPicture(png()))) return t('Picture copied');
  return (await copyText(url())) ? t('Address copied') : t('Not copied');
});
