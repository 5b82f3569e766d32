import Formats

/// Who owns threads and messages: one customer on one channel of one service.
public struct AccountKey: Sendable, Hashable {
    public var service: String
    public var channel: String
    public var customer: String

    public init(service: String, channel: String, customer: String) {
        self.service = service
        self.channel = channel
        self.customer = customer
    }
}

/// Whose thread it is, as the desk tells customers apart: ids of threads are unique within an account only.
public struct ThreadOwner: Sendable, Hashable, Comparable {
    public var channel: String
    public var customer: String

    public init(channel: String, customer: String) {
        self.channel = channel
        self.customer = customer
    }

    /// Bytewise, as the store compares them.
    public static func < (left: ThreadOwner, right: ThreadOwner) -> Bool {
        if left.channel != right.channel { return left.channel.utf8.lexicographicallyPrecedes(right.channel.utf8) }
        return left.customer.utf8.lexicographicallyPrecedes(right.customer.utf8)
    }
}

extension AccountKey {
    /// Whose threads they are at the desk, which serves one service only.
    public var owner: ThreadOwner { ThreadOwner(channel: channel, customer: customer) }
}

extension ThreadOwner: CanonicalJSON {
    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("channel", channel)
        json.member("customer", customer)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        self.init(channel: try json.requiredString("channel"), customer: try json.requiredString("customer"))
    }
}
