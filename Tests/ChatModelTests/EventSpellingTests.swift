import ChatModel
import Formats
import Testing

/// The bytes of events are those that earlier versions wrote: the log keeps them, and clients and tests compare them.
@Suite struct EventSpellingTests {
    private static let time = Timestamp(milliseconds: 1_772_442_904_512)
    private static let author = Author(id: "c1", name: "Ada", kind: .customer)
    private static let message = Message(
        id: "m1", threadID: "t1", createdAt: time, direction: .toAgent, author: author, text: "Hi", status: .delivered)
    private static let messageJSON = """
        {"id":"m1","threadId":"t1","createdAt":"2026-03-02T09:15:04.512Z","updatedAt":"2026-03-02T09:15:04.512Z",\
        "direction":"toAgent","author":{"id":"c1","name":"Ada","kind":"customer"},"type":"text","text":"Hi",\
        "attachments":[],"status":"delivered"}
        """
    private static let threadJSON = """
        {"id":"t1","state":"pending","createdAt":"2026-03-02T09:15:04.512Z","updatedAt":"2026-03-02T09:15:04.512Z",\
        "canAddMoreMessages":true,"deskUnreadCount":0,"members":[],"customFields":{}}
        """
    private static let popup = InactivityPopup(
        title: "T", message: "M", startedAt: time, numberOfSeconds: 60,
        refreshButton: .init(id: "1", text: "Yes", postback: "y"),
        expireButton: .init(id: "2", text: "No", postback: "n"))

    private func expect<Event: EventPayload>(
        _ event: Event, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(String(decoding: event.data, as: UTF8.self) == text, sourceLocation: sourceLocation)
        let read = try Event(canonicalJSON: Array(text.utf8))
        #expect(String(decoding: read.data, as: UTF8.self) == text, sourceLocation: sourceLocation)
    }

