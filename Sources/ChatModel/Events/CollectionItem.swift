import Formats

/// One item of a collection, encoded once and shared by every collection that shows it.
public final class CollectionItem: CanonicalJSON {
    public let id: String
    /// Of a thread at the desk, where two may have one id: whose it is.
    public let owner: ThreadOwner?
    /// Canonical JSON. A thread's has what its reader alone sees: the account's unread count, or whose it is for the
    /// desk.
    public let json: [UInt8]

    public init(id: String, owner: ThreadOwner? = nil, json: [UInt8]) {
        self.id = id
        self.owner = owner
        self.json = json
    }

    public func encode(to json: inout JSONWriter) { json.raw(self.json) }

    public init(json value: JSONValue) throws(ModelError) {
        id = try value.requiredString("id")
        if let channel = value["channel"]?.string, let customer = value["customer"]?["id"]?.string {
            owner = ThreadOwner(channel: channel, customer: customer)
        } else {
            owner = nil
        }
        var writer = JSONWriter()
        writer.copy(value)
        json = writer.bytes
    }
}

/// The lists of a collection. A thread collection has only the first.
public enum CollectionList: String, Sendable, CaseIterable {
    case succeeded, pending, failed
}
