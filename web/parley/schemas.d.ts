/**
 * What requests and answers hold. `Tests/Contract/client_types.py` makes this file of `openapi.yaml`: do not change it
 * by hand. Times are texts as RFC 3339 has them.
 */

/** An app of Apple's systems. */
export interface APNsDeviceRequest {
  /** How the device is reached. */
  kind: 'apns';
  /** A secret. The token that APNs gave the app: an even number of hexadecimal digits, at most 200. */
  token: string;
  /** The app's bundle id. It may be left out where the channel has one app. */
  topic?: string;
  /** The device's system. */
  os?: string;
  /** Its version. */
  osVersion?: string;
}

/** Something that the customer does. */
export type ActivityRequest = PageActivity | ChatWindowActivity | ConversionActivity | ProactiveActivity;

/** The person or bot on the service's side. */
export interface Agent {
  id: Id;
  /** The name shown to the customer; absent where nobody has told one. */
  name?: string;
  /** True if it is a bot; absent if not. */
  isBot?: boolean;
}

/** Agents of the desk. */
export interface AgentList {
  /** The entries. */
  items: Agent[];
  cursor: Cursor;
}

/** Who acts at the desk. */
export interface AgentRequest {
  id: Id;
  /** The name shown to the customer. */
  name: string;
  /** Whether a program acts. The kind of its messages' author is `bot`. */
  isBot?: boolean;
}

/** For a reply: whether the conversation's own list shows it, too. */
export type AlsoInThread = boolean;

/**
 * Whether customers begin of whom nothing is known: all of them, or those of whom a JWT without a customer says
 * that they are no robot.
 */
export type AnonymousVisitors = 'allowed' | 'vouched';

/** The channels that the reply is for; all of them if it is absent. */
export type AnswerChannels = ChannelId[];

/** The channels that the reply is for, each once. */
export type AnswerChannelsRequest = ChannelId[];

/** A language, as BCP 47 names it. */
export type AnswerLanguage = string;

/** The name of a saved reply. No two have the same. */
export type AnswerName = string;

/** The word that calls the reply up. No two have the same, in upper or lower case. */
export type AnswerShortcut = string;

/** How the chat looks on the pages of a shop; absent if as usual. */
export interface Appearance {
  /** Of the button and the head. */
  colour?: string;
  position?: WidgetPosition;
  /** What the chat is called, instead of the channel's name. */
  name?: string;
  /** What stands above an empty conversation. */
  greeting?: string;
  /** Whether the page shows a button. */
  showBubble?: boolean;
  /** The address of the picture in the chat's head. */
  logo?: string;
}

/** How the chat looks on the pages of a shop. What is absent is as usual. */
export interface AppearanceRequest {
  /** Of the button and the head. */
  colour?: string;
  position?: WidgetPosition;
  /** What the chat is called, instead of the channel's name. */
  name?: string;
  /** What stands above an empty conversation. */
  greeting?: string;
  /** Whether the page shows a button. */
  showBubble?: boolean;
  /**
   * The one that the channel has, as it was read. setChannelLogo gives it another one, and it stays unless
   * deleteChannelLogo takes it away.
   */
  logo?: string;
}

/** Somebody of the team, or a bot. */
export interface ArchivedAgent {
  id: Id;
  /** The name to show. */
  name?: string;
  /** True for a bot; otherwise absent. */
  isBot?: boolean;
}

/** Who wrote a message or a note. What customers write goes to the agents, all else to the customer. */
export interface ArchivedAuthor {
  id: Id;
  /** The name to show. */
  name?: string;
  /** What the author is. */
  kind: 'customer' | 'agent' | 'bot' | 'system';
}

/**
 * One time that a conversation was open: what reports count. Figures that are absent are counted from the messages
 * of its time. Only the last one may be open, and none of a closed conversation.
 */
export interface ArchivedContact {
  openedAt: ArchivedTime;
  closedAt?: ArchivedTime;
  closedBy?: Id;
  firstAnswerAt?: ArchivedTime;
  firstAnswerBy?: Id;
  lastAnswerBy?: Id;
  messagesIn?: ArchivedCount;
  messagesOut?: ArchivedCount;
  /** Whether it goes on with an earlier contact. */
  reopened?: boolean;
  /** The rating, from 1, bad, to 5, very good. */
  score?: number;
  tags?: ArchivedTags;
  firstAnswerOpenMilliseconds?: ArchivedCount;
  resolutionOpenMilliseconds?: ArchivedCount;
}

/** A number of messages or bytes, or of milliseconds within opening hours. */
export type ArchivedCount = number;

/** A customer. One who is known already keeps names and address. */
export interface ArchivedCustomer {
  id: Id;
  firstName?: PersonName;
  lastName?: PersonName;
  imageUrl?: ImageUrl;
  /** The e-mail address. */
  email?: string;
  /** True where somebody has vouched for the id. */
  verified?: boolean;
}

/** A file of which only the name comes along. Asking for it is `unknownAttachment`. */
export interface ArchivedFile {
  id: Id;
  /** The file's name. */
  name: string;
  /** Its type. */
  mimeType: string;
  size: ArchivedCount;
}

/** A message. A parent is one of the same conversation that is no reply itself. */
export interface ArchivedMessage {
  id: Id;
  createdAt: ArchivedTime;
  updatedAt?: ArchivedTime;
  editedAt?: ArchivedTime;
  seenAt?: ArchivedTime;
  author: ArchivedAuthor;
  /** What it holds; without it a text, or files. */
  type?: 'text' | 'file' | 'quickReplies' | 'listPicker' | 'richLink' | 'timePicker' | 'admin';
  /** At most 65,536 bytes of UTF-8. */
  text?: string;
  content?: RichContentRequest;
  /** What belongs to the answer that was chosen. */
  postback?: string;
  customType?: CustomType;
  parentId?: ParentId;
  alsoInThread?: AlsoInThread;
  /** Its files. */
  attachments?: ArchivedFile[];
}

/** What an agent has written for other agents. */
export interface ArchivedNote {
  id: Id;
  createdAt: ArchivedTime;
  author: ArchivedAuthor;
  text: MessageText;
}

/** How the customer was served in the last contact, if that has ended. */
export interface ArchivedRating {
  /** From 1, bad, to 5, very good. */
  score: number;
  /** What the customer adds. */
  comment?: string;
  at: ArchivedTime;
}

/** Whether it takes more messages. */
export type ArchivedState = 'ready' | 'closed';

/** A tag, by its id or its name. One with an id alone was removed; contacts may still have it. */
export interface ArchivedTag {
  id?: Id;
  name?: TagName;
  colour?: TagColour;
}

/** Tags, each once. */
export type ArchivedTags = ArchivedTag[];

/** An RFC 3339 time, from 1970 on and not later than now. */
export type ArchivedTime = string;

/**
 * Whether a conversation that nobody has becomes that of the person who answers it. Absent if so. Live chats are
 * assigned before. Customers do not see it. hours: {$ref: '#/components/schemas/OpeningHoursRequest'} outside:
 * {$ref: '#/components/schemas/ClosedHoursRequest'}
 */
export type AssignOnAnswer = boolean;

/** Who takes the thread. */
export interface AssignRequest {
  agent: AgentRequest;
  ifAgent?: IfAgent;
}

/** A file sent with a message. */
export interface Attachment {
  id: Id;
  /** The file's name. */
  name: string;
  /** Its type. */
  mimeType: string;
  /** Its size in bytes. */
  size: number;
  /** The id of a picture of the file, which is fetched as an attachment. Some remote platforms have one. */
  previewId?: string;
}

/** An upload. */
export interface AttachmentReference {
  id: Id;
}

/** Who wrote a message, types one, or made a change. */
export interface Author {
  id: Id;
  /** The name to show. */
  name?: string;
  kind: AuthorKind;
}

/** What the author is. */
export type AuthorKind = 'customer' | 'agent' | 'bot' | 'system' | (string & {});

/** The result of the customer's login at the channel's own service. It can be used for one connection only. */
export interface AuthorizationRequest {
  /** The authorization code. */
  code: string;
  /** Of PKCE. */
  codeVerifier?: string;
}

/** Whether new chats can begin. */
export interface AvailabilityRequest {
  /** False closes the channel to new chats. */
  isOnline: boolean;
}

/** A day, such as 2026-12-24. */
export type CalendarDay = string;

/** A text that agents use often, kept for all of them. */
export interface CannedAnswer {
  id: Id;
  name: AnswerName;
  /** What it says. */
  text: string;
  shortcut?: AnswerShortcut;
  channels?: AnswerChannels;
  language?: AnswerLanguage;
  updatedAt: Time;
}

/** All saved replies, by name. */
export interface CannedAnswerList {
  /** The entries. */
  items: CannedAnswer[];
  cursor: Cursor;
}

/** An answer to keep. */
export interface CannedAnswerRequest {
  name: AnswerName;
  text: MessageText;
  /** The word that calls the reply up; null for none. */
  shortcut?: AnswerShortcut | NoValue;
  /** The channels that the reply is for; null for all. */
  channels?: AnswerChannelsRequest | NoValue;
  /** The language of the text; null for none. */
  language?: AnswerLanguage | NoValue;
}

/**
 * A thing that a service can do. The known names are `threads`, `rename`, `archive`, `typing`, `readReceipts`,
 * `customFields`, `editMessages`, `deleteMessages`, `members`, `replies`, `attachments`, `search`, `collections`,
 * `liveChat`, `transcript`, `historyReset`, `richMessages`, `preChatSurvey`, `analytics`, `triggers`, `menu`,
 * `offlineMessages`, `typingPreview`.
 */
export type Capability = string;

/**
 * The names of the members of the resource that have other values than before, for at least one reader: another
 * member's `unreadCount` is named, too. `updatedAt` and `canAddMoreMessages` are never named. Absent in events that
 * an earlier version has logged.
 */
export type Changed = MemberName[];

/** One configured entry point of a service. */
export interface Channel {
  id: ChannelId;
  /** The name to show. */
  name: string;
  mode: ChannelMode;
  /** What the channel's service can do. */
  capabilities: Capability[];
  fileRestrictions: FileRestrictions;
  /** Whether new chats can begin; of live chats alone. The desk sets it (`setDeskChannelAvailability`). */
  isOnline?: boolean;
  /**
   * Whether customers are answered now: by the channel's hours, by the agents who are there, and by `isOnline`.
   * Only the embedded service knows.
   */
  isOpen?: boolean;
  /** When the channel opens. Absent while it is open, and where nobody knows, or not within a year. */
  nextOpening?: Time;
  preChatSurvey?: PreChatSurvey;
  /** What further custom fields of threads may hold; absent if none are defined. */
  contactFields?: CustomFieldDefinition[];
  /** What custom fields of customers may hold; absent if none are defined. */
  customerFields?: CustomFieldDefinition[];
  /** The template of the message that each new thread begins with; absent if there is none. */
  welcomeMessage?: string;
  inactivity?: InactivityLimits;
  push?: PushSettings;
  /**
   * The menu of a channel of the embedded service; absent if it has no entries. Customers read the menu of any
   * service by `getMenu`.
   */
  menu?: MenuItem[];
  rating?: RatingForm;
  reopenDays?: ReopenDays;
  assignOnAnswer?: AssignOnAnswer;
  visitors?: VisitorSettings;
  appearance?: Appearance;
  /** The languages of the customers' pages; absent for all. Customers do not see it. */
  languages?: LanguageTag[];
  /** What the customers' pages say otherwise, by language and key. Customers do not see it. */
  texts?: Record<string, LanguageTexts>;
  hours?: OpeningHours;
  outside?: ClosedHours;
}

/** A channel's id within its service. */
export type ChannelId = string;

/** The channels of the embedded service. */
export interface ChannelList {
  /** The entries. */
  items: Channel[];
  next?: PageCursor;
  prev?: PageCursor;
  cursor: Cursor;
}

/** How a channel holds its conversations. More modes may be added. */
export type ChannelMode = 'singlethread' | 'multithread' | 'liveChat' | (string & {});

