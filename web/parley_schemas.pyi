"""What the gateway's answers hold, for type checkers and editors that find this file beside parley.py. At run time there is
no such module: import from it under `if TYPE_CHECKING:`. Times are texts as RFC 3339 has them.

`Tests/Contract/client_types.py` makes this file of `openapi.yaml`: do not change it by hand."""

from typing import Any, Generic, Literal, TypeVar
from typing_extensions import NotRequired, TypedDict

_Item = TypeVar("_Item")

class Page(TypedDict, Generic[_Item]):
    """One page of any list that has several."""
    items: list[_Item]
    next: NotRequired[str]

class Agent(TypedDict):
    """The person or bot on the service's side."""
    id: Id
    name: NotRequired[str]
    isBot: NotRequired[bool]

class AgentList(TypedDict):
    """Agents of the desk."""
    items: list[Agent]
    cursor: Cursor

AlsoInThread = bool
AnonymousVisitors = Literal["allowed", "vouched"]
AnswerChannels = list[ChannelId]
AnswerLanguage = str
AnswerName = str
AnswerShortcut = str
class Appearance(TypedDict):
    """How the chat looks on the pages of a shop; absent if as usual."""
    colour: NotRequired[str]
    position: NotRequired[WidgetPosition]
    name: NotRequired[str]
    greeting: NotRequired[str]
    showBubble: NotRequired[bool]
    logo: NotRequired[str]

AssignOnAnswer = bool
class Attachment(TypedDict):
    """A file sent with a message."""
    id: Id
    name: str
    mimeType: str
    size: int
    previewId: NotRequired[str]

class Author(TypedDict):
    """Who wrote a message, types one, or made a change."""
    id: Id
    name: NotRequired[str]
    kind: AuthorKind

AuthorKind = str
CalendarDay = str
class CannedAnswer(TypedDict):
    """A text that agents use often, kept for all of them."""
    id: Id
    name: AnswerName
    text: str
    shortcut: NotRequired[AnswerShortcut]
    channels: NotRequired[AnswerChannels]
    language: NotRequired[AnswerLanguage]
    updatedAt: Time

class CannedAnswerList(TypedDict):
    """All saved replies, by name."""
    items: list[CannedAnswer]
    cursor: Cursor

Capability = str
Changed = list[MemberName]
class Channel(TypedDict):
    """One configured entry point of a service."""
    id: ChannelId
    name: str
    mode: ChannelMode
    capabilities: list[Capability]
    fileRestrictions: FileRestrictions
    isOnline: NotRequired[bool]
    isOpen: NotRequired[bool]
    nextOpening: NotRequired[Time]
    preChatSurvey: NotRequired[PreChatSurvey]
    contactFields: NotRequired[list[CustomFieldDefinition]]
    customerFields: NotRequired[list[CustomFieldDefinition]]
    welcomeMessage: NotRequired[str]
    inactivity: NotRequired[InactivityLimits]
    push: NotRequired[PushSettings]
    menu: NotRequired[list[MenuItem]]
    rating: NotRequired[RatingForm]
    reopenDays: NotRequired[ReopenDays]
    assignOnAnswer: NotRequired[AssignOnAnswer]
    visitors: NotRequired[VisitorSettings]
    appearance: NotRequired[Appearance]
    languages: NotRequired[list[LanguageTag]]
    texts: NotRequired[dict[str, LanguageTexts]]
    hours: NotRequired[OpeningHours]
    outside: NotRequired[ClosedHours]

ChannelId = str
class ChannelList(TypedDict):
    """The channels of the embedded service."""
    items: list[Channel]
    next: NotRequired[PageCursor]
    prev: NotRequired[PageCursor]
    cursor: Cursor

ChannelMode = str
ChatState = str
class ChatThread(TypedDict):
    """One conversation."""
    id: Id
    name: NotRequired[ThreadName]
    state: ThreadState
    createdAt: Time
    updatedAt: Time
    canAddMoreMessages: bool
    unreadCount: NotRequired[int]
    lastReadAt: NotRequired[Time]
    deskUnreadCount: int
    lastMessage: NotRequired[MessageSummary]
    agent: NotRequired[Agent]
    members: list[Customer]
    customType: NotRequired[CustomType]
    customFields: CustomFieldValues
    previousAgent: NotRequired[Agent]
    contactId: NotRequired[str]
    contactClosedAt: NotRequired[Time]
    queuePosition: NotRequired[int]
    inactivityPopup: NotRequired[InactivityPopup]
    memberState: NotRequired[MemberState]
    hidden: NotRequired[bool]
    rating: NotRequired[Rating]
    historyResetAt: NotRequired[Time]
    waitingSince: NotRequired[Time]

ClockTime = str
ClosedChats = Literal["close", "queue"]
class ClosedHours(TypedDict):
    """What customers meet while the channel is closed; absent if nothing special. Customers do not see it."""
    answer: NotRequired[dict[str, ClosedText]]
    askEmail: bool
    hideBubble: bool
    chats: ClosedChats

