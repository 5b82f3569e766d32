/** What stands in a transcript, row by row: days, the line above what is new, messages with their neighbours in mind. */
import { dayKey } from './times.js';

const GROUP_GAP = 5 * 60_000;

/**
 * @param {object[]} messages  ascending; unsent ones last
 * @param {{unreadFrom?: string}} [how]  `unreadFrom`: the id of the first message that was new when the conversation was opened
 * @returns {({kind: 'day', key: string, time: string}|{kind: 'news', key: string, count: number}
 *           |{kind: 'message', key: string, message: object, first: boolean, last: boolean, choice?: Choice})[]}
 */
export function rows(messages, { unreadFrom } = {}) {
  const made = [];
  const days = new Map();
  messages.forEach((message, at) => {
    const [before, after] = [messages[at - 1], messages[at + 1]];
    if (!before || dayKey(before.createdAt) !== dayKey(message.createdAt)) made.push(day(message.createdAt, days));
    if (message.id === unreadFrom) {
      const count = messages.slice(at).filter(({ direction }) => direction === 'toClient').length;
      made.push({ kind: 'news', key: 'news', count });
    }
    made.push({
      kind: 'message',
      key: message.id,
      message,
      first: !belongTogether(before, message) || message.id === unreadFrom,
      last: !belongTogether(message, after) || after?.id === unreadFrom,
      choice: message.content ? choice(message, messages.slice(at + 1)) : undefined,
    });
  });
  return made;
}

/** A day may come twice, when a clock went back. */
function day(time, days) {
  const key = dayKey(time);
  const nth = (days.get(key) ?? 0) + 1;
  days.set(key, nth);
  return { kind: 'day', key: `day ${key} ${nth}`, time };
}

function belongTogether(a, b) {
  if (!a || !b || a.direction !== b.direction || a.kind === 'line' || b.kind === 'line') return false;
  const gap = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return a.author?.id === b.author?.id && gap < GROUP_GAP && dayKey(a.createdAt) === dayKey(b.createdAt);
}

/** What was chosen of what a message offers. Quick replies end with whatever the customer writes next; a list stays until
 *  something of it is chosen.
 *  @typedef {{isOver: boolean, chosen?: number}} Choice
 *  @param {object} message @param {object[]} later  those behind it @returns {Choice} */
export function choice({ type, content }, later) {
  const own = later.filter(({ direction }) => direction === 'toAgent');
  const offers = (content.timeSlots ?? content.buttons ?? []).map(({ id, text, postback }) => ({ text, postback: postback ?? id }));
  const isOne = ({ text, postback }) => own.some((one) => (postback ? one.postback === postback : one.text === text));
  const chosen = offers.findIndex(isOne);
  return { isOver: chosen >= 0 || (type === 'quickReplies' && own.length > 0), ...(chosen >= 0 && { chosen }) };
}
