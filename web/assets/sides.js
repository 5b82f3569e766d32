/**
 * The two sides of a conversation. The pages share everything else: what differs between the customer and the desk is here.
 *
 * @typedef {object} Side
 * @property {'toAgent'|'toClient'} own  the direction of what is written on this side
 * @property {string} scope  whose drafts this browser keeps: the session's, or the desk's
 * @property {(thread: object) => string} key  what tells threads apart: a shared stream says of which account one is to both
 * @property {(event: object) => boolean} concerns  of an event other than `ready`, whose `sessions` is no list
 * @property {(author: import('../parley.js').Author) => boolean} isOther  whether somebody writes on the other side
 * @property {(author: object) => boolean} isMe  whether this very user has written it: on one side there may be several
 * @property {() => {id: string, kind: string}} author  this very user
 * @property {(message: object) => boolean} isOwn  whether it stands on this side: the customer's own, whatever any agent wrote
 * @property {(thread: object) => boolean} isComplete  whether a thread says all that this side needs to show it
 * @property {(thread: object) => number} unread
 * @property {(thread: object) => string} title
 * @property {(thread: object) => boolean} isUntitled  whether its title is nobody's
 * @property {(thread: object) => string} subtitle
 * @property {(message: object) => boolean} mayEdit
 * @property {(message: object) => boolean} mayRemove
 * @property {(thread: object) => boolean} mayReply  whether its channel knows reply threads
 * @property {(thread: object) => boolean} mayAttach
 * @property {(thread: object) => import('./file-rules.js').FileRestrictions|undefined} fileRules
 * @property {(thread: object) => object} named  the thread, as the definition of a collection of its messages names it
 * @property {(thread: object, id: string) => Promise<{url: string, until: number}>} attachmentURL
 * @property {(part: string, options: object) => Promise<{items: object[]}>} [titled]  conversations by a part of their titles;
 *   without it the page looks among those that it knows
 * @property {object} collections  kept for this page: `heldBy`
 * @property {(conversation: object) => object} [sending]  what goes along with a message that is written now
 * @property {(thread: () => object) => object} [notes]  of agents about a thread: `ThreadNotes` is made with it
 */
import { itemKey } from '../parley.js';
import { listed, utcOffset } from './format.js';
import { heldBy } from './live-collection.js';
import { isGroup, memberName } from './membership.js';
import { texts } from './texts.js';
import { Tickets } from './tickets.js';

/** Tries for some seconds. Then the page shows the failure. When the gateway is back, it is tried again in any case. */
const SENDING = { tries: 4 };

/** @returns {Side} @param {import('../parley.js').Parley} parley @param {import('../parley.js').Session} session
 *  @param {string} holder  the page, as its stream names it */
export function customerSide(parley, session, holder) {
  /** The other customers in it. */
  const companions = (thread) =>
    listed((thread.members ?? []).filter(({ id }) => !isSelf(session, id)).map(memberName));
  const chat = parley.session(session.id);
  const tickets = new Tickets((body) => chat.tickets(body));
  const at = (thread) => chat.thread(thread.id);
  const can = (capability) => channelCan(session.channel, capability);
  return {
    own: 'toAgent',
    scope: session.id,
    key: (thread) => thread.id,
    concerns: (event) => event.data?.sessions?.includes(session.id) ?? false,
    isOther: (author) => author.kind !== 'customer' || !isSelf(session, author.id),
    isMe: (author) => author?.kind === 'customer' && isSelf(session, author.id),
    author: () => ({ id: session.customer.id, kind: 'customer' }),
    isOwn: (message) => isOwn(message, session),
    isComplete: () => true,
    unread: (thread) => thread.unreadCount ?? 0,
    title: (thread) =>
      thread.name ||
      companions(thread) ||
      thread.agent?.name ||
      (thread.state === 'pending' ? texts.common.newConversation : thread.isKept ? '' : texts.common.conversation),
    isUntitled: (thread) => !thread.name && !companions(thread) && !thread.agent?.name,
    subtitle: (thread) => {
      const isNamed = thread.name || companions(thread);
      return [isNamed && thread.agent?.name, isGroup(thread) && texts.people.count({ count: thread.members.length })].filter(Boolean).join(' · ');
    },
    mayEdit: (message) => can('editMessages') && isOwn(message, session),
    mayRemove: (message) => can('deleteMessages') && isOwn(message, session),
    mayReply: () => can('replies'),
    mayAttach: () => can('attachments'),
    fileRules: () => session.channel?.fileRestrictions,
    named: (thread) => ({ threadId: thread.id }),
    collections: heldBy(holder, chat),

    get: (id) => chat.thread(id).get(),
    message: (thread, id) => at(thread).message(id).get(),
    search: (q, options) => chat.search(q, options),
    resend: (thread, id) => at(thread).message(id).resend(),
    upload: (thread, file, options) => chat.attachments.upload(file, options),
    attachmentURL: (thread, id) => tickets.get(chat.attachments.url(id)),
    send: (thread, message) => at(thread).messages.send(message, SENDING),
    edit: (thread, id, text) => at(thread).message(id).edit({ text }),
    remove: (thread, id) => at(thread).message(id).delete(),
    typing: (thread, isTyping) => at(thread).typing({ isTyping }),
    read: (thread) => at(thread).read(),
    end: (thread) => at(thread).end(),
    sendTranscript: (thread, email) => at(thread).sendTranscript({ email }),
    answerInactivity: (thread, answer) => at(thread).answerInactivity({ answer }),
    join: (thread) => at(thread).join(),
    leave: (thread) => at(thread).leave(),
    hide: (thread) => at(thread).hide(),
    unhide: (thread) => at(thread).unhide(),
    resetHistory: (thread) => at(thread).resetHistory(),
  };
}

