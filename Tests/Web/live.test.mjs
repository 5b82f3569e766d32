import assert from 'node:assert/strict';
import test from 'node:test';
import { remaining } from '../../web/assets/live-bar.js';
import { Outbox } from '../../web/assets/outbox.js';
import { richContent } from '../../web/assets/rich-form.js';
import { leaves, problemsByField, question } from '../../web/assets/survey.js';

test('of a tree the leaves can be chosen, named by their way down, in its order', () => {
  const options = [
    { id: 'hw', label: 'Hardware' },
    { id: 'sw', label: 'Software' },
    { id: 'lamp', label: 'Lamps', parentId: 'hw' },
    { id: 'desk', label: 'Desk lamp', parentId: 'lamp' },
    { id: 'cable', label: 'Cables', parentId: 'hw' },
  ];
  assert.deepEqual(leaves(options), [
    ['desk', 'Hardware › Lamps › Desk lamp'],
    ['cable', 'Hardware › Cables'],
    ['sw', 'Software'],
  ]);
});

test('each question becomes a field of its kind, an answer that was given stands in it', () => {
  const options = [{ id: 'x', label: 'X' }];
  assert.deepEqual(question({ ident: 'm', label: 'Mail', type: 'email', isRequired: true }, 0, 'a@b.cz', 'No.'), {
    name: 'survey-0', label: 'Mail', value: 'a@b.cz', required: true, problem: 'No.', data: 'm', type: 'email', maxLength: 320,
  });
  assert.deepEqual(question({ ident: 'l', label: 'List', type: 'list', options }, 1).options, [['', ''], ['x', 'X']]);
  assert.deepEqual(question({ ident: 't', label: 'Tree', type: 'tree', options }, 2).options, [['', ''], ['x', 'X']]);
  assert.equal(question({ ident: 'o', label: 'Other', type: 'text' }, 3).options, undefined);
});

test('a refusal is shown at the questions that it points to', () => {
  const errors = [
    { pointer: '#/customFields/a~1b~0c', detail: 'Not an option.' },
    { pointer: '#/customFields/caf%C3%A9' },
    { pointer: '#/name', detail: 'Something else.' },
  ];
  assert.deepEqual([...problemsByField({ errors })], [['a/b~c', 'Not an option.'], ['café', 'Please answer.']]);
  assert.equal(problemsByField({}).size, 0);
});

test('a countdown goes from its length to nothing, whatever the clocks say', () => {
  const popup = { startedAt: '2026-05-04T09:30:00.000Z', numberOfSeconds: 65 };
  const at = (seconds) => remaining(popup, Date.parse(popup.startedAt) + seconds * 1000);
  assert.deepEqual([at(-10), at(0), at(0.2), at(5), at(64.5), at(65), at(100)], ['1:05', '1:05', '1:05', '1:00', '0:01', '0:00', '0:00']);
});

test('a chosen answer goes with its postback, an ordinary message without', async () => {
  const sent = [];
  const outbox = new Outbox(async (message) => void sent.push(message) ?? message);
  outbox.add('Today', [], { postback: 'day-1' });
  outbox.add('and thanks');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent.map(({ id, ...rest }) => rest), [{ text: 'Today', postback: 'day-1' }, { text: 'and thanks' }]);
});

test('what the desk fills in makes a rich message, or says that it makes none', () => {
  const content = (type, offer) => richContent({ type, title: 'T', offer });
  const buttons = [{ text: 'a', postback: 'a' }, { text: 'b c', postback: 'b c' }];
  assert.deepEqual(content('quickReplies', ' a ;b c;; '), { title: 'T', buttons });
  assert.deepEqual(content('listPicker', 'a;b c'), { title: 'T', text: 'T', buttons });
  assert.deepEqual(content('richLink', 'https://shop.example/x'), { title: 'T', url: 'https://shop.example/x' });
  assert.deepEqual([content('quickReplies', ' ; '), content('richLink', 'javascript:alert(1)'), content('richLink', 'https://a b')], [undefined, undefined, undefined]);
  const start = (text) => new Date(text).toISOString();
  assert.deepEqual(content('timePicker', '2026-05-04 09:30; 2026-05-04T14:00 45'), {
    title: 'T',
    sheetTitle: 'T',
    timeSlots: [
      { id: 'slot-1', duration: 1800, startTime: start('2026-05-04T09:30') },
      { id: 'slot-2', duration: 2700, startTime: start('2026-05-04T14:00') },
    ],
  });
  for (const wrong of ['tomorrow', '2026-05-04', '2026-13-04 09:30', '2026-05-04 09:30 0', '2026-05-04 09:30; then'])
    assert.equal(content('timePicker', wrong), undefined, wrong);
});
