/**
 * The types of Parley's client library. What requests and answers hold is in `parley/schemas.d.ts`, which is made of
 * the gateway's document. `@operation` names the operation of the document that a verb asks for. Where two are named,
 * the first is a session's and the second is the desk's. Tests/Contract/test_client_types.py compares verbs, parameters
 * and results with the document.
 *
 * A handle (`session`, `thread`, `message`, ...) is made of an id alone. It asks nothing of the gateway until a verb is
 * called.
 */
import type {
  ActivityRequest,
  Agent,
  AgentRequest,
  Attachment,
  AvailabilityRequest,
  CannedAnswer,
  CannedAnswerRequest,
  DeskCounts,
  DeskTag,
  DeskTagPatch,
  DeskTagRequest,
  ExportedThread,
  ImportRequest,
  ImportResult,
  Report,
  SnoozeRequest,
  ThreadTagsRequest,
  Channel,
  ChannelPatch,
  ChannelRequest,
  ChatThread,
  Collection,
  CollectionRequest,
  CollectionSummary,
  Customer,
  CustomerNameRequest,
  CustomerNote,
  CustomerNoteRequest,
  CustomFields,
  Delivery,
  DeskCollectionRequest,
  DeskCustomer,
  DeskCustomerDetails,
  DeskCustomerPatch,
  DeskMessageRequest,
  DeskNoteRequest,
  DeskReplyRequest,
  DeskThread as DeskThreadData,
  DeskThreadPatch,
  DeskThreadRequest,
  DeskTranscript,
  DeskTypingRequest,
  IfAgent,
  Device,
  DeviceDelivery,
  DeviceRequest,
  FetchResult,
  InactivityAnswerRequest,
  Menu,
  OfflineMessageRequest,
  EventPage,
  Info,
  Message,
  MessagePatch,
  MessageRequest,
  MessageType,
  Note,
  PreChatSurvey,
  Push,
  RatingRequest,
  RedeliveryCount,
  ReplayRequest,
  ReplyList,
  ReplyRequest,
  RotationRequest,
  PresenceList,
  PresenceRequest,
  SearchList,
  Service,
  Session,
  SessionDeletion,
  SessionRequest,
  SyncRequest,
  ThreadPatch,
  ThreadRequest,
  TicketList,
  TicketRequest,
  Transcript,
  TranscriptRequest,
  TypingRequest,
  UnreadTotal,
  Viewing,
  ViewingRequest,
  Webhook,
  WebhookPatch,
  WebhookRequest,
  WebPushDeviceRequest,
} from './parley/schemas.js';

export * from './parley/schemas.js';

/** One page of a list; `next` leads to the next one, `cursor` is where to follow the events from. */
export interface List<T> {
  items: T[];
  next?: string;
  prev?: string;
  cursor: string;
}

export interface Cancellable {
  signal?: AbortSignal;
}

export interface PageOptions extends Cancellable {
  /** How many entries the page holds at most. */
  limit?: number;
  /** `next` of another page. */
  cursor?: string;
}

/** With a `key` a request can be repeated and yet happens once. */
export interface KeyOptions {
  key?: string;
}

/**
 * With a version of `versionOf` a change is made only while that is the newest; otherwise it is refused with 412.
 * `{ ifMatch: undefined }` is a TypeError: it comes from an answer without a version, and asks for nothing.
 */
export interface MatchOptions {
  ifMatch?: string;
}

/** `ifAgent`: only if the thread is nobody's, the agent's own, or one of both. */
export interface ClaimOptions extends MatchOptions {
  ifAgent?: IfAgent;
}

export interface SessionQuery extends PageOptions {
  service?: string;
  channel?: string;
  customer?: string;
  /** A time: sessions that were not used since. */
  unusedSince?: string;
}

/** Items from the time `since` on, and before `until`, as RFC 3339 has times. */
export interface TimedOptions extends PageOptions {
  since?: string;
  until?: string;
}

/** The times are those of the latest activity. */
export interface ThreadQuery extends TimedOptions {
  state?: 'open' | 'closed' | 'all';
  /** A part of the thread's name. */
  nameContains?: string;
  /** How the custom type begins. */
  customTypePrefix?: string;
  /** Ids of customers: all of them are members, or invited. */
  member?: string[];
}

