import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { draftKey, Drafts } from '../../web/assets/drafts.js';

/** Drafts in a storage of their own (without one, Node has none), at a time that grows by one with each. */
function made(storage) {
  let time = 0;
  return new Drafts(storage, () => ++time);
}

test('a draft is kept under its key until it is empty', () => {
  const drafts = made();
  const [one, other] = [draftKey('s', 't'), draftKey('s', 't', 'parent')];
  assert.equal(drafts.get(one), '');
  drafts.set(one, 'half a \n 12 sentence');
  drafts.set(other, 'a reply');
  assert.equal(drafts.get(one), 'half a \n 12 sentence');
  assert.equal(drafts.get(other), 'a reply');
  drafts.set(one, '');
  assert.equal(drafts.get(one), '');
  assert.equal(drafts.get(other), 'a reply');
});

test('the oldest go when there are too many', () => {
  const drafts = made();
  for (let number = 0; number < 52; number++) drafts.set(draftKey('s', `t${number}`), 'text');
  drafts.set(draftKey('s', 't2'), 'written anew');
  drafts.set(draftKey('s', 'last'), 'text');
  const kept = [...Array(52).keys()].filter((number) => drafts.get(draftKey('s', `t${number}`)));
  assert.deepEqual(kept, [2, ...Array.from({ length: 48 }, (_, at) => at + 4)]);
});

test('the oldest go when they are too long in all, and one that is too long itself is not kept', () => {
  const drafts = made();
  const key = (name) => draftKey('s', name);
  for (const name of ['a', 'b', 'c', 'd', 'e']) drafts.set(key(name), 'x'.repeat(60_000));
  assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map((name) => drafts.get(key(name)).length), [0, 60_000, 60_000, 60_000, 60_000]);
  drafts.set(key('b'), 'x'.repeat(300_000));
  assert.equal(drafts.get(key('b')), '');
  assert.equal(drafts.get(key('c')).length, 60_000);
});

test('a session that is no more takes its drafts along, and no others', () => {
  const drafts = made();
  for (const scope of ['s', 's2', 'desk']) drafts.set(draftKey(scope, 't'), scope);
  drafts.forget('s');
  assert.deepEqual(['s', 's2', 'desk'].map((scope) => drafts.get(draftKey(scope, 't'))), ['', 's2', 'desk']);
});

test('what else the page stores stays, and a full storage harms nobody', (t) => {
  const warn = mock.method(console, 'warn', () => {});
  t.after(() => warn.mock.restore());
  const items = new Map([['parley.session.local.multi', 'id']]);
  const storage = {
    get length() {
      return items.size;
    },
    key: (at) => [...items.keys()][at],
    getItem: (name) => items.get(name) ?? null,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
    removeItem: (name) => items.delete(name),
  };
  const drafts = made(storage);
  drafts.set(draftKey('s', 't'), 'text');
  drafts.forget('s');
  assert.deepEqual([...items.keys()], ['parley.session.local.multi']);
  assert.equal(warn.mock.callCount(), 1);
});
