/** A form's values as the settings of a new webhook, and the gateway's problems as those of the form's fields. */

/** The body of the request, without what is left to the defaults. */
export function settings({ url, description, types, directions, channels, session, headers }) {
  const list = (text) => text.split(/[,;\s]+/).filter(Boolean);
  const [name, ...value] = headers.split(':');
  return {
    url,
    ...(description && { description }),
    ...(types && { types: list(types) }),
    ...(directions && { directions: [directions] }),
    ...(channels && { channels: list(channels) }),
    ...(session && { audience: { session } }),
    ...(headers && { headers: { [name.trim()]: value.join(':').trim() } }),
  };
}

/** Problems by field: `#/types/0` is of `types`, and what is said of an address is of `url`. */
export function problemsOf({ code, detail, errors = [] }) {
  const pairs = errors.map((error) => [error.pointer?.split('/')[1], error.detail]);
  const named = pairs.map(([name, text]) => [name === 'audience' ? 'session' : name, text]).filter(([name]) => name);
  return named.length ? Object.fromEntries(named) : code === 'targetNotAllowed' ? { url: detail } : {};
}