    @Test func loggedEventsKeepTheirSpelling() throws {
        let thread = Encoded(ChatThread(id: "t1", createdAt: Self.time, members: []))
        try expect(ThreadCreatedEvent(thread, by: .unknown), "{\"thread\":\(Self.threadJSON)}")
        try expect(ThreadUpdatedEvent(thread, by: .unknown), "{\"thread\":\(Self.threadJSON)}")
        try expect(ThreadRemovedEvent(threadID: "t1", by: .unknown), #"{"threadId":"t1"}"#)
        let message = Encoded(Self.message)
        try expect(
            MessageCreatedEvent(threadID: "t1", message: message, by: .unknown),
            "{\"threadId\":\"t1\",\"message\":\(Self.messageJSON)}")
        try expect(
            MessageUpdatedEvent(threadID: "t1", message: message, by: .unknown, reason: .resendFailed),
            "{\"threadId\":\"t1\",\"message\":\(Self.messageJSON),\"reason\":\"resendFailed\"}")
        try expect(
            MessageRemovedEvent(threadID: "t1", messageID: "m1", by: .unknown), #"{"threadId":"t1","messageId":"m1"}"#)
        try expect(
            MessageRemovedEvent(threadID: "t1", messageID: "m1", by: .unknown, reason: .exceededMaxCount),
            #"{"threadId":"t1","messageId":"m1","reason":"exceededMaxCount"}"#)
        let info = ReplyInfo(count: 0, mostReplies: [], lastRepliedAt: nil, updatedAt: Self.time)
        try expect(
            ThreadInfoEvent(threadID: "t1", parentID: "m1", replyInfo: info, by: .unknown),
            """
            {"threadId":"t1","parentId":"m1",\
            "replyInfo":{"count":0,"mostReplies":[],"updatedAt":"2026-03-02T09:15:04.512Z"}}
            """)
        try expect(
            ProactiveEvent(.inactivityPopup(Self.popup, threadID: "t1")),
            """
            {"threadId":"t1","type":"inactivityPopup","inactivityPopup":{"title":"T","message":"M",\
            "startedAt":"2026-03-02T09:15:04.512Z","numberOfSeconds":60,\
            "refreshButton":{"id":"1","text":"Yes","postback":"y"},\
            "expireButton":{"id":"2","text":"No","postback":"n"}}}
            """)
    }

    @Test func liveEventsKeepTheirSpelling() throws {
        try expect(
            ChatUpdatedEvent(
                state: .offline, mode: .liveChat, connectionError: Failure(ChatError(.serverError, "No.")),
                nextAttemptAt: Self.time),
            """
            {"state":"offline","mode":"liveChat","connectionError":{"code":"serverError","detail":"No."},\
            "nextAttemptAt":"2026-03-02T09:15:04.512Z"}
            """)
        try expect(
            ErrorEvent(ChatError(.recoveringThreadFailed, "No.")),
            #"{"code":"recoveringThreadFailed","detail":"No.","soft":true}"#)
        try expect(
            TypingEvent(
                threadID: "t1", isTyping: true, author: Self.author, channel: "multi", customer: Customer(id: "c1")),
            """
            {"threadId":"t1","isTyping":true,"author":{"id":"c1","name":"Ada","kind":"customer"},"channel":"multi",\
            "customer":{"id":"c1"}}
            """)
        try expect(
            PresenceUpdatedEvent(
                DeskPresence(
                    agent: Agent(id: "a1", name: "Bob"), state: .online,
                    place: DeskPresence.Place(threadID: "t1", channel: "multi", customerID: "c1"), doing: .looking)),
            """
            {"agent":{"id":"a1","name":"Bob"},"state":"online","threadId":"t1","channel":"multi","customerId":"c1",\
            "doing":"looking"}
            """)
        try expect(
            ChannelUpdatedEvent(
                id: "multi", opening: Opening(isOpen: false, next: Timestamp(milliseconds: 1_772_524_800_000))),
            #"{"id":"multi","isOpen":false,"nextOpening":"2026-03-03T08:00:00.000Z"}"#)
        try expect(ChannelUpdatedEvent(id: "multi", opening: .open), #"{"id":"multi","isOpen":true}"#)
        try expect(QueueUpdatedEvent(threadID: "t1", queuePosition: 2), #"{"threadId":"t1","queuePosition":2}"#)
        try expect(
            WebhookUpdatedEvent(id: "w1", state: .failing, reason: "timeout", lag: 3),
            #"{"id":"w1","state":"failing","reason":"timeout","lag":3}"#)
        try expect(
            PushSimulatedEvent(
                deviceID: "d1", channel: "multi", customer: "c1", threadID: "t1", messageID: "m1",
                headers: [.init(name: "apns-topic", value: "x")], payload: Array(#"{"aps":{"badge":1}}"#.utf8)),
            """
            {"deviceId":"d1","channel":"multi","customer":"c1","threadId":"t1","messageId":"m1",\
            "headers":{"apns-topic":"x"},"payload":{"aps":{"badge":1}}}
            """)
        try expect(
            ProactiveEvent(.customPopupBox(CustomPopupBox(actionID: "a", actionName: "n", heading: "h"))),
            #"{"type":"customPopupBox","customPopupBox":{"actionId":"a","actionName":"n","heading":"h"}}"#)
        try expect(
            NotificationEvent(Self.message, threadName: "Order", channel: "multi", unreadCount: 1),
            """
            {"channelId":"multi","threadId":"t1","threadName":"Order","messageId":"m1","title":"Ada","text":"Hi",\
            "createdAt":"2026-03-02T09:15:04.512Z","link":"/?channel=multi&thread=t1&message=m1&from=none","tag":"t1",\
            "unreadCount":1}
            """)
    }

    @Test func eventsOfStreamsAndCollectionsKeepTheirSpelling() throws {
        try expect(
            ReadyCombinedEvent(
                cursor: "e1-7", sessions: [.init(id: "s1", state: .ready, mode: .multithread)], hasDesk: true),
            #"{"cursor":"e1-7","sessions":{"s1":{"state":"ready","mode":"multithread"}},"desk":true}"#)
        try expect(
            ResetEvent(collectionID: "k1", reason: .expired, snapshot: "/x"),
            #"{"collectionId":"k1","reason":"expired","snapshot":"/x"}"#)
        try expect(AccessEndedEvent(reason: .revoked), #"{"reason":"revoked"}"#)
        let place = CollectionPlace("k1", version: 3)
        let item = CollectionItem(id: "m1", json: Array(Self.messageJSON.utf8))
        try expect(
            CollectionInsertEvent(place, PlacedItems(.pending, [0, 2], [item, item])),
            """
            {"collectionId":"k1","version":3,"list":"pending","indices":[0,2],\
            "items":[\(Self.messageJSON),\(Self.messageJSON)]}
            """)
        try expect(
            CollectionUpdateEvent(place, .failed, [item], reason: "resendFailed"),
            """
            {"collectionId":"k1","version":3,"list":"failed","items":[\(Self.messageJSON)],"reason":"resendFailed"}
            """)
        try expect(
            CollectionRemoveEvent(
                place, .succeeded, ["m1"], owners: [ThreadOwner(channel: "multi", customer: "c1")], reason: nil),
            """
            {"collectionId":"k1","version":3,"list":"succeeded","ids":["m1"],\
            "owners":[{"channel":"multi","customer":"c1"}]}
            """)
        try expect(
            CollectionParentEvent(place, .removed(id: "m1")),
            #"{"collectionId":"k1","version":3,"ids":["m1"],"reason":"removed"}"#)
    }

    /// Who and what stand before the thread, and behind the thread's id: readers of the bytes rely on these places.
    @Test func eventsTellTheirCause() throws {
        let cause = EventCause(actor: Self.author, changed: ["text", "editedAt"])
        let json = #""actor":{"id":"c1","name":"Ada","kind":"customer"},"changed":["text","editedAt"]"#
        let thread = Encoded(ChatThread(id: "t1", createdAt: Self.time, members: []))
        try expect(ThreadCreatedEvent(thread, by: cause), "{\(json),\"thread\":\(Self.threadJSON)}")
        try expect(ThreadUpdatedEvent(thread, by: cause), "{\(json),\"thread\":\(Self.threadJSON)}")
        try expect(ThreadRemovedEvent(threadID: "t1", by: cause), "{\"threadId\":\"t1\",\(json)}")
        let message = Encoded(Self.message)
        try expect(
            MessageCreatedEvent(threadID: "t1", message: message, by: cause),
            "{\"threadId\":\"t1\",\(json),\"message\":\(Self.messageJSON)}")
        try expect(
            MessageUpdatedEvent(threadID: "t1", message: message, by: cause),
            "{\"threadId\":\"t1\",\(json),\"message\":\(Self.messageJSON)}")
        try expect(
            MessageRemovedEvent(threadID: "t1", messageID: "m1", by: cause),
            "{\"threadId\":\"t1\",\(json),\"messageId\":\"m1\"}")
        try expect(
            ThreadUpdatedEvent(thread, by: EventCause(changed: [])), "{\"changed\":[],\"thread\":\(Self.threadJSON)}")
    }

    /// A version that does not know a reason still shows the message.
    @Test func anUnknownReasonIsPassedOver() throws {
        let text = #"{"threadId":"t1","messageId":"m1","reason":"other"}"#
        let event = try MessageRemovedEvent(canonicalJSON: Array(text.utf8))
        #expect(event.messageID == "m1" && event.reason == nil)
    }
}
