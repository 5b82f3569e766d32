import assert from 'node:assert/strict';
import test from 'node:test';
import { isWriting, keyName, Shortcuts } from '../../web/assets/shortcuts.js';

/** A key press, as the browser tells it. */
function press(key, more = {}) {
  const event = { key, code: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false, defaultPrevented: false, ...more };
  return Object.assign(event, { preventDefault: () => (event.defaultPrevented = true) });
}

/** An element that matches a field's selector or not. */
const place = (isField) => ({ closest: () => (isField ? {} : null) });

function made(options) {
  const done = [];
  const note = (name) => () => void done.push(name);
  const keys = new Shortcuts({ j: note('j'), x: note('x'), X: note('X'), '/': note('/'), '?': note('?'), Enter: note('Enter'), 'g w': note('g w'), no: () => false, q: () => false }, options);
  return { done, keys };
}

test('a key counts by what is written on it, not by its place', () => {
  const { done, keys } = made();
  keys.take(press('j', { code: 'KeyH' })); // as on Dvorak
  keys.take(press('?', { code: 'Minus', shiftKey: true })); // as on a German keyboard
  keys.take(press('/', { code: 'Digit7', shiftKey: true }));
  keys.take(press('q', { code: 'KeyJ' }));
  assert.deepEqual(done, ['j', '?', '/']);
});

test('Shift is another key, Caps Lock is not', () => {
  const { done, keys } = made();
  keys.take(press('X', { shiftKey: true }));
  keys.take(press('X'));
  assert.deepEqual(done, ['X', 'x']);
});

test('with Alt, Ctrl or Meta, while composing, or taken by others, a key is none of ours', () => {
  const { done, keys } = made();
  for (const more of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }, { isComposing: true }, { defaultPrevented: true }, { ctrlKey: true, altKey: true }]) {
    assert.equal(keys.take(press('j', more)), false);
    assert.equal(keyName(press('j', more)), undefined);
  }
  for (const key of ['Process', 'Dead']) assert.equal(keyName(press(key)), undefined);
  assert.deepEqual(done, []);
});

test('what is typed into a field stays there', () => {
  const { done, keys } = made();
  assert.equal(keys.take(press('j', { target: place(true) })), false);
  assert.equal(keys.take(press('j', { target: place(false) })), true);
  assert.deepEqual(done, ['j']);
  assert.equal(isWriting(undefined), false);
});

test('a key that did something is taken; one that did not goes on', () => {
  const { keys } = made();
  const [taken, free] = [press('j'), press('q')];
  assert.equal(keys.take(taken), true);
  assert.equal(keys.take(free), false);
  assert.deepEqual([taken.defaultPrevented, free.defaultPrevented], [true, false]);
});

test('two keys come one after the other, soon', () => {
  let now = 0;
  const { done, keys } = made({ now: () => now });
  const both = (wait, between = []) => {
    keys.take(press('g'));
    for (const key of between) keys.take(press(key));
    now += wait;
    keys.take(press('w'));
  };
  both(100);
  assert.deepEqual(done, ['g w']);
  both(2000);
  both(100, ['j']);
  assert.deepEqual(done, ['g w', 'j'], 'too late, and with another between');
  both(100, ['Shift']);
  assert.deepEqual(done, ['g w', 'j', 'g w'], 'Shift alone is nothing');
});

test('all can be turned off', () => {
  let isOn = false;
  const { done, keys } = made({ isOn: () => isOn });
  assert.equal(keys.take(press('j')), false);
  isOn = true;
  assert.equal(keys.take(press('j')), true);
  assert.deepEqual(done, ['j']);
});
