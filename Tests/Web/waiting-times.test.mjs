import assert from 'node:assert/strict';
import test from 'node:test';
import { WaitingTimes } from '../../web/assets/waiting-times.js';

const at = (minute) => `2026-05-04T09:${minute}:00.000Z`;
const last = (direction, minute) => ({ state: 'ready', createdAt: at('00'), lastMessage: { direction, createdAt: at(minute) } });

test('a customer waits since the first message that nobody has answered', () => {
  const times = new WaitingTimes();
  assert.equal(times.since('a', last('toAgent', '10')), at('10'));
  assert.equal(times.since('a', last('toAgent', '15')), at('10'), 'who writes again has not waited any less');
  assert.equal(times.since('b', last('toAgent', '20')), at('20'));
  assert.equal(times.since('a', last('toClient', '21')), undefined);
  assert.equal(times.since('a', last('toAgent', '30')), at('30'));
});

test('a live chat waits from its beginning, and nobody waits in a closed conversation', () => {
  const times = new WaitingTimes();
  const queued = { state: 'ready', createdAt: at('00'), queuePosition: 1 };
  assert.equal(times.since('a', queued), at('00'));
  assert.equal(times.since('a', { ...queued, queuePosition: undefined }), undefined);
  assert.equal(times.since('a', { ...last('toAgent', '10'), state: 'closed' }), undefined);
});
