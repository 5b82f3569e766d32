/// A message left while nobody is there: the data of `SendOfflineMessage`, which web clients send.
public struct SendOfflineMessage: Sendable, Hashable, WireReadable, WireWritable {
    public var content: MessageContent
    /// Named by an address.
    public var author: WireCustomer

    public init(content: MessageContent, author: WireCustomer) {
        self.content = content
        self.author = author
    }

    public init(_ data: WireValue) throws(WireError) {
        content = try data.required("messageContent")
        author = try data.required("authorCustomerIdentity", or: "authorConsumerIdentity")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("messageContent", content)
            writer.member("authorCustomerIdentity", author)
        }
    }
}
