import assert from 'node:assert/strict';
import test from 'node:test';
import { applyCollectionEvent, Parley } from '../../web/parley.js';
import { collect, frame, gateway, json, problem, stream } from './gateway.mjs';

const rows = (...ids) => ids.map((id) => ({ id }));
const known = (version, ...ids) => ({ version, items: rows(...ids), pending: [], failed: [] });
const event = (type, version, data) => ({ type: `collection.${type}`, data: { collectionId: 'c', version, ...data } });
const ids = (list, name = 'items') => list[name].map(({ id }) => id).join(' ');

test('insert: indices are as after the event, ascending', () => {
  const list = applyCollectionEvent(known(1, 'b', 'd'), event('insert', 2, { indices: [0, 2, 4], items: rows('a', 'c', 'e') }));
  assert.equal(ids(list), 'a b c d e');
});

test('move: the item leaves, and stands where the index says, with its new content', () => {
  const moved = [{ id: 'c', name: 'new' }];
  const list = applyCollectionEvent(known(1, 'a', 'b', 'c', 'd'), event('move', 2, { indices: [0], items: moved }));
  assert.equal(ids(list), 'c a b d');
  assert.equal(list.items[0].name, 'new');
  assert.equal(ids(applyCollectionEvent(list, event('move', 3, { indices: [1, 3], items: rows('b', 'c') }))), 'a b d c');
});

test('update changes what is there and nothing else; remove takes away', () => {
  let list = applyCollectionEvent(known(1, 'a', 'b'), event('update', 2, { items: [{ id: 'b', text: 'x' }, { id: 'z', text: 'y' }] }));
  assert.deepEqual(list.items, [{ id: 'a' }, { id: 'b', text: 'x' }]);
  list = applyCollectionEvent(list, event('remove', 3, { ids: ['a', 'z'] }));
  assert.equal(ids(list), 'b');
});

test('an event names its list; clear empties all three', () => {
  let list = known(0);
  list = applyCollectionEvent(list, event('insert', 1, { list: 'pending', indices: [0], items: rows('p') }));
  list = applyCollectionEvent(list, event('insert', 2, { list: 'failed', indices: [0], items: rows('f') }));
  list = applyCollectionEvent(list, event('insert', 3, { list: 'succeeded', indices: [0], items: rows('s') }));
  assert.deepEqual([ids(list), ids(list, 'pending'), ids(list, 'failed')], ['s', 'p', 'f']);
  list = applyCollectionEvent(list, event('remove', 4, { list: 'pending', ids: ['p', 's'] }));
  assert.deepEqual([ids(list), ids(list, 'pending')], ['s', '']);
  list = applyCollectionEvent(list, event('clear', 5, {}));
  assert.deepEqual(list, { version: 5, items: [], pending: [], failed: [] });
});

test('new, hugeGap and parent only grow the version', () => {
  let list = known(1, 'a');
  for (const [at, type] of ['new', 'hugeGap', 'parent'].entries()) list = applyCollectionEvent(list, event(type, at + 2, { ids: ['a'] }));
  assert.equal(list.version, 4);
  assert.equal(ids(list), 'a');
});

test('an old event changes nothing; a gap asks for a snapshot; what was given stays as it was', () => {
  const list = known(5, 'a');
  assert.equal(applyCollectionEvent(list, event('remove', 5, { ids: ['a'] })), list);
  assert.equal(applyCollectionEvent(list, event('remove', 7, { ids: ['a'] })), undefined);
  applyCollectionEvent(list, event('remove', 6, { ids: ['a'] }));
  assert.deepEqual(list, known(5, 'a'));
});

