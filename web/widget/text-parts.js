/**
 * What a message's text is made of: words, links, and the few marks that people and programs write most: **bold**, *italic*,
 * _italic_, ~~struck~~, `code`. What is no mark stays as it was written. The time grows with the text's length.
 *
 * @typedef {string|{tag: 'a'|'strong'|'em'|'s'|'code', href?: string, children: Part[]}} Part
 */
import { addressAt } from '../assets/links.js';

const TAGS = { '**': 'strong', '*': 'em', _: 'em', '~~': 's', '`': 'code' };
const ADDRESS = /https?:\/\//gi;
const MARK = /(?<![\w*~`])(\*\*|~~|[*_`])(?!\1)(?=\S)([^\n]{0,299}?\S)\1(?![\w*~`])/g;
const CONTACT = /(?<![\w.+@/:-])(?:([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})|(\+\d(?:[\d ()/.-]{5,18})\d))(?![\w@])/g;

/** @param {string} text @returns {Part[]} */
export const parts = (text) => cut(text, ADDRESS, ({ index }) => address(text, index), marks);

function address(text, at) {
  const found = addressAt(text, at);
  return found && { length: found.text.length, part: { tag: 'a', href: found.href, children: [found.text] } };
}

const marks = (text) =>
  cut(text, MARK, ([whole, mark, inner]) => ({
    length: whole.length,
    part: { tag: TAGS[mark], children: mark === '`' ? [inner] : marks(inner) },
  }), contacts);

/** Mail addresses, and phone numbers with the sign of a country: others may be orders, dates, amounts. */
const contacts = (text) =>
  cut(text, CONTACT, ([whole, mail]) => {
    const digits = whole.replace(/\D/g, '');
    const isPhone = !mail && digits.length >= 8 && digits.length <= 15;
    const href = mail ? `mailto:${mail}` : isPhone && `tel:+${digits}`;
    return href ? { length: whole.length, part: { tag: 'a', href, children: [whole] } } : undefined;
  }, (rest) => [rest]);

/** Cuts a text at what a pattern finds and `make` takes; what is between goes to `between`.
 *  @param {string} text @param {RegExp} pattern @param {(found: RegExpMatchArray) => {length: number, part: Part}|undefined} make
 *  @param {(text: string) => Part[]} between @returns {Part[]} */
function cut(text, pattern, make, between) {
  const made = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const one = found.index < from ? undefined : make(found);
    if (!one) continue;
    if (found.index > from) made.push(...between(text.slice(from, found.index)));
    made.push(one.part);
    from = found.index + one.length;
  }
  if (from < text.length) made.push(...between(text.slice(from)));
  return made;
}