ClosedText = str
class Collection(TypedDict):
    """A live window on threads or messages, and what it shows now."""
    id: Id
    kind: CollectionKind
    query: NotRequired[ThreadQueryEcho]
    threadId: NotRequired[Id]
    channel: NotRequired[Id]
    customer: NotRequired[Id]
    filter: NotRequired[MessageFilterEcho]
    parentId: NotRequired[Id]
    viewpoint: NotRequired[Time]
    limit: NotRequired[int]
    capacity: NotRequired[int]
    holder: NotRequired[Holder]
    version: CollectionVersion
    incarnation: Incarnation
    items: CollectionItems
    pending: NotRequired[CollectionItems]
    failed: NotRequired[CollectionItems]
    parent: NotRequired[CollectionParent]
    hasPrevious: bool
    hasNext: bool
    cursor: CollectionCursor

CollectionCursor = str
class CollectionDefinition(TypedDict):
    """What a collection shows, as a request asks for it, defaults filled in."""
    kind: CollectionKind
    query: NotRequired[ThreadQueryEcho]
    threadId: NotRequired[Id]
    channel: NotRequired[Id]
    customer: NotRequired[Id]
    filter: NotRequired[MessageFilterEcho]
    parentId: NotRequired[Id]
    viewpoint: NotRequired[Time]
    limit: NotRequired[int]
    capacity: int
    holder: NotRequired[Holder]

CollectionItem = dict[str, Any]
CollectionItems = list[CollectionItem]
CollectionKind = Literal["threads", "messages"]
class CollectionList(TypedDict):
    """The collections of a session, or of the desk."""
    items: list[CollectionSummary]
    cursor: Cursor

class CollectionParent(TypedDict):
    """The message that is replied to; `{"unavailable":true,"id"}` if it was removed."""
    id: Id
    unavailable: NotRequired[bool]

class CollectionSummary(TypedDict):
    """A collection without what it shows."""
    id: Id
    version: CollectionVersion
    incarnation: Incarnation
    createdAt: Time
    definition: CollectionDefinition

CollectionVersion = int
ConnectionError = Failure
Cursor = str
class CustomFieldDefinition(TypedDict):
    """What one custom field may hold."""
    ident: str
    label: str
    type: CustomFieldType
    isRequired: NotRequired[bool]
    options: NotRequired[list[CustomFieldOption]]

class CustomFieldOption(TypedDict):
    """A value that a list or a tree offers."""
    id: str
    label: str
    parentId: NotRequired[str]

CustomFieldType = Literal["text", "email", "list", "tree"]
CustomFieldValues = dict[str, str]
class CustomFields(TypedDict):
    """The custom fields of a customer or of a thread."""
    customFields: CustomFieldValues

class CustomPopupBox(TypedDict):
    """Something that the platform wants to be shown beside the conversation."""
    actionId: str
    actionName: str
    heading: NotRequired[str]
    text: NotRequired[str]
    buttonText: NotRequired[str]
    buttonUrl: NotRequired[str]

CustomType = str
class Customer(TypedDict):
    """The person on the customer's side."""
    id: Id
    firstName: NotRequired[PersonName]
    lastName: NotRequired[PersonName]
    imageUrl: NotRequired[ImageUrl]
    email: NotRequired[str]
    verified: NotRequired[bool]
    formerIds: NotRequired[list[Id]]

CustomerAtDesk = Customer
class CustomerConsent(TypedDict):
    """To what the customer has agreed."""
    version: str
    at: Time

class CustomerNote(TypedDict):
    """What an agent has written about a customer for other agents."""
    id: Id
    customerId: Id
    channel: ChannelId
    createdAt: Time
    author: Author
    text: str

class CustomerNoteList(TypedDict):
    """A page of notes about a customer, newest first; `next` leads to older ones."""
    items: list[CustomerNote]
    next: NotRequired[PageCursor]
    cursor: Cursor

class CustomerRatings(TypedDict):
    """How the customer was served, in the latest 1,000 conversations."""
    count: int
    mean: NotRequired[float]

class CustomerThread(TypedDict):
    """A conversation, as a list of conversations shows it."""
    id: Id
    customerId: Id
    name: NotRequired[ThreadName]
    state: ThreadState
    createdAt: Time
    lastActivityAt: Time
    lastMessage: NotRequired[MessageSummary]
    agent: NotRequired[Agent]
    rating: NotRequired[Rating]

class CustomerVisit(TypedDict):
    """Where the customer came from: of the session that was last used among those that have a visit. Pages and browsers
    say it, and nobody has checked it."""
    page: NotRequired[str]
    title: NotRequired[str]
    referrer: NotRequired[str]
    language: NotRequired[str]
    timeZone: NotRequired[str]
    screen: NotRequired[str]
    device: NotRequired[str]

