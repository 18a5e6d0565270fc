// cubes.js: the cubes of this browser, a new one, one by its link, and those that everybody may see.

import { runAction } from '../parts/action.js';
import { base } from '../base.js';
import { linkOf, pathOf, readPasted } from '../open/address.js';
import { prepareCopy } from '../parts/clipboard.js';
import { openDialog } from '../dialogs/dialog.js';
import { element } from '../parts/element.js';
import { NAME_MAX, nameText } from '../session/names.js';
import { qrPicture } from '../parts/qr.js';
import { replaceCube } from '../open/replace.js';
import { onlyHere, reach } from '../session/reach.js';
import { cubed } from '../session/server.js';
import { SIZE_MAX, SIZE_MIN, sizeText } from '../cube/sizes.js';
import { tokens } from '../session/tokens.js';
import { errorText, locale, t } from '../words.js';

const QUICK = [2, 3, 4, 5, 6, 7];
/** Cubes up to this size have a picture in lists: of larger ones it would be heavy, and nothing could be seen in it. */
const PICTURE_MAX = 7;
const PAGE = 12;
const ROLES = { owner: t('yours'), editor: t('you may turn'), viewer: t('you may watch') };

export function preparePanel(app, root) {
  const mine = new Mine(app);
  const others = new Public(app);
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    app.panel('turn');
    document.getElementById('cubes').focus();
  });
  root.append(element('h2', { class: 'unseen' }, t('Cubes')), mine.root, newCube(app), openForm(app), others.root);
  tokens.subscribe(() => mine.show());
  for (const type of ['room', 'settings']) app.on(type, () => mine.show());
  mine.show();
  return { shown: () => { mine.show(); others.load(); } };
}

/** A small picture, or the size alone. `open`: whether everybody who knows the id may see it. */
function pictureOf(id, size, open) {
  const plain = element('span', { class: 'picture', 'aria-hidden': 'true' }, size ? String(size) : '?');
  if (!open || size > PICTURE_MAX) return plain;
  const image = element('img', { class: 'picture', alt: '', loading: 'lazy', width: 48, height: 48, src: `${base}/v1/image.svg?session=${id}`, onerror: () => image.replaceWith(plain) });
  return image;
}

// ---- my cubes ----

class Mine {
  constructor(app) {
    this.app = app;
    this.list = element('ul', { id: 'my-cubes', class: 'cubes' });
    this.empty = element('p', { class: 'faint' }, t('Cubes that you share or open by a link are listed here. They belong to this browser.'));
    this.unkept = element('p', { class: 'note' }, t('This browser does not keep your cubes. Before you leave, copy their links: ⋯, “Open it on another device”.'));
    this.root = element('section', { class: 'column' }, element('h3', {}, t('My cubes')), this.unkept, this.empty, this.list);
  }

