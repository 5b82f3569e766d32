import assert from 'node:assert/strict';
import test from 'node:test';
import { CollectedMessages } from '../../web/assets/collected-messages.js';
import { LiveCollection } from '../../web/assets/live-collection.js';
import { deskSide } from '../../web/assets/sides.js';
import { ParleyError } from '../../web/parley.js';

globalThis.CustomEvent ??= class CustomEvent extends Event {};
const rows = (...ids) => ids.map((id) => ({ id }));
const ids = (live) => live.list.items.map(({ id }) => id).join(' ');
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

const customer = (collections) => ({ collections, named: ({ id }) => ({ threadId: id }) });

/** A gateway with collections over one list of numbers, whose events come when the test lets them. */
class Gateway {
  made = 0;
  calls = [];
  views = new Map();
  events = []; // not yet delivered
  constructor(count = 100, limit = 10) {
    Object.assign(this, { all: Array.from({ length: count }, (_, n) => `m${n}`), limit });
  }
  async create(definition) {
    const id = `c${++this.made}`;
    this.calls.push(`create ${JSON.stringify(definition)}`);
    const middle = definition.viewpoint === undefined ? this.all.length : definition.viewpoint;
    this.views.set(id, { id, version: 0, from: middle, to: middle });
    const empty = this.snapshot(id);
    if (!definition.firstPage || this.isBroken) return empty;
    const directions = definition.viewpoint === undefined ? ['previous'] : ['previous', 'next'];
    for (const direction of directions) this.#read(id, direction);
    const answer = this.snapshot(id);
    await this.meanwhile?.(id);
    return answer;
  }
  snapshot(id) {
    const { version, from, to } = this.views.get(id) ?? this.gone();
    return { id, kind: 'messages', version, items: rows(...this.all.slice(from, to)), pending: [], failed: [], hasPrevious: from > 0, hasNext: to < this.all.length, cursor: 'e-5' };
  }
  gone() {
    throw new ParleyError({ code: 'unknownCollection', status: 404 });
  }
  async get(id) {
    this.calls.push(`get ${id}`);
    return this.snapshot(id);
  }
  async fetch(id, direction) {
    this.calls.push(`fetch ${id} ${direction}`);
    return this.#read(id, direction);
  }
  #read(id, direction) {
    const view = this.views.get(id) ?? this.gone();
    const { from, to } = view;
    if (direction === 'previous') view.from = Math.max(0, from - this.limit);
    else view.to = Math.min(this.all.length, to + this.limit);
    const added = direction === 'previous' ? this.all.slice(view.from, from) : this.all.slice(to, view.to);
    const start = direction === 'previous' ? 0 : to - from;
    if (added.length) this.tell(id, 'insert', { items: rows(...added), indices: added.map((_, n) => start + n) });
    return { hasMore: direction === 'previous' ? view.from > 0 : view.to < this.all.length };
  }
  async delete(id) {
    this.views.delete(id);
  }
  tell(id, type, data) {
    const view = this.views.get(id);
    this.events.push({ type: `collection.${type}`, data: { collectionId: id, version: ++view.version, ...data } });
  }
  /** Something new at the end. */
  add(id) {
    this.all.push(`m${this.all.length}`);
    const view = this.views.get(id);
    view.to++;
    this.tell(id, 'insert', { items: rows(this.all.at(-1)), indices: [view.to - view.from - 1] });
  }
  deliver(live, lose = () => false) {
    for (const event of this.events.splice(0)) if (!lose(event)) live.take(event);
  }
}

test('opens at the newest, walks back, takes events; the answers may come before the events', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => gateway.changes++);
  await live.open({ kind: 'messages', threadId: 't' });
  assert.equal(ids(live), 'm90 m91 m92 m93 m94 m95 m96 m97 m98 m99');
  assert.deepEqual([live.hasPrevious, live.hasNext], [true, false]);
  gateway.deliver(live); // what the snapshot held already
  gateway.add(live.id);
  gateway.deliver(live);
  assert.equal(live.list.items.at(-1).id, 'm100');
  while (live.hasPrevious) {
    await live.fetch('previous');
    gateway.deliver(live);
  }
  assert.equal(live.list.items.length, 101);
});

