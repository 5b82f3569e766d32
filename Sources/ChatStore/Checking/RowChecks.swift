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

extension StoreCheck {
    /// Who is let in, and what they did.
    static let access = [
        StoreCheck(name: "keys") { look in
            try look.eachText(
                AccessKey.columns, of: "accessKey", { row in (row.text(0), Result { try AccessKey(row: row) }) }
            ) { id, found in
                guard let key = look.decoded("key \(id)", found.get) else { return }
                look.checkDigest("key \(id)", "digest", key.digest)
                look.checkDigest("key \(id)", "previousDigest", key.previousDigest)
            }
        },
        StoreCheck(name: "people") { look in
            try look.eachText(
                Person.columnsWithPicture, of: "person",
                { row in (row.text(0), row.text(1), Result { try Person(row: row) }) }
            ) { id, email, found in
                guard let person = look.decoded("person \(id)", found.get) else { return }
                _ = look.decoded("person \(id), settings") { try JSONText(person.settings) }
                look.compareText("person \(id)", "email", email, person.email)
            }
            try look.find(
                "id", in: "person",
                where: """
                    EXISTS (SELECT 1 FROM person other WHERE other.id <> person.id
                        AND (other.proxyName = person.email OR other.proxyName = person.proxyName))
                    """
            ) { "person \($0): a proxy tells of another person by the same name" }
            try look.find(
                "id", in: "person",
                where: """
                    picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM picture WHERE picture.digest = person.picture)
                    """
            ) { "person \($0): the picture is missing" }
            try look.find(
                "CAST(length(bytes) AS text)", in: "picture",
                where: """
                    length(digest) <> \(AccessDigest.byteCount) OR length(bytes) > \(Picture.maximumByteCount)
                    """
            ) { "a picture of \($0) bytes has no digest, or is too large" }
            try look.checkLogos()
        },
        StoreCheck(name: "logins") { look in
            try look.eachText(Login.columns, of: "login", Login.init) { login in
                look.checkDigest("login \(login.id)", "cookieDigest", login.cookieDigest)
                look.checkDigest("login \(login.id)", "pageDigest", login.pageDigest)
            }
            try look.find(
                "id", in: "login",
                where: "person <> '' AND NOT EXISTS (SELECT 1 FROM person WHERE person.id = login.person)"
            ) { "login \($0): its person is missing" }
            try look.find(
                "person", in: "invitation",
                where: """
                    length(digest) <> \(AccessDigest.byteCount)
                    OR NOT EXISTS (SELECT 1 FROM person WHERE person.id = invitation.person)
                    """
            ) { "person \($0) is missing, and has an invitation; or its digest is none" }
        },
        StoreCheck(name: "audit") { look in
            try look.each("number, detail", of: "audit", { (number: $0.integer(0), detail: $0.blob(1)) }) { row in
                _ = look.decoded("entry \(row.number)") { try JSONText(row.detail) }
            }
        },
    ]
}

extension Inspection {
    /// Reports what cannot be a SHA-256.
    fileprivate func checkDigest(_ name: String, _ column: String, _ digest: [UInt8]?) {
        if let digest, digest.count != AccessDigest.byteCount {
            report("\(name): \(column) has \(digest.count) bytes, and should have \(AccessDigest.byteCount)")
        }
    }
}

extension Inspection {
    /// A picture is a person's or a channel's, and none that a channel names is missing.
    fileprivate func checkLogos() throws {
        let channels = try db.all("/* check */ SELECT json FROM channel", []) { $0.blob(0) }
        let logos = Set(
            channels.compactMap { json in
                (try? Channel(canonicalJSON: json))?.appearance?.logo.flatMap(Picture.digest(ofPath:))
            })
        for digest in logos where try !exists("SELECT 1 FROM picture WHERE digest = ?", [.blob(digest)]) {
            report("a channel: the logo is missing")
        }
        let others = try db.all(
            """
            /* check */ SELECT digest, CAST(length(bytes) AS text) FROM picture
            WHERE NOT EXISTS (SELECT 1 FROM person WHERE person.picture = picture.digest)
            """, []
        ) { (digest: $0.blob(0), size: $0.text(1)) }
        for picture in others where !logos.contains(picture.digest) {
            report("a picture of \(picture.size) bytes has neither a person nor a channel")
        }
    }
}
