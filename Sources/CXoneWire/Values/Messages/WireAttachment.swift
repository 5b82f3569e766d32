/// A file that belongs to a message: an element of `attachments`.
public struct WireAttachment: Sendable, Hashable, WireReadable, WireWritable {
    public var url: String
    /// For display; Android's default is "document".
    public var friendlyName: String
    public var mimeType: String
    /// Android clients leave it out: then the friendly name.
    public var fileName: String
    /// The server's own.
    public var id: String?

    public init(url: String, friendlyName: String, mimeType: String, fileName: String, id: String? = nil) {
        self.url = url
        self.friendlyName = friendlyName
        self.mimeType = mimeType
        self.fileName = fileName
        self.id = id
    }

    public init(_ value: WireValue) throws(WireError) {
        url = try value.required("url")
        let fileName: String? = try value.optional("fileName")
        let friendlyName: String? = try value.optional("friendlyName")
        self.fileName = fileName ?? friendlyName ?? "document"
        self.friendlyName = friendlyName ?? self.fileName
        mimeType = try value.optional("mimeType") ?? "application/octet-stream"
        id = try value.idIfPresent("id")
    }

    /// All four strings, because the iOS SDK needs them.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: id)
            writer.member("url", url)
            writer.member("friendlyName", friendlyName)
            writer.member("mimeType", mimeType)
            writer.member("fileName", fileName)
        }
    }
}
