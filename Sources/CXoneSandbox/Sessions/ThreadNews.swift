import ChatModel
import CXoneWire

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
