/**
 * The half of a login that a page keeps. The other half is a cookie, which browsers send to all ports of a host; this one is
 * in the storage of one origin, so another program on the machine gets nothing by the cookie alone.
 */
export const PLACE = 'parley.page';

/** The half that this page has for a gateway; undefined: none, or the gateway is of another origin.
 *  @param {string} baseURL
 *  @returns {string|undefined} */
export function pageHalf(baseURL) {
  try {
    if (new URL(baseURL).origin !== globalThis.location?.origin) return undefined;
    return globalThis.localStorage?.getItem(PLACE) ?? undefined;
  } catch {
    return undefined; // the browser forbids storage
  }
}
