import ChatModel

/// What a unit has done to a thread or a message, with what was there before.
///
/// Events tell readers what is there now. Who stands between readers and the store, as a stand-in for another platform
/// does, has to know what became another, and must add to the unit: see ``ChatStore/hear(_:)``.
public enum Deed: Sendable {
    case threadMade(ThreadRecord)
    /// Thread and members were as `from` and `members` before.
    case threadChanged(ThreadRecord, from: ChatThread, members: [MemberRecord])
    case threadRemoved(ThreadRecord)
    case messageSent(MessageRecord, ThreadRecord)
    /// The members of these names have other values.
    case messageChanged(MessageRecord, ThreadRecord, changes: [String])
    /// Of a message with replies, an empty one stays.
    case messageRemoved(MessageRecord, ThreadRecord)

    /// The thread as it was saved.
    public var thread: ThreadRecord {
        switch self {
        case .threadMade(let thread), .threadChanged(let thread, _, _), .threadRemoved(let thread): thread
        case .messageSent(_, let thread), .messageChanged(_, let thread, _), .messageRemoved(_, let thread): thread
        }
    }
}

/// Is called inside a unit, at its end. It gets what the unit has done, in the order in which it was done. When a unit runs
/// twice, this is called twice.
public typealias DeedHearer = @Sendable (_ deeds: [Deed], WriteTransaction) throws -> Void

extension WriteTransaction {
    /// Runs a unit, and lets the hearer add to it.
    func run<T>(heardBy hearer: DeedHearer?, _ unit: (WriteTransaction) throws -> T) throws -> T {
        guard let hearer else { return try unit(self) }
        deeds = []
        defer { deeds = nil }
        let result = try unit(self)
        if let done = deeds, !done.isEmpty { try hearer(done, self) }
        return result
    }

    /// Appends what another program is told of a thread's change. It goes to whoever delivers it, and to nobody else.
    ///
    /// - Parameter message: the message whose text is in it. When that is removed, it is not told any more.
    public func log(
        _ event: CallbackEvent, of thread: ThreadRecord, message: Int64?, to account: AccountRecord
    ) throws {
        try append(
            event, owner: thread.owner, message: message, members: [AudienceMember(.account(account.number))])
    }
}
