/**
 * What the events of a collection do to a list.
 *
 * @typedef {Parameters<typeof import('../parley.js').itemKey>[0]} Item
 * @typedef {'succeeded'|'pending'|'failed'} ListName
 * @typedef {{version: number, list?: ListName, items?: Item[], indices?: number[],
 *            ids: string[], owners?: Omit<Item, 'id'>[]}} Change
 */

/** What tells an item of a collection from the others. At the desk two customers may use one id.
 *  @param {Item} item */
export function itemKey({ id, channel, customer }) {
  return channel && customer ? JSON.stringify([channel, typeof customer === 'string' ? customer : customer.id, id]) : id;
}

/** The lists of a collection as its events name them, and what they are called in a snapshot.
 *  @type {Record<ListName, 'items'|'pending'|'failed'>} */
const LISTS = { succeeded: 'items', pending: 'pending', failed: 'failed' };

/**
 * Applies one event of a collection to the list that is known. Nothing is compared or sorted: the event says where
 * items go. It changes nothing that it was given: it answers another list, or the same when the event is older than the list.
 *
 * @template {import('../parley.js').KnownList} T
 * @param {T} list  a snapshot, or what an earlier call answered; `{version: 0, items: []}` to begin with
 * @param {import('../parley.js').ParleyEvent} event  of the type `collection.insert`, `.move` and so on
 * @returns {T|undefined}  undefined: events are missing in between, get a snapshot
 */
export function applyCollectionEvent(list, event) {
  const type = event.type;
  /** @type {Change} */
  const data = event.data;
  if (data.version <= list.version) return list;
  if (data.version !== list.version + 1) return undefined;
  const next = { ...list, version: data.version };
  const action = type.replace(/^collection\./, '');
  if (action === 'clear') return { ...next, items: [], pending: [], failed: [] };
  const name = LISTS[data.list ?? 'succeeded'];
  if (!['insert', 'move', 'update', 'remove'].includes(action)) return next; // no list changes
  const { items = [], indices = [] } = data;
  let rows = /** @type {Item[]} */ (next[name] ?? []);
  if (action === 'update') {
    const changed = new Map(items.map((item) => [itemKey(item), item]));
    rows = rows.map((row) => changed.get(itemKey(row)) ?? row);
  } else {
    const removed = () => data.ids.map((id, at) => itemKey({ id, ...data.owners?.[at] }));
    const leaving = new Set(action === 'remove' ? removed() : action === 'move' ? items.map(itemKey) : []);
    rows = leaving.size ? rows.filter((row) => !leaving.has(itemKey(row))) : [...rows];
    // Indices are as after the event, ascending.
    if (action !== 'remove') items.forEach((item, at) => rows.splice(indices[at], 0, item));
  }
  return { ...next, [name]: rows };
}
