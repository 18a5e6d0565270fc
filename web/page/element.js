// element.js: creates elements with their attributes and children in one call.

/** `element('a', {href: '#x'}, 'text', child, ...)`; children that are null or false are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return made;
}
