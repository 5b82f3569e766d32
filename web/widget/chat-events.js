/** What follows when something happens in the visitor's conversations, or to the session. */
import { untilOpening } from './opening.js';
import { rulesOf, withChannel } from './rules-of.js';
import { tryAgain } from './screen-parts.js';
import { comingOrGoing } from './thread-book.js';
import { t } from './texts.js';

const DAY = 86_400_000;

/** @param {import('./widget.js').Widget} widget */
export function followChats(widget) {
  const { chats, visitor, host, drafts, screens } = widget;
  const again = () => chats.outbox.retryAll();
  const on = (target, type, take) => target.addEventListener(type, ({ detail }) => take(detail));
  on(chats, 'change', () => {
    widget.render();
    host.tellChange('unread', { count: widget.unread });
  });
  on(chats, 'loaded', () => loaded(widget));
  on(chats, 'arrived', ({ message }) => arrived(widget, message));
  on(chats, 'sent', ({ id }) => host.tell('message', { from: 'customer', id }));
  on(chats, 'thread', (told) => threadChanged(widget, told));
  on(chats, 'gone', ({ id }) => widget.input('gone', { thread: id }));
  on(chats, 'moved', ({ to }) => moved(widget, to));
  on(chats, 'state', (state) => connection(widget, state));
  on(chats, 'failed', (error) => refused(widget, error));
  on(chats, 'unread', (count) => host.tellChange('unread', { count }));
  on(chats, 'channel', (channel) => channelTold(widget, channel));
  on(chats, 'opening', (opening) => openingTold(widget, opening));
  on(chats.outbox, 'change', () => drafts.keep(chats.outbox.items));
  on(chats.outbox, 'back', (told) => cameBack(widget, told));
  // Also while the gateway is there and refuses, as under maintenance: what was written goes out later.
  on(chats.outbox, 'failed', (error) => (error.temporary ? setTimeout(again, 3e4) : error.status === 401 && widget.complain(error)));
  on(visitor, 'change', (told) => visitorChanged(widget, told));
  addEventListener('online', again);
  screens.isOffline = false;
  waitForOpening(widget);
}

/** The session is refused: it has ended, unless the visitor has another one by now, which has all that was in it. */
async function refused(widget, { code }) {
  const { visitor } = widget;
  if (!(await visitor.hasMovedOn(visitor.record?.session))) widget.input('unauthorized', { code });
}

function visitorChanged(widget, { record, isSame, isOther }) {
  const { screens, state, store, chats } = widget;
  if (record) widget.input('joined');
  else if (state.session) widget.input('signedOut');
  if (isOther) {
    widget.input('back');
    screens.notify('identity.changed');
  }
  if (!isSame || !chats.isLoaded) chats.load();
  if (record && store.onlyFor) screens.notify(store.onlyFor === 'tab' ? 'problems.onlyTab' : 'problems.blocked', { stays: true });
}

/** The conversations are known: on channels with one at a time that one is shown. */
function loaded(widget) {
  const { book, outbox } = widget.chats;
  const { state } = widget;
  const wanted = book.get(widget.wanted);
  widget.wanted = undefined;
  if (wanted) return widget.input('pick', { thread: wanted.id, closed: wanted.state === 'closed' });
  const isFresh = ['survey', 'away'].includes(state.name) || (state.name === 'chat' && !state.thread);
  if (state.rules.mode === 'multithread' || !isFresh || outbox.items.length) return widget.resumeUnsent();
  const only = book.current ?? book.all[0];
  if (only && !(state.name === 'survey' && isUntouched(only))) widget.input('pick', { thread: only.id, closed: only.state === 'closed' });
  return undefined;
}

/** Some channels begin a conversation with the session: the survey still comes first. */
const isUntouched = ({ state, customFields = {} }) => state === 'pending' && Object.keys(customFields).length === 0;

function arrived(widget, { id, author, text, attachments = [] }) {
  widget.host.tell('message', { from: author.kind, id });
  widget.sound.play();
  if (!widget.isSeen) return;
  const words = text || attachments.map(({ name }) => name).join(', ');
  widget.announcer.add(t('messages.arrived', { name: widget.name(author), text: words }));
}