class Delivery(TypedDict):
    """One event on its way to one webhook."""
    id: DeliveryId
    event: str
    type: str
    threadId: NotRequired[Id]
    state: DeliveryState
    reason: NotRequired[str]
    attempts: list[DeliveryAttempt]
    createdAt: Time
    nextAttemptAt: NotRequired[Time]
    doneAt: NotRequired[Time]

class DeliveryAttempt(TypedDict):
    """One try."""
    at: Time
    status: NotRequired[int]
    error: NotRequired[str]
    milliseconds: int
    head: NotRequired[str]

DeliveryId = str
class DeliveryList(TypedDict):
    """Deliveries."""
    items: list[Delivery]
    next: NotRequired[PageCursor]
    cursor: Cursor

DeliveryState = str
class Demonstration(TypedDict):
    """What `parley serve --demo` shows. It is there only while the gateway runs with this flag."""
    customer: DemonstrationCustomer
    channels: list[ChannelId]

class DemonstrationCustomer(TypedDict):
    """A session for this customer sees the conversations that were made in advance."""
    id: Id

class DeskCounts(TypedDict):
    """How many open threads are where. Each number is at most 10,000."""
    open: ThreadCount
    waiting: ThreadCount
    mine: NotRequired[ThreadCount]
    unassigned: ThreadCount
    snoozed: ThreadCount
    longestWaitingSince: NotRequired[Time]
    more: NotRequired[bool]
    cursor: Cursor

class DeskCustomerPart1(TypedDict):
    channel: ChannelId
    firstSeenAt: Time
    lastSeenAt: NotRequired[Time]

class DeskCustomer(Customer, DeskCustomerPart1):
    """A customer as the desk sees them."""

class DeskCustomerDetailsPart1(TypedDict):
    customFields: CustomFieldValues
    consent: NotRequired[CustomerConsent]
    visit: NotRequired[CustomerVisit]
    sessions: int
    threads: list[CustomerThread]
    ratings: CustomerRatings

class DeskCustomerDetails(DeskCustomer, DeskCustomerDetailsPart1):
    """All that the desk is shown of a customer."""

class DeskCustomerList(TypedDict):
    """A page of customers."""
    items: list[DeskCustomer]
    next: NotRequired[PageCursor]
    cursor: Cursor

class DeskDetails(TypedDict):
    """What the desk knows of a thread besides."""
    channel: ChannelId
    customer: Customer
    tags: NotRequired[list[Id]]
    snooze: NotRequired[Snooze]
    imported: NotRequired[ImportMark]

class DeskDeviceList(TypedDict):
    """The desk's devices."""
    items: list[Device]
    cursor: Cursor

class DeskTag(TypedDict):
    """A word with which the desk sorts its threads."""
    id: Id
    name: TagName
    colour: TagColour
    position: TagPosition

class DeskTagList(TypedDict):
    """All tags, in their order."""
    items: list[DeskTag]
    cursor: Cursor

class DeskThread(ChatThread, DeskDetails):
    """A conversation as the desk sees it."""

class DeskThreadList(TypedDict):
    """A page of threads, latest activity first."""
    items: list[DeskThread]
    next: NotRequired[PageCursor]
    prev: NotRequired[PageCursor]
    cursor: Cursor

class DeskTranscript(TypedDict):
    """A thread and all that was said in it."""
    thread: DeskThread
    removedCount: int
    items: list[Message]

class Device(TypedDict):
    """A device of a session or of the desk. Its endpoint, keys and token are never shown."""
    id: Id
    kind: Literal["webPush", "apns", "fcm"]
    pushedBy: Literal["gateway", "platform"]
    state: Literal["active", "refused", "gone"]
    createdAt: Time
    endpointHost: NotRequired[str]
    topic: NotRequired[str]
    project: NotRequired[str]
    lastDelivery: NotRequired[LastDelivery]

class DeviceDelivery(TypedDict):
    """A push to a device."""
    id: str
    event: str
    type: str
    threadId: NotRequired[Id]
    state: DeliveryState
    reason: NotRequired[str]
    attempts: list[PushAttempt]
    createdAt: Time
    nextAttemptAt: NotRequired[Time]
    doneAt: NotRequired[Time]

class DeviceDeliveryList(TypedDict):
    """A page of pushes."""
    items: list[DeviceDelivery]
    next: NotRequired[str]

Direction = Literal["toAgent", "toClient"]
class EventCustomerUpdated(TypedDict):
    """What is known of a customer is another than before. `changed` names what: `firstName`, `lastName`, `imageUrl`,
    `email`, `verified`, `customFields`, `consent`, `formerIds`, or `notes` for the agents' notes. The event has neither
    fields nor notes. Only streams of the desk have it."""
    id: Id
    actor: NotRequired[Author]
    changed: NotRequired[Changed]
    channel: NotRequired[ChannelId]
    customer: NotRequired[Customer]

