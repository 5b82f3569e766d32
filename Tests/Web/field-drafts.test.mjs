import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers } from '../../web/assets/survey.js';
import { identFor, optionLines, readFields, readOptions } from '../../web/assets/field-drafts.js';

test('a name is made of what is asked, once', () => {
  const taken = new Set(['topic']);
  assert.equal(identFor('Your e-mail?', taken), 'your-e-mail');
  assert.equal(identFor('Topic', taken), 'topic-2');
  assert.equal(identFor('Café', taken), 'cafe');
  assert.equal(identFor('お名前', taken), 'field');
  assert.equal(identFor('お名前', taken), 'field-2');
});

const tree = [
  { id: 'hw', label: 'Hardware' },
  { id: 'lamp', label: 'Lamp', parentId: 'hw' },
  { id: 'sw', label: 'Software' },
];

test('a tree is lines of text and back, with its ids', () => {
  assert.equal(optionLines(tree), 'Hardware\n  Lamp\nSoftware');
  assert.deepEqual(readOptions(optionLines(tree), true, tree), tree);
});

test('what is new in a tree gets an id of its own, what stays keeps its id', () => {
  assert.deepEqual(readOptions('Hardware\n\tLamp\n\t\tBulb\n\tCable\nLamp\n', true, tree), [
    tree[0],
    tree[1],
    { id: 'bulb', label: 'Bulb', parentId: 'lamp' },
    { id: 'cable', label: 'Cable', parentId: 'hw' },
    { id: 'lamp-2', label: 'Lamp' },
  ]);
});

test('a list has no levels, and equal lines are two options', () => {
  assert.deepEqual(readOptions('One\n  Two\nOne', false), [
    { id: 'one', label: 'One' },
    { id: 'two', label: 'Two' },
    { id: 'one-2', label: 'One' },
  ]);
});

test('fields that were there keep their idents; empty rows are none', () => {
  const known = { ident: 'a/b', label: 'Topic', type: 'list', isRequired: true, options: [{ id: 'bill', label: 'Invoices' }] };
  assert.deepEqual(
    readFields([
      { label: ' Subject ', type: 'list', isRequired: false, options: 'Invoices\nOther', known },
      { label: 'Subject', type: 'text', isRequired: true, options: 'left behind' },
      { label: '  ', type: 'text' },
    ]),
    [
      { ident: 'a/b', label: 'Subject', type: 'list', options: [{ id: 'bill', label: 'Invoices' }, { id: 'other', label: 'Other' }] },
      { ident: 'subject', label: 'Subject', type: 'text', isRequired: true },
    ],
  );
});

test('answers are read by their labels, also those that nobody asks for any more', () => {
  const channel = {
    preChatSurvey: { fields: [{ ident: 'product', label: 'Product', type: 'tree', options: tree }] },
    contactFields: [{ ident: 'prio', label: 'Priority', type: 'list', options: [{ id: 'hi', label: 'High' }] }],
  };
  assert.deepEqual(answers(channel, { old: 'x', prio: 'hi', product: 'lamp' }), [
    ['Product', 'Hardware › Lamp'],
    ['Priority', 'High'],
    ['old', 'x'],
  ]);
  assert.deepEqual(answers(channel, { product: 'gone' }), [['Product', 'gone']]);
  assert.deepEqual(answers(undefined), []);
});

test('sections about one thing share its names', () => {
  const taken = new Set(['topic']);
  assert.deepEqual(readFields([{ label: 'Topic', type: 'text' }], taken), [{ ident: 'topic-2', label: 'Topic', type: 'text' }]);
  assert.deepEqual([...taken], ['topic', 'topic-2']);
});
