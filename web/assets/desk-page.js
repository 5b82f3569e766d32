/** The agents' page: composition of the shared parts, and what only the desk can do. */
import { itemKey } from '../parley.js';
import { answeringOnce } from './answered-meanwhile.js';
import { answersButton } from './answers-dialog.js';
import { CannedAnswers } from './canned-answers.js';
import { Colleagues } from './colleagues.js';
import { DeskActions } from './desk-actions.js';
import { askAgent, rememberedAgent, renameAgent } from './desk-agent.js';
import { addChannel, changeChannel } from './desk-channels.js';
import { CustomerView } from './desk-customer.js';
import { deskDetails } from './desk-details.js';
import { listenToKeys } from './desk-keys.js';
import { DeskList } from './desk-list.js';
import { deskNotice } from './desk-notices.js';
import { showDeskSettings } from './desk-settings.js';
import { DeskSounds, soundFor } from './desk-sounds.js';
import { el, icon, iconButton, place, setText } from './dom.js';
import { personName, roughly } from './format.js';
import { GatheringParley } from './gathering.js';
import { Inbox } from './inbox.js';
import { LastShown } from './last-shown.js';
import { maySetUp, signedInPerson } from './login.js';
import { Notifier } from './notifier.js';
import { notifySwitch } from './notify-switch.js';
import { PersonSettings } from './person-settings.js';
import { PresenceReporter } from './presence-reporter.js';
import { PushDevice } from './push-device.js';
import { confirmPlaces, ReplyPicker } from './reply-picker.js';
import { SharedStream } from './shared-stream.js';
import { channelCan, deskSide } from './sides.js';
import { signedIn, whenSignedIn } from './sign-in.js';
import { signOutButton } from './sign-out.js';
import { showWebhooks } from './webhooks-dialog.js';
import { answers } from './survey.js';
import { TagBook } from './tag-book.js';
import { texts } from './texts.js';
import { ThreadStrip } from './thread-strip.js';
import { setLink, Workspace } from './workspace.js';

const parley = new GatheringParley();
const stream = new SharedStream({ transport: new URLSearchParams(location.search).get('stream') });
const notifier = new Notifier((link) => workspace.guard(() => openLink(new URL(link, location.href))), 'parley.notify.desk');
const pushDevice = new PushDevice(parley, onShow);
const lastShown = new LastShown('desk');
let agent = rememberedAgent();
let starting; // one start at a time, however many have learned that nobody was signed in

const settings = new PersonSettings(parley);
const sounds = new DeskSounds();
const tags = new TagBook(parley, stream);
const colleagues = new Colleagues(stream);
const presence = new PresenceReporter(parley.desk.presence, () => agent, { isAway: () => settings.get('away') });

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
  on: { click: () => workspace.guard(setUpChannel) },
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
const reportsLink = el('a', { class: 'icon-button', href: '/reports', 'aria-label': texts.reports.title, title: texts.reports.title, data: { test: 'reports' } }, icon('chart'));

const leaveButton = signOutButton({
  parley,
  guard: (action) => workspace.guard(action),
  before: async () => {
    await pushDevice.end();
    await pushDevice.endDesk();
  },
});

const settingsOfMine = iconButton(
  'sliders',
  texts.settings.title,
  { data: { test: 'desk-settings' }, on: { click: () => showDeskSettings(settings, sounds) } },
);

const noteButton = iconButton(
  'note',
  texts.notes.add,
  { class: 'icon-button attach', data: { test: 'add-note' }, on: { click: () => workspace.guard(actions.note) } },
);

/** What the view of a customer is made with. */
const customer = {
  parley,
  stream,
  channelOf: (id) => channelOf(id),
  agent: () => agent,
  open: (key) => workspace.guard(() => workspace.open(key)),
  facts: noted,
  isShown: () => workspace.beside.element.checkVisibility(),
};

