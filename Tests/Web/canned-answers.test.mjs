import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { CannedAnswers } from '../../web/assets/canned-answers.js';

function storage(content) {
  const items = new Map(content === undefined ? [] : [['parley.answers', content]]);
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value) };
}

test('answers are kept by name', () => {
  const place = storage();
  const answers = new CannedAnswers(place);
  assert.deepEqual(answers.list(), []);
  answers.keep({ name: 'hours', text: 'We are open from 9 to 5.' });
  answers.keep({ name: 'address', text: 'Long Lane 1' });
  answers.keep({ name: 'hours', text: 'We are open **all day**.\nAlways.' });
  const kept = [{ name: 'address', text: 'Long Lane 1' }, { name: 'hours', text: 'We are open **all day**.\nAlways.' }];
  assert.deepEqual(new CannedAnswers(place).list(), kept, 'a later page finds them');
  answers.remove('address');
  assert.deepEqual(answers.list(), kept.slice(1));
});

test('what somebody else has written there harms nothing', () => {
  for (const content of ['', '{', 'null', '{}', '[1, null, {"name": 1}, {"name": "a"}]'])
    assert.deepEqual(new CannedAnswers(storage(content)).list(), [], content);
});

test('there is room for 200, and a full storage is said', (t) => {
  const warn = mock.method(console, 'warn', () => {});
  t.after(() => warn.mock.restore());
  const answers = new CannedAnswers(storage());
  for (let number = 0; number < 200; number++) assert.ok(answers.keep({ name: `a${number}`, text: 'x' }));
  assert.equal(answers.keep({ name: 'one more', text: 'x' }), false);
  assert.ok(answers.keep({ name: 'a7', text: 'y' }), 'one that is there can be written anew');
  const full = { getItem: () => null, setItem: () => { throw new Error('QuotaExceededError'); } };
  assert.equal(new CannedAnswers(full).keep({ name: 'a', text: 'x' }), false);
});
