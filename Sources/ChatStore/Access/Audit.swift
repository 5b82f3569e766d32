import ChatModel
import Formats

/// Something that was done, or refused, and by whom: before it is written down.
public struct NewAuditEntry: Sendable, Equatable {
    /// Who, as requests name holders, such as `gateway`, `key:<id>` or `person:<id>`.
    public var actor: String
    /// The actor's name at that time.
    public var actorName: String
    /// What, as an area, a dot and a verb, such as `key.made`.
    public var action: String
    /// What or whom it was done to, by id.
    public var subject: String
    /// A JSON text that says more. What is longer than ``AuditEntry/detailByteCount`` is cut.
    public var detail: [UInt8]
    /// Where the request came from.
    public var address: String

    public init(
        actor: String, actorName: String, action: String, subject: String,
        detail: [UInt8] = Array("{}".utf8),
        address: String = ""
    ) {
        self.actor = actor
        self.actorName = actorName
        self.action = action
        self.subject = subject
        self.detail = detail
        self.address = address
    }
}

/// A row of `audit`.
public struct AuditEntry: Sendable, Equatable {
    /// How many bytes of detail are kept.
    public static let detailByteCount = 4096
    /// How many code points of each other text are kept.
    public static let textLength = 256

    /// Each entry has a greater number than the one before. No number is used twice.
    public var number: Int64
    public var at: Timestamp
    public var actor: String
    public var actorName: String
    public var action: String
    public var subject: String
    /// A JSON text. Where it was cut, an object has the member `isCut`, and a text ends with an ellipsis.
    public var detail: [UInt8]
    public var address: String

    fileprivate static let columns = "number, at, actor, actorName, action, subject, detail, address"

    fileprivate init(row: SQLRow) {
        number = row.integer(0)
        at = Timestamp(milliseconds: row.integer(1))
        actor = row.text(2)
        actorName = row.text(3)
        action = row.text(4)
        subject = row.text(5)
        detail = row.blob(6)
        address = row.text(7)
    }
}

extension WriteTransaction {
    /// Writes down what the unit does. Entry and change commit together.
    ///
    /// Throws `invalidData` for a detail that is no JSON.
    public func audit(_ entry: NewAuditEntry) throws {
        let texts = [entry.actor, entry.actorName, entry.action, entry.subject, entry.address].map {
            text in
            // What somebody else wrote: PostgreSQL has no text with U+0000.
            SQLValue.text(
                text.cut(toScalars: AuditEntry.textLength).text.escapingScalars {
                    $0 == "\0" ? "\u{FFFD}" : nil
                })
        }
        let detail: [UInt8]
        do {
            detail = try AuditDetail.cut(entry.detail, to: AuditEntry.detailByteCount)
        } catch {
            throw ChatError(.invalidData, "The detail of an audit entry must be JSON.")
        }
        try db.run(
            """
            INSERT INTO audit (at, actor, actorName, action, subject, address, detail) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, [.integer(now.milliseconds)] + texts + [.blob(detail)])
    }

    /// Removes the oldest entries: those from before a time, and those that are too many. Returns how many it has removed;
    /// call it again when it was as many as it may.
    @discardableResult
    public func trimAudit(
        olderThan time: Timestamp, keeping most: Int64 = 1_000_000, atMost limit: Int = 200
    ) throws -> Int {
        let last = try db.first("SELECT max(number) FROM audit") { $0.integer(0) } ?? 0
        // Counted by their numbers. Where numbers are missing, fewer are kept.
        return try db.change(
            """
            DELETE FROM audit WHERE number IN (SELECT number FROM audit WHERE number > 0 ORDER BY number LIMIT ?1)
                AND (at < ?2 OR number <= ?3)
            """, [.integer(Int64(limit)), .integer(time.milliseconds), .integer(last - most)])
    }
}

extension ReadTransaction {
    /// What was done, newest first.
    ///
    /// - Parameters:
    ///   - last: the number that all entries are below; nil for the newest.
    ///   - action: a whole action; with a dot at its end, such as `key.`, all actions that begin with it.
    public func auditEntries(
        before last: Int64? = nil, actor: String? = nil, action: String? = nil, limit: Int
    ) throws -> [AuditEntry] {
        var actions = [action]
        if let action, action.hasSuffix(".") {
            // An index has the entries of one action in their order, and not those of several. There are few actions.
            actions = try auditActions(in: action, by: actor)
        }
        var entries: [AuditEntry] = []
        for action in actions {
            let (condition, order) = Self.range(of: action, by: actor)
            entries += try db.all(
                "SELECT \(AuditEntry.columns) FROM audit WHERE \(condition) ORDER BY \(order) LIMIT ?2",
                [.integer(last ?? .max), .integer(Int64(limit))]
                    + [action, actor].compactMap { $0.map(SQLValue.text) }
            ) { AuditEntry(row: $0) }
        }
        guard actions.count > 1 else { return entries }
        return Array(entries.sorted { $0.number > $1.number }.prefix(limit))
    }

    /// A range of the index that has the entries in their order, so that none is read that is not asked for.
    ///
    /// An equation would say the same as both ends of the range. PostgreSQL would think then that the entries of a rare
    /// action are evenly among all others, and read backwards through all of them.
    private static func range(
        of action: String?, by actor: String?
    ) -> (
        condition: String, order: String
    ) {
        switch (action, actor) {
        case (nil, nil): ("number < ?1", "number DESC")
        case (_?, nil): ("(action, number) < (?3, ?1) AND action >= ?3", "action DESC, number DESC")
        case (nil, _?): ("(actor, number) < (?3, ?1) AND actor >= ?3", "actor DESC, number DESC")
        case (_?, _?):
            ("actor = ?4 AND (action, number) < (?3, ?1) AND action >= ?3", "action DESC, number DESC")
        }
    }

    /// The actions that begin with a text and a dot and that have entries, each found by a step in an index.
    private func auditActions(in area: String, by actor: String?) throws -> [String] {
        // The character after the dot: all that begins with the area is before it.
        let end = SQLValue.text(String(area.dropLast()) + "/")
        var (found, last) = ([String](), area)
        while let next = try db.first(
            """
            SELECT action FROM audit WHERE \(actor == nil ? "" : "actor = ? AND ") action > ? AND action < ?
            ORDER BY action LIMIT 1
            """, (actor.map { [.text($0)] } ?? []) + [.text(last), end], { $0.text(0) })
        {
            found.append(next)
            last = next
        }
        return found
    }
}
