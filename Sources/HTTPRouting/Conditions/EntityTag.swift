import Formats
import MicroHTTP

/// The weak tag of a resource: its version and a hash.
///
/// The hash covers the query, so that pages of one list differ. Where an answer shows something whose change does not
/// change the version, the hash covers the answer too.
package struct EntityTag: Sendable, Equatable {
    package let version: Int64
    package let query: UInt64

    /// - Parameter content: the answer, if the version does not count all that it says.
    package init(version: Int64, target: String, content: [UInt8] = []) {
        self.version = version
        let query = Self.hash(target)
        self.query = content.isEmpty ? query : Self.hash(content, from: query ^ Self.start)
    }

    /// What a client sent back, without `W/`. Nil when the gateway gives out no such tags.
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

/// A list of tags as `If-None-Match` and `If-Match` carry it (RFC 9110, 13.1).
package enum TagCondition: Sendable {
    case any
    /// The opaque parts, without `W/` and quotes.
    case tags([Substring])

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

    /// Whether the resource that has this tag is among them (weak comparison).
    package func contains(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { EntityTag(opaque: $0) == tag }
        }
    }

    package func contains(opaque text: String) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0 == text }
        }
    }
}

extension Call {
    /// Whether the client has this version already.
    package func isFresh(_ tag: EntityTag) -> Bool {
        guard let header = request.headers["If-None-Match"] else { return false }
        return TagCondition(header).contains(tag)
    }

    /// The version that the operation must find; nil when any will do.
    /// - Parameter current: reads the version as it is now.
    /// - Throws: `preconditionFailed` when no tag names the version of now.
    package func expectedVersion(current: () async throws -> Int64) async throws -> Int64? {
        guard let header = request.headers["If-Match"] else { return nil }
        guard case .tags(let tags) = TagCondition(header) else { return nil }
        let version = try await current()
        // The operation compares once more, in its transaction: between here and there it may change.
        guard tags.contains(where: { EntityTag(opaque: $0)?.version == version }) else {
            throw Problem(.preconditionFailed, "The resource is not in the version that If-Match names.")
        }
        return version
    }
}
