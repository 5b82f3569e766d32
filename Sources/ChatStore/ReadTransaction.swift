import ChatModel

/// Reading the store at one moment. It is valid only inside the closure that gets it, on the thread that runs the
/// closure.
///
/// Accounts are read once and then remembered. The writer remembers them, and threads, from one transaction to the next.
public class ReadTransaction {
    let db: Session
    private var accounts: [Int64: AccountRecord] = [:]
    /// What the writer keeps; nil for readers.
    let hot: HotRows?

    init(db: Session, hot: HotRows? = nil) {
        self.db = db
        self.hot = hot
    }

    /// Reads on a connection to another engine, inside a transaction that shows one moment.
    package convenience init(reading session: any RemoteSession) { self.init(db: .remote(session)) }

    /// The account of this number. Throws `storageFailed` if there is none.
    public func account(_ number: Int64) throws -> AccountRecord {
        if let known = try remembered(number) { return known }
        let found = try db.first(Self.accountQuery, [.integer(number)]) { try AccountRecord(row: $0) }
        guard let found else { throw ChatError(.storageFailed, "An account is missing in the database.") }
        remember(found)
        return found
    }

    private static let accountQuery = "SELECT \(AccountRecord.columns) FROM account WHERE number = ?"

    /// Tells that the account is going to be read; see ``Session/expect(_:_:)``.
    func expectAccount(_ number: Int64) throws {
        if hot == nil, accounts[number] == nil { try db.expect(Self.accountQuery, [.integer(number)]) }
    }

    /// Tells that ``headOffset()`` is going to be asked for; see ``Session/expect(_:_:)``.
    func expectHead() throws { try db.expect(db.headQuery) }

    private func remembered(_ number: Int64) throws -> AccountRecord? {
        guard let hot else { return accounts[number] }
        guard let known = hot.account(number) else { return nil }
        #if DEBUG
            let stored = try db.first(Self.accountQuery, [.integer(number)]) { try AccountRecord(row: $0) }
            try checkHot(known, is: stored)
        #endif
        return known
    }

    private func remember(_ account: AccountRecord) {
        if let hot { hot.keep(account) } else { accounts[account.number] = account }
    }

    /// The account in the columns of a joined row, so that a list needs no further statement for each row.
    ///
    /// - Parameter column: where ``AccountRecord/columns`` begin.
    func account(row: SQLRow, from column: Int32) throws -> AccountRecord {
        let number = row.integer(column)
        if let known = try remembered(number) { return known }
        let found = try AccountRecord(row: row, from: column)
        remember(found)
        return found
    }

    /// The log's head at the moment of this transaction. A stream that follows from it gets each later event exactly
    /// once.
    public func headOffset() throws -> Int64 { try db.first(db.headQuery, []) { $0.integer(0) } ?? 0 }
}

#if DEBUG
    extension ReadTransaction {
        /// Throws when what the writer has kept is not what is stored.
        func checkHot<T: Equatable>(_ kept: T, is stored: T?) throws {
            guard kept != stored else { return }
            let difference = "kept \(kept), stored \(String(describing: stored))"
            throw ChatError(.storageFailed, "A row was kept and is another: \(difference)")
        }
    }
#endif

/// Versions of what has no number that grows: a hash of what is there. What has changed and changed back has its first
/// version again, which does no harm to one who saw that.
public enum ContentVersion {
    public static func of(_ customer: Customer) -> Int64 {
        version { $0.add(String(decoding: customer.canonicalJSON, as: UTF8.self)) }
    }

    public static func of(_ fields: [String: String]) -> Int64 {
        version { hash in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                hash.add(name)
                hash.add(value)
            }
        }
    }

    /// Of a thread whose members have this version, with what the desk alone sees of it.
    static func of(_ version: Int64, _ team: ThreadTeam) -> Int64 {
        self.version {
            $0.add(String(version))
            $0.add(String(decoding: team.members, as: UTF8.self))
        }
    }

    /// Not negative, as entity tags want it.
    private static func version(_ add: (inout StableHash) -> Void) -> Int64 {
        var hash = StableHash()
        add(&hash)
        return Int64(hash.value >> 1)
    }
}
