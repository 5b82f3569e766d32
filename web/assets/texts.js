/**
 * The texts of the page, by section and key. A text is a string. A text with places is a function of one object:
 *
 *     texts.common.send; // 'Send'
 *     texts.people.andMore({ name: 'Mia', count: 2 }); // 'Mia and 2 more'
 *
 * The words are data, one file a language: `web/texts/<tag>.js`. English is loaded with the page. For another language the
 * gateway puts that language's table into the page, as `<script type="application/json" id="texts">`. A section that is
 * missing there stays English.
 *
 * A host page may replace texts, before the page's own script is loaded. What it leaves out stays as it is:
 *
 *     import { replaceTexts } from '/assets/texts.js';
 *     replaceTexts({ common: { send: 'Submit' }, messages: { news: { one: 'A new one', other: '{count} new ones' } } });
 *     await import('/assets/chat-page.js');
 *
 * @typedef {string | Record<string, string>} Text  as a table has it; an object has a form for each plural category of `count`
 */
import { default as english } from '../texts/en.js';
import { fill } from './translate.js';

const PLACE = /\{(\w+)\}/g;
/** Texts of earlier versions: to replace them does nothing. */
const RETIRED = ['desk.filters', 'files.label', 'files.units', 'inspect.milliseconds', 'webhooks.testResult'];

const embedded = globalThis.document?.getElementById('texts');
const table = embedded ? JSON.parse(embedded.textContent) : english;

/** The page's language, a BCP 47 tag. */
export const language = table.lang;

/** How dates and numbers are written: the browser's own variant of the page's language, `en-GB` for example. */
export const locale = variant(language, globalThis.navigator?.languages);

if (embedded) Object.assign(document.documentElement, { lang: language, dir: table.dir });

export const texts = Object.fromEntries(
  Object.entries({ ...english.pages, ...table.pages }).map(([section, entries]) => [section, made(entries)]),
);

let isForCustomers = false;

/** From now on problems are told by their codes. The customers' page calls it: details are for developers. */
export function speakToCustomers() {
  isForCustomers = true;
}

/** What to say of an error. @param {{code?: string, detail?: string, message?: string}} [error]
 *  @param {string} [general]  for an error of which nothing else is known */
export function problemText(error, general = texts.common.wrong) {
  if (isForCustomers) return table.problems[error?.code] ?? general;
  return error?.detail || error?.message || general;
}

/** Puts texts of a host page in place of these.
 *  @param {Record<string, Record<string, Text | Record<string, Text>>>} others  sections with some of their texts
 *  @throws {TypeError}  for a text that no page shows, or a place that the text does not have */
export function replaceTexts(others, into = texts, known = english.pages, path = '') {
  for (const [name, text] of Object.entries(others)) {
    const here = path + name;
    if (RETIRED.includes(here)) console.warn(`texts.${here} is not shown any more.`);
    else if (!Object.hasOwn(into, name)) throw new TypeError(`There is no texts.${here}.`);
    else if (typeof into[name] === 'object') replaceTexts(text, into[name], known[name], `${here}.`);
    else into[name] = replacement(text, into[name], known[name], here);
  }
}

function replacement(text, before, known, path) {
  const isFilled = typeof before === 'function';
  if (typeof text === 'function') {
    console.warn(`texts.${path} is a function. Write it as ${JSON.stringify(known)}: functions are taken for this release only.`);
    return isFilled ? called(text, before) : before;
  }
  const foreign = places(text).find((place) => !places(known).includes(place) && !(place === 'count' && isPlural(known)));
  if (foreign) throw new TypeError(`texts.${path} has no place {${foreign}}.`);
  return isFilled ? filled(text) : text;
}

/** A function of earlier versions. It got its values one by one, in the order in which the page names them today. */
const called = (text, before) => (values) => {
  try {
    return text(...Object.values(values));
  } catch (error) {
    console.warn(error);
    return before(values);
  }
};

function isPlural(text) {
  return typeof text.other === 'string';
}

/** @param {Text} text */
function places(text) {
  return Object.values(isPlural(text) ? text : [text]).flatMap((form) => [...form.matchAll(PLACE)].map(([, name]) => name));
}

/** @param {Text | Record<string, Text>} entry */
function made(entry) {
  if (isPlural(entry)) return filled(entry);
  if (typeof entry === 'string') return places(entry).length ? filled(entry) : entry;
  return Object.fromEntries(Object.entries(entry).map(([key, one]) => [key, made(one)]));
}

function filled(text) {
  return (values) => fill(text, table.dir === 'rtl' ? isolated(values) : values, locale);
}

/** Keeps the order of a name or a number within a text that runs the other way: FIRST STRONG ISOLATE around it. */
function isolated(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? `\u2068${value}\u2069` : value]));
}

/** Of the languages that the browser prefers, the first in the page's language and script; else the page's own.
 *  @param {string} own @param {readonly string[]} [preferred] */
export function variant(own, preferred = []) {
  if (new Intl.Locale(own).region) return own;
  const kind = (tag) => {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  };
  return preferred.find((tag) => kind(tag) === kind(own)) ?? own;
}
