import ChatModel
import Formats
import Synchronization

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

/// An act of an administrator that is going on: its entry is committed together with the first thing that the act writes.
/// Any thread may use it.
public final class AuditedAct: Sendable {
    private struct State {
        var entry: NewAuditEntry
        var isStored = false
    }

    private let state: Mutex<State>

    public init(_ entry: NewAuditEntry) { state = Mutex(State(entry: entry)) }

    /// Says what it is done to, where that is known only while it is done.
    public func name(_ subject: String) { state.withLock { $0.entry.subject = subject } }

    /// Says which members are changed by it, where that is known only while it is done.
    public func name(members: [String]) {
        var json = JSONWriter()
        json.beginObject()
        json.member("members", texts: members)
        json.endObject()
        state.withLock { $0.entry.detail = json.bytes }
    }

    /// The entry, as long as it is not stored.
    public var missing: NewAuditEntry? { state.withLock { $0.isStored ? nil : $0.entry } }

    /// Writes the entry with a unit of the act. A unit may be run again, in another transaction.
    func record(in transaction: WriteTransaction) throws {
        if let missing { try transaction.audit(missing) }
    }

    /// Notes that a unit with the entry is committed.
    func settle() { state.withLock { $0.isStored = true } }
}

extension ChatStore {
    /// The act to which the writing of this task belongs; nil for all that is not audited.
    @TaskLocal public static var act: AuditedAct?
}

/// Makes a JSON text short enough to be kept, so that it is JSON still.
///
/// What is in an object or a list shares its room: what is small stays as it is, and what is greater than its share is
/// shortened. What comes last is left out where even that has no room. An outermost object that was cut says so with its
/// last member, `isCut`.
enum AuditDetail {
    /// What each value may have where so many share the room that it would be less. The last ones go then.
    private static let leastShare = 64
    private static let mark = Array(#""isCut":true"#.utf8)

    /// Throws for what is no JSON. `limit` is in bytes.
    static func cut(_ json: [UInt8], to limit: Int) throws(JSONSyntaxError) -> [UInt8] {
        let root = try JSONText(json).root
        guard json.count > limit else { return json }
        let cut = shortened(root, to: limit, mark: root.kind == .object ? mark : [])
        return cut ?? Array("{}".utf8)
    }

    /// A shorter value of at most so many bytes; nil if there is none.
    private static func shortened(_ value: JSONElement, to room: Int, mark: [UInt8] = []) -> [UInt8]? {
        if let text = value.string { return shortened(text, to: room) }
        if let elements = value.elements {
            return joined(elements.map { ([], $0) }, "[", "]", to: room, mark: [])
        }
        if let members = value.members {
            let named = members.map { name, value in
                var json = JSONWriter()
                json.name(name)
                return (json.bytes, value)
            }
            return joined(named, "{", "}", to: room, mark: mark)
        }
        return nil
    }

    private static func shortened(_ text: String, to room: Int) -> [UInt8]? {
        // Without the quotes and the ellipsis; and a character may have several bytes.
        var length = room - 5
        while length > 0 {
            var json = JSONWriter()
            json.value(text.cut(toScalars: length).text + "…")
            if json.bytes.count <= room { return json.bytes }
            length /= 2
        }
        return nil
    }

    /// - Parameter items: each with what stands before its value.
    private static func joined(
        _ items: [(name: [UInt8], value: JSONElement)], _ first: Unicode.Scalar, _ last: Unicode.Scalar, to room: Int,
        mark: [UInt8]
    ) -> [UInt8]? {
        var rest = room - 2 - mark.count
        guard rest >= 0 else { return nil }
        var kept: [[UInt8]] = []
        for (index, item) in items.enumerated() {
            // With the comma before the next one.
            let share = min(rest, max(rest / (items.count - index), leastShare)) - item.name.count - 1
            let bytes = item.value.bytes
            guard let value = bytes.count <= share ? Array(bytes) : shortened(item.value, to: share) else { continue }
            kept.append(item.name + value)
            rest -= item.name.count + value.count + 1
        }
        if !mark.isEmpty { kept.append(mark) }
        return [UInt8(ascii: first)] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: last)]
    }
}
