/** The agents' page: composition of the shared parts, and what only the desk can do. */
import { Parley } from '../parley.js';
import { answersButton } from './answers-dialog.js';
import { CannedAnswers } from './canned-answers.js';
import { askAgent, rememberedAgent, renameAgent } from './desk-agent.js';
import { addChannel, changeChannel } from './desk-channels.js';
import { CustomerView } from './desk-customer.js';
import { deskDetails } from './desk-details.js';
import { deskNotice } from './desk-notices.js';
import { ask, note } from './dialogs.js';
import { el, icon, iconButton, place, setText } from './dom.js';
import { roughly } from './format.js';
import { Inbox } from './inbox.js';
import { maySetUp } from './login.js';
import { Notifier } from './notifier.js';
import { notifySwitch } from './notify-switch.js';
import { PushDevice } from './push-device.js';
import { SharedStream } from './shared-stream.js';
import { channelCan, deskSide } from './sides.js';
import { signedIn } from './sign-in.js';
import { signOutButton } from './sign-out.js';
import { showWebhooks } from './webhooks-dialog.js';
import { answers } from './survey.js';
import { texts } from './texts.js';
import { setLink, Workspace } from './workspace.js';

const parley = new Parley();
const stream = new SharedStream({ transport: new URLSearchParams(location.search).get('stream') });
const notifier = new Notifier((link) => workspace.guard(() => openLink(new URL(link, location.href))), 'parley.notify.desk');
const pushDevice = new PushDevice(parley, onShow);
let agent = rememberedAgent();

const agentName = el('span', { dir: 'auto' });
const keptAnswers = new CannedAnswers(parley.desk.answers, stream);
const channels = el(
  'select',
  { 'aria-label': texts.desk.channel, data: { test: 'channel-filter' }, on: { change: () => workspace.guard(filter) } },
);
const channelButton = iconButton(
  'plus',
  texts.channels.add,
  { data: { test: 'add-channel' }, on: { click: () => workspace.guard(newChannel) } },
);
const settingsButton = iconButton('gear', texts.channels.settings, {
  hidden: true,
  data: { test: 'channel-settings' },
  on: { click: () => workspace.guard(settings) },
});
const agentButton = el(
  'button',
  { type: 'button', class: 'quiet person', data: { test: 'agent' }, on: { click: () => workspace.guard(editAgent) } },
  icon('person'),
  agentName,
);
const webhooksButton = iconButton(
  'webhook',
  texts.webhooks.title,
  { data: { test: 'webhooks' }, on: { click: () => showWebhooks(parley, stream) } },
);

const switchElement = notifySwitch({ notifier, guard: (action) => workspace.guard(action) });

const accessLink = el('a', { class: 'icon-button', href: '/access', 'aria-label': texts.access.title, title: texts.access.title, data: { test: 'access' } }, icon('key'));

const leaveButton = signOutButton({
  parley,
  guard: (action) => workspace.guard(action),
  before: async () => {
    await pushDevice.end();
    await pushDevice.endDesk();
  },
});

const noteButton = iconButton(
  'note',
  texts.notes.add,
  { class: 'icon-button attach', data: { test: 'add-note' }, on: { click: () => workspace.guard(addNote) } },
);

/** What the view of a customer is made with. */
const customer = { parley, open: (key) => workspace.guard(() => workspace.open(key)), facts: noted };

