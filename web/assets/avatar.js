/** The round sign of a conversation: initials on a tint. */
import { el, setText } from './dom.js';
import { initials, tint } from './format.js';

export const avatar = () => el('span', { class: 'avatar', 'aria-hidden': 'true' });

/** Untitled conversations share their initials: the tint comes from the id, so that they can be told apart.
 *  @param {HTMLElement} element @param {import('./sides.js').Side} side @param {import('../parley.js').ChatThread} thread */
export function showAvatar(element, side, thread) {
  setText(element, initials(side.title(thread)));
  element.className = `avatar tint-${tint(side.isUntitled(thread) ? thread.id : side.title(thread))}`;
}
