// friends.js: playing one cube together: the link and its QR code, who is here, whose turn it is, and what an owner may
// settle.

import { runAction } from '../parts/action.js';
import { linkOf, pathOf } from '../open/address.js';
import { openDialog } from '../dialogs/dialog.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { NAME_MAX, nameText } from '../session/names.js';
import { colourOf } from '../session/nametag.js';
import { reactionButtons } from '../session/reactions.js';
import { qrPicture } from '../parts/qr.js';
import { onlyHere, reach } from '../session/reach.js';
import { nameOf, roleOf, whoseTurn } from '../session/rights.js';
import { tokens } from '../session/tokens.js';
import { WATCHING, watchingButtons } from '../session/watching.js';
import { t } from '../words.js';

const ROLES = { owner: t('owner'), editor: t('may turn'), viewer: t('may watch') };
const POLICIES = { free: t('Anybody, at any time'), alternate: t('Nobody twice in a row'), 'round-robin': t('One after the other') };
const ACCESS = { view: t('may watch'), edit: t('may turn'), none: t('see nothing') };

export function preparePanel(app, root) {
  const parts = [new Invitation(app), new Name(app), new People(app), new Rules(app), new Links(app)];
  root.append(...parts.map(({ root: part }) => part));
  const show = () => parts.forEach((part) => part.show());
  const people = () => [parts[0], parts[2]].forEach((part) => part.show());
  for (const type of ['room', 'settings', 'state', 'may']) app.on(type, show);
  for (const type of ['presence', 'standing']) app.on(type, people);
  for (const type of ['session-tokens', 'settings']) app.on(type, () => parts[4].load()); // the server reports a change of tokens as `settings`
  tokens.subscribe(() => parts[0].show()); // the link may be shut out
  show();
  return { shown: () => parts[4].load() };
}

const heading = (text) => element('h2', {}, text);

function choice(label, options, attributes = {}) {
  const select = element('select', attributes, Object.entries(options).map(([value, text]) => element('option', { value }, text)));
  return { select, row: element('label', { class: 'setting' }, element('span', {}, label), select) };
}

// ---- the link ----

class Invitation {
  constructor(app) {
    this.app = app;
    this.root = element('section', { id: 'invitation', class: 'column', 'aria-live': 'polite' });
    this.open = false;
    this.of = undefined;
    this.reach = { origin: null, lan: false };
  }

  show() {
    const { session } = this.app.room;
    const role = session && roleOf(this.app.cube);
    const link = session && tokens.of(session.id)?.link;
    const access = this.app.cube.settings?.access;
    const key = `${session?.id} ${role} ${session && this.app.cube.you?.id} ${access} ${link}`;
    if (this.of === key) return;
    if (this.of?.split(' ')[0] !== key.split(' ')[0]) this.open = session !== null && this.opening === session.id;
    if (role === 'viewer' || (!link && access !== 'edit')) this.open = false; // nobody could turn by the link that was shown
    this.of = key;
    this.root.replaceChildren(...(this.open ? this.#link() : this.#begin(role)));
  }

  #begin(role) {
    const { app } = this;
    if (role === 'viewer') return this.#watching();
    const made = app.session && tokens.of(app.session.id)?.link;
    const start = element('button', { id: 'play', class: 'main', type: 'button' }, made ? t('Show the link') : t('Make a link'));
    start.onclick = () => runAction(app, start, () => this.#start());
    const text = app.session ? t('Everybody with the link turns this cube with you, at the same time.') : t('You get a link. Everybody who opens it turns this cube with you, at the same time.');
    const claim = this.#claim(role);
    return [heading(t('Play with a friend')), start, element('p', { class: 'faint' }, text), claim, this.#embedding()].filter(Boolean);
  }

  /** A session that was made before there were tokens belongs to the first who takes it. */
  #claim(role) {
    const { app } = this;
    if (!app.session || role !== 'owner' || app.cube.you?.id) return null;
    const button = element('button', { id: 'claim', type: 'button' }, t('Become the owner'));
    button.onclick = () => runAction(app, button, async () => {
      const { id } = app.session;
      const { token } = await app.session.tokens.create({ role: 'owner', label: app.settings.get('name') || undefined });
      tokens.keep({ id, token, role: 'owner' });
      await app.go(pathOf(id));
    });
    return element('div', { class: 'note' }, element('span', {}, t('Nobody owns this cube: everybody may change everything.')), button);
  }

  #watching() {
    const { copy, ask } = watchingButtons(this.app);
    copy.id = 'copy-cube';
    return [element('p', { id: 'watching' }, WATCHING), copy, ask];
  }

  async #start() {
    const { app } = this;
    const { shareRoom } = await import('../session/sessions.js');
    if (!app.session) {
      const label = app.settings.get('name');
      const { id } = await shareRoom(app, app.cube, { name: label ? nameText(t('{name}’s cube', { name: label })) : undefined });
      if (app.session?.id !== id) return; // it could not be opened, or another one was
    }
    const { session } = app;
    this.opening = session.id;
    await shareToken(app);
    this.reach = await reach();
    if (app.session !== session) return;
    this.open = true;
    this.of = undefined;
    this.show();
    app.report('session-tokens');
  }

