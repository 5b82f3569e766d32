import assert from 'node:assert/strict';
import test from 'node:test';
import { ThreadNotes } from '../../web/assets/thread-notes.js';

const at = (minute) => `2026-05-04T09:${String(minute).padStart(2, '0')}:00.000Z`;
const message = (minute) => ({ id: `m${minute}`, createdAt: at(minute) });
const note = (minute) => ({ id: `n${minute}`, createdAt: at(minute), text: `n${minute}`, author: { id: 'a', kind: 'agent' } });
const list = (items, more = {}) => ({ items, hasPrevious: false, hasNext: false, loaded: true, ...more });

async function loaded(...minutes) {
  const api = { list: async () => ({ items: minutes.map(note).reverse() }), add: async (text) => ({ ...note(30), text }), remove: async () => {} };
  const notes = new ThreadNotes(api, () => {});
  await notes.load();
  return notes;
}
const shown = (notes, of) => notes.among(of).map(({ id, text }) => text ?? id).join(' ');

test('notes stand among the messages by their time, behind a message of the same moment', async () => {
  const notes = await loaded(1, 5, 9);
  assert.equal(shown(notes, list([message(2), message(5), message(7)])), 'n1 m2 m5 n5 m7 n9');
});

test('only notes of the time that the messages cover: others come with their messages', async () => {
  const notes = await loaded(1, 5, 9);
  const items = [message(2), message(7)];
  assert.equal(shown(notes, list(items, { hasPrevious: true })), 'm2 n5 m7 n9');
  assert.equal(shown(notes, list(items, { hasNext: true })), 'n1 m2 n5 m7');
  assert.equal(shown(notes, list([], { loaded: false })), '');
});

test('the same array as long as nothing has changed', async () => {
  const notes = await loaded(1);
  const of = list([message(2)]);
  const first = notes.among(of);
  assert.equal(notes.among(of), first);
  notes.take({ type: 'note.created', data: { note: note(3) } });
  assert.notEqual(notes.among(of), first);
  assert.equal(shown(notes, of), 'n1 m2 n3');
});

test('a note that comes by an event and by the answer is there once; a removed one does not come back', async () => {
  const notes = await loaded();
  await notes.add('hm');
  notes.take({ type: 'note.created', data: { note: { ...note(30), text: 'hm' } } });
  const of = list([message(2)]);
  assert.equal(shown(notes, of), 'm2 hm');
  const { id } = notes.among(of)[1];
  assert.ok(notes.has(id) && !notes.has('m2'));
  await notes.remove(id);
  notes.take({ type: 'note.created', data: { note: note(30) } }); // it was on its way
  assert.equal(shown(notes, of), 'm2');
});

test('a note that another agent has removed is gone here too', async () => {
  const notes = await loaded(1);
  notes.api.remove = async () => { throw Object.assign(new Error(), { status: 404 }); };
  await notes.remove('note n1');
  assert.equal(shown(notes, list([message(2)])), 'm2');
  notes.api.remove = async () => { throw Object.assign(new Error(), { status: 500 }); };
  notes.take({ type: 'note.created', data: { note: note(4) } });
  await assert.rejects(notes.remove('note n4'));
  assert.equal(shown(notes, list([message(2)])), 'm2 n4');
});
