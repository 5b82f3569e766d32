import ChatModel
import Formats

/// What a unit of work may do: read, change rows, and log the changes.
///
/// It is valid only inside the unit, on the writer's thread. All changes and events of a unit commit together.
public final class WriteTransaction: ReadTransaction {
    package private(set) var events: [LogEvent] = []
    package private(set) var head: Int64
    package private(set) var touchedThreads: Set<Int64> = []
    /// Numbers of messages whose text must leave the ring after the commit, and offsets of events that must.
    package private(set) var scrubbed: [Int64] = []
    /// Attachments whose rows are deleted; their files are deleted after the commit.
    private(set) var discardedFiles: [String] = []
    package let firstHead: Int64
    /// The message that the unit has added last, and its JSON.
    var newest: (number: Int64, json: [UInt8])?
    let packer = JSONPacker()
    let epoch: String
    public let environment: ModelEnvironment

    /// Who makes the changes of the unit: the events that it logs name this actor. Nil where nobody says.
    ///
    /// Each unit begins without one.
    public var actor: Author?

    /// What the unit has done until now, if anybody hears of it; see ``Deed``.
    var deeds: [Deed]?

    private struct Mark {
        var events: Int, head: Int64, scrubbed: Int, discardedFiles: Int
        /// How many rows were changed on the connection before the unit.
        var changes: Int
    }
    private var mark: Mark?

    /// - Parameter cursor: the log's head: offsets go on from there. The head is stored with each
    ///   group, in its transaction, which is what AUTOINCREMENT would do for each row.
    init(db: DatabaseSession, hot: HotRows, cursor: ChatModel.Cursor, environment: ModelEnvironment) {
        head = cursor.offset
        firstHead = head
        epoch = cursor.epoch
        now = environment.now()
        self.environment = environment
        super.init(db: db, hot: hot)
    }

    /// Writes on a connection to another engine, inside a transaction that keeps all other writers out.
    package convenience init(
        writing session: any EngineSession, hot: HotRows, cursor: ChatModel.Cursor, environment: ModelEnvironment
    ) {
        self.init(db: .engine(session), hot: hot, cursor: cursor, environment: environment)
    }

    /// The time at which the unit began. It stays the same within a unit.
    public private(set) var now: Timestamp

    // MARK: Units

    /// Begins a unit.
    package func begin() {
        hot?.begin()
        now = environment.now()
        actor = nil
        newest = nil
        mark = Mark(
            events: events.count, head: head, scrubbed: scrubbed.count, discardedFiles: discardedFiles.count,
            changes: db.totalChangesCount)
    }

    /// Begins a unit, so that its changes can be undone without those of the units before it.
    package func savepoint() throws {
        try db.run("SAVEPOINT unit")
        begin()
    }

    /// Whether the unit has changed anything yet. Touched threads do not count: they only lose their kept pages.
    package var hasChanges: Bool {
        guard let mark else { return true }
        return db.totalChangesCount != mark.changes || head != mark.head || events.count != mark.events
            || scrubbed.count != mark.scrubbed || discardedFiles.count != mark.discardedFiles
    }

    /// Ends a unit that has succeeded.
    package func release() throws { try db.run("RELEASE unit") }

    /// Ends a unit that has failed, and undoes its rows, events and offsets.
    package func rollBack() throws {
        try db.run("ROLLBACK TO unit")
        try release()
        hot?.undo()
        guard let mark else { return }
        events.removeSubrange(mark.events...)
        scrubbed.removeSubrange(mark.scrubbed...)
        discardedFiles.removeSubrange(mark.discardedFiles...)
        head = mark.head
    }

    /// Stores the digest of the gateway's present token. Gateways that share the database compare their tokens with it.
    package func keepTokenDigest(_ digest: Int64) throws { try setMeta("token", digest) }

