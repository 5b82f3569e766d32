import ChatModel

/// Removing accounts that nobody can come back to: customers of whom nothing is known, without a session and without a
/// thread.
extension ChatStore {
    private static let portion = 1000
    /// Accounts that one unit removes.
    private static let batch = 20

    /// Removes the accounts of a service whose customers' ids begin with a text, and which have neither threads nor
    /// sessions. Returns how many it has removed. One that is used meanwhile stays.
    ///
    /// Neither sessions nor threads are found by their account alone. So both are looked through once, in steps, and
    /// only where an account may go.
    @discardableResult
    public func removeForsakenAccounts(
        ofService service: String, prefix: String
    ) async throws(ChatError) -> Int {
        // What begins while the tables are looked through is looked for in the unit. The clock may be set back a
        // little.
        let begun = environment.now().advanced(byMilliseconds: -3_600_000)
        var candidates: Set<Int64> = []
        for channel in try await read({ try $0.channelsWithAccounts(of: service) }) {
            var last: String? = ""
            while let after = last {
                let found = try await read {
                    try $0.accountsWithoutThreads(
                        of: service, channel, prefix: prefix, after: after, limit: Self.portion)
                }
                candidates.formUnion(found.accounts)
                last = found.next
            }
        }
        var session: (Int64, String)? = (.min, "")
        while let last = session, !candidates.isEmpty {
            let found = try await read { try $0.sessionOwners(after: last, limit: Self.portion) }
            candidates.subtract(found.accounts)
            session = found.next
        }
        var (thread, newest): (Int64?, Int64) = (0, 0)
        while let last = thread, !candidates.isEmpty {
            let found = try await read { try $0.threadOwners(after: last, limit: Self.portion) }
            candidates.subtract(found.accounts)
            newest = max(newest, found.last ?? last)
            thread = found.next
        }
        var count = 0
        let accounts = candidates.sorted()
        for start in stride(from: 0, to: accounts.count, by: Self.batch) {
            let part = accounts[start..<min(start + Self.batch, accounts.count)]
            count += try await write(inBackground: true) { [newest] transaction in
                try part.filter {
                    try transaction.removeForsaken(
                        $0, ofService: service, sessionsSince: begun.milliseconds, after: newest)
                }.count
            }
        }
        return count
    }
}

extension ReadTransaction {
    /// The accounts of customers whose ids begin with the prefix, and who are in no thread, among the next `limit`.
    /// `next` is nil at the end.
    fileprivate func accountsWithoutThreads(
        of service: String, _ channel: String, prefix: String, after customer: String, limit: Int
    ) throws -> (accounts: [Int64], next: String?) {
        let customers = try db.all(
            """
            SELECT customer FROM account WHERE service = ? AND channel = ? AND customer >= ? AND customer > ?
            ORDER BY customer LIMIT ?
            """,
            [.text(service), .text(channel), .text(prefix), .text(customer), .integer(Int64(limit))]
        ) { $0.text(0) }
        let own = customers.prefix { $0.utf8.starts(with: prefix.utf8) }
        guard let first = own.first, let last = own.last else { return ([], nil) }
        let accounts = try db.all(
            """
            SELECT number FROM account WHERE service = ? AND channel = ? AND customer >= ? AND customer <= ?
            AND NOT EXISTS (SELECT 1 FROM member WHERE member.account = account.number)
            """, [.text(service), .text(channel), .text(first), .text(last)]
        ) { $0.integer(0) }
        return (accounts, own.count == limit ? last : nil)
    }

    /// Whose the next sessions are.
    fileprivate func sessionOwners(
        after place: (Int64, String), limit: Int
    ) throws -> (accounts: [Int64], next: (Int64, String)?) {
        let rows = try db.all(
            "SELECT createdAt, id, account FROM session WHERE (createdAt, id) > (?, ?) ORDER BY createdAt, id LIMIT ?",
            [.integer(place.0), .text(place.1), .integer(Int64(limit))]
        ) { (place: ($0.integer(0), $0.text(1)), account: $0.integer(2)) }
        return (rows.map(\.account), rows.count == limit ? rows.last?.place : nil)
    }

    /// Whose the next threads are, also those that nobody is in any more.
    fileprivate func threadOwners(
        after number: Int64, limit: Int
    ) throws -> (accounts: [Int64], last: Int64?, next: Int64?) {
        let rows = try db.all(
            "SELECT number, owner FROM thread WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(Int64(limit))]
        ) { (number: $0.integer(0), account: $0.integer(1)) }
        return (rows.map(\.account), rows.last?.number, rows.count == limit ? rows.last?.number : nil)
    }
}

extension WriteTransaction {
    /// The most times that a unit deletes a part of what an account has uploaded.
    private static var uploadSteps: Int { 5 }

    /// Removes an account, unless somebody has come back to it. Returns whether it did.
    ///
    /// - Parameters:
    ///   - time: sessions that were made before are known to be others'.
    ///   - thread: threads up to this number are known to be others'.
    func removeForsaken(
        _ number: Int64, ofService service: String, sessionsSince time: Int64, after thread: Int64
    ) throws -> Bool {
        let account = try account(number)
        guard account.key.service == service, !account.isErased, try usage(of: number).texts == 0 else { return false }
        let questions: [(String, [SQLValue])] = [
            ("SELECT 1 FROM member WHERE account = ? LIMIT 1", [.integer(number)]),
            ("SELECT 1 FROM session WHERE createdAt >= ? AND account = ? LIMIT 1", [.integer(time), .integer(number)]),
            ("SELECT 1 FROM thread WHERE number > ? AND owner = ? LIMIT 1", [.integer(thread), .integer(number)]),
        ]
        for (sql, values) in questions where try db.first(sql, values, { _ in true }) == true { return false }
        for _ in 0..<Self.uploadSteps {
            guard try eraseOwnRowsStep(of: number) else {
                guard let begun = try beginErasure(of: account.key) else { return false }
                return try endErasure(of: begun)
            }
        }
        return false
    }
}

/// What the column `service` says of an account that is being erased, or was. The account is not found by its key then: a
/// session with the same key gets a new account.
///
/// The row stays until the log has lost the last event that names it, so that whoever was away is still told of its
/// removed threads.
enum ErasureMark {
    /// The erasure is under way, and goes on at the next start. The number makes the key unique.
    static func erasing(_ account: AccountRecord) -> String { "erasing:\(account.number):\(account.key.service)" }

    /// All is gone. The log had this head then.
    static func erased(_ account: AccountRecord, head: Int64) -> String {
        "erased:\(account.number):\(head):\(account.key.service)"
    }

    /// The range of the marks of one kind: from the first text to before the second one.
    static let allErasing = ("erasing:", "erasing;")
    static let allErased = ("erased:", "erased;")

    /// The service that the account belongs to, of a column with a mark or without.
    static func service(_ column: String) -> String {
        guard column.hasPrefix("eras"), let colon = column.lastIndex(of: ":") else { return column }
        return String(column[column.index(after: colon)...])
    }

    /// The log's head in the mark of an account that was erased; nil in any other.
    static func head(_ column: String) -> Int64? {
        guard column.hasPrefix(allErased.0) else { return nil }
        return Int64(column.split(separator: ":").dropFirst(2).first ?? "")
    }
}