  #link() {
    const { app } = this;
    const { id } = app.session;
    const token = tokens.of(id)?.link ?? null;
    if (this.reach.origin === null) return this.#here(linkOf(id, token));
    const url = linkOf(id, token, this.reach.origin);
    const field = element('input', { id: 'link', readonly: true, 'aria-label': t('The link'), value: url, onfocus: () => field.select() });
    const share = typeof navigator.share === 'function' && element('button', { id: 'share-link', type: 'button', class: 'main' }, t('Share…'));
    const copy = element('button', { id: 'copy-link', type: 'button', class: share ? null : 'main' }, t('Copy the link'));
    prepareCopy(copy, () => url);
    if (share) share.onclick = () => navigator.share({ title: t('Turn a cube with me'), url }).catch(() => {});
    return [
      element('h2', {}, t('Send this link')),
      element('div', { class: 'ways' }, this.#code(url), element('div', { class: 'column' }, ...[share, copy].filter(Boolean))),
      element('p', { class: 'faint' }, t('Everybody who opens it turns this cube with you. The camera of a phone opens it from the picture: tap it to make it large.')),
      field,
      ...this.#watchLink(),
      this.#embedding(),
    ];
  }

  /** The QR code of the link; a tap shows it as large as the screen. */
  #code(url) {
    const picture = () => qrPicture(url, t('QR code of the link'));
    if (!picture()) return null; // a longer address than the code has room for
    const enlarge = () => openDialog(t('Let their camera look at this'), picture()).classList.add('code');
    return element('button', { id: 'code', type: 'button', title: t('Make it large'), 'aria-label': t('Show the QR code of the link, large'), onclick: enlarge }, picture());
  }

  #embedding() {
    const { app } = this;
    const button = element('button', { id: 'embed', class: 'quiet', type: 'button' }, t('Show it in a page…'));
    button.onclick = () => runAction(app, button, async () => (await import('../dialogs/embed.js')).openEmbedding(app));
    return button;
  }

  /** Instead of the link and its code, as long as it would work only here. */
  #here(url) {
    const again = element('button', { id: 'play', class: 'main', type: 'button' }, t('Try again'));
    again.onclick = () => runAction(this.app, again, () => this.#start());
    return [heading(t('Only this device can open it')), ...onlyHere(url, this.reach), again];
  }

  /** A link with a token takes no right away that everybody has. Only people with a token can make one. */
  #watchLink() {
    const { app } = this;
    if (!app.cube.you?.id) return [];
    const { id } = app.session;
    const mayTurn = app.cube.settings.access === 'edit';
    const button = element('button', { id: 'watch-link', class: 'quiet', type: 'button' }, mayTurn ? t('Copy a link to watch') : t('Copy a link only to watch'));
    prepareCopy(button, () => runAction(app, button, async () => linkOf(id, await watchToken(app), this.reach.origin)));
    return [button, mayTurn && element('p', { class: 'faint' }, t('Who opens it may turn, too, as long as people without a link may.'))].filter(Boolean);
  }
}

/** Returns true if a token still opens the session: it may have been shut out from another browser. */
const isValid = ({ session }, token) => session.read({ token }).then(() => true, (problem) => problem.status !== 401);

