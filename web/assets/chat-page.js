/** The customer's page: composition of the shared parts, and what only the customer can do. */
import { newId } from '../parley.js';
import { pickChannel } from './channel-picker.js';
import { forget, onlyRemembered, onlySession, openSession, remembered, resume } from './customer-session.js';
import { showDetails } from './details-dialog.js';
import { ask, note } from './dialogs.js';
import { el, icon, iconButton, setText } from './dom.js';
import { personName } from './format.js';
import { GatheringParley } from './gathering.js';
import { Inbox } from './inbox.js';
import { LastShown } from './last-shown.js';
import { mayWrite } from './membership.js';
import { Notifier } from './notifier.js';
import { notifySwitch } from './notify-switch.js';
import { OpeningLine } from './opening.js';
import { PushDevice } from './push-device.js';
import { SharedStream } from './shared-stream.js';
import { customerSide } from './sides.js';
import { whenSignedIn } from './sign-in.js';
import { signOutButton } from './sign-out.js';
import { askSurvey } from './survey-dialog.js';
import { speakToCustomers, texts } from './texts.js';
import { UnreadTotal } from './unread-total.js';
import { ViewingReporter } from './viewing-reporter.js';
import { setLink, Workspace } from './workspace.js';

const parley = new GatheringParley();
const parameters = () => new URLSearchParams(location.search);
const stream = new SharedStream({ transport: parameters().get('stream') });
const viewing = new ViewingReporter(parley, stream.holder);
const unread = new UnreadTotal(parley, stream);
const notifier = new Notifier((link) => openLink(new URL(link, location.href)));
const pushDevice = new PushDevice(parley, onShow);
const lastShown = new LastShown('chat');

let place; // {service, channel, session} on show; none while a channel is chosen
let isChoosing = false;
let isResuming = false; // shows what was there last; whether the session is still there is not known yet
let isJoining = false; // the stream's next `ready` tells nothing that entering does not do anyway

speakToCustomers();

const channelName = el('span', { dir: 'auto' });
const customerName = el('span', { dir: 'auto' });
const channelSwitch = el(
  'button',
  {
    type: 'button',
    class: 'channel-switch',
    title: texts.chat.switchChannel,
    data: { test: 'switch-channel' },
    on: { click: () => choose() },
  },
  el('strong', {}, texts.page.title),
  el('span', { class: 'muted' }, channelName, icon('switch')),
);
const newThread = iconButton(
  'plus',
  texts.common.newConversation,
  { class: 'icon-button accent', hidden: true, data: { test: 'new-thread' }, on: { click: () => workspace.guard(create) } },
);
const customerButton = el(
  'button',
  { type: 'button', class: 'quiet person', data: { test: 'customer' }, on: { click: () => workspace.guard(editCustomer) } },
  icon('person'),
  customerName,
);
/** The button with which a new customer starts: in the empty pane, on a phone in the empty list. */
const startButton = () =>
  el(
    'button',
    { type: 'button', class: 'primary', data: { test: 'start' }, on: { click: () => workspace.guard(create) } },
    texts.chat.start,
  );
const blankText = el('p');
const blankButton = startButton();
blankButton.hidden = true; // until it is known whether there is anything to start
const tryButton = el(
  'button',
  { type: 'button', hidden: true, class: 'primary', data: { test: 'try-again' }, on: { click: () => workspace.guard(connect) } },
  texts.chat.tryAgain,
);

const opening = new OpeningLine();

const leaveButton = signOutButton({
  parley,
  guard: (action) => workspace.guard(action),
  before: async () => {
    await pushDevice.end();
    await pushDevice.endDesk();
  },
});

const workspace = new Workspace({
  title: texts.page.title,
  parley,
  stream,
  start: () => parley.gathering(start),
  header: [channelSwitch, newThread],
  footer: [el('div', { class: 'desk-footer' }, customerButton, leaveButton), notifySwitch({ notifier, guard: (action) => workspace.guard(action) })],
  unread: () => unread.count,
  list: {
    itemTest: 'thread-item',
    segments: [
      { state: 'open', label: texts.chat.listOpen, test: 'segment-open' },
      { state: 'closed', label: texts.chat.listArchived, test: 'segment-archived' },
      { state: 'hidden', label: texts.chat.listHidden, test: 'segment-hidden' },
    ],
    offers: (state) => state !== 'hidden' || place?.channel.mode === 'multithread',
    empty,
    start: startButton(),
  },
  conversation: {
    actions: threadActions,
    below: [opening.element],
    closedNote: () => (isLive() ? texts.chat.ended : texts.chat.archived),
    live: {
      answer: (answer) => workspace.guard((thread) => answerInactivity(thread, answer)),
      restart: () => workspace.guard(create),
      mayRestart: () => isLive() && workspace.inbox.threads('open').length === 0,
    },
    blank: [blankText, blankButton, tryButton],
  },
});

