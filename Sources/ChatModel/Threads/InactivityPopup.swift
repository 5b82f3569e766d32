import Formats

/// What a silent customer of a live chat is asked: to go on, or to end (the SDK's `InactivityPopup`).
public struct InactivityPopup: CanonicalJSON, Hashable {
    public struct Button: CanonicalJSON, Hashable {
        public var id: String
        public var text: String
        /// What a client of the platform sends back.
        public var postback: String

        public init(id: String, text: String, postback: String) {
            self.id = id
            self.text = text
            self.postback = postback
        }

        public func encode(to json: inout JSONWriter) {
            json.beginObject()
            json.member("id", id)
            json.member("text", text)
            json.member("postback", postback)
            json.endObject()
        }

        public init(json: JSONValue) throws(ModelError) {
            id = try json.requiredString("id")
            text = try json.requiredString("text")
            postback = try json.requiredString("postback")
        }
    }

    public var title: String
    public var message: String
    /// From here the countdown runs.
    public var startedAt: Timestamp
    /// When it is over the chat is ended.
    public var numberOfSeconds: Int
    public var refreshButton: Button
    public var expireButton: Button

    public init(
        title: String, message: String, startedAt: Timestamp, numberOfSeconds: Int, refreshButton: Button,
        expireButton: Button
    ) {
        self.title = title
        self.message = message
        self.startedAt = startedAt
        self.numberOfSeconds = numberOfSeconds
        self.refreshButton = refreshButton
        self.expireButton = expireButton
    }

    /// When the chat is ended, unless the customer says something.
    public var endsAt: Timestamp { startedAt.advanced(bySeconds: numberOfSeconds) }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("message", message)
        json.member("startedAt", startedAt)
        json.member("numberOfSeconds", numberOfSeconds)
        json.member("refreshButton", refreshButton)
        json.member("expireButton", expireButton)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = try json.requiredString("title")
        message = try json.requiredString("message")
        startedAt = try json.requiredTimestamp("startedAt")
        numberOfSeconds = Int(try json.requiredInteger("numberOfSeconds"))
        refreshButton = try Button(json: json["refreshButton"] ?? .null)
        expireButton = try Button(json: json["expireButton"] ?? .null)
    }
}
