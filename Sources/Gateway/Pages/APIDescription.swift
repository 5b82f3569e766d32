import Formats

/// The OpenAPI document as JSON, and the reference, which shows its operations.
///
/// Each is made when it is first asked for. To read the document takes longer than all else at the start of the gateway,
/// and more memory than all else that an idle gateway holds.
actor APIDescription {
    private let path: String?
    private let guide: Guide
    private var read: (document: [UInt8]?, pages: ReferencePages)?
    /// The document as it is served, by the address that it names.
    private var documents: [String: StaticFile] = [:]
    /// The main parts of pages, by tag; that of the start page by nil. They are cut where the gateway's address belongs.
    private var parts: [String?: [Substring]] = [:]
    /// Whole pages without a search, by tag and address.
    private var pages: [PageKey: StaticFile] = [:]
    /// A gateway has few names; behind a proxy a client could make up more.
    private static let keptPages = 64
    /// A document is far larger than a page.
    private static let keptDocuments = 4

    private struct PageKey: Hashable {
        let tag: String?
        let origin: String
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
    ///
    /// - Parameter origin: the gateway's address, which the document names as its server.
    func document(origin: String) throws -> StaticFile? {
        if let document = documents[origin] { return document }
        guard let bytes = try contents().document else { return nil }
        let document = StaticFile(bytes: Self.naming(origin, in: bytes), contentType: "application/json")
        if documents.count >= Self.keptDocuments { documents.removeAll() }
        documents[origin] = document
        return document
    }

    /// The document with another address where its server is that of ``SampleRequest/origin``.
    private static func naming(_ origin: String, in document: [UInt8]) -> [UInt8] {
        let before = Array("\"servers\":[{\"url\":".utf8)
        guard let place = document.firstRange(of: before + quoted(SampleRequest.origin)) else { return document }
        return document[..<place.lowerBound] + before + quoted(origin) + document[place.upperBound...]
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: text.utf8.count + 2)
        json.value(text)
        return json.bytes
    }

    /// A page of the reference.
    ///
    /// - Parameters:
    ///   - tag: whose operations it shows; nil for the start page.
    ///   - query: narrows the column of operations. With one, the start page shows what was found.
    ///   - origin: the gateway's address, for the samples.
    /// - Returns: nil if no operation has the tag.
    func page(_ tag: String?, query: String, origin: String) throws -> StaticFile? {
        let reference = try contents().pages
        if let tag, !reference.hasTag(tag) { return nil }
        let key = PageKey(tag: tag, origin: origin)
        if query.isEmpty, let page = pages[key] { return page }
        let isSearch = tag == nil && !query.isEmpty
        let main = isSearch ? reference.results(query) : part(tag, reference).joined(separator: HTMLPage.escape(origin))
        let bytes = reference.page(tag, query: query, main: main)
        let page = StaticFile(bytes: bytes, contentType: HTMLPage.contentType.1)
        if query.isEmpty {
            if pages.count >= Self.keptPages { pages.removeAll() }
            pages[key] = page
        }
        return page
    }

    private func part(_ tag: String?, _ reference: ReferencePages) -> [Substring] {
        if let part = parts[tag] { return part }
        let whole = tag.map(reference.main) ?? reference.start()
        let part = whole.split(separator: SampleRequest.origin, omittingEmptySubsequences: false)
        parts[tag] = part
        return part
    }

    private func contents() throws -> (document: [UInt8]?, pages: ReferencePages) {
        if let read { return read }
        let json = try path.map { try OpenAPIDocument.json(yaml: FileReader.read($0)) }
        let document = try json.map { try JSONParser.parse($0) } ?? .object([])
        let made = (json, ReferencePages(APIDocument(document), guide: guide))
        read = made
        return made
    }
}
