/// Somebody begins or ceases to type: the data of `SenderTypingStarted` and `SenderTypingEnded`.
public struct SenderTyping: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    public var thread: ThreadReference
    /// The agent who types (`user`); by it the mobile SDKs know that it is no customer.
    public var agent: WireAgent?
    /// By it web clients know who types. A frame without it is outbound if it names an agent, else inbound.
    public var direction: Direction

    public init(
        origin: PushOrigin, thread: ThreadReference, agent: WireAgent?, direction: Direction = .outbound
    ) {
        self.origin = origin
        self.thread = thread
        self.agent = agent
        self.direction = direction
    }

    /// Reads the push; only `thread` must be there.
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

/// A piece of a message that is generated while it is read: one event of the stream to which a `STREAMED` message
/// points.
public struct StreamedDelta: Sendable, Hashable {
    /// The piece of text, to be appended to those before.
    public var content: String?
    /// `stop` with the last piece.
    public var finishReason: String?

    public init(content: String?, finishReason: String? = nil) {
        self.content = content
        self.finishReason = finishReason
    }
}

extension StreamedDelta: WireDocument {
    /// Reads the JSON text of one server-sent event. Both members of `delta` may be absent.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        (content, finishReason) = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
            .inside("delta") { delta throws(WireError) in
                (try delta.optional("content"), try delta.optional("finish_reason"))
            }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            writer.object { writer in
                writer.object("delta") { writer in
                    writer.member("content", ifPresent: content)
                    writer.member("finish_reason", orNull: finishReason)
                }
            }
        }
    }
}
