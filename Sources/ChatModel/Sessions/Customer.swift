import Formats

/// The person that a session acts for (the SDK's `CustomerIdentity`).
public struct Customer: CanonicalJSON, Hashable {
    public var id: String
    public var firstName: String?
    public var lastName: String?
    /// Where a picture of the customer is. Parley only passes it on.
    public var imageURL: String?
    /// The customer's e-mail address, as somebody who vouches for the customer has said it.
    public var email: String?
    /// Whether somebody has vouched for the id: a shop's server, by a signed token.
    public var isVerified = false
    /// Under which ids the customer wrote before somebody vouched for them: the newest ones, the oldest first. Messages
    /// keep the id of their author.
    public var formerIDs: [String] = []

    /// How many ``formerIDs`` are shown at most.
    public static let maximumFormerIDs = 8

    public init(id: String, firstName: String? = nil, lastName: String? = nil, imageURL: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.imageURL = imageURL
    }

    /// Whether the other one is the same, byte for byte (``ExactText``).
    public func hasSameBytes(as other: Customer) -> Bool {
        id.hasSameBytes(as: other.id) && firstName.hasSameBytes(as: other.firstName)
            && lastName.hasSameBytes(as: other.lastName) && imageURL.hasSameBytes(as: other.imageURL)
            && email.hasSameBytes(as: other.email) && isVerified == other.isVerified
            && formerIDs.elementsEqual(other.formerIDs) { $0.hasSameBytes(as: $1) }
    }

    /// The same as the other customers of a conversation see them: without the address, and without who vouches for them.
    public var amongOthers: Customer {
        var customer = self
        (customer.email, customer.isVerified) = (nil, false)
        return customer
    }

    /// First and last name as they are known, or nil.
    public var fullName: String? {
        let names = [firstName, lastName].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("firstName", firstName)
        json.member("lastName", lastName)
        json.member("imageUrl", imageURL)
        json.member("email", email)
        if isVerified { json.member("verified", true) }
        if !formerIDs.isEmpty {
            json.name("formerIds")
            json.beginArray()
            for id in formerIDs { json.value(id) }
            json.endArray()
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        firstName = json["firstName"]?.string
        lastName = json["lastName"]?.string
        imageURL = json["imageUrl"]?.string
        email = json["email"]?.string
        isVerified = json["verified"]?.bool ?? false
        formerIDs = json["formerIds"]?.array?.compactMap(\.string) ?? []
    }
}

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

/// Where a session's connection to its service stands, in the order of the SDK's `ChatState`.
public enum ChatState: String, Sendable, CaseIterable, Comparable {
    case initial, preparing, prepared, offline, connecting, connected, ready, closed

    public static func < (left: ChatState, right: ChatState) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Threads and messages can be worked with (the SDK's `isChatAvailable`).
    public var isChatAvailable: Bool { self >= .connected }

    /// What the customer does beside talking can be told (the SDK's `isAnalyticsAvailable`).
    public var isAnalyticsAvailable: Bool { self >= .prepared }

    /// `prepare` may begin here (the SDK's `isPrepareable`).
    public var isPrepareable: Bool { self == .initial || self == .prepared || self == .offline }
}

/// How a channel holds its conversations.
public enum ChatMode: String, Sendable, CaseIterable {
    case singlethread, multithread, liveChat
}

/// That a customer has agreed to how their data is used.
public struct Consent: CanonicalJSON, Hashable {
    /// Which text it was, in the channel's words, such as `2026-05`.
    public var version: String
    public var at: Timestamp

    public init(version: String, at: Timestamp) {
        self.version = version
        self.at = at
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("version", version)
        json.member("at", at)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        version = try json.requiredString("version")
        at = try json.requiredTimestamp("at")
    }
}
