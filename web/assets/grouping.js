/** Which messages stand together in a transcript. */
import { dayKey } from './format.js';

const GROUP_GAP = 5 * 60_000;

const daysKnown = new WeakMap(); // a day is dear to find, and asked for at every render

/** The local day of a message. */
export function dayOf(message) {
  if (!daysKnown.has(message)) daysKnown.set(message, dayKey(message.createdAt));
  return daysKnown.get(message);
}

/** Whether two neighbours form one group: an author's messages of a few minutes. */
export function belongTogether(a, b) {
  if (!a || !b || a.direction !== b.direction) return false;
  const sameAuthor = a.author.id === b.author.id;
  const gap = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return sameAuthor && gap < GROUP_GAP && dayOf(a) === dayOf(b);
}