// The buttons stay the same elements, so that focus survives a render; they act on what is open at the time.
const renameButton = iconButton(
  'pencil',
  texts.chat.rename,
  { data: { test: 'rename' }, on: { click: () => workspace.guard(rename) } },
);
const archiveButton = iconButton(
  'archive',
  texts.chat.archive,
  { data: { test: 'archive' }, on: { click: () => workspace.guard(archive) } },
);

const showAll = () => showDetails(workspace.inbox, { actions: detailActions });
const endButton = iconButton('stop', texts.chat.end, { data: { test: 'end' }, on: { click: () => workspace.guard(end) } });
const detailsButton = iconButton('people', texts.common.details, { data: { test: 'details' }, on: { click: showAll } });

function empty(state) {
  if (state !== 'open') return state === 'closed' ? texts.chat.noArchived : texts.chat.noHidden;
  const hasEnded = workspace.inbox.index.list().some((thread) => thread.state === 'closed');
  return hasEnded ? texts.chat.noOpenMore : texts.chat.noOpen;
}

const can = (capability) => place.channel.capabilities.includes(capability);
const isLive = () => place?.channel.mode === 'liveChat';

function threadActions(thread) {
  const mayChange = place.channel.mode === 'multithread' && mayWrite(thread);
  return [
    mayChange && can('rename') && renameButton,
    mayChange && can('archive') && archiveButton,
    isLive() && thread.state !== 'closed' && endButton,
    detailActions(thread).length > 0 && detailsButton,
  ].filter(Boolean);
}

function detailActions(thread) {
  const isAmongMany = place.channel.mode === 'multithread' && can('members') && thread.state !== 'pending';
  const mayMail = can('transcript') && thread.state !== 'pending';
  const mayClear = can('historyReset') && mayWrite(thread) && thread.state !== 'pending';
  return [
    isAmongMany && !thread.hidden && { label: texts.chat.hide, test: 'hide', run: hide },
    isAmongMany && thread.hidden && { label: texts.chat.unhide, test: 'unhide', run: unhide },
    mayMail && { label: texts.chat.mail, test: 'mail', run: mail },
    mayClear && { label: texts.chat.clear, test: 'reset-history', danger: true, run: resetHistory },
    isAmongMany && { label: texts.chat.leave, test: 'leave', danger: true, run: leave },
  ].filter(Boolean);
}

async function end(thread) {
  const text = texts.chat.endHint;
  const question = { title: texts.chat.endTitle, text, submit: texts.chat.endSubmit, danger: true, test: 'end' };
  if (await ask(question)) workspace.inbox.put(await workspace.inbox.side.end(thread));
}

async function mail(thread) {
  const field = { name: 'email', label: texts.chat.email, type: 'email', required: true, maxLength: 254 };
  const answer = await ask({ title: texts.chat.mail, submit: texts.common.send, test: 'mail', fields: [field] });
  if (!answer) return;
  await workspace.inbox.side.sendTranscript(thread, answer.email);
  note(texts.chat.mailed({ email: answer.email }));
}

async function answerInactivity(thread, answer) {
  workspace.inbox.put(await workspace.inbox.side.answerInactivity(thread, answer));
}

async function hide(thread) {
  workspace.inbox.put(await workspace.inbox.side.hide(thread));
  note(texts.chat.hidden);
  await workspace.leave();
}

async function unhide(thread) {
  workspace.inbox.put(await workspace.inbox.side.unhide(thread));
  await workspace.inbox.show(thread.state === 'closed' ? 'closed' : 'open');
}

async function resetHistory(thread) {
  const text = texts.chat.clearHint;
  const question = { title: texts.chat.clearTitle, text, submit: texts.chat.clearSubmit, danger: true, test: 'reset-history' };
  if (await ask(question)) await workspace.inbox.side.resetHistory(thread);
}

