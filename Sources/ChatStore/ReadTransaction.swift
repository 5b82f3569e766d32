import ChatModel
import GRDB

/// What may be read of the store; valid only inside the closure that it was handed to.
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
        guard let found else { throw ChatError(.storageFailed, "An account is missing.") }
        accounts[number] = found
        return found
    }

    /// The account of a row that a list has joined, so that no list asks for each of its rows' accounts.
    ///
    /// - Parameter column: where ``AccountRecord/columns`` begin.
    func account(row: SQLRow, from column: Int32) throws -> AccountRecord {
        let number = row.integer(column)
        if let known = accounts[number] { return known }
        let found = try AccountRecord(row: row, from: column)
        accounts[number] = found
        return found
    }

    /// The log's head as of what is read here: following from it joins exactly, nothing missed and nothing twice.
    public func headOffset() throws -> Int64 { try meta("head") }

    func forget(account number: Int64) { accounts[number] = nil }

    func forgetAccounts() { accounts = [:] }
}
