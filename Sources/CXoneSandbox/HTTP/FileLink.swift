/// Where the platform's clients fetch a file: whoever has the link has the file, as with the platform's signed links.
enum FileLink {
    private static let part = "/attachments/"

    /// The link of an attachment.
    ///
    /// - Parameter base: `http://host:port`, as the client reaches the gateway.
    static func url(_ id: String, brand: Int, base: String) -> String { "\(base)/chat/1.0/brand/\(brand)\(part)\(id)" }

    /// The attachment that a link names; nil for a link of somebody else.
    static func attachment(_ url: String, brand: Int) -> String? {
        guard let range = url.firstRange(of: "/chat/1.0/brand/\(brand)\(part)") else { return nil }
        let id = url[range.upperBound...]
        return id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) ? nil : String(id)
    }
}
