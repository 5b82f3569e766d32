import assert from 'node:assert/strict';
import test from 'node:test';
import { PagedMessages, withReplyInfo } from '../../web/assets/paged-messages.js';

const at = (second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const message = (id, second, more = {}) => ({ id, createdAt: at(second), updatedAt: at(second), parentId: 'p', ...more });
const ids = (list) => list.items.map(({ id }) => id).join(' ');

/** The gateway's replies, as rule 4.4 says: ascending around `from`, which is inclusive. */
function service(replies, limit = Infinity) {
  const asked = [];
  const answer = async (thread, parent, { from = Infinity, previous = 20, next = 20 }) => {
    asked.push({ from, previous, next });
    const start = from === Infinity ? Infinity : new Date(from).getTime();
    const time = (one) => Date.parse(one.createdAt);
    const before = replies.filter((one) => time(one) < start);
    const same = replies.filter((one) => time(one) === start);
    const after = replies.filter((one) => time(one) > start);
    const first = before.slice(Math.max(0, before.length - Math.min(previous, limit)));
    const last = after.slice(0, Math.min(next, limit));
    return { parent: { id: 'p' }, items: [...first, ...same, ...last], hasPrevious: first.length < before.length, hasNext: last.length < after.length, cursor: 'e-10' };
  };
  return { asked, side: { replies: answer } };
}

function replies(side) {
  const changes = [];
  return new PagedMessages({ side, thread: () => ({ id: 't' }), parent: 'p', changed: () => changes.push(1) });
}

const all = Array.from({ length: 130 }, (_, n) => message(`r${n}`, Math.floor(n / 2))); // two at a time

test('from the first reply on, page by page, to the last: none is left out, none comes twice', async () => {
  const { side, asked } = service(all);
  const list = replies(side);
  await list.open({ at: 'first' });
  assert.equal(asked[0].from, 0);
  assert.equal(list.hasPrevious, false);
  while (list.hasNext) await list.fetch('next');
  assert.equal(ids(list), all.map(({ id }) => id).join(' '));
});

test('from the newest back to the first', async () => {
  const { side } = service(all);
  const list = replies(side);
  await list.open({ at: 'newest' });
  assert.equal(list.hasNext, false);
  assert.equal(list.items.at(-1).id, 'r129');
  while (list.hasPrevious) await list.fetch('previous');
  assert.equal(list.items.length, 130);
});

test('around one in the middle, and from there to both ends', async () => {
  const { side } = service(all);
  const list = replies(side);
  await list.open({ at: Date.parse(all[64].createdAt), id: 'r64' });
  assert.ok(list.has('r64') && list.hasPrevious && list.hasNext);
  await Promise.all([list.fetch('previous'), list.fetch('next'), list.fetch('next')]);
  while (list.hasPrevious) await list.fetch('previous');
  while (list.hasNext) await list.fetch('next');
  assert.equal(ids(list), all.map(({ id }) => id).join(' '));
});

test('a new reply joins the end only if the end is loaded', async () => {
  const { side } = service(all);
  const list = replies(side);
  await list.open({ at: 'first' });
  list.take({ type: 'message.created', id: 'e-11', data: { message: message('new', 500) } });
  assert.ok(!list.has('new') && list.hasNext);
  await list.open({ at: 'newest' });
  list.take({ type: 'message.created', id: 'e-12', data: { message: message('newer', 501) } });
  list.take({ type: 'message.created', id: 'e-13', data: { message: message('other', 502, { parentId: 'q' }) } });
  assert.equal(list.items.at(-1).id, 'newer');
});

test('the conversation shows replies that are also in it, and no others', async () => {
  const page = async () => ({ items: [message('m', 1, { parentId: undefined })], cursor: 'e-1' });
  const list = new PagedMessages({ side: { page }, thread: () => ({ id: 't' }), changed: () => {} });
  await list.open();
  list.take({ type: 'message.created', id: 'e-2', data: { message: message('aside', 2, { alsoInThread: false }) } });
  list.take({ type: 'message.created', id: 'e-3', data: { message: message('shown', 3, { alsoInThread: true }) } });
  assert.equal(ids(list), 'm shown');
  const info = { count: 2, updatedAt: at(9) };
  list.take({ type: 'thread.info', id: 'e-4', data: { parentId: 'm', replyInfo: info } });
  assert.equal(list.get('m').replyInfo, info);
});

test('what is said of replies is guarded by its time: an older word is ignored', () => {
  const newer = { id: 'm', replyInfo: { count: 2, updatedAt: at(9) } };
  assert.equal(withReplyInfo(newer, { count: 1, updatedAt: at(8) }), newer);
  assert.equal(withReplyInfo(newer, { count: 3, updatedAt: at(10) }).replyInfo.count, 3);
  assert.equal(withReplyInfo({ id: 'm' }, { count: 1, updatedAt: at(1) }).replyInfo.count, 1);
});

test('a message that is far back is sought page by page', async () => {
  const old = Array.from({ length: 500 }, (_, n) => message(`m${n}`, n, { parentId: undefined }));
  const page = async (_, { limit, cursor = 500 }) => {
    const from = Math.max(0, cursor - limit);
    return { items: old.slice(from, cursor).reverse(), next: from || undefined, cursor: 'e-1' };
  };
  const list = new PagedMessages({ side: { page }, thread: () => ({ id: 't' }), changed: () => {} });
  await list.open({ at: 7000, id: 'm7' });
  assert.ok(list.has('m7') && list.has('m499'));
});
