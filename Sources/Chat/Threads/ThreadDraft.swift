/// What the customer says of a new thread.
public struct ThreadDraft: Sendable, Hashable {
    /// Made by the client; a new UUID if absent.
    public var id: String?
    public var name: String?
    /// The pre-chat survey's answers among them.
    public var customFields: [String: String]

    /// What the customer was greeted with already, instead of the channel's welcome message (CXone `SendOutbound`).
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
