import ChatModel
import Formats

/// An account as the store keeps it.
public struct AccountRecord: Sendable {
    /// Names the account within this database; counts from 1.
    public var number: Int64
    public var key: AccountKey
    public var customer: Customer
    public var customFields: [String: String]
    public var createdAt: Timestamp

    static let columns = """
        account.number, account.service, account.channel, account.customer, account.json, account.customFields, account.createdAt
        """

    /// - Parameter column: where ``columns`` begin.
    init(row: SQLRow, from column: Int32 = 0) throws {
        number = row.integer(column)
        key = AccountKey(service: row.text(column + 1), channel: row.text(column + 2), customer: row.text(column + 3))
        customer = try Customer(canonicalJSON: row.blob(column + 4))
        let fields = try JSONParser.parse(row.blob(column + 5)).members ?? []
        customFields = Dictionary(fields.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        createdAt = Timestamp(milliseconds: row.integer(column + 6))
    }

    /// What the desk's copy of an event says besides: whose thread it is.
    public var deskMembers: [UInt8] { Self.deskMembers(channel: key.channel, customer: customer) }

    /// The same of a channel and a customer: two JSON members without the braces around them.
    public static func deskMembers(channel: String, customer: Customer) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("channel", channel)
        json.member("customer", customer)
        json.endObject()
        return Array(json.bytes.dropFirst().dropLast())
    }
}
