import ChatModel
import Formats

@testable import ChatStore

/// The data of one type of event: examples with all that it may have, and one with nothing that it may lack.
struct EventExamples {
    let type: any EventPayload.Type
    private(set) var full: [[UInt8]]
    let bare: [UInt8]
    /// Whether a payload that was read from its JSON writes the same JSON.
    let readsBack: Bool

    init<Event: EventPayload>(full: Event..., bare: Event) {
        type = Event.self
        self.full = full.map(\.data)
        self.bare = bare.data
        readsBack = (full + [bare]).allSatisfy { (try? Event(canonicalJSON: $0.data).data) == $0.data }
    }

    /// Adds the data as the desk reads it, with whose thread it is.
    fileprivate func readAtDesk() -> EventExamples {
        var examples = self
        let members = AccountRecord.deskMembers(channel: "multi", customer: Self.customer)
        examples.full += [bare].map { data in
            // Where the members go depends on whether the type carries a thread.
            let event = (type as? any FeedEvent.Type)?.type ?? .error
            return LogEvent(cursor: nil, type: event, data: data, members: [], deskMembers: members).data(for: .desk)
        }
        return examples
    }

    /// Adds the data as an account reads it, with what it alone sees of the thread.
    fileprivate func read(by membership: Membership) -> EventExamples {
        var examples = self
        examples.full = full.map { data in
            let members = [AudienceMember(.account(1), membership)]
            return LogEvent(cursor: nil, type: .threadUpdated, data: data, members: members).data(for: .account(1))
        }
        return examples
    }
}

extension EventExamples {
    /// One entry for each type of the room ChatModel/Events.
    static let all: [EventExamples] = streams + sessions + threads + messages + desk + collections

    private static let time = Timestamp(milliseconds: 1_772_442_904_512)
    private static let cursor = "e1-7"
    private static let customer: Customer = {
        var customer = Customer(
            id: "c1", firstName: "Ada", lastName: "Lovelace", imageURL: "https://shop.example/ada.png")
        (customer.email, customer.isVerified, customer.formerIDs) = ("ada@shop.example", true, ["visitor-1"])
        return customer
    }()
    private static let author = Author(id: "c1", name: "Ada", kind: .customer)

    private static let told = EventCause(actor: author)
    private static let changed = EventCause(actor: author, changed: ["text"])

    private static let streams = [
        EventExamples(
            full: ReadyEvent(cursor: cursor, state: .ready, mode: .liveChat), bare: ReadyEvent(cursor: cursor)),
        EventExamples(
            full: ReadyCombinedEvent(
                cursor: cursor, sessions: [.init(id: "s1", state: .ready, mode: .multithread)], hasDesk: true),
            bare: ReadyCombinedEvent(cursor: cursor, sessions: [], hasDesk: false)),
        EventExamples(
            full: ResetEvent(collectionID: "k1", reason: .expired, snapshot: "/v1/desk/threads"),
            bare: ResetEvent(reason: .ahead, snapshot: nil)),
        EventExamples(full: PingEvent(cursor: cursor), bare: PingEvent(cursor: cursor)),
        EventExamples(full: AccessEndedEvent(reason: .revoked), bare: AccessEndedEvent(reason: .expired)),
    ]

    private static let sessions = [
        EventExamples(
            full: ChatUpdatedEvent(
                state: .offline, mode: .multithread,
                connectionError: Failure(ChatError(.serverError, "The platform said no.")),
                nextAttemptAt: time),
            bare: ChatUpdatedEvent(state: .initial)),
        EventExamples(full: ThreadsLoadedEvent(count: 3), bare: ThreadsLoadedEvent(count: 0)),
        EventExamples(
            full: ErrorEvent(ChatError(.recoveringThreadFailed, "There is no thread.")),
            bare: ErrorEvent(ChatError(.serverError, "The platform said no."))),
        EventExamples(
            full: NotificationEvent(reply, threadName: "Order", channel: "multi", unreadCount: 2),
            bare: NotificationEvent(message, threadName: nil, channel: "multi", unreadCount: 0)),
        EventExamples(
            full: UnreadUpdatedEvent(UnreadTotal(unreadCount: 3, threadCount: 2)), bare: UnreadUpdatedEvent(.zero)),
    ]