/** What to change of a channel. */
export interface ChannelPatch {
  /** The name to show. */
  name?: string;
  fileRestrictions?: FileRestrictionsRequest;
  /** The survey before a thread begins; null for none. */
  preChatSurvey?: PreChatSurveyRequest | NoValue;
  /** What further custom fields of threads may hold. Each ident may occur once. */
  contactFields?: CustomFieldRequest[];
  /** What custom fields of customers may hold. Each ident may occur once. */
  customerFields?: CustomFieldRequest[];
  /** The first message of each new thread; null for none. */
  welcomeMessage?: WelcomeTemplateRequest | NoValue;
  /** How long customers may be silent; null for no limit. */
  inactivity?: InactivityRequest | NoValue;
  /** What pushes say from now on; null for the usual texts. */
  push?: PushSettingsRequest | NoValue;
  /** What customers may choose from from now on. Each id may occur once. */
  menu?: MenuItemRequest[];
  /** How customers are asked for a rating from now on; null for not at all. */
  rating?: RatingForm | NoValue;
  reopenDays?: ReopenDays;
  assignOnAnswer?: AssignOnAnswer;
  /** How customers begin by themselves from now on; null if they do not. */
  visitors?: VisitorSettingsRequest | NoValue;
  /** How the chat looks from now on; null for as usual. */
  appearance?: AppearanceRequest | NoValue;
  languages?: LanguagesRequest;
  texts?: TextsRequest;
  /** When customers are answered from now on; null for always. */
  hours?: OpeningHoursRequest | NoValue;
  /** What customers meet from now on while the channel is closed; null for nothing special. */
  outside?: ClosedHoursRequest | NoValue;
}

/** A channel to add. */
export interface ChannelRequest {
  id: ChannelId;
  /** The name to show; the id if absent. */
  name?: string;
  fileRestrictions?: FileRestrictionsRequest;
  /** How it holds its conversations. */
  mode: 'singlethread' | 'multithread' | 'liveChat';
  preChatSurvey?: PreChatSurveyRequest;
  /** What further custom fields of threads may hold. Each ident may occur once. */
  contactFields?: CustomFieldRequest[];
  /** What custom fields of customers may hold. Each ident may occur once. */
  customerFields?: CustomFieldRequest[];
  welcomeMessage?: WelcomeTemplateRequest;
  inactivity?: InactivityRequest;
  push?: PushSettingsRequest;
  /** What customers may choose from at any time. Each id may occur once. */
  menu?: MenuItemRequest[];
  rating?: RatingForm;
  reopenDays?: ReopenDays;
  assignOnAnswer?: AssignOnAnswer;
  visitors?: VisitorSettingsRequest;
  appearance?: AppearanceRequest;
  languages?: LanguagesRequest;
  texts?: TextsRequest;
}

/** How far the session is on its way to `ready`. */
export type ChatState = 'initial' | 'preparing' | 'prepared' | 'offline' | 'connecting' | 'connected' | 'ready' |
  'closed' | (string & {});

/** One conversation. */
export interface ChatThread {
  id: Id;
  name?: ThreadName;
  state: ThreadState;
  createdAt: Time;
  updatedAt: Time;
  /** Whether it takes another message. */
  canAddMoreMessages: boolean;
  /** How many messages the reading customer has not read. */
  unreadCount?: number;
  /**
   * The creation time of the newest message that the reading customer has read. Absent before the customer has read
   * any, and at the desk. Used as the viewpoint of a collection of messages, it separates the thread: `previous`
   * fetches what was read, `next` the rest.
   */
  lastReadAt?: Time;
  /** How many messages the desk has not read. */
  deskUnreadCount: number;
  lastMessage?: MessageSummary;
  agent?: Agent;
  /** The customers in it. */
  members: Customer[];
  customType?: CustomType;
  customFields: CustomFieldValues;
  /** The agent who had the thread before, if that was another one. */
  previousAgent?: Agent;
  /**
   * The id of the thread's contact (its case), decimal. A live chat has it at once, other threads from their first
   * message on.
   */
  contactId?: string;
  /** When that contact ended; absent while it is open. */
  contactClosedAt?: Time;
  /** The place of a live chat in its queue; absent once an agent has taken it. */
  queuePosition?: number;
  inactivityPopup?: InactivityPopup;
  memberState?: MemberState;
  /** Whether the reading customer has hidden it; absent if not. */
  hidden?: boolean;
  rating?: Rating;
  /** Messages from then or before are gone, for all or for the reading customer. Absent if none are. */
  historyResetAt?: Time;
  /**
   * On the embedded service: since when the customer waits for an answer. That is the first message of the
   * conversation that no agent has answered, or without one the beginning of a live chat. Absent if nobody waits.
   * At the desk alone it may also be when a snooze has ended, until somebody answers.
   */
  waitingSince?: Time;
}

/** The chat was opened. */
export interface ChatWindowActivity {
  /** What it is. */
  type: 'chatWindowOpened';
}

/** A time of a day, from `00:00` to `24:00`. */
export type ClockTime = string;

/** The text in one language. */
export type ClosedAnswer = string;

/** What becomes of new live chats while the channel is closed: they are refused, or wait in the queue. */
export type ClosedChats = 'close' | 'queue';

/** What customers meet while the channel is closed; absent if nothing special. Customers do not see it. */
export interface ClosedHours {
  /** What a customer is told who writes then, by language. */
  answer?: Record<string, ClosedText>;
  /** Whether the widget asks for an e-mail address. */
  askEmail: boolean;
  /** Whether pages hide the widget's button. */
  hideBubble: boolean;
  chats: ClosedChats;
}

/** What customers meet while the channel is closed. What is absent has its usual value. */
export interface ClosedHoursRequest {
  /**
   * What a customer is told who writes then, by language: a message of the system, once for each contact. It is in
   * the language that `Accept-Language` asks for, else in the first of the channel's languages, else in English.
   */
  answer?: Record<string, ClosedAnswer>;
  /** Whether the widget asks for an e-mail address; false unless it is said. */
  askEmail?: boolean;
  /** Whether pages hide the widget's button; false unless it is said. */
  hideBubble?: boolean;
  chats?: ClosedChats;
}

/** The text in one language. */
export type ClosedText = string;

/** A live window on threads or messages, and what it shows now. */
export interface Collection {
  id: Id;
  kind: CollectionKind;
  query?: ThreadQueryEcho;
  threadId?: Id;
  channel?: Id;
  customer?: Id;
  filter?: MessageFilterEcho;
  parentId?: Id;
  viewpoint?: Time;
  /** Rows of a page of messages. For threads it is in `query`. */
  limit?: number;
  /** Rows that it holds at most. */
  capacity?: number;
  holder?: Holder;
  version: CollectionVersion;
  incarnation: Incarnation;
  items: CollectionItems;
  pending?: CollectionItems;
  failed?: CollectionItems;
  parent?: CollectionParent;
  /** Whether a fetch of `previous` may bring more. */
  hasPrevious: boolean;
  /** Whether a fetch of `next` may bring more. */
  hasNext: boolean;
  cursor: CollectionCursor;
}

/** `<incarnation>-<version>`. */
export type CollectionCursor = string;

/** What a collection shows, as a request asks for it, defaults filled in. */
export interface CollectionDefinition {
  kind: CollectionKind;
  query?: ThreadQueryEcho;
  threadId?: Id;
  channel?: Id;
  customer?: Id;
  filter?: MessageFilterEcho;
  parentId?: Id;
  viewpoint?: Time;
  /** Rows of a page of messages. For threads it is in `query`. */
  limit?: number;
  /** Rows that it holds at most. */
  capacity: number;
  holder?: Holder;
}

/** A message or a thread, as everywhere. */
export interface CollectionItem {
  id: Id;
}

/** Messages or threads. */
export type CollectionItems = CollectionItem[];

/** What it shows. */
export type CollectionKind = 'threads' | 'messages';

/** The collections of a session, or of the desk. */
export interface CollectionList {
  /** Oldest first. */
  items: CollectionSummary[];
  cursor: Cursor;
}

/** The message that is replied to; `{"unavailable":true,"id"}` if it was removed. */
export interface CollectionParent {
  id: Id;
  /** It is gone. */
  unavailable?: boolean;
}

/**
 * What a collection shows. `query` belongs to `threads`. `threadId` (needed), `filter`, `viewpoint`, `limit` and
 * `parentId` belong to `messages`. All of it takes at most 16384 bytes as JSON.
 */
export interface CollectionRequest {
  kind: CollectionKind;
  query?: ThreadQueryRequest;
  threadId?: Id;
  filter?: MessageFilterRequest;
  viewpoint?: Viewpoint;
  limit?: PageSize;
  /**
   * The most rows that it holds; 1000 if absent. Beyond that, and beyond 4 MiB, the rows at the far end are
   * removed.
   */
  capacity?: number;
  parentId?: Id;
  holder?: Holder;
  firstPage?: FirstPage;
}

/** A collection without what it shows. */
export interface CollectionSummary {
  id: Id;
  version: CollectionVersion;
  incarnation: Incarnation;
  createdAt: Time;
  definition: CollectionDefinition;
}

/** Grows by one with each event. */
export type CollectionVersion = number;

/**
 * Why the session is not connected: what its last attempt failed with, or how its connection was lost. Absent once
 * it is connected, and after a disconnect.
 */
export type ConnectionError = Failure;

/** The customer has done something that counts, such as an order. */
export interface ConversionActivity {
  /** What it is. */
  type: 'conversion';
  /** What was reached. */
  conversionType: string;
  /** What it is worth. */
  value: number;
}

/** A place in the event log, `<epoch>-<offset>`: follow a stream from here with `?after=` or `Last-Event-ID`. */
export type Cursor = string;

/** What one custom field may hold. */
export interface CustomFieldDefinition {
  /** The field's name in `customFields`. */
  ident: string;
  /** The name to show. */
  label: string;
  type: CustomFieldType;
  /** Whether a survey needs an answer; absent if not. */
  isRequired?: boolean;
  /** Of a list or a tree. */
  options?: CustomFieldOption[];
}

/** A value that a list or a tree offers. */
export interface CustomFieldOption {
  /** What the field holds. */
  id: string;
  /** The name to show. */
  label: string;
  /** In a tree: the option above. */
  parentId?: string;
}

/** A value that a list or a tree offers. Each id may occur once. */
export interface CustomFieldOptionRequest {
  /** What the field holds. */
  id: string;
  /** The name to show; the id if absent. */
  label?: string;
  /** In a tree: the id of the option above this one. */
  parentId?: string;
}

/** What one custom field may hold. */
export interface CustomFieldRequest {
  /** The field's name. */
  ident: string;
  /** The name to show; the ident if absent. */
  label?: string;
  type: CustomFieldType;
  /** Of a list or a tree, which need them. */
  options?: CustomFieldOptionRequest[];
}

/**
 * `text` holds any text, `email` an address, `list` the id of one of its options, `tree` the id of an option that
 * has none below it. An option's label may be given instead of its id; the id is stored.
 */
export type CustomFieldType = 'text' | 'email' | 'list' | 'tree';

/** The value of a custom field. */
export type CustomFieldValue = string;

/**
 * Fields by name; their meaning is up to the client. Names are kept as they come. Names that are the same by
 * Unicode's rules ("é" as one character and as two) are the same field; both in one request are refused. A thread,
 * and likewise a customer, has at most 100 fields; names and values together have at most 65,536 bytes of UTF-8.
 * New fields are joined with those that are there. If the result is too large, the whole request is refused
 * (`invalidParameter`, the detail names the limit). A remote platform's own fields beyond these limits are left
 * out.
 */
export type CustomFieldValues = Record<string, string>;

/** The custom fields of a customer or of a thread. */
export interface CustomFields {
  customFields: CustomFieldValues;
}

/** Values of fields. Null removes a field; those that are missing stay. */
export type CustomFieldsPatch = Record<string, CustomFieldValue | NoValue>;

/** Fields to merge in. Empty values are ignored. */
export interface CustomFieldsRequest {
  customFields: CustomFieldValues;
}

/** Something that the platform wants to be shown beside the conversation. */
export interface CustomPopupBox {
  /** The platform's name for the action. */
  actionId: string;
  /** The action's name, for people. */
  actionName: string;
  /** The box's heading. */
  heading?: string;
  /** The text to show. */
  text?: string;
  /** What its button says. */
  buttonText?: string;
  /** The address to which its button leads. It comes from the platform; check its scheme before following it. */
  buttonUrl?: string;
}

