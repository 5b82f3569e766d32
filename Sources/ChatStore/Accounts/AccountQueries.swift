import ChatModel
import Formats

extension ReadTransaction {
    public func account(_ key: AccountKey) throws -> AccountRecord? {
        try db.first(
            "SELECT \(AccountRecord.columns) FROM account WHERE service = ? AND channel = ? AND customer = ?",
            [.text(key.service), .text(key.channel), .text(key.customer)]
        ) { try AccountRecord(row: $0) }
    }
}

extension WriteTransaction {
    /// The account of this key, made if it is new.
    public func openAccount(_ key: AccountKey) throws -> AccountRecord {
        if let known = try account(key) { return known }
        try db.run(
            "INSERT INTO account (service, channel, customer, json, customFields, createdAt) VALUES (?, ?, ?, ?, ?, ?)",
            [.text(key.service), .text(key.channel), .text(key.customer),
             .blob(Customer(id: key.customer).canonicalJSON), .blob(Array("{}".utf8)), .integer(now.milliseconds)])
        return try account(db.lastInsertedRowID)
    }

    public func save(_ account: AccountRecord) throws {
        var fields = JSONWriter()
        fields.value(account.customFields)
        try db.run(
            "UPDATE account SET json = ?, customFields = ? WHERE number = ?",
            [.blob(account.customer.canonicalJSON), .blob(fields.bytes), .integer(account.number)])
        forget(account: account.number)
    }
}
