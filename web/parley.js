/**
 * Parley's client library for browsers and Node 20: ES modules without dependencies. This is the entry; its parts are in the
 * folder `parley/` beside it.
 *
 *     import { Parley } from './parley.js';
 *     const parley = new Parley({ baseURL: 'http://127.0.0.1:8787', token });
 *     const session = parley.session((await parley.sessions.create({ channel: 'multi' })).id);
 *     const { id } = await session.threads.create();
 *     await session.thread(id).messages.send({ text: 'Hello' });
 *     for await (const event of session.events()) console.log(event.type, event.data);
 *
 * In a page served by Parley itself `new Parley()` is enough: the page's cookie stands for the token.
 *
 * @typedef {{id: string, name?: string, mode: 'singlethread'|'multithread'|'liveChat', capabilities: string[],
 *            fileRestrictions?: {isAttachmentsEnabled: boolean, maximumSize: number, allowedTypes: string[]}, isOnline?: boolean,
 *            preChatSurvey?: Survey}} Channel
 * @typedef {{name: string, fields: {ident: string, label: string, type: 'text'|'email'|'list'|'tree', isRequired?: boolean,
 *            options?: {id: string, label: string, parentId?: string}[]}[]}} Survey
 * @typedef {{id: string, firstName?: string, lastName?: string}} Customer
 * @typedef {{id: string, service: string, channel: Channel, customer: Customer, state: string, mode: string,
 *            connectionError?: Failure, nextAttemptAt?: string, createdAt: string, cursor: string, token?: string}} Session
 * @typedef {{code: string, detail: string}} Failure
 * @typedef {{id: string, name?: string, kind: 'customer'|'agent'|'bot'|'system'}} Author
 * @typedef {{id: string, name: string}} Agent
 * @typedef {{id: string, threadId: string, createdAt: string, updatedAt: string, editedAt?: string,
 *            direction: 'toAgent'|'toClient', author: Author, type: string, customType?: string,
 *            text?: string, content?: object, postback?: string, attachments?: Attachment[],
 *            status: string, failure?: Failure, seenAt?: string, parentId?: string, alsoInThread?: boolean, replyInfo?: ReplyInfo}} Message
 * @typedef {{count: number, mostReplies?: Author[], lastRepliedAt?: string, updatedAt: string}} ReplyInfo
 * @typedef {{id: string, name: string, mimeType: string, size: number}} Attachment
 * @typedef {{id: string, name?: string, state: string, createdAt: string, updatedAt: string, unreadCount: number,
 *            deskUnreadCount: number, canAddMoreMessages: boolean, lastMessage?: Message, agent?: Agent,
 *            queuePosition?: number, inactivityPopup?: object, previousAgent?: Agent, contactId?: string,
 *            members: Customer[], memberState?: 'invited'|'joined', hidden?: boolean, historyResetAt?: string,
 *            lastReadAt?: string, channel?: string, customer?: Customer}} Thread
 * @typedef {Customer & {memberState?: 'invited'|'joined'}} Member  who comes in; without a state joined
 * @typedef {{type: string, id?: string, data: any}} ParleyEvent  `id` is a cursor; ephemeral events have none.
 * @typedef {{state?: 'open'|'closed'|'all', limit?: number, cursor?: string, channel?: string, signal?: AbortSignal}} ListQuery
 * @typedef {{parent: Message|{id: string, unavailable: true}, items: Message[], hasPrevious: boolean, hasNext: boolean,
 *            cursor: string}} Replies
 * @typedef {{items: {message: Message, threadId: string, snippet: {text: string, ranges: [number, number][]}}[], next?: string,
 *            indexedTo?: string, cursor: string}} Found  a range is [start, length] in UTF-16 units, as JavaScript counts
 * @typedef {{kind: 'messages', threadId: string, filter?: object, viewpoint?: string|number, limit?: number, parentId?: string} |
 *           {kind: 'threads', query?: object}} CollectionDefinition  also `holder`: see `Parley.events`; at the desk `channel`
 *            and `customer` beside `threadId`, where several customers use one id
 * @typedef {{id: string, kind: 'messages'|'threads', version: number, items: object[], pending: object[], failed: object[],
 *            hasPrevious: boolean, hasNext: boolean, cursor: string}} Collection
 * @typedef {{id: string, url: string, description?: string, audience: {desk: true}|{session: string}, types: string[],
 *            directions?: string[], channels?: string[], headerNames: string[], concurrency: number,
 *            timeoutSeconds: number, state: 'active'|'failing'|'paused'|'disabled', reason?: string, cursor: string,
 *            lag: number, failingSince?: string, nextAttemptAt?: string, createdAt: string, secret?: string}} Webhook
 * @typedef {{at: string, status?: number, error?: string, milliseconds: number, head?: string}} DeliveryAttempt
 * @typedef {{id: string, event: string, type: string, threadId?: string,
 *            state: 'pending'|'delivered'|'dead'|'expired'|'dropped', reason?: string, attempts: DeliveryAttempt[],
 *            createdAt: string, nextAttemptAt?: string, doneAt?: string}} Delivery
 */

/**
 * One page of a list; `next` leads to older entries, `cursor` is where to follow the events from.
 * @template T
 * @typedef {{items: T[], next?: string, prev?: string, cursor: string}} List
 */

export { applyCollectionEvent, itemKey } from './parley/collection-events.js';
export { ParleyError } from './parley/errors.js';
export { EventStreamParser } from './parley/event-stream-parser.js';
export { Parley } from './parley/gateway.js';
export { compareCursors, newId } from './parley/identifiers.js';