const list = new DeskList({
  parley,
  stream,
  channels,
  settings,
  tags,
  agent: () => agent,
  isMine,
  workspace: () => workspace,
  actions: () => actions,
  facts,
});
const strip = new ThreadStrip({ tags, colleagues, me: () => agent?.id, waits: (thread) => facts(thread).waits });

const workspace = new Workspace({
  title: texts.desk.title,
  parley,
  stream,
  start: () => (starting ??= parley.gathering(start).finally(() => (starting = undefined))),
  header: [
    el('p', { class: 'brand', 'aria-hidden': 'true' }, `${texts.page.title} `, el('span', { class: 'muted' }, texts.desk.brand)),
    channels,
    settingsButton,
    channelButton,
  ],
  footer: [el('div', { class: 'desk-footer' }, agentButton, settingsOfMine, reportsLink, webhooksButton, accessLink, leaveButton), switchElement],
  list: list.options,
  beside: new CustomerView(customer),
  conversation: {
    actions: threadActions,
    closedNote: () => texts.desk.closed,
    tools: [
      answersButton({ composer: () => workspace.view.composer, kept: keptAnswers, values: replyValues, channels: () => channelList }),
      noteButton,
    ],
    confirm: confirmPlaces,
    below: [strip.element],
    changed: () => presence.writes(),
    sent: () => presence.sent(),
    blank: [el('p', {}, texts.desk.choose)],
  },
});

const actions = new DeskActions({
  workspace,
  agent: () => agent,
  channelOf: (id) => channelOf(id),
  tags,
  settings,
  channel: () => channels.value || undefined,
});
const picker = new ReplyPicker({
  composer: workspace.view.composer,
  kept: keptAnswers,
  channel: () => workspace.inbox?.conversation?.thread?.channel,
  values: replyValues,
});

const assigned = el('span', { class: 'tag', dir: 'auto', data: { test: 'assigned' } });
const actionButton = (name, label, test, run) => iconButton(name, label, { data: { test }, on: { click: () => workspace.guard(run) } });
const assignButton = actionButton('assign', texts.desk.assign, 'assign', actions.assign);
const closeButton = actionButton('archive', texts.desk.close, 'close', actions.close);
const reopenButton = actionButton('reopen', texts.keys.reopen, 'reopen', actions.reopen);

function threadActions(thread) {
  setText(assigned, assignee(thread));
  strip.render(workspace.inbox?.conversation);
  return [
    thread.agent && assigned,
    ...detailsButtons(thread),
    actions.mayAssign(thread) && assignButton,
    actions.mayClose(thread) && closeButton,
    actions.mayReopen(thread) && reopenButton,
  ].filter(Boolean);
}

/** What takes the places of a saved reply. */
function replyValues() {
  const { thread } = workspace.inbox?.conversation ?? {};
  const { customer: whose } = thread ?? {};
  return {
    'customer.firstName': whose?.firstName,
    'customer.name': personName(whose),
    'agent.publicName': agent?.name,
    'channel.name': thread && (channelOf(thread.channel)?.name ?? thread.channel),
    'thread.id': thread?.id,
  };
}

function isMine(thread) {
  return thread.agent !== undefined && thread.agent.id === agent?.id;
}

function assignee(thread) {
  return isMine(thread) ? texts.common.you : (thread.agent?.name ?? thread.agent?.id ?? '');
}