    private static let threads = [
        EventExamples(
            full: ThreadCreatedEvent(Encoded(fullThread), by: told),
            bare: ThreadCreatedEvent(Encoded(thread), by: .unknown)
        )
        .read(by: membership).readAtDesk(),
        EventExamples(
            full: ThreadUpdatedEvent(Encoded(fullThread), by: changed),
            bare: ThreadUpdatedEvent(Encoded(thread), by: .unknown)
        )
        .read(by: membership).readAtDesk(),
        EventExamples(
            full: ThreadRemovedEvent(threadID: "t1", by: told, movedTo: "c2"),
            bare: ThreadRemovedEvent(threadID: "t1", by: .unknown)
        )
        .readAtDesk(),
        EventExamples(
            full: TypingEvent(
                threadID: "t1", isTyping: true, author: author, channel: "multi", customer: customer, text: "Hel"),
            bare: TypingEvent(threadID: "t1", isTyping: false, author: Author(id: "c1", kind: .customer))),
        EventExamples(
            full: QueueUpdatedEvent(threadID: "t1", queuePosition: 1),
            bare: QueueUpdatedEvent(threadID: "t1", queuePosition: nil)),
        EventExamples(
            full: ProactiveEvent(.inactivityPopup(popup, threadID: "t1")), ProactiveEvent(.customPopupBox(box)),
            bare: ProactiveEvent(.customPopupBox(CustomPopupBox(actionID: "a1", actionName: "Offer")))),
    ]

    private static let messages = [
        EventExamples(
            full: MessageCreatedEvent(threadID: "t1", message: Encoded(reply), by: told),
            MessageCreatedEvent(
                threadID: "t1",
                message: Encoded(rich(.quickReplies(QuickReplies(title: "Which?", buttons: [button])))), by: told),
            MessageCreatedEvent(
                threadID: "t1",
                message: Encoded(rich(.listPicker(ListPicker(title: "Which?", text: "One", buttons: [button])))),
                by: told),
            MessageCreatedEvent(
                threadID: "t1",
                message: Encoded(
                    rich(
                        .richLink(
                            RichLink(
                                title: "Look", url: "https://example.com", fileName: "a.png",
                                fileURL: "https://example.com/a.png",
                                mimeType: "image/png")))), by: told),
            MessageCreatedEvent(
                threadID: "t1",
                message: Encoded(
                    rich(
                        .timePicker(
                            TimePicker(
                                title: "When?", sheetTitle: "Visit",
                                timeSlots: [.init(id: "1", duration: 60, startTime: time)])))), by: told),
            bare: MessageCreatedEvent(threadID: "t1", message: Encoded(message), by: .unknown)
        )
        .readAtDesk(),
        EventExamples(
            full: MessageUpdatedEvent(threadID: "t1", message: Encoded(reply), by: changed, reason: .resendFailed),
            bare: MessageUpdatedEvent(threadID: "t1", message: Encoded(message), by: .unknown)
        )
        .readAtDesk(),
        EventExamples(
            full: MessageRemovedEvent(threadID: "t1", messageID: "m1", by: told, reason: .retentionExpired),
            bare: MessageRemovedEvent(threadID: "t1", messageID: "m1", by: .unknown)
        )
        .readAtDesk(),
        EventExamples(
            full: ThreadInfoEvent(threadID: "t1", parentID: "m1", replyInfo: replies, by: told),
            bare: ThreadInfoEvent(
                threadID: "t1", parentID: "m1",
                replyInfo: ReplyInfo(count: 0, mostReplies: [], lastRepliedAt: nil, updatedAt: time), by: .unknown)
        )
        .readAtDesk(),
    ]

