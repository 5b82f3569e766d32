import assert from 'node:assert/strict';
import test from 'node:test';
import { Colleagues } from '../../web/assets/colleagues.js';
import { DeskCounts } from '../../web/assets/desk-counts.js';
import { DeskSounds, soundFor } from '../../web/assets/desk-sounds.js';
import { nextThread } from '../../web/assets/next-thread.js';
import { PersonSettings } from '../../web/assets/person-settings.js';
import { ThreadSelection } from '../../web/assets/thread-selection.js';
import { withView } from '../../web/assets/saved-views.js';
import { itemKey } from '../../web/parley.js';

const tell = (stream, type, data) => stream.dispatchEvent(new CustomEvent('event', { detail: { type, data } }));
const rest = (time = 1) => new Promise((resolve) => setTimeout(resolve, time));

// MARK: Counts

test('counts are asked for once, however many events come, and once more for those that came meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 5000;
  const stream = new EventTarget();
  const asked = [];
  let answer;
  const counts = new DeskCounts(() => (asked.push(now), new Promise((resolve) => (answer = resolve))), stream, () => now);
  const pass = async (time) => {
    now += time;
    t.mock.timers.tick(time);
    await Promise.resolve();
  };
  for (let at = 0; at < 5; at += 1) tell(stream, 'thread.updated', {});
  tell(stream, 'typing', {});
  await pass(0);
  assert.deepEqual(asked, [5000]);
  tell(stream, 'thread.created', {});
  tell(stream, 'thread.removed', {});
  answer({ open: 3 });
  for (let at = 0; at < 5; at += 1) await Promise.resolve();
  assert.deepEqual(counts.numbers, { open: 3 });
  await pass(999);
  assert.equal(asked.length, 1, 'not within a second');
  await pass(1);
  assert.deepEqual(asked, [5000, 6000]);
});

// MARK: The next one

test('the next one is mine that waits, else one that nobody has, and never the one that was left', async () => {
  const asked = [];
  const threads = (mine, free) => ({
    list: async (query) => {
      asked.push(query);
      return { items: query.unassigned ? free : mine };
    },
  });
  const [left, mine, free] = [{ id: 'left' }, { id: 'mine' }, { id: 'free' }];
  const next = (...lists) => nextThread(threads(...lists), { agent: 'mara', channel: 'shop', except: (one) => one === left });
  assert.equal(await next([left, mine], [free]), mine);
  assert.equal(await next([left], [free]), free);
  assert.equal(await next([], [left]), undefined);
  assert.deepEqual(asked[0], { state: 'open', waiting: true, order: 'waiting', snoozed: 'exclude', limit: 2, channel: 'shop', agent: 'mara' });
});

// MARK: Sounds

const written = (more = {}) => ({ type: 'message.created', data: { desk: true, message: { direction: 'toAgent', author: { kind: 'customer' } }, ...more } });

test('a tone is for what customers write where nobody is, or where I am', () => {
  assert.equal(soundFor(written(), undefined, 'mara'), 'soundWaiting');
  assert.equal(soundFor(written(), {}, 'mara'), 'soundWaiting');
  assert.equal(soundFor(written(), { agent: { id: 'mara' } }, 'mara'), 'soundMine');
  assert.equal(soundFor(written(), { agent: { id: 'bo' } }, 'mara'), undefined);
  assert.equal(soundFor(written({ message: { direction: 'toClient', author: { kind: 'agent' } } }), undefined, 'mara'), undefined);
  assert.equal(soundFor({ type: 'thread.updated', data: { desk: true } }, undefined, 'mara'), undefined);
});

/** A context that counts its tones. */
function speaker(state = 'running') {
  const made = { tones: 0, state, currentTime: 0, destination: {}, resume: async () => (made.state = 'running') };
  const gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  made.createOscillator = () => ({ frequency: {}, connect: (to) => to, start: () => (made.tones += 0.5), stop: () => {} });
  made.createGain = () => ({ gain, connect: () => {} });
  return made;
}

/** Locks of one browser: what is held is given to nobody else. */
function locksOfBrowser() {
  let isHeld = false;
  return {
    async request(name, { ifAvailable }, callback) {
      assert.ok(ifAvailable);
      if (isHeld) return callback(null);
      isHeld = true;
      await callback({ name });
      isHeld = false;
    },
  };
}

test('of several tabs one sounds, and not again for three seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const locks = locksOfBrowser();
  const [one, other] = [speaker(), speaker()];
  const tabs = [one, other].map((context) => new DeskSounds({ locks, make: () => context }));
  assert.equal(await tabs[0].play(), false, 'nobody has done anything in the page yet');
  for (const tab of tabs) tab.wake();
  assert.deepEqual(await Promise.all([...tabs, tabs[0]].map((tab) => tab.play())), [true, false, false]);
  assert.equal(one.tones + other.tones, 1);
  t.mock.timers.tick(3000);
  for (let at = 0; at < 5; at += 1) await Promise.resolve();
  assert.equal(await tabs[1].play(), true);
});