async function leave(thread) {
  const text = texts.chat.leaveHint;
  const question = { title: texts.chat.leaveTitle, text, submit: texts.chat.leaveSubmit, danger: true, test: 'leave' };
  if (await ask(question)) await workspace.inbox.side.leave(thread);
}

/** A conversation, with the answers to what its channel asks first. */
async function begun() {
  const { threads } = parley.session(place.session.id);
  const { preChatSurvey } = await parley.channel({ service: place.service, channel: place.channel.id });
  return preChatSurvey ? askSurvey(preChatSurvey, (customFields) => threads.create({ customFields })) : threads.create();
}

async function create() {
  const thread = await begun();
  if (!thread) return;
  await workspace.inbox.show('open');
  await workspace.open(workspace.inbox.put(thread));
  workspace.view.focusComposer();
}

const at = (thread) => parley.session(place.session.id).thread(thread.id);

async function rename(thread) {
  const field = { name: 'name', label: texts.common.name, value: thread.name, maxLength: 256 };
  const answer = await ask({ title: texts.chat.renameTitle, submit: texts.chat.rename, test: 'rename', fields: [field] });
  if (answer) workspace.inbox.put(await at(thread).update({ name: answer.name || null }));
}

async function archive(thread) {
  const text = texts.chat.archiveHint;
  if (!(await ask({ title: texts.chat.archiveTitle, text, submit: texts.chat.archive, test: 'archive' }))) return;
  workspace.inbox.put(await at(thread).archive());
}

async function editCustomer() {
  const session = parley.session(place.session.id);
  const customer = await session.customer.get();
  const answer = await ask({
    title: texts.people.yourName,
    text: texts.chat.askName,
    submit: texts.common.save,
    test: 'customer',
    extra: { label: texts.chat.signOut, value: 'sign-out', danger: true },
    fields: [
      { name: 'firstName', label: texts.chat.firstName, value: customer.firstName, maxLength: 128 },
      { name: 'lastName', label: texts.chat.lastName, value: customer.lastName, maxLength: 128 },
    ],
  });
  if (answer?.extra === 'sign-out') return signOut();
  if (!answer) return;
  const names = Object.fromEntries(Object.entries(answer).filter(([, value]) => value));
  showCustomer(await session.customer.set(names));
}

/** Registers this browser for pushes, or not any more: as the user wants it, here or in another tab. */
async function setPushes() {
  if (!notifier.isOn) await pushDevice.end();
  else if (place) await pushDevice.follow(place.session.id);
}

function notify(notice) {
  notifier.show(notice).catch((error) => console.warn(error)); // some browsers let none but service workers show any
}

/** Where a notification leads: a message of this channel, or of another. @param {URL} url */
async function openLink(url) {
  if (url.origin !== location.origin) return;
  const { searchParams: wanted } = url;
  if (!workspace.inbox || wanted.get('channel') !== place?.channel.id) return location.assign(url);
  setLink(Object.fromEntries(['thread', 'message', 'from'].map((name) => [name, wanted.get(name) ?? undefined])));
  await workspace.guard(() => workspace.follow());
}

/** The conversation that is open, as the service worker asks for it. */
function onShow() {
  const { thread } = workspace.inbox?.conversation ?? {};
  return thread && { threadId: thread.id, channelId: place?.channel.id };
}

/** Says what is on show. Anew, it learns then what is unread: so no change of it is missed. */
async function reportViewing(isAnew = false) {
  if (!place || place.isLeft) return;
  const { id } = place.session;
  const thread = workspace.inbox?.conversation?.thread?.id;
  if (thread && document.visibilityState === 'visible') notifier.clear(thread).catch((error) => console.warn(error));
  await viewing.show(id, thread, { isAnew });
  if (isAnew && id === place?.session.id) await unread.follow(id);
}

/** Says for the first time what is on show, and asks what is unread. That is one request while the page is loaded, whose parts are
 *  answered in this order. */
async function beginViewing() {
  const said = reportViewing();
  await (parley.isGathering ? undefined : said);
  if (place && !place.isLeft) await unread.follow(place.session.id);
}

/** Nobody was there: perhaps there is now. A session that is offline asks again by itself; this asks at once. */
async function connect() {
  const { state } = await parley.session(place.session.id).connect();
  if (state === 'offline') return note(texts.chat.stillNobody);
  place.session.state = state;
  await workspace.inbox.reload();
  offerStart(workspace.inbox);
}

