import ChatModel
import Formats

/// A row of `account`: one customer on one channel of one service.
public struct AccountRecord: Sendable, Equatable {
    /// The row's id in this database, from 1. Where an audience is stored, 0 stands for the desk.
    public var number: Int64
    public var key: AccountKey
    public var customer: Customer {
        didSet { deskMembers = Self.deskMembers(channel: key.channel, customer: customer) }
    }
    /// The two JSON members that the desk's copy of an event has in addition, without braces:
    /// `"channel":..,"customer":{..}`.
    public private(set) var deskMembers: [UInt8]
    /// Whether somebody with the right to do so has said what the customer is called. Then the customer cannot change it.
    public var isNameVouched: Bool
    /// To what the customer has agreed; nil for nothing.
    public var consent: Consent?
    public var customFields: [String: String]
    /// The anonymous accounts that were joined to this one (``WriteTransaction/join(_:to:prepare:)``), the oldest
    /// first.
    public internal(set) var former: [FormerAccount]
    /// For an anonymous account that was joined to another one of its channel: the id of that customer.
    public internal(set) var joinedTo: String?
    /// Whether its erasure has begun: see ``ErasureMark``.
    public let isErased: Bool
    public var createdAt: Timestamp

    /// A row that is being erased, or was, has its former key: see ``ErasureMark``.
    static let columns = """
        account.number, account.service, account.channel, account.customer, account.json, account.customFields, account.createdAt
        """

    /// - Parameter column: where ``columns`` begin.
    init(row: SQLRow, from column: Int32 = 0) throws {
        number = row.integer(column)
        let service = row.text(column + 1)
        isErased = ErasureMark.service(service) != service
        key = AccountKey(
            service: ErasureMark.service(service), channel: row.text(column + 2),
            customer: row.text(column + 3))
        let json = try JSONParser.parse(row.blob(column + 4))
        customer = try Customer(json: json)
        isNameVouched = json["vouched"]?.bool ?? false
        consent = try json["consent"].map { (value) throws(ModelError) in try Consent(json: value) }
        former = json["former"]?.array?.compactMap(FormerAccount.init) ?? []
        joinedTo = json["joinedTo"]?.string
        let fields = try JSONParser.parse(row.blob(column + 5)).members ?? []
        customFields = Dictionary(fields.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        createdAt = Timestamp(milliseconds: row.integer(column + 6))
        deskMembers = Self.deskMembers(channel: key.channel, customer: customer)
    }

    /// What the column `json` has: the customer's JSON, and what customers and the desk do not see of the account.
    var json: [UInt8] {
        var bytes = customer.canonicalJSON
        func add(_ name: String, _ value: some Sequence<UInt8>) {
            bytes.removeLast()
            bytes += ",\"\(name)\":".utf8
            bytes += value
            bytes.append(UInt8(ascii: "}"))
        }
        if isNameVouched { add("vouched", "true".utf8) }
        if let consent { add("consent", consent.canonicalJSON) }
        if let joinedTo {
            var text = JSONWriter()
            text.value(joinedTo)
            add("joinedTo", text.bytes)
        }
        if !former.isEmpty { add("former", former.json) }
        return bytes
    }

    /// About how many bytes of memory it takes.
    var byteCount: Int {
        512 + 2 * deskMembers.count + former.reduce(0) { $0 + 96 + 8 * $1.threads.count }
            + customFields.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// The same bytes for a channel and a customer that are not read from the store.
    public static func deskMembers(channel: String, customer: Customer) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("channel", channel)
        json.member("customer", customer)
        json.endObject()
        return Array(json.bytes.dropFirst().dropLast())
    }
}

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
            "UPDATE account SET json = ?, customFields = ?, email = ?, nameKey = ? WHERE number = ?",
            [
                .blob(account.json), .blob(fields.bytes), .optional(account.customer.emailKey),
                .optional(account.customer.nameKey), .integer(account.number),
            ])
        hot?.forget(account: account.number)
    }
}

/// Secrets that all gateways of a database need. Only a database that several gateways may use has a table for them, and
/// the store knows nothing of their content: whoever saves them has encrypted them.
extension ReadTransaction {
    /// What was saved under a name; nil if there is nothing.
    public func sealed(_ name: String) throws -> [UInt8]? {
        try db.first("SELECT bytes FROM sealed WHERE name = ?", [.text(name)]) { $0.blob(0) }
    }
}

extension WriteTransaction {
    /// Saves encrypted bytes under a name. They replace what was saved under this name before.
    public func saveSealed(_ bytes: [UInt8], name: String) throws {
        try db.run(
            "INSERT INTO sealed (name, bytes) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
            [.text(name), .blob(bytes)])
    }

    /// Gives a row another name, which must be free. Does nothing if there is no such row.
    public func renameSealed(_ name: String, to other: String) throws {
        try db.run("UPDATE sealed SET name = ? WHERE name = ?", [.text(other), .text(name)])
    }

    /// Deletes what was saved under a name.
    public func removeSealed(_ name: String) throws {
        try db.run("DELETE FROM sealed WHERE name = ?", [.text(name)])
    }
}

/// A row of `identitySecret`: that a channel has a secret with which a shop's server says who a customer is. The secret itself
/// is not kept: it is derived from the gateway's key, the channel and the id.
public struct IdentitySecret: Sendable, Equatable {
    /// How many a channel has at most: the one in use, and the next one.
    public static let maximumCount = 2

    /// It is the `kid` of a JWT.
    public var id: String
    public var createdAt: Timestamp
}

extension ReadTransaction {
    /// The secrets of a channel of the embedded service, oldest first.
    public func identitySecrets(of channel: String) throws -> [IdentitySecret] {
        try db.all("SELECT id, createdAt FROM identitySecret WHERE channel = ?", [.text(channel)]) {
            IdentitySecret(id: $0.text(0), createdAt: Timestamp(milliseconds: $0.integer(1)))
        }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension WriteTransaction {
    /// Throws `tooManySecrets` where the channel has ``IdentitySecret/maximumCount``.
    public func addIdentitySecret(_ id: String, of channel: String) throws -> IdentitySecret {
        guard try identitySecrets(of: channel).count < IdentitySecret.maximumCount else {
            throw ChatError(
                .tooManySecrets, "A channel has at most \(IdentitySecret.maximumCount) secrets: remove one first.")
        }
        let secret = IdentitySecret(id: id, createdAt: now)
        try db.run(
            "INSERT INTO identitySecret (channel, id, createdAt) VALUES (?, ?, ?)",
            [.text(channel), .text(id), .integer(now.milliseconds)])
        return secret
    }

    /// Throws `unknownSecret`.
    public func removeIdentitySecret(_ id: String, of channel: String) throws {
        let changes = try db.change(
            "DELETE FROM identitySecret WHERE channel = ? AND id = ?", [.text(channel), .text(id)])
        guard changes == 1 else { throw ChatError(.unknownSecret, "The channel \(channel) has no secret \(id).") }
    }
}
