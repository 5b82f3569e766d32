/** A message's text as elements: what was written only ever becomes text nodes, in tags of a short list. */
import { el } from './dom.js';
import { parts } from './text-parts.js';
import { t } from './texts.js';

/** @param {string} text @returns {(string|Node)[]} */
export const textNodes = (text) => parts(text).map(node);

function node(part) {
  if (typeof part === 'string') return part;
  const children = part.children.map(node);
  return part.tag === 'a' ? link(part.href, children) : el(part.tag, {}, children);
}

/** Whether an address may be followed. @param {string} [address] */
export const isOfTheWeb = (address) => /^https?:\/\//i.test(address ?? '');

/** A link out of a message. A page of the web opens beside the chat, and learns nothing of it.
 *  @param {string} href @param {(string|Node)[]} children */
export function link(href, children, attributes = {}) {
  const beside = isOfTheWeb(href) && { target: '_blank', title: t('messages.link') };
  return el('a', { href, rel: 'noopener noreferrer nofollow ugc', ...beside, data: { test: 'link' }, ...attributes }, children);
}
