import Chat
import ChatModel
import ChatStore
import Formats

/// What becomes of customers who are silent: after a while they are asked, and then the chat ends.
///
/// Only those count whom an agent has taken, on a channel that had limits at that time: who waits is not asked why.
extension LiveWork {
    /// A message: the time begins anew. What an agent says does not answer for the customer, who is asked already.
    mutating func heard(_ isCustomer: Bool, _ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.agent != nil, isCustomer || record.thread.inactivityPopup == nil,
              try transaction.isWatched(record), let limits = try transaction.inactivity(of: record) else { return }
        record.thread.inactivityPopup = nil
        try watch(record, limits, in: transaction)
    }

    /// What the customer has answered to the popup: to go on, or to end the chat.
    ///
    /// Throws `illegalThreadState` when nothing was asked.
    mutating func answer(_ answer: InactivityAnswer, _ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.inactivityPopup != nil else {
            throw ChatError(.illegalThreadState, "Nobody asks whether the customer of the thread \(record.thread.id) is there.")
        }
        switch answer {
        case .refresh:
            try heard(true, &record, in: transaction)
            try save(&record, in: transaction)
        case .expire: try close(&record, in: transaction)
        }
    }

    /// The thread's time has come: its customer is asked, or has not answered.
    mutating func expire(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard let limits = try transaction.inactivity(of: record), record.thread.canAddMoreMessages, record.thread.agent != nil
        else {
            // Nothing is asked on this channel any longer.
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

    /// Begins the time of silence anew: the popup is due when the limit is over.
    mutating func watch(_ record: ThreadRecord, _ limits: InactivityLimits, in transaction: WriteTransaction) throws {
        let time = transaction.now.advanced(bySeconds: limits.secondsUntilPopup)
        try watch(record, until: time, in: transaction)
    }

    private mutating func watch(_ record: ThreadRecord, until time: Timestamp, in transaction: WriteTransaction) throws {
        try transaction.watch(record, until: time)
        isDue(at: time)
    }

    /// Nobody waits for the customer any more; the popup goes.
    func forget(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.inactivityPopup = nil
        try transaction.watch(record, until: nil)
    }
}

extension ReadTransaction {
    /// The limits of the thread's channel; nil if it has none.
    func inactivity(of record: ThreadRecord) throws -> InactivityLimits? {
        let channel = try channel(record.owner.key.channel, of: LocalService.serviceID)
        return channel?.mode == .liveChat ? channel?.inactivity : nil
    }
}

extension InactivityPopup {
    fileprivate init(_ limits: InactivityLimits, in transaction: WriteTransaction) {
        let makeID = transaction.environment.makeID
        let job = makeID()
        // The spelling of the platform's own popups: its clients look for `isExpired`.
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
