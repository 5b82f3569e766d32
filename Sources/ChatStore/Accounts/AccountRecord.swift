import ChatModel

/// An account as the store keeps it.
public struct AccountRecord: Sendable {
    /// Names the account within this database; counts from 1.
    public var number: Int64
    public var key: AccountKey
    public var customer: Customer
    public var customFields: [String: String]
    public var createdAt: Timestamp

    static let columns = "number, service, channel, customer, json, customFields, createdAt"

    init(row: SQLRow) throws {
        number = row.integer(0)
        key = AccountKey(service: row.text(1), channel: row.text(2), customer: row.text(3))
        customer = try Customer(canonicalJSON: row.blob(4))
        let fields = try JSONParser.parse(row.blob(5)).members ?? []
        customFields = Dictionary(fields.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        createdAt = Timestamp(milliseconds: row.integer(6))
    }

    /// What the desk's copy of an event says besides: whose thread it is.
    public var deskMembers: [UInt8] { Self.deskMembers(channel: key.channel, customer: customer) }

    public static func deskMembers(channel: String, customer: Customer) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("channel", channel)
        json.member("customer", customer)
        json.endObject()
        return Array(json.bytes.dropFirst().dropLast())
    }
}
