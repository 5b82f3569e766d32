/** Escaping for what becomes part of a request's head. */

/** For `filename*` (RFC 8187): narrower than what encodeURIComponent leaves as it is. */
export function encoded(name) {
  return encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Tagged template that escapes what is put into a path. */
export function path(strings, ...values) {
  return strings.reduce((all, part, i) => all + encodeURIComponent(values[i - 1]) + part);
}
