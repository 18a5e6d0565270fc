// clipboard.js: copies text, even if the page was not loaded over HTTPS and browsers offer no clipboard API.

const SHOWN_MS = 1500;

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

/** Whether the text was copied. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Makes a button copy what `text()` returns or promises, if anything, and report for a moment whether that worked. */
export function prepareCopy(button, text) {
  const label = button.textContent;
  button.onclick = async () => {
    const copied = await text();
    if (copied === null) return;
    button.textContent = (await copyText(copied)) ? 'Copied' : 'Not copied: select the text instead';
    button.focus();
    setTimeout(() => (button.textContent = label), SHOWN_MS);
  };
  return button;
}