/** A word of the client's own: what the message is for. */
export type CustomType = string;

/** The person on the customer's side. */
export interface Customer {
  id: Id;
  firstName?: PersonName;
  lastName?: PersonName;
  imageUrl?: ImageUrl;
  /**
   * The e-mail address, as a shop's server has said it by a JWT, or an agent has noted it. Where a conversation has
   * several members, they do not see one another's.
   */
  email?: string;
  /** True where a shop's server has vouched for the id by a JWT; absent otherwise, and among several members. */
  verified?: boolean;
  /**
   * Under which ids the customer wrote before a JWT said who it is, the newest last. Messages keep the id of their
   * author: those of these ids are the customer's own.
   */
  formerIds?: Id[];
}

/** Whose thread it is. The desk alone gets it. */
export type CustomerAtDesk = Customer;

/** To what the customer has agreed. */
export interface CustomerConsent {
  /** The version of the agreement. */
  version: string;
  at: Time;
}

/** An e-mail address. */
export type CustomerEmail = string;

/** The customer's name and picture; a part that is absent is removed. */
export interface CustomerNameRequest {
  firstName?: PersonName;
  lastName?: PersonName;
  imageUrl?: ImageUrl;
}

/** What an agent has written about a customer for other agents. */
export interface CustomerNote {
  id: Id;
  customerId: Id;
  channel: ChannelId;
  createdAt: Time;
  author: Author;
  /** What it says. */
  text: string;
}

/** A page of notes about a customer, newest first; `next` leads to older ones. */
export interface CustomerNoteList {
  /** The entries. */
  items: CustomerNote[];
  next?: PageCursor;
  cursor: Cursor;
}

/** A note of an agent about a customer. */
export interface CustomerNoteRequest {
  /** What it says. */
  text: string;
  agent?: AgentRequest;
}

/** How the customer was served, in the latest 1,000 conversations. */
export interface CustomerRatings {
  /** How many ratings there are. */
  count: number;
  /** The mean of the scores, to two digits. Absent without any. */
  mean?: number;
}

/** The customer for whom a session acts. */
export interface CustomerRequest {
  id?: Id;
  firstName?: PersonName;
  lastName?: PersonName;
  imageUrl?: ImageUrl;
}

/** A conversation, as a list of conversations shows it. */
export interface CustomerThread {
  id: Id;
  /** Whose conversation it is. The customer may be a member only. */
  customerId: Id;
  name?: ThreadName;
  state: ThreadState;
  createdAt: Time;
  lastActivityAt: Time;
  lastMessage?: MessageSummary;
  agent?: Agent;
  rating?: Rating;
}

/**
 * Where the customer came from: of the session that was last used among those that have a visit. Pages and browsers
 * say it, and nobody has checked it.
 */
export interface CustomerVisit {
  /** The page with the chat, without query. */
  page?: string;
  /** The page's title. */
  title?: string;
  /** The page before, without query. */
  referrer?: string;
  /** The browser's language. */
  language?: string;
  /** The browser's time zone. */
  timeZone?: string;
  /** The size of the screen. */
  screen?: string;
  /** The browser and the system, by the header `User-Agent`. */
  device?: string;
}

/** One event on its way to one webhook. */
export interface Delivery {
  id: DeliveryId;
  /** The header `webhook-id`: the event's cursor, or `test-` and a UUID. */
  event: string;
  type: string;
  threadId?: Id;
  state: DeliveryState;
  /** Why it is in this state. */
  reason?: string;
  /** Oldest first. */
  attempts: DeliveryAttempt[];
  createdAt: Time;
  nextAttemptAt?: Time;
  doneAt?: Time;
}

/** One try. */
export interface DeliveryAttempt {
  at: Time;
  /** Of the answer. */
  status?: number;
  /**
   * Why there was no answer, such as `notConnected`, `timeout`, `unknownHost`, `addressRefused`,
   * `untrustedCertificate`, `certificateOfAnotherHost`.
   */
  error?: string;
  milliseconds: number;
  /**
   * The beginning of the answer's body, at most 1 KiB. It is removed with the message, because it may repeat its
   * text.
   */
  head?: string;
}

/** A delivery's id, made by Parley. */
export type DeliveryId = string;

/** Deliveries. */
export interface DeliveryList {
  /** The entries. */
  items: Delivery[];
  next?: PageCursor;
  cursor: Cursor;
}

/**
 * `pending`: to be sent, now or later. `dead`: the receiver does not take this event. `expired`: the log lost the
 * event before it was delivered. `dropped`: there was nothing left to send, for example because the message was
 * removed.
 */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'expired' | 'dropped' | (string & {});

/** What `parley serve --demo` shows. It is there only while the gateway runs with this flag. */
export interface Demonstration {
  customer: DemonstrationCustomer;
  /** The channels in which a bot answers. */
  channels: ChannelId[];
}

/** A session for this customer sees the conversations that were made in advance. */
export interface DemonstrationCustomer {
  id: Id;
}

/**
 * What a collection of the desk shows. `query` belongs to `threads`. `threadId` (needed), `channel`, `customer`,
 * `filter`, `viewpoint`, `limit` and `parentId` belong to `messages`. All of it takes at most 16384 bytes as JSON.
 */
export interface DeskCollectionRequest {
  kind: CollectionKind;
  query?: DeskThreadQueryRequest;
  threadId?: Id;
  channel?: Id;
  customer?: Id;
  filter?: MessageFilterRequest;
  viewpoint?: Viewpoint;
  limit?: PageSize;
  /**
   * The most rows that it holds; 1000 if absent. Beyond that, and beyond 4 MiB, the rows at the far end are
   * removed.
   */
  capacity?: number;
  parentId?: Id;
  holder?: Holder;
  firstPage?: FirstPage;
}

/** How many open threads are where. Each number is at most 10,000. */
export interface DeskCounts {
  open: ThreadCount;
  waiting: ThreadCount;
  /** Those of the person, or of the key's agent, who asks; absent if nobody in particular asks. */
  mine?: ThreadCount;
  unassigned: ThreadCount;
  /** Those that are snoozed. The other numbers leave them out. */
  snoozed: ThreadCount;
  /** Since when the customer waits who waits longest; absent if nobody waits. */
  longestWaitingSince?: Time;
  /** True if there are more of something than its number says; otherwise absent. */
  more?: boolean;
  cursor: Cursor;
}

/** A customer as the desk sees them. */
export type DeskCustomer = Customer & { channel: ChannelId; firstSeenAt: Time; lastSeenAt?: Time };

/** All that the desk is shown of a customer. */
export type DeskCustomerDetails = DeskCustomer & { customFields: CustomFieldValues; consent?: CustomerConsent; visit?:
  CustomerVisit; sessions: number; threads: CustomerThread[]; ratings: CustomerRatings };

/** A page of customers. */
export interface DeskCustomerList {
  /** The entries. */
  items: DeskCustomer[];
  next?: PageCursor;
  cursor: Cursor;
}

/** What changes of a customer. Null takes a value away. */
export interface DeskCustomerPatch {
  /** The first name. */
  firstName?: PersonName | NoValue;
  /** The last name. */
  lastName?: PersonName | NoValue;
  /** The e-mail address. */
  email?: CustomerEmail | NoValue;
  customFields?: CustomFieldsPatch;
}

/** What the desk knows of a thread besides. */
export interface DeskDetails {
  channel: ChannelId;
  customer: Customer;
  /** The ids of its tags; absent if it has none. */
  tags?: Id[];
  snooze?: Snooze;
  imported?: ImportMark;
}

/** The desk's devices. */
export interface DeskDeviceList {
  /** Oldest first. */
  items: Device[];
  cursor: Cursor;
}

/** An agent's message, with text or attachments or both, or rich content. */
export interface DeskMessageRequest {
  id?: Id;
  text?: MessageText;
  /** Uploads of the desk that no other message carries. Each may be named once. */
  attachments?: AttachmentReference[];
  agent?: AgentRequest;
  ifAgent?: IfAgent;
  ifLatest?: IfLatest;
  customType?: CustomType;
  /**
   * `admin` makes a message of the system: it takes no replies and carries no files. The last four are rich
   * messages: they need `content`, carry no files and are no replies. If they have no text, their title is their
   * text.
   */
  type?: 'text' | 'admin' | 'quickReplies' | 'listPicker' | 'richLink' | 'timePicker';
  content?: RichContentRequest;
  parentId?: ParentId;
  alsoInThread?: AlsoInThread;
}

/** A note of an agent. */
export interface DeskNoteRequest {
  text: MessageText;
  agent?: AgentRequest;
}

/**
 * The latest activity first; or `waiting`: whose customer waits longest first, and those who do not wait, or are
 * snoozed, after them by activity.
 */
export type DeskOrder = 'activity' | 'waiting';

/** An agent's reply; the path names what it replies to. */
export interface DeskReplyRequest {
  id?: Id;
  text?: MessageText;
  /** Uploads of the desk that no other message carries. Each may be named once. */
  attachments?: AttachmentReference[];
  agent?: AgentRequest;
  ifAgent?: IfAgent;
  ifLatest?: IfLatest;
  customType?: CustomType;
  alsoInThread?: AlsoInThread;
}

/** A word with which the desk sorts its threads. */
export interface DeskTag {
  id: Id;
  name: TagName;
  colour: TagColour;
  position: TagPosition;
}

/** All tags, in their order. */
export interface DeskTagList {
  /** The entries. */
  items: DeskTag[];
  cursor: Cursor;
}

/** What changes of a tag. */
export interface DeskTagPatch {
  name?: TagName;
  colour?: TagColour;
  position?: TagPosition;
}

/** A tag to add. Without a colour it is grey. */
export interface DeskTagRequest {
  name: TagName;
  colour?: TagColour;
}

/** A conversation as the desk sees it. */
export type DeskThread = ChatThread & DeskDetails;

/** A page of threads, latest activity first. */
export interface DeskThreadList {
  /** The entries. */
  items: DeskThread[];
  next?: PageCursor;
  prev?: PageCursor;
  cursor: Cursor;
}

/** A change to a thread; null takes a value away. */
export interface DeskThreadPatch {
  /** The new name. */
  name?: ThreadName | NoValue;
  /** The new type. */
  customType?: CustomType | NoValue;
}

/** Which threads of the desk; latest activity first, unless `order` says otherwise. */
export interface DeskThreadQueryRequest {
  /** Only threads with the tag of this id. */
  tag?: Id;
  snoozed?: SnoozeFilter;
  order?: DeskOrder;
  limit?: PageSize;
  /** Of which state. */
  state?: 'open' | 'closed' | 'all';
  channel?: Id;
  /** Only threads of the agent with this id. */
  agent?: Id;
  /** Only threads that no agent has. */
  unassigned?: boolean;
  /** Only threads whose customer waits for an answer. */
  waiting?: boolean;
  /** Only threads that were made for the customer with this id. */
  customer?: Id;
  /** Only threads whose `customType` begins with this. Upper and lower case differ. */
  customTypePrefix?: string;
  /** Only threads that all these customers are members of, or are invited to. */
  members?: Id[];
  /** A part of the thread's name or of a member's. Upper and lower case count the same. */
  nameContains?: string;
}

/** A thread to make. */
export interface DeskThreadRequest {
  id?: Id;
  channel: ChannelId;
  /** Each once; the first one owns the thread. */
  members: MemberRequest[];
  name?: ThreadName;
  customType?: CustomType;
  customFields?: CustomFieldValues;
}

/** A thread and all that was said in it. */
export interface DeskTranscript {
  thread: DeskThread;
  /** How many messages were removed. */
  removedCount: number;
  /** The messages, oldest first. */
  items: Message[];
}

/** Whether the agent is typing. */
export interface DeskTypingRequest {
  /** True at the start, false at the end. */
  isTyping: boolean;
  agent?: AgentRequest;
}

