// reply.js: the answer to a request that was tried: status, headers, and a body as what it is: a picture, events as they come,
// JSON, text, or bytes to save.

import { element } from '../parts/element.js';

const EVENTS_MAX = 500;
const TEXT_MAX = 200000;

const sizeOf = (bytes) => (bytes < 10000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

const block = (text) => element('pre', { tabindex: 0 }, element('code', {}, text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n… (${sizeOf(text.length)})` : text));

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Cuts what comes into pieces that end with an empty line (events) or a line (NDJSON). */
async function* piecesOf(body, events) {
  const decoder = new TextDecoder();
  const end = events ? /\r?\n\r?\n/ : /\r?\n/;
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const pieces = rest.split(end);
    rest = pieces.pop();
    yield* pieces.filter(Boolean);
    if (done) break;
  }
  if (rest.trim()) yield rest;
}

/** One event or line as an item of the list. */
function itemOf(piece, events) {
  if (!events) return element('li', {}, element('pre', {}, pretty(piece)));
  const fields = piece.split(/\r?\n/).map((line) => line.match(/^(\w*): ?(.*)$/)).filter(Boolean);
  const all = (name) => fields.filter(([, one]) => one === name).map(([, , value]) => value).join('\n');
  if (fields.every(([, name]) => name === '')) return element('li', { class: 'faint' }, piece.replace(/^: ?/gm, '') || 'ping');
  return element('li', {}, element('b', {}, all('event') || 'message'), ' ', element('small', { class: 'faint' }, all('id')), all('data') && element('pre', {}, pretty(all('data'))));
}

/** Shows a stream while it comes; at most so many of its events. */
async function showStream(response, box, events) {
  const list = element('ol', { class: 'events', tabindex: 0, 'aria-label': 'What was received' });
  const count = element('p', { class: 'faint', role: 'status' }, 'Waiting …');
  box.append(count, list);
  let total = 0;
  for await (const piece of piecesOf(response.body, events)) {
    const low = list.scrollTop + list.clientHeight > list.scrollHeight - 30;
    list.append(itemOf(piece, events));
    if (list.children.length > EVENTS_MAX) list.firstElementChild.remove();
    if (low) list.scrollTop = list.scrollHeight;
    count.textContent = `${++total} so far`;
  }
  count.textContent = `${total}, then it ended.`;
}

/** Shows a body; its text if it is text. */
async function showBody(response, box) {
  const type = (response.headers.get('content-type') ?? '').split(';')[0];
  if (type === 'text/event-stream' || type === 'application/x-ndjson') {
    await showStream(response, box, type === 'text/event-stream');
    return null;
  }
  if (/^image\//.test(type)) {
    const blob = await response.blob();
    const url = URL.createObjectURL(blob);
    box.append(element('img', { src: url, alt: 'The answer as a picture' }), element('p', {}, `${sizeOf(blob.size)}, `, element('a', { href: url, download: `cube.${type.includes('svg') ? 'svg' : type.split('/')[1]}` }, 'save it')));
  } else if (/json$|^text\/|yaml$/.test(type)) {
    const text = await response.text();
    box.append(block(/json$/.test(type) ? pretty(text) : text));
    return text;
  } else {
    const blob = await response.blob();
    if (blob.size === 0) box.append(element('p', {}, 'The answer has no body.'));
    else box.append(element('p', {}, `${sizeOf(blob.size)} of ${type || 'bytes'}, `, element('a', { href: URL.createObjectURL(blob), download: 'answer.bin' }, 'save them')));
  }
  return null;
}

const headersView = (response) => element('details', {}, element('summary', {}, 'Headers'),
  element('pre', { tabindex: 0 }, [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')));

/**
 * Sends a request and shows the answer in `box`; its status and text, null if there is none.
 * @param {{url: string, options: RequestInit}} request
 * @param {HTMLElement} box
 * @param {AbortSignal} signal ends it
 */
export async function showReply({ url, options }, box, signal) {
  box.hidden = false;
  box.replaceChildren(element('p', { role: 'status' }, 'Sending …'));
  const began = performance.now();
  try {
    const response = await fetch(url, { ...options, signal, cache: 'no-store' });
    const status = element('p', { role: 'status' }, element('b', { class: `status s${String(response.status)[0]}` }, `${response.status}`), ` ${response.headers.get('content-type') ?? ''} in ${Math.round(performance.now() - began)} ms`);
    box.replaceChildren(status, headersView(response));
    return { status: response.status, text: await showBody(response, box) };
  } catch (error) {
    box.append(element('p', { role: 'status' }, signal.aborted ? 'Stopped.' : `No answer: ${error.message}`));
    return null;
  }
}
