import Chat
import ChatModel
import ChatStore
import Formats

/// Silent customers of live chats: first a popup asks whether they are there, then the chat is closed.
///
/// Only threads that an agent has taken are watched, and only when their channel had limits at that time. A customer
/// who waits in the queue is never asked.
extension LiveChatWork {
    /// Restarts the time of silence after a message. A message of an agent does so only while no popup is shown: it
    /// does not answer the popup for the customer.
    ///
    /// The caller saves the thread.
    mutating func heard(_ isCustomer: Bool, _ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.agent != nil, isCustomer || record.thread.inactivityPopup == nil,
            try transaction.isWatched(record), let limits = try transaction.inactivity(of: record)
        else { return }
        record.thread.inactivityPopup = nil
        try watch(record, limits, in: transaction)
    }

    /// Applies the customer's answer to the popup: `refresh` goes on with the chat, `expire` closes it. The thread is
    /// saved.
    ///
    /// Throws `illegalThreadState` when no popup is shown.
    mutating func answer(
        _ answer: InactivityAnswer, _ record: inout ThreadRecord, in transaction: WriteTransaction
    ) throws {
        guard record.thread.inactivityPopup != nil else {
            throw ChatError(
                .illegalThreadState, "The thread \(record.thread.id) has no inactivity popup to answer.")
        }
        switch answer {
        case .refresh:
            try heard(true, &record, in: transaction)
            try save(&record, in: transaction)
        case .expire: try close(&record, in: transaction)
        }
    }

    /// Handles a thread whose due time has come: shows the popup, or closes the thread when the popup got no answer
    /// in time.
    ///
    /// When the channel has no limits any more, or the thread is closed or has no agent, the watch ends and a popup
    /// is withdrawn.
    mutating func expire(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard let limits = try transaction.inactivity(of: record), record.thread.canAddMoreMessages,
            record.thread.agent != nil
        else {
            // The channel has no limits now, or nobody handles the thread.
            let wasShown = record.thread.inactivityPopup != nil
            try forget(&record, in: transaction)
            if wasShown { try save(&record, in: transaction) }
            return
        }
        guard record.thread.inactivityPopup == nil else { return try close(&record, in: transaction) }
        let popup = InactivityPopup(limits, in: transaction)
        record.thread.inactivityPopup = popup
        try watch(record, until: popup.endsAt, in: transaction)
        try save(&record, in: transaction)
        try transaction.log(popup, in: record)
    }

    /// Starts the time of silence: the popup is due after `secondsUntilPopup`.
    mutating func watch(_ record: ThreadRecord, _ limits: InactivityLimits, in transaction: WriteTransaction) throws {
        let time = transaction.now.advanced(bySeconds: limits.secondsUntilPopup)
        try watch(record, until: time, in: transaction)
    }

    /// Stores the thread's due time, and notes it so that ``publish(to:_:_:_:)`` sets the timer after the commit.
    private mutating func watch(_ record: ThreadRecord, until time: Timestamp, in transaction: WriteTransaction) throws
    {
        try transaction.watch(record, until: time)
        isDue(at: time)
    }

    /// Ends the watch of a thread and removes its popup. The caller saves the thread.
    func forget(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.inactivityPopup = nil
        try transaction.watch(record, until: nil)
    }
}

extension ReadTransaction {
    /// The limits that the thread's channel has now; nil if it has none or is no live chat.
    func inactivity(of record: ThreadRecord) throws -> InactivityLimits? {
        let channel = try channel(record.owner.key.channel, of: LocalService.serviceID)
        return channel?.mode == .liveChat ? channel?.inactivity : nil
    }
}

extension InactivityPopup {
    /// The popup for these limits. Its two buttons share one `workflowJobId`, as those of CXone do.
    fileprivate init(_ limits: InactivityLimits, in transaction: WriteTransaction) {
        let makeID = transaction.environment.makeID
        let job = makeID()
        // The postback of the popups of CXone: its clients read the member `isExpired`.
        func button(_ text: String, isExpired: Bool) -> Button {
            Button(
                id: makeID(), text: text,
                postback: "{\"type\":\"sessionExpiration\",\"isExpired\":\(isExpired),\"workflowJobId\":\"\(job)\"}")
        }
        self.init(
            title: "Your chat will expire in", message: "You were inactive. Continue?", startedAt: transaction.now,
            numberOfSeconds: limits.secondsUntilEnd, refreshButton: button("Continue", isExpired: false),
            expireButton: button("End chat", isExpired: true))
    }
}
