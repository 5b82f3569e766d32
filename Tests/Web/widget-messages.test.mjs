import assert from 'node:assert/strict';
import test from 'node:test';
import { Conversation } from '../../web/widget/conversation.js';
import { isLater, MessageList } from '../../web/widget/message-list.js';
import { choice, rows } from '../../web/widget/rows.js';
import { comingOrGoing, mayReopen, ThreadBook } from '../../web/widget/thread-book.js';

const at = (minute, day = 1) => `2026-05-0${day}T10:${String(minute).padStart(2, '0')}:00.000Z`;
const message = (id, minute = 0, more = {}) => ({
  id, createdAt: at(minute), updatedAt: at(minute), status: 'delivered', direction: 'toAgent', author: { id: 'ann', kind: 'customer' }, text: id, ...more,
});
const ids = ({ items }) => items.map(({ id }) => id).join(' ');

test('a message is there once, in its newest form, whichever comes first', () => {
  const list = new MessageList();
  assert.equal(list.put(message('b', 2)), true);
  list.put(message('a', 1));
  list.put(message('c', 2));
  assert.equal(ids(list), 'a b c', 'equals in time stay as they came');
  assert.equal(list.put(message('b', 2, { status: 'seen' })), false);
  assert.equal(list.put(message('b', 2, { status: 'sent' })), false);
  assert.equal(list.items[1].status, 'seen', 'what was seen is not unseen');
  list.put(message('b', 2, { updatedAt: at(9), text: 'other', status: 'delivered' }));
  assert.equal(list.items[1].text, 'other');
  assert.equal(isLater(message('b', 2), message('b', 2)), false);
});

test('pages come newest first, and older ones go before', () => {
  const list = new MessageList();
  list.put(message('d', 4));
  list.reset({ items: [message('c', 3), message('b', 3)], next: 'more' });
  assert.equal(ids(list), 'b c', 'the page is what there is');
  assert.equal(list.older, 'more');
  list.put(message('a1', 1, { status: 'seen' }));
  assert.equal(ids(list), 'b c', 'what is not loaded yet comes with its page');
  list.addOlder({ items: [message('b', 3), message('a2', 3), message('a1', 1)] });
  assert.equal(ids(list), 'a1 a2 b c');
  assert.equal(list.older, undefined);
});

test('what was removed leaves a mark, and does not come back', () => {
  const list = new MessageList();
  list.reset({ items: [message('a')] });
  list.remove('a');
  list.put(message('a', 0, { updatedAt: at(5) }));
  assert.deepEqual([list.items[0].isRemoved, list.items[0].text], [true, undefined]);
  list.remove('b');
  assert.equal(list.put(message('b')), false, 'also when its removal came first');
});

test('what happens while a page is on its way is not lost', async () => {
  const conversation = new Conversation('t', () => {});
  let answer;
  const loading = conversation.load(() => new Promise((resolve) => (answer = resolve)));
  await Promise.resolve();
  conversation.take({ type: 'message.created', data: { message: message('b', 2) } });
  conversation.take({ type: 'message.removed', data: { messageId: 'a' } });
  answer({ items: [message('a', 1)] });
  await loading;
  assert.deepEqual(conversation.list.items.map(({ id, isRemoved }) => [id, isRemoved]), [['b', undefined]]);
  assert.deepEqual(conversation.shown([{ ...message('b', 2), thread: 't' }, { ...message('c', 3), thread: 't' }, { ...message('d'), thread: 'other' }]).map(({ id }) => id), ['b', 'c']);
});

test('days, what is new and neighbours', () => {
  const other = { direction: 'toClient', author: { id: 'bot', kind: 'bot' } };
  const made = rows(
    [message('a', 0), message('b', 1), message('c', 2, other), message('d', 30, other), message('e', 0, { createdAt: at(0, 2) })],
    { unreadFrom: 'c' },
  );
  const shown = made.map(({ kind, key, count, first, last }) => (kind === 'message' ? `${key}${first ? '<' : ''}${last ? '>' : ''}` : kind + (count ?? '')));
  assert.deepEqual(shown, ['day', 'a<', 'b>', 'news2', 'c<>', 'd<>', 'day', 'e<>']);
});