/** The times are those of the latest activity. */
export interface DeskThreadQuery extends TimedOptions {
  state?: 'open' | 'closed' | 'all';
  channel?: string | string[];
  /** Only threads of this agent, by its id; `me` and `none` too. */
  agent?: string;
  /** Only threads with the tag of this id. */
  tag?: string;
  snoozed?: 'include' | 'exclude' | 'only';
  /** `waiting`: whose customer waits longest first. */
  order?: 'activity' | 'waiting';
  unassigned?: boolean;
  waiting?: boolean;
  /** Only threads that were made for this customer, by its id. */
  customer?: string;
  /** A part of the thread's name or of a member's. */
  nameContains?: string;
  /** How the custom type begins. */
  customTypePrefix?: string;
  /** Ids of customers: all of them are members, or invited. */
  member?: string[];
}

/** The times are those at which messages were created. */
export interface SearchQuery extends TimedOptions {
  types?: MessageType[];
  senderKinds?: ('customer' | 'agent' | 'bot' | 'system')[];
  senderIds?: string[];
}

/** Without `q` a page has what was said, and takes no filter but the times. */
export interface MessageQuery extends SearchQuery {
  /** Which replies the page has. */
  replies?: string;
  /** Only messages that contain these words. */
  q?: string;
}

export interface ReplyQuery extends Cancellable {
  /** Milliseconds since 1970 or RFC 3339; the newest if absent. */
  from?: number | string;
  previous?: number;
  next?: number;
  inclusive?: boolean;
  reverse?: boolean;
  types?: string[];
  customTypes?: string[];
  senderIds?: string[];
}

export interface DeliveryQuery extends PageOptions {
  state?: string;
}

/** How often a send is tried, and how long it waits before the second try, in milliseconds. */
export interface SendOptions extends Cancellable {
  tries?: number;
  delay?: number;
}

export interface UploadOptions extends Cancellable {
  /** The file's own name if absent. */
  name?: string;
  key?: string;
  /** How many bytes have gone up. */
  onProgress?: (sent: number, total: number) => void;
}

export interface StreamOptions extends Cancellable {
  /** A cursor: what happened after it is replayed first. */
  after?: string;
  onState?: (state: 'connecting' | 'live' | 'waiting', info: { error?: unknown; delay?: number }) => void;
  /** Milliseconds without a byte after which the connection counts as dead. */
  watchdog?: number;
  /** The longest pause between two attempts, in milliseconds. */
  maxDelay?: number;
}

/** The events of a stream, in order, each once. It begins when it is made, and ends when the loop over it is left. */
export interface EventStream extends AsyncGenerator<ParleyEvent, void, void> {
  /** Resolves when the stream is open: what happens from then on is not missed. */
  readonly opened: Promise<void>;
}

export interface EventOptions extends StreamOptions {
  /** Only these types; `ready`, `reset` and `ping` always come. */
  types?: string[];
  /** The events of collections too: all, or those with these ids. */
  collections?: true | string[];
  /** With `collections: true`: only collections of these holders, which the gateway keeps while the stream is open. */
  holders?: string[];
}

export interface AllEventOptions extends EventOptions {
  /** Ids of sessions. */
  sessions?: string[];
  desk?: boolean;
  /** All events of the gateway, instead of sessions and the desk. */
  all?: boolean;
}

/** At most one of `after`, `earliest`, `since` and `last` says where the page begins. */
export interface EventPageOptions extends Cancellable {
  /** Ids of sessions. */
  sessions?: string[];
  desk?: boolean;
  /** All events of the gateway, instead of sessions and the desk. */
  all?: boolean;
  types?: string[];
  /** A cursor: the page has what happened after it. */
  after?: string;
  /** With the oldest event that the log has. */
  earliest?: boolean;
  /** A time: the page begins with its events. */
  since?: string;
  /** A time at which the page ends. */
  until?: string;
  /** So many events before the end of the log. */
  last?: number;
  /** How many events the page holds at most. */
  limit?: number;
  /** For how many seconds the page waits if it would be empty. */
  wait?: number;
}

/** `id` is a cursor; ephemeral events have none. */
export interface ParleyEvent {
  type: string;
  id?: string;
  data: any;
}

export type Survey = PreChatSurvey;
export type Member = Customer & { memberState?: 'invited' | 'joined' };
export type CollectionDefinition = CollectionRequest | DeskCollectionRequest;

export interface ParleyOptions {
  /** Of the page, if absent. */
  baseURL?: string;
  /** The gateway's token, a session's, or a key; in the gateway's own pages the browser's login stands for it. */
  token?: string;
  /** The page's half of a login, where it is not to be looked for in the page's storage: in a worker, say. */
  page?: string;
  fetch?: typeof fetch;
  /** Of one request, in milliseconds; not of streams. */
  timeout?: number;
}

