import ChatModel
import Formats

extension StoreCheck {
    /// Events and whom they concern.
    static let log = [
        StoreCheck(name: "log") { look in
            var concerned = 0
            try look.each(CheckedEvent.columns, of: "log", key: "place", CheckedEvent.init) { row in
                let name = "event \(row.place)"
                if row.place <= look.floor { look.report("\(name): it is at or below the log's floor \(look.floor)") }
                if EventType(rawValue: row.type) == nil { look.report("\(name): nobody knows its type") }
                _ = look.decoded(name) { try JSONParser.parse(row.data) }
                if row.accounts == nil { look.report("\(name): its audience cannot be read") }
                concerned += row.accounts?.count ?? 0
            }
            try look.find(
                "CAST(place AS text) || ': its owner, account ' || CAST(owner AS text)", in: "log",
                where: "NOT EXISTS (SELECT 1 FROM account WHERE account.number = log.owner)"
            ) { "event \($0), is missing" }
            try look.find("CAST(low AS text) || ' to ' || CAST(high AS text)", in: "lost", where: "low > high") {
                "the range of lost offsets from \($0) is none"
            }
            // Each row of `audience` is looked at below. When there are as many as there should be, none is missing.
            if try look.number("/* check */ SELECT count(*) FROM audience") != concerned { try look.findUnheard() }
        },
        StoreCheck(name: "audience") { look in
            try look.eachOfAudience { portion in
                let places = Placeholders(Set(portion.map(\.place)).sorted().map(SQLValue.integer))
                let found = try look.db.all(
                    "SELECT \(CheckedEvent.columns) FROM log WHERE place IN \(places.sql)", places.values,
                    CheckedEvent.init)
                let known = Dictionary(found.map { ($0.place, $0.accounts) }) { first, _ in first }
                for row in portion {
                    if known[row.place]??.contains(row.account) == true { continue }
                    look.report("account \(row.account): event \(row.place) is not there, or does not concern it")
                }
            }
        },
    ]
}

/// What is looked at of a row of `log`.
private struct CheckedEvent {
    let place: Int64
    let type: String
    /// Those whom it concerns, each once; nil when the bytes are damaged.
    let accounts: Set<Int64>?
    let data: [UInt8]

    static let columns = "place, type, audience, data, \(StoredEvent.base)"

    init(row: SQLRow) {
        (place, type) = (row.integer(0), row.text(1))
        // Damaged bytes are no JSON either, which is reported.
        data = (try? row.event(3, base: 4).data) ?? []
        let packed = row.blob(2)
        accounts =
            Self.isSound(packed) ? Set([AudienceMember](packed: packed).compactMap(\.audience.number)) : nil
    }

    /// Whether the bytes are pairs of numbers of 63 bits: only those may be unpacked.
    private static func isSound(_ packed: [UInt8]) -> Bool {
        var (numbers, length) = (0, 0)
        for byte in packed {
            length += 1
            if length > 9 { return false }
            if byte & 0x80 == 0 { (numbers, length) = (numbers + 1, 0) }
        }
        return length == 0 && numbers.isMultiple(of: 2)
    }
}

extension Inspection {
    /// Goes through `audience` in its order, with some rows at a time.
    fileprivate func eachOfAudience(_ look: ([(account: Int64, place: Int64)]) throws -> Void) throws {
        var last = (account: Int64.min, place: Int64.min)
        while true {
            let found = try db.all(
                """
                SELECT account, place FROM audience WHERE (account, place) > (?, ?)
                ORDER BY account, place LIMIT \(Self.portion)
                """, [.integer(last.account), .integer(last.place)]
            ) { (account: $0.integer(0), place: $0.integer(1)) }
            guard let end = found.last else { return }
            last = end
            countRows(found.count)
            try look(found)
        }
    }

    /// Reports the events that a replay of an account whom they concern does not find.
    fileprivate func findUnheard() throws {
        try each(CheckedEvent.columns, of: "log", key: "place", CheckedEvent.init) { row in
            for account in (row.accounts ?? []).sorted() {
                let isThere = try exists(
                    "SELECT 1 FROM audience WHERE account = ? AND place = ?", [.integer(account), .integer(row.place)])
                if !isThere { report("event \(row.place): no replay of account \(account) finds it") }
            }
        }
    }
}