const workspace = new Workspace({
  title: texts.desk.title,
  parley,
  stream,
  start,
  header: [
    el('p', { class: 'brand', 'aria-hidden': 'true' }, `${texts.page.title} `, el('span', { class: 'muted' }, texts.desk.brand)),
    channels,
    settingsButton,
    channelButton,
  ],
  footer: [el('div', { class: 'desk-footer' }, agentButton, webhooksButton, accessLink, leaveButton), switchElement],
  list: {
    itemTest: 'desk-thread',
    segments: [
      { state: 'open', label: texts.desk.listOpen, test: 'segment-open' },
      { state: 'closed', label: texts.desk.listClosed, test: 'segment-closed' },
      { state: 'all', label: texts.desk.listAll, test: 'segment-all' },
    ],
    filters: [
      { name: 'all', label: texts.desk.filterAll, accept: () => true },
      { name: 'mine', label: texts.desk.filterMine, query: () => ({ agent: agent.id }), accept: isMine, empty: texts.desk.noMine },
      {
        name: 'unassigned',
        label: texts.desk.filterUnassigned,
        query: () => ({ unassigned: true }),
        accept: (thread) => !thread.agent,
        empty: texts.desk.noUnassigned,
      },
      {
        name: 'waiting',
        label: texts.desk.filterWaiting,
        query: () => ({ waiting: true }),
        accept: (thread) => thread.waitingSince,
        empty: texts.desk.noWaiting,
      },
    ],
    filtered: () => workspace.guard(() => workspace.inbox.reload()),
    empty: (state) => (state === 'open' ? texts.desk.noOpen : texts.desk.none),
    accept: (thread) => !channels.value || thread.channel === channels.value,
    facts,
  },
  beside: new CustomerView(customer),
  conversation: {
    actions: threadActions,
    closedNote: () => texts.desk.closed,
    tools: [answersButton(() => workspace.view.composer, keptAnswers), noteButton],
    blank: [el('p', {}, texts.desk.choose)],
  },
});

const assigned = el('span', { class: 'tag', dir: 'auto', data: { test: 'assigned' } });
const assignButton = iconButton(
  'assign',
  texts.desk.assign,
  { data: { test: 'assign' }, on: { click: () => workspace.guard(assign) } },
);
const closeButton = iconButton(
  'archive',
  texts.desk.close,
  { data: { test: 'close' }, on: { click: () => workspace.guard(close) } },
);

function threadActions(thread) {
  setText(assigned, assignee(thread));
  const isClosed = thread.state === 'closed';
  return [
    thread.agent && assigned,
    ...detailsButtons(thread),
    !isClosed && !isMine(thread) && assignButton,
    !isClosed && closeButton,
  ].filter(Boolean);
}

function isMine(thread) {
  return thread.agent !== undefined && thread.agent.id === agent?.id;
}

function assignee(thread) {
  return isMine(thread) ? texts.common.you : (thread.agent?.name ?? '');
}

/** What the list says of a conversation besides: whose it is, and how long the customer has been waiting. */
function facts(thread) {
  const since = thread.waitingSince;
  const minutes = since && Math.floor((Date.now() - Date.parse(since)) / 60_000);
  return {
    assignee: thread.state === 'closed' ? assignee(thread) : assignee(thread) || texts.desk.nobody,
    waits: since && (minutes < 1 ? texts.desk.waits : texts.desk.waitsFor({ duration: roughly(minutes) })),
  };
}

/** What the customer has answered, and what else is noted. */
function noted(thread) {
  return answers(channelOf(thread.channel), thread.customFields);
}

async function editAgent() {
  agent = await renameAgent(parley, agent);
  showAgent();
  workspace.inbox?.conversation?.dispatchEvent(new Event('change'));
}

function showAgent() {
  setText(agentName, agent.name);
  channelButton.hidden = webhooksButton.hidden = accessLink.hidden = !maySetUp();
}

async function assign(thread) {
  workspace.inbox.put(await workspace.inbox.side.assign(thread, agent));
}

/** In a dialog of its own, so that no note is sent to the customer by mistake. */
async function addNote() {
  const { conversation } = workspace.inbox;
  const field = { name: 'text', label: texts.notes.text, type: 'lines', required: true, maxLength: 20_000, hint: texts.notes.hint };
  const answer = await ask({ title: texts.notes.add, submit: texts.common.save, test: 'note', fields: [field] });
  if (answer?.text) await conversation.notes.add(answer.text);
}

async function close(thread) {
  const text = texts.desk.closeHint;
  if (!(await ask({ title: texts.desk.closeTitle, text, submit: texts.desk.closeSubmit, danger: true, test: 'close' }))) return;
  workspace.inbox.put(await workspace.inbox.side.close(thread));
}

const chosenChannel = () => channelOf(channels.value);

async function newChannel() {
  if (await addChannel(parley)) await loadChannels();
}