/** Makes the token of the link that this person shares, unless it is there already or everybody may turn anyway. */
async function shareToken(app) {
  const { session } = app;
  const kept = tokens.of(session.id)?.link;
  if (app.cube.settings.access === 'edit' || (kept && (await isValid(app, kept)))) return;
  const { id: linkId, token } = await session.tokens.create({ role: 'editor' });
  tokens.keep({ id: session.id, link: token, linkId });
}

/** The token of the link by which others watch, made at the first time. */
async function watchToken(app) {
  const { session } = app;
  const kept = tokens.of(session.id)?.watch;
  if (kept && (await isValid(app, kept))) return kept;
  const { id: watchId, token } = await session.tokens.create({ role: 'viewer' });
  tokens.keep({ id: session.id, watch: token, watchId });
  app.report('session-tokens');
  return token;
}

// ---- the own name ----

class Name {
  constructor(app) {
    const { settings } = app;
    const input = element('input', { id: 'your-name', maxlength: NAME_MAX, autocomplete: 'nickname', placeholder: t('Others see it'), value: settings.get('name') });
    this.app = app;
    const keep = () => settings.set('name', nameText(input.value));
    input.addEventListener('change', keep);
    settings.on('name', (name) => document.activeElement !== input && (input.value = name));
    this.root = element('form', { class: 'setting', onsubmit: (event) => (event.preventDefault(), keep(), input.blur()) }, element('label', { for: 'your-name' }, t('Your name')), input);
  }

  /** Without a token there is nothing that could be named. */
  show() {
    const { session, cube } = this.app.room;
    this.root.hidden = session !== null && !cube.you?.id;
  }
}

// ---- who is here ----

class People {
  constructor(app) {
    this.app = app;
    this.turn = element('p', { id: 'whose-turn', role: 'status' });
    this.list = element('ul', { id: 'people-list' });
    this.root = element('section', { class: 'column' }, heading(t('Who is here')), this.turn, this.list, reactionButtons(app, { named: true }));
  }

  show() {
    const { session, cube } = this.app.room;
    this.root.hidden = !session;
    if (!session) return;
    const { text } = whoseTurn(cube);
    this.turn.hidden = !text;
    if (this.turn.textContent !== (text ?? '')) this.turn.textContent = text ?? '';
    const isSelf = (person) => Number(this.app.isSelf(person));
    const people = [...(cube.presence?.people ?? [])].sort((a, b) => isSelf(b) - isSelf(a) || Number(a.id === null) - Number(b.id === null) || Number(a.id) - Number(b.id));
    this.list.replaceChildren(...people.map((person) => this.#row(person)));
  }

  #row({ id, label, role, watchers }) {
    const { standing } = this.app.cube;
    const self = this.app.isSelf({ id, label, role });
    const here = self && id === this.app.cube.you?.id;
    const next = standing?.next && standing.next.id === id && standing.undoable > 0;
    const last = standing?.last && standing.last.id === id;
    const name = id === null ? t('{n} by the address alone', { n: watchers }) : label ?? (self ? t('You') : nameOf({ label, role }).replace(/^./, (first) => first.toUpperCase()));
    const chips = [
      self && (here ? label && t('you') : label ? t('you, on another device') : t('on another device')),
      role && ROLES[role],
      last && t('turned last'),
      next && t('has the turn'),
    ].filter(Boolean);
    const row = element('li', { class: self ? 'self' : null }, element('b', {}, name), chips.map((chip) => element('span', { class: 'chip' }, chip)));
    if (id !== null) row.style.setProperty('--person', colourOf({ id }));
    return row;
  }
}

// ---- what an owner settles ----

class Rules {
  constructor(app) {
    this.app = app;
    const change = (body) => app.session.configure(body).catch((problem) => (app.notify(problem), this.show()));
    this.policy = choice(t('Who may turn'), POLICIES, { id: 'policy' });
    this.access = choice(t('People without a link'), ACCESS, { id: 'access' });
    this.listed = element('input', { id: 'listed', type: 'checkbox' });
    this.policy.select.onchange = () => change({ turn_policy: this.policy.select.value });
    this.access.select.onchange = () => change({ access: this.access.select.value });
    this.listed.onchange = () => change({ listed: this.listed.checked });
    const listed = element('label', { class: 'check' }, this.listed, t('Show it in the public list'));
    this.root = element('section', { id: 'rules', class: 'column' }, heading(t('Rules')), this.policy.row, this.access.row, listed);
  }

