/** Line icons. They say nothing to a screen reader, so a button with one needs a name. */
import { el } from './dom.js';

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M6 12a1 1 0 10-2 0 1 1 0 102 0zM13 12a1 1 0 10-2 0 1 1 0 102 0zM20 12a1 1 0 10-2 0 1 1 0 102 0z',
  send: 'M4 12l16-8-6 16-3-7z',
  clip: 'M20 11l-8.5 8.5a5 5 0 01-7-7L13 4a3.4 3.4 0 015 5l-8.6 8.5a1.7 1.7 0 01-2.4-2.4L15 7',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  down: 'M12 5v14M6 13l6 6 6-6',
  check: 'M5 12.5l5 5L19.5 7',
  checks: 'M1 12.5l4.5 4.5 8.5-9M11 14.5l2.5 2.5 9-9',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 2',
  alert: 'M12 4v10M12 19v.01',
  plus: 'M12 5v14M5 12h14',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  link: 'M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5',
};
/** Those that point somewhere turn with the direction of the text. */
const TURNS = new Set(['back', 'send', 'link']);
const SVG = 'http://www.w3.org/2000/svg';

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: TURNS.has(name) ? 'icon turns' : 'icon' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its name is for assistive technology and the tooltip. */
export function iconButton(name, label, attributes = {}) {
  return el('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, ...attributes }, icon(name));
}

/** A button with words. @param {string} hook  for tests @param {() => void} click */
export function button(hook, label, click, look = 'quiet') {
  return el('button', { type: 'button', class: look, data: { test: hook }, on: { click } }, label);
}
