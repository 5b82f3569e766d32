import ChatModel
import Formats

/// The routed work items inside threads (CXone's contact, case, consumerContact).
extension WriteTransaction {
    /// Opens a contact, whose id becomes `contactID`, unless the thread has an open one. The caller saves the thread.
    ///
    /// A contact of a thread that was closed notes which one it goes on with.
    ///
    /// - Parameter time: of its first message, or of its beginning.
    public func openContact(for record: inout ThreadRecord, at time: Timestamp) throws {
        guard record.thread.contactID == nil || record.thread.contactClosedAt != nil else { return }
        let former = record.thread.contactClosedAt == nil ? nil : record.thread.contactID.flatMap { Int64($0) }
        let number = try db.insert(
            "INSERT INTO contact (thread, openedAt, channel, reopenedFrom) VALUES (?, ?, ?, ?) RETURNING number",
            [
                .integer(record.number), .integer(time.milliseconds), .text(record.owner.key.channel),
                .optional(record.isReopened ? former : nil),
            ])
        record.isReopened = false
        (record.messagesIn, record.messagesOut, record.answeredBy) = (0, 0, nil)
        record.thread.contactID = "\(number)"
        record.thread.contactClosedAt = nil
        record.thread.rating = nil
    }

    /// Closes the thread's contact if one is open; `contactID` keeps its value. The caller saves the thread.
    public func closeContact(of record: inout ThreadRecord) throws {
        guard let number = record.thread.contactID.flatMap({ Int64($0) }), record.thread.contactClosedAt == nil else {
            return
        }
        let tags = record.team.tags
        var json = JSONWriter()
        json.beginArray()
        for tag in tags { json.value(tag) }
        json.endArray()
        try db.run(
            """
            UPDATE contact SET closedAt = ?, closedBy = ?, lastAgent = ?, messagesIn = ?, messagesOut = ?, tags = ?,
                resolutionOpen = ?
            WHERE number = ?
            """,
            [
                .integer(now.milliseconds),
                .optional(actor.flatMap { $0.kind == .agent || $0.kind == .bot ? $0.id : nil }),
                .optional(record.answeredBy), .integer(record.messagesIn), .integer(record.messagesOut),
                tags.isEmpty ? .null : .blob(json.bytes),
                .optional(try openTime(ofContact: number, of: record, until: now)), .integer(number),
            ])
        record.thread.contactClosedAt = now
    }
}

/// What is kept of a contact for the reports.
extension WriteTransaction {
    /// Counts a new message of the conversation. What the system says is no answer, and the first answer is a person's, not
    /// a bot's. The caller saves the thread.
    ///
    /// - Parameter waitingSince: since when the customer had waited before this message; nil for not at all.
    public func countInContact(
        _ message: Message, of record: inout ThreadRecord, waitingSince: Timestamp?
    ) throws {
        guard message.direction == .toClient else { return record.messagesIn += 1 }
        guard message.author.kind != .system else { return }
        record.messagesOut += 1
        guard message.author.kind == .agent else { return }
        let isFirst = record.answeredBy == nil
        let waited = waitingSince.map { max(0, message.createdAt.milliseconds - $0.milliseconds) }
        if isFirst || waited != nil, let number = record.thread.contactID.flatMap({ Int64($0) }) {
            let open = isFirst ? try openTime(ofContact: number, of: record, until: message.createdAt) : nil
            try db.run(
                """
                UPDATE contact SET firstAnswerAt = coalesce(firstAnswerAt, ?1), firstAgent = coalesce(firstAgent, ?2),
                    firstAnswerOpen = coalesce(firstAnswerOpen, ?3), waits = waits + ?4, waited = waited + ?5,
                    longestWait = CASE WHEN longestWait < ?5 THEN ?5 ELSE longestWait END
                WHERE number = ?6
                """,
                [
                    .integer(message.createdAt.milliseconds), .text(message.author.id), .optional(open),
                    .integer(waited == nil ? 0 : 1), .integer(waited ?? 0), .integer(number),
                ])
        }
        record.answeredBy = message.author.id
    }

    /// How much time since the opening of a contact lies in its channel's hours, in milliseconds. Nil for a channel that is
    /// open at any hour, and for hours in a time zone that this machine does not have.
    ///
    /// It is stored, so that hours which change later change no report.
    private func openTime(ofContact number: Int64, of record: ThreadRecord, until end: Timestamp) throws -> Int64? {
        let key = record.owner.key
        guard let hours = try channel(key.channel, of: key.service)?.hours, hours.mode.followsHours,
            let zone = environment.timeZone(hours.timeZone),
            let openedAt = try db.first(
                "SELECT openedAt FROM contact WHERE number = ?", [.integer(number)], { $0.integer(0) })
        else { return nil }
        return hours.length(from: Timestamp(milliseconds: openedAt), until: end, in: zone)
    }

