/// A piece of a message that is made while it is read: an event of the stream to which a `STREAMED` message points.
public struct StreamedDelta: Sendable, Hashable {
    public var content: String?
    /// `stop` with the last piece.
    public var finishReason: String?

    public init(content: String?, finishReason: String? = nil) {
        self.content = content
        self.finishReason = finishReason
    }
}

extension StreamedDelta: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        (content, finishReason) = try WireValue(json: json, limit: limit).inside("delta") { delta throws(WireError) in
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
