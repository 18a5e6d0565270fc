// unfold.js: a link to a schema shows the schema where it is named, and so does a link to a shared answer. What is shown is taken from
// /docs/schemas, which is loaded when it is first needed. Schemas in it unfold in the same way, so circles do no harm.

import { base } from '../base.js';
import { element } from '../parts/element.js';

let loaded = null;

/** The page of all schemas. (Not by fetch() and DOMParser: the policy of trusted types forbids that.) */
function schemas() {
  loaded ??= new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.onload = () => (request.status === 200 && request.response ? done(request.response) : failed(new Error(`The schemas could not be loaded (${request.status}).`)));
    request.onerror = () => failed(new Error('The schemas could not be loaded: no answer.'));
    request.open('GET', `${base}/docs/schemas`);
    request.send();
  });
  loaded.catch(() => (loaded = null));
  return loaded;
}

/** Returns the content of a section, without its title and its ids. */
async function contentOf(id) {
  const section = (await schemas()).getElementById(id);
  if (!section) throw new Error(`There is no schema ${id}.`);
  const copy = document.importNode(section, true);
  copy.querySelector('h3')?.remove();
  for (const one of copy.querySelectorAll('[id]')) one.removeAttribute('id');
  for (const name of copy.querySelectorAll('a.name')) name.replaceWith(element('span', { class: 'name' }, ...name.childNodes));
  return element('div', { class: 'unfolded' }, ...copy.childNodes);
}

const idOf = (link) => new URL(link.href).hash.slice(1);

async function toggle(link) {
  const open = link.getAttribute('aria-expanded') === 'true';
  link.setAttribute('aria-expanded', String(!open));
  if (open) {
    link.unfolded?.remove();
    return;
  }
  const box = await contentOf(idOf(link)).catch((error) => element('p', { class: 'unfolded' }, error.message));
  if (link.getAttribute('aria-expanded') !== 'true' || box.isConnected) return;
  link.unfolded = box;
  prepareLinks(box);
  const term = link.closest('dt');
  if (term) term.nextElementSibling.append(box);
  else link.closest('p, dd, li').after(box);
}

/** Makes the links to schemas in an element unfold them. */
function prepareLinks(root) {
  for (const link of root.querySelectorAll('a.schema')) link.setAttribute('aria-expanded', 'false');
}

/** The rest of an answer that many calls share, in its place, once it is opened. */
async function fillAnswer(details) {
  const link = details.querySelector(':scope > p > a.schema[href*="#answer-"]');
  if (!details.open || !link) return;
  try {
    const box = await contentOf(idOf(link));
    box.querySelector(':scope > p:not([class])')?.remove(); // the summary says that
    prepareLinks(box);
    link.parentElement.replaceWith(box);
  } catch { /* the link stays */ }
}

export function prepareUnfolding(root) {
  prepareLinks(root);
  for (const link of root.querySelectorAll('.answer a.schema[href*="#answer-"]')) link.removeAttribute('aria-expanded');
  root.querySelectorAll('.answer[open]').forEach(fillAnswer); // by the address, before this was loaded
  root.addEventListener('click', (event) => {
    const link = event.target.closest('a.schema[aria-expanded]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    toggle(link);
  });
  root.addEventListener('toggle', (event) => event.target.matches('.answer') && fillAnswer(event.target), true);
}
