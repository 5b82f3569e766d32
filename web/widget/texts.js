/** The page's texts: one language's, which the gateway puts into the page, with the channel's own words among them. */
import { fill } from '../assets/translate.js';

let table = {};
let language = 'en';

/** @param {Record<string, Record<string, string|Record<string, string>>>} texts  by group and key @param {string} lang */
export function useTexts(texts, lang) {
  table = texts ?? {};
  language = lang || 'en';
}

/** The language of the page, for dates and numbers. */
export const lang = () => language;

/** A text by `group.key`, with its places filled. One that is missing is shown by its key, so that it is noticed.
 *  @param {string} key @param {Record<string, string|number>} [values] */
export function t(key, values) {
  const [group, name] = key.split('.');
  const text = table[group]?.[name];
  return text === undefined ? key : fill(text, values, language);
}

/** A text with an element in one of its places: the text before it, the element, the text behind it.
 *  @param {string} key @param {string} place @param {Node} element @returns {(string|Node)[]} */
export function around(key, place, element) {
  const mark = '\u0000';
  const [before, after = ''] = t(key, { [place]: mark }).split(mark);
  return [before, element, after];
}