class EventMessageCreated(TypedDict):
    """A message was created. `actor` is who has sent it."""
    threadId: Id
    actor: NotRequired[Author]
    message: Message
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventMessageRemoved(TypedDict):
    """A message was removed, by `actor`."""
    threadId: Id
    actor: NotRequired[Author]
    messageId: Id
    reason: NotRequired[Literal["resendSucceeded", "retentionExpired", "exceededMaxCount", "manualAction"]]
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventMessageUpdated(TypedDict):
    """A message was updated, by `actor`. `changed` has `status` and `seenAt` when it was read."""
    threadId: Id
    actor: NotRequired[Author]
    changed: NotRequired[Changed]
    message: Message
    reason: NotRequired[Literal["resendSucceeded", "resendFailed"]]
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventNoteCreated(TypedDict):
    """An agent has written a note. Only streams of the desk have this event."""
    threadId: Id
    actor: NotRequired[Author]
    note: Note
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventNoteRemoved(TypedDict):
    """A note was removed. Only streams of the desk have this event."""
    threadId: Id
    actor: NotRequired[Author]
    noteId: Id
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventPage(TypedDict):
    """A page of the event log, in its order."""
    items: list[LoggedEvent]
    cursor: Cursor
    hasMore: bool
    reset: NotRequired[EventReset]

class EventProactive(TypedDict):
    """Something other than a message is to be shown to the customer."""
    threadId: NotRequired[Id]
    type: str
    inactivityPopup: NotRequired[InactivityPopup]
    customPopupBox: NotRequired[CustomPopupBox]

class EventReset(TypedDict):
    """The cursor cannot be used: load the snapshot anew. The stream goes on from now."""
    collectionId: NotRequired[Id]
    reason: str
    snapshot: NotRequired[str]

class EventThreadCreated(TypedDict):
    """A thread was created. `actor` is absent where a remote platform does not say who did it."""
    actor: NotRequired[Author]
    thread: ThreadInEvent

class EventThreadInfo(TypedDict):
    """The replies of a message have changed. Nothing else of the message has."""
    threadId: Id
    actor: NotRequired[Author]
    parentId: Id
    replyInfo: ReplyInfo
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventThreadRemoved(TypedDict):
    """A thread was removed. With `movedTo` it goes on as that customer's."""
    threadId: Id
    actor: NotRequired[Author]
    movedTo: NotRequired[str]
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class EventThreadUpdated(TypedDict):
    """A thread was updated, by `actor`: assigned or let go (`agent`), closed (`state`), read (`unreadCount`,
    `deskUnreadCount`), renamed (`name`), and so on. `actor` is absent where a remote platform does not say who did
    it."""
    actor: NotRequired[Author]
    changed: NotRequired[Changed]
    thread: ThreadInEvent

class ExportedContact(TypedDict):
    """One time that a conversation was open. Tags are those that it had at its end."""
    openedAt: Time
    closedAt: NotRequired[Time]
    closedBy: NotRequired[Id]
    firstAnswerAt: NotRequired[Time]
    firstAnswerBy: NotRequired[Id]
    lastAnswerBy: NotRequired[Id]
    messagesIn: int
    messagesOut: int
    reopened: NotRequired[bool]
    score: NotRequired[int]
    tags: NotRequired[ExportedTags]
    firstAnswerOpenMilliseconds: NotRequired[int]
    resolutionOpenMilliseconds: NotRequired[int]

class ExportedTag(TypedDict):
    """A tag, with all that is known of it."""
    id: Id
    name: NotRequired[str]
    colour: NotRequired[str]

ExportedTags = list[ExportedTag]
class ExportedThread(TypedDict):
    """A conversation without its messages and notes."""
    id: Id
    channel: ChannelId
    customer: Customer
    members: NotRequired[list[Customer]]
    name: NotRequired[str]
    customType: NotRequired[str]
    customFields: NotRequired[CustomFieldValues]
    state: str
    createdAt: Time
    agent: NotRequired[Snoozer]
    previousAgent: NotRequired[Snoozer]
    tags: NotRequired[ExportedTags]
    rating: NotRequired[Rating]
    contacts: list[ExportedContact]

class ExportedThreadList(TypedDict):
    """A page of conversations, in the order in which they came here."""
    items: list[ExportedThread]
    next: NotRequired[PageCursor]
    cursor: Cursor

class Failure(TypedDict):
    """Why something that goes on has failed."""
    code: str
    detail: str

class FetchResult(TypedDict):
    """How a fetch ended."""
    hasMore: bool
    isPaused: NotRequired[bool]
    isOffline: NotRequired[bool]

class FileRestrictions(TypedDict):
    """Which files the channel takes."""
    isAttachmentsEnabled: bool
    maximumSize: int
    allowedTypes: list[FileType]

