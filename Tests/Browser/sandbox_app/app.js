/** A small app that speaks the platform's protocol: it sends again what was not answered, and comes back when its line
 *  breaks. The address says where it belongs: ?socket=&brand=&channel=&customer=. */
const asked = new URLSearchParams(location.search);
const visitor = crypto.randomUUID();
const customer = asked.get('customer');
const thread = `thread-of-${customer}`;
const PATIENCE = 500;
const unsent = []; // [id, text]
let socket;

function frame(eventType, data) {
  const eventId = crypto.randomUUID();
  const payload = {
    brand: { id: Number(asked.get('brand')) }, channel: { id: asked.get('channel') },
    consumerIdentity: { idOnExternalPlatform: customer }, visitor: { id: visitor }, eventType, data,
  };
  return { action: 'chatWindowEvent', eventId, payload };
}

function connect() {
  const own = new URLSearchParams({ brandId: asked.get('brand'), channelId: asked.get('channel'), customerId: customer, visitorId: visitor, sdkPlatform: 'web', v: '0' });
  socket = new WebSocket(`${asked.get('socket')}?${own}`);
  socket.onopen = async () => {
    await ask('AuthorizeCustomer', {});
    const { messages = [] } = (await ask('RecoverThread', { thread: { idOnExternalPlatform: thread } }).catch(() => ({}))) ?? {};
    for (const message of messages.reverse()) show(message);
    document.querySelector('#state').textContent = 'ready';
    sendNext();
  };
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    waiting.get(event.eventId)?.(event);
    if (event.eventType === 'MessageCreated') show(event.data.message);
  };
  socket.onclose = () => {
    document.querySelector('#state').textContent = 'away';
    setTimeout(connect, 200);
  };
}

const waiting = new Map(); // by the id of the request

/** Sends a request; its answer in time, or an error. */
function ask(eventType, data) {
  const request = frame(eventType, data);
  const answer = new Promise((done, fail) => {
    waiting.set(request.eventId, (event) => (event.error ? fail(new Error(event.error.errorCode)) : done(event.postback?.data)));
    setTimeout(() => fail(new Error('no answer')), PATIENCE);
  });
  socket.send(JSON.stringify(request));
  return answer.finally(() => waiting.delete(request.eventId));
}

/** Sends what waits, one after the other; the same id again counts once. */
async function sendNext() {
  while (unsent.length && socket.readyState === WebSocket.OPEN) {
    const [id, text] = unsent[0];
    const data = {
      thread: { idOnExternalPlatform: thread }, idOnExternalPlatform: id, attachments: [],
      messageContent: { type: 'TEXT', payload: { text }, parameters: {} }, consumer: { customFields: [] }, consumerContact: { customFields: [] },
    };
    if (await ask('SendMessage', data).then(() => true, () => false)) unsent.shift();
  }
}

window.say = (text) => {
  unsent.push([crypto.randomUUID(), text]);
  if (unsent.length === 1 && socket.readyState === WebSocket.OPEN) sendNext();
};

function show(message) {
  const id = message.idOnExternalPlatform;
  if (document.querySelector(`li[data-id="${id}"]`)) return;
  const line = document.createElement('li');
  line.dataset.id = id;
  line.textContent = message.messageContent.payload.text;
  document.querySelector('#messages').append(line);
}

connect();
