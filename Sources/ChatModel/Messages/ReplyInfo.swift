import Formats

/// What a parent message tells of its replies (Sendbird's `ThreadInfo`): the service's word, never counted by a client.
public struct ReplyInfo: CanonicalJSON, Hashable {
    /// Authors in ``mostReplies`` at most.
    public static let maximumAuthors = 5

    public var count: Int
    /// The authors with the most replies, most first.
    public var mostReplies: [Author]
    public var lastRepliedAt: Timestamp?
    /// Of two infos the one with the later time is true.
    public var updatedAt: Timestamp

    public init(count: Int, mostReplies: [Author], lastRepliedAt: Timestamp?, updatedAt: Timestamp) {
        self.count = count
        self.mostReplies = mostReplies
        self.lastRepliedAt = lastRepliedAt
        self.updatedAt = updatedAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("count", count)
        json.member("mostReplies", mostReplies)
        if let lastRepliedAt { json.member("lastRepliedAt", lastRepliedAt) }
        json.member("updatedAt", updatedAt)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        count = Int(try json.requiredInteger("count"))
        mostReplies = try json.requiredArray("mostReplies")
        lastRepliedAt = json["lastRepliedAt"] == nil ? nil : try json.requiredTimestamp("lastRepliedAt")
        updatedAt = try json.requiredTimestamp("updatedAt")
    }
}
