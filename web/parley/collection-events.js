/** What the events of a collection do to a list. */

/** What tells an item of a collection from the others: at the desk, where all customers' threads meet, an id alone does not. */
export function itemKey({ id, channel, customer }) {
  return channel && customer ? JSON.stringify([channel, customer.id ?? customer, id]) : id;
}

/** The lists of a collection as its events name them, and what they are called in a snapshot. */
const LISTS = { succeeded: 'items', pending: 'pending', failed: 'failed' };

/**
 * Applies one event of a collection to what is known of it, as an array is: nothing is compared, sorted or looked for. Pure:
 * answers another list, or the same when the event is older than the list.
 *
 * @template {{version: number, items: object[], pending?: object[], failed?: object[]}} T
 * @param {T} list  a snapshot, or what an earlier call answered; `{version: 0, items: []}` to begin with
 * @param {{type: string, data: {version: number, list?: 'succeeded'|'pending'|'failed', indices?: number[], items?: object[],
 *          ids?: string[], owners?: {channel: string, customer: string}[]}}} event  `owners` with `ids`, of the desk's threads
 * @returns {T|undefined}  undefined: events are missing in between, get a snapshot
 */
export function applyCollectionEvent(list, { type, data }) {
  if (data.version <= list.version) return list;
  if (data.version !== list.version + 1) return undefined;
  const next = { ...list, version: data.version };
  const action = type.replace(/^collection\./, '');
  if (action === 'clear') return { ...next, items: [], pending: [], failed: [] };
  const name = LISTS[data.list ?? 'succeeded'];
  if (!['insert', 'move', 'update', 'remove'].includes(action)) return next; // news, a huge gap, the parent: no list changes
  const { items = [], indices = [] } = data;
  let rows = next[name] ?? [];
  if (action === 'update') {
    const changed = new Map(items.map((item) => [itemKey(item), item]));
    rows = rows.map((row) => changed.get(itemKey(row)) ?? row);
  } else {
    const removed = () => data.ids.map((id, at) => itemKey({ id, ...data.owners?.[at] }));
    const leaving = new Set(action === 'remove' ? removed() : action === 'move' ? items.map(itemKey) : []);
    rows = leaving.size ? rows.filter((row) => !leaving.has(itemKey(row))) : [...rows];
    if (action !== 'remove') items.forEach((item, at) => rows.splice(indices[at], 0, item)); // as after the event, ascending
  }
  return { ...next, [name]: rows };
}
