/** How the library writes paths and names, and reads what comes. */

/** Escapes what is put into a path: a tagged template. `.` and `..` cannot be escaped: every URL takes them for steps,
 *  in any encoding, so the request would go to another resource. No id is one of them.
 *  @param {TemplateStringsArray} strings
 *  @param {string[]} values
 *  @throws {TypeError} */
export function path(strings, ...values) {
  const step = values.find((value) => value === '.' || value === '..');
  if (step) throw new TypeError(`${step} is no id`);
  return strings.reduce((all, part, i) => all + encodeURIComponent(values[i - 1]) + part);
}

/** For `filename*` (RFC 8187): narrower than what encodeURIComponent leaves as it is.
 *  @param {string} name */
export function encoded(name) {
  /** @param {string} sign */
  const hex = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replace(/['()*!]/g, hex);
}

/** The value of a text, or the text itself where it is not JSON.
 *  @param {string} text */
export function decoded(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