    private static let desk = [
        EventExamples(
            full: AnswerUpdatedEvent(
                id: "w1",
                answer: CannedAnswer(
                    id: "w1", name: "hours", text: "9 to 5", shortcut: "h", channels: ["multi"], language: "en",
                    updatedAt: time)),
            bare: AnswerUpdatedEvent(id: "w1", answer: nil)),
        EventExamples(
            full: CustomerUpdatedEvent(id: "c1", by: changed), bare: CustomerUpdatedEvent(id: "c1", by: .unknown)
        ).readAtDesk(),
        EventExamples(
            full: PresenceUpdatedEvent(
                DeskPresence(
                    agent: Agent(id: "a1", name: "Bob"), state: .online,
                    place: DeskPresence.Place(threadID: "t1", channel: "multi", customerID: "c1"), doing: .writing)),
            bare: PresenceUpdatedEvent(DeskPresence(agent: Agent(id: "a1", name: "Bob"), state: .offline))),
        EventExamples(
            full: TagUpdatedEvent(
                id: "t1", tag: DeskTag(id: "t1", name: "Refund", colour: .orange, position: 0)),
            bare: TagUpdatedEvent(id: "t1", tag: nil)),
        EventExamples(
            full: ChannelUpdatedEvent(id: "multi", opening: Opening(isOpen: false, next: time)),
            bare: ChannelUpdatedEvent(id: "multi", opening: .open)),
        EventExamples(
            full: NoteCreatedEvent(
                threadID: "t1",
                note: Encoded(
                    Note(
                        id: "n1", threadID: "t1", createdAt: time, author: Author(id: "a1", name: "Bob", kind: .agent),
                        text: "hm")), by: told),
            bare: NoteCreatedEvent(
                threadID: "t1",
                note: Encoded(
                    Note(id: "n1", threadID: "t1", createdAt: time, author: Author(id: "a1", kind: .agent), text: "hm")),
                by: .unknown)
        ).readAtDesk(),
        EventExamples(
            full: NoteRemovedEvent(threadID: "t1", noteID: "n1", by: told),
            bare: NoteRemovedEvent(threadID: "t1", noteID: "n1", by: .unknown)
        )
        .readAtDesk(),
        EventExamples(
            full: WebhookUpdatedEvent(id: "w1", state: .failing, reason: "timeout", lag: 4),
            bare: WebhookUpdatedEvent(id: "w1", state: .active, reason: nil, lag: nil)),
        EventExamples(
            full: PushSimulatedEvent(
                deviceID: "d1", channel: "multi", customer: "c1", threadID: "t1", messageID: "m1",
                headers: [.init(name: "apns-priority", value: "10")],
                payload: Array(#"{"aps":{"badge":1,"x":[1.5,null,true]}}"#.utf8)),
            bare: PushSimulatedEvent(
                deviceID: "d1", channel: "multi", customer: nil, threadID: "t1", messageID: "m1", headers: [],
                payload: Array("{}".utf8))),
    ]

    private static let collections: [EventExamples] = {
        let place = CollectionPlace("k1", version: 3)
        let item = CollectionItem(id: "m1", json: message.canonicalJSON)
        let owner = ThreadOwner(channel: "multi", customer: "c1")
        return [
            EventExamples(
                full: CollectionReadyEvent(place, cursor: "i1-3"),
                bare: CollectionReadyEvent(place, cursor: "i1-3")),
            EventExamples(
                full: CollectionSyncEvent(place, incarnation: "i1"),
                bare: CollectionSyncEvent(place, incarnation: "i1")),
            EventExamples(
                full: CollectionInsertEvent(place, PlacedItems(.pending, [0], [item])),
                bare: CollectionInsertEvent(place, PlacedItems(.succeeded, [], []))),
            EventExamples(
                full: CollectionUpdateEvent(place, .failed, [item], reason: "resendFailed"),
                bare: CollectionUpdateEvent(place, .succeeded, [item], reason: nil)),
            EventExamples(
                full: CollectionRemoveEvent(place, .failed, ["m1"], owners: [owner], reason: "exceededMaxCount"),
                bare: CollectionRemoveEvent(place, .succeeded, ["m1"], owners: [], reason: nil)),
            EventExamples(
                full: CollectionMoveEvent(place, PlacedItems(.succeeded, [0], [item])),
                bare: CollectionMoveEvent(place, PlacedItems(.succeeded, [2], [item]))),
            EventExamples(full: CollectionClearEvent(place), bare: CollectionClearEvent(place)),
            EventExamples(full: CollectionNewEvent(place), bare: CollectionNewEvent(place)),
            EventExamples(full: CollectionHugeGapEvent(place), bare: CollectionHugeGapEvent(place)),
            EventExamples(
                full: CollectionParentEvent(place, .updated(item)), CollectionParentEvent(place, .removed(id: "m1")),
                bare: CollectionParentEvent(place, .removed(id: "m1"))),
        ]
    }()

    // MARK: What events carry

    private static let membership = Membership(
        unreadCount: 2, lastReadAt: time, state: .invited, isHidden: true,
        historyResetAt: time.advanced(byMilliseconds: -1))

    private static let thread = ChatThread(id: "t1", createdAt: time, members: [])

    private static let fullThread: ChatThread = {
        var thread = ChatThread(id: "t1", createdAt: time, members: [customer])
        thread.name = "Order"
        thread.lastMessage = MessagePreview(message)
        thread.agent = Agent(id: "a1", name: "Bob", isBot: true)
        thread.previousAgent = Agent(id: "a2", name: "Eve")
        thread.customType = "sale"
        thread.customFields = ["size": "9"]
        thread.contactID = "7"
        thread.contactClosedAt = time
        thread.queuePosition = 2
        thread.inactivityPopup = popup
        thread.historyResetAt = time.advanced(byMilliseconds: -1)
        thread.waitingSince = time
        thread.rating = Rating(score: 4, comment: "Quick.", at: time)
        return thread
    }()

    private static let message = Message(
        id: "m1", threadID: "t1", createdAt: time, direction: .toAgent, author: author, text: "Hi", status: .delivered)

    private static let reply: Message = {
        var reply = message
        reply.id = "m2"
        reply.editedAt = time
        reply.customType = "note"
        reply.postback = "yes"
        reply.attachments = [Attachment(id: "f1", name: "a.png", mimeType: "image/png", size: 3, previewID: "f2")]
        reply.status = .failed
        reply.failure = Failure(ChatError(.eventTimeout, "The platform did not answer."))
        reply.seenAt = time
        reply.parentID = "m1"
        reply.alsoInThread = true
        reply.replyInfo = replies
        return reply
    }()

    private static func rich(_ content: RichContent) -> Message {
        var message = message
        message.type = content.type
        message.content = content
        return message
    }

    private static let replies = ReplyInfo(count: 1, mostReplies: [author], lastRepliedAt: time, updatedAt: time)

    private static let button = ReplyButton(
        text: "Yes", description: "It is", postback: "y", iconName: "i", iconURL: "https://example.com/i",
        iconMimeType: "image/png")

    private static let popup = InactivityPopup(
        title: "Still there?", message: "Go on?", startedAt: time, numberOfSeconds: 60,
        refreshButton: .init(id: "1", text: "Yes", postback: "y"),
        expireButton: .init(id: "2", text: "No", postback: "n"))

    private static let box = CustomPopupBox(
        actionID: "a1", actionName: "Offer", heading: "Sale", text: "Half price", buttonText: "Look",
        buttonURL: "https://example.com")
}