/** The gateway. */
export class Parley {
  constructor(options?: ParleyOptions);

  readonly baseURL: string;
  readonly sessions: Sessions;
  readonly desk: Desk;
  readonly webhooks: Webhooks;

  session(id: string): SessionHandle;
  webhook(id: string): WebhookHandle;

  /** @operation getInfo */
  info(): Promise<Info>;

  /** What clients need to be pushed to. @operation getPush */
  push(): Promise<Push>;

  /** @operation listServices */
  services(): Promise<{ items: Service[] }>;

  /** @operation getServiceChannel */
  channel(where: { service: string; channel: string }): Promise<Channel>;

  /** Events of sessions and of the desk, in order, each once; resumes by itself. @operation streamEvents */
  events(options: AllEventOptions): EventStream;

  /** A page of the same events, which can wait for them. @operation streamEvents */
  eventPage(options: EventPageOptions): Promise<EventPage>;

  /** As `events`, for a callback; resolves when the stream ends. */
  follow(options: AllEventOptions, listener: (event: ParleyEvent) => void): Promise<void>;

  /** Runs `action` until it succeeds, fails for good, or has no tries left. Only for what may safely happen twice. */
  retrying<T>(action: () => Promise<T>, options?: SendOptions): Promise<T>;

  /** Any request. Undefined where the answer is empty. */
  request(method: string, path: string, options?: RequestOptions): Promise<any>;

  /** Several requests as one, at most 20. What came of each, as `Promise.allSettled` tells it. */
  batch(requests: BatchPart[], options?: Cancellable): Promise<PromiseSettledResult<any>[]>;

  /** Any event stream; resumes and ends as `events` does. */
  stream(path: string, options?: StreamOptions & { query?: object }): EventStream;
}

export interface BatchPart extends Pick<RequestOptions, 'query' | 'body' | 'key' | 'ifMatch'> {
  method: string;
  path: string;
}

export interface RequestOptions extends Cancellable {
  query?: object;
  body?: object;
  key?: string;
  /** A version of `versionOf`. */
  ifMatch?: string;
  /** Seconds that the gateway may wait before it answers: so much longer is the time limit. */
  wait?: number;
  /** The request goes on when the page is left. */
  keepalive?: boolean;
}

export class Sessions {
  /** With its token, which no later answer shows. @operation createSession */
  create(body: SessionRequest, options?: KeyOptions): Promise<Session>;

  /** Oldest first; a page may be short and have a `next`. @operation listSessions */
  list(options?: SessionQuery): Promise<List<Session>>;

  /** All of them, page by page. */
  all(options?: SessionQuery): AsyncGenerator<Session, void, void>;

  /** Signs out those that the query names, a page at a time. @operation deleteSessions */
  deleteAll(options: SessionQuery): Promise<SessionDeletion>;
}

/** What a session and the desk have in common. */
export class Side<Definition> {
  readonly collections: Collections<Definition>;
  readonly attachments: Attachments;

  collection(id: string): CollectionHandle;

  /** Addresses that open without a header, for ten minutes. @operation createTickets createDeskTickets */
  tickets(body: TicketRequest): Promise<TicketList>;

  /** Messages of all threads with these words, newest first. @operation searchSession searchDesk */
  search(q: string, options?: SearchQuery): Promise<SearchList>;

  /** The events of this side: see `Parley.events`. */
  events(options?: EventOptions): EventStream;
}

export class SessionHandle extends Side<CollectionRequest> {
  readonly id: string;
  readonly threads: SessionThreads;
  readonly customer: CustomerOfSession;
  readonly device: DeviceOfSession;
  readonly viewing: ViewingOfSession;

  thread(id: string): SessionThread;

  /** @operation getSession */
  get(): Promise<Session>;

  /** Signs out; the session's streams end. @operation deleteSession */
  delete(): Promise<void>;

  /** @operation connectSession */
  connect(): Promise<Session>;

  /** @operation disconnectSession */
  disconnect(): Promise<Session>;

  /** Pauses or resumes the background synchronization of a remote service. @operation syncSession */
  sync(body: SyncRequest): Promise<Session>;

  /** Forgets what is cached of a remote service. @operation clearSessionCache */
  clearCache(): Promise<void>;

  /** What the customer has not read, in all. @operation getUnread */
  unread(): Promise<UnreadTotal>;

  /** Tells a service with analytics what the customer does. @operation recordActivity */
  recordActivity(body: ActivityRequest): Promise<void>;

  /** Has the service do what it has prepared under this id. @operation executeTrigger */
  executeTrigger(trigger: string): Promise<void>;

