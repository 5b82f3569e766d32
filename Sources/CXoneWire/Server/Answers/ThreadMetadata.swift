/// What a list shows of a thread: the data of `ThreadMetadataLoaded`.
public struct ThreadMetadata: Sendable, Hashable, WireReadable, WireWritable {
    public var ownerAssignee: WireAgent?
    /// Clients need one.
    public var lastMessage: WireMessage

    public init(ownerAssignee: WireAgent?, lastMessage: WireMessage) {
        self.ownerAssignee = ownerAssignee
        self.lastMessage = lastMessage
    }

    public init(_ data: WireValue) throws(WireError) {
        ownerAssignee = try data.optional("ownerAssignee")
        lastMessage = try data.required("lastMessage")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("ownerAssignee", orNull: ownerAssignee)
            writer.member("lastMessage", lastMessage)
        }
    }
}
