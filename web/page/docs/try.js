// try.js: a form that sends a request of a call. The token is kept in the memory of this page alone.

import { base } from '../base.js';
import { element } from '../parts/element.js';
import { addressOf } from './request.js';
import { showReply } from './reply.js';

/** The token and id that were typed or answered last: used in all forms, never stored. */
const known = { token: '', id: '' };

const DOCUMENTED_ID = '7n3k9qv2m5x8c4tz';

/** A field for a parameter: its values to choose from, or text. */
function fieldOf(parameter, value) {
  const { schema } = parameter;
  const values = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : null);
  const attributes = { 'data-in': parameter.in, 'data-name': parameter.name, required: parameter.required };
  const text = value === undefined ? '' : [value].flat().join(',');
  if (!values) return element('input', { ...attributes, value: text, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  return element('select', attributes, element('option', { value: '' }, ''), values.map((one) => element('option', { value: String(one), selected: String(one) === text }, String(one))));
}

const labelled = (name, field, note = '') => element('label', {}, element('span', {}, element('code', {}, name), note), field);

/** A session that was just made is what the next forms are about. */
function remember(call, reply) {
  if (call.id !== 'createSession' || reply?.status !== 201 || !reply.text?.startsWith('{')) return;
  const { id, token } = JSON.parse(reply.text);
  [known.id, known.token] = [id, token];
}

/** The form, filled with a request; `changed` is called with what it says now. */
export function tryForm(call, request, changed) {
  const valueOf = ({ in: where, name }) => {
    const value = { path: request.parts, query: request.query, header: request.headers }[where]?.[name];
    return known.id && value === DOCUMENTED_ID ? known.id : value;
  };
  const rows = call.parameters.map((one) => ({ one, row: labelled(one.name, fieldOf(one, valueOf(one)), ` ${one.in}`), used: one.required || valueOf(one) !== undefined }));
  const types = call.body.map(({ type }) => type);
  const text = request.raw ?? (request.body === undefined ? '' : JSON.stringify(request.body, null, 2));
  const body = types.length > 0 && element('textarea', { rows: Math.min(14, text.split('\n').length + 1), spellcheck: 'false', autocapitalize: 'off' }, text);
  const type = types.length > 1 && element('select', {}, types.map((one) => element('option', { selected: one === request.type }, one)));
  const accepts = [...new Set(call.answers.filter(({ status }) => status < '300').flatMap(({ content }) => content.map((one) => one.type)))];
  const accept = accepts.length > 1 && element('select', {}, accepts.map((one) => element('option', { selected: one === request.accept }, one)));
  const token = element('input', { type: 'password', value: known.token, autocomplete: 'off', placeholder: 'kept in this page only' });
  token.addEventListener('input', () => (known.token = token.value.trim()));
  const send = element('button', { class: 'main', type: 'submit' }, 'Send');
  const stop = element('button', { type: 'button', hidden: true }, 'Stop');
  const box = element('div', { class: 'reply', hidden: true });
  const optional = rows.filter(({ used }) => !used);

  /** Returns the request that the form describes now. */
  function now() {
    const made = { ...request, parts: {}, query: {}, headers: {}, raw: undefined, body: undefined, type: undefined, accept: accept ? accept.value : request.accept };
    for (const field of form.querySelectorAll('[data-in]')) {
      if (field.value !== '') ({ path: made.parts, query: made.query, header: made.headers })[field.dataset.in][field.dataset.name] = field.value;
    }
    if (body && body.value.trim() !== '') Object.assign(made, { raw: body.value, type: type ? type.value : types[0] });
    return made;
  }

  const asFetched = (made) => ({
    url: base + addressOf(made),
    options: {
      method: made.method,
      headers: { ...made.headers, Accept: made.accept, ...(made.type ? { 'Content-Type': made.type } : {}), ...(known.token ? { Authorization: `Bearer ${known.token}` } : {}) },
      body: made.raw,
    },
  });

  async function submit(event) {
    event.preventDefault();
    const control = new AbortController();
    stop.onclick = () => control.abort();
    [send.disabled, stop.hidden] = [true, false];
    const reply = await showReply(asFetched(now()), box, control.signal);
    [send.disabled, stop.hidden] = [false, true];
    remember(call, reply);
  }

  const form = element('form', { class: 'try', onsubmit: submit, oninput: () => changed(now()) },
    rows.some(({ used }) => used) && element('fieldset', { 'aria-label': 'Parameters' }, rows.filter(({ used }) => used).map(({ row }) => row)),
    optional.length > 0 && element('details', {}, element('summary', {}, `${optional.length} more parameters`), element('div', { class: 'optional' }, optional.map(({ row }) => row))),
    body && labelled('body', body, type ? '' : ` ${types[0]}`), type && labelled('Content-Type', type), accept && labelled('Accept', accept),
    labelled('token', token, call.token ? ' needed' : ' if the session is not for everybody'),
    element('div', { class: 'row' }, send, stop));
  return [form, box];
}