/** A device of a session or of the desk. Its endpoint, keys and token are never shown. */
export interface Device {
  id: Id;
  /** How it is reached. */
  kind: 'webPush' | 'apns' | 'fcm';
  /**
   * Who pushes. If the session's platform pushes to apps by itself, the device is passed on to it, and nobody tells
   * the results of its pushes.
   */
  pushedBy: 'gateway' | 'platform';
  /**
   * Pushes go to an `active` device. The push service of a `refused` device does not take pushes of this gateway.
   * The push service of a device that is `gone` does not know it any more. Registering it again makes it active; a
   * changed configuration also activates a refused app.
   */
  state: 'active' | 'refused' | 'gone';
  createdAt: Time;
  /** Of a browser's push service. */
  endpointHost?: string;
  /** With `apns`, the app's bundle id. */
  topic?: string;
  /** With `fcm`, the id of the app's Firebase project. */
  project?: string;
  lastDelivery?: LastDelivery;
}

/** A push to a device. */
export interface DeviceDelivery {
  /** The push's id. */
  id: string;
  /** The cursor of the message's event. */
  event: string;
  /** The event's name, or `push.test`. */
  type: string;
  threadId?: Id;
  state: DeliveryState;
  /**
   * Why it is in this state. For a dropped push: `removed`, `read`, `shown`, `present`, `expired`, `gone`,
   * `refused` or `replaced`.
   */
  reason?: string;
  /** Oldest first, the newest 20. */
  attempts: PushAttempt[];
  createdAt: Time;
  nextAttemptAt?: Time;
  doneAt?: Time;
}

/** A page of pushes. */
export interface DeviceDeliveryList {
  /** The newest message first. */
  items: DeviceDelivery[];
  /** The cursor of the next page; absent at the end. */
  next?: string;
}

/** A device. */
export type DeviceRequest = WebPushDeviceRequest | APNsDeviceRequest | FCMDeviceRequest;

/** Who the message goes to. */
export type Direction = 'toAgent' | 'toClient';

/**
 * What is known of a customer is another than before. `changed` names what: `firstName`, `lastName`, `imageUrl`,
 * `email`, `verified`, `customFields`, `consent`, `formerIds`, or `notes` for the agents' notes. The event has
 * neither fields nor notes. Only streams of the desk have it.
 */
export interface EventCustomerUpdated {
  id: Id;
  actor?: Author;
  changed?: Changed;
  channel?: ChannelId;
  /** The customer as they are now. */
  customer?: Customer;
}

