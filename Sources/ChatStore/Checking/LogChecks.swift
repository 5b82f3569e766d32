import ChatModel
import Formats

extension StoreCheck {
    /// Events and whom they concern.
    static let log = [
        StoreCheck(name: "log") { look in
            try look.each(
                "place, type, owner, audience, data", of: "log", key: "place",
                {
                    (
                        place: $0.integer(0), type: $0.text(1), owner: $0.integer(2),
                        audience: [AudienceMember](packed: $0.blob(3)), data: $0.blob(4)
                    )
                }
            ) { row in
                let name = "event \(row.place)"
                if row.place <= look.floor { look.report("\(name): it is at or below the log's floor \(look.floor)") }
                if EventType(rawValue: row.type) == nil { look.report("\(name): nobody knows the type \(row.type)") }
                _ = look.decoded(name) { try JSONParser.parse(row.data) }
                if try !look.exists("SELECT 1 FROM account WHERE number = ?", [.integer(row.owner)]) {
                    look.report("\(name): its owner, account \(row.owner), is missing")
                }
                for number in Set(row.audience.compactMap(\.audience.number)).sorted() {
                    let isThere = try look.exists(
                        "SELECT 1 FROM audience WHERE account = ? AND place = ?",
                        [.integer(number), .integer(row.place)])
                    if !isThere { look.report("\(name): no replay of account \(number) finds it") }
                }
            }
        },
        StoreCheck(name: "audience") { look in
            var last = (account: Int64.min, place: Int64.min)
            while true {
                let found = try look.db.all(
                    """
                    SELECT account, place FROM audience WHERE (account, place) > (?, ?) ORDER BY account, place LIMIT 512
                    """, [.integer(last.account), .integer(last.place)]
                ) { (account: $0.integer(0), place: $0.integer(1)) }
                guard let end = found.last else { return }
                last = end
                let places = Placeholders(Set(found.map(\.place)).sorted().map(SQLValue.integer))
                let packed = try look.db.all(
                    "SELECT place, audience FROM log WHERE place IN \(places.sql)", places.values
                ) { ($0.integer(0), Set([AudienceMember](packed: $0.blob(1)).compactMap(\.audience.number))) }
                let known = Dictionary(packed) { first, _ in first }
                for row in found where known[row.place]?.contains(row.account) != true {
                    look.report("account \(row.account): event \(row.place) is not there, or does not concern it")
                }
            }
        },
    ]
}
