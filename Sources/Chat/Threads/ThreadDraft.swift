/// A thread as its customer asks for it.
public struct ThreadDraft: Sendable, Hashable {
    /// The client's own id for the thread; with nil the gateway makes a UUID.
    public var id: String?
    public var name: String?
    /// The thread's fields, with the answers to the pre-chat survey among them.
    public var customFields: [String: String]

    /// The welcome message that the client has shown to the customer already. The thread begins with it instead of with
    /// the channel's (CXone `SendOutbound`).
    public var greeting: Greeting?

    /// A welcome message that a client has shown.
    public struct Greeting: Sendable, Hashable {
        public var id: String
        public var text: String

        public init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    public init(
        id: String? = nil, name: String? = nil, customFields: [String: String] = [:], greeting: Greeting? = nil
    ) {
        self.id = id
        self.name = name
        self.customFields = customFields
        self.greeting = greeting
    }
}
