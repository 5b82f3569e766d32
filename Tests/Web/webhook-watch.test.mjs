import assert from 'node:assert/strict';
import test from 'node:test';
import { attemptResult, chosenEvents, lastFailure, urlStart, waitingEvents } from '../../web/assets/webhook-format.js';
import { WebhookWatch } from '../../web/assets/webhook-watch.js';

globalThis.CustomEvent ??= class CustomEvent extends Event {
  constructor(type, { detail }) {
    super(type);
    this.detail = detail;
  }
};

/** A watch whose requests wait for `answer(items)`. */
function made(t, { deliveries = [] } = {}) {
  const waiting = [];
  const asked = [];
  const list = () =>
    new Promise((resolve, reject) => waiting.push({ resolve: (items) => resolve({ items }), reject }));
  const parley = {
    webhooks: { list },
    webhook: (id) => ({ deliveries: async () => (asked.push(id), { items: deliveries }) }),
  };
  const stream = new EventTarget();
  const watch = new WebhookWatch(parley, stream, { interval: 1e6 });
  t.after(() => watch.stop());
  const hear = (type) => stream.dispatchEvent(new CustomEvent('event', { detail: { type, data: {} } }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answer = async (items) => (waiting.shift().resolve(items), await turn());
  return { watch, hear, answer, waiting, asked, turn };
}

const hook = (id, state = 'active', more = {}) => ({ id, state, ...more });

test('an event of a webhook loads them anew; others do not', async (t) => {
  const { watch, hear, answer, waiting } = made(t);
  watch.start();
  await answer([hook('a')]);
  hear('message.created');
  assert.equal(waiting.length, 0);
  hear('webhook.updated');
  await answer([hook('a', 'paused')]);
  assert.equal(watch.get('a').state, 'paused');
  watch.stop();
  hear('webhook.updated');
  assert.equal(waiting.length, 0);
});

test('what happens while a request is on its way is asked for after it, once', async (t) => {
  const { watch, hear, answer, waiting } = made(t);
  watch.start();
  hear('webhook.updated');
  hear('webhook.updated');
  assert.equal(waiting.length, 1);
  await answer([hook('a')]);
  assert.equal(waiting.length, 1);
  await answer([hook('a', 'failing')]);
  assert.equal(waiting.length, 0);
  assert.equal(watch.get('a').state, 'failing');
});

test('a refusal is told, and the next look is made all the same', async (t) => {
  const { watch, hear, answer, waiting, turn } = made(t);
  const problems = [];
  watch.addEventListener('problem', ({ detail }) => problems.push(detail.message));
  watch.start();
  waiting.shift().reject(new Error('away'));
  await turn();
  assert.deepEqual(problems, ['away']);
  hear('reset');
  await answer([hook('a')]);
  assert.equal(watch.items.length, 1);
});

test('the last failure is asked for only of those in trouble, and only after another attempt', async (t) => {
  const attempts = [{ at: '2026-01-01T00:00:02Z', error: 'timeout' }];
  const { watch, hear, answer, asked } = made(t, { deliveries: [{ attempts }] });
  const failing = (nextAttemptAt) => [hook('a'), hook('b', 'failing', { nextAttemptAt }), hook('c', 'paused')];
  watch.start();
  await answer(failing('1'));
  assert.deepEqual([watch.lastFailure('a'), watch.lastFailure('b')], [undefined, attempts[0]]);
  hear('webhook.updated');
  await answer(failing('1'));
  assert.deepEqual(asked, ['b']);
  hear('webhook.updated');
  await answer(failing('2'));
  assert.deepEqual(asked, ['b', 'b']);
});

test('the last failure is the latest of all deliveries', () => {
  const [early, late] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:09Z'].map((at) => ({ at, status: 500 }));
  const taken = { at: '2026-01-02T00:00:00Z', status: 204 };
  assert.equal(lastFailure([{ attempts: [early] }, { attempts: [late, taken] }, { attempts: [] }]), late);
  assert.equal(lastFailure([{ attempts: [taken] }]), undefined);
});

test('a webhook in words', () => {
  assert.equal(urlStart('https://crm.example/a?key=4711'), 'https://crm.example/…');
  assert.equal(urlStart('https://crm.example/'), 'https://crm.example');
  assert.equal(attemptResult({ error: 'unknownHost' }), 'unknown host');
  assert.equal(attemptResult({ error: 'somethingNew' }), 'somethingNew');
  assert.deepEqual([0, 1, 2].map(waitingEvents), ['Nothing waits', '1 event waits', '2 events wait']);
  const filter = { audience: { session: 's' }, types: ['thread.info'], directions: ['toAgent'], channels: ['a', 'b'] };
  assert.equal(chosenEvents(filter), 'thread.info · toAgent · on a, b · of session s');
});
