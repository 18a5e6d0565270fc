// examples.js: beside each call: its examples for curl, JavaScript and Python, what is answered, and the form to try it. They are
// made when the call comes near the screen.

import { base, server } from '../base.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { answersOf, callOf, namesOf, requestOf } from './request.js';
import { LANGUAGES } from './samples.js';
import { tryForm } from './try.js';

let loaded = null;
let language = 'curl'; // in all calls

/** openapi.json, once. */
function api() {
  loaded ??= fetch(`${base}/openapi.json`).then((answer) => answer.json());
  loaded.catch(() => (loaded = null));
  return loaded;
}

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Shows the answer of the example, if the document has one. */
function answerView(call, name) {
  const [answer] = answersOf(call, name);
  if (!answer) return null;
  return element('div', { class: 'sample' },
    element('div', { class: 'bar' }, element('strong', {}, 'Answer ', element('span', { class: `status s${answer.status[0]}` }, answer.status)), element('span', { class: 'faint' }, answer.type)),
    element('pre', { tabindex: 0 }, element('code', {}, shown(answer.value))));
}

function exampleView(section, call) {
  const names = namesOf(call);
  let name = names[0]?.name;
  let request = requestOf(call, name);
  let current = request; // the request of the form, if it is open
  const code = element('code', {});
  const copy = element('button', { class: 'copy', type: 'button' }, 'Copy');
  const tabs = LANGUAGES.map(([title]) => element('button', { type: 'button', role: 'tab', 'data-language': title, onclick: () => choose(title) }, title));
  const answer = element('div', {});
  const attempt = element('div', {});
  const trial = element('button', { class: 'main', type: 'button', 'aria-expanded': 'false', onclick: openTrial }, 'Try it');

  function update(now = current) {
    current = now;
    const made = LANGUAGES.find(([title]) => title === language)[1];
    try {
      code.textContent = made(current, server());
    } catch {
      code.textContent = LANGUAGES[0][1](current, server()); // a body that is not JSON yet
    }
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab.dataset.language === language));
      tab.tabIndex = tab.dataset.language === language ? 0 : -1;
    }
  }

  function choose(title) {
    language = title;
    dispatchEvent(new Event('language'));
  }

  function openTrial() {
    const open = attempt.children.length === 0;
    trial.setAttribute('aria-expanded', String(open));
    attempt.replaceChildren(...(open ? [element('div', { class: 'sample' }, element('div', { class: 'bar' }, element('strong', {}, 'A real request to this server')), ...tryForm(call, request, (now) => update({ ...now, body: parsed(now) })))] : []));
    if (open) attempt.querySelector('input, select, textarea, button')?.focus({ preventScroll: true });
    if (!open) update(request);
  }

  function select(one) {
    name = one;
    request = requestOf(call, name);
    update(request);
    answer.replaceChildren(...[answerView(call, name)].filter(Boolean));
    if (attempt.children.length > 0) {
      attempt.replaceChildren();
      openTrial();
    }
  }

  addEventListener('language', () => update());
  const bar = element('div', { class: 'bar' }, element('div', { role: 'tablist', 'aria-label': `Languages of ${call.id}`, onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = tabs[(tabs.findIndex((tab) => tab.dataset.language === language) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  } }, tabs), copy);
  const chooser = names.length > 1 && element('select', { 'aria-label': `Example of ${call.id}`, onchange: (event) => select(names[event.target.selectedIndex].name) },
    names.map((one) => element('option', {}, one.title)));
  section.querySelector('.samples').replaceChildren(
    element('div', { class: 'sample' }, bar, element('pre', { tabindex: 0 }, code), element('div', { class: 'bar below' }, trial, chooser)),
    attempt, answer);
  prepareCopy(copy, () => code.textContent);
  select(name);
}

/** The body of a form as JSON, if it is JSON that is sent as such. */
function parsed(request) {
  if (request.type !== 'application/json' || !request.raw) return undefined;
  try {
    const value = JSON.parse(request.raw);
    request.raw = undefined;
    return value;
  } catch {
    return undefined;
  }
}

/** The examples of each answer of a call, in its place. */
function addExamples(section, call) {
  for (const { status, content } of call.answers) {
    const details = section.querySelector(`.answer[data-status="${status}"]`);
    if (!details || 'shared' in details.dataset) continue; // shared answers bring their examples
    for (const { type, examples } of content) {
      for (const [name, { value, summary }] of examples) {
        details.append(element('details', { class: 'example' }, element('summary', {}, `Example: ${summary ?? name.replaceAll('_', ' ')}`), element('pre', { tabindex: 0, 'data-type': type }, element('code', {}, shown(value)))));
      }
    }
  }
}

async function fill(section) {
  try {
    const call = callOf(await api(), section.dataset.path, section.dataset.method);
    exampleView(section, call);
    addExamples(section, call);
  } catch (error) {
    section.querySelector('.samples').replaceChildren(element('p', { class: 'faint' }, `The examples could not be loaded: ${error.message}`),
      element('button', { type: 'button', onclick: () => fill(section) }, 'Try again'));
  }
}

/** Fills each call when it comes near the screen. */
export function prepareExamples(sections) {
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      fill(target);
    }
  }, { rootMargin: '600px 0px' });
  for (const section of sections) near.observe(section);
}
