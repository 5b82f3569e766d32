import assert from 'node:assert/strict';
import test from 'node:test';
import { MOST, RowWindow, STEP } from '../../web/assets/row-window.js';

const rows = (from, to) => Array.from({ length: to - from }, (_, n) => ({ id: String(from + n) }));
const shown = (window, all) => [all[window.from]?.id, all[window.to - 1]?.id];
const still = { follows: false };
const follows = { follows: true };

test('begins with the last rows', () => {
  const [window, all] = [new RowWindow(), rows(0, 1000)];
  window.settle(all, follows);
  assert.deepEqual(shown(window, all), [String(1000 - STEP), '999']);
});

test('walks to the first row and back, never with more than so many', () => {
  const [window, all] = [new RowWindow(), rows(0, 1000)];
  window.settle(all, follows);
  const seen = new Set(all.slice(window.from, window.to));
  for (const direction of ['previous', 'next']) {
    let steps = 0;
    for (; window.grow(all, direction); steps++) {
      assert.ok(window.to - window.from <= MOST);
      for (const row of all.slice(window.from, window.to)) seen.add(row);
      window.settle(all, still);
    }
    assert.ok(steps >= (1000 - MOST) / STEP);
    assert.equal(direction === 'previous' ? window.from : window.to, direction === 'previous' ? 0 : 1000);
  }
  assert.equal(seen.size, 1000);
});

test('stays on its rows while others come and go outside', () => {
  const [window, all] = [new RowWindow(), rows(0, 1000)];
  window.around(all, 500);
  const [first, last] = shown(window, all);
  const older = [...rows(-200, 0), ...all.slice(0, 900)]; // a page came before, the far end left
  window.settle(older, still);
  assert.deepEqual(shown(window, older), [first, last]);
  const fewer = older.filter(({ id }) => Number(id) % 2);
  window.settle(fewer, still);
  assert.ok(window.to - window.from >= STEP, 'it is filled up again');
  assert.ok(shown(window, fewer)[0] <= first || window.from === 0);
});

test('follows what comes at the end, and lets go of the beginning', () => {
  const window = new RowWindow();
  for (let count = 1; count <= 1000; count += 7) window.settle(rows(0, count), follows);
  const all = rows(0, 1001);
  window.settle(all, follows);
  assert.equal(window.to, 1001);
  assert.ok(window.to - window.from <= MOST);
});

test('at the end, but not following: new rows come in below, up to the limit', () => {
  const window = new RowWindow();
  window.settle(rows(0, 60), follows);
  const from = window.from;
  window.settle(rows(0, 65), still);
  assert.deepEqual([window.from, window.to], [from, 65]);
  window.settle(rows(0, 900), still);
  assert.deepEqual([window.from, window.to], [from, from + MOST]);
  window.settle(rows(0, 950), still);
  assert.equal(window.to, from + MOST, 'no longer at the end');
});

test('when all its rows are gone it stays about where it was', () => {
  const [window, all] = [new RowWindow(), rows(0, 300)];
  window.around(all, 150);
  window.settle(rows(1000, 1200), still);
  assert.ok(window.from > 50 && window.to <= 200 && window.to - window.from === STEP);
  window.settle([], still);
  assert.deepEqual([window.from, window.to], [0, 0]);
  window.settle(rows(0, 3), still);
  assert.deepEqual([window.from, window.to], [0, 3]);
});
