import assert from 'node:assert/strict';
import test from 'node:test';
import { CannedAnswers } from '../../web/assets/canned-answers.js';

/** The gateway's answers, as two desks share them. */
class Gateway {
  answers = new Map();
  async list() {
    return { items: [...this.answers.values()] };
  }
  async keep({ name, text }) {
    const known = [...this.answers.values()].find((one) => one.name === name);
    const answer = { id: known?.id ?? `w${this.answers.size}`, name, text };
    this.answers.set(answer.id, answer);
    return answer;
  }
  async remove(id) {
    if (!this.answers.delete(id)) throw Object.assign(new Error(), { status: 404 });
  }
}

function storage(content) {
  const items = new Map(content === undefined ? [] : [['parley.answers', content]]);
  return { items, getItem: (name) => items.get(name) ?? null, removeItem: (name) => items.delete(name) };
}

const names = (answers) => answers.list().map(({ name, text }) => `${name}: ${text}`);
const event = (data) => Object.assign(new Event('event'), { detail: { type: 'answer.updated', data } });

test('answers are kept by name', async () => {
  const answers = new CannedAnswers(new Gateway(), new EventTarget(), storage());
  await answers.keep({ name: 'hours', text: '9 to 5' });
  await answers.keep({ name: 'address', text: 'Long Lane 1' });
  await answers.keep({ name: 'hours', text: 'all day' });
  assert.deepEqual(names(answers), ['address: Long Lane 1', 'hours: all day']);
  await answers.remove(answers.list()[0].id);
  assert.deepEqual(names(answers), ['hours: all day']);
});

test('what other desks do is followed', async () => {
  const [gateway, stream] = [new Gateway(), new EventTarget()];
  const answers = new CannedAnswers(gateway, stream, storage());
  await gateway.keep({ name: 'hours', text: '9 to 5' });
  await answers.load();
  let changes = 0;
  answers.addEventListener('change', () => changes++);
  stream.dispatchEvent(event({ id: 'w1', answer: { id: 'w1', name: 'address', text: 'Long Lane 1' } }));
  stream.dispatchEvent(event({ id: 'w0' }));
  assert.deepEqual(names(answers), ['address: Long Lane 1']);
  assert.equal(changes, 2);
  await answers.remove('w9'); // gone meanwhile
  assert.deepEqual(names(answers), ['address: Long Lane 1']);
});

test('what this browser has kept until now goes to the gateway, and stays away from what is there', async () => {
  const gateway = new Gateway();
  await gateway.keep({ name: 'hours', text: '9 to 5' });
  const place = storage('[{"name":"hours","text":"old"},{"name":"address","text":"Long Lane 1"},1]');
  const answers = new CannedAnswers(gateway, new EventTarget(), place);
  await answers.load();
  assert.deepEqual(names(answers), ['address: Long Lane 1', 'hours: 9 to 5']);
  assert.equal(place.items.size, 0);
  for (const content of ['', '{', 'null', '{}', '[1, null, {"name": 1}, {"name": "a"}]']) {
    const others = new CannedAnswers(new Gateway(), new EventTarget(), storage(content));
    await others.load();
    assert.deepEqual(others.list(), [], content);
  }
});