/** What the list says of a conversation besides: whose it is, and how long the customer has been waiting. */
function facts(thread) {
  const since = thread.waitingSince;
  const minutes = since && Math.floor((Date.now() - Date.parse(since)) / 60_000);
  return {
    tags: tags.of(thread),
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

const chosenChannel = () => channelOf(channels.value);

async function newChannel() {
  if (await addChannel(parley)) await loadChannels();
}

async function setUpChannel() {
  if (await changeChannel(parley, chosenChannel())) await loadChannels();
}

let channelList = [];
const channelOf = (id) => channelList.find((one) => one.id === id);
const can = (channel, capability) => channelCan(channelOf(channel), capability);
const detailsButtons = deskDetails({ workspace, can, channel: channelOf, customer, actions });

async function loadChannels() {
  const { items } = await parley.retrying(() => parley.desk.channels.list(), { tries: Infinity });
  channelList = items;
  const chosen = channels.value;
  const option = (id, name) => el('option', { value: id, selected: id === chosen }, name);
  place(channels, [option('', texts.desk.allChannels), ...items.map((channel) => option(channel.id, channel.name ?? channel.id))]);
}

async function filter() {
  settingsButton.hidden = !chosenChannel() || !maySetUp();
  await list.filter();
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
  sound(detail);
  const notice = notifier.isOn && deskNotice(detail);
  if (notice && !isOnShow(notice.key)) notifier.show(notice).catch((error) => console.warn(error));
});
/** A tone, if it is wanted, unless the conversation is on show. */
function sound(event) {
  const { threadId, channel, customer: whose } = event.data ?? {};
  const key = itemKey({ id: threadId, channel, customer: whose });
  const kind = soundFor(event, workspace.inbox?.index.get(key), agent?.id);
  if (kind && settings.get(kind) && !isOnShow(key)) sounds.play();
}

notifier.addEventListener('change', () => workspace.guard(setPushes));
for (const type of ['keydown', 'pointerdown']) {
  document.addEventListener(type, () => (settings.get('soundMine') || settings.get('soundWaiting')) && sounds.wake(), { passive: true });
}
colleagues.addEventListener('change', () => strip.render(workspace.inbox?.conversation));
tags.addEventListener('change', () => strip.render(workspace.inbox?.conversation));
settings.addEventListener('change', () => presence.settle());
addEventListener('pagehide', keepShown);
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
  settings.use(signedInPerson()?.id);
  showAgent();
  const link = new URL(location.href);
  const isNotice = link.searchParams.has('customer');
  // It is on show at once, and loaded when the stream follows.
  const last = isNotice ? undefined : lastShown.at(link.searchParams.get('thread'));
  const device = notifier.isOn ? await pushDevice.deskDevice() : undefined;
  const joined = stream.follow({ desk: true, collections: true, device });
  if (!last) await Promise.all([loadChannels(), joined]);
  const side = answeringOnce(deskSide(parley, () => agent, channelOf, stream.holder), () => workspace.inbox?.conversation);
  const inbox = new Inbox({ side, stream, query: (state) => list.query(state), joined: last && joined });
  inbox.addEventListener('open', () => {
    clearNotices();
    keepShown();
    presence.show(inbox.conversation?.thread);
  });
  workspace.attach(inbox);
  if (notifier.isOn) setPushes().catch((error) => console.warn(error)); // nobody waits for the push service
  const key = last && inbox.index.upsert(last.thread);
  let opened = last && workspace.openLinked();
  await joined;
  const channelsLoaded = last && whenSignedIn(parley, loadChannels);
  if (last) {
    inbox.confirm(key);
    presence.start();
    workspace.beside.render();
  }
  bringMore();
  await Promise.all([workspace.inbox.show('open'), channelsLoaded]);
  opened ??= isNotice ? openLink(link) : workspace.openLinked();
  if (!last) presence.start();
  await opened;
}

/** What the desk has besides conversations: nobody waits for it. */
function bringMore() {
  list.counts.refresh();
  for (const loading of [tags.load(), colleagues.load(parley.desk.presence), settings.load()]) loading.catch((error) => console.warn(error));
}

/** Keeps what is on show for the next time. */
function keepShown() {
  const thread = workspace.inbox?.conversation?.thread;
  if (thread && !thread.isKept) lastShown.keep(thread);
}

setInterval(() => {
  if (!workspace.inbox) return;
  workspace.list.render(); // the times of waiting grow
  strip.render(workspace.inbox.conversation);
}, 30_000);
listenToKeys({ workspace, actions, selection: list.selection, settings, filter: (name) => list.showOpen(name) });
await workspace.run();
