/** A message's text as elements: what was written only ever becomes text nodes, in tags of a short list. */
import { el } from './dom.js';
import { markup } from './markup.js';

/** @param {string} text @returns {(string|HTMLElement)[]} */
export const markupNodes = (text) => markup(text).map(node);

function node(one) {
  if (typeof one === 'string') return one;
  const children = one.children.map(node);
  if (one.tag !== 'a') return el(one.tag, {}, children);
  const link = { href: one.href, title: one.href, target: '_blank', rel: 'noopener noreferrer nofollow', data: { test: 'link' } };
  return el('a', link, children);
}