async function settings() {
  if (await changeChannel(parley, chosenChannel())) await loadChannels();
}

let channelList = [];
const channelOf = (id) => channelList.find((one) => one.id === id);
const can = (channel, capability) => channelCan(channelOf(channel), capability);
const detailsButtons = deskDetails({ workspace, can, channel: channelOf, customer, addNote });

async function loadChannels() {
  const { items } = await parley.retrying(() => parley.desk.channels.list(), { tries: Infinity });
  channelList = items;
  const chosen = channels.value;
  const option = (id, name) => el('option', { value: id, selected: id === chosen }, name);
  place(channels, [option('', texts.desk.allChannels), ...items.map((channel) => option(channel.id, channel.name ?? channel.id))]);
}

async function filter() {
  settingsButton.hidden = !chosenChannel() || !maySetUp();
  workspace.list.render();
  await workspace.inbox.reload();
}

/** Registers this browser for pushes, or not any more: as the user wants it, here or in another tab. The stream says which
 *  device the pages of this browser speak for. */
async function setPushes() {
  if (!notifier.isOn) await pushDevice.endDesk();
  else await pushDevice.followDesk();
  // Without the push service, the device that the gateway knows is still the one that this browser speaks for.
  await stream.hold(notifier.isOn ? await pushDevice.deskDevice() : undefined);
}

/** Where a notification leads: a customer's thread, and a message in it. Several customers may use one thread id.
 *  @param {URL} url */
async function openLink(url) {
  if (url.origin !== location.origin || !workspace.inbox) return;
  const [channel, customer, id, message, from] =
    ['channel', 'customer', 'thread', 'message', 'from'].map((name) => url.searchParams.get(name) ?? undefined);
  if (!id) return;
  const owner = channel && customer ? { channel, customer } : undefined;
  await workspace.open(workspace.inbox.put(await parley.desk.thread(id, { owner }).get()));
  setLink({ channel: undefined, customer: undefined, message, from }, true);
  await workspace.follow();
}

/** The conversation that is open, as the service worker asks for it. */
function onShow() {
  const { thread } = workspace.inbox?.conversation ?? {};
  return thread && { threadId: thread.id, channelId: thread.channel, customerId: thread.customer?.id };
}

/** Whether the agent sees the conversation with this key. Several customers may use one thread id. */
const isOnShow = (key) => key !== undefined && document.visibilityState === 'visible' && workspace.inbox?.conversation?.key === key;

/** The conversation is on show: nothing more need be said of it. */
function clearNotices() {
  const { thread } = workspace.inbox?.conversation ?? {};
  if (thread) notifier.clear(thread.id, thread.customer?.id).catch((error) => console.warn(error));
}

stream.addEventListener('event', ({ detail }) => {
  const notice = notifier.isOn && deskNotice(detail);
  if (notice && !isOnShow(notice.key)) notifier.show(notice).catch((error) => console.warn(error));
});
notifier.addEventListener('change', () => workspace.guard(setPushes));
document.addEventListener('visibilitychange', () => {
  if (isOnShow(workspace.inbox?.conversation?.key)) clearNotices();
});

async function start() {
  agent = rememberedAgent() ?? agent;
  if (!agent) {
    // A person need not say who they are.
    await signedIn(parley);
    agent = rememberedAgent() ?? (await askAgent());
  }
  showAgent();
  await loadChannels();
  const device = notifier.isOn ? await pushDevice.deskDevice() : undefined;
  await stream.follow({ desk: true, collections: true, device });
  const query = (state) => ({ ...(channels.value && { channel: channels.value }), ...workspace.list.query(state) });
  const inbox = new Inbox({ side: deskSide(parley, () => agent, channelOf, stream.holder), stream, query });
  inbox.addEventListener('open', clearNotices);
  workspace.attach(inbox);
  if (notifier.isOn) setPushes().catch((error) => console.warn(error)); // nobody waits for the push service
  await workspace.inbox.show('open');
  const link = new URL(location.href);
  await (link.searchParams.has('customer') ? openLink(link) : workspace.openLinked());
}

setInterval(() => workspace.inbox && workspace.list.render(), 30_000); // the times of waiting grow
await workspace.run();
