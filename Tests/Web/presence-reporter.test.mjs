import assert from 'node:assert/strict';
import test from 'node:test';
import { PresenceReporter } from '../../web/assets/presence-reporter.js';

const made = [];
// A reporter that goes on would keep the process alive, also after a failure.
test.afterEach(() => made.splice(0).forEach((reporter) => reporter.stop()));

const rest = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A tab of a browser, and what the gateway hears of it. */
function tab({ shared = new Map(), time = { now: 1_000_000 } } = {}) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const storage = { getItem: (name) => shared.get(name) ?? null, setItem: (name, value) => shared.set(name, value), removeItem: (name) => shared.delete(name) };
  const heard = [];
  const api = { set: async ({ state, threadId, doing }, place) => void heard.push([state, threadId, doing, ...Object.values(place)].filter(Boolean).join(' ')) };
  const choice = { isAway: false };
  const reporter = new PresenceReporter(api, () => ({ id: 'mara', name: 'Mara' }), { isAway: () => choice.isAway, page, storage, now: () => time.now });
  made.push(reporter);
  const look = async (state, type = 'visibilitychange') => {
    page.visibilityState = state;
    page.dispatchEvent(new Event(type));
    await rest();
  };
  return { reporter, heard, choice, page, look, time, shared };
}

const THREAD = { id: 't', channel: 'shop', customer: { id: 'ada' } };

test('it says where the agent is, and when they write', async () => {
  const { reporter, heard } = tab();
  reporter.start();
  await rest();
  reporter.show(THREAD);
  await rest();
  reporter.show(THREAD);
  reporter.writes();
  reporter.writes();
  await rest();
  reporter.sent();
  await rest();
  reporter.show(undefined);
  await rest();
  reporter.stop();
  assert.deepEqual(heard, ['online', 'online t looking shop ada', 'online t writing shop ada', 'online t looking shop ada', 'online']);
});

test('who has chosen it is away, and at no conversation', async () => {
  const { reporter, heard, choice } = tab();
  reporter.start();
  reporter.show(THREAD);
  await rest();
  choice.isAway = true;
  await reporter.settle();
  reporter.stop();
  assert.equal(heard.at(-1), 'away');
});

test('who has touched nothing for ten minutes is away until the next key', async () => {
  const { reporter, heard, time, look, page } = tab();
  reporter.start();
  await rest();
  time.now += 599_000;
  await reporter.settle({ again: true });
  assert.equal(heard.at(-1), 'online');
  time.now += 2000;
  await reporter.settle({ again: true });
  assert.equal(heard.at(-1), 'away');
  await look('visible', 'keydown');
  assert.equal(heard.at(-1), 'online');
  reporter.stop();
  page.visibilityState = 'hidden';
});

test('of two tabs the one that is looked at speaks; with none, the agent is away', async () => {
  const [shared, time] = [new Map(), { now: 1_000_000 }];
  const [one, other] = [tab({ shared, time }), tab({ shared, time })];
  one.reporter.start();
  other.reporter.start();
  await rest();
  const before = one.heard.length;
  await one.look('hidden');
  time.now += 20_000;
  await other.reporter.settle({ again: true });
  await one.reporter.settle({ again: true });
  assert.equal(one.heard.length, before, 'a hidden tab does not contradict the other');
  await other.look('hidden');
  time.now += 31_000;
  await one.reporter.settle({ again: true });
  assert.equal(one.heard.at(-1), 'away');
  one.reporter.stop();
  other.reporter.stop();
});

test('what could not be said is said again', async () => {
  const { reporter } = tab();
  let tries = 0;
  const failing = new PresenceReporter({ set: async () => { tries += 1; if (tries === 1) throw new Error('away'); } }, () => ({ id: 'mara' }), {
    page: Object.assign(new EventTarget(), { visibilityState: 'visible' }), storage: undefined, now: () => 0,
  });
  made.push(failing);
  const { warn } = console;
  console.warn = () => {};
  failing.start();
  await rest();
  console.warn = warn;
  await failing.settle();
  failing.stop();
  assert.equal(tries, 2);
  reporter.stop();
});
