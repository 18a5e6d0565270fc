// frame.js: the texts of index.html, which are in English there, in another language. Loaded only for that.

import { language, t } from './words.js';

document.documentElement.lang = language;
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) texts.currentNode.data = t(texts.currentNode.data);
for (const name of ['aria-label', 'title']) {
  for (const node of document.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
}
