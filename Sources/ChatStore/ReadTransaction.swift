import ChatModel
import GRDB

/// Reading the store at one moment. It is valid only inside the closure that gets it, on the thread that runs the
/// closure.
///
/// Accounts are read once and then remembered.
public class ReadTransaction {
    let db: Database
    private var accounts: [Int64: AccountRecord] = [:]

    init(db: Database) { self.db = db }

    /// The account of this number. Throws `storageFailed` if there is none.
    public func account(_ number: Int64) throws -> AccountRecord {
        if let known = accounts[number] { return known }
        let found = try db.first("SELECT \(AccountRecord.columns) FROM account WHERE number = ?", [.integer(number)]) {
            try AccountRecord(row: $0)
        }
        guard let found else { throw ChatError(.storageFailed, "An account is missing in the database.") }
        accounts[number] = found
        return found
    }

    /// The account in the columns of a joined row, so that a list needs no further statement for each row.
    ///
    /// - Parameter column: where ``AccountRecord/columns`` begin.
    func account(row: SQLRow, from column: Int32) throws -> AccountRecord {
        let number = row.integer(column)
        if let known = accounts[number] { return known }
        let found = try AccountRecord(row: row, from: column)
        accounts[number] = found
        return found
    }

    /// The log's head at the moment of this transaction. A stream that follows from it gets each later event exactly
    /// once.
    public func headOffset() throws -> Int64 { try meta("head") }

    /// Forgets the remembered account, because its row has changed.
    func forget(account number: Int64) { accounts[number] = nil }

    /// Forgets all remembered accounts, because changes were undone.
    func forgetAccounts() { accounts = [:] }
}
