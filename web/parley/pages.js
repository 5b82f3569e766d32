/** Lists that come page by page. */

/**
 * All items of a list, page by page: `allItems((page) => session.search('order', page))`.
 *
 * @template T
 * @param {(page: {cursor?: string}) => Promise<{items: T[], next?: string}>} fetch  asks for one page
 * @param {object} [options]  what each page is asked with
 * @returns {AsyncGenerator<T, void, void>}
 */
export async function* allItems(fetch, options = {}) {
  for (let cursor, more = true; more; more = cursor !== undefined) {
    /** @type {{items: T[], next?: string}} */
    const page = await fetch({ ...options, cursor });
    for (const item of page.items) yield item;
    cursor = page.next;
  }
}