test('one request opens it', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  assert.deepEqual(gateway.calls, ['create {"kind":"messages","threadId":"t","firstPage":true}']);
});

test('what happens before the answer is there is not lost', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  gateway.meanwhile = (id) => {
    gateway.add(id);
    gateway.deliver(live);
  };
  await live.open({ kind: 'messages', threadId: 't' });
  assert.equal(ids(live), 'm90 m91 m92 m93 m94 m95 m96 m97 m98 m99 m100');
  assert.equal(gateway.calls.length, 1);
});

test('a first page that could not be read with it is asked for', async () => {
  const gateway = new Gateway();
  gateway.isBroken = true;
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  assert.equal(ids(live), 'm90 m91 m92 m93 m94 m95 m96 m97 m98 m99');
  assert.deepEqual(gateway.calls.slice(1), ['fetch c1 previous', 'get c1']);
});

test('a list that is opened after the stream has begun waits for no word about itself', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  live.expectSync();
  gateway.meanwhile = (id) => live.take({ type: 'collection.sync', data: { collectionId: id, version: 0 } });
  await live.open({ kind: 'messages', threadId: 't' });
  live.take({ type: 'collection.sync', data: { collectionId: live.id, version: 0 } });
  t.mock.timers.tick(5000);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  assert.equal(gateway.calls.length, 1);
});

test('the word about collections that were there before is not waited for by one that was not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  live.expectSync();
  await live.open({ kind: 'messages', threadId: 't' });
  t.mock.timers.tick(5000);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  assert.equal(gateway.calls.length, 1);
});

test('around a viewpoint both sides are fetched', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't', viewpoint: 50 });
  assert.equal(live.list.items.length, 20);
  assert.ok(live.hasPrevious && live.hasNext);
});

test('a gap is made up for by a snapshot; so is what `sync` tells', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  gateway.events = [];
  gateway.add(live.id);
  gateway.add(live.id);
  gateway.deliver(live, ({ data }) => data.version === 2);
  await tick();
  assert.equal(live.list.items.at(-1).id, 'm101');
  gateway.add(live.id);
  gateway.events = [];
  live.take({ type: 'collection.sync', data: { collectionId: live.id, version: 4 } });
  await tick();
  assert.equal(live.list.items.at(-1).id, 'm102');
  const { length } = gateway.calls;
  live.take({ type: 'collection.sync', data: { collectionId: live.id, version: 4 } });
  await tick();
  assert.equal(gateway.calls.length, length, 'nothing is asked when nothing is missing');
});

test('a gateway that began anew, or lost the collection: another is opened, and what was there stays until then', async () => {
  for (const lose of [(gateway, id) => gateway.views.delete(id), (gateway, id) => Object.assign(gateway.views.get(id), { version: 0, from: 100, to: 100 })]) {
    const gateway = new Gateway();
    const seen = [];
    const live = new LiveCollection(gateway, () => seen.push(live.list.items.length));
    await live.open({ kind: 'messages', threadId: 't' });
    const { id } = live;
    lose(gateway, id);
    live.expectSync();
    live.take({ type: 'collection.sync', data: { collectionId: id, version: 0 } });
    await tick();
    assert.notEqual(live.id, id);
    assert.equal(live.list.items.length, 10);
    assert.ok(!seen.includes(0));
  }
});

test('a cleared view and a huge gap begin anew', async () => {
  for (const type of ['clear', 'hugeGap']) {
    const gateway = new Gateway();
    let changed = () => {};
    const live = new LiveCollection(gateway, () => changed());
    await live.open({ kind: 'messages', threadId: 't' });
    gateway.events = [];
    const { id } = live;
    const opened = new Promise((resolve) => (changed = resolve));
    gateway.tell(id, type, {});
    gateway.deliver(live);
    await opened;
    assert.notEqual(live.id, id);
    assert.equal(live.list.items.length, 10);
  }
});

test('a view that is cleared because its thread was left is not asked for again', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  gateway.tell(live.id, 'clear', {});
  gateway.deliver(live);
  live.close(); // by the event that comes behind it
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(gateway.made, 1);
});

