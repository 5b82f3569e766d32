import assert from 'node:assert/strict';
import test from 'node:test';
import { UnreadTotal } from '../../web/assets/unread-total.js';

globalThis.CustomEvent ??= class CustomEvent extends Event {
  constructor(type, { detail }) {
    super(type);
    this.detail = detail;
  }
};

function made(t) {
  const stream = new EventTarget();
  const badges = [];
  const sessions = { unread: () => new Promise((resolve, reject) => Object.assign(sessions, { resolve, reject })) };
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true,
    value: { setAppBadge: async (count) => badges.push(count), clearAppBadge: async () => badges.push(0) },
  });
  t.after(() => delete globalThis.navigator);
  const unread = new UnreadTotal({ session: () => sessions }, stream);
  const tell = (unreadCount, ...ids) => {
    const data = { sessions: ids, unreadCount, threadCount: 1 };
    stream.dispatchEvent(new CustomEvent('event', { detail: { type: 'unread.updated', data } }));
  };
  const counts = [];
  unread.addEventListener('change', () => counts.push(unread.count));
  return { sessions, unread, tell, counts, badges };
}

test('the answer and then each event is the total, and stands at the icon', async (t) => {
  const { sessions, unread, tell, counts, badges } = made(t);
  const asked = unread.follow('s');
  sessions.resolve({ unreadCount: 3 });
  await asked;
  tell(4, 's');
  tell(4, 's');
  tell(9, 'other');
  tell(0, 'other', 's');
  assert.deepEqual(counts, [3, 4, 0]);
  assert.deepEqual(badges, [3, 4, 0]);
});

test('an answer that an event has overtaken says nothing', async (t) => {
  const { sessions, unread, tell, counts } = made(t);
  const asked = unread.follow('s');
  tell(4, 's');
  sessions.resolve({ unreadCount: 3 });
  await asked;
  assert.deepEqual(counts, [4]);
});

test('another session begins with nothing, and a failure leaves what is known', async (t) => {
  const { sessions, unread, tell, counts } = made(t);
  const asked = unread.follow('s');
  sessions.resolve({ unreadCount: 3 });
  await asked;
  const again = unread.follow('s');
  sessions.reject(new Error('away'));
  await again;
  assert.deepEqual(counts, [3]);
  await unread.follow(undefined);
  tell(5, 's');
  assert.deepEqual(counts, [3, 0]);
});
