import assert from 'node:assert/strict';
import test from 'node:test';
import { fittingReplies } from '../../web/assets/reply-search.js';
import { fillReply, openPlaces } from '../../web/assets/reply-variables.js';

test('places are filled', () => {
  const text = 'Hello {customer.firstName|there}, {agent.publicName} of {channel.name} here ({thread.id}).';
  const values = { 'customer.firstName': 'Ada', 'agent.publicName': 'Mara', 'channel.name': 'Shop', 'thread.id': 't1' };
  assert.equal(fillReply(text, values), 'Hello Ada, Mara of Shop here (t1).');
});

test('without a value the other words stand there, or the place stays', () => {
  const filled = fillReply('Hello {customer.firstName|there} {customer.name}, {customer.firstName|}!', { 'customer.firstName': '  ' });
  assert.equal(filled, 'Hello there {customer.name}, !');
  assert.deepEqual(openPlaces(filled), ['{customer.name}']);
});

test('what a customer is called is text, of one line, and no place', () => {
  const values = { 'customer.name': '{agent.publicName}\n\n$& {customer.name}', 'agent.publicName': 'Mara' };
  assert.equal(fillReply('{customer.name}.', values), '{agent.publicName} $& {customer.name}.');
  assert.equal(fillReply('{customer.name}', { 'customer.name': 'x'.repeat(10_000) }).length, 200);
});

test('what is no place of ours stays, and is not asked about', () => {
  const text = 'Use {braces}, {customer.password}, {customer.constructor} and {} as you like';
  assert.equal(fillReply(text, {}), text);
  assert.deepEqual(openPlaces(text), []);
  assert.deepEqual(openPlaces('{thread.id} {thread.id} {thread.id|x}'), ['{thread.id}', '{thread.id|x}']);
});

const REPLIES = [
  { name: 'Delivery', text: 'It takes five days.', shortcut: 'post' },
  { name: 'Éclair recipe', text: 'Butter and sugar' },
  { name: 'Opening hours', text: 'From 9 to 5, also by post' },
  { name: 'Postbox', text: 'At the station', channels: ['shop'] },
];
const names = (typed, channel) => fittingReplies(REPLIES, typed, channel).map(({ name }) => name);

test('a shortcut comes first, then names, then what they say', () => {
  assert.deepEqual(names('post'), ['Delivery', 'Postbox', 'Opening hours']);
  assert.deepEqual(names('POS'), ['Delivery', 'Postbox', 'Opening hours']);
  assert.deepEqual(names('eclair'), ['Éclair recipe'], 'accents do not matter');
  assert.deepEqual(names('hours opening'), ['Opening hours'], 'nor does the order of words');
  assert.deepEqual(names('zebra'), []);
});

test('without a word all stand there, but for those of other channels', () => {
  assert.deepEqual(names(''), ['Delivery', 'Éclair recipe', 'Opening hours', 'Postbox']);
  assert.deepEqual(names('', 'multi'), ['Delivery', 'Éclair recipe', 'Opening hours']);
  assert.deepEqual(names('post', 'shop'), ['Delivery', 'Postbox', 'Opening hours']);
});
