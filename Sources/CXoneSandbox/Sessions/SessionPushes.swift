import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What the log says about the customer, as pushes of the platform.
extension SandboxSession {
    /// The bytes of events that are read from the log at a time.
    private static let step = 128 << 10

    /// Pushes the events of the log since the last position, until the socket is full. Events that are no longer
    /// in memory are read from the store.
    func drain() async {
        guard let account = identity?.account else { return }
        while let socket, !isFull, !inbox.isOver {
            switch sandbox.store.feed.read([.account(account)], after: offset, limit: Self.step) {
            case .events(let events, let through):
                await push(events)
                offset = through
                if events.isEmpty { return }
            case .behind:
                do {
                    let step = try await sandbox.store.replay([.account(account)], after: offset, limit: Self.step)
                    await push(step.events)
                    offset = step.through
                } catch {
                    // The platform replays nothing either: the client reads its threads again when it reconnects.
                    sandbox.log(.notice, "pushes lost", self, [:])
                    return socket.close(.goingAway)
                }
            }
        }
    }

    /// Pushes what events of the log mean to the client; other kinds of events are passed over.
    private func push(_ events: [LogEvent]) async {
        // A message's event is mostly followed by its thread's, of the same commit. It is read once for both.
        var following: ChatThread?
        for (index, event) in events.enumerated() {
            let thread = following ?? event.changedThread
            following = events.dropFirst(index + 1).first?.changedThread
            await push(event, thread, followedBy: following)
        }
    }

    /// - Parameters:
    ///   - thread: the thread that the event tells; nil if it tells none.
    ///   - next: the thread that the next event tells.
    private func push(_ event: LogEvent, _ thread: ChatThread?, followedBy next: ChatThread?) async {
        do throws(ChatError) {
            switch event.type {
            case .messageCreated, .messageUpdated:
                guard let data = try? JSONParser.parse(event.data),
                    let message = try? data["message"].map({ try Message(json: $0) })
                else { return }
                try await push(
                    message, isNew: event.type == .messageCreated, isEdit: message.hasJustBeenEdited,
                    in: next?.id == message.threadID ? next : nil)
            case .threadCreated, .threadUpdated:
                guard let thread, thread.isOnPlatform else { return }
                let ids = try await clientIDs(of: thread.id)
                let news = ThreadNews(thread)
                let pushes = news.pushes(
                    since: told[thread.id], thread, origin: origin, queue: queue, isOnline: true, ids: ids)
                told[thread.id] = thread.state == .closed ? nil : news
                countTold()
                for event in pushes { push(event) }
            default: break
            }
        } catch {
            sandbox.log(.error, "event not pushed", self, ["code": "\(error.code.rawValue)"])
        }
    }

    /// Pushes a message that is new or has changed. Replies outside the conversation are left out, because the
    /// platform has no such thing.
    ///
    /// - Parameter known: the message's thread; nil if the store is to be asked for it.
    private func push(
        _ message: Message, isNew: Bool, isEdit: Bool, in known: ChatThread?
    ) async throws(ChatError) {
        guard message.isInConversation, let identity else { return }
        let thread: ChatThread
        let customer: Customer
        if let known, let member = known.members.first(where: { $0.id == identity.key.customer }) {
            (thread, customer) = (known, member)
        } else {
            let found = try await sandbox.store.read { transaction in
                try transaction.thread(message.threadID, of: identity.account).map {
                    ($0.thread, try transaction.account(identity.account).customer)
                }
            }
            guard let found else { return }
            (thread, customer) = found
        }
        guard thread.isOnPlatform else { return }
        let ids = try await clientIDs(of: thread.id, messages: [message.id])
        let wire = WireMessage(message, WireContext(ids: ids, base: base, customer: customer))
        if isNew {
            if family == .web, message.direction == .toClient {
                var sent = wire
                sent.serverID = nil
                push(.messageSent(created(sent, thread, ids)))
            }
            push(.messageCreated(created(wire, thread, ids)))
        } else {
            let change = MessageChanged(origin: origin, message: wire)
            // The mobile SDKs know no `MessageUpdated`. The other push has the whole message, too.
            if isEdit { push(.messageUpdated(change)) }
            push(message.direction == .toAgent ? .messageReadChanged(change) : .messageSeenChanged(change))
        }
    }

    /// The data of `MessageCreated`, as the client of this session reads it.
    func created(_ message: WireMessage, _ thread: ChatThread, _ ids: ClientIDs) -> MessageCreated {
        MessageCreated(
            origin: origin, contact: WireContact(thread, ids),
            thread: ThreadReference(
                id: ids.thread(thread.id), name: thread.name ?? "", serverID: ids.stable.thread(thread.id)),
            message: message)
    }

