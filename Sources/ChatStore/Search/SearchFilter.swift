import ChatModel

/// What a search asks of a message besides its words. All conditions must hold; nil asks for nothing.
public struct SearchFilter: Sendable, Hashable {
    public var types: Set<MessageType>?
    public var senderKinds: Set<Author.Kind>?
    public var senderIDs: Set<String>?

    public init(
        types: Set<MessageType>? = nil, senderKinds: Set<Author.Kind>? = nil, senderIDs: Set<String>? = nil
    ) {
        self.types = types
        self.senderKinds = senderKinds
        self.senderIDs = senderIDs
    }

    /// Whether a message fulfils the filter.
    func contains(_ message: Message) -> Bool {
        types?.contains(message.type) != false && senderKinds?.contains(message.author.kind) != false
            && senderIDs?.contains(message.author.id) != false
    }
}