test('random histories: the array that follows equals the list that was changed', () => {
  let seed = 7;
  const random = (below) => ((seed = (seed * 48271) % 2147483647), seed % below);
  let truth = [];
  let list = known(0);
  for (let version = 1; version <= 2000; version++) {
    const kind = truth.length < 3 ? 0 : random(4);
    const pick = () => truth[random(truth.length)];
    if (kind === 0) {
      const added = Array.from({ length: 1 + random(4) }, (_, n) => ({ id: `${version}-${n}` }));
      for (const one of added) truth.splice(random(truth.length + 1), 0, one);
      const sorted = added.sort((a, b) => truth.indexOf(a) - truth.indexOf(b));
      list = applyCollectionEvent(list, event('insert', version, { items: sorted, indices: sorted.map((one) => truth.indexOf(one)) }));
    } else if (kind === 1) {
      const gone = new Set([pick(), pick()]);
      truth = truth.filter((one) => !gone.has(one));
      list = applyCollectionEvent(list, event('remove', version, { ids: [...gone].map(({ id }) => id) }));
    } else if (kind === 2) {
      const one = pick();
      truth.splice(truth.indexOf(one), 1);
      const to = random(truth.length + 1);
      const item = { ...one, moved: version };
      truth.splice(to, 0, item);
      list = applyCollectionEvent(list, event('move', version, { items: [item], indices: [to] }));
    } else {
      const at = random(truth.length);
      truth[at] = { ...truth[at], text: version };
      list = applyCollectionEvent(list, event('update', version, { items: [truth[at]] }));
    }
    assert.deepEqual(list.items, truth);
  }
});

test('at the desk two customers may use one id: whose thread it is counts too', () => {
  const of = (customer, more = {}) => ({ id: 't', channel: 'multi', customer: { id: customer }, ...more });
  const who = (list) => list.items.map(({ customer, text }) => customer.id + (text ?? '')).join(' ');
  let list = { version: 0, items: [] };
  const apply = (type, data) => (list = applyCollectionEvent(list, event(type, list.version + 1, data)));
  apply('insert', { items: [of('ada'), of('bo')], indices: [0, 1] });
  apply('update', { items: [of('bo', { text: '!' })] });
  assert.equal(who(list), 'ada bo!');
  apply('move', { items: [of('bo', { text: '?' })], indices: [0] });
  assert.equal(who(list), 'bo? ada');
  apply('remove', { ids: ['t'], owners: [{ channel: 'multi', customer: 'bo' }] });
  assert.equal(who(list), 'ada');
});

test('the client creates, fetches both ways, sets the viewpoint, removes', async (t) => {
  const { baseURL, requests } = await gateway(t, json(201, { id: 'c 1' }), json(200, { hasMore: true }));
  const session = new Parley({ baseURL }).session('s');
  const { id } = await session.collections.create({ kind: 'messages', threadId: 't', parentId: 'm' }, { key: 'k' });
  const collection = session.collection(id);
  assert.deepEqual(await collection.fetch('previous'), { hasMore: true });
  await collection.setViewpoint(1700000000000);
  await collection.setViewpoint();
  await collection.get();
  await collection.delete();
  assert.deepEqual(requests.map(({ method, url, body }) => [method, url, body]), [
    ['POST', '/v1/sessions/s/collections', { kind: 'messages', threadId: 't', parentId: 'm' }],
    ['POST', '/v1/sessions/s/collections/c%201/fetch', { direction: 'previous' }],
    ['POST', '/v1/sessions/s/collections/c%201/viewpoint', { viewpoint: 1700000000000 }],
    ['POST', '/v1/sessions/s/collections/c%201/viewpoint', {}],
    ['GET', '/v1/sessions/s/collections/c%201', undefined],
    ['DELETE', '/v1/sessions/s/collections/c%201', undefined],
  ]);
  assert.equal(requests[0].headers['idempotency-key'], 'k');
});

const delta = (type, version, data) => frame(`collection.${type}`, { collectionId: 'c', version, ...data }, `i-${version}`);

