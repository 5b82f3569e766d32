/** Which conversation comes next: of those that wait for an answer the longest, one's own before those that nobody has. */

/** @param {import('../parley.js').DeskThreads} threads  the desk's
 *  @param {{agent: string, channel?: string, except?: (thread: object) => boolean}} whose
 *    `except`: what was just left, and may still be told of as it was
 *  @returns {Promise<object|undefined>} */
export async function nextThread(threads, { agent, channel, except = () => false }) {
  const waiting = { state: 'open', waiting: true, order: 'waiting', snoozed: 'exclude', limit: 2, ...(channel && { channel }) };
  for (const whose of [{ agent }, { unassigned: true }]) {
    const { items } = await threads.list({ ...waiting, ...whose });
    const next = items.find((thread) => !except(thread));
    if (next) return next;
  }
  return undefined;
}
