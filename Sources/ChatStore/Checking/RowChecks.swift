import ChatModel
import Formats

extension StoreCheck {
    /// The ends of the log.
    static let positions = [
        StoreCheck(name: "positions") { look in
            if look.floor > look.head { look.report("the log's floor \(look.floor) is beyond its head \(look.head)") }
            for (table, column) in [("log", "place"), ("message", "number"), ("note", "number")] {
                let last = try look.number("SELECT max(\(column)) FROM \(table)")
                look.checkOffset(table, "the last \(column)", last)
            }
        }
    ]

    /// Rows that name an account or a session.
    static let accounts = [
        StoreCheck(name: "accounts") { look in
            try look.each(
                "number, json, customFields, email, nameKey", of: "account",
                {
                    (
                        number: $0.integer(0), json: $0.blob(1), fields: $0.blob(2),
                        email: $0.isNull(3) ? nil : $0.text(3), nameKey: $0.isNull(4) ? nil : $0.text(4)
                    )
                }
            ) { row in
                let name = "account \(row.number)"
                if let customer = look.decoded(name, { try Customer(canonicalJSON: row.json) }) {
                    look.compareText(name, "email", row.email?.comparableKey, customer.emailKey?.comparableKey)
                    look.compareText(name, "nameKey", row.nameKey?.comparableKey, customer.nameKey?.comparableKey)
                }
                _ = look.decoded("\(name), custom fields") { try JSONParser.parse(row.fields) }
            }
            try look.find(
                "id", in: "session",
                where: "NOT EXISTS (SELECT 1 FROM account WHERE account.number = session.account)"
            ) { "session \($0): its account is missing" }
            try look.find(
                "id", in: "collection",
                where: "NOT EXISTS (SELECT 1 FROM session WHERE session.id = collection.session)"
            ) { "collection \($0): its session is missing" }
            try look.find(
                "id", in: "outgoing",
                where: "NOT EXISTS (SELECT 1 FROM account WHERE account.number = outgoing.account)"
            ) { "outgoing message \($0): its account is missing" }
            try look.find(
                "id", in: "customerNote",
                where: "NOT EXISTS (SELECT 1 FROM account WHERE account.number = customerNote.account)"
            ) { "note \($0) on a customer: its account is missing" }
        },
        StoreCheck(name: "customers") { look in
            try look.each("number, id, json", of: "customerNote", { (id: $0.text(1), json: $0.blob(2)) }) { row in
                let name = "note \(row.id) on a customer"
                guard let note = look.decoded(name, { try CustomerNote(canonicalJSON: row.json) }) else { return }
                look.compareText(name, "id", row.id, note.id)
            }
            try look.eachText(
                "id, shortcut, json", of: "answer",
                { (id: $0.text(0), shortcut: $0.isNull(1) ? nil : $0.text(1), json: $0.blob(2)) }
            ) { row in
                let name = "answer \(row.id)"
                guard let answer = look.decoded(name, { try CannedAnswer(canonicalJSON: row.json) }) else { return }
                look.compareText(name, "shortcut", row.shortcut, answer.shortcutKey)
            }
        },
    ]

    /// Replies, as their parents count them. A remote service has counted those that are not here as well.
    static let replies = [
        StoreCheck(name: "replies") { look in
            try look.find(
                "CAST(parent AS text)", in: "replier",
                where: "count < 1 OR NOT EXISTS (SELECT 1 FROM message WHERE message.number = replier.parent)"
            ) { "message \($0): a count of its repliers has no message, or counts none" }
        }
    ]

    /// Events on their way to other machines.
    static let deliveries = [
        StoreCheck(name: "deliveries") { look in
            try look.find(
                "CAST(number AS text)", in: "delivery",
                where: "NOT EXISTS (SELECT 1 FROM target WHERE target.number = delivery.target)"
            ) { "delivery \($0): its target is missing" }
            try look.find(
                "CAST(delivery AS text)", in: "attempt",
                where: "NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.number = attempt.delivery)"
            ) { "delivery \($0) is missing, and has an attempt" }
            try look.each("number, id, position", of: "target", { (id: $0.text(1), position: $0.integer(2)) }) { row in
                look.checkOffset("target \(row.id)", "position", row.position)
            }
        }
    ]
}

extension StoreCheck {
    /// What counts for the quotas of accounts, against the rows that count.
    static let usage = [
        StoreCheck(name: "usage") { look in
            for (column, rows, payer) in [("texts", "message", "payer"), ("files", "attachment", "uploader")] {
                try look.find(
                    "CAST(account AS text)",
                    in: """
                        (SELECT account, sum(bytes) AS rest FROM (
                            SELECT account, \(column) AS bytes FROM usage
                            UNION ALL SELECT \(payer), -bytes FROM \(rows) WHERE bytes > 0
                        ) parts GROUP BY account) sums
                        """,
                    // Of an erased account nobody asks any more.
                    where: "rest <> 0 AND account IN (SELECT number FROM account)"
                ) { "account \($0): the bytes of its \(column) are another number than those of its \(rows) rows" }
            }
        }
    ]
}

extension String {
    /// What two keys of one text have in common. Rows from before the keys have those that the database has made: its
    /// lower case is another one outside ASCII.
    fileprivate var comparableKey: String? {
        Customer.key(self).map { key in String(String.UnicodeScalarView(key.unicodeScalars.filter(\.isASCII))) }
    }
}