  /** The rows are made again; the keyboard stays at the button where it was. */
  show() {
    const kept = tokens.list();
    const { activeElement: at } = document;
    const [id, name] = this.list.contains(at) ? [at.closest('li').dataset.cube, at.className] : [];
    this.unkept.hidden = tokens.lasting;
    this.empty.hidden = kept.length > 0;
    this.list.replaceChildren(...kept.map((one) => this.#row(one)));
    if (id) this.list.querySelector(`[data-cube="${id}"] .${name}`)?.focus();
  }

  #row(one) {
    const { app } = this;
    const here = app.session?.id === one.id;
    const title = one.name ?? (one.size ? t('A {size}', { size: sizeText(one.size) }) : one.id);
    const open = element('button', { class: 'open', type: 'button', 'aria-current': here ? 'true' : null, onclick: () => app.go(pathOf(one.id)) },
      element('b', {}, title), element('span', { class: 'faint' }, [one.name && one.size && sizeText(one.size), ROLES[one.role], here && t('open now')].filter(Boolean).join(' · ')));
    const more = element('button', { class: 'icon', type: 'button', 'aria-label': t('More about {name}', { name: title }), onclick: () => openMore(app, one, title) }, '⋯');
    return element('li', { 'data-cube': one.id }, pictureOf(one.id, one.size, here && app.cube.settings.access !== 'none'), open, more);
  }
}

const sessionOf = ({ id, token }) => cubed.session(id, { token });

/** Rename, copy, another device, forget, delete. */
function openMore(app, one, title) {
  const owner = one.role === 'owner';
  const name = element('input', { id: 'cube-name', maxlength: NAME_MAX, value: one.name ?? '', 'aria-label': t('Name') });
  const rename = element('button', { type: 'submit' }, t('Rename'));
  const form = element('form', { class: 'row', onsubmit: (event) => {
    event.preventDefault();
    runAction(app, rename, async () => {
      const { name: kept } = await sessionOf(one).configure({ name: nameText(name.value) || null });
      tokens.keep({ id: one.id, name: kept, seen: one.seen });
      dialog.close();
    });
  } }, name, rename);
  const copy = element('button', { id: 'copy-cube', type: 'button' }, t('Make a copy'));
  copy.onclick = () => runAction(app, copy, async () => {
    const { createRoom } = await import('../session/sessions.js');
    dialog.close();
    await createRoom(app, { cube: { session: one.id }, name: nameText(t('Copy of {name}', { name: title })) }, { token: one.token });
  });
  const device = element('button', { id: 'other-device', type: 'button', onclick: () => (dialog.close(), openDevice(one).catch((problem) => app.notify(problem))) }, t('Open it on another device'));
  const forget = element('button', { class: 'quiet', type: 'button', onclick: () => (dialog.close(), confirmForget(app, one, title)) }, owner ? t('Delete it…') : t('Take it off this list…'));
  const dialog = openDialog(title, ...[owner && form, element('div', { class: 'column' }, copy, device, forget)].filter(Boolean));
  dialog.addEventListener('close', () => { // the button that opened it may be another one by now
    if (document.activeElement === document.body) document.querySelector(`#my-cubes [data-cube="${one.id}"] .icon`)?.focus();
  });
}

/** The token itself, for a device of the same person. */
async function openDevice(one) {
  const reached = await reach();
  if (reached.origin === null) {
    openDialog(t('Only this device can open it'), ...onlyHere(linkOf(one.id, one.token), reached));
    return;
  }
  const url = linkOf(one.id, one.token, reached.origin);
  const copy = element('button', { type: 'button' }, t('Copy the link'));
  prepareCopy(copy, () => url);
  const warning = one.role === 'owner' ? t('Everybody with this link owns the cube: they may change and delete it. Show it to nobody else.') : t('Everybody with this link acts with your rights. For friends, use “Play with a friend”.');
  openDialog(t('Open it on another device'), element('p', {}, t('Let the camera of the other device look at this:')), qrPicture(url, t('QR code of your own link')), element('p', { class: 'note' }, warning), copy);
}

/** Asks once, and says what is lost: nothing can bring it back. */
function confirmForget(app, one, title) {
  const owner = one.role === 'owner';
  const lost = owner
    ? t('“{name}” is deleted for everybody, with its history and the solves that were recorded in it. Nobody can bring it back.', { name: title })
    : t('“{name}” stays as it is, but this browser forgets its link. To turn the cube again you need the link once more.', { name: title });
  const yes = element('button', { id: 'confirm-delete', class: 'main', type: 'button' }, owner ? t('Delete it') : t('Take it off the list'));
  yes.onclick = () => runAction(app, yes, async () => {
    if (owner) await sessionOf(one).remove().catch((problem) => { if (!['gone', 'not-found', 'token-invalid'].includes(problem.kind)) throw problem; });
    tokens.forget(one.id);
    dialog.close();
  });
  const dialog = openDialog(owner ? t('Delete this cube?') : t('Take it off the list?'), element('p', {}, lost), yes);
  dialog.querySelector('form button').textContent = t('Keep it');
  dialog.querySelector('form button').classList.remove('main');
}

// ---- a new one ----

function newCube(app) {
  let size = app.settings.get('size');
  const number = element('input', { id: 'new-size', type: 'number', inputmode: 'numeric', min: SIZE_MIN, max: SIZE_MAX, value: size, 'aria-label': t('Size') });
  const quick = QUICK.map((n) => element('button', { type: 'button', 'aria-label': sizeText(n), 'aria-pressed': String(n === size), onclick: () => choose(n) }, String(n)));
  const choose = (n) => {
    size = Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(n) || 3));
    number.value = size;
    quick.forEach((button, i) => button.setAttribute('aria-pressed', String(QUICK[i] === size)));
  };
  number.onchange = () => choose(Number(number.value));
  const step = (by, label) => element('button', { class: 'icon', type: 'button', 'aria-label': label, onclick: () => choose(size + by) }, by > 0 ? '+' : '−');
  const scrambled = element('input', { id: 'new-scrambled', type: 'checkbox', checked: true });
  const start = element('button', { id: 'new-cube', class: 'main', type: 'button' }, t('New cube'));
  start.onclick = () => runAction(app, start, async () => {
    const { LocalCube } = await import('../../client/local.js');
    const cube = new LocalCube({ size });
    if (scrambled.checked) await cube.scramble();
    app.settings.set('size', size);
    replaceCube(app, cube, t('This is a new cube.'));
    app.view.canvas.focus({ preventScroll: true }); // so that keys turn it
  });
  return element('section', { class: 'column' }, element('h3', {}, t('New cube')),
    element('div', { class: 'row sizes', role: 'group', 'aria-label': t('Size') }, quick, element('span', { class: 'stepper' }, step(-1, t('Smaller')), number, step(1, t('Larger')))),
    element('div', { class: 'row' }, element('label', { class: 'check' }, scrambled, t('scrambled')), start));
}