async function signOut() {
  const text = texts.chat.signOutHint;
  if (!(await ask({ title: texts.chat.signOutTitle, text, submit: texts.chat.signOut, danger: true, test: 'sign-out' }))) return;
  const { session, service, channel } = place;
  forget(service, channel.id);
  await parley.session(session.id).delete();
  await left();
}

/** The session on show is no more: back to the choice of channels. */
async function left() {
  if (place.isLeft) return; // several signs tell of it
  place.isLeft = true;
  isResuming = false;
  lastShown.forget();
  forget(place.service, place.channel.id);
  workspace.inbox.close();
  await stream.leave();
  setLink({ thread: undefined, message: undefined, from: undefined, channel: undefined }, true);
  await choose();
}

function showCustomer(customer) {
  setText(customerName, isResuming ? '' : personName(customer) || texts.people.addYourName);
}

/** Every channel of every service, with what is remembered of it; those of a demonstration first. */
async function choices() {
  const { items } = await parley.retrying(() => parley.services(), { tries: Infinity });
  const all = items.flatMap(({ id: service, channels, demonstration }) =>
    channels.map((channel) => ({
      service,
      channel,
      remembered: !!remembered(service, channel.id),
      demonstration: demonstration?.channels.includes(channel.id) ? demonstration : undefined,
    })),
  );
  return [...all.filter((one) => one.demonstration), ...all.filter((one) => !one.demonstration)];
}

function choose() {
  return workspace.guard(async () => {
    if (isChoosing) return;
    isChoosing = true;
    try {
      const all = await choices();
      if (place?.isLeft) viewing.forget();
      else viewing.leave();
      unread.follow();
      place = undefined;
      workspace.detach(); // nothing is read or written there any more
      await pickChannel(all, async (choice) => {
        setLink({ channel: choice.channel.id, thread: undefined, message: undefined, from: undefined }, true);
        await enter(choice);
      });
      workspace.focus();
    } finally {
      isChoosing = false;
    }
  });
}

/** Enters a channel: with the session that is remembered of it, or a new one. */
async function enter({ service, channel, demonstration }) {
  const key = newId();
  const open = () => openSession(parley, service, channel.id, key, demonstration?.customer);
  await join(await parley.retrying(open, { tries: Infinity }));
}

/** Shows a session. @param {import('../parley.js').Session} session @param {object} [thread]  as `LastShown` has kept it: it is
 *  on show at once, and the session is as it was then, too */
async function join(session, thread) {
  const { service, channel } = session;
  place = { service, channel, session };
  showPlace();
  if (notifier.isOn) setPushes(); // nobody waits for the push service
  isJoining = true;
  const joined = stream.follow({ sessions: [session.id], collections: true });
  if (!thread) await joined;
  if (place?.session !== session) return; // something else is followed meanwhile
  const inbox = new Inbox({ side: customerSide(parley, session, stream.holder), stream, joined: thread && joined });
  inbox.addEventListener('change', () => offerStart(inbox));
  inbox.addEventListener('open', () => (keepShown(), inbox.isJoined && reportViewing()));
  workspace.attach(inbox);
  const isLinked = parameters().has('thread'); // then that is what is on show
  let opened;
  if (thread) {
    const key = inbox.index.upsert(thread);
    opened = workspace.openLinked();
    await joined;
    if (place?.session !== session) return; // it is no more
    confirmSession(session);
    inbox.confirm(key);
  }
  if (thread || !isLinked) beginViewing();
  await inbox.show('open');
  opened ??= workspace.openLinked();
  if (!thread && isLinked) beginViewing();
  await opened;
  if (place?.session === session && channel.mode !== 'multithread') await enterOnly(inbox);
}

function showPlace() {
  const { channel, session } = place;
  opening.show(channel);
  setText(channelName, channel.name ?? channel.id);
  showCustomer(session.customer);
}

/** Learns whether the session that is on show is there, and how it is now. */
function confirmSession(session) {
  return workspace.guard(async () => {
    const fresh = await whenSignedIn(parley, () => parley.retrying(() => resume(parley, session.id), { tries: Infinity }));
    if (place?.session !== session) return;
    if (!fresh) return startAnew();
    isResuming = false;
    Object.assign(session, fresh);
    place.channel = session.channel;
    showPlace();
    offerStart(workspace.inbox);
    workspace.inbox.conversation?.dispatchEvent(new Event('change'));
    keepShown();
  });
}

