/// A link with a title and a picture: `RICH_LINK`.
public struct RichLink: Sendable, Hashable, WireReadable, WireWritable {
    public var title: String
    public var url: String
    /// The iOS SDK needs it.
    public var media: WireMedia

    public init(title: String, url: String, media: WireMedia) {
        self.title = title
        self.url = url
        self.media = media
    }

    public init(_ payload: WireValue) throws(WireError) {
        title = try payload.requiredContent("title")
        url = try payload.required("url")
        media = try payload.optional("media") ?? WireMedia(fileName: "", url: "", mimeType: "")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("media", media)
            writer.member("title", content: title)
            writer.member("url", url)
        }
    }
}