function threadChanged(widget, { thread, before, actor }) {
  const { open } = widget.chats;
  if (open?.id !== thread.id) return;
  if (!widget.state.thread) {
    takeDraftAlong(widget, thread.id);
    widget.input('made', { thread: thread.id });
  }
  const line = actor?.kind === 'bot' ? undefined : comingOrGoing(before, thread);
  if (line) open.note(t(line[0], { name: line[1] }), thread.updatedAt);
  widget.input('thread', { thread: thread.id, closed: thread.state === 'closed' });
}

/** The only conversation of the channel goes on instead of a new one. */
function moved(widget, to) {
  takeDraftAlong(widget, to);
  widget.input('pick', { thread: to, closed: false });
}

/** What is in the field belongs to a conversation that is not new any more. */
function takeDraftAlong({ drafts, screens }, to) {
  drafts.set('new', '');
  drafts.set(to, screens.chat.composer.text);
}

function channelTold(widget, { state, ...channel }) {
  if (channel.id && !widget.settings.public) learn(widget, channel);
  else if (channel.isOpen !== undefined) openingTold(widget, channel);
  if (!widget.isLive || state === undefined) return;
  const isOnline = state === 'offline' || channel.isOnline === false ? false : channel.id || ['ready', 'connected'].includes(state) || undefined;
  if (isOnline !== undefined) widget.input('rules', { rules: { isOnline: Boolean(isOnline) } });
}

/** The channel has opened or closed. */
function openingTold(widget, { isOpen, nextOpening }) {
  const { settings } = widget;
  if (settings.isOpen === isOpen && settings.nextOpening === nextOpening) return;
  Object.assign(settings, { isOpen, nextOpening });
  const { hasSurvey } = rulesOf(settings, widget.visitor.record);
  widget.input('rules', { rules: { hasSurvey } });
  if (isOpen && widget.state.name === 'away' && widget.visitor.api) tryAgain(widget);
  else if (widget.state.name === 'away') widget.screens.show(widget.state, settings);
  waitForOpening(widget);
}

/** A page without a session hears nothing of its channel: it goes by the time that it was told. */
function waitForOpening(widget) {
  clearTimeout(widget.opening);
  const wait = untilOpening(widget.settings);
  if (wait <= 0) {
    openingTold(widget, { isOpen: true });
    if (!widget.visitor.record) widget.input('rules', { rules: { isOnline: true } });
  } else if (wait) {
    widget.opening = setTimeout(waitForOpening, Math.min(wait, DAY), widget); // no timer waits longer than 24 days
  }
}

/** Of a channel that is not public the page knows nothing until the session says it. */
async function learn(widget, channel) {
  setChannel(widget, channel);
  const { api, record } = widget.visitor;
  const more = await api?.channel(record.service ?? 'local', channel.id).catch(() => undefined);
  if (more) setChannel(widget, more);
}

function setChannel(widget, channel) {
  widget.settings = withChannel(widget.settings, channel);
  const { mode, hasSurvey, isOnline, rates } = rulesOf(widget.settings, widget.visitor.record);
  widget.input('rules', { rules: { mode, hasSurvey, isOnline, rates } });
  widget.paint();
}

function connection({ screens }, state) {
  if (state === 'waiting') screens.notify('problems.offline', { stays: true });
  else if (screens.isOffline) screens.notify('problems.back');
  screens.isOffline = state === 'waiting';
}

/** What could not be sent as it is comes back into the field. */
function cameBack(widget, { text, error }) {
  const { composer } = widget.screens.chat;
  if (error.status === 429 && error.code !== 'tooManyVisitors') composer.wait(error.retryAfter ?? 10);
  else if (error.code === 'illegalThreadState') widget.input('thread', { thread: widget.chats.open?.id, closed: true });
  else widget.complain(error);
  composer.putBack(text);
  widget.written(composer.text);
}
