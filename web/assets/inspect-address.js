/** What the inspector shows, kept in the page's address: so a view with its filters can be sent on and bookmarked. */

/** The address's parameters as an object; `view` is the view. @returns {Record<string, string>} */
export const shownNow = () => Object.fromEntries(new URLSearchParams(location.search));

/** The address of a view. @param {string} view @param {Record<string, string>} [filters] */
export function viewAddress(view, filters = {}) {
  const query = new URLSearchParams({ view });
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return `/inspect?${query}`;
}

/** Puts a changed filter into the address, without another step of the browser's history. */
export function keepFilters(view, filters) {
  history.replaceState(null, '', viewAddress(view, filters));
}