test('snapshot and stream join by version: nothing lost, nothing twice, a gap and a reset are made up for', async (t) => {
  const { baseURL, requests } = await gateway(
    t,
    json(200, known(2, 'a', 'b')),
    stream([
      'retry: 10\n\n', delta('remove', 2, { ids: ['a'] }), delta('insert', 3, { indices: [2], items: rows('c') }),
      delta('remove', 6, { ids: ['c'] }),
    ], { open: false }),
    json(200, known(6, 'a')),
    stream([frame('reset', { reason: 'tooOld' }, 'j-0'), delta('remove', 9, { ids: ['a'] }).replaceAll('i-', 'j-')], { open: true }),
    json(200, known(8, 'x', 'a')),
  );
  const seen = [];
  for await (const { list } of new Parley({ baseURL }).session('s').collection('c').follow()) {
    seen.push(`${list.version}: ${ids(list)}`);
    if (list.version === 9) break;
  }
  assert.deepEqual(seen, ['2: a b', '3: a b c', '6: a', '8: x a', '9: x']);
  assert.equal(requests[1].url, '/v1/sessions/s/collections/c/events?version=2');
  assert.equal(requests[3].headers['last-event-id'], 'i-6');
});

test('a session\'s stream brings its collections\' events when asked', async (t) => {
  const { baseURL, requests } = await gateway(t, stream([delta('new', 1, {})], { open: true }));
  await collect(new Parley({ baseURL }).session('s').events({ collections: true }), () => true);
  await collect(new Parley({ baseURL }).session('s').events({ collections: ['a', 'b'] }), () => true);
  await collect(new Parley({ baseURL }).desk.events({ collections: true, holders: ['x', 'y'] }), () => true);
  assert.deepEqual(requests.map(({ url }) => url), [
    '/v1/events?session=s&collections=true',
    '/v1/events?session=s&collections=a%2Cb',
    '/v1/events?desk=true&collections=true&holder=x&holder=y',
  ]);
});

test('replies and search: what is asked', async (t) => {
  const { baseURL, requests } = await gateway(t, json(200, { items: [] }));
  const session = new Parley({ baseURL }).session('s');
  await session.thread('t').message('m').replies({ from: 0, previous: 0, next: 50, types: ['text', 'file'] });
  await session.thread('t').messages.search('"two words" pre*');
  await session.search('x', { limit: 5 });
  await new Parley({ baseURL }).desk.thread('t', { owner: { channel: 'multi', customer: 'ada' } }).message('m').resend();
  assert.deepEqual(requests.map(({ url }) => url), [
    '/v1/sessions/s/threads/t/messages/m/replies?from=0&previous=0&next=50&types=text%2Cfile',
    '/v1/sessions/s/threads/t/messages?q=%22two+words%22+pre*',
    '/v1/sessions/s/search?q=x&limit=5',
    '/v1/desk/threads/t/messages/m/resend?channel=multi&customer=ada',
  ]);
});

test('a file goes up raw, under its name', async (t) => {
  const { baseURL, requests } = await gateway(t, json(201, { id: 'a', name: 'x', mimeType: 'image/png', size: 3 }), problem(422, 'invalidFileType'));
  const { attachments } = new Parley({ baseURL, token: 'secret' }).session('s');
  const file = new Blob(['[1]'], { type: 'image/png' });
  const steps = [];
  const made = await attachments.upload(file, { name: 'Größe (1)\'"\r\n.png', key: 'k', onProgress: (sent, all) => steps.push([sent, all]) });
  assert.equal(made.id, 'a');
  assert.deepEqual(steps, [[3, 3]]);
  const [{ method, url, headers, body }] = requests;
  assert.deepEqual([method, url, body], ['POST', '/v1/sessions/s/attachments', [1]]);
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29%27%22%0D%0A.png");
  assert.deepEqual([headers.authorization, headers['idempotency-key']], ['Bearer secret', 'k']);
  await assert.rejects(attachments.upload(file), { code: 'invalidFileType', status: 422 });
  assert.equal(attachments.url('a b'), `${baseURL}/v1/sessions/s/attachments/a%20b`);
});
