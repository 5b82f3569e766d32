/// What the customer says of a new thread.
public struct ThreadDraft: Sendable, Hashable {
    /// Made by the client; a new UUID if absent.
    public var id: String?
    public var name: String?
    /// The pre-chat survey's answers among them.
    public var customFields: [String: String]

    public init(id: String? = nil, name: String? = nil, customFields: [String: String] = [:]) {
        self.id = id
        self.name = name
        self.customFields = customFields
    }
}
