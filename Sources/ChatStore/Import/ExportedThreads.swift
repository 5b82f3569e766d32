import ChatModel
import Formats

/// Exported conversations: everything of each but its messages and notes. An import reads the same shape.
extension ReadTransaction {
    /// Threads that the rows of one page pass over, at most.
    private static let passed = 2000

    /// A page of the desk's threads that had an open contact at some moment of a time, in the order in which they came here:
    /// what happens meanwhile moves none. A page may be short, even empty, and `next` still leads on.
    ///
    /// Throws `invalidParameter` for a cursor of another list.
    ///
    /// - Parameter channels: only of these channels; nil for all.
    public func exportedPage(within channels: Set<String>?, _ request: PageRequest) throws -> PageBytes {
        var last: Int64 = 0
        if let cursor = try request.parsedCursor(of: .exported) {
            guard case .newer(let position) = cursor else { throw PageRequest.badCursor }
            last = position.number
        }
        var found: (numbers: [Int64], next: Int64?) = ([], nil)
        if channels?.isEmpty != true { found = try exported(within: channels, after: last, request) }
        let records = try threads(numbered: found.numbers)
        let contacts = try self.contacts(of: found.numbers)
        let names = Dictionary(try tags().map { ($0.id, $0) }) { first, _ in first }
        var (items, bytes, next) = ([[UInt8]](), 0, found.next)
        for record in records {
            if bytes > request.bytes, let before = records.firstIndex(where: { $0.number == record.number }) {
                next = records[before - 1].number
                break
            }
            items.append(record.exported(contacts[record.number] ?? [], names))
            bytes += items.last?.count ?? 0
        }
        return PageBytes(
            offset: try headOffset(), items: items, of: .exported, version: try lastOffset(of: .desk),
            next: next.map { .newer(MessagePosition(createdAt: 0, number: $0)) }, prev: nil)
    }

    /// The numbers of threads, and behind which to go on; nil at the end.
    private func exported(
        within channels: Set<String>?, after last: Int64, _ request: PageRequest
    ) throws -> (numbers: [Int64], next: Int64?) {
        var (numbers, passed, place) = ([Int64](), 0, last)
        // Channels are looked at here: no index has a channel's threads in this order.
        try db.query(
            """
            SELECT thread.number, thread.channel, CAST(CASE WHEN EXISTS (
                SELECT 1 FROM contact WHERE contact.thread = thread.number AND contact.openedAt < ?
                AND (contact.closedAt IS NULL OR contact.closedAt >= ?)
            ) THEN 1 ELSE 0 END AS bigint)
            FROM thread WHERE thread.number > ? AND thread.isKnownToDesk = 1 ORDER BY thread.number LIMIT ?
            """,
            [
                .integer(request.times.until?.milliseconds ?? .max),
                .integer(request.times.since?.milliseconds ?? .min), .integer(last), .integer(Int64(Self.passed)),
            ]
        ) { row in
            (passed, place) = (passed + 1, row.integer(0))
            if row.integer(2) == 1, channels?.contains(row.text(1)) != false { numbers.append(row.integer(0)) }
            return numbers.count < request.limit
        }
        return (numbers, numbers.count == request.limit || passed == Self.passed ? place : nil)
    }

    /// The contacts of threads, each thread's in their order.
    private func contacts(of threads: [Int64]) throws -> [Int64: [ContactFigures]] {
        guard !threads.isEmpty else { return [:] }
        let list = Placeholders(threads.map(SQLValue.integer))
        var found: [Int64: [ContactFigures]] = [:]
        try db.query(
            """
            SELECT \(ContactFigures.columns), contact.thread
            FROM contact LEFT JOIN thread ON thread.number = contact.thread AND contact.closedAt IS NULL
            WHERE contact.thread IN \(list.sql) ORDER BY contact.thread, contact.openedAt, contact.number
            """, list.values
        ) { row in
            found[row.integer(ContactFigures.columnCount), default: []].append(try ContactFigures(row: row))
            return true
        }
        return found
    }
}

extension ThreadRecord {
    /// - Parameter names: the desk's tags by their ids.
    fileprivate func exported(_ contacts: [ContactFigures], _ names: [String: DeskTag]) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("id", thread.id)
        json.member("channel", owner.key.channel)
        json.name("customer")
        owner.customer.encodeForExport(to: &json)
        let others = thread.members.filter { !$0.id.hasSameBytes(as: owner.customer.id) }
        if !others.isEmpty {
            json.name("members")
            json.beginArray()
            for customer in others { customer.encodeForExport(to: &json) }
            json.endArray()
        }
        json.member("name", thread.name)
        json.member("customType", thread.customType)
        if !thread.customFields.isEmpty { json.member("customFields", thread.customFields) }
        json.member("state", thread.state == .closed ? "closed" : "ready")
        json.member("createdAt", thread.createdAt)
        if let agent = thread.agent { json.member("agent", agent) }
        if let agent = thread.previousAgent { json.member("previousAgent", agent) }
        if !team.tags.isEmpty { Self.encode(team.tags, names, to: &json) }
        if let rating = thread.rating { json.member("rating", rating) }
        json.name("contacts")
        json.beginArray()
        for contact in contacts { contact.encodeForExport(names, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    fileprivate static func encode(_ tags: [String], _ names: [String: DeskTag], to json: inout JSONWriter) {
        json.name("tags")
        json.beginArray()
        for id in tags {
            json.beginObject()
            json.member("id", id)
            json.member("name", names[id]?.name)
            json.member("colour", names[id]?.colour.rawValue)
            json.endObject()
        }
        json.endArray()
    }
}

extension Customer {
    /// Without former ids: they lead to sessions of this gateway.
    fileprivate func encodeForExport(to json: inout JSONWriter) {
        var customer = self
        customer.formerIDs = []
        customer.encode(to: &json)
    }
}

extension ContactFigures {
    fileprivate func encodeForExport(_ names: [String: DeskTag], to json: inout JSONWriter) {
        json.beginObject()
        json.member("openedAt", openedAt)
        if let closedAt { json.member("closedAt", closedAt) }
        json.member("closedBy", closedBy)
        if let firstAnswerAt { json.member("firstAnswerAt", firstAnswerAt) }
        json.member("firstAnswerBy", firstAgent)
        json.member("lastAnswerBy", lastAgent)
        json.member("messagesIn", Int(messagesIn))
        json.member("messagesOut", Int(messagesOut))
        if isReopened { json.member("reopened", true) }
        if let score { json.member("score", score) }
        if closedAt != nil { ThreadRecord.encode(tags, names, to: &json) }
        if let firstAnswerOpen { json.member("firstAnswerOpenMilliseconds", Int(firstAnswerOpen)) }
        if let resolutionOpen { json.member("resolutionOpenMilliseconds", Int(resolutionOpen)) }
        json.endObject()
    }
}
