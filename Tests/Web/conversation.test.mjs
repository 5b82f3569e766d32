import assert from 'node:assert/strict';
import test from 'node:test';
import { Conversation } from '../../web/assets/conversation.js';
import { ParleyError } from '../../web/parley.js';

globalThis.CustomEvent ??= class CustomEvent extends Event {};

const PARENT = { id: 'm1', author: 'agent:mara', text: 'Which lamp is it?' };
const unknown = () => new ParleyError({ code: 'unknownMessage', status: 404 });

/** The replies to a message. `create` answers the request for their collection. */
function repliesTo(parent, create) {
  const outbox = Object.assign(new EventTarget(), { items: [] });
  const side = { collections: { create, delete: async () => {} }, named: ({ id }) => ({ threadId: id }), message: async () => parent };
  const replies = new Conversation({ side, thread: () => ({ id: 't' }), key: 't', outbox, parent });
  replies.gone = 0;
  replies.addEventListener('gone', () => {
    replies.gone++;
    replies.close();
  });
  return replies;
}

test('a message that is removed while its replies are loaded is gone', async () => {
  const replies = repliesTo(PARENT, async () => {
    throw unknown();
  });
  await replies.load();
  assert.equal(replies.gone, 1);
});

test('replies that were closed meanwhile say nothing of a failure', async () => {
  const replies = repliesTo(PARENT, async () => {
    replies.take({ type: 'message.removed', data: { messageId: PARENT.id } });
    throw unknown();
  });
  await replies.load();
  assert.equal(replies.gone, 1);
});

test('another failure is told to who loads', async () => {
  const replies = repliesTo(PARENT, async () => {
    throw new ParleyError({ code: 'storageFailed', status: 500 });
  });
  await assert.rejects(replies.load(), { status: 500 });
  assert.equal(replies.gone, 0);
});
