import assert from 'node:assert/strict';
import test from 'node:test';
import { withReplyInfo } from '../../web/assets/message-source.js';
import { ThreadIndex } from '../../web/assets/thread-index.js';
import { itemKey } from '../../web/parley.js';

const at = (second) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const thread = (id, second, more = {}) => ({ id, createdAt: at(1), updatedAt: at(second), lastMessage: { createdAt: at(second) }, ...more });

test('threads: the later account counts', () => {
  const index = new ThreadIndex();
  index.upsert(thread('a', 4, { name: 'new' }), 'e-10');
  index.upsert(thread('a', 3, { name: 'old' }), 'e-8');
  assert.equal(index.get('a').name, 'new');
  index.upsert(thread('a', 6, { name: 'newest' }), 'e-11');
  assert.equal(index.get('a').name, 'newest');
});

test('threads: another epoch counts as newer', () => {
  const index = new ThreadIndex();
  index.upsert(thread('a', 4, { name: 'old' }), 'e-10');
  index.upsert(thread('a', 4, { name: 'new' }), 'f-1');
  assert.equal(index.get('a').name, 'new');
});

test('threads: an answer or an item of a collection counts unless it is older', () => {
  const index = new ThreadIndex();
  index.upsert(thread('a', 4, { name: 'told' }), 'e-10');
  index.upsert(thread('a', 3, { name: 'answered late' }));
  assert.equal(index.get('a').name, 'told');
  index.upsert(thread('a', 4, { name: 'answered' }));
  assert.equal(index.get('a').name, 'answered');
});

test('threads: a removed one does not come back', () => {
  const index = new ThreadIndex();
  index.upsert(thread('a', 2), 'e-5');
  index.remove('a', 'e-6');
  index.upsert(thread('a', 2), 'e-5');
  assert.equal(index.get('a'), undefined);
});

test('threads: one id of two customers are two threads at the desk', () => {
  const index = new ThreadIndex(itemKey);
  const keys = ['x', 'y'].map((customer) => index.upsert(thread('t1', 2, { channel: 'multi', customer: { id: customer } }), 'e-5'));
  assert.notEqual(keys[0], keys[1]);
  assert.deepEqual(index.keysOf('t1'), keys);
});

test('threads: to a customer a thread is one, though the stream shared with the desk names its account', () => {
  const index = new ThreadIndex();
  index.upsert(thread('t1', 2), 'e-5');
  index.upsert(thread('t1', 3, { channel: 'multi', customer: { id: 'x' }, name: 'new' }), 'e-6');
  assert.deepEqual(index.keysOf('t1'), ['t1']);
  assert.equal(index.get('t1').name, 'new');
});

test('what is said of replies is guarded by its time: an older word is ignored', () => {
  const newer = { id: 'm', replyInfo: { count: 2, updatedAt: at(9) } };
  assert.equal(withReplyInfo(newer, { count: 1, updatedAt: at(8) }), newer);
  assert.equal(withReplyInfo(newer, { count: 3, updatedAt: at(10) }).replyInfo.count, 3);
  assert.equal(withReplyInfo({ id: 'm' }, { count: 1, updatedAt: at(1) }).replyInfo.count, 1);
});

test('threads: all that are known are counted, removed ones are not', () => {
  const index = new ThreadIndex();
  for (const id of ['a', 'b']) index.upsert(thread(id, 2), 'e-5');
  index.remove('a', 'e-6');
  assert.deepEqual(index.list().map(({ id }) => id), ['b']);
});
