import ChatModel
import Formats

/// An anonymous account that was joined to a customer's: who wrote there is this customer.
public struct FormerAccount: Sendable, Equatable {
    /// How many of them an account names. With one more, the oldest is not named any more: its messages are another
    /// author's then.
    static let maximumCount = 100

    /// The id that the customer had.
    public let id: String
    /// The number of the account's row.
    let number: Int64
    /// The threads that came along, by their numbers.
    let threads: [Int64]

    init(id: String, number: Int64, threads: [Int64]) {
        (self.id, self.number, self.threads) = (id, number, threads)
    }

    /// Nil for JSON that ``Swift/Array/json`` does not write.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let number = json["number"]?.integer else { return nil }
        self.init(id: id, number: number, threads: json["threads"]?.array?.compactMap(\.integer) ?? [])
    }
}

extension [FormerAccount] {
    /// `[{"id","number","threads":[..]}]`
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for former in self {
            json.beginObject()
            json.member("id", former.id)
            json.member("number", former.number)
            json.name("threads")
            json.beginArray()
            for thread in former.threads { json.value(thread) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        return json.bytes
    }
}

extension AccountRecord {
    /// Notes that another account was joined to this one, and shows its id with the customer's.
    mutating func add(_ account: FormerAccount) {
        former = Array((former + [account]).suffix(FormerAccount.maximumCount))
        customer.formerIDs = former.suffix(Customer.maximumFormerIDs).map(\.id)
    }

    /// All ids that messages of this customer can have as their author: the current id, then the former ids.
    public var authorIDs: [String] { [key.customer] + former.map(\.id) }

    /// Whether the customer has written a message, now or before somebody vouched for them.
    public func wrote(_ message: Message) -> Bool {
        let author = message.author
        return author.kind == .customer
            && (author.id == key.customer || former.contains { $0.id == author.id })
    }
}