FileType = str
Holder = str
Id = str
ImageUrl = str
class ImportMark(TypedDict):
    """The thread was written elsewhere, and came here by an import. Absent for any other."""
    at: Time
    digest: str

class ImportResult(TypedDict):
    """What an import came to."""
    id: Id
    channel: ChannelId
    customer: Id
    result: str

class InactivityLimits(TypedDict):
    """How long the customer of a live chat may be silent; absent if for ever. It counts from when an agent takes the
    chat."""
    secondsUntilPopup: int
    secondsUntilEnd: int

class InactivityPopup(TypedDict):
    """The question that a silent customer of a live chat is shown at the moment. When the countdown is over, the chat
    ends."""
    title: str
    message: str
    startedAt: Time
    numberOfSeconds: int
    refreshButton: PopupButton
    expireButton: PopupButton

Incarnation = str
class Info(TypedDict):
    """What gateway this is."""
    name: str
    version: str
    instance: str
    startedAt: Time
    epoch: str
    head: int
    floor: int
    maintenance: NotRequired[str]
    services: list[ServiceId]
    limits: Limits
    sandbox: NotRequired[Sandbox]
    sendbirdSandbox: NotRequired[SendbirdSandbox]

LanguageTag = str
LanguageTexts = dict[str, str]
class LastDelivery(TypedDict):
    """The newest push."""
    at: Time
    state: DeliveryState
    status: NotRequired[int]
    error: NotRequired[str]

Limits = dict[str, Any]
class LoggedCustomerUpdated(TypedDict):
    """What is known of a customer has changed; for the desk alone."""
    id: Cursor
    type: Literal["customer.updated"]
    data: EventCustomerUpdated

LoggedEvent = LoggedThreadCreated | LoggedThreadUpdated | LoggedThreadRemoved | LoggedMessageCreated | LoggedMessageUpdated | LoggedMessageRemoved | LoggedThreadInfo | LoggedNoteCreated | LoggedNoteRemoved | LoggedCustomerUpdated | LoggedProactive
class LoggedMessageCreated(TypedDict):
    """A message was created."""
    id: Cursor
    type: Literal["message.created"]
    data: EventMessageCreated

class LoggedMessageRemoved(TypedDict):
    """A message was removed."""
    id: Cursor
    type: Literal["message.removed"]
    data: EventMessageRemoved

class LoggedMessageUpdated(TypedDict):
    """A message was updated."""
    id: Cursor
    type: Literal["message.updated"]
    data: EventMessageUpdated

class LoggedNoteCreated(TypedDict):
    """An agent has written a note; for the desk alone."""
    id: Cursor
    type: Literal["note.created"]
    data: EventNoteCreated

class LoggedNoteRemoved(TypedDict):
    """A note was removed; for the desk alone."""
    id: Cursor
    type: Literal["note.removed"]
    data: EventNoteRemoved

class LoggedProactive(TypedDict):
    """The platform asks for the customer's attention."""
    id: Cursor
    type: Literal["proactive"]
    data: EventProactive

class LoggedThreadCreated(TypedDict):
    """A thread was created."""
    id: Cursor
    type: Literal["thread.created"]
    data: EventThreadCreated

class LoggedThreadInfo(TypedDict):
    """The replies to a message have changed."""
    id: Cursor
    type: Literal["thread.info"]
    data: EventThreadInfo

class LoggedThreadRemoved(TypedDict):
    """A thread was removed."""
    id: Cursor
    type: Literal["thread.removed"]
    data: EventThreadRemoved

class LoggedThreadUpdated(TypedDict):
    """A thread was updated."""
    id: Cursor
    type: Literal["thread.updated"]
    data: EventThreadUpdated

MemberName = str
MemberState = str
class Menu(TypedDict):
    """What the customer may choose from at any time."""
    items: list[MenuItem]

class MenuItem(TypedDict):
    """An entry of a channel's menu."""
    id: Id
    label: str
    postback: NotRequired[str]

class Message(TypedDict):
    """One entry of a thread."""
    id: Id
    threadId: Id
    createdAt: Time
    updatedAt: Time
    editedAt: NotRequired[Time]
    direction: Direction
    author: Author
    type: MessageType
    customType: NotRequired[CustomType]
    text: NotRequired[str]
    content: NotRequired[RichContent]
    postback: NotRequired[str]
    attachments: list[Attachment]
    status: MessageStatus
    failure: NotRequired[Failure]
    seenAt: NotRequired[Time]
    parentId: NotRequired[ParentId]
    alsoInThread: NotRequired[AlsoInThread]
    replyInfo: NotRequired[ReplyInfo]

MessageFilterEcho = dict[str, Any]
class MessageList(TypedDict):
    """A page of messages, newest first; `next` leads to older ones."""
    items: list[Message]
    pending: NotRequired[list[Message]]
    failed: NotRequired[list[Message]]
    next: NotRequired[PageCursor]
    prev: NotRequired[PageCursor]
    cursor: Cursor

