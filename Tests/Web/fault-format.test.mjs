import assert from 'node:assert/strict';
import test from 'node:test';
import { conditionWords, faultBody, stepWords } from '../../web/assets/fault-format.js';

test('a form becomes what the gateway takes', () => {
  const empty = { event: '', customer: ' ', channel: '', socket: '', nth: '', probability: '', seed: '', seconds: '', count: '', milliseconds: '', errorCode: '' };
  assert.deepEqual(faultBody({ kind: 'refuse', ...empty }), { kind: 'refuse' });
  assert.deepEqual(
    faultBody({ kind: 'refuse', event: ' SendMessage ', customer: '7', channel: 'multi', socket: '3', nth: '2', probability: '0.5', seed: '0', seconds: '1.5', count: '10', milliseconds: '0', errorCode: 'X' }),
    { kind: 'refuse', event: 'SendMessage', customer: '7', channel: 'multi', errorCode: 'X', count: 10, socket: 3, nth: 2, probability: 0.5, seed: 0, milliseconds: 0, lastsMilliseconds: 1500 },
  );
});

test('conditions are told in words', () => {
  assert.equal(conditionWords({ kind: 'refuse', event: 'SendMessage', count: 1 }), '');
  assert.equal(
    conditionWords({ channel: 'multi', socket: 3, nth: 2, probability: 0.5, seed: 0, lastsMilliseconds: 1500 }),
    'Channel: multi, Socket: 3, From the nth: 2, Probability: 0.5, Seed: 0, Lasts (s): 1.5',
  );
});

test('a step tells how far it is', () => {
  const fault = { kind: 'loseAnswer', event: 'SendMessage', count: 1 };
  assert.equal(stepWords({ progress: 'waiting', fault, happened: [] }), 'loseAnswer · SendMessage: waiting');
  assert.equal(
    stepWords({ progress: 'done', fault, happened: [{ frame: 4 }, { frame: 9 }], trigger: { event: 'RecoverThread', nth: 2 } }),
    'loseAnswer · SendMessage · after RecoverThread, no. 2: done (frames 4, 9)',
  );
  assert.match(stepWords({ progress: 'listening', fault, happened: [], trigger: { nth: 1 } }), /after anything: waiting for its trigger$/);
});
