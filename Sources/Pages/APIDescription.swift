import Formats
import Gateway
import Synchronization
import Yams

/// The OpenAPI document as JSON, and the reference, which shows its operations.
///
/// Each is made when it is first asked for. To read the document takes longer than all else at the start of the
/// gateway, and more memory than all else that an idle gateway holds.
actor APIDescription {
    private let path: String?
    private let guide: Guide
    private var read: (document: [UInt8]?, pages: ReferencePages)?
    /// The document as it is served, by the address that it names.
    private var documents: [String: StaticFile] = [:]
    /// The main parts of pages. They are cut where the gateway's address belongs.
    private var parts: [DocsPlace: [Substring]] = [:]
    /// Whole pages, by place, search and address. Any thread may look here first, so that a page that was made before
    /// needs no task.
    private let pages = Mutex<[PageKey: StaticFile]>([:])
    /// A gateway has few names; behind a proxy a client could make up more, and it may search for anything.
    private static let keptPages = 64
    /// In bytes: what the kept pages have together.
    private static let keptBytes = 8 << 20
    /// A document is far larger than a page.
    private static let keptDocuments = 4

    private struct PageKey: Hashable {
        let place: DocsPlace
        let query: String
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

    /// A page below `/docs`.
    ///
    /// - Parameters:
    ///   - query: narrows the column. With one, the start page shows what was found.
    ///   - origin: the gateway's address, for the samples.
    /// - Returns: nil if there is no such page.
    func page(_ place: DocsPlace, query: String, origin: String) throws -> StaticFile? {
        let reference = try contents().pages
        guard reference.title(of: place) != nil else { return nil }
        if let page = keptPage(place, query: query, origin: origin) { return page }
        let main = part(place, reference).joined(separator: HTMLPage.escape(origin))
        let bytes = reference.page(place, query: query, main: main)
        let page = StaticFile(bytes: bytes, contentType: HTMLPage.contentType.1)
        pages.withLock { pages in
            let kept = pages.values.reduce(bytes.count) { $0 + $1.bytes.count }
            if pages.count >= Self.keptPages || kept > Self.keptBytes { pages.removeAll() }
            pages[PageKey(place: place, query: query, origin: origin)] = page
        }
        return page
    }

    /// The page if it was made before; nil otherwise.
    nonisolated func keptPage(_ place: DocsPlace, query: String, origin: String) -> StaticFile? {
        pages.withLock { $0[PageKey(place: place, query: query, origin: origin)] }
    }

    private func part(_ place: DocsPlace, _ reference: ReferencePages) -> [Substring] {
        if let part = parts[place] { return part }
        let part = reference.main(of: place).split(separator: SampleRequest.origin, omittingEmptySubsequences: false)
        // An article is written anew as quickly, and names the address of no gateway.
        if case .tag = place { parts[place] = part }
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

/// The OpenAPI document: written in YAML, served as JSON with its members in the same order.
package enum OpenAPIDocument {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    package static func json(yaml: [UInt8]) throws -> [UInt8] {
        // Yams' own resolver tries eight regular expressions on each scalar.
        guard let node = try Yams.compose(yaml: String(decoding: yaml, as: UTF8.self), .basic) else {
            throw Malformed(description: "the OpenAPI document is empty")
        }
        var json = JSONWriter(reservingCapacity: yaml.count)
        try write(node, to: &json)
        return json.bytes
    }

    private static func write(_ node: Node, to json: inout JSONWriter) throws {
        switch node {
        case .mapping(let mapping):
            json.beginObject()
            for (key, value) in mapping {
                // A status written without quotes is a number, and yet a name.
                guard let name = key.scalar?.string else {
                    throw Malformed(description: "a member's name is not a scalar")
                }
                json.name(name)
                try write(value, to: &json)
            }
            json.endObject()
        case .sequence(let sequence):
            json.beginArray()
            for item in sequence { try write(item, to: &json) }
            json.endArray()
        case .scalar(let scalar):
            write(scalar, to: &json)
        default:
            throw Malformed(description: "aliases are not used in the document")
        }
    }

    /// What a scalar means by YAML 1.2's core schema (10.3.2), without numbers in octal or hexadecimal. One with quotes
    /// is a text.
    private static func write(_ scalar: Node.Scalar, to json: inout JSONWriter) {
        guard scalar.style == .plain else { return json.value(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": json.raw(Array("null".utf8))
        case "true", "True", "TRUE": json.raw(Array("true".utf8))
        case "false", "False", "FALSE": json.raw(Array("false".utf8))
        case let text where text.utf8.allSatisfy(isOfNumber):
            if let number = Int64(text) {
                json.value(number)
            } else if let number = Double(text) {
                json.raw(Array("\(number)".utf8))
            } else {
                json.value(text)
            }
        case let text: json.value(text)
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