    /// Notes how the customer has rated the thread's last contact; nil for not at all.
    public func noteRating(_ rating: Rating?, of record: ThreadRecord) throws {
        guard let number = record.thread.contactID.flatMap({ Int64($0) }) else { return }
        try db.run(
            "UPDATE contact SET score = ? WHERE number = ?",
            [.optional(rating.map { Int64($0.score) }), .integer(number)])
    }
}

/// When something is to happen to a live chat whose customer is silent; each has one such time at most.
extension ReadTransaction {
    /// The earliest due time of all live chats; nil if none is watched.
    public func nextInactivity() throws -> Timestamp? {
        try db.first("SELECT min(dueAt) FROM inactivity") {
            $0.isNull(0) ? nil : Timestamp(milliseconds: $0.integer(0))
        } ?? nil
    }

    /// Whether the thread has a due time: its customer's silence is measured.
    public func isWatched(_ record: ThreadRecord) throws -> Bool {
        try db.first("SELECT 1 FROM inactivity WHERE thread = ?", [.integer(record.number)]) { _ in true } ?? false
    }

    /// At most `limit` threads whose due time has come, the earliest first.
    public func dueForInactivity(at time: Timestamp, limit: Int) throws -> [ThreadRecord] {
        try threads(
            numbered: db.all(
                "SELECT thread FROM inactivity WHERE dueAt <= ? ORDER BY dueAt, thread LIMIT ?",
                [.integer(time.milliseconds), .integer(Int64(limit))]
            ) { $0.integer(0) })
    }
}

extension WriteTransaction {
    /// Sets the due time of a thread, in place of the one before; nil ends the watch.
    public func watch(_ record: ThreadRecord, until time: Timestamp?) throws {
        if let time {
            try db.run(
                "INSERT INTO inactivity (thread, dueAt) VALUES (?, ?) ON CONFLICT (thread) DO UPDATE SET dueAt = excluded.dueAt",
                [.integer(record.number), .integer(time.milliseconds)])
        } else {
            try db.run("DELETE FROM inactivity WHERE thread = ?", [.integer(record.number)])
        }
    }

    /// Moves due times after the system clock was set by this many milliseconds, so that they keep their distance
    /// from now.
    ///
    /// Due times that were stored after the change are already right. They cannot be told apart for certain: after a
    /// step back, those before the middle of the step are left alone; after a step forward, those in the future.
    public func moveInactivity(by milliseconds: Int64) throws {
        let condition = milliseconds < 0 ? "dueAt >= ?2" : "dueAt < ?2"
        let border = milliseconds < 0 ? now.milliseconds - milliseconds / 2 : now.milliseconds
        try db.run(
            "UPDATE inactivity SET dueAt = dueAt + ?1 WHERE \(condition)", [.integer(milliseconds), .integer(border)])
    }

    /// Logs `proactive` for the thread's customers, so that they show the popup. The desk does not get it.
    public func log(_ popup: InactivityPopup, in record: ThreadRecord) throws {
        let event = ProactiveEvent(.inactivityPopup(popup, threadID: record.thread.id))
        try append(event, owner: record.owner, message: nil, members: record.audience(withDesk: false))
    }
}

/// What of an open contact's conversation decides since when its customer waits.
public struct OpenQuestions: Sendable, Equatable {
    /// When the customer's first message behind the last answer was created; nil if the last word is an answer.
    public var firstUnanswered: Timestamp?
    /// When the customer's last message was created, answered or not.
    public var last: Timestamp?
    /// Who has given the last answer; nil if there is none. What the system says is no answer.
    public var lastAnswerer: Author.Kind?

    /// The most messages that one look goes back. Of more questions without an answer the oldest one seen counts.
    static let limit: Int64 = 1000
}

extension ReadTransaction {
    /// Looks back through the conversation of the thread's open contact. Nil if no contact is open.
    public func openQuestions(in record: ThreadRecord) throws -> OpenQuestions? {
        guard record.thread.contactClosedAt == nil, let contact = record.thread.contactID.flatMap({ Int64($0) }),
            let openedAt = try db.first(
                "SELECT openedAt FROM contact WHERE number = ?", [.integer(contact)], { $0.integer(0) })
        else { return nil }
        var questions = OpenQuestions()
        try db.query(
            """
            SELECT createdAt, isToAgent, type, json FROM message
            WHERE thread = ? AND isInThread = 1 AND createdAt >= ? ORDER BY createdAt DESC, number DESC LIMIT ?
            """, [.integer(record.number), .integer(openedAt), .integer(OpenQuestions.limit)]
        ) { row in
            let time = Timestamp(milliseconds: row.integer(0))
            if row.flag(1) {
                questions.last = questions.last ?? time
                if questions.lastAnswerer == nil { questions.firstUnanswered = time }
            } else if questions.lastAnswerer == nil, row.text(2) != MessageType.admin.rawValue {
                let author = try Message(canonicalJSON: row.blob(3)).author.kind
                if author != .system { questions.lastAnswerer = author }
            }
            return questions.lastAnswerer == nil || questions.last == nil
        }
        return questions
    }
}
