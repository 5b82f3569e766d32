import assert from 'node:assert/strict';
import test from 'node:test';
import { deskNotice } from '../../web/assets/desk-notices.js';

const written = ({ message, ...more } = {}) => ({
  type: 'message.created',
  data: {
    desk: true, threadId: 't 1', channel: 'multi', customer: { id: 'c1' }, ...more,
    message: { id: 'm1', direction: 'toAgent', text: 'Hello', author: { kind: 'customer', id: 'c1', name: 'Jana' }, ...message },
  },
});

test('what a customer writes is told with the place that a push names', () => {
  assert.deepEqual(deskNotice(written()), {
    messageId: 'm1', threadId: 't 1', title: 'Jana', text: 'Hello',
    key: '["multi","c1","t 1"]', link: '/desk?channel=multi&thread=t+1&customer=c1&message=m1&from=none',
  });
  assert.equal(deskNotice(written({ message: { text: '', attachments: [{ name: 'a.png' }] } })).text, 'a.png');
  assert.equal(deskNotice(written({ message: { text: '`*a*`' } })).text, '`*a*`', 'the notifier takes the marks out');
  assert.equal(deskNotice(written({ channel: undefined, customer: undefined })).link, '/desk?thread=t+1&message=m1&from=none');
});

test('what agents write, changes, and events of sessions are not told', () => {
  const agents = { message: { direction: 'toClient', author: { kind: 'agent', id: 'a' } } };
  const others = [written(agents), { ...written(), type: 'message.updated' }, written({ desk: undefined }), { type: 'ready' }];
  assert.deepEqual(others.map(deskNotice), [undefined, undefined, undefined, undefined]);
});
