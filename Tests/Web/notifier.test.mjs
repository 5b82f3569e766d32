import assert from 'node:assert/strict';
import test from 'node:test';
import { Notifier } from '../../web/assets/notifier.js';

const notice = (id, thread = 't1') => ({
  messageId: id, threadId: thread, threadName: 'Order', title: 'Marta', text: 'It left today.', link: `/?thread=${thread}&message=${id}`,
});

/** A browser that answers the question for permission. */
function browser(t, answer, { registration } = {}) {
  const shown = [];
  class Notification extends EventTarget {
    static permission = 'default';
    static async requestPermission() {
      return (Notification.permission = answer);
    }
    constructor(title, options) {
      super();
      Object.assign(this, { title, options });
      shown.push(this);
    }
    close() {
      this.isClosed = true;
      this.onclose?.();
    }
  }
  const stored = new Map();
  const localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) };
  const serviceWorker = Object.assign(new EventTarget(), { getRegistration: async () => registration });
  const globals = { Notification, localStorage, isSecureContext: true, navigator: { serviceWorker } };
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  const opened = [];
  return { shown, opened, serviceWorker, notifier: new Notifier((link) => opened.push(link)) };
}

test('nothing is shown before the user has wanted it, nor when the user does not any more', async (t) => {
  const { notifier, shown } = browser(t, 'granted');
  await notifier.show(notice('m1'));
  Notification.permission = 'granted'; // for another page of this origin
  await notifier.show(notice('m2'));
  assert.equal(notifier.isOn, false);
  assert.equal(await notifier.toggle(), true);
  await notifier.show(notice('m3'));
  await notifier.toggle();
  await notifier.show(notice('m4'));
  assert.deepEqual(shown.map(({ options }) => options.tag), ['m3']);
});

test('the marks of a text are left out, once', async (t) => {
  const { notifier, shown } = browser(t, 'granted');
  await notifier.toggle();
  await notifier.show({ ...notice('m1'), text: 'It left **today**, see `*this*`' });
  assert.equal(shown[0].options.body, 'It left today, see *this*');
});

test('it is silent, names who has written, and a click leads to the message', async (t) => {
  const { notifier, shown, opened } = browser(t, 'granted');
  await notifier.toggle();
  await notifier.show(notice('m1'));
  const [{ title, options }] = shown;
  assert.deepEqual([title, options.body, options.tag, options.silent], ['Marta · Order', 'It left today.', 'm1', true]);
  shown[0].onclick({ preventDefault() {} });
  assert.deepEqual(opened, ['/?thread=t1&message=m1']);
  assert.ok(shown[0].isClosed);
});

test('without permission the switch stays off', async (t) => {
  const { notifier, shown } = browser(t, 'denied');
  assert.equal(await notifier.toggle(), false);
  assert.equal(notifier.isOn, false);
  await notifier.show(notice('m1'));
  assert.deepEqual(shown, []);
});

test('a conversation that is opened takes its notifications away', async (t) => {
  const { notifier, shown } = browser(t, 'granted');
  await notifier.toggle();
  for (const [id, thread] of [['m1', 't1'], ['m2', 't2'], ['m3', 't1']]) await notifier.show(notice(id, thread));
  await notifier.clear('t1');
  assert.deepEqual(shown.map(({ isClosed }) => !!isClosed), [true, false, true]);
});

test('at the desk it takes away those of its customer alone, for several may use one thread id', async (t) => {
  const { notifier, shown } = browser(t, 'granted');
  await notifier.toggle();
  for (const customer of ['u 1', 'u2']) {
    const link = `/desk?${new URLSearchParams({ channel: 'c', thread: 't1', customer })}`;
    await notifier.show({ ...notice(customer), link });
  }
  await notifier.clear('t1');
  assert.deepEqual(shown.map(({ isClosed }) => !!isClosed), [false, false]);
  await notifier.clear('t1', 'u 1');
  assert.deepEqual(shown.map(({ isClosed }) => !!isClosed), [true, false]);
});

test('a service worker shows them where there is one, and says what was clicked', async (t) => {
  const made = [];
  const registration = {
    showNotification: async (title, options) => made.push({ ...options, close: () => made.splice(0, 1) }),
    getNotifications: async () => [...made],
  };
  const { notifier, shown, opened, serviceWorker } = browser(t, 'granted', { registration });
  await notifier.toggle();
  await notifier.show(notice('m1'));
  assert.deepEqual([shown.length, made.length, made[0].data], [0, 1, { link: '/?thread=t1&message=m1', threadId: 't1' }]);
  serviceWorker.dispatchEvent(Object.assign(new Event('message'), { data: { link: made[0].data.link } }));
  assert.deepEqual(opened, ['/?thread=t1&message=m1']);
  await notifier.clear('t1');
  assert.deepEqual(made, []);
});

test('where the page is not secure there is nothing to switch', (t) => {
  const { notifier } = browser(t, 'granted');
  globalThis.isSecureContext = false;
  assert.equal(notifier.isPossible, false);
  assert.equal(notifier.isOn, false);
});
