// elsewhere.js: where a pattern was: in the history of the session, and on other cubes that are listed.

import { fromFacelets } from '../../client/cube.js';
import { sizeText } from '../cube/sizes.js';
import { pathOf } from '../open/address.js';
import { element } from '../parts/element.js';
import { cubed } from '../session/server.js';
import { errorText, t } from '../words.js';

const SHOWN_MAX = 10;

/** A cube that does not change, for the stage. */
const still = (size, facelets) => ({ size, stickers: fromFacelets(facelets), fixed: true, subscribe: () => () => {} });

async function showMoment(app, session, revision) {
  if (app.session !== session) return app.notify(t('This was in another cube, which is not open now.'));
  const { cube } = await session.cube({ at: revision });
  if (app.session !== session) return null;
  app.show(still(cube.size, cube.facelets));
  return app.notify(t('The cube as it was after change {n}.', { n: revision }), { action: { label: t('Now'), run: () => app.showNow() } });
}

/** Describes since when until when it held. */
function timeWords(revision, move, lost) {
  const from = move > 1 ? t('From change {n}, move {move}', { n: revision, move }) : t('From change {n}', { n: revision });
  return `${from} ${lost ? t('to {n}', { n: lost.revision }) : t('until now')}`;
}

/** Since when until when it held, newest first. */
async function inHistory(app, pattern, list) {
  const { session } = app;
  if (!session) return list.replaceChildren(element('li', {}, t('The cube that is open now has no history here.')));
  const { matches } = await session.find({ pattern: { name: pattern.name } });
  if (matches.length === 0) return list.replaceChildren(element('li', {}, t('It was never there.')));
  return list.replaceChildren(...matches.slice(-SHOWN_MAX).reverse().map(({ revision, move, lost }) => element('li', {},
    element('button', { type: 'button', class: 'quiet', onclick: () => showMoment(app, session, revision).catch((error) => app.notify(error)) },
      timeWords(revision, move, lost)))));
}

async function onOthers(app, pattern, list) {
  const { items } = await cubed.search({ pattern: { name: pattern.name }, size: app.cube.size }, { limit: SHOWN_MAX }).first();
  const others = items.filter(({ id }) => id !== app.session?.id);
  if (others.length === 0) return list.replaceChildren(element('li', {}, t('No listed cube shows it now.')));
  return list.replaceChildren(...others.map(({ id, name, size }) => element('li', {},
    element('a', { href: pathOf(id) }, name ?? t('A {size}', { size: sizeText(size) })))));
}

/** Two questions about a pattern; the first only in a session. */
export function whereElse(app, pattern) {
  const list = element('ul', { class: 'found', role: 'status' });
  const ask = (question) => async () => {
    list.replaceChildren(element('li', { class: 'faint' }, t('Looking …')));
    await question(app, pattern, list).catch((error) => list.replaceChildren(element('li', {}, errorText(error))));
  };
  return element('div', { class: 'elsewhere' },
    element('div', { class: 'row' },
      app.session && element('button', { type: 'button', onclick: ask(inHistory) }, t('When was it there?')),
      element('button', { type: 'button', onclick: ask(onOthers) }, t('Which public cubes show it?'))),
    list);
}
