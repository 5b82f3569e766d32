/// A message that was seen or read: the data of `MessageReadChanged` and `MessageSeenChanged`.
public struct MessageChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    /// Replaces what was known of it.
    public var message: WireMessage

    public init(origin: PushOrigin, message: WireMessage) {
        self.origin = origin
        self.message = message
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        message = try data.required("message")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("message", message)
        }
    }
}
