import assert from 'node:assert/strict';
import test from 'node:test';
import { MessageList } from '../../web/assets/message-list.js';
import { accountKey, ThreadIndex } from '../../web/assets/thread-index.js';

const at = (second) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (id, second, more = {}) => ({ id, createdAt: at(second), updatedAt: at(second), text: id, ...more });
const page = (cursor, messages, next) => ({ cursor: `e-${cursor}`, items: messages, next });
const ids = (list) => list.items.map(({ id }) => id).join(' ');
const texts = (list) => list.items.map(({ text }) => text).join(' ');

function loaded(...args) {
  const list = new MessageList();
  list.reset(page(...args));
  return list;
}

test('a page, newest first, becomes ascending, equals in the page\'s order', () => {
  assert.equal(ids(loaded(9, [message('d', 3), message('c', 2), message('b', 2), message('a', 1)])), 'a b c d');
});

test('an event of the same time as another comes behind it', () => {
  const list = loaded(9, [message('b', 2), message('a', 1)]);
  list.upsert(message('a2', 2), 'e-10');
  list.upsert(message('a1', 2), 'e-11');
  assert.equal(ids(list), 'a b a2 a1');
});

test('an older page is put before, also where times are equal at the edge', () => {
  const list = loaded(9, [message('d', 5), message('c', 4)], 'more');
  list.prepend(page(9, [message('b2', 4), message('b1', 4), message('a', 1)]));
  assert.equal(ids(list), 'a b1 b2 c d');
  assert.equal(list.older, undefined);
});

test('pages that overlap show nothing twice', () => {
  const list = loaded(9, [message('c', 3), message('b', 2)], 'more');
  list.prepend(page(9, [message('b', 2), message('a', 1)]));
  assert.equal(ids(list), 'a b c');
});

test('every event is idempotent', () => {
  const list = loaded(9, [message('a', 1)]);
  for (let i = 0; i < 3; i++) list.upsert(message('b', 2), 'e-10');
  assert.equal(ids(list), 'a b');
});

test('events before the first page wait for it; it does not undo what came after it', () => {
  const list = new MessageList();
  list.upsert(message('a', 1, { text: 'old' }), 'e-5');
  list.upsert(message('b', 2, { text: 'newer' }), 'e-12');
  list.upsert(message('c', 3), 'e-13');
  list.remove('d', 'e-14');
  list.reset(page(10, [message('d', 4), message('b', 2, { text: 'of the page' }), message('a', 1, { text: 'edited' })]));
  assert.equal(texts(list), 'edited newer c');
});

test('a replayed event from before the page changes nothing', () => {
  const list = loaded(10, [message('a', 1, { text: 'edited' })]);
  list.upsert(message('a', 1, { text: 'first' }), 'e-3');
  assert.equal(texts(list), 'edited');
});

test('a removed message stays removed, whatever comes late', () => {
  const list = loaded(10, [message('b', 2), message('a', 1)], 'more');
  list.remove('b', 'e-11');
  list.upsert(message('b', 2), 'e-9');
  list.prepend(page(10, [message('b', 2)]));
  list.upsert(message('b', 2));
  assert.equal(ids(list), 'a');
});

test('an event of a message older than what is loaded leaves no hole', () => {
  const list = loaded(10, [message('z', 30)], 'more');
  list.upsert(message('old', 5), 'e-11');
  assert.equal(ids(list), 'z');
  list.prepend(page(12, [message('old', 5)]));
  assert.equal(ids(list), 'old z');
});

test('at the beginning of the thread an older one is taken: nothing can be missing', () => {
  const list = loaded(10, [message('z', 30)]);
  list.upsert(message('old', 5), 'e-11');
  assert.equal(ids(list), 'old z');
});

test('the answer to a send adds, but does not undo what the stream said since', () => {
  const list = loaded(10, []);
  list.upsert(message('m', 5, { status: 'seen', updatedAt: at(8) }), 'e-12');
  list.upsert(message('m', 5, { status: 'delivered' }));
  assert.equal(list.get('m').status, 'seen');
  list.upsert(message('n', 6));
  assert.equal(ids(list), 'm n');
});

test('another epoch counts as newer', () => {
  const list = loaded(10, [message('a', 1)]);
  list.upsert(message('a', 1, { text: 'new' }), 'f-1');
  assert.equal(texts(list), 'new');
});

const thread = (id, second, more = {}) => ({ id, createdAt: at(1), updatedAt: at(second), lastMessage: { createdAt: at(second) }, ...more });

test('threads: latest activity first, the later account counts', () => {
  const index = new ThreadIndex();
  index.add({ cursor: 'e-10', items: [thread('b', 5), thread('a', 4, { name: 'new' })] }, 'open');
  index.upsert(thread('a', 3, { name: 'old' }), 'e-8');
  assert.deepEqual(index.list().map(({ id, name }) => [id, name]), [['b', undefined], ['a', 'new']]);
  index.upsert(thread('a', 6, { name: 'newest' }), 'e-11');
  assert.deepEqual(index.list().map(({ id, name }) => [id, name]), [['a', 'newest'], ['b', undefined]]);
});

test('threads: a removed one does not come back', () => {
  const index = new ThreadIndex();
  index.upsert(thread('a', 2), 'e-5');
  index.remove('a', 'e-6');
  index.add({ cursor: 'e-5', items: [thread('a', 2)] }, 'open');
  assert.deepEqual(index.list(), []);
});

test('threads: one id of two customers are two threads at the desk', () => {
  const index = new ThreadIndex(accountKey);
  const keys = ['x', 'y'].map((customer) => index.upsert(thread('t1', 2, { channel: 'multi', customer: { id: customer } }), 'e-5'));
  assert.equal(index.list().length, 2);
  assert.deepEqual(index.keysOf('t1'), keys);
});

test('threads: to a customer a thread is one, though the stream shared with the desk names its account', () => {
  const index = new ThreadIndex();
  index.add({ cursor: 'e-5', items: [thread('t1', 2)] }, 'open');
  index.upsert(thread('t1', 3, { channel: 'multi', customer: { id: 'x' }, name: 'new' }), 'e-6');
  assert.deepEqual(index.list().map(({ id, name }) => [id, name]), [['t1', 'new']]);
});
