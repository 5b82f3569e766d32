import ChatModel
import Formats

/// What the log stores of an event, as ``PackedJSON``: its data, and after a line feed what the desk alone sees of the
/// thread (``ThreadTeam/members``), if there is something. JSON's text never has a line feed, as Parley writes it.
///
/// The event of a new message and the event of its thread after it mostly say what the message's row has. They are packed
/// with the row's JSON as their base. Before the row changes or goes, they are packed without it
/// (``WriteTransaction/releaseEvents(of:)``), so readers see each event as it was when it happened.
enum StoredEvent {
    /// The column of the base, in a query on `log`.
    static let base = "(SELECT message.json FROM message WHERE message.number = log.message)"

    /// How far after its message an event may have it as its base. So the events that have one are found by their offsets.
    static let reach: Int64 = 8

    private static let separator: UInt8 = 0x0A

    static func joined(_ data: [UInt8], team: [UInt8]) -> [UInt8] { team.isEmpty ? data : data + [separator] + team }

    /// Nothing of what the desk alone sees is in the data, which goes to customers too.
    ///
    /// - Parameter base: the column ``base``.
    static func parts(_ stored: [UInt8], base: () -> [UInt8]) throws -> (data: [UInt8], team: [UInt8]) {
        let joined = try unpacked(stored, base: base)
        guard let place = joined.lastIndex(of: separator) else { return (joined, []) }
        return (Array(joined[..<place]), Array(joined[(place + 1)...]))
    }

    fileprivate static func unpacked(_ stored: [UInt8], base: () -> [UInt8]) throws -> [UInt8] {
        try PackedJSON.unpacked(stored) { try PackedJSON.unpacked(base()) }
    }
}

extension SQLRow {
    /// The parts of an event of the log.
    ///
    /// - Parameters:
    ///   - column: of `data`.
    ///   - base: of ``StoredEvent/base``.
    func event(_ column: Int32, base: Int32) throws -> (data: [UInt8], team: [UInt8]) {
        try StoredEvent.parts(blob(column)) { blob(base) }
    }
}

extension WriteTransaction {
    /// What the log stores of an event that carries a message's text.
    func stored(_ data: [UInt8], team: [UInt8], message: Int64?) -> [UInt8] {
        let isNear = newest.map { $0.number == message && head - $0.number <= StoredEvent.reach } ?? false
        return packer.packed(StoredEvent.joined(data, team: team), base: isNear ? newest?.json : nil)
    }

    /// Packs the events that have a message's row as their base without it. To be called before the row changes or goes.
    func releaseEvents(of message: Int64) throws {
        try releaseEvents(
            "place >= ? AND place <= ?", [.integer(message), .integer(message + StoredEvent.reach)], of: [message])
    }

    /// The same for the rows of many messages.
    func releaseEvents(of messages: [Int64]) throws {
        let list = Placeholders(messages.map(SQLValue.integer))
        try releaseEvents("message IN \(list.sql)", list.values, of: Set(messages))
    }

    private func releaseEvents(_ condition: String, _ values: [SQLValue], of messages: Set<Int64>) throws {
        if let number = newest?.number, messages.contains(number) { newest = nil }
        let events = try db.all(
            "SELECT place, message, data, \(StoredEvent.base) FROM log WHERE \(condition)", values
        ) { row in
            let isConcerned = messages.contains(row.integer(1)) && row.withBlob(2) { PackedJSON.form(of: $0) == .based }
            return isConcerned ? (place: row.integer(0), data: row.blob(2), base: row.blob(3)) : nil
        }
        for event in events.compactMap(\.self) {
            let json = try StoredEvent.unpacked(event.data) { event.base }
            try db.run(
                "UPDATE log SET data = ? WHERE place = ?", [.blob(packer.packed(json)), .integer(event.place)])
        }
    }
}
