import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Outbox } from '../../web/assets/outbox.js';
import { Typists, TypingReporter } from '../../web/assets/typing.js';
import { ParleyError } from '../../web/parley.js';

const tick = () => new Promise((resolve) => setImmediate(resolve));

// What browsers have, and Node since 19.
globalThis.CustomEvent ??= class CustomEvent extends Event {
  constructor(type, { detail = null, ...init } = {}) {
    super(type, init);
    this.detail = detail;
  }
};

/** Timers and clock by hand. False, and the test is skipped, where this Node cannot do it (18). */
function fakeTime(t) {
  try {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    return true;
  } catch {
    t.skip('Node 20 is needed to set the clock');
    return false;
  }
}

test('the outbox sends one after the other, in the order of writing', async () => {
  const running = [];
  const outbox = new Outbox((message) => new Promise((resolve) => running.push({ message, resolve })));
  outbox.add('one');
  outbox.add('two');
  await tick();
  assert.deepEqual(running.map(({ message }) => message.text), ['one']);
  running[0].resolve({ id: running[0].message.id });
  await tick();
  assert.deepEqual(running.map(({ message }) => message.text), ['one', 'two']);
  assert.deepEqual(outbox.items.map(({ text, status }) => [text, status]), [['two', 'pending']]);
});

test('a failed one stays, keeps its id when tried again, and does not hold up the next', async () => {
  const sent = [];
  const answers = [new ParleyError({ code: 'notConnected', status: 409 }), undefined, undefined];
  const outbox = new Outbox(async (message) => {
    sent.push(message);
    const error = answers.shift();
    if (error) throw error;
    return message;
  });
  outbox.add('one');
  outbox.add('two');
  await tick();
  assert.deepEqual(outbox.items.map(({ text, status }) => [text, status]), [['one', 'failed']]);
  outbox.retryUnreachable();
  assert.equal(outbox.items[0].status, 'failed'); // refused for good: only the user decides
  outbox.retry(outbox.items[0].id);
  await tick();
  assert.deepEqual(outbox.items, []);
  assert.deepEqual(sent.map(({ text }) => text), ['one', 'two', 'one']);
  assert.equal(sent[0].id, sent[2].id);
});

test('what failed for want of the gateway is tried again when it is back', async () => {
  let away = true;
  const outbox = new Outbox(async (message) => {
    if (away) throw new ParleyError({ code: 'unreachable', status: 0 });
    return message;
  });
  outbox.add('one');
  await tick();
  assert.equal(outbox.items[0].status, 'failed');
  away = false;
  outbox.retryUnreachable();
  await tick();
  assert.deepEqual(outbox.items, []);
});

test('what the gateway did not get holds up what was written after it, and goes first', async () => {
  let away = true;
  const sent = [];
  const tried = [];
  const outbox = new Outbox(async (message) => {
    tried.push(message.text);
    if (away) throw new ParleyError({ code: 'unreachable', status: 0 });
    sent.push(message.text);
    return message;
  });
  outbox.add('one');
  outbox.add('two');
  await tick();
  assert.deepEqual(tried, ['one'], 'one try says enough');
  assert.deepEqual(outbox.items.map(({ status }) => status), ['failed', 'failed']);
  away = false;
  outbox.add('three');
  await tick();
  assert.deepEqual(sent, ['one', 'two', 'three']);
  assert.deepEqual(outbox.items, []);
});

test('one that was given up is not tried again', async () => {
  let away = true;
  const sent = [];
  const outbox = new Outbox(async (message) => {
    if (away) throw new ParleyError({ code: 'unreachable', status: 0 });
    sent.push(message.text);
    return message;
  });
  outbox.add('one');
  outbox.add('two');
  await tick();
  outbox.remove(outbox.items[0].id);
  away = false;
  outbox.retryUnreachable();
  await tick();
  assert.deepEqual(sent, ['two']);
});

const file = (name) => ({ name, type: 'text/plain', size: 9 });

test('a file that is cancelled does not go along, and its upload ends', async () => {
  const sent = [];
  const uploads = [];
  const upload = ({ name }, _, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      uploads.push({ name, resolve: () => resolve({ id: `id of ${name}` }), signal });
    });
  const outbox = new Outbox(async (message) => (sent.push(message), message), upload);
  outbox.add('both', [file('a'), file('b')]);
  const [{ id, files: [a, b] }] = outbox.items;
  await tick();
  outbox.cancelFile(id, a.key);
  await tick();
  assert.deepEqual(uploads.map(({ name, signal }) => [name, signal.aborted]), [['a', true], ['b', false]]);
  uploads[1].resolve();
  await tick();
  outbox.cancelFile(id, b.key);
  assert.deepEqual(sent.map(({ text, attachments }) => [text, attachments]), [['both', [{ id: 'id of b' }]]]);
  assert.deepEqual(outbox.items, []);
});

test('without its only file a message without text is given up, and the next one goes', async () => {
  const sent = [];
  const upload = (_, __, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const outbox = new Outbox(async (message) => (sent.push(message), message), upload);
  outbox.add('', [file('a')]);
  outbox.add('next');
  const [{ id, files: [a] }] = outbox.items;
  await tick();
  outbox.cancelFile(id, a.key);
  await tick();
  assert.deepEqual(sent.map(({ text }) => text), ['next']);
  assert.deepEqual(outbox.items, []);
});

test('typing: the start at the first change, the end three seconds after the last', (t) => {
  if (!fakeTime(t)) return;
  const reports = [];
  const reporter = new TypingReporter((isTyping) => reports.push(isTyping));
  reporter.changed();
  t.mock.timers.tick(2000);
  reporter.changed();
  t.mock.timers.tick(2999);
  assert.deepEqual(reports, [true]);
  t.mock.timers.tick(1);
  assert.deepEqual(reports, [true, false]);
  reporter.stop();
  assert.deepEqual(reports, [true, false]);
});

test('typing: the start is repeated while somebody goes on, and ends at once with stop', (t) => {
  if (!fakeTime(t)) return;
  const reports = [];
  const reporter = new TypingReporter((isTyping) => reports.push(isTyping));
  for (let second = 0; second < 8; second++) {
    reporter.changed();
    t.mock.timers.tick(1000);
  }
  assert.deepEqual(reports, [true, true]);
  reporter.stop();
  assert.deepEqual(reports, [true, true, false]);
});

test('typists expire by themselves, unless they are reported again', (t) => {
  if (!fakeTime(t)) return;
  const changed = mock.fn();
  const typists = new Typists(changed, 9000);
  const ann = { id: 'a', name: 'Ann' };
  typists.set(ann, true);
  t.mock.timers.tick(8000);
  typists.set(ann, true);
  t.mock.timers.tick(8000);
  assert.deepEqual(typists.authors, [ann]);
  t.mock.timers.tick(1000);
  assert.deepEqual(typists.authors, []);
  const calls = changed.mock.callCount();
  typists.set(ann, false);
  assert.equal(changed.mock.callCount(), calls);
});
