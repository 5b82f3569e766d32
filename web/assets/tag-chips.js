/** Tags as small marks with their names and colours. */
import { el, place, set, setText } from './dom.js';

/** Makes the element show these, anew only where one is another. @param {HTMLElement} element
 *  @param {readonly import('./tag-book.js').Tag[]} tags */
export function tagChips(element, tags) {
  const chips = tags.map((tag, at) => element.children[at] ?? el('span', { class: 'chip', dir: 'auto' }));
  tags.forEach(({ name, colour }, at) => {
    setText(chips[at], name);
    set(chips[at], 'data-colour', colour ?? 'grey');
  });
  place(element, chips);
}
