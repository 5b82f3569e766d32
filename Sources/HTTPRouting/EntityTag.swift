import Formats
import MicroHTTP

/// The weak entity tag of a resource (RFC 9110, 8.8.3): `W/"<version>-<hash in hexadecimal>"`.
///
/// The hash covers the query, so that two pages of one list have different tags. It also covers the answer's bytes
/// where the answer shows something that can change without a new version.
package struct EntityTag: Sendable, Equatable {
    /// The version of the resource; the only part that `If-Match` compares.
    package let version: Int64
    /// The hash (64-bit FNV-1a) of the query, and of the answer if one was given.
    package let query: UInt64

    /// - Parameters:
    ///   - target: the request's target; only what follows the question mark counts.
    ///   - content: the bytes of the answer, for answers that the version does not describe completely; otherwise
    ///     empty.
    package init(version: Int64, target: String, content: [UInt8] = []) {
        self.version = version
        let query = Self.hash(target)
        self.query = content.isEmpty ? query : Self.hash(content, from: query ^ Self.start)
    }

    /// Reads the opaque part of a tag that a client sent back, without `W/` and quotes.
    ///
    /// Nil for a text that the gateway cannot have produced, such as a number with leading zeros.
    package init?(opaque text: Substring) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let version = Int64(digits: parts[0]), let query = UInt64(parts[1], radix: 16),
            parts[1] == String(query, radix: 16)
        else { return nil }
        self.version = version
        self.query = query
        // Tags are compared character by character (RFC 9110, 8.8.3.2): another spelling of the numbers is another tag.
        guard opaque == text else { return nil }
    }

    /// The whole tag, for the header `ETag`.
    package var text: String { "W/\"\(opaque)\"" }

    private var opaque: String { "\(version)-\(String(query, radix: 16))" }

    /// FNV-1a of what follows the question mark; 0 when nothing does.
    private static func hash(_ target: String) -> UInt64 {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return 0 }
        return hash(target.utf8[target.utf8.index(after: mark)...], from: start)
    }

    private static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64) -> UInt64 {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}

/// The value of `If-None-Match` or `If-Match` (RFC 9110, 13.1): a list of tags, or `*`.
package enum TagCondition: Sendable {
    /// `*`: every existing resource matches.
    case any
    /// The opaque parts, without `W/` and quotes.
    case tags([Substring])

    /// Reads the header leniently: it takes every complete quoted string and ignores everything else, `W/` included. A
    /// header without one gives a list that matches nothing.
    package init(_ header: String) {
        if header == "*" {
            self = .any
            return
        }
        var tags: [Substring] = []
        var rest = Substring(header)
        // Commas may stand inside a tag, so the quotes are what counts.
        while let open = rest.firstIndex(of: "\"") {
            let start = rest.index(after: open)
            guard let close = rest[start...].firstIndex(of: "\"") else { break }
            tags.append(rest[start..<close])
            rest = rest[rest.index(after: close)...]
        }
        self = .tags(tags)
    }

    /// A tag without what a proxy has added to it that compresses answers: `-gzip` (Apache), `--gzip` (Jetty), `;gzip`.
    /// The client sends it back as it came, and it means the same resource. No tag of the gateway's own ends
    /// so.
    private static func withoutCoding(_ text: Substring) -> Substring {
        for coding in ["gzip", "br", "zstd", "deflate"] {
            for mark in ["--", "-", ";"] where text.hasSuffix(mark + coding) {
                return text.dropLast(mark.count + coding.count)
            }
        }
        return text
    }

    /// Whether the condition names this tag. Both headers use weak comparison here: `W/` makes no difference.
    package func contains(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { EntityTag(opaque: Self.withoutCoding($0)) == tag }
        }
    }

    /// The same for a tag of another form, such as a file's digest; compared character by character.
    package func contains(opaque text: String) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0 == text || Self.withoutCoding($0) == text }
        }
    }

    /// Whether it names what is there.
    ///
    /// - Parameter tag: as the header `ETag` has it; nil for something without a tag, which only `*` names.
    package func names(_ tag: String?) -> Bool {
        guard let tag else { if case .any = self { return true } else { return false } }
        return contains(opaque: String((tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]).dropFirst().dropLast()))
    }

    /// Whether the list has a tag of this version; false for `*`.
    func contains(version: Int64) -> Bool {
        guard case .tags(let tags) = self else { return false }
        return tags.contains { EntityTag(opaque: Self.withoutCoding($0))?.version == version }
    }
}

extension Call {
    /// Whether `If-None-Match` names the tag, so that 304 is the answer. False without the header.
    ///
    /// - Parameter text: the tag as it is sent. Most clients send it back alone, which is found out without reading it.
    package func isFresh(_ tag: EntityTag, text: String? = nil) -> Bool {
        guard let header = request.headers["If-None-Match"] else { return false }
        return header == text || TagCondition(header).contains(tag)
    }

    /// Whether `If-None-Match: *` wants the request to make something that is not there. Where a write makes what its path
    /// names, its unit asks that, so that one of two such writes fails.
    package var mustBeNew: Bool {
        guard let header = request.headers["If-None-Match"], case .any = TagCondition(header) else { return false }
        return true
    }

    /// The version that a writing operation must find in its transaction; nil when any version is accepted, which is
    /// the case without `If-Match` and for `If-Match: *`.
    ///
    /// - Parameter current: reads the present version; called only when the header has a list of tags.
    /// - Throws: `preconditionFailed` when no tag of the list has the present version, and what `current` throws.
    package func expectedVersion(current: () async throws -> Int64) async throws -> Int64? {
        guard let header = request.headers["If-Match"] else { return nil }
        let condition = TagCondition(header)
        guard case .tags = condition else { return nil }
        let version = try await current()
        // The resource may change between this check and the operation, so the operation compares again in its
        // transaction.
        guard condition.contains(version: version) else {
            throw Problem(.preconditionFailed, "The resource is not in the version that If-Match names.")
        }
        return version
    }
}

extension Route {
    /// Throws `preconditionFailed` for `If-Match` where the route has no version to compare: the request must not be
    /// carried out as if it had come without a condition (RFC 9110, 13.1.1). A route of another protocol decides itself.
    package func checkCondition(of request: HTTPRequest) throws(Problem) {
        guard method != .get, !isVersioned, request.headers["If-Match"] != nil else { return }
        if case .foreign = body { return }
        throw Problem(.preconditionFailed, "\(method.rawValue) \(template) takes no If-Match. Nothing was done.")
    }
}