test('choices end as their kind says', () => {
  const buttons = [{ text: 'Yes', postback: 'y' }, { text: 'No' }];
  const quick = { type: 'quickReplies', content: { buttons } };
  const list = { type: 'listPicker', content: { buttons } };
  const times = { type: 'timePicker', content: { timeSlots: [{ id: 'slot' }] } };
  const said = (text, postback) => ({ direction: 'toAgent', text, postback });
  assert.deepEqual(choice(quick, []), { isOver: false });
  assert.deepEqual(choice(quick, [{ direction: 'toClient', text: 'Yes' }]), { isOver: false });
  assert.deepEqual(choice(quick, [said('something')]), { isOver: true });
  assert.deepEqual(choice(list, [said('something')]), { isOver: false });
  assert.deepEqual(choice(list, [said('Yes')]), { isOver: false }, 'the same word written by hand is not the button');
  assert.deepEqual(choice(list, [said('Yes', 'y')]), { isOver: true, chosen: 0 });
  assert.deepEqual(choice(list, [said('No')]), { isOver: true, chosen: 1 });
  assert.deepEqual(choice(times, [said('Monday', 'slot')]), { isOver: true, chosen: 0 });
});

test('the book has the latest first, and counts what can be read', () => {
  const book = new ThreadBook();
  const thread = (id, minute, more = {}) => ({ id, state: 'ready', createdAt: at(0), updatedAt: at(minute), lastMessage: { createdAt: at(minute) }, unreadCount: 1, ...more });
  book.reset([thread('a', 1), thread('b', 2, { state: 'closed' }), thread('c', 0, { hidden: true })]);
  assert.equal(book.put(thread('a', 0, { unreadCount: 9 })).id, 'a');
  assert.equal(book.get('a').unreadCount, 1, 'an older form changes nothing');
  book.put(thread('d', 5, { unreadCount: 2 }));
  assert.deepEqual(book.all.map(({ id }) => id), ['d', 'b', 'a']);
  assert.equal(book.unread, 3);
  assert.equal(book.current.id, 'd');
  book.remove('d');
  assert.equal(book.current.id, 'a');
});

test('who comes and goes is told by name', () => {
  const [mia, bo] = [{ id: 'mia', name: 'Mia' }, { id: 'bo', name: 'Bo' }];
  assert.deepEqual(comingOrGoing({}, { agent: mia }), ['messages.joined', 'Mia']);
  assert.deepEqual(comingOrGoing({ agent: mia }, { agent: bo }), ['messages.joined', 'Bo']);
  assert.deepEqual(comingOrGoing({ agent: mia }, {}), ['messages.left', 'Mia']);
  assert.equal(comingOrGoing({ agent: mia }, { agent: mia }), undefined);
  assert.equal(comingOrGoing(undefined, { agent: mia }), undefined, 'nothing is known of before');
  assert.equal(comingOrGoing({ agent: mia }, { state: 'closed' }), undefined, 'the end is told otherwise');
});

test('a conversation that has ended goes on for as many days as its channel says', () => {
  const daysAgo = (days) => ({ contactClosedAt: new Date(Date.now() - days * 86_400_000).toISOString() });
  assert.equal(mayReopen(daysAgo(1), { reopenDays: 2 }), true);
  assert.equal(mayReopen(daysAgo(3), { reopenDays: 2 }), false);
  assert.equal(mayReopen(daysAgo(0), {}), false);
  assert.equal(mayReopen({}, { reopenDays: 2 }), false);
  assert.equal(mayReopen(undefined, { reopenDays: 2 }), false);
});
