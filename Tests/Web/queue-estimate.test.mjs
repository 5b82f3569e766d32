import assert from 'node:assert/strict';
import test from 'node:test';
import { QueueEstimate } from '../../web/assets/queue-estimate.js';

const minutes = (count) => count * 60_000;

test('the estimate follows the pace at which the queue moves', () => {
  const estimate = new QueueEstimate();
  assert.equal(estimate.update('t', 5, 0), undefined, 'nothing is known yet');
  assert.equal(estimate.update('t', 5, minutes(1)), undefined);
  assert.equal(estimate.update('t', 4, minutes(2)), minutes(8), 'two minutes for one, four are left');
  assert.equal(estimate.update('t', 4, minutes(3)), minutes(7), 'time passes');
  assert.equal(estimate.update('t', 2, minutes(3)), minutes(2), 'three in three minutes');
  assert.equal(estimate.update('t', 1, minutes(8)), minutes(2));
  assert.equal(estimate.update('t', 1, minutes(20)), 0, 'never less than nothing');
});

test('another chat, or a place further back, begins anew', () => {
  const estimate = new QueueEstimate();
  estimate.update('t', 5, 0);
  estimate.update('t', 4, minutes(1));
  assert.equal(estimate.update('other', 4, minutes(2)), undefined);
  estimate.update('other', 3, minutes(3));
  assert.equal(estimate.update('other', 6, minutes(4)), undefined);
  assert.equal(estimate.update('other', 5, minutes(5)), minutes(5));
});
