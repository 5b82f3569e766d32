import assert from 'node:assert/strict';
import test from 'node:test';
import { FrameBook, MOST } from '../../web/assets/frame-book.js';

const frame = (number, more = {}) => ({ number, kind: 'frame', direction: 'toSandbox', type: 'SendMessage', socket: 1, customer: 'ada', text: '{}', ...more });
const numbers = (book) => book.shown.map(({ number }) => number);

test('frames come once, and the newest stay', () => {
  const book = new FrameBook();
  for (let number = 1; number <= MOST + 2; number++) book.add(frame(number));
  book.add(frame(MOST));
  book.add(frame(MOST + 2));
  assert.equal(book.count, MOST);
  assert.equal(numbers(book)[0], 3);
  assert.equal(numbers(book).at(-1), MOST + 2);
  assert.equal(book.shown[0].id, '3');
});

test('what was lost comes with the list, and the stream goes on behind it', () => {
  const book = new FrameBook();
  book.add(frame(1));
  book.replace({ items: [frame(7), frame(8), frame(9)] });
  book.add(frame(9));
  book.add(frame(10));
  assert.deepEqual(numbers(book), [7, 8, 9, 10]);
});

test('after a clean start the numbers begin anew', () => {
  const book = new FrameBook();
  book.add(frame(41));
  book.replace({ items: [] });
  assert.equal(book.count, 0);
  book.add(frame(1));
  assert.deepEqual(numbers(book), [1]);
});

test('a filter chooses by socket and by what a frame says', () => {
  const book = new FrameBook();
  book.filter({ text: 'ORDER', socket: '1' });
  book.add(frame(1, { text: 'Where is my order?' }));
  book.add(frame(2, { text: 'Where is my order?', socket: 2 }));
  book.add(frame(3, { text: 'Where is my order?', socket: 11 }));
  book.add(frame(4, { socket: undefined, text: 'order' }));
  assert.deepEqual(numbers(book), [1]);
  book.filter({ text: 'sendmessage' });
  assert.equal(book.shown.length, 4);
  book.filter({ text: 'ADA', socket: '' });
  assert.equal(book.shown.length, 4);
  book.filter({ socket: '2' });
  assert.deepEqual(numbers(book), [2]);
  book.filter({});
  assert.equal(book.shown.length, book.count);
});
