/** Building elements without markup: text only ever becomes text nodes. As of `assets/dom.js`, without its icons. */

/** `el('button', {class: 'x', data: {test: 'y'}, on: {click: f}}, child, 'text')`. Attributes and children that are undefined, null
 *  or false are left out. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else if (name === 'data') Object.assign(node.dataset, value);
    else set(node, name, value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** Sets an attribute, or removes it for undefined, null and false. */
export function set(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? '' : value);
}

/** Changes the text only when it differs: a selection must not be lost. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows a text, or hides its element when there is none. @param {HTMLElement} node @param {string} [text] */
export function show(node, text) {
  node.hidden = !text;
  setText(node, text || '');
}

/** Makes `parent`'s children be `wanted`, moving as little as possible: focus and scroll position survive. */
export function place(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/** Makes of many calls one, before the next frame. A hidden page, and a frame that its page hides, draw none but go on. */
export function soon(render) {
  let isDue = false;
  const run = () => {
    if (isDue) render((isDue = false));
  };
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(run);
    setTimeout(run, 100);
  };
}