  /** What the customer may choose from at any time. @operation getMenu */
  menu(): Promise<Menu>;

  /** Leaves a message for agents who are away. @operation leaveOfflineMessage */
  leaveOfflineMessage(body: OfflineMessageRequest): Promise<void>;
}

export class CustomerOfSession {
  /** @operation getCustomer */
  get(): Promise<Customer>;

  /** @operation setCustomer */
  set(body: CustomerNameRequest, options?: MatchOptions): Promise<Customer>;

  /** Erases all that is kept of the customer on the channel, for ever, and ends the session. @operation eraseOwnCustomer */
  erase(): Promise<void>;

  /** @operation getCustomerCustomFields */
  customFields(): Promise<CustomFields>;

  /** Merges these into the customer's fields. @operation setCustomerCustomFields */
  setCustomFields(customFields: Record<string, string>, options?: MatchOptions): Promise<CustomFields>;
}

/** The device that is told of messages while nobody follows the session. */
export class DeviceOfSession {
  /** @operation getDevice */
  get(): Promise<Device>;

  /** Registers it, in place of one that there is. @operation setDevice */
  set(body: DeviceRequest): Promise<Device>;

  /** @operation deleteDevice */
  delete(): Promise<void>;

  /** Sends one push now, and says what came of it. @operation testDevice */
  test(): Promise<DeviceDelivery>;

  /** The newest first. @operation listDeviceDeliveries */
  deliveries(options?: DeliveryQuery): Promise<List<DeviceDelivery>>;
}

/** Which threads are on screens: messages in others come as `notification`. */
export class ViewingOfSession {
  /** @operation getViewing */
  get(): Promise<Viewing>;

  /** Which thread is on the screen, or none. @operation setViewing */
  set(body: ViewingRequest): Promise<void>;

  /** No screen any more; with holders only their screens end. @operation deleteViewing */
  delete(options?: { holders?: string[] }): Promise<void>;
}

export class SessionThreads {
  /** Latest activity first. @operation listThreads */
  list(options?: ThreadQuery): Promise<List<ChatThread>>;

  /** All of them, page by page. */
  all(options?: ThreadQuery): AsyncGenerator<ChatThread, void, void>;

  /** @operation createThread */
  create(body?: ThreadRequest, options?: KeyOptions): Promise<ChatThread>;
}

export class DeskAnswers {
  /** By name. @operation listDeskAnswers */
  list(): Promise<List<CannedAnswer>>;

  /** The answer that has this name gets the text. @operation keepDeskAnswer */
  keep(body: CannedAnswerRequest, options?: { key?: string }): Promise<CannedAnswer>;

  /** @operation getDeskAnswer */
  get(id: string): Promise<CannedAnswer>;

  /** @operation deleteDeskAnswer */
  remove(id: string): Promise<void>;
}

/** Where a customer is. Without a channel: on all of the service's. Without a service: on the embedded one. */
export interface CustomerPlace {
  service?: string;
  channel?: string;
}

/** Which customer, and whether the agents' notes belong to the export. */
export interface CustomerExportOptions {
  service?: string;
  channel?: string;
  notes?: boolean;
}

/** Customers whose id, e-mail address or name begins with `q`. */
export interface CustomerQuery extends PageOptions {
  channel?: string;
  q?: string;
}

/** The customers of the embedded service. */
export class DeskCustomers {
  /** Those found by the id come first, then those by the address. @operation listDeskCustomers */
  list(options?: CustomerQuery): Promise<List<DeskCustomer>>;

  /** All of them, page by page. */
  all(options?: CustomerQuery): AsyncGenerator<DeskCustomer, void, void>;

  /** Erases all that is kept of a customer, for ever. @operation eraseCustomer */
  erase(id: string, options?: CustomerPlace): Promise<void>;

  /** Where all that is kept of a customer is as a file, to be saved. @operation exportCustomer */
  exportURL(id: string, options?: CustomerExportOptions): string;
}

/** What the desk knows of one customer. */
export class CustomerHandle {
  readonly id: string;

  readonly notes: CustomerNotes;

  /** With visit, latest conversations and ratings. @operation getDeskCustomer */
  get(): Promise<DeskCustomerDetails>;

  /** Members that are null are taken away. @operation updateDeskCustomer */
  update(body: DeskCustomerPatch): Promise<DeskCustomerDetails>;
}

/** What agents note about one customer, for one another. No customer sees a note. */
export class CustomerNotes {
  /** Newest first. @operation listCustomerNotes */
  list(options?: PageOptions): Promise<List<CustomerNote>>;

