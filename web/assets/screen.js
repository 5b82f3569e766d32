/** A screen that covers the page: the choice of channels, not signed in, no gateway. It blocks the page below. */
import { el } from './dom.js';

let made = 0; // for ids

/** Shows a screen with the focus on its heading: so the heading is read aloud, and no choice looks selected.
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