// ---- one by its link ----

function openForm(app) {
  const input = element('input', { id: 'open-text', placeholder: t('A link or an id'), 'aria-label': t('A link or an id'), autocapitalize: 'off', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'open-fault' });
  const fault = element('p', { id: 'open-fault', class: 'faint', role: 'status' });
  const send = async (event) => {
    event.preventDefault();
    const found = readPasted(input.value);
    fault.textContent = found ? '' : t('This is neither a link to a cube nor its id (16 letters and digits).');
    input.toggleAttribute('aria-invalid', !found);
    if (!found) return;
    input.value = '';
    await app.go(pathOf(found.id) + (found.token ? `#${found.token}` : ''));
  };
  input.addEventListener('input', () => (fault.textContent = '', input.removeAttribute('aria-invalid')));
  return element('section', { class: 'column' }, element('h3', {}, t('Open a cube')), element('form', { id: 'open-form', class: 'row', onsubmit: send }, input, element('button', {}, t('Open'))), fault);
}

// ---- those in the public list ----

class Public {
  constructor(app) {
    this.app = app;
    this.list = element('ul', { id: 'public-cubes', class: 'cubes' });
    this.none = element('p', { class: 'faint' });
    this.more = element('button', { type: 'button', hidden: true, onclick: () => runAction(app, this.more, () => this.#next()) }, t('More'));
    this.root = element('section', { class: 'column' }, element('h3', {}, t('Cubes of others')), this.none, this.list, this.more);
  }

  async load() {
    this.pages = cubed.sessions({ as: 'none', limit: PAGE }).pages()[Symbol.asyncIterator]();
    this.fresh = true;
    if (!this.list.childElementCount) this.none.textContent = t('Loading…');
    await this.#next().catch((problem) => (this.none.textContent = errorText(problem)));
  }

  async #next() {
    const { pages } = this;
    const { value: page, done } = await pages.next();
    if (pages !== this.pages) return; // the list is being read again
    const items = page?.items ?? [];
    if (this.fresh) this.list.replaceChildren();
    this.fresh = false;
    this.list.append(...items.map((one) => this.#row(one)));
    this.none.textContent = this.list.childElementCount ? '' : t('Nobody shows a cube to everybody at the moment.');
    this.more.hidden = done || !page?.next_cursor;
  }

  #row({ id, size, name, access, updated_at: updated }) {
    const when = new Date(updated).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
    const about = [sizeText(size), access === 'edit' ? t('everybody turns') : t('to watch'), when].join(' · ');
    const open = element('button', { class: 'open', type: 'button', onclick: () => this.app.go(pathOf(id)) }, element('b', {}, name ?? t('A {size}', { size: sizeText(size) })), element('span', { class: 'faint' }, about));
    return element('li', {}, pictureOf(id, size, true), open);
  }
}
