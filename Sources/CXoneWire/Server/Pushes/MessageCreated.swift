/// A new message of either side: the data of `MessageCreated`.
public struct MessageCreated: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    /// `case`; both mobile SDKs need it.
    public var contact: WireContact?
    public var thread: ThreadReference
    public var message: WireMessage

    public init(origin: PushOrigin, contact: WireContact?, thread: ThreadReference, message: WireMessage) {
        self.origin = origin
        self.contact = contact
        self.thread = thread
        self.message = message
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        contact = try data.contactOfPush()
        message = try data.required("message")
        thread = try data.optional("thread") ?? ThreadReference(id: message.threadID)
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("case", ifPresent: contact)
            writer.member("thread", thread)
            writer.member("message", message)
        }
    }
}
