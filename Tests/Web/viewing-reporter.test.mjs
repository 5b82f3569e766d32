import assert from 'node:assert/strict';
import test from 'node:test';
import { ViewingReporter } from '../../web/assets/viewing-reporter.js';

/** The gateway, as far as it hears what is on show. Each request waits until the test answers it. */
class Sessions {
  calls = [];
  #waiting = [];

  session(id) {
    const set = ({ threadId, holder }) => this.#take(`show ${id} ${threadId} ${holder}`);
    return { viewing: { set, delete: ({ holders }) => this.#take(`stop ${id} ${holders}`) } };
  }
  #take(call) {
    this.calls.push(call);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
  async answer(error) {
    const { resolve, reject } = this.#waiting.shift();
    if (error) reject(error);
    else resolve();
    await rest();
  }
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 1));

function made() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const look = (state) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
    return rest();
  };
  const sessions = new Sessions();
  return { sessions, look, viewing: new ViewingReporter(sessions, 'tab', page) };
}

test('what is open is on show while the page is visible', async () => {
  const { sessions, viewing, look } = made();
  await look('visible');
  assert.deepEqual(sessions.calls, [], 'there is no session yet');
  viewing.show('s', 't1');
  await rest();
  await sessions.answer();
  viewing.show('s', 't1');
  await look('hidden');
  await sessions.answer();
  await look('visible');
  await sessions.answer();
  assert.deepEqual(sessions.calls, ['show s t1 tab', 'show s undefined tab', 'show s t1 tab']);
});

test('requests go one after the other, and what is over is not told', async () => {
  const { sessions, viewing } = made();
  const said = viewing.show('s', 't1');
  await rest();
  viewing.show('s', 't2');
  viewing.show('s', 't3');
  await rest();
  assert.deepEqual(sessions.calls, ['show s t1 tab']);
  await sessions.answer();
  await sessions.answer();
  await said;
  assert.deepEqual(sessions.calls, ['show s t1 tab', 'show s t3 tab']);
});

test('it is said again anew, and after a failure', async () => {
  const { sessions, viewing } = made();
  viewing.show('s', 't1');
  await rest();
  await sessions.answer(new Error('away'));
  viewing.show('s', 't1');
  await rest();
  await sessions.answer();
  viewing.show('s', 't1', { isAnew: true });
  await rest();
  await sessions.answer();
  assert.deepEqual(sessions.calls, Array(3).fill('show s t1 tab'));
});

test('a page that is left takes its screen back, unless its session is no more', async () => {
  const { sessions, viewing } = made();
  viewing.leave();
  viewing.show('s', 't1');
  await rest();
  await sessions.answer();
  viewing.leave();
  await sessions.answer();
  viewing.show('s', 't1');
  await rest();
  await sessions.answer();
  viewing.forget();
  viewing.leave();
  assert.deepEqual(sessions.calls, ['show s t1 tab', 'stop s tab', 'show s t1 tab']);
});