  /** All of them, page by page. */
  all(options?: PageOptions): AsyncGenerator<CustomerNote, void, void>;

  /** `key` makes it safe to repeat. @operation addCustomerNote */
  add(body: CustomerNoteRequest, options?: { key?: string }): Promise<CustomerNote>;

  /** @operation getCustomerNote */
  get(id: string): Promise<CustomerNote>;

  /** @operation deleteCustomerNote */
  remove(id: string): Promise<void>;
}

/** Which agent, if the body does not say it; and whose thread is meant, if several customers use its id. */
export interface PresencePlace {
  as?: string;
  channel?: string;
  customer?: string;
}

/** By default the last 30 days, a row for each day of UTC. */
export interface ReportQuery {
  since?: string;
  until?: string;
  timeZone?: string;
  by?: 'day' | 'hour' | 'agent' | 'channel' | 'tag';
  channel?: string[];
}

/** Conversations that were open at some moment of a time. */
export interface ExportQuery {
  since?: string;
  until?: string;
  channel?: string[];
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
}

export interface ImportOptions {
  /** Instead of the one in the body. */
  channel?: string;
  /** With a `key` the request can be repeated and yet happens once. */
  key?: string;
}

export class DeskPresence {
  /** By id. @operation listPresence */
  list(): Promise<PresenceList>;

  /** Says that an agent is there, for a minute. @operation setPresence */
  set(body: PresenceRequest, options?: PresencePlace): Promise<void>;
}

/** The words with which the desk sorts its threads. */
export class DeskTags {
  /** In their order. @operation listDeskTags */
  list(): Promise<List<DeskTag>>;

  /** `key` makes it safe to repeat. @operation createDeskTag */
  create(body: DeskTagRequest, options?: { key?: string }): Promise<DeskTag>;

  /** @operation getDeskTag */
  get(id: string): Promise<DeskTag>;

  /** @operation updateDeskTag */
  update(id: string, patch: DeskTagPatch): Promise<DeskTag>;

  /** Takes it off all threads. @operation deleteDeskTag */
  remove(id: string): Promise<void>;
}

export class DeskAgents {
  /** The one who was at work last comes first. @operation listDeskAgents */
  list(): Promise<List<Agent>>;
}

export class DeskThreads {
  /** Latest activity first. @operation listDeskThreads */
  list(options?: DeskThreadQuery): Promise<List<DeskThreadData>>;

  /** All of them, page by page. */
  all(options?: DeskThreadQuery): AsyncGenerator<DeskThreadData, void, void>;

  /** A thread of several customers; the first one owns it. @operation createDeskThread */
  create(body: DeskThreadRequest, options?: KeyOptions): Promise<DeskThreadData>;
}

/** How a transcript is written. */
export interface TranscriptOptions {
  /** JSON if it is missing. */
  format?: 'json' | 'text' | 'html';
  /** How far the clocks are from UTC that text and page show: `+02:00`. */
  utcOffset?: string;
}

/** One thread, as far as it is the same on both sides. */
export class ThreadHandle<T, Patch, Sent, Reply, Typing> {
  readonly id: string;
  readonly messages: Messages<Sent>;

  message(id: string): MessageHandle<Reply>;

  /** @operation getThread getDeskThread */
  get(): Promise<T>;

  /** A name that is null is taken away. @operation updateThread updateDeskThread */
  update(patch: Patch, options?: MatchOptions): Promise<T>;

  /** Everything up to now counts as read. @operation readThread readDeskThread */
  read(): Promise<void>;

  /** Takes what was said out of sight; at the desk for all. @operation resetThreadHistory resetDeskThreadHistory */
  resetHistory(): Promise<void>;

  /** @operation setTyping setDeskTyping */
  typing(body: Typing): Promise<void>;

  /** Where the transcript is as a file, to be saved. @operation getTranscript getDeskTranscript */
  transcriptURL(options?: TranscriptOptions): string;
}

/** A customer's thread. */
export class SessionThread extends ThreadHandle<ChatThread, ThreadPatch, MessageRequest, ReplyRequest, TypingRequest> {
  /** All that was said, oldest first. @operation getTranscript */
  transcript(): Promise<Transcript>;

  /** @operation archiveThread */
  archive(options?: MatchOptions): Promise<ChatThread>;

  /** Fetches its recent messages from the service. @operation loadThread */
  load(): Promise<ChatThread>;

  /** Ends a live chat. @operation endThread */
  end(options?: MatchOptions): Promise<ChatThread>;