MessageStatus = str
class MessageSummary(TypedDict):
    """A thread's last message, its text cut to 256 characters."""
    id: Id
    createdAt: Time
    direction: Direction
    author: Author
    type: MessageType
    text: NotRequired[str]
    status: MessageStatus

MessageType = str
MessagesOrHits = SearchList | MessageList
NextAttempt = str
class Note(TypedDict):
    """What an agent has written about a thread for other agents. Its time is not before that of the thread's last
    message then, so that it stands among the messages by its time."""
    id: Id
    threadId: Id
    createdAt: Time
    author: Author
    text: str

class NoteList(TypedDict):
    """A page of notes, newest first; `next` leads to older ones."""
    items: list[Note]
    next: NotRequired[PageCursor]
    cursor: Cursor

class OpeningDay(TypedDict):
    """A day with times of its own."""
    day: CalendarDay
    times: OpeningTimes

class OpeningHours(TypedDict):
    """When customers are answered; absent for always. Customers do not see it."""
    mode: OpeningMode
    timeZone: str
    week: OpeningWeek
    closed: NotRequired[list[CalendarDay]]
    open: NotRequired[list[OpeningDay]]

OpeningMode = Literal["always", "hours", "agents", "both"]
OpeningTime = list[ClockTime]
OpeningTimes = list[OpeningTime]
class OpeningWeek(TypedDict):
    """The times of each day of the week. A day that is absent is closed."""
    mon: NotRequired[OpeningTimes]
    tue: NotRequired[OpeningTimes]
    wed: NotRequired[OpeningTimes]
    thu: NotRequired[OpeningTimes]
    fri: NotRequired[OpeningTimes]
    sat: NotRequired[OpeningTimes]
    sun: NotRequired[OpeningTimes]

PageCursor = str
ParentId = str
PersonName = str
class PopupButton(TypedDict):
    """One of the two answers."""
    id: Id
    text: str
    postback: str

class PreChatSurvey(TypedDict):
    """What is asked before a thread begins; the answers are its custom fields."""
    name: str
    fields: list[CustomFieldDefinition]

class Presence(TypedDict):
    """Whether an agent is at the desk, and at which conversation."""
    agent: Agent
    state: PresenceState
    threadId: NotRequired[Id]
    channel: NotRequired[Id]
    customerId: NotRequired[Id]
    doing: NotRequired[PresenceDoing]

PresenceDoing = Literal["looking", "writing"]
class PresenceList(TypedDict):
    """The agents who are at the desk."""
    items: list[Presence]

PresenceState = Literal["online", "away", "offline"]
class Push(TypedDict):
    """What clients need to be pushed to."""
    applicationServerKey: str
    apps: list[PushApp]

class PushApp(TypedDict):
    """An app whose devices take pushes."""
    kind: Literal["apns", "fcm"]
    topic: NotRequired[str]
    project: NotRequired[str]
    environment: NotRequired[Literal["production", "sandbox"]]

class PushAttempt(TypedDict):
    """One try."""
    at: Time
    status: NotRequired[int]
    error: NotRequired[str]
    milliseconds: int
    head: NotRequired[str]

PushContent = Literal["full", "sender", "none"]
class PushSettings(TypedDict):
    """What pushes to the customers' devices say; absent if as usual."""
    title: NotRequired[str]
    body: NotRequired[str]
    deeplink: NotRequired[str]
    content: NotRequired[PushContent]

class Rating(TypedDict):
    """How the customer was served, by the customer. A new contact of the thread has none."""
    score: int
    comment: NotRequired[str]
    at: Time

RatingCount = int
RatingForm = Literal["numbers", "stars", "thumbs"]
class RedeliveryCount(TypedDict):
    """How many are sent again."""
    count: int

ReopenDays = int
class ReplyButton(TypedDict):
    """One answer."""
    text: str
    description: NotRequired[str]
    postback: NotRequired[str]
    iconName: NotRequired[str]
    iconUrl: NotRequired[str]
    iconMimeType: NotRequired[str]

class ReplyInfo(TypedDict):
    """What a message tells of its replies. Of two such infos the one with the later `updatedAt` is right."""
    count: int
    mostReplies: list[Author]
    lastRepliedAt: NotRequired[Time]
    updatedAt: Time

class ReplyList(TypedDict):
    """A page of replies, oldest first unless `reverse`."""
    parent: ReplyParent
    items: list[Message]
    hasPrevious: bool
    hasNext: bool
    cursor: Cursor

ReplyParent = Message | UnavailableMessage
class Report(TypedDict):
    """A report on the desk's work."""
    since: Time
    until: Time
    timeZone: str
    by: ReportGrouping
    items: list[ReportRow]
    total: ReportFigures

