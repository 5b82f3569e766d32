import Formats

/// What a stand-in for another platform tells the program that is made for that platform: a request of it, ready to be
/// sent. No stream shows it.
public struct CallbackEvent: FeedEvent {
    public static let type = EventType.callback

    public var threadID: String
    /// What has happened, in the platform's words.
    public var category: String
    /// The request's body.
    public var body: [UInt8]

    public init(threadID: String, category: String, body: [UInt8]) {
        self.threadID = threadID
        self.category = category
        self.body = body
    }

    public var expectedSize: Int { body.count + body.count / 4 + 256 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        // The first member: deliveries find the thread's lane by it.
        json.member("threadId", threadID)
        json.member("category", category)
        json.member("body", String(decoding: body, as: UTF8.self))
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        category = try json.requiredString("category")
        body = Array(try json.requiredString("body").utf8)
    }
}