/** @param {import('../parley.js').Parley} parley @param {() => import('../parley.js').AgentRequest|undefined} agent
 *  @param {(id: string) => import('../parley.js').Channel|undefined} channelOf
 *  @param {string} holder  the page, as its stream names it  @returns {Side} */
export function deskSide(parley, agent, channelOf, holder) {
  const can = (id, capability) => channelCan(channelOf(id), capability);
  const tickets = new Tickets((body) => parley.desk.tickets(body));
  // Several customers may use one thread id: a thread is always named with its owner, if that is known.
  const owner = ({ channel, customer }) => (channel && customer ? { channel, customer: customer.id } : {});
  const at = (thread) => {
    const isKnown = thread.channel && thread.customer;
    return parley.desk.thread(thread.id, { agent: agent()?.id, ...(isKnown && { owner: owner(thread) }) });
  };
  return {
    own: 'toClient',
    scope: 'desk',
    key: itemKey,
    concerns: (event) => event.data?.desk === true,
    isOther: (author) => author.kind === 'customer',
    isMe: (author) => author?.kind === 'agent' && author.id === (agent()?.id ?? 'agent'),
    author: () => ({ id: agent()?.id ?? 'agent', kind: 'agent' }),
    isOwn: (message) => message.direction === 'toClient',
    isComplete: (thread) => Boolean(thread.channel && thread.customer),
    unread: (thread) => thread.deskUnreadCount ?? 0,
    title: (thread) => (thread.isKept ? '' : isGroup(thread) ? texts.people.andMore({ name: customerName(thread), count: thread.members.length - 1 }) : customerName(thread)),
    isUntitled: () => false,
    subtitle: (thread) => [thread.name, channelOf(thread.channel)?.name ?? (thread.isKept ? '' : thread.channel)].filter(Boolean).join(' · '),
    mayEdit: (message) => message.direction === 'toClient' && message.author.kind === 'agent',
    mayRemove: (message) => message.direction === 'toClient' && message.author.kind === 'agent',
    mayReply: (thread) => can(thread.channel, 'replies'),
    mayAttach: (thread) => can(thread.channel, 'attachments'),
    fileRules: (thread) => channelOf(thread.channel)?.fileRestrictions,
    named: (thread) => ({ threadId: thread.id, ...owner(thread) }),
    collections: heldBy(holder, parley.desk),

    get: (id, known) => (known ? at(known) : parley.desk.thread(id)).get(),
    message: (thread, id) => at(thread).message(id).get(),
    search: (q, options) => parley.desk.search(q, options),
    titled: (nameContains, options) => parley.desk.threads.list({ nameContains, ...options }),
    upload: (thread, file, options) => parley.desk.attachments.upload(file, options),
    attachmentURL: (thread, id) => tickets.get(parley.desk.attachments.url(id)),
    transcriptURL: (thread) => tickets.get(at(thread).transcriptURL({ format: 'html', utcOffset: utcOffset() })),
    send: (thread, message) => at(thread).messages.send({ ...message, agent: agent() }, SENDING),
    edit: (thread, id, text) => at(thread).message(id).edit({ text }),
    remove: (thread, id) => at(thread).message(id).delete(),
    notes: (thread) => ({
      list: (query) => at(thread()).notes.list(query),
      add: (text, key) => parley.retrying(() => at(thread()).notes.add({ text, agent: agent() }, { key }), SENDING),
      remove: (id) => at(thread()).notes.remove(id),
    }),
    typing: (thread, isTyping) => at(thread).typing({ isTyping, agent: agent() }),
    read: (thread) => at(thread).read(),
    assign: (thread, who) => at(thread).assign(who),
    close: (thread) => at(thread).close(),
    reopen: (thread) => at(thread).call('POST', '/reopen'),
    snooze: (thread, until) => at(thread).call('PUT', '/snooze', until),
    wake: (thread) => at(thread).call('DELETE', '/snooze'),
    setTags: (thread, tags) => at(thread).call('PUT', '/tags', { tags }),
    release: (thread) => at(thread).release(),
    addMember: (thread, member) => at(thread).addMembers([member]),
    removeMember: (thread, id) => at(thread).removeMember(id),
    resetHistory: (thread) => at(thread).resetHistory(),
  };
}

/** What a channel offers here: of what its service can do, what the channel's own rules allow.
 *  @param {import('../parley.js').Channel|undefined} channel @param {string} capability */
export function channelCan(channel, capability) {
  if (capability === 'attachments' && channel?.fileRestrictions?.isAttachmentsEnabled === false) return false;
  return channel?.capabilities?.includes(capability) ?? false;
}

function isOwn(message, session) {
  return message.direction === 'toAgent' && isSelf(session, message.author.id);
}

/** Whether the session's customer has this id, or had it before somebody vouched for them. */
const isSelf = ({ customer: { id, formerIds = [] } }, author) => author === id || formerIds.includes(author);

/** What the desk calls a thread's customer. */
export function customerName(thread) {
  const customer = thread.customer ?? thread.members?.[0];
  return customer ? memberName(customer) : texts.people.customer;
}
