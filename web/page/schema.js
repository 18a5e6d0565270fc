// schema.js: a JSON schema as elements: the kind of value, its bounds, and its members, which open on demand.

import { element } from './element.js';
import { prose } from './prose.js';

/** Follows a `$ref` of the document; `name` is the last part of it. */
export function resolve(api, value) {
  let name;
  while (value?.$ref) {
    const path = value.$ref.slice(2).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    name ??= path.at(-1);
    value = path.reduce((at, part) => at[part], api);
  }
  return { value, name };
}

const BOUNDS = [
  ['minimum', '≥'], ['maximum', '≤'], ['minLength', 'characters ≥'], ['maxLength', 'characters ≤'],
  ['minItems', 'items ≥'], ['maxItems', 'items ≤'], ['pattern', 'as'], ['format', ''],
];

const literal = (value) => JSON.stringify(value);

/** The kind of a schema in a word or two: "array of string", "Cube or null". */
function kindOf(api, schema) {
  const { value, name } = resolve(api, schema);
  if (name) return name;
  const any = value.oneOf ?? value.anyOf;
  if (any) return [...new Set(any.map((one) => kindOf(api, one)))].join(' or ');
  if ('const' in value) return literal(value.const);
  if (value.enum) return value.enum.map(literal).join(' or ');
  if (value.type === 'array') return value.items ? `array of ${kindOf(api, value.items)}` : 'array';
  if (value.allOf) return value.allOf.map((one) => kindOf(api, one)).join(' and ');
  return [value.type ?? 'any'].flat().join(' or ');
}

const boundsOf = (value) => BOUNDS.filter(([key]) => key in value).map(([key, sign]) => `${sign} ${value[key]}`.trim())
  .concat('default' in value ? `default ${literal(value.default)}` : []).join(', ');

/** A schema with the schemas that it combines or lists. */
function partsOf(api, schema) {
  const { value } = resolve(api, schema);
  return [value, ...['allOf', 'oneOf', 'anyOf'].flatMap((key) => value[key] ?? []).concat(value.items ?? [])
    .flatMap((part) => partsOf(api, part))];
}

/** Its members by name, including those of its parts: [name, schema, required]. */
function membersOf(api, schema) {
  const found = new Map();
  for (const part of partsOf(api, schema)) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      if (!found.has(name)) found.set(name, [name, member, (part.required ?? []).includes(name)]);
    }
  }
  return [...found.values()];
}

function memberOf(api, [name, schema, required]) {
  const { value } = resolve(api, schema);
  const bounds = boundsOf(value);
  return [
    element('dt', {}, element('code', {}, name), ' ', element('small', {}, kindOf(api, schema), required ? ', required' : '', bounds && `, ${bounds}`)),
    element('dd', {}, prose(value.description), membersOf(api, schema).length > 0 && lazily('members', () => members(api, schema))),
  ];
}

/** A part that is generated when it is opened, because schemas can contain themselves. */
function lazily(title, make) {
  return element('details', { ontoggle: (event) => event.target.children.length > 1 || event.target.append(make()) }, element('summary', {}, title));
}

const members = (api, schema) => element('dl', {}, membersOf(api, schema).flatMap((member) => memberOf(api, member)));

/** The schema of a body, closed at first. */
export function schemaView(api, schema) {
  if (!schema) return null;
  const { value } = resolve(api, schema);
  const title = [kindOf(api, schema), boundsOf(value)].filter(Boolean).join(', ');
  if (membersOf(api, schema).length === 0) return element('p', {}, element('small', {}, title), ' ', prose(value.description));
  return lazily(title, () => element('div', {}, prose(value.description), members(api, schema)));
}