class ReportFigures(TypedDict):
    """Figures on conversations."""
    opened: int
    reopened: int
    closed: int
    messagesIn: int
    messagesOut: int
    automaticOnly: int
    firstAnswer: ReportTimes
    resolution: ReportTimes
    firstAnswerOpen: NotRequired[ReportTimes]
    resolutionOpen: NotRequired[ReportTimes]
    waiting: ReportWaits
    rating: ReportRating

ReportGrouping = Literal["day", "hour", "agent", "channel", "tag"]
class ReportRating(TypedDict):
    """How customers have rated what was closed."""
    count: int
    mean: NotRequired[float]
    scores: list[RatingCount]

class ReportRowPart1(TypedDict):
    key: str

class ReportRow(ReportFigures, ReportRowPart1):
    """A row of a report."""

class ReportTimes(TypedDict):
    """Times from the opening, to the first answer of a person or to the end."""
    count: int
    medianSeconds: NotRequired[int]
    p90Seconds: NotRequired[int]

class ReportWaits(TypedDict):
    """How long customers waited for answers of persons, in the contacts that were opened: each wait from the first
    message without an answer. One that has not ended, or that a bot has ended, is not counted."""
    count: int
    meanSeconds: NotRequired[int]
    longestSeconds: NotRequired[int]

class ResendPolicy(TypedDict):
    """What happens to the session's messages that could not be sent."""
    policy: Literal["none", "manual", "automatic"]
    attempts: NotRequired[int]

class RichContent(TypedDict):
    """What a rich message shows, by its type: `quickReplies` a title and buttons; `listPicker` a title, a text and
    buttons; `richLink` a title, a URL and perhaps a picture; `timePicker` a title, a title of the sheet and time slots.
    The customer answers with the text of what was chosen and its postback."""
    title: str
    text: NotRequired[str]
    buttons: NotRequired[list[ReplyButton]]
    url: NotRequired[str]
    fileName: NotRequired[str]
    fileUrl: NotRequired[str]
    mimeType: NotRequired[str]
    sheetTitle: NotRequired[str]
    timeSlots: NotRequired[list[TimeSlot]]

class Sandbox(TypedDict):
    """The addresses for clients of NICE CXone; absent without `--cxone-sandbox`."""
    url: str
    socket: str
    brandId: int
    channels: list[SandboxChannel]

SandboxAuthorization = str
class SandboxChannel(TypedDict):
    """An embedded channel under the id that the platform's clients use, in one way of authorising."""
    id: str
    channel: ChannelId
    authorization: SandboxAuthorization

class Screen(TypedDict):
    """One screen of a session."""
    holder: NotRequired[str]
    threadId: NotRequired[Id]

class SearchHit(TypedDict):
    """A message that was found."""
    threadId: Id
    message: Message
    snippet: Snippet
    channel: NotRequired[ChannelId]
    customer: NotRequired[Customer]

class SearchList(TypedDict):
    """A page of messages that were found, newest first. It may have fewer than `limit` and still have a `next`."""
    items: list[SearchHit]
    next: NotRequired[PageCursor]
    indexedTo: Cursor
    cursor: Cursor

class SendbirdSandbox(TypedDict):
    """The address and the token for programs that use Sendbird's Platform API; absent without `--sendbird-sandbox`."""
    url: str
    applicationId: str
    apiToken: str
    channel: ChannelId

class Service(TypedDict):
    """A chat platform that Parley talks to."""
    id: ServiceId
    name: str
    capabilities: list[Capability]
    channels: list[Channel]
    demonstration: NotRequired[Demonstration]

ServiceId = str
class ServiceList(TypedDict):
    """The services."""
    items: list[Service]

class Session(TypedDict):
    """One client of the gateway acting for one customer on one channel."""
    id: SessionId
    service: ServiceId
    channel: Channel
    customer: Customer
    state: ChatState
    mode: ChannelMode
    connectionError: NotRequired[ConnectionError]
    nextAttemptAt: NotRequired[NextAttempt]
    createdAt: Time
    lastUsedAt: NotRequired[Time]
    cursor: Cursor
    resend: NotRequired[ResendPolicy]
    kind: NotRequired[Literal["link", "visitor"]]
    expiresAt: NotRequired[Time]
    verifiedUntil: NotRequired[Time]
    sync: NotRequired[Literal["running", "paused"]]
    token: NotRequired[str]

class SessionDeletion(TypedDict):
    """How many sessions were ended."""
    deleted: int
    next: NotRequired[PageCursor]

SessionId = str
class SessionList(TypedDict):
    """The sessions of the gateway."""
    items: list[Session]
    next: NotRequired[PageCursor]
    prev: NotRequired[PageCursor]
    cursor: Cursor

class Snippet(TypedDict):
    """A piece of the text around the match, as plain text. An ellipsis shows where it was cut."""
    text: str
    ranges: list[SnippetRange]

