import assert from 'node:assert/strict';
import test from 'node:test';
import { Gate, greeting, isAllowed, understood } from '../../web/widget/protocol.js';

const parent = {};
const frame = { parent, own: 'https://chat.example', origins: ['https://shop.example', 'https://*.shops.example', 'http://localhost:3000'] };
const hello = (more = {}, event = {}) =>
  greeting({ source: parent, origin: 'https://shop.example', data: { parley: 1, type: 'hello', ...more }, ports: [{}], ...event }, frame);

test('origins are compared whole, and a star covers what is below', () => {
  const allowed = ['https://shop.example', 'https://a.shops.example', 'https://a.b.shops.example', 'http://localhost:3000'];
  const foreign = [
    'https://shops.example', 'http://a.shops.example', 'https://shop.example:8443', 'https://evilshops.example', 'https://shop.example.evil',
    'http://localhost:3001', 'null', '', 'https://a.shops.example:444', 'https://evil.example/.shops.example',
  ];
  for (const origin of allowed) assert.ok(isAllowed(origin, frame.origins), origin);
  for (const origin of foreign) assert.ok(!isAllowed(origin, frame.origins), origin);
});

test('a greeting is taken only from the page around, with one port', () => {
  assert.equal(hello(), 'hello');
  assert.equal(hello({}, { origin: frame.own }), 'hello', 'the gateway may frame itself');
  assert.equal(hello({}, { origin: 'https://a.shops.example' }), 'hello');
  assert.equal(hello({ parley: 2 }), 'version');
  const forged = [
    [{}, { source: {} }], [{}, { source: null }], [{}, { origin: 'https://evil.example' }], [{}, { origin: 'null' }],
    [{}, { ports: [] }], [{}, { ports: [{}, {}] }], [{}, { ports: undefined }], [{ type: 'open' }, {}], [{ parley: undefined }, {}],
    [{}, { data: 'hello' }], [{}, { data: null }], [{}, { data: [1] }],
  ];
  for (const [more, event] of forged) assert.equal(hello(more, event), undefined, JSON.stringify([more, Object.keys(event)]));
});

test('messages have known types and members, others are ignored', () => {
  assert.deepEqual(understood({ type: 'open', thread: 'a', more: 1 }), { type: 'open', thread: 'a' });
  assert.deepEqual(understood({ type: 'open', thread: 7 }), { type: 'open' });
  assert.deepEqual(understood({ type: 'shutdown', id: 7 }), { type: 'shutdown', id: 7 });
  assert.deepEqual(understood({ type: 'prefill', fields: { a: 'b' } }), { type: 'prefill', fields: { a: 'b' } });
  const ignored = [{ type: 'nonsense' }, { type: 'toString' }, { type: '__proto__' }, { type: 'identify' }, { type: 'identify', jwt: {} }, { type: 'visible', visible: 'yes' }, 'open', null, undefined, 7, [], {}];
  for (const one of ignored) assert.equal(understood(one), undefined, JSON.stringify(one));
});

test('what is too large or too much is dropped', () => {
  let now = 0;
  const gate = new Gate(() => now);
  assert.equal(gate.take({ type: 'prefill', text: 'x'.repeat(17_000) }), undefined);
  const circle = { type: 'prefill' };
  circle.fields = circle;
  assert.equal(gate.take(circle), undefined);
  assert.equal(gate.take({ type: 'prefill', text: 1n }), undefined);
  const passed = Array.from({ length: 100 }, () => gate.take({ type: 'close' })).filter(Boolean);
  assert.equal(passed.length, 47, 'fifty in a second, the dropped ones counted');
  now = 1000;
  assert.ok(gate.take({ type: 'close' }));
});

test('nothing that comes breaks it', () => {
  const values = [undefined, null, 0, '', 'x', [], {}, { type: {} }, { type: 'open', thread: {} }, { type: 'page', url: [], title: null }, new Map(), () => 1, Symbol('x')];
  const gate = new Gate(() => 0);
  for (const value of values) assert.doesNotThrow(() => gate.take(value));
  for (const value of values) assert.doesNotThrow(() => greeting({ source: parent, origin: frame.own, data: value, ports: [{}] }, frame));
});
