import assert from 'node:assert/strict';
import test from 'node:test';
import { hoursOf, outsideOf } from '../../web/assets/hours-form.js';

const channel = {
  languages: ['de'],
  hours: {
    mode: 'both', timeZone: 'Europe/Berlin', week: { mon: [['09:00', '12:00'], ['13:00', '17:30']], sat: [['22:00', '24:00']] },
    closed: ['2026-12-25', '2026-12-26'], open: [{ day: '2026-12-24', times: [['09:00', '12:00']] }],
  },
  outside: { answer: { en: 'Away', de: 'Nicht da' }, askEmail: true, hideBubble: false, chats: 'queue' },
};

test('hours are the same again after the form', () => {
  const form = hoursOf(channel);
  assert.equal(form.mon, '09:00–12:00, 13:00–17:30');
  assert.equal(form.open, '2026-12-24 09:00–12:00');
  assert.equal(form.answer, 'Nicht da');
  assert.deepEqual(outsideOf(form, channel), { hours: channel.hours, outside: channel.outside });
});

test('times may be written shortly, and what is no time is left to the gateway', () => {
  const read = (mon) => outsideOf({ ...hoursOf({}), mon }, {}).hours.week.mon;
  assert.deepEqual(read('9-12; 13:30 - 24'), [['09:00', '12:00'], ['13:30', '24:00']]);
  assert.deepEqual(read(' '), undefined);
  assert.deepEqual(read('noon'), [['noon']]);
});

test('a channel without hours is always open, and an empty answer takes its language away', () => {
  assert.equal(hoursOf({}).mode, 'always');
  const form = { ...hoursOf(channel), answer: '' };
  assert.deepEqual(outsideOf(form, channel).outside.answer, { en: 'Away' });
  assert.equal(outsideOf({ ...hoursOf({}), answer: '' }, {}).outside.answer, undefined);
});
