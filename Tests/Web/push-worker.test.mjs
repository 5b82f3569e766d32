import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const SOURCE = readFileSync(new URL('../../web/push-worker.js', import.meta.url), 'utf8');
const HOME = 'http://localhost:8787';

/** A window of the gateway. `place`: what it answers; undefined: it answers nothing. */
class Window {
  messages = [];
  isFocused = false;

  constructor(path, { visible = false, focused = false, place } = {}) {
    Object.assign(this, { url: HOME + path, visibilityState: visible ? 'visible' : 'hidden', focused, place });
  }
  postMessage(message, [port] = []) {
    if (!port) return this.messages.push(message);
    if (this.place !== undefined) port.postMessage(this.place);
    port.close();
  }
  async focus() {
    this.isFocused = true;
  }
}

/** The worker as a browser starts it: `dispatch` resolves when all that the event waits for is over. */
function worker(windows = [], { stored, fetch = async () => {}, subscribe } = {}) {
  const shown = [];
  const opened = [];
  const calls = [];
  const listeners = {};
  const self = {
    location: new URL('/push-worker.js', HOME),
    addEventListener: (type, listener) => (listeners[type] = listener),
    skipWaiting: () => calls.push('skipWaiting'),
    clients: {
      matchAll: async (filter) => {
        assert.deepEqual({ ...filter }, { type: 'window', includeUncontrolled: true });
        return windows;
      },
      claim: async () => calls.push('claim'),
      openWindow: async (url) => opened.push(url),
    },
    registration: {
      showNotification: async (title, options) => shown.push({ title, ...options }),
      pushManager: { subscribe },
    },
  };
  const caches = { open: async () => ({ match: async () => stored && { json: async () => stored } }) };
  vm.runInNewContext(SOURCE, { self, caches, fetch, URL, MessageChannel, setTimeout, clearTimeout });
  const dispatch = async (type, event = {}) => {
    const waited = [];
    listeners[type]({ ...event, waitUntil: (promise) => waited.push(promise) });
    await Promise.all(waited);
  };
  const push = (text) => dispatch('push', { data: text === undefined ? null : { json: () => JSON.parse(text) } });
  const click = (link) => {
    const notification = { data: { link }, close: () => (notification.isClosed = true) };
    return dispatch('notificationclick', { notification }).then(() => assert.ok(notification.isClosed));
  };
  return { shown, opened, calls, dispatch, push, click };
}

const said = (more = {}) =>
  JSON.stringify({
    web_push: 8030,
    notification: {
      title: 'Marta', body: 'It left today.', navigate: `${HOME}/?channel=c&thread=t1&message=m1`, tag: 't1',
      data: { threadId: 't1', messageId: 'm1', channelId: 'c' }, ...more,
    },
  });

test('a push becomes a notification: one for each conversation, the next one tells again', async () => {
  const { shown, push } = worker();
  await push(said());
  assert.deepEqual(JSON.parse(JSON.stringify(shown)), [{
    title: 'Marta', body: 'It left today.', icon: '/assets/icon.svg', tag: 't1', renotify: true,
    data: { link: `${HOME}/?channel=c&thread=t1&message=m1`, threadId: 't1' },
  }]);
});

test('language, direction and silence are passed on', async () => {
  const { shown, push } = worker();
  await push(said({ lang: 'ar', dir: 'rtl', silent: true }));
  assert.deepEqual([shown[0].lang, shown[0].dir, shown[0].silent], ['ar', 'rtl', true]);
});

test('what cannot be read is shown without words, for a push must show something', async () => {
  const { shown, push } = worker();
  for (const text of [undefined, 'no JSON', 'null', '{}', '{"notification":{"title":""}}']) await push(text);
  const seen = shown.map(({ title, body, tag, renotify }) => [title, body, tag, renotify]);
  assert.deepEqual(seen, Array(5).fill(['New message', '', undefined, undefined]));
});

const thread = (threadId, more) => ({ threadId, channelId: 'c', ...more });

test('nothing is shown while a visible window has the conversation', async () => {
  const windows = ['t2', 't1'].map((id) => new Window('/', { visible: true, place: thread(id) }));
  const { shown, push } = worker(windows);
  await push(said());
  assert.deepEqual(shown, []);
});

test('a hidden window, one with another conversation and one that answers nothing do not count', async () => {
  for (const one of [
    new Window('/', { place: thread('t1') }), new Window('/', { visible: true, place: thread('t2') }),
    new Window('/', { visible: true, place: thread('t1', { channelId: 'd' }) }),
    new Window('/', { visible: true, place: null }), new Window('/docs', { visible: true }),
  ]) {
    const { shown, push } = worker([one]);
    await push(said());
    assert.equal(shown.length, 1, one.url + one.visibilityState);
  }
});

