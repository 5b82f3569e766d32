/** One page of the messages that contain these words. */
export function search(parley, base, q, { signal, ...options } = {}) {
  return parley.request('GET', `${base}/search`, { query: { q, ...options }, signal });
}
