import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { applyCollectionEvent, Parley } from '../../web/parley.js';
import { collect, frame, gateway, json, problem, stream } from './gateway.mjs';

// Tests/Clients holds parley.py to the same cases.
const CASES = new URL('../Clients/collection-events.json', import.meta.url);
const rows = (...ids) => ids.map((id) => ({ id }));
const known = (version, ...ids) => ({ version, items: rows(...ids), pending: [], failed: [] });
const event = (type, version, data) => ({ type: `collection.${type}`, data: { collectionId: 'c', version, ...data } });
const ids = (list, name = 'items') => list[name].map(({ id }) => id).join(' ');

for (const { name, known: first, steps } of JSON.parse(readFileSync(CASES, 'utf8'))) {
  test(name, () => {
    let list = first;
    for (const { type, data, then } of steps) {
      const before = structuredClone(list);
      const next = applyCollectionEvent(list, { type: `collection.${type}`, data });
      assert.deepEqual(list, before, 'what was given has changed');
      if (then === 'missing') assert.equal(next, undefined);
      else if (then === 'same') assert.equal(next, list);
      else assert.deepEqual((list = next), then);
    }
  });
}

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

test('a snapshot that cannot be had at once is asked for again; an abort ends the following quietly', { timeout: 10_000 }, async (t) => {
  const { baseURL, requests } = await gateway(
    t, problem(503, 'starting'), json(200, known(2, 'a')), stream([frame('reset', { reason: 'tooOld' }, 'j-0')], { open: true }),
    problem(503, 'starting'), json(200, known(8, 'x')), () => {},
  );
  const abort = new AbortController();
  const seen = [];
  for await (const { list } of new Parley({ baseURL }).session('s').collection('c').follow({ signal: abort.signal })) {
    seen.push(`${list.version}: ${ids(list)}`);
    if (list.version === 8) abort.abort();
  }
  assert.deepEqual(seen, ['2: a', '8: x']);
  assert.equal(requests.length, 5);
  const never = new Parley({ baseURL }).session('s').collection('c').follow({ signal: AbortSignal.timeout(30) });
  assert.deepEqual(await never.next(), { done: true, value: undefined });
});

test('a file comes down with its type, whole or not at all', async (t) => {
  const cut = (_, response) => {
    response.writeHead(200, { 'Content-Length': 9 });
    response.write('abc', () => response.destroy());
  };
  const file = (_, response) => response.writeHead(200, { 'Content-Type': 'text/x' }).end('abc');
  const { baseURL, requests } = await gateway(t, file, cut, problem(404, 'unknownAttachment'), () => {});
  const { attachments } = new Parley({ baseURL, token: 'secret' }).desk;
  const blob = await attachments.download('a b');
  assert.deepEqual([await blob.text(), blob.type], ['abc', 'text/x']);
  assert.equal(requests[0].url, '/v1/desk/attachments/a%20b');
  assert.equal(requests[0].headers.authorization, 'Bearer secret');
  await assert.rejects(attachments.download('a'), { code: 'unreachable', status: 0 });
  await assert.rejects(attachments.download('a'), { code: 'unknownAttachment' });
  await assert.rejects(attachments.download('a', { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' });
});