  /** Has the platform mail what was said, where it can. @operation sendTranscript */
  sendTranscript(body: TranscriptRequest): Promise<void>;

  /** Answers a live chat's question whether one is still there. @operation answerInactivity */
  answerInactivity(body: InactivityAnswerRequest): Promise<ChatThread>;

  /** Rates a conversation that has ended, where the channel asks for it. @operation rateThread */
  rate(body: RatingRequest): Promise<ChatThread>;

  /** Withdraws the rating. @operation deleteThreadRating */
  withdrawRating(): Promise<ChatThread>;

  /** Accepts an invitation. @operation joinThread */
  join(): Promise<ChatThread>;

  /** The thread is gone for this customer. @operation leaveThread */
  leave(): Promise<void>;

  /** Out of the list, until the next message or `unhide`. @operation hideThread */
  hide(): Promise<ChatThread>;

  /** @operation unhideThread */
  unhide(): Promise<ChatThread>;

  /** @operation getThreadCustomFields */
  customFields(): Promise<CustomFields>;

  /** Merges these into the thread's fields. @operation setThreadCustomFields */
  setCustomFields(customFields: Record<string, string>, options?: MatchOptions): Promise<CustomFields>;
}

/** A thread as the agents see it. */
export class DeskThread extends ThreadHandle<
  DeskThreadData,
  DeskThreadPatch,
  DeskMessageRequest,
  DeskReplyRequest,
  DeskTypingRequest
> {
  /** All that was said, oldest first. @operation getDeskTranscript */
  transcript(): Promise<DeskTranscript>;

  readonly notes: Notes;

  /** Removes the thread for good, with all that was said. @operation deleteDeskThread */
  remove(options?: MatchOptions): Promise<void>;

  /** Brings customers of the channel in, or invites them. @operation addDeskMembers */
  addMembers(members: Member[]): Promise<DeskThreadData>;

  /** @operation removeDeskMember */
  removeMember(member: string): Promise<void>;

  /** `ifAgent`: only if the thread is nobody's, the agent's own, or one of both. @operation assignDeskThread */
  assign(agent: AgentRequest, options?: ClaimOptions): Promise<DeskThreadData>;

  /** @operation closeDeskThread */
  close(options?: MatchOptions): Promise<DeskThreadData>;

  /** Takes its agent away; a live chat waits again. @operation releaseDeskThread */
  release(options?: MatchOptions): Promise<DeskThreadData>;

  /** Opens a closed one again; a live chat stays closed. @operation reopenDeskThread */
  reopen(options?: MatchOptions): Promise<DeskThreadData>;

  /** Lays it aside until a time. @operation snoozeDeskThread */
  snooze(body: SnoozeRequest, options?: MatchOptions): Promise<DeskThreadData>;

  /** Ends a snooze. @operation wakeDeskThread */
  wake(options?: MatchOptions): Promise<DeskThreadData>;

  /** Gives it these tags, by their ids, in place of those that it has. @operation setDeskThreadTags */
  setTags(body: ThreadTagsRequest, options?: MatchOptions): Promise<DeskThreadData>;

  /** Ends its contact: a live chat closes, another thread stays open. @operation endDeskContact */
  endContact(options?: MatchOptions): Promise<DeskThreadData>;
}

/** What agents note about one thread, for one another. No customer sees a note. */
export class Notes {
  /** Newest first. @operation listDeskNotes */
  list(options?: PageOptions): Promise<List<Note>>;

  /** All of them, page by page. */
  all(options?: PageOptions): AsyncGenerator<Note, void, void>;

  /** `key` makes it safe to repeat. @operation addDeskNote */
  add(body: DeskNoteRequest, options?: { key?: string }): Promise<Note>;

  /** @operation getDeskNote */
  get(id: string): Promise<Note>;

  /** @operation deleteDeskNote */
  remove(id: string): Promise<void>;
}

/** The messages of one thread. */
export class Messages<Sent> {
  /** Newest first. @operation listMessages listDeskMessages */
  list(options?: MessageQuery): Promise<List<Message>>;

  /** All of them, newest first, page by page. */
  all(options?: MessageQuery): AsyncGenerator<Message, void, void>;

  /** Tries again with the same id while the gateway cannot be reached. @operation sendMessage sendDeskMessage */
  send(message: Sent, options?: SendOptions): Promise<Message>;

  /** Messages that contain these words, newest first. */
  search(q: string, options?: SearchQuery): Promise<SearchList>;
}

export class MessageHandle<Reply> {
  readonly id: string;

  /** @operation getMessage getDeskMessage */
  get(): Promise<Message>;

