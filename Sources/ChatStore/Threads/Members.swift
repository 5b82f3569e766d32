import ChatModel
import Formats

/// Who takes part in a thread, and who no longer does.
extension WriteTransaction {
    /// Throws `threadIdConflict` when the account has a thread of this id.
    func checkThreadID(_ id: String, of account: AccountRecord) throws {
        guard try hasThread(id, of: account.number) else { return }
        throw ChatError(
            .threadIdConflict, "The account of \(account.key.customer) has a thread of this id.", pointer: "/id")
    }

    /// Adds a thread of several members that the desk knows from the start. The first member is its owner.
    ///
    /// Nothing is logged yet: saving it as `thread.created` tells every member once. Throws `threadIdConflict`.
    public func insert(
        _ thread: ChatThread, members: [(account: AccountRecord, state: MemberState)]
    ) throws -> ThreadRecord {
        var record = try insert(thread, owner: members[0].account)
        record.isKnownToDesk = true
        record.members[0].state = members[0].state
        try saveMembership(record.members[0], in: record)
        for member in members.dropFirst() { try add(member.account, as: member.state, to: &record) }
        return record
    }

    /// Adds a member, for whom all earlier messages count as read. The caller saves the thread. Throws
    /// `threadIdConflict`.
    public func add(_ account: AccountRecord, as state: MemberState, to record: inout ThreadRecord) throws {
        try checkThreadID(record.thread.id, of: account)
        let read = try newestPosition(in: record)
        hot?.forget(thread: record.number)
        try db.run(
            """
            INSERT INTO member (account, thread, id, isClosed, activity, readAt, readTo, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(account.number), .integer(record.number), .text(record.thread.id),
                .flag(record.thread.state == .closed),
                .integer(record.thread.lastActivityAt.milliseconds), .integer(read.createdAt), .integer(read.number),
                .text(state.rawValue),
            ])
        // Who was here before, and had reset the history, sees another list of messages from now on.
        record.messagesVersion = nextOffset
        let index = record.members.firstIndex { $0.account > account.number } ?? record.members.count
        record.members.insert(MemberRecord(account: account.number, read: read, state: state), at: index)
        // The new row has none of them.
        record.storedKeys = nil
    }

    /// Removes a member, and logs `thread.removed` for that account, which gets no later event of the thread. The
    /// caller saves the thread, which tells the others.
    public func remove(member account: Int64, from record: inout ThreadRecord) throws {
        hot?.forget(thread: record.number)
        try db.run(
            "DELETE FROM member WHERE account = ? AND id = ?", [.integer(account), .text(record.thread.id)])
        record.members.removeAll { $0.account == account }
        try append(
            ThreadRemovedEvent(threadID: record.thread.id, by: cause), owner: record.owner, message: nil,
            members: [AudienceMember(.account(account))])
        // Pages that were kept for the account are no longer its own.
        touch(thread: record.number)
    }

    /// Writes state, visibility and history reset of a member; saving the thread writes the rest.
    public func saveMembership(_ member: MemberRecord, in record: ThreadRecord) throws {
        hot?.forget(thread: record.number)
        try db.run(
            "UPDATE member SET state = ?, isHidden = ?, historyResetAt = ? WHERE account = ? AND id = ?",
            [
                .text(member.state.rawValue), .flag(member.isHidden), .optional(member.historyResetAt?.milliseconds),
                .integer(member.account), .text(record.thread.id),
            ])
    }

    /// Saves a thread with new members: they get `thread.created`, all others `thread.updated`.
    public func save(_ record: inout ThreadRecord, announcingTo accounts: [Int64], withDesk: Bool) throws {
        try renewPeople(of: &record)
        func isNew(_ member: AudienceMember) -> Bool { accounts.contains { member.audience == .account($0) } }
        let audience = record.audience(withDesk: withDesk)
        if !accounts.isEmpty {
            let fields = try storeGreatFields(of: &record)
            try append(
                ThreadCreatedEvent(Encoded(record.thread), by: cause), of: record, to: audience.filter(isNew),
                without: fields)
        }
        try save(&record, logging: .threadUpdated, to: audience.filter { !isNew($0) })
    }
}

extension ReadTransaction {
    /// The place of the newest message, in the conversation or outside it; ``MessagePosition/start`` if there is none.
    public func newestPosition(in thread: ThreadRecord) throws -> MessagePosition {
        let newest = try db.first(
            "SELECT createdAt, number FROM message WHERE thread = ? AND isInThread = 1 ORDER BY createdAt DESC, number DESC LIMIT 1",
            [.integer(thread.number)]
        ) { MessagePosition(createdAt: $0.integer(0), number: $0.integer(1)) }
        return max(try newestAside(in: thread) ?? .start, newest ?? .start)
    }
}

extension Membership {
    /// For a statement that reads `member`.
    static let columns = "member.unread, member.state, member.isHidden, member.historyResetAt, member.readAt"

    /// - Parameter column: where ``columns`` begin.
    init(row: SQLRow, from column: Int32) {
        self.init(
            unreadCount: Int(row.integer(column)),
            lastReadAt: MessagePosition(createdAt: row.integer(column + 4), number: 0).time,
            state: MemberState(rawValue: row.text(column + 1)) ?? .joined, isHidden: row.flag(column + 2),
            historyResetAt: row.isNull(column + 3) ? nil : Timestamp(milliseconds: row.integer(column + 3)))
    }
}

extension ReadTransaction {
    /// The unread messages of all open threads that the account has joined and not hidden, and in how many threads
    /// they are.
    public func unreadTotal(of account: Int64) throws -> UnreadTotal {
        // With these very terms the index `member_unread` serves it.
        try db.first(
            """
            SELECT CAST(coalesce(sum(unread), 0) AS bigint), count(*) FROM member
            WHERE account = ? AND unread > 0 AND isClosed = 0 AND isHidden = 0 AND state = 'joined'
            """, [.integer(account)]
        ) { UnreadTotal(unreadCount: Int($0.integer(0)), threadCount: Int($0.integer(1))) } ?? .zero
    }
}
