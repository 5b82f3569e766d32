// A chat through web/parley.js: what the library promises, against a running gateway (see test_node_client.py).
import assert from 'node:assert/strict';
import { Parley, ParleyError } from '../../web/parley.js';

const { PARLEY_URL: baseURL, PARLEY_TOKEN: token, PARLEY_CHANNEL: channel } = process.env;
const gateway = new Parley({ baseURL, token });
assert.equal((await gateway.info()).name, 'Parley');
assert.ok((await gateway.services()).items.some((service) => service.id === 'local'));

const session = await gateway.sessions.create({ channel, customer: { firstName: 'Ann' } });
assert.equal(session.state, 'ready');
// From here on as a program that was given the session alone.
const chat = new Parley({ baseURL, token: session.token }).session(session.id);

const thread = await chat.threads.create({ name: 'From Node' });
const stop = new AbortController();
const heard = [];
let opened;
const open = new Promise((resolve) => (opened = resolve));
const listening = (async () => {
  for await (const event of chat.events({ types: ['message.created'], signal: stop.signal })) {
    const name = event.type;
    if (name === 'ready') opened();
    if (name === 'message.created') heard.push(event.data.message.text);
    if (heard.length === 4) break;
  }
})();
const deadline = setTimeout(() => { console.error('the stream is late', heard); process.exit(1); }, 20_000);
await open;

const sent = [];
for (const text of ['one', 'two', 'three']) sent.push(await chat.messages.send(thread.id, { text }));
assert.equal((await gateway.desk.threads.get(thread.id)).deskUnreadCount, 3);
await gateway.desk.messages.send(thread.id, { text: 'Hi', agent: { id: 'eve', name: 'Eve' } });
await listening;
assert.deepEqual(heard, ['one', 'two', 'three', 'Hi']);

const page = await chat.messages.page(thread.id, { limit: 2 });
assert.deepEqual(page.items.map((message) => message.text), ['Hi', 'three']);
const all = [];
for await (const message of chat.messages.all(thread.id, { limit: 2 })) all.push(message.text);
assert.deepEqual(all, ['Hi', 'three', 'two', 'one']);

assert.equal((await chat.messages.edit(thread.id, sent[0].id, 'one!')).text, 'one!');
await chat.messages.remove(thread.id, sent[1].id);
await assert.rejects(chat.messages.get(thread.id, sent[1].id), (error) => error instanceof ParleyError && error.status === 404 && error.code === 'unknownMessage');
assert.equal((await chat.threads.rename(thread.id, 'Renamed')).name, 'Renamed');
assert.equal((await chat.threads.archive(thread.id)).state, 'closed');
await assert.rejects(chat.messages.send(thread.id, { text: 'late' }), (error) => error.code === 'illegalThreadState');
await gateway.sessions.delete(session.id);
clearTimeout(deadline);
stop.abort();
console.log('done');