  show() {
    const { session, cube } = this.app.room;
    this.root.hidden = !session || !this.app.may.own;
    if (this.root.hidden) return;
    this.policy.select.value = cube.settings.turn_policy;
    this.access.select.value = cube.settings.access;
    this.listed.checked = cube.settings.listed;
    this.listed.disabled = cube.settings.access === 'none';
  }
}

/** The tokens: links, and the people who came by them. Only owners may read them. */
class Links {
  #listed = null; // the session whose tokens are shown
  #asked = null; // the id of the token that may be shut out: a question is open

  constructor(app) {
    this.app = app;
    this.list = element('ul', { id: 'token-list' });
    this.more = element('details', { id: 'links', ontoggle: () => this.load() }, element('summary', {}, t('Links and people who may come in')), this.list);
    this.root = element('section', {}, this.more);
  }

  show() {
    const { session } = this.app.room;
    const hidden = !session || !this.app.may.own || !this.app.cube.you?.id;
    const isNew = !hidden && (this.root.hidden || session !== this.#listed);
    if (hidden !== this.root.hidden) this.root.hidden = hidden;
    if (isNew) this.load();
  }

  async load() {
    const { session } = this.app;
    if (!session || this.root.hidden || !this.more.open) return;
    if (session !== this.#listed) {
      this.list.replaceChildren();
      this.#listed = session;
      this.#asked = null;
    }
    if (!this.list.childElementCount) this.list.append(element('li', { class: 'faint' }, t('Loading…')));
    try {
      const { items } = await session.tokens.list();
      if (session !== this.app.session) return;
      const valid = items.filter(({ revoked_at: gone }) => !gone);
      const asked = this.#asked; // its row is made again
      this.list.replaceChildren(...valid.filter(({ parent }) => !valid.some(({ id }) => id === parent)).map((one) => this.#row(one, valid)));
      this.#asked = null;
      if (asked) this.list.querySelector(`[data-token="${asked}"]`)?.click();
    } catch (problem) {
      this.list.replaceChildren();
      this.app.notify(problem);
    }
  }

  #row(token, all) {
    const { app } = this;
    const guests = all.filter(({ parent }) => parent === token.id);
    const self = app.isSelf(token);
    const named = token.label ?? (self ? t('You') : { owner: t('An owner'), editor: token.parent ? t('Somebody without a name') : t('A link to turn'), viewer: token.parent ? t('Somebody who watches') : t('A link to watch') }[token.role]);
    const revoke = element('button', { class: 'quiet', type: 'button', 'data-token': token.id, 'aria-label': t('Shut out: {name}', { name: named }) }, t('Shut out'));
    const sure = element('button', { class: 'quiet sure', type: 'button', hidden: true, onblur: () => ask(false) }, guests.length > 0 ? t('Yes, shut out all who came by it') : t('Yes, shut out at once'));
    const ask = (asks) => {
      this.#asked = asks ? token.id : null;
      revoke.hidden = asks;
      sure.hidden = !asks;
    };
    revoke.onclick = () => {
      ask(true);
      sure.focus();
    };
    sure.onclick = () => runAction(app, sure, async () => {
      const { session } = app;
      await session.tokens.revoke(token.id);
      const { id } = session;
      const kept = tokens.of(id);
      if (kept?.linkId === token.id) tokens.keep({ id, link: null, linkId: null });
      if (kept?.watchId === token.id) tokens.keep({ id, watch: null, watchId: null });
      await this.load();
    });
    return element('li', {},
      element('div', { class: 'row' }, element('b', {}, named), element('span', { class: 'chip' }, ROLES[token.role]), guests.length > 0 && element('span', { class: 'faint' }, t('{n} came by it', { n: guests.length })), token.id !== app.cube.you?.id && [revoke, sure]),
      guests.length > 0 && element('ul', {}, guests.map((guest) => this.#row(guest, all))));
  }
}