  /** @operation updateMessage updateDeskMessage */
  edit(body: MessagePatch, options?: MatchOptions): Promise<Message>;

  /** @operation deleteMessage deleteDeskMessage */
  delete(options?: MatchOptions): Promise<void>;

  /** Tries a message of a session that failed again. @operation resendMessage */
  resend(): Promise<Message>;

  /** The replies to it, ascending, around a starting point. @operation listReplies listDeskReplies */
  replies(options?: ReplyQuery): Promise<ReplyList>;

  /** Replies to it, as `messages.send` sends. @operation sendReply sendDeskReply */
  reply(message: Reply, options?: SendOptions): Promise<Message>;
}

export class Collections<Definition> {
  /** Empty at first: `fetch` delivers its first page. @operation createCollection createDeskCollection */
  create(definition: Definition, options?: KeyOptions): Promise<Collection>;

  /** Without what they show. @operation listCollections listDeskCollections */
  list(): Promise<List<CollectionSummary>>;
}

export class CollectionHandle {
  readonly id: string;

  /** The list as it is, and its version. @operation getCollection getDeskCollection */
  get(): Promise<Collection>;

  /** @operation deleteCollection deleteDeskCollection */
  delete(): Promise<void>;

  /** Asks for more at one end. @operation fetchCollection fetchDeskCollection */
  fetch(direction: 'previous' | 'next'): Promise<FetchResult>;

  /** Without a time at the newest. @operation setCollectionViewpoint setDeskCollectionViewpoint */
  setViewpoint(viewpoint?: string | number): Promise<void>;

  /** The list after each event, or a snapshot. @operation streamCollectionEvents streamDeskCollectionEvents */
  follow(options?: StreamOptions): AsyncGenerator<{ list: Collection; event?: ParleyEvent }, void, void>;
}

/** Files that messages carry. */
export class Attachments {
  /** `messages.send` takes the answer's id. @operation uploadAttachment uploadDeskAttachment */
  upload(file: Blob, options?: UploadOptions): Promise<Attachment>;

  /** Where its content is; a token or a ticket is needed there. @operation getAttachment getDeskAttachment */
  url(id: string): string;

  /** Its content, with its type. */
  download(id: string, options?: Cancellable): Promise<Blob>;
}

/** The agents' side of the embedded service. */
export class Desk extends Side<DeskCollectionRequest> {
  readonly threads: DeskThreads;
  readonly agents: DeskAgents;
  readonly answers: DeskAnswers;
  readonly channels: DeskChannels;
  readonly devices: DeskDevices;
  readonly customers: DeskCustomers;
  readonly presence: DeskPresence;
  readonly tags: DeskTags;

  /** How many open threads are where. @operation getDeskCounts */
  counts(options?: { channel?: string[] }): Promise<DeskCounts>;

  /** Figures on the desk's work. @operation getDeskReport */
  report(options?: ReportQuery): Promise<Report>;

  /** Conversations for another place, without messages and notes. @operation listExportedThreads */
  exported(options?: ExportQuery): Promise<List<ExportedThread>>;

  /** Adds one from another place. The same again changes nothing. @operation importThread */
  importThread(body: ImportRequest, options?: ImportOptions): Promise<ImportResult>;

  /** `owner`: for an id that several customers use; `agent`: the id of who does what is done through this handle. */
  thread(id: string, options?: { owner?: { channel: string; customer: string }; agent?: string }): DeskThread;
  /** `channel`: for an id that customers of several channels have; `agent`: who does what is done through this handle. */
  customer(id: string, options?: { channel?: string; agent?: string }): CustomerHandle;
  channel(id: string): DeskChannel;
  device(id: string): DeskDevice;
}

/** The browsers of agents that are told of what customers write. */
export class DeskDevices {
  /** Oldest first. @operation listDeskDevices */
  list(): Promise<List<Device>>;

  /** The same subscription again changes the device that there is. @operation createDeskDevice */
  create(body: WebPushDeviceRequest, options?: KeyOptions): Promise<Device>;
}

export class DeskDevice {
  /** @operation getDeskDevice */
  get(): Promise<Device>;

  /** @operation deleteDeskDevice */
  delete(): Promise<void>;

  /** Sends one push now, and says what came of it. @operation testDeskDevice */
  test(): Promise<DeviceDelivery>;

  /** The newest first. @operation listDeskDeviceDeliveries */
  deliveries(options?: DeliveryQuery): Promise<List<DeviceDelivery>>;
}

export class DeskChannels {
  /** @operation listDeskChannels */
  list(): Promise<List<Channel>>;

