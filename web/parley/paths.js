/** How the library writes paths and names, and reads what comes. */

/** Escapes what is put into a path: a tagged template. */
export function path(strings, ...values) {
  return strings.reduce((all, part, i) => all + encodeURIComponent(values[i - 1]) + part);
}

/** For `filename*` (RFC 8187): narrower than what encodeURIComponent leaves as it is. */
export function encoded(name) {
  const hex = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replace(/['()*!]/g, hex);
}

/** The value of a text, or the text itself where it is not JSON. */
export function decoded(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