/** A message was created. `actor` is who has sent it. */
export interface EventMessageCreated {
  threadId: Id;
  actor?: Author;
  message: Message;
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** A message was removed, by `actor`. */
export interface EventMessageRemoved {
  threadId: Id;
  actor?: Author;
  messageId: Id;
  /** Why an unsent message is not kept any longer. */
  reason?: 'resendSucceeded' | 'retentionExpired' | 'exceededMaxCount' | 'manualAction';
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** A message was updated, by `actor`. `changed` has `status` and `seenAt` when it was read. */
export interface EventMessageUpdated {
  threadId: Id;
  actor?: Author;
  changed?: Changed;
  message: Message;
  /** How sending a failed message again ended. */
  reason?: 'resendSucceeded' | 'resendFailed';
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** An agent has written a note. Only streams of the desk have this event. */
export interface EventNoteCreated {
  threadId: Id;
  actor?: Author;
  note: Note;
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** A note was removed. Only streams of the desk have this event. */
export interface EventNoteRemoved {
  threadId: Id;
  actor?: Author;
  noteId: Id;
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** A page of the event log, in its order. */
export interface EventPage {
  /** The events. Those that are live only, such as `typing`, are on streams alone. */
  items: LoggedEvent[];
  /** Where to go on, as `after`. It moves also when there are no items. */
  cursor: Cursor;
  /** False if the page reaches the end of the log. True, even without items, if the next one goes on at once. */
  hasMore: boolean;
  /** The beginning cannot be used: load the snapshot anew, then follow from `cursor`. */
  reset?: EventReset;
}

/** Something other than a message is to be shown to the customer. */
export interface EventProactive {
  threadId?: Id;
  /**
   * `inactivityPopup`: its thread has it, too, as long as it is shown. `customPopupBox`: it belongs to no thread
   * and is live only, without an id. A client tells `.../analytics` what the customer does with a box.
   */
  type: string;
  inactivityPopup?: InactivityPopup;
  customPopupBox?: CustomPopupBox;
}

/** The cursor cannot be used: load the snapshot anew. The stream goes on from now. */
export interface EventReset {
  /** The collection, on the stream of one collection. */
  collectionId?: Id;
  /** Why. */
  reason: 'expired' | 'foreignEpoch' | 'ahead' | 'malformed' | (string & {});
  /** The path of the list to load anew. */
  snapshot?: string;
}

/** A thread was created. `actor` is absent where a remote platform does not say who did it. */
export interface EventThreadCreated {
  actor?: Author;
  thread: ThreadInEvent;
}

/** The replies of a message have changed. Nothing else of the message has. */
export interface EventThreadInfo {
  threadId: Id;
  actor?: Author;
  parentId: Id;
  replyInfo: ReplyInfo;
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/** A thread was removed. With `movedTo` it goes on as that customer's. */
export interface EventThreadRemoved {
  threadId: Id;
  actor?: Author;
  /**
   * The id of the customer who has the thread now: `customer` wrote anonymously, and has said who they are. The
   * desk alone gets it.
   */
  movedTo?: string;
  channel?: ChannelId;
  customer?: CustomerAtDesk;
}

/**
 * A thread was updated, by `actor`: assigned or let go (`agent`), closed (`state`), read (`unreadCount`,
 * `deskUnreadCount`), renamed (`name`), and so on. `actor` is absent where a remote platform does not say who did
 * it.
 */
export interface EventThreadUpdated {
  actor?: Author;
  changed?: Changed;
  thread: ThreadInEvent;
}

/** One time that a conversation was open. Tags are those that it had at its end. */
export interface ExportedContact {
  openedAt: Time;
  closedAt?: Time;
  closedBy?: Id;
  firstAnswerAt?: Time;
  firstAnswerBy?: Id;
  lastAnswerBy?: Id;
  /** Messages of customers. */
  messagesIn: number;
  /** Messages of agents and bots. */
  messagesOut: number;
  /** True if it goes on with an earlier contact; otherwise absent. */
  reopened?: boolean;
  /** The rating, from 1, bad, to 5, very good. */
  score?: number;
  tags?: ExportedTags;
  /** How much of the time until the first answer lay in the channel's hours. Absent without hours. */
  firstAnswerOpenMilliseconds?: number;
  /** How much of the time until the end lay in the channel's hours. Absent without hours. */
  resolutionOpenMilliseconds?: number;
}

/** A tag, with all that is known of it. */
export interface ExportedTag {
  id: Id;
  /** Its name. */
  name?: string;
  /** Its colour. */
  colour?: string;
}

/** Tags. One without a name was removed. */
export type ExportedTags = ExportedTag[];

/** A conversation without its messages and notes. */
export interface ExportedThread {
  id: Id;
  channel: ChannelId;
  customer: Customer;
  /** The other customers who take part; absent if there are none. */
  members?: Customer[];
  /** The conversation's name. */
  name?: string;
  /** A word of the client's own: what the conversation is for. */
  customType?: string;
  customFields?: CustomFieldValues;
  /** Whether it takes more messages. */
  state: 'ready' | 'closed' | (string & {});
  createdAt: Time;
  agent?: Snoozer;
  previousAgent?: Snoozer;
  tags?: ExportedTags;
  rating?: Rating;
  /** Its contacts, the oldest first. */
  contacts: ExportedContact[];
}

/** A page of conversations, in the order in which they came here. */
export interface ExportedThreadList {
  /** The entries. */
  items: ExportedThread[];
  next?: PageCursor;
  cursor: Cursor;
}

/** An app that is reached by Firebase Cloud Messaging, as most on Android are. */
export interface FCMDeviceRequest {
  /** How the device is reached. */
  kind: 'fcm';
  /** A secret. The registration token that FCM gave the app. */
  token: string;
  /** The id of the app's Firebase project. It may be left out where the channel has one project. */
  project?: string;
  /** The device's system. */
  os?: string;
  /** Its version. */
  osVersion?: string;
}

/** Why something that goes on has failed. */
export interface Failure {
  /** A code of a problem. */
  code: string;
  /** For people. */
  detail: string;
}

/** Which way to fetch. */
export interface FetchRequest {
  /** Towards older messages, or towards newer ones and further threads. */
  direction: 'previous' | 'next';
}

/** How a fetch ended. */
export interface FetchResult {
  /** Whether there is more in this direction, which a further fetch may bring. */
  hasMore: boolean;
  /**
   * Only true, and only if nothing came although there is more. The account's sessions have paused the
   * synchronization, and everything cached is shown. More comes after `POST .../sync`. If the same is asked again
   * at once, the answer comes a second later.
   */
  isPaused?: boolean;
  /** The same if no session of the account is connected. More comes after the next connection. */
  isOffline?: boolean;
}

/**
 * A form with one file. `filename` or `filename*` of the part gives the file's name, its `Content-Type` the type;
 * without them they are `file` and `application/octet-stream`.
 */
export interface FileForm {
  /** The bytes of the file, at least one. */
  file: Blob;
}

/** Which files the channel takes. */
export interface FileRestrictions {
  /** Whether the channel takes files at all. */
  isAttachmentsEnabled: boolean;
  /** The largest size, in bytes. */
  maximumSize: number;
  /** The types taken. */
  allowedTypes: FileType[];
}

/** Which files the channel takes. Without a restriction: 40 MiB, any type. */
export interface FileRestrictionsRequest {
  /** Whether the channel takes files at all. */
  isAttachmentsEnabled?: boolean;
  /** The largest size, in bytes. */
  maximumSize?: number;
  /** The types taken. */
  allowedTypes?: FileTypeRequest[];
}

/** A media type, or `type/*`, or `* /*` for any. */
export type FileType = string;

/** A media type, or `type/*`, or `* /*` for any. */
export type FileTypeRequest = string;

/** A value that is looked for. */
export type FilterText = string;

/** Any of these. */
export type FilterTexts = FilterText[];

/**
 * Whether the answer shows the first page already, as its first fetches bring it: of threads the first ones, of
 * messages those before the viewpoint, and with a viewpoint those after it too. A page that cannot be read is left
 * out. False if absent.
 */
export type FirstPage = boolean;

/**
 * Who needs the collection, for example one tab of a browser. The collection is kept while a stream names this
 * holder (`?holder=`) or the collection's id, or follows only this collection. Without a holder it is kept while
 * any stream carries it. Otherwise it is abandoned after five minutes without a fetch or a GET. An abandoned
 * collection is removed when another one needs its place.
 */
export type Holder = string;

/**
 * An id of a thread, message, customer or agent, made by the client or by Parley (a UUID in lower case): 1 to 128
 * printable ASCII characters, kept verbatim and compared as a string. `.` and `..` are no ids: in a path they are
 * steps.
 */
export type Id = string;

/**
 * Only if the thread is nobody's (`none`), the agent's who acts (`me`), or one of both (`meOrNone`); otherwise
 * `assignedToAnother`. It is looked at in the same transaction, so of several who claim a thread only one gets it.
 */
export type IfAgent = 'none' | 'me' | 'meOrNone';

/**
 * The newest message or note that the agent has seen. If another agent has said something since:
 * `answeredMeanwhile`, whose `errors` have the newer ids as their details; if the thread has no such message or
 * note: `unknownMessage`.
 */
export type IfLatest = string;

/** Where a picture of the person is. The gateway passes it on, and does not fetch it. */
export type ImageUrl = string;

/** The thread was written elsewhere, and came here by an import. Absent for any other. */
export interface ImportMark {
  at: Time;
  /** Of what it was read from. The same text again changes nothing. */
  digest: string;
}

/**
 * A conversation. By its id it is known again. Without `contacts` it has one, from the first message to the last.
 * It is as large as the gateway takes bodies (`--body-limit`).
 */
export interface ImportRequest {
  id: Id;
  channel?: ChannelId;
  customer: ArchivedCustomer;
  /** The other customers who take part, on a multi-thread channel. */
  members?: ArchivedCustomer[];
  name?: ThreadName;
  customType?: CustomType;
  customFields?: CustomFieldValues;
  state?: ArchivedState;
  createdAt: ArchivedTime;
  agent?: ArchivedAgent;
  previousAgent?: ArchivedAgent;
  tags?: ArchivedTags;
  rating?: ArchivedRating;
  /** Its contacts, in any order. */
  contacts?: ArchivedContact[];
  /** Its messages, in any order. Those of one time keep theirs. */
  messages: ArchivedMessage[];
  /** What agents have noted. */
  notes?: ArchivedNote[];
}

/** What an import came to. */
export interface ImportResult {
  id: Id;
  channel: ChannelId;
  customer: Id;
  /** Whether it came by this request, or was there already. */
  result: 'imported' | 'unchanged' | (string & {});
}

/** The answer to an inactivity popup. */
export interface InactivityAnswerRequest {
  /** `refresh`: the chat goes on; `expire`: it ends. */
  answer: 'refresh' | 'expire';
}

/**
 * How long the customer of a live chat may be silent; absent if for ever. It counts from when an agent takes the
 * chat.
 */
export interface InactivityLimits {
  /** Of silence, until the customer is asked. */
  secondsUntilPopup: number;
  /** After that, until the chat ends. */
  secondsUntilEnd: number;
}

/**
 * The question that a silent customer of a live chat is shown at the moment. When the countdown is over, the chat
 * ends.
 */
export interface InactivityPopup {
  /** The title to show. */
  title: string;
  /** The text to show. */
  message: string;
  startedAt: Time;
  /** How long the countdown is. */
  numberOfSeconds: number;
  refreshButton: PopupButton;
  expireButton: PopupButton;
}

/** How long the customer of a live chat may be silent. It counts from when an agent takes the chat. */
export interface InactivityRequest {
  /** Of silence, until the customer is asked. */
  secondsUntilPopup: number;
  /** After that, until the chat ends. */
  secondsUntilEnd: number;
}

/** The name of one life of a view. A restart of the gateway gives a new one. */
export type Incarnation = string;

/** What gateway this is. */
export interface Info {
  /** `Parley`. */
  name: string;
  /** Its version. */
  version: string;
  /** The instance. The cookie of a login is named after it. */
  instance: string;
  startedAt: Time;
  /** The event log's epoch. */
  epoch: string;
  /** The log's highest offset. */
  head: number;
  /** The lowest offset that can still be resumed from. */
  floor: number;
  /** Why nobody changes conversations now; missing while everybody can. Whoever runs the gateway wrote it. */
  maintenance?: string;
  /** The services. */
  services: ServiceId[];
  limits: Limits;
  sandbox?: Sandbox;
  sendbirdSandbox?: SendbirdSandbox;
}

/** A language, as BCP 47 names it. */
export type LanguageTag = string;

/** One of the languages that the customers' pages have. */
export type LanguageTagRequest = 'en' | 'de' | 'fr' | 'es' | 'pt-BR' | 'it' | 'nl' | 'pl' | 'tr' | 'ja' | 'ko' |
  'zh-Hans' | 'ar';

/** The texts of one language, by their keys. */
export type LanguageTexts = Record<string, string>;

/** The texts of one language, by their keys. */
export type LanguageTextsRequest = Record<string, string>;

/** The languages of the customers' pages, the first one for those who have none of them; empty for all. */
export type LanguagesRequest = LanguageTagRequest[];

/** The newest push. */
export interface LastDelivery {
  at: Time;
  state: DeliveryState;
  /** Of the push service's answer. */
  status?: number;
  /** Why no answer came, or why APNs or FCM refused the push, in one word. */
  error?: string;
}

/** The gateway's limits by name. The name tells the unit; without one it is a number of pieces. */
export type Limits = Record<string, unknown>;

/** A cursor, `<epoch>-<offset>`. */
export type LogPlaceRequest = string;

/** What is known of a customer has changed; for the desk alone. */
export interface LoggedCustomerUpdated {
  id: Cursor;
  type: 'customer.updated';
  data: EventCustomerUpdated;
}

/** An event that the log keeps, as a page and a line of JSON show it. */
export type LoggedEvent = LoggedThreadCreated | LoggedThreadUpdated | LoggedThreadRemoved | LoggedMessageCreated |
  LoggedMessageUpdated | LoggedMessageRemoved | LoggedThreadInfo | LoggedNoteCreated | LoggedNoteRemoved |
  LoggedCustomerUpdated | LoggedProactive;

/** A message was created. */
export interface LoggedMessageCreated {
  id: Cursor;
  type: 'message.created';
  data: EventMessageCreated;
}

/** A message was removed. */
export interface LoggedMessageRemoved {
  id: Cursor;
  type: 'message.removed';
  data: EventMessageRemoved;
}

/** A message was updated. */
export interface LoggedMessageUpdated {
  id: Cursor;
  type: 'message.updated';
  data: EventMessageUpdated;
}

/** An agent has written a note; for the desk alone. */
export interface LoggedNoteCreated {
  id: Cursor;
  type: 'note.created';
  data: EventNoteCreated;
}

/** A note was removed; for the desk alone. */
export interface LoggedNoteRemoved {
  id: Cursor;
  type: 'note.removed';
  data: EventNoteRemoved;
}

/** The platform asks for the customer's attention. */
export interface LoggedProactive {
  id: Cursor;
  type: 'proactive';
  data: EventProactive;
}

/** A thread was created. */
export interface LoggedThreadCreated {
  id: Cursor;
  type: 'thread.created';
  data: EventThreadCreated;
}

/** The replies to a message have changed. */
export interface LoggedThreadInfo {
  id: Cursor;
  type: 'thread.info';
  data: EventThreadInfo;
}

/** A thread was removed. */
export interface LoggedThreadRemoved {
  id: Cursor;
  type: 'thread.removed';
  data: EventThreadRemoved;
}

/** A thread was updated. */
export interface LoggedThreadUpdated {
  id: Cursor;
  type: 'thread.updated';
  data: EventThreadUpdated;
}

/** The name of a member of a resource. */
export type MemberName = string;

/** A customer who becomes a member. Names that are absent stay as they are. */
export interface MemberRequest {
  id: Id;
  firstName?: PersonName;
  lastName?: PersonName;
  /** An invited member may only read, until the customer joins. */
  memberState?: 'invited' | 'joined';
}

/** Whether a member takes part. An invited member may only read. */
export type MemberState = 'invited' | 'joined' | (string & {});

/** The new members. A thread has at most 100. */
export interface MembersRequest {
  /** Each once. */
  members: MemberRequest[];
}

/** What the customer may choose from at any time. */
export interface Menu {
  /** The entries, in their order. */
  items: MenuItem[];
}

/** An entry of a channel's menu. */
export interface MenuItem {
  id: Id;
  /** The words to show. They are the text of the message by which the entry is chosen. */
  label: string;
  /** The entry's own value, for the same message. It is not shown. */
  postback?: string;
}

/** An entry of a channel's menu. */
export interface MenuItemRequest {
  id: Id;
  /** The words to show. They are the text of the message by which the entry is chosen. */
  label: string;
  /** The entry's own value, for the same message. It is not shown. */
  postback?: string;
}

/** One entry of a thread. */
export interface Message {
  id: Id;
  threadId: Id;
  createdAt: Time;
  updatedAt: Time;
  /** When its author last changed the text; absent if never. */
  editedAt?: Time;
  direction: Direction;
  author: Author;
  type: MessageType;
  customType?: CustomType;
  /** The text. For a rich message: what is shown where it cannot be displayed. */
  text?: string;
  content?: RichContent;
  /** The data that belongs to the customer's choice. */
  postback?: string;
  /** The files. */
  attachments: Attachment[];
  status: MessageStatus;
  /** Why the last attempt to send it failed. Only with the status `failed`. */
  failure?: Failure;
  seenAt?: Time;
  parentId?: ParentId;
  alsoInThread?: AlsoInThread;
  replyInfo?: ReplyInfo;
}

/** The filter of a collection of messages, defaults filled in; its members are those of the request. */
export type MessageFilterEcho = Record<string, unknown>;

/** Which messages. */
export interface MessageFilterRequest {
  /** Of which type. */
  type?: 'all' | 'text' | 'file' | 'admin';
  customTypes?: FilterTexts;
  senderIds?: FilterTexts;
}

/** A page of messages, newest first; `next` leads to older ones. */
export interface MessageList {
  /** The entries. */
  items: Message[];
  /**
   * Own messages on their way to a remote service, newest first. On the first page only; absent where there is
   * none.
   */
  pending?: Message[];
  /**
   * Own messages that could not be sent, newest first; each has a `failure`. On the first page only; absent where
   * there is none.
   */
  failed?: Message[];
  next?: PageCursor;
  prev?: PageCursor;
  cursor: Cursor;
}

/** A change to a message. */
export interface MessagePatch {
  text: MessageText;
}

/**
 * A message to send, with text or attachments or both. With attachments its type is `file`. `postback` belongs to
 * an answer that a rich message offered; if the service has none: `unsupportedCapability`.
 */
export interface MessageRequest {
  id?: Id;
  text?: MessageText;
  /** What belongs to the answer that was chosen. */
  postback?: string;
  customType?: CustomType;
  /** Uploads of the sender that no other message carries. Each may be named once. */
  attachments?: AttachmentReference[];
  parentId?: ParentId;
  alsoInThread?: AlsoInThread;
}

/** How far the message has come. */
export type MessageStatus = 'pending' | 'sent' | 'delivered' | 'seen' | 'failed' | (string & {});

/** A thread's last message, its text cut to 256 characters. */
export interface MessageSummary {
  id: Id;
  createdAt: Time;
  direction: Direction;
  author: Author;
  type: MessageType;
  /** The first 256 characters. */
  text?: string;
  status: MessageStatus;
}

/** A message's text: at most 65,536 bytes of UTF-8 (`textTooLong`). */
export type MessageText = string;

/** What kind of content the message has. */
export type MessageType = 'text' | 'file' | 'quickReplies' | 'listPicker' | 'richLink' | 'timePicker' | 'admin' |
  'unknown' | (string & {});

/** The messages of a thread. With `q` those that were found. */
export type MessagesOrHits = SearchList | MessageList;

/** When the session tries again by itself. Absent while it tries, and where trying does not help. */
export type NextAttempt = string;

/** Takes the value away. */
export type NoValue = null;

/**
 * What an agent has written about a thread for other agents. Its time is not before that of the thread's last
 * message then, so that it stands among the messages by its time.
 */
export interface Note {
  id: Id;
  threadId: Id;
  createdAt: Time;
  author: Author;
  /** What it says. */
  text: string;
}

/** A page of notes, newest first; `next` leads to older ones. */
export interface NoteList {
  /** The entries. */
  items: Note[];
  next?: PageCursor;
  cursor: Cursor;
}

/** A message for agents who are away. */
export interface OfflineMessageRequest {
  name: PersonName;
  /** Where the answer goes. */
  email: string;
  text: MessageText;
}

/** A day with times of its own. */
export interface OpeningDay {
  day: CalendarDay;
  times: OpeningTimes;
}

/** A day with times of its own. */
export interface OpeningDayRequest {
  day: CalendarDay;
  times: OpeningTimes;
}

/** When customers are answered; absent for always. Customers do not see it. */
export interface OpeningHours {
  mode: OpeningMode;
  /** As the time zone database names it, such as `Europe/Berlin`. */
  timeZone: string;
  week: OpeningWeek;
  /** Days on which the channel does not open. */
  closed?: CalendarDay[];
  /** Days with other times than their day of the week has. */
  open?: OpeningDay[];
}

/** When customers are answered. If the gateway's machine does not have the time zone, `invalidParameter`. */
export interface OpeningHoursRequest {
  /** As the time zone database names it, such as `Europe/Berlin`. */
  timeZone: string;
  week?: OpeningWeekRequest;
  /** Days on which the channel does not open. */
  closed?: CalendarDay[];
  /** Days with other times than their day of the week has. Each may occur once, and is none of `closed`. */
  open?: OpeningDayRequest[];
  mode?: OpeningMode;
}

/**
 * What decides whether the channel is open: nothing (it is open), the hours, whether an agent is at the desk who
 * sees the channel (`setPresence`), or both together.
 */
export type OpeningMode = 'always' | 'hours' | 'agents' | 'both';

/** The begin and the end, by the clocks of the time zone; the end comes later. */
export type OpeningTime = ClockTime[];

/** Times of one day that do not overlap. A time over midnight ends at `24:00`, and goes on the next day. */
export type OpeningTimes = OpeningTime[];

/** The times of each day of the week. A day that is absent is closed. */
export interface OpeningWeek {
  mon?: OpeningTimes;
  tue?: OpeningTimes;
  wed?: OpeningTimes;
  thu?: OpeningTimes;
  fri?: OpeningTimes;
  sat?: OpeningTimes;
  sun?: OpeningTimes;
}

/** The times of each day of the week. A day that is absent is closed. */
export interface OpeningWeekRequest {
  mon?: OpeningTimes;
  tue?: OpeningTimes;
  wed?: OpeningTimes;
  thu?: OpeningTimes;
  fri?: OpeningTimes;
  sat?: OpeningTimes;
  sun?: OpeningTimes;
}

/** A page is looked at, or not any more. */
export interface PageActivity {
  /** Which of both. */
  type: 'pageView' | 'pageViewEnded';
  /** The page's title. */
  title: string;
  /** Where the page is. */
  url: string;
}

/** An opaque place in a list. Send it back as `?cursor=`; do not build one yourself. */
export type PageCursor = string;

/** Rows of a page. */
export type PageSize = number;

/** The message that this one replies to. */
export type ParentId = string;

/** A part of a person's name. */
export type PersonName = string;

/** Other hosts of a platform, such as the sandbox of another gateway. */
export interface PlatformUrls {
  /** `http:` or `https:`, with its suffix `/chat`. */
  chat: string;
  /** `ws:` or `wss:`. */
  socket: string;
  /** The token service; needed for secured sessions. */
  token?: string;
  /** Taken and not used. */
  logger?: string;
}

/** One of the two answers. */
export interface PopupButton {
  id: Id;
  /** The text to show. */
  text: string;
  /** What a client of the platform sends back. Here `POST .../inactivity` does it. */
  postback: string;
}

/** What is asked before a thread begins; the answers are its custom fields. */
export interface PreChatSurvey {
  /** The title to show. */
  name: string;
  /** The questions. */
  fields: CustomFieldDefinition[];
}

/** What is asked before a thread begins. */
export interface PreChatSurveyRequest {
  /** The title to show. */
  name: string;
  /** The questions, each ident once. */
  fields: SurveyFieldRequest[];
}

/** Whether an agent is at the desk, and at which conversation. */
export interface Presence {
  agent: Agent;
  state: PresenceState;
  /** The conversation at which the agent is. Absent where the reader does not see it. */
  threadId?: Id;
  channel?: Id;
  customerId?: Id;
  doing?: PresenceDoing;
}

/** What the agent does at the conversation. */
export type PresenceDoing = 'looking' | 'writing';

/** The agents who are at the desk. */
export interface PresenceList {
  /** By id. */
  items: Presence[];
}

/** What an agent's page says. */
export interface PresenceRequest {
  state: PresenceState;
  /**
   * The conversation at which the agent is. `?channel=` and `?customer=` say which one, should two customers use
   * one id.
   */
  threadId?: Id;
  doing?: PresenceDoing;
  agent?: AgentRequest;
}

/** `away`: nobody looks at the page, or the agent has said so. `offline`: left, or silent for a minute. */
export type PresenceState = 'online' | 'away' | 'offline';

/** What became of a proactive action. */
export interface ProactiveActivity {
  /** What it is. */
  type: 'proactiveAction';
  /** What became of the action. */
  outcome: 'displayed' | 'clicked' | 'success' | 'failed';
  /** The platform's name for the action. */
  actionId: string;
  /** The action's name, for people. */
  actionName: string;
  /** What kind of action, in the platform's words. */
  actionType: string;
}

/** What clients need to be pushed to. */
export interface Push {
  /** A point of P-256, 65 bytes in base64url. */
  applicationServerKey: string;
  /** Apps whose devices take pushes by APNs or FCM. */
  apps: PushApp[];
}

/** An app whose devices take pushes. */
export interface PushApp {
  /** How its devices are reached. */
  kind: 'apns' | 'fcm';
  /** With `apns`, the app's bundle id. */
  topic?: string;
  /** With `fcm`, the id of the app's Firebase project. */
  project?: string;
  /** With `apns`, the environment to which its tokens belong. */
  environment?: 'production' | 'sandbox';
}

/** One try. */
export interface PushAttempt {
  at: Time;
  /** Of the answer. */
  status?: number;
  /** Why no answer came, or why APNs or FCM refused the push, in one word. */
  error?: string;
  /** How long it took. */
  milliseconds: number;
  /** The beginning of the answer. */
  head?: string;
}

/**
 * `full` tells author and words, `sender` the author and the channel's body, `none` the channel's title and body.
 * Absent: `full` for Web Push, which is encrypted, and `none` for apps, whose pushes Apple or Google can read.
 */
export type PushContent = 'full' | 'sender' | 'none';

/** A browser's keys, in base64url. */
export interface PushKeys {
  /** A point of P-256, 65 bytes. */
  p256dh: string;
  /** 16 bytes. */
  auth: string;
}

/** What pushes to the customers' devices say; absent if as usual. */
export interface PushSettings {
  /** The title of pushes that do not name the author. */
  title?: string;
  /** The body of pushes that do not show the words. */
  body?: string;
  /** The link that apps open. `{channelId}` and `{threadId}` stand for the ids. */
  deeplink?: string;
  content?: PushContent;
}

/** What pushes to the customers' devices say. An absent member has its usual value. */
export interface PushSettingsRequest {
  /** Where the author is not told. */
  title?: string;
  /** Where the words are not told. */
  body?: string;
  /** The link that apps open. `{channelId}` and `{threadId}` stand for the ids. It begins with a scheme. */
  deeplink?: string;
  content?: PushContent;
}

/** A browser's `PushSubscription` as `JSON.stringify` writes it. Members that browsers may add are skipped. */
export interface PushSubscription {
  /** A secret. The address at which the push service takes pushes. */
  endpoint: string;
  /** Milliseconds since 1970, or null. */
  expirationTime?: unknown;
  keys: PushKeys;
}

/** How the customer was served, by the customer. A new contact of the thread has none. */
export interface Rating {
  /** From 1, bad, to 5, very good. */
  score: number;
  /** What the customer adds. */
  comment?: string;
  at: Time;
}

/** How often a score was given. */
export type RatingCount = number;

/** How customers are asked for a rating when a conversation has ended. `thumbs` takes the scores 1 and 5. */
export type RatingForm = 'numbers' | 'stars' | 'thumbs';

/** How the customer was served. */
export interface RatingRequest {
  /** From 1, bad, to 5, very good. */
  score: number;
  /** What the customer adds. */
  comment?: string;
}

/** How many are sent again. */
export interface RedeliveryCount {
  count: number;
}

/** Which deliveries. */
export interface RedeliveryRequest {
  state: 'dead';
}

/**
 * For how many days after its end a conversation goes on with the customer's next message; 0, or absent, for not at
 * all. A live chat never does.
 */
export type ReopenDays = number;

/** From where. */
export interface ReplayRequest {
  after?: LogPlaceRequest;
  since?: Time;
}

/** One answer. */
export interface ReplyButton {
  /** The text to show, and to answer with. */
  text: string;
  /** More about it. */
  description?: string;
  /** What comes back with the answer. */
  postback?: string;
  /** The name of its picture. */
  iconName?: string;
  /** Where that picture is. */
  iconUrl?: string;
  /** The type of that picture. */
  iconMimeType?: string;
}

/** One answer. */
export interface ReplyButtonRequest {
  /** The text to show, and to answer with. */
  text: string;
  /** More about it. */
  description?: string;
  /** What comes back with the answer. */
  postback?: string;
  /** The name of its picture. */
  iconName?: string;
  /** Where that picture is. */
  iconUrl?: string;
  /** The type of that picture. */
  iconMimeType?: string;
}

/** What a message tells of its replies. Of two such infos the one with the later `updatedAt` is right. */
export interface ReplyInfo {
  /** How many replies there are. */
  count: number;
  /** Up to five authors, those with the most replies first. */
  mostReplies: Author[];
  lastRepliedAt?: Time;
  updatedAt: Time;
}

/** A page of replies, oldest first unless `reverse`. */
export interface ReplyList {
  parent: ReplyParent;
  /** The replies. */
  items: Message[];
  /** Whether there are older ones. */
  hasPrevious: boolean;
  /** Whether there are newer ones. */
  hasNext: boolean;
  cursor: Cursor;
}

/** The message that is replied to. */
export type ReplyParent = Message | UnavailableMessage;

/** A reply to send; the path names what it replies to. */
export interface ReplyRequest {
  id?: Id;
  text?: MessageText;
  customType?: CustomType;
  /** Uploads of the sender that no other message carries. Each may be named once. */
  attachments?: AttachmentReference[];
  alsoInThread?: AlsoInThread;
}

/** A report on the desk's work. */
export interface Report {
  since: Time;
  until: Time;
  /** Whose days and hours. */
  timeZone: string;
  by: ReportGrouping;
  /** The rows, by their keys. All days of the time, and all hours of the day, are there. */
  items: ReportRow[];
  total: ReportFigures;
}

/** Figures on conversations. */
export interface ReportFigures {
  /** Contacts that were opened. */
  opened: number;
  /** Those of them that go on with an earlier one. */
  reopened: number;
  /** Contacts that were closed. */
  closed: number;
  /** Messages of customers in the contacts that were opened. */
  messagesIn: number;
  /** Messages of agents and bots in them. */
  messagesOut: number;
  /** Closed contacts that only bots have answered. */
  automaticOnly: number;
  firstAnswer: ReportTimes;
  resolution: ReportTimes;
  /**
   * As `firstAnswer`, without the time in which the channel was closed by its hours. Of the contacts of channels
   * with hours; absent if there is none.
   */
  firstAnswerOpen?: ReportTimes;
  /** As `resolution`, without the time in which the channel was closed by its hours; absent if there is none. */
  resolutionOpen?: ReportTimes;
  waiting: ReportWaits;
  rating: ReportRating;
}

/**
 * `hour` is the hour of the day, over all days. `agent`: who has answered first, for what was opened; who has
 * closed, for what was closed; who has answered last, for ratings. With `tag`, a conversation with several tags is
 * in several rows.
 */
export type ReportGrouping = 'day' | 'hour' | 'agent' | 'channel' | 'tag';

/** How customers have rated what was closed. */
export interface ReportRating {
  /** How many ratings there are. */
  count: number;
  /** Their mean; absent if there are none. */
  mean?: number;
  /** How often each score was given, from 1 to 5. */
  scores: RatingCount[];
}

/** A row of a report. */
export type ReportRow = ReportFigures & { key: string };

/** Times from the opening, to the first answer of a person or to the end. */
export interface ReportTimes {
  /** How many there are. */
  count: number;
  /** Half of them are not longer; absent if there are none. */
  medianSeconds?: number;
  /** Nine of ten are not longer; absent if there are none. */
  p90Seconds?: number;
}

/**
 * How long customers waited for answers of persons, in the contacts that were opened: each wait from the first
 * message without an answer. One that has not ended, or that a bot has ended, is not counted.
 */
export interface ReportWaits {
  /** How many waits have ended. */
  count: number;
  /** Their mean; absent if there are none. */
  meanSeconds?: number;
  /** The longest of them; absent if there are none. */
  longestSeconds?: number;
}

/** What happens to the session's messages that could not be sent. */
export interface ResendPolicy {
  /**
   * `none`: dropped. `manual` (default): kept as failed until resent or removed. `automatic`: also sent again by
   * itself, after 0, 2, 4 ... 10 seconds. At most 20 are kept a thread, for 7 days.
   */
  policy: 'none' | 'manual' | 'automatic';
  /** How often `automatic` sends again. */
  attempts?: number;
}

/** What happens to messages that could not be sent. Without effect on `local`, where no message fails. */
export interface ResendRequest {
  /**
   * `none`: dropped. `manual` (default): kept as failed until resent or removed. `automatic`: also sent again by
   * itself, after 0, 2, 4 ... 10 seconds. At most 20 are kept a thread, for 7 days.
   */
  policy: 'none' | 'manual' | 'automatic';
  /** How often `automatic` sends again; 10 if absent. Not allowed with another policy. */
  attempts?: number;
}

/**
 * What a rich message shows, by its type: `quickReplies` a title and buttons; `listPicker` a title, a text and
 * buttons; `richLink` a title, a URL and perhaps a picture; `timePicker` a title, a title of the sheet and time
 * slots. The customer answers with the text of what was chosen and its postback.
 */
export interface RichContent {
  /** The title to show. */
  title: string;
  /** Of a list picker. */
  text?: string;
  /** The answers offered. */
  buttons?: ReplyButton[];
  /** Of a rich link. */
  url?: string;
  /** The name of a rich link's picture. */
  fileName?: string;
  /** Where that picture is. */
  fileUrl?: string;
  /** The type of that picture. */
  mimeType?: string;
  /** Of a time picker: what the times are for. */
  sheetTitle?: string;
  /** The times offered. */
  timeSlots?: TimeSlot[];
}

/** What a rich message shows: the members of its type (`RichContent`). All are needed except those of pictures. */
export interface RichContentRequest {
  /** The title to show. */
  title: string;
  /** Of a list picker. */
  text?: string;
  /** Of quick replies and of a list picker. */
  buttons?: ReplyButtonRequest[];
  /** Of a rich link. */
  url?: string;
  /** The name of a rich link's picture. */
  fileName?: string;
  /** Where that picture is. */
  fileUrl?: string;
  /** The type of that picture. */
  mimeType?: string;
  /** Of a time picker: what the times are for. */
  sheetTitle?: string;
  /** Of a time picker. */
  timeSlots?: TimeSlotRequest[];
}

/** How long the secret before stays good. */
export interface RotationRequest {
  graceSeconds?: number;
}

/** The addresses for clients of NICE CXone; absent without `--cxone-sandbox`. */
export interface Sandbox {
  /** The chat URL is this with `/chat` appended; the web SDK takes it without. */
  url: string;
  socket: string;
  brandId: number;
  channels: SandboxChannel[];
}

/** `anonymous` and `oauth` say who they are on the socket, `secured` and `securedOAuth` by a transaction token. */
export type SandboxAuthorization = 'anonymous' | 'secured' | 'oauth' | 'securedOAuth' | (string & {});

/** An embedded channel under the id that the platform's clients use, in one way of authorising. */
export interface SandboxChannel {
  /** The platform's `channelId`. */
  id: string;
  channel: ChannelId;
  authorization: SandboxAuthorization;
}

/** One screen of a session. */
export interface Screen {
  /** Whose it is; absent for the session's own. */
  holder?: string;
  /** The thread in view; absent where none is. */
  threadId?: Id;
}

/** A message that was found. */
export interface SearchHit {
  threadId: Id;
  message: Message;
  snippet: Snippet;
  channel?: ChannelId;
  customer?: Customer;
}

/** A page of messages that were found, newest first. It may have fewer than `limit` and still have a `next`. */
export interface SearchList {
  /** The messages found. */
  items: SearchHit[];
  next?: PageCursor;
  indexedTo: Cursor;
  cursor: Cursor;
}

/** The address and the token for programs that use Sendbird's Platform API; absent without `--sendbird-sandbox`. */
export interface SendbirdSandbox {
  /** The host of official clients; others take it with `/v3` appended. */
  url: string;
  /** A UUID in capitals. */
  applicationId: string;
  /** The value of the header `Api-Token`. */
  apiToken: string;
  channel: ChannelId;
}

/** A chat platform that Parley talks to. */
export interface Service {
  id: ServiceId;
  /** The name to show. */
  name: string;
  /** What it can do. */
  capabilities: Capability[];
  /** Its channels. */
  channels: Channel[];
  demonstration?: Demonstration;
}

/** A service's name. */
export type ServiceId = string;

/** The services. */
export interface ServiceList {
  /** The entries. */
  items: Service[];
}

/** One client of the gateway acting for one customer on one channel. */
export interface Session {
  id: SessionId;
  service: ServiceId;
  channel: Channel;
  customer: Customer;
  state: ChatState;
  mode: ChannelMode;
  connectionError?: ConnectionError;
  nextAttemptAt?: NextAttempt;
  createdAt: Time;
  /** When a request or an open stream used it last, to the minute; after a restart to the hour. */
  lastUsedAt?: Time;
  cursor: Cursor;
  resend?: ResendPolicy;
  /** Who has begun it, if that was a customer by themselves; absent otherwise. */
  kind?: 'link' | 'visitor';
  /** When it ends unless somebody uses it; absent for never. */
  expiresAt?: Time;
  /** Until when a JWT vouches for its customer; absent without one. */
  verifiedUntil?: Time;
  /** Whether the cache of a remote service is kept up in the background. Absent on `local`. */
  sync?: 'running' | 'paused';
  /** Opens this session's paths only. Only the answer that created the session has it. */
  token?: string;
}

/** How many sessions were ended. */
export interface SessionDeletion {
  /** How many. */
  deleted: number;
  next?: PageCursor;
}

/** A session's id, made by Parley. */
export type SessionId = string;

/** The sessions of the gateway. */
export interface SessionList {
  /** The entries. */
  items: Session[];
  next?: PageCursor;
  prev?: PageCursor;
  cursor: Cursor;
}

/**
 * A session to open. A channel of the embedded service is named by `channel`. A channel of NICE CXone (`"service":
 * "cxone"`) is given by `environment` or `urls`, with `brandId` and `channelId`. The answer has an `id` for it,
 * which may be given as `channel` from then on. A channel of `sendbird` is named by `channel`, as the file of
 * `--sendbird` calls it.
 */
export interface SessionRequest {
  /** The service; `local` if absent. If it is unknown: `unknownService`. */
  service?: 'local' | 'cxone' | 'sendbird';
  channel?: ChannelId;
  /** The platform's region. */
  environment?: 'AE1' | 'AU1' | 'AU2' | 'CA1' | 'EU1' | 'EU2' | 'JO1' | 'JP1' | 'KR1' | 'NA1' | 'NA2' | 'UK1' | 'UK2'
    | 'ZA1';
  urls?: PlatformUrls;
  /** The tenant's number there. */
  brandId?: number;
  /** The channel's id there, `chat_...`. */
  channelId?: string;
  authorization?: AuthorizationRequest;
  customer?: CustomerRequest;
  /** Whether to connect at once. */
  connect?: boolean;
  resend?: ResendRequest;
}

/** A piece of the text around the match, as plain text. An ellipsis shows where it was cut. */
export interface Snippet {
  /** At most about 200 characters of the text. */
  text: string;
  /** What matches. */
  ranges: SnippetRange[];
}

/** Start and length of a match in the snippet's text, in UTF-16 units, as JavaScript counts. */
export type SnippetRange = UnitCount[];

/** The thread is out of the desk's open list for a while. Absent if it is not. */
export interface Snooze {
  until: Time;
  by: Snoozer;
  wakeOnReply: WakeOnReply;
}

/** Threads that are snoozed are shown too, are left out, or are shown alone. */
export type SnoozeFilter = 'include' | 'exclude' | 'only';

/** How long a thread is laid aside. */
export interface SnoozeRequest {
  /** From 5 minutes to a year ahead. */
  until: string;
  wakeOnReply?: WakeOnReply;
}

/** Who has laid it aside. The name is absent where nobody said who acts. */
export interface Snoozer {
  id: Id;
  /** The agent's name. */
  name?: string;
  /** True for a bot; otherwise absent. */
  isBot?: boolean;
}

/** One question of a survey. */
export interface SurveyFieldRequest {
  /** The name of the custom field that holds the answer. */
  ident: string;
  /** The name to show; the ident if absent. */
  label?: string;
  type: CustomFieldType;
  /** Whether it must be answered. */
  isRequired?: boolean;
  /** Of a list or a tree, which need them. */
  options?: CustomFieldOptionRequest[];
}

/** Whether the session keeps its cache of the service up to date. */
export interface SyncRequest {
  /** `running` or `paused`. */
  state: 'running' | 'paused';
}

/** Pages show it in a light and in a dark theme. */
export type TagColour = 'grey' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'pink';

/** 1 to 40 characters, none of them U+0000. */
export type TagName = string;

/** Its place in the list, from 0. */
export type TagPosition = number;

/**
 * What the customers' pages say otherwise: `{"de": {"head.online": "Wir sind da"}}`. The keys, and the places in
 * braces that a text may have, are those of the files at `/assets/texts/`: see the article Widget.
 */
export type TextsRequest = Record<string, LanguageTextsRequest>;

/** A number of threads. */
export type ThreadCount = number;

/** A conversation; for the desk with its channel and its customer. */
export type ThreadInEvent = ChatThread & { channel?: ChannelId; customer?: CustomerAtDesk };

/** A page of threads, latest activity first. */
export interface ThreadList {
  /** The entries. */
  items: ChatThread[];
  next?: PageCursor;
  prev?: PageCursor;
  cursor: Cursor;
}

/** A conversation's name, at most 256 characters. */
export type ThreadName = string;

/** A change to a thread. */
export interface ThreadPatch {
  /** The new name; null takes it away. */
  name: ThreadName | NoValue;
}

/** The query of a collection of threads, defaults filled in; its members are those of the request. */
export type ThreadQueryEcho = Record<string, unknown>;

/** Which threads, in which order. */
export interface ThreadQueryRequest {
  limit?: PageSize;
  /** Latest activity first, newest thread first, or by name. Ties by id. */
  order?: 'latestLastMessage' | 'chronological' | 'nameAlphabetical';
  /** Of which state. */
  state?: 'open' | 'closed' | 'all';
  customTypes?: FilterTexts;
  /** Whether threads without a message are shown, too; true if absent. */
  includeEmpty?: boolean;
  /** Only threads with unread messages. */
  unreadOnly?: boolean;
  /** Only threads whose `customType` begins with this. Upper and lower case differ. */
  customTypePrefix?: string;
  /** Only threads that all these customers are members of, or are invited to. */
  members?: Id[];
  /** A part of the name; case does not matter. */
  nameContains?: string;
  /** Only where the customer takes part thus. */
  memberState?: 'invited' | 'joined';
  /** Whether hidden threads are shown: not at all, with the others, or alone; `unhidden` if absent. */
  hidden?: 'unhidden' | 'hidden' | 'all';
}

/** A conversation to begin. */
export interface ThreadRequest {
  id?: Id;
  name?: ThreadName;
  customFields?: CustomFieldValues;
}

/** `pending` until its first message, `closed` when it takes no more. */
export type ThreadState = 'pending' | 'received' | 'loaded' | 'ready' | 'closed' | (string & {});

/** The ids of the tags that the thread shall have, each once. */
export interface ThreadTagsRequest {
  /** The ids. */
  tags: Id[];
}

/** An address that opens without a header. */
export interface Ticket {
  /** As it was asked for. */
  path: string;
  /** The same with the ticket. */
  url: string;
  /** Until when it opens. Ten to twenty minutes after it was made. */
  expiresAt: Time;
}

/** Addresses that open without a header. */
export interface TicketList {
  /** In the order of the request. */
  items: Ticket[];
}

/** The path, and the query if there is one, as it would be requested. */
export type TicketPath = string;

/** Which addresses. */
export interface TicketRequest {
  /** Of attachments and transcripts. */
  paths: TicketPath[];
}

/** An RFC 3339 time in UTC with milliseconds. */
export type Time = string;

/** One time offered. */
export interface TimeSlot {
  id: Id;
  /** Seconds. */
  duration: number;
  startTime: Time;
}

/** One time offered. */
export interface TimeSlotRequest {
  id: Id;
  /** Seconds. */
  duration: number;
  /** When it begins, an RFC 3339 time. */
  startTime: string;
}

/** A thread and all that was said in it. */
export interface Transcript {
  thread: ChatThread;
  /** How many messages were removed. */
  removedCount: number;
  /** The messages, oldest first. */
  items: Message[];
}

/** Who gets the transcript. */
export interface TranscriptRequest {
  /** An e-mail address. */
  email: string;
}

/** Whether the customer is typing. */
export interface TypingRequest {
  /** True at the start, false at the end. */
  isTyping: boolean;
  /**
   * What stands in the field meanwhile. Agents read it ahead; other customers do not, and nobody keeps it. If the
   * channel has none of it: `unsupportedCapability`.
   */
  text?: string;
}

/** A message that was removed, or that is hidden from the reader. */
export interface UnavailableMessage {
  /** True. */
  unavailable: boolean;
  id: Id;
}

/** A number of UTF-16 units. */
export type UnitCount = number;

/**
 * What the customer has not read, over all threads that the customer has joined and that are neither closed nor
 * hidden.
 */
export interface UnreadTotal {
  /** How many messages. */
  unreadCount: number;
  /** In how many threads. */
  threadCount: number;
}

/** What a session shows. */
export interface Viewing {
  /** Whether the session has screens, and is notified of messages elsewhere. */
  notifies: boolean;
  /** The thread in view on the screen that was named last; absent where none is. */
  threadId?: Id;
  /** The threads that are in view on any screen. */
  threadIds: Id[];
  /** All screens; the one that was named last is the last. */
  screens: Screen[];
  /** When the gateway started. Screens that were named before are forgotten. */
  knownSince: Time;
}

/** What a screen of a session shows. */
export interface ViewingRequest {
  /** Whose screen it is, for example one tab of a browser. Its streams name it, too (`?holder=`). */
  holder?: string;
  /** The thread in view. Null or absent if there is none. */
  threadId?: Id | null;
}

/**
 * A time, in milliseconds since 1970 or as RFC 3339. A message of exactly that time belongs to `previous`. Any
 * integer is taken. One beyond the year 9999, such as 9223372036854775807, means the newest message, as no
 * viewpoint does.
 */
export type Viewpoint = number | string;

/** Where to begin anew. */
export interface ViewpointRequest {
  viewpoint?: Viewpoint;
}

/** What customers agree to before they begin. */
export interface VisitorConsent {
  /** Another version asks everybody again. */
  version: string;
  /** Whether nobody begins without it; true unless it is said. */
  required?: boolean;
  url?: ImageUrl;
}

/** What customers agree to before they begin. */
export interface VisitorConsentRequest {
  /** Another version asks everybody again. */
  version: string;
  /** Whether nobody begins without it; true unless it is said. */
  required?: boolean;
  url?: ImageUrl;
}

/** Whether a shop's server says who customers are, by a JWT: never, if it can, or always. */
export type VisitorIdentity = 'off' | 'optional' | 'required';

/** How much visitors of the channel may do, where that is not as usual. */
export interface VisitorLimits {
  /** Chats that are begun from one address in a minute. */
  addressBeginsPerMinute?: number;
  /** Chats that are begun from one address in an hour. */
  addressBeginsPerHour?: number;
  /**
   * Chats that are begun on the channel in an hour before everybody has to work for it. At ten times as many nobody
   * begins.
   */
  channelBeginsPerHour?: number;
  /** Messages of one session in a minute. */
  messagesPerMinute?: number;
  /** Messages of one session in an hour. */
  messagesPerHour?: number;
  /** Messages of all visitors' sessions at one address in a minute. */
  addressMessagesPerMinute?: number;
  /** Bytes of a message, in UTF-8. */
  messageBytes?: number;
  /** Uploads of one session in an hour. */
  uploadsPerHour?: number;
  /** Bytes that one session uploads in a day. */
  uploadBytesPerDay?: number;
  /** Conversations that a customer has open at a time. */
  openThreads?: number;
  /** Event streams of one session at a time. */
  streams?: number;
  /** Event streams of all visitors' sessions at one address at a time. */
  addressStreams?: number;
  /** Collections of one session. */
  collections?: number;
}

/** How much visitors of the channel may do. What is absent is as usual; nothing may be more than ten times as much. */
export interface VisitorLimitsRequest {
  /** Chats that are begun from one address in a minute; 6 unless it is said. */
  addressBeginsPerMinute?: number;
  /** Chats that are begun from one address in an hour; 30 unless it is said. */
  addressBeginsPerHour?: number;
  /**
   * Chats that are begun on the channel in an hour before everybody has to work for it. At ten times as many nobody
   * begins; 600 unless it is said.
   */
  channelBeginsPerHour?: number;
  /** Messages of one session in a minute; 20 unless it is said. */
  messagesPerMinute?: number;
  /** Messages of one session in an hour; 200 unless it is said. */
  messagesPerHour?: number;
  /** Messages of all visitors' sessions at one address in a minute; 60 unless it is said. */
  addressMessagesPerMinute?: number;
  /** Bytes of a message, in UTF-8; 16384 unless it is said. */
  messageBytes?: number;
  /** Uploads of one session in an hour; 20 unless it is said. */
  uploadsPerHour?: number;
  /** Bytes that one session uploads in a day; 100000000 unless it is said. */
  uploadBytesPerDay?: number;
  /** Conversations that a customer has open at a time; 5 unless it is said. */
  openThreads?: number;
  /** Event streams of one session at a time; 4 unless it is said. */
  streams?: number;
  /** Event streams of all visitors' sessions at one address at a time; 50 unless it is said. */
  addressStreams?: number;
  /** Collections of one session; 3 unless it is said. */
  collections?: number;
}

/** How customers begin by themselves; absent if they do not. Customers do not see it. */
export interface VisitorSettings {
  /** Whether they may. */
  public: boolean;
  /** Whose pages may show the chat. */
  origins: WebOrigin[];
  identity: VisitorIdentity;
  anonymous: AnonymousVisitors;
  proof: VisitorWork;
  consent?: VisitorConsent;
  /** Days without use after which a session ends. */
  visitorDays: number;
  /** Days for which a session of a known customer lives after its last JWT. */
  identityDays: number;
  /** Days after which a closed conversation of the channel is removed; 0 keeps it. */
  retentionDays: number;
  /** Whether customers may erase themselves. */
  selfErase: boolean;
  limits?: VisitorLimits;
}

/** How customers begin by themselves. What is absent has its usual value. */
export interface VisitorSettingsRequest {
  /** Whether they may; false unless it is said. */
  public?: boolean;
  /**
   * Whose pages may show the chat, such as `https://shop.example`, `http://localhost:3000`, or
   * `https://*.shop.example` for all hosts below.
   */
  origins?: WebOriginRequest[];
  identity?: VisitorIdentity;
  anonymous?: AnonymousVisitors;
  proof?: VisitorWork;
  consent?: VisitorConsentRequest;
  /** Days without use after which a session ends; 30 unless it is said. */
  visitorDays?: number;
  /** Days for which a session of a known customer lives after its last JWT; 7 unless it is said. */
  identityDays?: number;
  /** Days without activity after which a closed conversation of the channel is removed; 0 unless it is said */
  retentionDays?: number;
  /** Whether customers may erase themselves; false unless it is said. */
  selfErase?: boolean;
  limits?: VisitorLimitsRequest;
}

/** Whether a browser has to solve a task before it begins. */
export type VisitorWork = 'off' | 'work';

/** Whether the customer's next message ends it. */
export type WakeOnReply = boolean;

/** An origin, or `https://*.` and a host for all hosts below. */
export type WebOrigin = string;

/** An origin, or `https://*.` and a host for all hosts below. */
export type WebOriginRequest = string;

/** A browser, or an app that is reached as one. */
export interface WebPushDeviceRequest {
  /** How the device is reached. */
  kind: 'webPush';
  subscription: PushSubscription;
  /** The address of the client's page. A click on a notification leads there. */
  page?: string;
}

/** Where events are sent, and how that goes. */
export interface Webhook {
  id: WebhookId;
  url: WebhookURL;
  description?: string;
  audience: WebhookAudience;
  /** What is sent. */
  types: WebhookEventType[];
  /** Only messages of these directions. */
  directions?: WebhookDirection[];
  /** Only events of these channels. */
  channels?: WebhookChannel[];
  /** The names of its own headers. */
  headerNames: WebhookHeaderName[];
  concurrency: number;
  timeoutSeconds: number;
  state: WebhookState;
  /** Why it is `disabled`: `failing` or `gone`. */
  reason?: string;
  cursor: Cursor;
  /**
   * How many events it has not received yet. Of events that the gateway has not examined yet, at most 10,000 are
   * counted, and the webhook may not want some of them.
   */
  lag: number;
  failingSince?: Time;
  nextAttemptAt?: Time;
  createdAt: Time;
  /** The key of its signatures, `whsec_` and base64. Only the answers of POST and `rotate` have it. */
  secret?: string;
}

/** Whose events. A webhook of a session goes on when the session is deleted. */
export interface WebhookAudience {
  desk?: boolean;
  session?: SessionId;
}

/** Whose events: the desk's, or those of a session. */
export interface WebhookAudienceRequest {
  desk?: true;
  session?: SessionId;
}

/** A channel's id. */
export type WebhookChannel = string;

/** The directions of messages. Events that are not about a message always pass. */
export type WebhookDirection = 'toClient' | 'toAgent';

/** A type of events that the log keeps. */
export type WebhookEventType = 'thread.created' | 'thread.updated' | 'thread.removed' | 'message.created' |
  'message.updated' | 'message.removed' | 'thread.info' | 'proactive' | 'customer.updated';

/** The name of a header. */
export type WebhookHeaderName = string;

/** The value of a header. It is never answered. */
export type WebhookHeaderValue = string;

/**
 * The owner's own headers, such as a password of the receiver; at most 20. `content-type`, `webhook-*` and the
 * headers of the connection are the gateway's. Answers have only the names.
 */
export type WebhookHeaders = Record<string, WebhookHeaderValue>;

/** Headers to set, or with null to remove. Others stay. */
export type WebhookHeadersPatch = Record<string, WebhookHeaderValue | NoValue>;

/** A webhook's id, made by its owner or by Parley. */
export type WebhookId = string;

/** Webhooks. */
export interface WebhookList {
  /** The entries. */
  items: Webhook[];
  next?: PageCursor;
  cursor: Cursor;
}

/** What to change of a webhook; null takes a member back to its default. */
export interface WebhookPatch {
  url?: WebhookURL;
  description?: string | NoValue;
  types?: WebhookEventType[] | NoValue;
  directions?: WebhookDirection[] | NoValue;
  channels?: WebhookChannel[] | NoValue;
  headers?: WebhookHeadersPatch | NoValue;
  concurrency?: number | NoValue;
  timeoutSeconds?: number | NoValue;
}

/** A webhook to make. */
export interface WebhookRequest {
  id?: WebhookId;
  url: WebhookURL;
  /** For people. */
  description?: string;
  audience?: WebhookAudienceRequest;
  /** Only these; all if absent. */
  types?: WebhookEventType[];
  /** Only messages of these directions. */
  directions?: WebhookDirection[];
  /** Only events of these channels. */
  channels?: WebhookChannel[];
  headers?: WebhookHeaders;
  /** How many threads have a request on its way at the same time. With 1 all events come in the order of the log. */
  concurrency?: number;
  /** How long an answer may take. */
  timeoutSeconds?: number;
  after?: LogPlaceRequest;
}

/**
 * `failing`: it took nothing lately, and one request is tried from time to time. `disabled`: it failed for 72
 * hours, or its receiver asked for no more; `resume` goes on.
 */
export type WebhookState = 'active' | 'failing' | 'paused' | 'disabled' | (string & {});

/** The receiver's address: http or https, without user and fragment. It may hold a secret, so answers may show one. */
export type WebhookURL = string;

/**
 * The first message of each new thread. It may have placeholders: `{{customer.firstName}}`,
 * `{{customer.lastName}}`, `{{customer.fullName}}`, `{{customer.customFields.IDENT}}`,
 * `{{contact.customFields.IDENT}}`. Each may have a fallback, as in `{{customer.firstName|you}}`. If a value is
 * missing, `{{fallbackMessage|TEXT}}` replaces the whole message.
 */
export type WelcomeTemplateRequest = string;

/** At which side of the page the button stands, in the direction of its text. */
export type WidgetPosition = 'end' | 'start';
