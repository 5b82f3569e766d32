import assert from 'node:assert/strict';
import test from 'node:test';
import { LogBook } from '../../web/assets/log-book.js';

const desk = { channel: 'multi', customer: { id: 'ada' } };
const created = (id, text, thread = 't1') => ({ id: `e-${id}`, type: 'message.created', data: { loggedAt: '2026-05-04T09:30:00.000Z', ...desk, threadId: thread, message: { id, text, author: { name: 'Ada' } } } });
const updated = (id, text, thread = 't1') => ({ id: `e-${id}u`, type: 'thread.updated', data: { thread: { id: thread, state: 'ready', lastMessage: { id, text }, ...desk } } });

test('an event becomes a row of one line', () => {
  const book = new LogBook();
  book.add(created('m1', 'Where is my order?'));
  const [row] = book.shown;
  assert.deepEqual([row.cursor, row.thread, row.account, row.words], ['e-m1', 't1', 'multi/ada', 'Ada: Where is my order?']);
  assert.equal(JSON.parse(row.json).message.text, 'Where is my order?');
});

test('filters choose rows, also of what comes later', () => {
  const book = new LogBook();
  book.filter({ thread: 't1', account: 'ada', text: 'ORDER?' });
  book.add(created('m1', 'Where is my order?'));
  book.add(created('m2', 'Where is my order?', 't2'));
  book.add(created('m3', 'An order'));
  assert.deepEqual(book.shown.map(({ cursor }) => cursor), ['e-m1']);
  book.filter({ account: 'multi/ada' });
  assert.equal(book.shown.length, 3);
  book.filter({ account: 'ben' });
  assert.equal(book.shown.length, 0);
});

test('a message that is removed takes its text from all rows', () => {
  const book = new LogBook();
  book.add(created('m1', 'secret'));
  book.add(updated('m1', 'secret'));
  book.add(created('m2', 'harmless'));
  book.add(created('m1', 'of another thread', 't2'));
  book.add({ id: 'e-9', type: 'message.removed', data: { ...desk, threadId: 't1', messageId: 'm1' } });
  assert.deepEqual(book.shown.map(({ isRedacted }) => isRedacted), [true, true, false, false, false]);
  assert.ok(!JSON.stringify(book).includes('secret'));
  assert.equal(JSON.parse(book.rows[0].json).messageId, 'm1');
  book.filter({ text: 'secret' });
  assert.equal(book.shown.length, 0);
});

test('the oldest go when there are too many', () => {
  const book = new LogBook(10);
  for (let n = 0; n < 6000; n++) book.add(created(`m${n}`, 'x'));
  assert.ok(book.rows.length <= 10 + 5000);
  assert.equal(book.rows.at(-1).cursor, 'e-m5999');
  assert.deepEqual(book.shown, book.rows);
});
