import assert from 'node:assert/strict';
import test from 'node:test';
import { ParleyError } from '../../web/parley.js';
import { changes, problemsOf, replayPlace, settings, settingsText } from '../../web/assets/webhook-settings.js';

const EMPTY = { url: 'https://h', description: '', types: '', directions: '', channels: '', session: '', concurrency: '', timeoutSeconds: '' };
const ALL = Array.from({ length: 9 }, (_, number) => `type.${number}`);
const webhook = (more = {}) => ({ url: 'https://h', types: ALL, headerNames: [], concurrency: 8, timeoutSeconds: 15, ...more });

test('the settings of a new webhook leave to the defaults what is empty', () => {
  assert.deepEqual(settings(EMPTY), { url: 'https://h' });
  const chosen = { types: 'a, b;c', directions: 'toAgent', channels: 'x y', session: 's', concurrency: '1', timeoutSeconds: '5' };
  assert.deepEqual(settings({ ...EMPTY, ...chosen, description: 'd' }, { A: 'b: c' }), {
    url: 'https://h',
    description: 'd',
    types: ['a', 'b', 'c'],
    directions: ['toAgent'],
    channels: ['x', 'y'],
    concurrency: 1,
    timeoutSeconds: 5,
    audience: { session: 's' },
    headers: { A: 'b: c' },
  });
});

test('a webhook begins its form with its settings; the defaults are empty', () => {
  const texts = { ...EMPTY, concurrency: '8', timeoutSeconds: '15' };
  delete texts.session;
  assert.deepEqual(settingsText(webhook()), texts);
  assert.deepEqual(settingsText(webhook({ directions: ['toAgent', 'toClient'] })), texts);
  const chosen = webhook({ description: 'd', types: ['a', 'b'], directions: ['toAgent'], channels: ['x'], concurrency: 1 });
  assert.deepEqual(settingsText(chosen), {
    ...texts, description: 'd', types: 'a, b', directions: 'toAgent', channels: 'x', concurrency: '1',
  });
});

test('only what was changed is sent, and null for what was emptied', () => {
  const before = settingsText(webhook({ types: ['a'], description: 'd', directions: ['toAgent', 'toClient'] }));
  assert.deepEqual(changes(before, { ...before }), {});
  const texts = { ...before, description: '', types: 'a b', concurrency: '', timeoutSeconds: '30' };
  assert.deepEqual(changes(before, texts, { A: null }), {
    description: null, types: ['a', 'b'], concurrency: null, timeoutSeconds: 30, headers: { A: null },
  });
});

test('a replay begins at a time of this computer, or after an event', () => {
  const since = '2026-05-04T09:30';
  assert.deepEqual(replayPlace({ since, after: '' }), { since: new Date(2026, 4, 4, 9, 30).toISOString() });
  assert.deepEqual(replayPlace({ since: '', after: 'e-1' }), { after: 'e-1' });
});

test('a problem stands at the field it belongs to, or above all', () => {
  const refused = (code, errors = []) => problemsOf(new ParleyError({ code, status: 422, detail: `It is ${code}.`, errors }));
  const [types, session] = [{ pointer: '#/types/0', detail: 'No such type.' }, { pointer: '#/audience/session', detail: 'Unknown.' }];
  assert.deepEqual(refused('invalidValue', [types, session]), { types: 'No such type.', session: 'Unknown.' });
  assert.deepEqual(refused('targetNotAllowed'), { url: 'It is targetNotAllowed.' });
  assert.deepEqual(refused('tooManyWebhooks'), { '': 'It is tooManyWebhooks.' });
});
