/// Somebody begins or ceases to type: the data of `SenderTypingStarted` and `SenderTypingEnded`.
public struct SenderTyping: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    public var thread: ThreadReference
    /// The agent who types: how the mobile SDKs know that it is one.
    public var agent: WireAgent?
    /// How web clients know it. Frames without are outbound if they name an agent.
    public var direction: Direction

    public init(
        origin: PushOrigin, thread: ThreadReference, agent: WireAgent?, direction: Direction = .outbound
    ) {
        self.origin = origin
        self.thread = thread
        self.agent = agent
        self.direction = direction
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        thread = try data.required("thread")
        agent = try data.optional("user")
        direction = try data.optional("direction") ?? (agent == nil ? .inbound : .outbound)
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("thread", thread)
            writer.member("direction", direction)
            writer.member("user", ifPresent: agent)
        }
    }
}