test('two customers may use one thread id: at the desk only the one whose thread is on show is not told of', async () => {
  const { shown, push } = worker([new Window('/desk', { visible: true, place: thread('t1', { customerId: 'u 1' }) })]);
  const link = (customer) => ({ navigate: `${HOME}/desk?${new URLSearchParams({ channel: 'c', thread: 't1', ...customer })}` });
  await push(said(link({ customer: 'u 1' })));
  assert.equal(shown.length, 0);
  await push(said(link({ customer: 'u 2' })));
  assert.equal(shown.length, 1);
  await push(said(link({}))); // of the customer's own page
  assert.equal(shown.length, 2);
});

test('each of two customers with one thread id has a notification of its own', async () => {
  const { shown, push } = worker();
  for (const customer of ['u1', 'u2', 'u1']) await push(said({ tag: `t1 ${customer}` }));
  assert.deepEqual(shown.map(({ tag }) => tag), ['t1 u1', 't1 u2', 't1 u1']);
});

test('pushes are shown in the order in which they came, however long windows take to answer', async () => {
  const page = new Window('/', { visible: true });
  const { shown, push } = worker([page]);
  const first = push(said({ body: 'one' }));
  await new Promise((resolve) => setImmediate(resolve)); // the page has been asked, and says nothing
  page.place = thread('t2');
  await Promise.all([first, push(said({ body: 'two' }))]);
  assert.deepEqual(shown.map(({ body }) => body), ['one', 'two']);
});

test('a link that is no address does not keep a push from being shown', async () => {
  const { shown, push } = worker();
  await push(said({ navigate: 'http://[' }));
  assert.equal(shown.length, 1);
});

test('a click shows the page that is open, and tells it where to', async () => {
  const desk = new Window('/desk', { visible: true, focused: true });
  const hidden = new Window('/?channel=c');
  const visible = new Window('/?channel=c', { visible: true });
  const { opened, click } = worker([desk, hidden, visible]);
  await click(`${HOME}/?thread=t1`);
  assert.deepEqual([desk, hidden, visible].map(({ isFocused }) => isFocused), [false, false, true]);
  assert.deepEqual(JSON.parse(JSON.stringify(visible.messages)), [{ link: `${HOME}/?thread=t1` }]);
  assert.deepEqual(opened, []);
});

test('a window that may not be focused is told nevertheless', async () => {
  const page = new Window('/');
  page.focus = async () => Promise.reject(new Error('InvalidAccessError'));
  await worker([page]).click(`${HOME}/?thread=t1`);
  assert.equal(page.messages.length, 1);
});

test('a click opens the page when none is open, and never another origin', async () => {
  const { opened, click } = worker([new Window('/desk')]);
  await click(`${HOME}/?thread=t1`);
  await click('/?thread=t2');
  await click(undefined);
  await click('https://elsewhere.example/');
  assert.deepEqual(opened, [`${HOME}/?thread=t1`, `${HOME}/?thread=t2`, `${HOME}/`]);
});

test('the newest worker is used at once, for pages that are open too', async () => {
  const { calls, dispatch } = worker();
  await dispatch('install');
  await dispatch('activate');
  assert.deepEqual(calls, ['skipWaiting', 'claim']);
});

test('another subscription is registered for each session, also where one is no more', async () => {
  const sent = [];
  const fetch = async (path, { method, body }) => {
    sent.push([method, path, JSON.parse(body)]);
    if (path.includes('gone')) throw new Error('404');
  };
  const stored = { page: `${HOME}/`, sessions: ['gone', 'a/b'] };
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example/2' }) };
  const subscribe = async ({ userVisibleOnly }) => (assert.ok(userVisibleOnly), subscription);
  const { dispatch } = worker([], { stored, fetch, subscribe });
  const body = { kind: 'webPush', subscription: { endpoint: 'https://push.example/2' }, page: `${HOME}/` };
  await dispatch('pushsubscriptionchange', { oldSubscription: { options: { userVisibleOnly: true } } });
  assert.deepEqual(sent, [['PUT', '/v1/sessions/gone/device', body], ['PUT', '/v1/sessions/a%2Fb/device', body]]);
  await dispatch('pushsubscriptionchange', { newSubscription: subscription });
  assert.equal(sent.length, 4);
});

test('another subscription is registered at the desk, where the browser is one of its devices', async () => {
  const sent = [];
  const fetch = async (path, { method, body }) => sent.push([method, path, JSON.parse(body)]);
  const subscription = { endpoint: 'https://push.example/2' };
  const stored = { sessions: [], desk: { page: `${HOME}/desk`, id: 'd1' } };
  await worker([], { stored, fetch }).dispatch('pushsubscriptionchange', { newSubscription: { toJSON: () => subscription } });
  assert.deepEqual(sent, [['POST', '/v1/desk/devices', { kind: 'webPush', subscription, page: `${HOME}/desk` }]]);
});

test('without a subscription or a session there is nothing to register', async () => {
  const fetch = async () => assert.fail('nothing is to be sent');
  await worker([], { fetch, stored: { page: HOME, sessions: ['s'] } }).dispatch('pushsubscriptionchange');
  await worker([], { fetch }).dispatch('pushsubscriptionchange', { newSubscription: { toJSON: () => ({}) } });
});
