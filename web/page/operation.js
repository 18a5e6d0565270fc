// operation.js: one operation of the API: parameters, answers, examples, and a form to try it.

import { element } from './element.js';
import { prose } from './prose.js';
import { resolve, schemaView } from './schema.js';
import { cubed } from './server.js';

/** How long to wait for the end of an answer. */
const WAIT_MS = 30000;
const JSON_TYPE = /^application\/(.*\+)?json$/;

const shown = (value) => typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** Quoted for a POSIX shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function examplesOf(api, media) {
  return Object.entries({ ...media?.examples, ...media?.['x-examples'] }).map(([name, one]) => {
    const { value } = resolve(api, one);
    return { name, title: value.summary ?? name, text: shown(value.value) };
  });
}

function parametersOf(api, item, operation) {
  return [...item.parameters ?? [], ...operation.parameters ?? []].map((one) => resolve(api, one).value);
}

function parameterRow(api, parameter) {
  const { value: schema } = resolve(api, parameter.schema ?? {});
  return element('tr', {},
    element('td', {}, element('code', {}, parameter.name)),
    element('td', {}, `${parameter.in}${parameter.required ? ', required' : ''}`),
    element('td', {}, prose(parameter.description ?? schema.description), schemaView(api, parameter.schema)));
}

function answerView(api, status, answer) {
  const { value } = resolve(api, answer);
  const bodies = Object.entries(value.content ?? {}).map(([type, media]) => element('div', {},
    element('p', {}, element('small', {}, type)), schemaView(api, media.schema),
    examplesOf(api, media).slice(0, 3).map((one) => element('details', {},
      element('summary', {}, `example: ${one.title}`), element('pre', { tabindex: 0 }, one.text)))));
  return element('details', { class: 'answer' }, element('summary', {}, element('b', {}, status), ' ', value.description ?? ''), bodies);
}

// ---- trying it ----

/** The request that the form describes. */
function requestOf(form, path, method, type) {
  const query = {};
  const headers = {};
  let target = path;
  for (const field of form.querySelectorAll('[data-in]')) {
    const { in: where, name } = field.dataset;
    if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(field.value));
    else if (field.value !== '' && where === 'query') query[name] = field.value;
    else if (field.value !== '') headers[name] = field.value;
  }
  const raw = form.querySelector('textarea')?.value || undefined;
  const accept = form.querySelector('select[data-accept]')?.value;
  const token = document.getElementById('token').value.trim() || null;
  return { method, path: target, query, headers, accept, token, raw, type: raw && type };
}

/** The same as a curl command; the token stays a variable. */
function curlOf({ method, path, query, headers, accept, token, raw, type }) {
  const words = ['curl'];
  if (method !== (raw === undefined ? 'GET' : 'POST')) words.push('-X', method);
  const shownHeaders = { ...headers, 'Content-Type': type, Accept: accept === 'application/json' ? undefined : accept };
  for (const [name, value] of Object.entries(shownHeaders)) if (value) words.push('-H', quoted(`${name}: ${value}`));
  if (token) words.push('-H', '"Authorization: Bearer $TOKEN"');
  if (raw !== undefined) words.push('--data-binary', quoted(raw));
  return [...words, quoted(cubed.transport.url(path, query))].join(' ');
}

async function send(request, output) {
  output.hidden = false;
  output.textContent = '…';
  try {
    const { status, headers, text } = await cubed.transport.once({ ...request, timeoutMs: WAIT_MS });
    const json = JSON_TYPE.test(headers.get('content-type')?.split(';')[0] ?? '');
    output.textContent = `${status} ${headers.get('content-type') ?? ''}\n${json ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
  } catch (error) {
    output.textContent = error.message;
  }
}

function tryForm(api, path, method, parameters, operation) {
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const [type, media] = bodies.find(([one]) => one === 'application/json') ?? bodies[0] ?? [];
  const examples = examplesOf(api, media);
  const accepts = Object.keys(resolve(api, Object.entries(operation.responses).find(([status]) => status[0] === '2')?.[1] ?? {}).value.content ?? {});
  const output = element('pre', { tabindex: 0, hidden: true, 'aria-live': 'polite' });
  const curl = element('pre', { tabindex: 0 });
  const body = type && element('textarea', { rows: 5, spellcheck: 'false', 'aria-label': 'Body' });
  if (body) body.value = examples[0]?.text ?? '';
  const update = () => { curl.textContent = curlOf(requestOf(form, path, method, type)); };
  const form = element('form', { class: 'try', oninput: update, onsubmit: (event) => {
    event.preventDefault();
    update();
    send(requestOf(form, path, method, type), output);
  } },
  parameters.map((one) => element('label', {}, `${one.name} `, element('input', { 'data-in': one.in, 'data-name': one.name, required: one.required, autocomplete: 'off', spellcheck: 'false' }))),
  examples.length > 1 && element('label', {}, 'Example ', element('select', { onchange: (event) => { body.value = examples[event.target.selectedIndex].text; update(); } },
    examples.map((one) => element('option', {}, one.title)))),
  body,
  accepts.length > 1 && element('label', {}, 'Answer as ', element('select', { 'data-accept': '' }, accepts.map((one) => element('option', {}, one)))),
  curl,
  element('button', { class: 'main' }, 'Send'), output);
  update();
  return form;
}

/** The section of one operation; `item` has what all methods of its path share. */
export function operationView(api, path, method, item) {
  const operation = item[method];
  const parameters = parametersOf(api, item, operation);
  const body = Object.entries(operation.requestBody?.content ?? {});
  const upper = method.toUpperCase();
  return element('section', { id: operation.operationId, 'data-words': `${upper} ${path} ${operation.summary} ${operation.description ?? ''}`.toLowerCase() },
    element('h3', {}, operation.summary),
    element('p', {}, element('b', { class: method }, upper), ' ', element('code', {}, path)),
    prose(operation.description),
    parameters.length > 0 && element('table', {}, element('tbody', {}, parameters.map((one) => parameterRow(api, one)))),
    body.map(([type, media]) => element('div', {}, element('p', {}, element('small', {}, `Body: ${type}`)), schemaView(api, media.schema))),
    Object.entries(operation.responses).map(([status, answer]) => answerView(api, status, answer)),
    element('details', { ontoggle: (event) => event.target.children.length > 1 || event.target.append(tryForm(api, path, upper, parameters, operation)) },
      element('summary', {}, 'Try it')));
}
