// share.js: links to a cube. The token of a link is in its fragment, which browsers never send.

import { prepareCopy } from './clipboard.js';

const $ = (id) => document.getElementById(id);

export const addressOf = (id, token) => `${location.origin}/#${id}${token ? `.${token}` : ''}`;

/** Settings of the owner, with the members of the session that they change. */
const SETTINGS = [['anybody', 'access'], ['policy', 'turn_policy']];

function showSettings(session) {
  for (const [id, member] of SETTINGS) $(id).value = session[member];
  $('listed').checked = session.listed;
  $('listed').disabled = session.access === 'none'; // what nobody may see is in no list
}

let room = null; // {session}

function showAddress(id, token) {
  $('address').value = addressOf(id, token);
  $('made').hidden = false;
  $('address').select();
}

function rowOf(token) {
  const row = document.createElement('li');
  const revoke = document.createElement('button');
  revoke.type = 'button';
  revoke.textContent = 'Revoke';
  revoke.setAttribute('aria-label', `Revoke the link of ${token.label || token.role}`);
  revoke.onclick = async () => {
    revoke.disabled = true;
    await room.session.tokens.revoke(token.id).catch(() => {});
    await showTokens();
  };
  row.append(token.label ? `${token.label} (${token.role})` : token.role, token.role === 'owner' ? '' : revoke);
  return row;
}

/** Shows the links of others; null if only the owner may see them. */
async function showTokens() {
  const answer = await room.session.tokens.list().catch(() => null);
  const items = (answer?.items ?? []).filter((token) => !token.revoked_at);
  $('tokens').replaceChildren(...items.map(rowOf));
  return answer && items;
}

async function open(now) {
  room = now;
  const given = await showTokens();
  const owner = given !== null;
  const ownerless = given?.length === 0; // created before there were tokens
  for (const id of ['settings', 'tokens']) $(id).hidden = !owner;
  $('grant').hidden = !owner || ownerless;
  $('claim').hidden = !ownerless;
  $('made').hidden = owner && !ownerless;
  $('plain').textContent = ownerless
    ? 'This cube has no owner: everybody who knows this link may do everything with it. An owner can restrict that.'
    : owner
      ? 'The address of this page contains your rights as the owner: keep it, and share these links instead.'
      : 'This link gives others the rights that you have.';
  showSettings(await room.session.read());
  if (!owner || ownerless) $('address').value = addressOf(room.session.id, room.session.token);
  $('sharing').showModal();
}

/** `current` returns the room to share; `showProblem` shows a problem on the page. */
export function prepareSharing(current, showProblem) {
  const fail = (error) => {
    $('sharing').close(); // it covers the page
    showProblem(error);
  };
  const change = (settings) => room.session.configure(settings).then(showSettings).catch(fail);
  $('share').onclick = () => open(current()).catch(fail);
  $('claim').onclick = async () => {
    try {
      const { token } = await room.session.tokens.create({ role: 'owner' });
      $('sharing').close();
      location.hash = new URL(addressOf(room.session.id, token)).hash; // the page opens it again
    } catch (error) {
      fail(error);
    }
  };
  $('grant').onsubmit = async (event) => {
    event.preventDefault();
    try {
      const label = $('label').value.trim();
      const { token } = await room.session.tokens.create({ role: $('role').value, ...(label ? { label } : {}) });
      showAddress(room.session.id, token);
      await showTokens();
    } catch (error) {
      fail(error);
    }
  };
  for (const [id, member] of SETTINGS) {
    $(id).onchange = () => change({ [member]: $(id).value });
  }
  $('listed').onchange = () => change({ listed: $('listed').checked });
  prepareCopy($('copy'), () => $('address').value);
}