    /// Stores a number that there is once in the database.
    func setMeta(_ name: String, _ value: Int64) throws {
        try db.run(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.text(name), .integer(value)])
    }

    /// Stores the offset of the last event; called once for a group of units, before the commit.
    func writeHead() throws {
        guard head != firstHead else { return }
        try db.run("UPDATE meta SET value = ? WHERE name = 'head'", [.integer(head)])
    }

    /// Writes about as much as a send does, to see whether writing works. The size changes with the time, because
    /// SQLite does not write a value that stays equal. PostgreSQL would find room for a small row on a page that it has.
    func probe() throws {
        guard case .lite = db else {
            try keepPart(0, of: "probe", bytes: [UInt8](repeating: 0, count: FilePart.size))
            return try removeParts(of: "probe")
        }
        try db.run(
            "INSERT INTO meta (name, value) VALUES ('probe', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.blob([UInt8](repeating: 0, count: 32_768 + Int(now.milliseconds % 4096)))])
    }

    /// Runs a part of the unit for another actor: what follows by itself from somebody's change.
    public func acting<T>(as actor: Author?, _ work: () throws -> T) rethrows -> T {
        let before = self.actor
        self.actor = actor
        defer { self.actor = before }
        return try work()
    }

    /// What the unit's events say of their cause: who, and nothing changed.
    var cause: EventCause { EventCause(actor: actor) }

    /// The same with the names of what changed.
    func cause(_ changed: [String]) -> EventCause { EventCause(actor: actor, changed: changed) }

    // MARK: The log

    /// The offset that the next event will have; a message takes it as its arrival number.
    var nextOffset: Int64 { head + 1 }

    /// Takes an offset as the arrival number of a row that is not news. The log has no event at this offset.
    func takeOffset() -> Int64 {
        head += 1
        return head
    }

    /// Appends an event to the log, to be published after the commit. Returns its offset.
    ///
    /// - Parameters:
    ///   - message: the number of the message whose text the data contains, so that removing the message finds the
    ///     event.
    ///   - owner: the account of the thread.
    ///   - fields: what the log stores by reference only.
    ///   - team: what the desk alone sees of the thread that the event carries.
    @discardableResult
    func append<Event: FeedEvent>(
        _ event: Event, owner: AccountRecord, message: Int64?, members: [AudienceMember],
        without fields: GreatFields? = nil, team: [UInt8] = []
    ) throws -> Int64 {
        let data = event.data
        head += 1
        let stored = stored(fields?.replaced(in: data) ?? data, team: team, message: message)
        try db.append(
            [
                .integer(head), .integer(now.milliseconds), .text(Event.name), .integer(owner.number),
                .optional(message), .blob(members.packed), .blob(stored),
            ], to: Self.log)
        for member in members {
            guard let number = member.audience.number else { continue }
            try db.append([.integer(number), .integer(head)], to: Self.audience)
        }
        // What is logged of a message after its text was taken away does not have the text: it stays in the ring.
        let carried = message.flatMap { scrubbed.contains($0) ? nil : $0 }
        events.append(
            LogEvent(
                cursor: ChatModel.Cursor(epoch: epoch, offset: head), type: Event.type, data: data, members: members,
                deskMembers: owner.deskMembers, team: team, owner: owner.key.owner, message: carried, at: now,
                storedByteCount: stored.count))
        return head
    }

    private static let log = RowTable(
        "log", ["place", "at", "type", "owner", "message", "audience", "data"], doublings: 3)
    private static let audience = RowTable("audience", ["account", "place"], doublings: 4)

    /// Removes a message's text from the log, and after the commit from the ring.
    ///
    /// Events that contain it are deleted, because a later event of the same thread tells the current state. Only
    /// `thread.created` stays, without the last message: no other event tells a new member of the thread.
    func scrub(message: Int64) throws {
        let rows = try db.all(
            "SELECT place, audience, type, data, \(StoredEvent.base) FROM log WHERE message = ?", [.integer(message)]
        ) { row in
            let isKept = row.text(2) == EventType.threadCreated.rawValue
            return (
                offset: row.integer(0), members: [AudienceMember](packed: row.blob(1)),
                kept: isKept ? try row.event(3, base: 4) : nil
            )
        }
        for row in rows {
            if let event = row.kept, let data = try withoutLastMessage(event.data, team: event.team) {
                try db.run(
                    "UPDATE log SET message = NULL, data = ? WHERE place = ?", [.blob(data), .integer(row.offset)])
            } else {
                try db.deleteLogRow(row.offset, members: row.members)
            }
        }
        try scrubDeliveries(message: message)
        scrubbed.append(message)
    }

    /// See ``LogEvent/withoutLastMessage(_:)``; here as the log stores it.
    private func withoutLastMessage(_ event: [UInt8], team: [UInt8]) throws -> [UInt8]? {
        guard var data = LogEvent.withoutLastMessage(try db.whole(event)) else { return nil }
        if let (_, thread) = GreatFields.reference(in: event) {
            let fields = try ThreadCreatedEvent(canonicalJSON: data).thread.value.customFields
            data = GreatFields(thread: thread, fields).replaced(in: data)
        }
        return stored(data, team: team, message: nil)
    }

    /// Takes an event that was deleted from the log out of the ring, too, after the commit. Offsets and the numbers of
    /// messages are from one sequence, so they never meet.
    func scrub(event offset: Int64) { scrubbed.append(offset) }

    /// Makes the writer delete files after the commit.
    func discard(files ids: [String]) { discardedFiles += ids }

    /// Makes the pages of a thread that are kept in memory invalid after the commit.
    func touch(thread: Int64) { touchedThreads.insert(thread) }
}

extension DatabaseSession {
    /// Deletes an event with its audience rows. The members are needed because the audience's key begins with the
    /// account.
    func deleteLogRow(_ offset: Int64, members: [AudienceMember]) throws {
        for member in members {
            guard let number = member.audience.number else { continue }
            try run("DELETE FROM audience WHERE account = ? AND place = ?", [.integer(number), .integer(offset)])
        }
        try run("DELETE FROM log WHERE place = ?", [.integer(offset)])
    }
}

extension ReadTransaction {
    /// Whether a piece of work was marked as done in this database.
    public func isDone(_ name: String) throws -> Bool { try meta("done." + name) != 0 }
}

extension WriteTransaction {
    /// Marks a piece of work as done, for as long as the database lives. The mark commits with the unit, so work and
    /// mark are stored together or not at all.
    ///
    /// - Parameter name: names the work in this database, such as `demo.channels`.
    public func markDone(_ name: String) throws {
        try setMeta("done." + name, 1)
    }
}
