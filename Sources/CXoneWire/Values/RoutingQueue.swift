/// The queue in which a contact waits: `routingQueue`.
public struct RoutingQueue: Sendable, Hashable, WireReadable, WireWritable {
    public var id: String
    public var name: String?

    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        name = try value.optional("name")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("name", ifPresent: name)
        }
    }
}
