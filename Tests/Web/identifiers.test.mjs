import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../web/parley/identifiers.js';

test('an id is a UUID of version 7', () => {
  const ids = Array.from({ length: 1000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id begins with the time in milliseconds', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
  const first = newId();
  assert.ok(first.startsWith('018bcfe5-6800-7'), first);
  t.mock.timers.tick(1);
  assert.ok(first < newId());
});
