/**
 * A text of a language's table, with its places filled. The tables are data: `web/texts/<tag>.js`.
 *
 *     fill('{name} and {count} more', { name: 'Mia', count: 1200 }, 'de'); // 'Mia and 1.200 more'
 *     fill({ one: '{count} message', other: '{count} messages' }, { count: 1 }, 'en'); // '1 message'
 *
 * A text with `count` may be an object with a form for each plural category of the language (`Intl.PluralRules`); `other`
 * is always there. A number is written as the language writes it. Throws for a place without a value.
 *
 * @param {string | Record<string, string>} text
 * @param {Record<string, string | number>} [values]
 * @param {string} [lang] a BCP 47 tag
 */
export function fill(text, values = {}, lang = 'en') {
  const form = typeof text === 'string' ? text : (text[plurals(lang).select(values.count)] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (place, name) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for ${place}`);
    return typeof value === 'number' ? numbers(lang).format(value) : value;
  });
}

/** Makes one object of `Intl` for each language: to make them takes long. */
const kept = (make, made = new Map()) => (lang) => made.get(lang) ?? made.set(lang, make(lang)).get(lang);

const plurals = kept((lang) => new Intl.PluralRules(lang));
const numbers = kept((lang) => new Intl.NumberFormat(lang));