/** The session that was shown last is no more. */
async function startAnew() {
  isResuming = false;
  forget(place.service, place.channel.id);
  lastShown.forget();
  viewing.forget();
  place = undefined;
  workspace.detach();
  await stream.leave();
  await start();
}

/** Keeps what is on show for the next time. */
function keepShown() {
  const thread = workspace.inbox?.conversation?.thread;
  if (!thread || thread.isKept || place.isLeft) return;
  const { id, state, service, channel, customer } = place.session;
  const { id: name, mode, capabilities, fileRestrictions } = channel;
  const kept = { id: name, name: channel.name, mode, capabilities, fileRestrictions };
  lastShown.keep(thread, { session: { id, state, service, channel: kept, customer: { id: customer.id, formerIds: customer.formerIds } } });
}

/** The channel has opened or closed. */
function showOpening({ isOpen, nextOpening }) {
  opening.show({ ...place.channel, isOpen, nextOpening });
  if (workspace.inbox) offerStart(workspace.inbox);
}

/** What the stream may have missed. */
async function askOpening() {
  const { service, channel } = place;
  const told = await parley.channel({ service, channel: channel.id }).catch((error) => console.warn(error));
  if (told && place?.channel === channel) showOpening(told);
}

/** Whether a conversation can be started: where there is only one at a time, it must have ended. */
function offerStart(inbox) {
  const isLoaded = inbox.isLoaded('open');
  const hasOpen = inbox.threads('open').length > 0;
  const isOffline = place?.session.state === 'offline';
  tryButton.hidden = !isOffline;
  newThread.hidden = isOffline || (place?.channel.mode !== 'multithread' && (hasOpen || !isLoaded));
  blankButton.hidden = newThread.hidden || !isLoaded;
  if (isOffline) return setText(blankText, opening.text || texts.chat.nobody);
  setText(blankText, !isLoaded ? '' : hasOpen ? texts.chat.choose : opening.text || texts.chat.begin);
}

/** A channel with one conversation has nothing to choose from. */
async function enterOnly(inbox) {
  const [only] = inbox.threads('open');
  if (only && !inbox.conversation) await workspace.open(only.id, { replace: true });
}

async function start() {
  if (isChoosing) return;
  const wanted = parameters().get('channel') ?? undefined;
  const last = lastShown.at(parameters().get('thread'));
  if (last && last.session.id === onlyRemembered(wanted) && (!wanted || last.session.channel.id === wanted)) {
    isResuming = true;
    setLink({ channel: last.session.channel.id }, true);
    return join(last.session, last.thread);
  }
  const session = await parley.retrying(() => onlySession(parley, wanted), { tries: Infinity });
  if (session) {
    setLink({ channel: session.channel.id }, true);
    return join(session);
  }
  const all = await choices();
  const known = all.filter((choice) => choice.remembered);
  const choice = wanted ? all.find(({ channel }) => channel.id === wanted) : known.length === 1 ? known[0] : undefined;
  if (wanted && !choice) note(texts.chat.unknownChannel({ id: wanted }));
  if (!choice) return choose();
  setLink({ channel: choice.channel.id }, true);
  await enter(choice);
}

stream.addEventListener('gone', ({ detail }) => detail === place?.session.id && (isResuming ? workspace.guard(startAnew) : left()));
unread.addEventListener('change', () => workspace.count());
notifier.addEventListener('change', () => workspace.guard(setPushes));
document.addEventListener('visibilitychange', () => reportViewing());
addEventListener('pagehide', keepShown);
stream.addEventListener('event', ({ detail: { type, data } }) => {
  if (type === 'ready' && isJoining) return void (isJoining = false);
  // The gateway may have started anew: it has forgotten what is on show.
  if ((type === 'ready' || type === 'reset') && workspace.inbox) return void (reportViewing(true), askOpening());
  if (type === 'channel.updated') return void (data.id === place?.channel.id && showOpening(data));
  if (type === 'notification' && data.sessions?.includes(place?.session.id)) return notify(data);
  if (type !== 'chat.updated' || !data.sessions?.includes(place?.session.id)) return;
  if (data.state === 'initial') return left();
  place.session.state = data.state;
  if (workspace.inbox) offerStart(workspace.inbox);
});

await workspace.run();
