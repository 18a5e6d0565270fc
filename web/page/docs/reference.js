// reference.js: the reference of the API: schemas unfold where they are named, calls have examples, and the contents show which
// call is on the screen.

import { prepareUnfolding } from './unfold.js';

/** Marks the call at the top of the screen in the contents. */
function followScrolling(sections) {
  const links = new Map([...document.querySelectorAll('#contents .calls a')].map((link) => [link.hash.slice(1), link]));
  let marked = null;
  const watch = new IntersectionObserver((entries) => {
    const top = entries.filter((one) => one.isIntersecting).at(-1);
    const link = top && links.get(top.target.id);
    if (!link || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    marked = link;
    const box = document.getElementById('contents');
    const { top: above, bottom: below } = link.getBoundingClientRect();
    if (above < 100 || below > innerHeight - 40) box.scrollTop += above - innerHeight / 3;
  }, { rootMargin: '-80px 0px -75% 0px' });
  for (const section of sections) watch.observe(section);
}

export async function prepareReference() {
  prepareUnfolding(document.getElementById('text'));
  const sections = document.querySelectorAll('section.call');
  if (sections.length === 0) return; // the page of schemas
  followScrolling(sections);
  const { prepareExamples } = await import('./examples.js');
  prepareExamples(sections);
}
