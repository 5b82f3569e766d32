/** Building elements without markup: text only ever becomes text nodes. */

/** `el('button', {class: 'x', data: {test: 'y'}, on: {click: f}, type: 'button'}, child, 'text')`.
 *  Attributes that are undefined, null or false are left out; children likewise. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else if (name === 'data') for (const [key, text] of Object.entries(value)) setData(node, key, text);
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

function setData(node, key, text) {
  if (text !== undefined && text !== null) node.dataset[key] = text;
}

/** Changes the text only when it differs: a live region must not speak again, a selection must not be lost. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Icons that point along the line of writing. */
const TURNING = new Set(['back', 'leave', 'release', 'reply', 'send', 'transfer']);

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  archive: 'M4 4h16v4H4zM6 8v12h12V8M10 12h4',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  send: 'M4 12l16-8-6 16-3-7z',
  person: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  down: 'M12 5v14M6 13l6 6 6-6',
  switch: 'M4 8h14l-4-4M20 16H6l4 4',
  retry: 'M20 12a8 8 0 11-2.5-5.8M20 3v5h-5',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l5 5L19.5 7',
  checks: 'M1 12.5l4.5 4.5 8.5-9M11 14.5l2.5 2.5 9-9',
  alert: 'M12 4v10M12 19v.01',
  reply: 'M10 5l-6 6 6 6M4 11h9a7 7 0 017 7v2',
  clip: 'M20 11l-8.5 8.5a5 5 0 01-7-7L13 4a3.4 3.4 0 015 5l-8.6 8.5a1.7 1.7 0 01-2.4-2.4L15 7',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5',
  link: 'M10 14a4 4 0 005.7 0l3.5-3.5a4 4 0 00-5.7-5.7L12 6.3M14 10a4 4 0 00-5.7 0L4.8 13.5a4 4 0 005.7 5.7L12 17.7',
  stop: 'M12 21a9 9 0 100-18 9 9 0 000 18zM9 9l6 6M15 9l-6 6',
  gear: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 110 5 2.5 2.5 0 010-5zM9 14.5a2.5 2.5 0 110 5 2.5 2.5 0 010-5z',
  key: 'M8 15a4 4 0 114-4h8v4h-3v-2M8 11h.01',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  bell: 'M6 17v-6a6 6 0 0112 0v6l2 1H4zM10 21h4',
  people: 'M9 12a4 4 0 100-8 4 4 0 000 8zM2 20c0-3.5 3-5.5 7-5.5s7 2 7 5.5M16 4.5a4 4 0 010 7M18 14.8c2.5.6 4 2.5 4 5.2',
  webhook:
    'M12 8.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM6 19.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM18 19.5a2.5 2.5 0 100-5 2.5 2.5 0 ' +
    '000 5zM10.8 8.2l-3.6 6.6M8.5 17h7M13.2 8.2l3.6 6.6',
  transfer: 'M9 12a4 4 0 100-8 4 4 0 000 8zM2 20c0-3.5 3-5.5 7-5.5 1 0 2 .1 2.8.4M14 19h7M18 15.5l3.5 3.5-3.5 3.5',
  release: 'M9 6L4 11l5 5M4 11h9a6 6 0 016 6v2',
  note: 'M5 3h14v12l-5 6H5zM14 21v-6h5M9 8h6M9 12h4',
  answers: 'M4 4h16v12H9l-5 4zM8 8h8M8 12h5',
  sliders: 'M6 4v8M6 16v4M12 4v3M12 11v9M18 4v10M18 18v2M4 14h4M10 9h4M16 16h4',
  select: 'M4 4h16v16H4zM8 12l3 3 5-6',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3.5 2',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5v.01',
  reopen: 'M4 4h16v4H4zM6 8v12h12V8M12 17v-5.5M9.5 13.5L12 11l2.5 2.5',
  chart: 'M4 20h16M7 16v-4M12 16V5M17 16V9',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  assign: 'M10 12a4 4 0 100-8 4 4 0 000 8zM3 20c0-3 3-5 7-5M14 18l3 3 5-6',
};

/** A line icon; it says nothing to a screen reader, so its button needs a name. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const attributes = { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: TURNING.has(name) ? 'icon turns' : 'icon' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon and a name that only assistive technology and the tooltip show. */
export function iconButton(name, label, attributes = {}) {
  return el('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, ...attributes }, icon(name));
}

/** Makes of many calls one, before the next frame: events come in bursts. A hidden page draws no frames, but goes on. */
export function soon(render) {
  let isDue = false;
  const run = () => {
    isDue = false;
    render();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (document.visibilityState === 'visible') requestAnimationFrame(run);
    else setTimeout(run, 100);
  };
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