  /** @operation createDeskChannel */
  create(body: ChannelRequest, options?: KeyOptions): Promise<Channel>;
}

export class DeskChannel {
  readonly id: string;

  /** @operation getDeskChannel */
  get(): Promise<Channel>;

  /** Members that are null are taken away. @operation updateDeskChannel */
  update(patch: ChannelPatch): Promise<Channel>;

  /** Whether new live chats can begin. @operation setDeskChannelAvailability */
  setAvailability(body: AvailabilityRequest): Promise<Channel>;
}

/** The URLs to which the gateway sends events. */
export class Webhooks {
  /** Oldest first. @operation listWebhooks */
  list(options?: PageOptions): Promise<List<Webhook>>;

  /** All of them, page by page. */
  all(options?: PageOptions): AsyncGenerator<Webhook, void, void>;

  /** With its secret, which no later answer but that of `rotate` shows. @operation createWebhook */
  create(body: WebhookRequest, options?: KeyOptions): Promise<Webhook>;
}

export class WebhookHandle {
  readonly id: string;

  /** @operation getWebhook */
  get(): Promise<Webhook>;

  /** Null takes a member back to its default. @operation updateWebhook */
  update(patch: WebhookPatch, options?: MatchOptions): Promise<Webhook>;

  /** @operation deleteWebhook */
  delete(): Promise<void>;

  /** Sends a `webhook.test` now; resolves when the receiver has answered, or has not in time. @operation testWebhook */
  test(): Promise<Delivery>;

  /** Sends nothing until `resume`. @operation pauseWebhook */
  pause(): Promise<Webhook>;

  /** Goes on from where it stopped. @operation resumeWebhook */
  resume(): Promise<Webhook>;

  /** Gives it a new secret; the old one signs too for `graceSeconds`. @operation rotateWebhookSecret */
  rotate(options?: RotationRequest): Promise<Webhook>;

  /** Sends again what the log has after a cursor or since a time. @operation replayWebhook */
  replay(place: ReplayRequest): Promise<Webhook>;

  /** The newest event first. @operation listWebhookDeliveries */
  deliveries(options?: DeliveryQuery): Promise<List<Delivery>>;

  /** @operation getWebhookDelivery */
  delivery(id: string): Promise<Delivery>;

  /** Sends one delivery again, at once. @operation redeliverWebhookDelivery */
  redeliver(id: string): Promise<Delivery>;

  /** Sends all dead deliveries again, at once. @operation redeliverWebhookDeliveries */
  redeliverDead(): Promise<RedeliveryCount>;
}

/** A refused or failed request, with the members of the gateway's problem (RFC 9457); status 0: there was no answer. */
export class ParleyError extends Error {
  constructor(problem: { code: string; status: number; title?: string; detail?: string; errors?: object[]; retryAfter?: number }, cause?: unknown);
  readonly code: string;
  readonly status: number;
  readonly detail?: string;
  /** Each member that is wrong, which the message names as well. */
  readonly errors: { pointer?: string; code?: string; detail?: string }[];
  /** In seconds. */
  readonly retryAfter?: number;
  readonly problem: object;
  /** Whether the same request may succeed later without anybody changing it. */
  readonly temporary: boolean;
}

/** All items of a list, page by page: `allItems((page) => session.search('order', page))`. */
export function allItems<T>(fetch: (page: { cursor?: string }) => Promise<{ items: T[]; next?: string }>, options?: object): AsyncGenerator<T, void, void>;

/** A list as far as it is known: a snapshot, or what an earlier call answered. */
export interface KnownList {
  version: number;
  items: object[];
  pending?: object[];
  failed?: object[];
}

/** Applies one event of a collection; undefined: events are missing in between, get a snapshot. */
export function applyCollectionEvent<T extends KnownList>(list: T, event: ParleyEvent): T | undefined;

/** What tells an item of a collection from the others. */
export function itemKey(item: { id: string; channel?: string; customer?: { id: string } | string }): string;

/** Compares two cursors: negative, 0 or positive; NaN when their epochs differ. */
export function compareCursors(a: string, b: string): number;

/** A new id for a message or a thread (UUID). */
export function newId(): string;

/** The version (ETag) in which the gateway answered this object, for `ifMatch`. Undefined for what has none. */
export function versionOf(answer: object): string | undefined;

/** Parses text/event-stream, however it is cut into chunks. */
export class EventStreamParser {
  /** What the last `retry:` field said, in milliseconds. */
  retry?: number;
  push(text: string): { type: string; id?: string; data?: string }[];
}