    /// Tells the client what it shows in a new thread (`FireProactiveAction`).
    func greet() {
        guard let template = greeting else { return }
        greeting = nil
        push(
            .fireProactiveAction(
                FireProactiveAction(
                    destinationID: visitor ?? sandbox.makeID(), actionID: sandbox.ids.uuid("welcome\n\(face.channel)"),
                    actionName: "Welcome message", actionType: .welcomeMessage,
                    content: ProactiveContent(bodyText: template))))
    }

    /// Pushes that an agent types. Typing is not in the log, so a client that is not connected never hears of it.
    func push(live event: LogEvent) async {
        guard event.type == .typing, let data = try? JSONParser.parse(event.data),
            let thread = data["threadId"]?.string,
            let author = try? data["author"].map({ try Author(json: $0) }),
            let agent = WireAgent(author, sandbox.ids)
        else { return }
        guard let ids = try? await clientIDs(of: thread) else { return }
        let typing = SenderTyping(
            origin: origin, thread: ThreadReference(id: ids.thread(thread), name: ""), agent: agent)
        push(data["isTyping"]?.bool == true ? .senderTypingStarted(typing) : .senderTypingEnded(typing))
    }

    /// The brand and the channel that each push names.
    var origin: PushOrigin { PushOrigin(brandID: sandbox.ids.brand, channelID: face.id) }
    private var queue: RoutingQueue { RoutingQueue(id: sandbox.ids.uuid("queue\n\(face.channel)"), name: face.channel) }
}

extension Message {
    /// Whether the event that carries the message tells of a change of its text, and not of something later.
    fileprivate var hasJustBeenEdited: Bool {
        guard let editedAt else { return false }
        return editedAt == updatedAt && seenAt.map { $0 < editedAt } ?? true
    }
}

extension LogEvent {
    /// The thread that the event tells; nil for an event of another kind.
    fileprivate var changedThread: ChatThread? {
        guard type == .threadCreated || type == .threadUpdated, let data = try? JSONParser.parse(data) else {
            return nil
        }
        return try? data["thread"].map { try ChatThread(json: $0) }
    }
}

/// What a client was told about a thread. The platform tells by several kinds of events what one event of our log
/// says; the difference of two values gives those events.
struct ThreadNews: Sendable, Equatable {
    var contactID: String?
    /// Whether the contact is closed, which `CaseStatusChanged` tells.
    var isClosed: Bool
    /// The assigned agent, whom `CaseInboxAssigneeChanged` tells.
    var agent: Agent?
    /// The place in the queue of a live chat, from 1, which `SetPositionInQueue` tells; nil outside a queue.
    var queuePosition: Int?
    /// Names the inactivity popup that is shown, by its button's id; nil: none.
    var popup: String?

    init(_ thread: ChatThread) {
        contactID = thread.contactID
        isClosed = thread.contactStatus == .closed
        agent = thread.agent
        queuePosition = thread.queuePosition
        popup = thread.inactivityPopup?.refreshButton.id
    }

    /// The events that bring a client from `told` to this state, in the order in which the platform seems to send
    /// them. Empty for a thread without a contact.
    ///
    /// - Parameter told: nil: the client was told nothing of the thread.
    func pushes(
        since told: ThreadNews?, _ thread: ChatThread, origin: PushOrigin, queue: RoutingQueue, isOnline: Bool,
        ids: ClientIDs
    ) -> [PushEvent] {
        guard let contact = WireContact(thread, ids) else { return [] }
        var events: [PushEvent] = []
        if told?.contactID != contactID, !isClosed {
            events.append(.caseCreated(CaseChanged(origin: origin, contact: contact)))
        }
        if let queuePosition, told?.queuePosition != queuePosition {
            if told?.queuePosition == nil {
                events.append(
                    .caseToRoutingQueueAssignmentChanged(
                        CaseToRoutingQueueAssignmentChanged(origin: origin, contact: contact, routingQueue: queue)))
            }
            events.append(
                .setPositionInQueue(
                    SetPositionInQueue(
                        contactID: contact.id, routingQueue: queue, position: queuePosition, isAnyAgentOnline: isOnline)
                ))
        }
        if told?.agent?.id != agent?.id {
            events.append(
                .caseInboxAssigneeChanged(
                    CaseInboxAssigneeChanged(
                        origin: origin, contact: contact, inboxAssignee: agent.map { WireAgent($0, ids.stable) },
                        previousInboxAssignee: (told?.agent ?? thread.previousAgent).map { WireAgent($0, ids.stable) },
                        routingQueue: queue)))
        }
        if let popup = thread.inactivityPopup, told?.popup != self.popup {
            events.append(
                .messageCreated(
                    MessageCreated(
                        origin: origin, contact: contact,
                        thread: ThreadReference(id: ids.thread(thread.id), name: thread.name ?? ""),
                        message: WireMessage(popup, in: thread, ids))))
        }
        if isClosed, told?.isClosed == false {
            events.append(.caseStatusChanged(CaseChanged(origin: origin, contact: contact)))
        }
        return events
    }
}
