import ChatModel
import Formats

extension ReadTransaction {
    /// The account of this key; nil if nobody has opened it yet.
    public func account(_ key: AccountKey) throws -> AccountRecord? {
        try db.first(
            "SELECT \(AccountRecord.columns) FROM account WHERE service = ? AND channel = ? AND customer = ?",
            [.text(key.service), .text(key.channel), .text(key.customer)]
        ) { try AccountRecord(row: $0) }
    }
}

extension WriteTransaction {
    /// The account of this key. A key that is new gets an account whose customer has the key's id and no name.
    public func openAccount(_ key: AccountKey) throws -> AccountRecord {
        if let known = try account(key) { return known }
        let number = try db.insert(
            """
            INSERT INTO account (service, channel, customer, json, customFields, createdAt) VALUES (?, ?, ?, ?, ?, ?)
            RETURNING number
            """,
            [
                .text(key.service), .text(key.channel), .text(key.customer),
                .blob(Customer(id: key.customer).canonicalJSON), .blob(Array("{}".utf8)), .integer(now.milliseconds),
            ])
        return try account(number)
    }

    /// Writes customer and custom fields; the key never changes. Nothing is logged: the caller saves the threads that
    /// show the customer's name.
    public func save(_ account: AccountRecord) throws {
        var fields = JSONWriter()
        fields.value(account.customFields)
        try db.run(
            "UPDATE account SET json = ?, customFields = ? WHERE number = ?",
            [.blob(account.json), .blob(fields.bytes), .integer(account.number)])
        hot?.forget(account: account.number)
    }
}
