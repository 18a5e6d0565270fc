// docs.js: the documentation of the API, generated from /openapi.json: an index, the general part, and each operation.

import { element } from './element.js';
import { operationView } from './operation.js';
import { prose } from './prose.js';
import { cubed } from './server.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const $ = (id) => document.getElementById(id);

/** The operations with this first tag, in the order of the paths. */
function operationsOf(api, tag) {
  return Object.entries(api.paths).flatMap(([path, item]) => METHODS.filter((method) => item[method]?.tags[0] === tag)
    .map((method) => ({ path, method, item, operation: item[method] })));
}

function show(api) {
  $('title').textContent = `${api.info.title} ${api.info.version}`;
  $('text').append(element('section', { id: 'about' }, prose(api.info.description)));
  for (const tag of api.tags) {
    const operations = operationsOf(api, tag.name);
    $('index').append(element('h2', {}, tag.name), element('ul', {}, operations.map(({ path, method, operation }) => element('li', { 'data-for': operation.operationId },
      element('a', { href: `#${operation.operationId}`, title: operation.summary }, element('b', { class: method }, method.toUpperCase()), ' ', path)))));
    $('text').append(element('h2', { 'data-tag': '' }, tag.name), ...prose(tag.description),
      ...operations.map(({ path, method, item }) => operationView(api, path, method, item)));
  }
}

/** Shows only operations that contain all the words. */
function filter() {
  const words = $('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of document.querySelectorAll('section[data-words]')) {
    section.hidden = !words.every((word) => section.dataset.words.includes(word));
    document.querySelector(`[data-for="${section.id}"]`).hidden = section.hidden;
  }
}

try {
  show(await cubed.transport.json({ path: '/openapi.json' }));
  $('find').addEventListener('input', filter);
  if (location.hash) $(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
} catch (error) {
  $('notice').textContent = error.message;
  $('notice').hidden = false;
}
