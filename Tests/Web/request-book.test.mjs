import assert from 'node:assert/strict';
import test from 'node:test';
import { RequestBook } from '../../web/assets/request-book.js';

const request = (number, more = {}) => ({ number, id: `r-${number}`, method: 'GET', path: '/v1/services', route: '/v1/services', status: 200, token: 'page', ...more });
const refused = (number, code, detail) => request(number, { status: 404, problem: { code, detail } });

test('requests come once, and the newest stay', () => {
  const book = new RequestBook();
  book.take({ items: [request(1), request(2)], last: 2, capture: { bytes: 0 } });
  book.take({ items: Array.from({ length: 499 }, (_, n) => request(3 + n)), last: 501, capture: { bytes: 0 } });
  assert.equal(book.rows.length, 500);
  assert.equal(book.rows[0].number, 2);
});

test('a gateway that was started anew begins anew', () => {
  const book = new RequestBook();
  book.take({ items: [request(1), request(2)], last: 2, capture: { bytes: 0 } });
  book.take({ items: [request(1)], last: 1, capture: { bytes: 0 } });
  assert.deepEqual(book.rows.map(({ number }) => number), [1]);
});

test('filters choose', () => {
  const book = new RequestBook();
  book.take({ items: [request(1), refused(2, 'unknownThread'), request(3, { token: 'gateway', path: '/v1/x' })], last: 3, capture: { bytes: 0 } });
  const numbers = (filter) => book.shown(filter).map(({ number }) => number);
  assert.deepEqual(numbers({}), [1, 2, 3]);
  assert.deepEqual(numbers({ status: '4' }), [2]);
  assert.deepEqual(numbers({ token: 'gateway' }), [3]);
  assert.deepEqual(numbers({ text: 'UNKNOWNthread' }), [2]);
});

test('problems are grouped by code and route, with the last detail', () => {
  const book = new RequestBook();
  const items = [refused(1, 'unknownThread', 'first'), request(2, { status: 500, route: undefined, path: '/x' }), refused(3, 'unknownThread', 'second')];
  book.take({ items, last: 3, capture: { bytes: 0 } });
  const found = book.problems().map(({ code, route, count, last }) => [code, route, count, last.problem?.detail]);
  assert.deepEqual(found, [['unknownThread', 'GET /v1/services', 2, 'second'], ['500', 'GET /x', 1, undefined]]);
});
