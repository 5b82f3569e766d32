import Formats

/// The OpenAPI document as JSON, and the page `/docs`, which shows its operations.
///
/// Both are made when one of them is first asked for. To read the document takes longer than all else at the start of
/// the gateway, and more memory than all else that an idle gateway holds.
actor APIDescription {
    private let path: String?
    private let guide: Guide
    private var made: Made?

    private struct Made {
        let document: StaticFile?
        let page: StaticFile
    }

    /// Throws when the document cannot be read. Whether it is well-formed shows only later.
    ///
    /// - Parameter path: of the YAML file; nil if there is no document.
    init(path: String?, guide: Guide) throws(FileReader.Failure) {
        if let path { try FileReader.check(path) }
        self.path = path
        self.guide = guide
    }

    /// The document; nil if there is none.
    func document() throws -> StaticFile? { try make().document }

    /// The page `/docs`.
    func page() throws -> StaticFile { try make().page }

    private func make() throws -> Made {
        if let made { return made }
        let json = try path.map { try OpenAPIDocument.json(yaml: FileReader.read($0)) }
        let document = try json.map { try JSONParser.parse($0) } ?? .object([])
        let made = Made(
            document: json.map { StaticFile(bytes: $0, contentType: "application/json") },
            page: StaticFile(
                bytes: DocumentationPage(document, guide: guide).bytes, contentType: HTMLPage.contentType.1))
        self.made = made
        return made
    }
}
