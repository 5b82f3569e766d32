import assert from 'node:assert/strict';
import test from 'node:test';
import { closedText } from '../../web/assets/opening.js';

process.env.TZ = 'Europe/Berlin';

const now = new Date('2026-11-27T16:30:00Z'); // a Friday
const closed = (nextOpening, more) => closedText({ isOpen: false, nextOpening, ...more }, now).replaceAll('\u202f', ' ');

test('while a channel is open, or nobody knows, nothing is said', () => {
  assert.equal(closedText({ isOpen: true, nextOpening: undefined }, now), '');
  assert.equal(closedText({}, now), '');
});

test('the day is named unless it is today, in this browser’s zone', () => {
  assert.equal(closed('2026-11-27T17:00:00Z'), 'We are here again at 6:00 PM');
  assert.equal(closed('2026-11-27T23:30:00Z'), 'We are here again tomorrow at 12:30 AM', 'the same day only in UTC');
  assert.equal(closed('2026-11-30T08:00:00Z'), 'We are here again Monday at 9:00 AM');
  assert.equal(closed('2026-12-24T08:00:00Z'), 'We are here again Thursday, December 24 at 9:00 AM');
  assert.equal(closed('2027-01-04T08:00:00Z'), 'We are here again January 4, 2027 at 9:00 AM');
});

test('without a time to come nobody is there', () => {
  assert.equal(closed(undefined), 'Nobody is here now. Leave a message.');
  assert.equal(closed('2026-11-27T16:00:00Z'), 'Nobody is here now. Leave a message.', 'the time has passed');
  assert.equal(closed(undefined, { mode: 'liveChat' }), 'Nobody is here at the moment.');
});
