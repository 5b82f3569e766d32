/** A screen that covers the page: the choice of channels, not signed in, gateway away. What it covers cannot be reached. */
import { el } from './dom.js';

let made = 0; // for ids

/** Puts a screen up, with the keyboard on its heading: that is what is read aloud, and no choice looks taken.
 *  @param {string} heading @param {string} test  its hook @param {...(Node|false)} content
 *  @returns {{element: HTMLElement, leave: () => void}}  `leave` gives the keyboard back */
export function cover(heading, test, ...content) {
  const before = document.activeElement;
  const title = el('h1', { id: `screen-${++made}`, tabindex: -1 }, heading);
  const element = el(
    'main',
    { class: 'screen', 'aria-labelledby': title.id, data: { test } },
    el('div', { class: 'card' }, title, content),
  );
  document.body.append(element);
  settle();
  title.focus();
  const leave = () => {
    element.remove();
    settle();
    if (document.activeElement === document.body) before?.focus();
  };
  return { element, leave };
}

/** Only the topmost is alive. */
function settle() {
  const layers = [...document.querySelectorAll('.app, .screen')];
  for (const layer of layers) layer.inert = layer !== layers.at(-1);
}