test('what left at the far end can be fetched again', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  gateway.events = [];
  Object.assign(gateway.views.get(live.id), { to: 95 });
  gateway.tell(live.id, 'remove', { ids: ['m95', 'm96', 'm97', 'm98', 'm99'] });
  gateway.deliver(live);
  assert.equal(live.hasNext, true);
  await live.fetch('next');
  gateway.deliver(live);
  assert.equal(live.list.items.at(-1).id, 'm99');
  assert.equal(live.hasNext, false);
});

test('an open that is overtaken by another leaves nothing behind', async () => {
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await Promise.all([live.open({ kind: 'messages', threadId: 't', viewpoint: 20 }), live.open({ kind: 'messages', threadId: 't' })]);
  await tick();
  assert.equal(live.list.items.at(-1).id, 'm99');
  assert.deepEqual([...gateway.views.keys()], [live.id]);
  live.close();
  await tick();
  assert.equal(gateway.views.size, 0);
});

test('what was just sent is shown until its event is here, once', async () => {
  const gateway = new Gateway(3);
  const list = new CollectedMessages({ side: customer(gateway), thread: () => ({ id: 't' }), changed: () => {} });
  await list.open();
  const shown = () => list.items.map(({ id }) => id).join(' ');
  gateway.events = [];
  list.upsert({ id: 'm3' });
  assert.equal(shown(), 'm0 m1 m2 m3');
  assert.ok(list.has('m3'));
  gateway.add(list.collectionId);
  gateway.deliver(list);
  assert.equal(shown(), 'm0 m1 m2 m3');
  list.upsert({ id: 'm3' });
  assert.equal(shown(), 'm0 m1 m2 m3');
  list.upsert({ id: 'aside', parentId: 'm1', alsoInThread: false });
  assert.equal(shown(), 'm0 m1 m2 m3');
});

test('news is what comes after the opening', async () => {
  const list = new CollectedMessages({ side: customer(new Gateway(3)), thread: () => ({ id: 't' }), changed: () => {} });
  assert.equal(list.isNews({ id: 'x' }), false);
  await list.open();
  assert.equal(list.isNews({ id: 'm2' }), false, 'its event was only slower than the first page');
  assert.equal(list.isNews({ id: 'x' }), true);
});

test('what the gateway has given to another while the page was away is made anew', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const settle = async () => { for (let turn = 0; turn < 20; turn++) await Promise.resolve(); };
  const gateway = new Gateway();
  const live = new LiveCollection(gateway, () => {});
  await live.open({ kind: 'messages', threadId: 't' });
  const { id } = live;
  const calls = () => gateway.calls.splice(0);
  calls();
  live.expectSync();
  live.take({ type: 'collection.sync', data: { collectionId: id, version: 1 } });
  t.mock.timers.tick(5000);
  await settle();
  assert.deepEqual(calls(), [], 'the stream has said where it stands');
  gateway.views.delete(id);
  live.expectSync();
  t.mock.timers.tick(5000);
  await settle();
  assert.notEqual(live.id, id);
  assert.equal(ids(live), 'm90 m91 m92 m93 m94 m95 m96 m97 m98 m99');
});

test('a collection is made with the page as its holder, and names the thread as its side does', async () => {
  const gateway = new Gateway(3);
  const collection = (id) => ({
    get: () => gateway.get(id),
    fetch: (direction) => gateway.fetch(id, direction),
    delete: () => gateway.delete(id),
  });
  const desk = { collections: gateway, collection };
  const { collections, named } = deskSide({ desk }, () => undefined, () => true, 'tab');
  const thread = { id: 't', channel: 'multi', customer: { id: 'ada', firstName: 'Ada' } };
  const list = new CollectedMessages({ side: { collections, named }, thread: () => thread, changed: () => {} });
  await list.open();
  const wanted = { kind: 'messages', threadId: 't', channel: 'multi', customer: 'ada', limit: 50, firstPage: true, holder: 'tab' };
  assert.equal(gateway.calls[0], `create ${JSON.stringify(wanted)}`);
});