SnippetRange = list[UnitCount]
class Snooze(TypedDict):
    """The thread is out of the desk's open list for a while. Absent if it is not."""
    until: Time
    by: Snoozer
    wakeOnReply: WakeOnReply

class Snoozer(TypedDict):
    """Who has laid it aside. The name is absent where nobody said who acts."""
    id: Id
    name: NotRequired[str]
    isBot: NotRequired[bool]

TagColour = Literal["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"]
TagName = str
TagPosition = int
ThreadCount = int
class ThreadInEventPart1(TypedDict):
    channel: NotRequired[ChannelId]
    customer: NotRequired[CustomerAtDesk]

class ThreadInEvent(ChatThread, ThreadInEventPart1):
    """A conversation; for the desk with its channel and its customer."""

class ThreadList(TypedDict):
    """A page of threads, latest activity first."""
    items: list[ChatThread]
    next: NotRequired[PageCursor]
    prev: NotRequired[PageCursor]
    cursor: Cursor

ThreadName = str
ThreadQueryEcho = dict[str, Any]
ThreadState = str
class Ticket(TypedDict):
    """An address that opens without a header."""
    path: str
    url: str
    expiresAt: Time

class TicketList(TypedDict):
    """Addresses that open without a header."""
    items: list[Ticket]

Time = str
class TimeSlot(TypedDict):
    """One time offered."""
    id: Id
    duration: int
    startTime: Time

class Transcript(TypedDict):
    """A thread and all that was said in it."""
    thread: ChatThread
    removedCount: int
    items: list[Message]

class UnavailableMessage(TypedDict):
    """A message that was removed, or that is hidden from the reader."""
    unavailable: bool
    id: Id

UnitCount = int
class UnreadTotal(TypedDict):
    """What the customer has not read, over all threads that the customer has joined and that are neither closed nor
    hidden."""
    unreadCount: int
    threadCount: int

class Viewing(TypedDict):
    """What a session shows."""
    notifies: bool
    threadId: NotRequired[Id]
    threadIds: list[Id]
    screens: list[Screen]
    knownSince: Time

class VisitorConsent(TypedDict):
    """What customers agree to before they begin."""
    version: str
    required: NotRequired[bool]
    url: NotRequired[ImageUrl]

VisitorIdentity = Literal["off", "optional", "required"]
class VisitorLimits(TypedDict):
    """How much visitors of the channel may do, where that is not as usual."""
    addressBeginsPerMinute: NotRequired[int]
    addressBeginsPerHour: NotRequired[int]
    channelBeginsPerHour: NotRequired[int]
    messagesPerMinute: NotRequired[int]
    messagesPerHour: NotRequired[int]
    addressMessagesPerMinute: NotRequired[int]
    messageBytes: NotRequired[int]
    uploadsPerHour: NotRequired[int]
    uploadBytesPerDay: NotRequired[int]
    openThreads: NotRequired[int]
    streams: NotRequired[int]
    addressStreams: NotRequired[int]
    collections: NotRequired[int]

class VisitorSettings(TypedDict):
    """How customers begin by themselves; absent if they do not. Customers do not see it."""
    public: bool
    origins: list[WebOrigin]
    identity: VisitorIdentity
    anonymous: AnonymousVisitors
    proof: VisitorWork
    consent: NotRequired[VisitorConsent]
    visitorDays: int
    identityDays: int
    retentionDays: int
    selfErase: bool
    limits: NotRequired[VisitorLimits]

VisitorWork = Literal["off", "work"]
WakeOnReply = bool
WebOrigin = str
class Webhook(TypedDict):
    """Where events are sent, and how that goes."""
    id: WebhookId
    url: WebhookURL
    description: NotRequired[str]
    audience: WebhookAudience
    types: list[WebhookEventType]
    directions: NotRequired[list[WebhookDirection]]
    channels: NotRequired[list[WebhookChannel]]
    headerNames: list[WebhookHeaderName]
    concurrency: int
    timeoutSeconds: int
    state: WebhookState
    reason: NotRequired[str]
    cursor: Cursor
    lag: int
    failingSince: NotRequired[Time]
    nextAttemptAt: NotRequired[Time]
    createdAt: Time
    secret: NotRequired[str]

class WebhookAudience(TypedDict):
    """Whose events. A webhook of a session goes on when the session is deleted."""
    desk: NotRequired[bool]
    session: NotRequired[SessionId]

WebhookChannel = str
WebhookDirection = Literal["toClient", "toAgent"]
WebhookEventType = Literal["thread.created", "thread.updated", "thread.removed", "message.created", "message.updated", "message.removed", "thread.info", "proactive", "customer.updated"]
WebhookHeaderName = str
WebhookId = str
class WebhookList(TypedDict):
    """Webhooks."""
    items: list[Webhook]
    next: NotRequired[PageCursor]
    cursor: Cursor

WebhookState = str
WebhookURL = str
WidgetPosition = Literal["end", "start"]
