import assert from 'node:assert/strict';
import test from 'node:test';
import { isSnoozeTime, localTime, snoozeTimes } from '../../web/assets/snooze-times.js';

test('the good moments are those of the local calendar', () => {
  const { today, tomorrow, week } = snoozeTimes(new Date(2026, 4, 6, 10, 20)); // a Wednesday
  assert.deepEqual([today, tomorrow, week].map(localTime), ['2026-05-06T13:00', '2026-05-07T09:00', '2026-05-11T09:00']);
  assert.equal(localTime(snoozeTimes(new Date(2026, 4, 4, 8, 0)).week), '2026-05-11T09:00', 'on a Monday it is the next one');
  assert.equal(localTime(snoozeTimes(new Date(2026, 4, 10, 8, 0)).week), '2026-05-11T09:00', 'on a Sunday it is tomorrow');
  assert.equal(localTime(snoozeTimes(new Date(2026, 11, 31, 23, 0)).tomorrow), '2027-01-01T09:00');
});

test('from five minutes to a year', () => {
  const now = new Date('2026-05-04T10:00:00Z');
  const after = (minutes) => isSnoozeTime(new Date(now.getTime() + minutes * 60_000), now);
  assert.deepEqual([after(-1), after(4.9), after(5), after(525_600), after(525_601)], [false, false, true, true, false]);
  assert.equal(isSnoozeTime(new Date(''), now), false, 'a field that is empty');
});
