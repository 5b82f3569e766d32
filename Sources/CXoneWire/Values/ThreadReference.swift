/// The thread that a frame is about.
public struct ThreadReference: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`: made by the client, compared as it is.
    public var id: String
    /// `threadName`. A name given before the first message reaches the server this way.
    public var name: String?
    /// `id`: the server's own; only servers send it.
    public var serverID: String?

    public init(id: String, name: String? = nil, serverID: String? = nil) {
        self.id = id
        self.name = name
        self.serverID = serverID
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform")
        name = try value.optional("threadName")
        serverID = try value.idIfPresent("id")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: serverID)
            writer.member("idOnExternalPlatform", id)
            writer.member("threadName", ifPresent: name)
        }
    }
}
