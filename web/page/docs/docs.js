// docs.js: what all documents can do: the search, the marked hit, copying code, the theme that was chosen. The reference of
// the API loads the rest.

import { base } from '../base.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { prepareSearch } from './search.js';

/** Reads the settings that were chosen on the page with the cube (settings.js). */
function settings() {
  try {
    return JSON.parse(localStorage.getItem('cubed.settings')) ?? {};
  } catch {
    return {}; // no storage
  }
}

function showTheme() {
  const { theme } = settings();
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

/** A button that copies, on each block of code. */
export function addCopyButtons(root) {
  for (const pre of root.querySelectorAll('pre')) {
    if (pre.closest('.copied, .sample')) continue;
    const box = element('div', { class: 'copied' });
    pre.replaceWith(box);
    const button = element('button', { type: 'button' }, 'Copy');
    box.append(pre, button);
    prepareCopy(button, () => pre.innerText.trimEnd());
  }
}

/** Commands ask the server that these documents came from, not one at the usual address. */
function nameServer(root) {
  const usual = /(http:\/\/)?(?:127\.0\.0\.1|localhost):8080/g;
  for (const pre of root.querySelectorAll('pre')) {
    if (!pre.textContent.includes('curl') || /--listen|proxy/.test(pre.textContent)) continue;
    const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
      const named = text.data.replace(usual, (all, scheme) => (scheme || location.protocol === 'https:' ? location.origin : location.host) + base);
      if (named !== text.data) text.data = named;
    }
  }
}

/** Shows what the address leads to, also inside of what is folded. */
export function showTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || target.id === 'contents' || target.id === 'text') return;
  for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
  target.scrollIntoView();
  const marked = target.tagName === 'SECTION' ? target.querySelector('h3') : target;
  marked.classList.remove('hit');
  requestAnimationFrame(() => marked.classList.add('hit'));
}

showTheme();
prepareSearch(document.getElementById('find'), showTarget, () => settings().keys !== 'off');
nameServer(document);
addCopyButtons(document);
addEventListener('hashchange', showTarget);
if (location.hash) showTarget();
document.querySelector('#contents a[aria-current]')?.scrollIntoView({ block: 'nearest' });
if (document.querySelector('.reference')) {
  const { prepareReference } = await import('./reference.js');
  prepareReference();
}