// MARK: Colleagues

test('who is at a conversation is known, without me, and forgotten', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = new EventTarget();
  const colleagues = new Colleagues(stream);
  const place = { threadId: 't', channel: 'shop', customerId: 'ada' };
  const key = itemKey({ id: 't', channel: 'shop', customer: 'ada' });
  const says = (id, more) => tell(stream, 'presence.updated', { agent: { id, name: id }, state: 'online', ...more });
  says('bo', place);
  says('mara', { ...place, doing: 'writing' });
  says('me', { ...place, doing: 'writing' });
  says('cleo', { ...place, threadId: 'other' });
  assert.deepEqual(colleagues.at(key, 'me'), [{ name: 'mara', isWriting: true }, { name: 'bo', isWriting: false }]);
  says('bo', { ...place, state: 'away' });
  says('mara', { state: 'offline' });
  assert.deepEqual(colleagues.at(key, 'me'), []);
  says('bo', place);
  t.mock.timers.tick(70_000);
  assert.deepEqual(colleagues.at(key, 'me'), [], 'nothing was heard for long');
});

// MARK: Settings

/** What `/v1/me` keeps, and a browser's storage. */
function kept(settings = {}) {
  const me = { settings };
  const calls = [];
  const parley = {
    async request(method, path, { body } = {}) {
      calls.push(method);
      await rest();
      if (method === 'PATCH') Object.assign(me, body);
      return structuredClone(me);
    },
  };
  const items = new Map();
  const storage = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value) };
  return { me, calls, parley, storage, items };
}

test('settings of a person are kept by the gateway, beside those of other pages', async () => {
  const { me, parley, storage } = kept({ theme: 'dark', desk: { next: true } });
  const settings = new PersonSettings(parley, storage);
  settings.use('mara');
  assert.equal(settings.get('next'), false, 'until it is known');
  await settings.load();
  assert.equal(settings.get('next'), true);
  await Promise.all([settings.set({ keys: false }), settings.set({ order: 'waiting' })]);
  assert.deepEqual(me.settings, { theme: 'dark', desk: { next: true, keys: false, order: 'waiting' } });
  const again = new PersonSettings(parley, storage);
  again.use('mara');
  assert.equal(again.get('keys'), false, 'the browser knows them at once');
  again.use('bo');
  assert.equal(again.get('keys'), true, 'those of somebody else are not mine');
});

test('whoever runs the gateway has settings in the browser, and nonsense there does no harm', async () => {
  const { calls, parley, storage, items } = kept();
  const settings = new PersonSettings(parley, storage);
  await settings.load();
  await settings.set({ next: true });
  assert.deepEqual(calls, []);
  assert.equal(new PersonSettings(parley, storage).get('next'), true);
  for (const nonsense of ['{', 'null', '[1]', '{"views":"x","keys":3,"order":null}']) {
    items.set('parley.desk.settings', nonsense);
    const read = new PersonSettings(parley, storage);
    assert.deepEqual([read.get('views'), read.get('keys'), read.get('order')], [[], true, 'activity'], nonsense);
  }
});

// MARK: Views and choosing

test('a view of the same name is replaced, and the oldest go when there are too many', () => {
  let views = [];
  for (let number = 0; number < 25; number += 1) views = withView(views, { name: `v${number}`, state: 'open', filter: 'all' });
  assert.deepEqual([views.length, views[0].name, views.at(-1).name], [20, 'v5', 'v24']);
  views = withView(views, { name: ' v7 ', state: 'closed', filter: 'mine' });
  assert.deepEqual(views.filter(({ name }) => name === 'v7'), [{ name: 'v7', state: 'closed', filter: 'mine' }]);
  assert.ok(JSON.stringify({ settings: { desk: { views: Array(20).fill({ name: '\u{1F600}'.repeat(20), channel: 'c'.repeat(64), state: 'snoozed', filter: 'unassigned', tag: 't'.repeat(36), order: 'waiting' }) } } }).length < 8192);
});

test('a range goes from the last one to this one', () => {
  const selection = new ThreadSelection();
  const order = ['a', 'b', 'c', 'd', 'e'];
  selection.extend('d', order);
  assert.deepEqual(selection.keys, ['d'], 'with nothing before, it is only this one');
  selection.extend('b', order);
  assert.deepEqual(selection.keys.sort(), ['b', 'c', 'd']);
  selection.toggle('c');
  selection.keep(['a', 'd']);
  assert.deepEqual(selection.keys, ['d']);
  selection.end();
  assert.deepEqual([selection.keys, selection.isOn], [[], false]);
});
