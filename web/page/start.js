// start.js: creates a cube, opens one, and lists those that are listed publicly.

import { cubed } from './server.js';
import { addressOf } from './share.js';

const $ = (id) => document.getElementById(id);
const LISTED = 12;

/** Shown for an address without a valid id. */
export const NO_ADDRESS = 'Not an id or a link of a cube. An id has 16 letters and digits.';

/** The id and the token of "#ID.TOKEN", of a link with it, or of an id alone. */
export function readAddress(text) {
  const [id, token] = text.trim().replace(/^.*#/, '').split('.');
  return /^[0-9A-Za-z_-]{1,64}$/.test(id) ? { id, token: token || null } : null;
}

function rowOf(session) {
  const row = document.createElement('li');
  const link = document.createElement('a');
  link.href = addressOf(session.id);
  link.textContent = session.name ?? session.id;
  row.append(link, ` ${session.size}×${session.size}×${session.size}, ${session.revision} ${session.revision === 1 ? 'change' : 'changes'}`);
  return row;
}

export async function listPublic() {
  const { items } = await cubed.sessions({ limit: LISTED }).first();
  $('public').replaceChildren(...items.map(rowOf));
}

/** `notify` shows a problem. */
export function prepareStart(notify) {
  $('access').onchange = () => {
    $('list').disabled = $('access').value === 'none'; // what nobody may see is in no list
  };
  $('create').onsubmit = async (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button) button.disabled = true;
    try {
      const name = $('name').value.trim();
      const listed = $('list').checked && $('access').value !== 'none';
      const body = { size: Number($('size').value), access: $('access').value, listed, ...(name ? { name } : {}) };
      const { id, token } = await cubed.createSession(body);
      location.hash = `${id}${token ? `.${token}` : ''}`;
    } catch (error) {
      notify(error);
    } finally {
      if (button) button.disabled = false;
    }
  };
  $('open').onsubmit = (event) => {
    event.preventDefault();
    const address = readAddress($('which').value);
    if (!address) return notify(new Error(NO_ADDRESS));
    notify(null);
    location.hash = `${address.id}${address.token ? `.${address.token}` : ''}`;
  };
}
