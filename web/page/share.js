// share.js: links to a cube. The token of a link is in its fragment, which browsers never send.

import { prepareCopy } from './clipboard.js';
import { make } from './link.js';

const $ = (id) => document.getElementById(id);

export const addressOf = (id, token) => `${location.origin}/#${id}${token ? `.${token}` : ''}`;

/** Choices of the owner, and the members of the session that they are. */
const SETTINGS = [['anybody', 'access'], ['policy', 'turn_policy']];

let room = null; // {id, token, link}

function showAddress(id, token) {
  $('address').value = addressOf(id, token);
  $('made').hidden = false;
  $('address').select();
}

function rowOf(token) {
  const row = document.createElement('li');
  const revoke = document.createElement('button');
  revoke.type = 'button';
  revoke.textContent = 'Take it back';
  revoke.setAttribute('aria-label', `Take back the link of ${token.label || token.role}`);
  revoke.onclick = async () => {
    revoke.disabled = true;
    await room.link.call('DELETE', `/tokens/${token.id}`).catch(() => {});
    await showTokens();
  };
  row.append(token.label ? `${token.label} (${token.role})` : token.role, token.role === 'owner' ? '' : revoke);
  return row;
}

/** The links that were given; null where only the owner may know. */
async function showTokens() {
  const answer = await room.link.call('GET', '/tokens').catch(() => null);
  const items = (answer?.items ?? []).filter((token) => !token.revoked_at);
  $('tokens').replaceChildren(...items.map(rowOf));
  return answer && items;
}

async function open(now) {
  room = now;
  const given = await showTokens();
  const owner = given !== null;
  const nobodys = given?.length === 0; // it is older than links are
  for (const id of ['settings', 'tokens']) $(id).hidden = !owner;
  $('grant').hidden = !owner || nobodys;
  $('claim').hidden = !nobodys;
  $('made').hidden = owner && !nobodys;
  $('plain').textContent = nobodys
    ? 'Nobody owns this cube: everybody who knows this link may do everything with it. Once somebody owns it, he decides.'
    : owner
      ? 'The address above in the browser holds all your rights: keep it, and give these links away.'
      : 'This link gives the rights that you have.';
  const session = await room.link.call('GET', '');
  for (const [id, member] of SETTINGS) $(id).value = session[member];
  if (!owner || nobodys) $('address').value = addressOf(room.id, room.token);
  $('sharing').showModal();
}

/** `current` answers the room that is shared; `tellPage` shows a problem. */
export function prepareSharing(current, tellPage) {
  const tell = (error) => {
    $('sharing').close(); // the page lies behind it
    tellPage(error);
  };
  $('share').onclick = () => open(current()).catch(tell);
  $('claim').onclick = async () => {
    try {
      const { token } = await make(`${room.link.path}/tokens`, { token: room.token, body: { role: 'owner' } });
      $('sharing').close();
      location.hash = new URL(addressOf(room.id, token)).hash; // the page opens it anew
    } catch (error) {
      tell(error);
    }
  };
  $('grant').onsubmit = async (event) => {
    event.preventDefault();
    try {
      const label = $('label').value.trim();
      const { token } = await make(`${room.link.path}/tokens`, { token: room.token, body: { role: $('role').value, ...(label ? { label } : {}) } });
      showAddress(room.id, token);
      await showTokens();
    } catch (error) {
      tell(error);
    }
  };
  for (const [id, member] of SETTINGS) {
    $(id).onchange = () => room.link.call('PATCH', '', { [member]: $(id).value }).catch(tell);
  }
  prepareCopy($('copy'), () => $('address').value);
}
