import assert from 'node:assert/strict';
import test from 'node:test';
import { PushDevice } from '../../web/assets/push-device.js';

const KEY = 'BEkF-_w'; // of the gateway
const OTHER = 'AAAA';

/** A browser with a push service, and the gateway. `refuses`: why it does not subscribe. */
function world(t, { subscribed, refuses, hasPushes = true } = {}) {
  const calls = [];
  const make = (key, number) => ({
    options: { applicationServerKey: Uint8Array.from(Buffer.from(key, 'base64url')).buffer },
    toJSON: () => ({ endpoint: `https://push.example/${number}` }),
    unsubscribe: async () => {
      calls.push(`unsubscribe ${number}`);
      state.subscription = null;
    },
  });
  const state = { subscription: subscribed ? make(subscribed, 0) : null, stored: undefined };
  const pushManager = {
    getSubscription: async () => state.subscription,
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      if (refuses) throw new Error(refuses);
      assert.ok(userVisibleOnly);
      calls.push(`subscribe ${applicationServerKey}`);
      return (state.subscription = make(applicationServerKey, 1));
    },
  };
  const registration = { pushManager };
  const serviceWorker = Object.assign(new EventTarget(), {
    register: async (path) => calls.push(`register ${path}`),
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  });
  const cache = {
    match: async () => state.stored && { json: async () => JSON.parse(state.stored) },
    put: async (_, answer) => (state.stored = await answer.text()),
  };
  const globals = {
    navigator: { serviceWorker }, location: new URL('http://localhost:8787/?channel=c'), caches: { open: async () => cache },
    PushManager: hasPushes ? class {} : undefined,
  };
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  const parley = {
    push: async () => ({ applicationServerKey: KEY }),
    session: (id) => ({
      device: {
        set: async ({ kind, subscription, page }) => calls.push(`device ${id} ${kind} ${subscription.endpoint} ${page}`),
        delete: async () => {
          calls.push(`remove ${id}`);
          if (id === 'gone') throw new Error('404');
        },
      },
    }),
    desk: {
      devices: {
        create: async ({ kind, subscription, page }) => {
          calls.push(`desk ${kind} ${subscription.endpoint} ${page}`);
          return { id: 'd1' };
        },
      },
      device: (id) => ({ delete: async () => calls.push(`remove desk ${id}`) }),
    },
  };
  return { calls, state, serviceWorker, device: new PushDevice(parley, () => ({ threadId: 't1', channelId: 'c' })) };
}

test('a session is registered with the subscription, and the worker finds it', async (t) => {
  const { calls, state, device } = world(t);
  assert.equal(await device.follow('s'), true);
  assert.deepEqual(calls, [
    'register http://localhost:8787/push-worker.js', `subscribe ${KEY}`, 'device s webPush https://push.example/1 http://localhost:8787/',
  ]);
  await device.follow('s2');
  await device.follow('s');
  assert.deepEqual(JSON.parse(state.stored), { page: 'http://localhost:8787/', sessions: ['s', 's2'] });
});

test('a subscription that is there is used, one of another gateway is not', async (t) => {
  const same = world(t, { subscribed: KEY });
  await same.device.follow('s');
  assert.deepEqual(same.calls.slice(1), ['device s webPush https://push.example/0 http://localhost:8787/']);
  const other = world(t, { subscribed: OTHER });
  await other.device.follow('s');
  assert.deepEqual(other.calls.slice(1, 3), ['unsubscribe 0', `subscribe ${KEY}`]);
});

test('two tabs that register at once remember both sessions', async (t) => {
  const { state, device } = world(t);
  let last = Promise.resolve();
  navigator.locks = { request: (_, action) => (last = last.then(action)) };
  assert.deepEqual(await Promise.all([device.follow('s'), device.follow('s2')]), [true, true]);
  assert.deepEqual(JSON.parse(state.stored).sessions, ['s', 's2']);
});

test('without a push service the page goes on', async (t) => {
  assert.equal(await world(t, { refuses: 'no service' }).device.follow('s'), false);
  const { calls, device } = world(t, { hasPushes: false });
  assert.equal(await device.follow('s'), false);
  await device.end();
  assert.deepEqual(calls, []);
});

test('the end is told for each session, and the subscription is no more', async (t) => {
  const { calls, state, device } = world(t);
  await device.follow('gone');
  await device.follow('s');
  calls.length = 0;
  await device.end();
  assert.deepEqual(calls, ['remove gone', 'remove s', 'unsubscribe 1']);
  assert.deepEqual(JSON.parse(state.stored).sessions, []);
});

test('the desk is registered beside sessions, and each ends by itself', async (t) => {
  const { calls, state, device } = world(t);
  await device.follow('s');
  calls.length = 0;
  assert.equal(await device.deskDevice(), undefined);
  assert.equal(await device.followDesk(), 'd1');
  assert.deepEqual(calls, ['register http://localhost:8787/push-worker.js', 'desk webPush https://push.example/1 http://localhost:8787/desk']);
  assert.equal(await device.deskDevice(), 'd1');
  assert.deepEqual(JSON.parse(state.stored), {
    page: 'http://localhost:8787/', sessions: ['s'], desk: { page: 'http://localhost:8787/desk', id: 'd1' },
  });
  calls.length = 0;
  await device.end();
  assert.deepEqual(calls, ['remove s']); // the desk still needs the subscription
  await device.follow('s');
  calls.length = 0;
  await device.endDesk();
  assert.deepEqual(calls, ['remove desk d1']);
  await device.end();
  assert.deepEqual(calls, ['remove desk d1', 'remove s', 'unsubscribe 1']);
  assert.equal(await device.deskDevice(), undefined);
});

test('the worker is told which conversation is on show', (t) => {
  const { serviceWorker } = world(t);
  const answers = [];
  const ask = (data) => Object.assign(new Event('message'), { data, ports: [{ postMessage: (answer) => answers.push(answer) }] });
  serviceWorker.dispatchEvent(ask({ ask: 'thread' }));
  serviceWorker.dispatchEvent(ask({ link: '/' }));
  assert.deepEqual(answers, [{ threadId: 't1', channelId: 'c' }]);
});
