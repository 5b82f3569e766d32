import CZlib
import Formats
import MicroHTTP

/// The media types that a client takes, as it says in `Accept` (RFC 9110, 12.5.1).
package struct AcceptHeader: Sendable {
    /// One media range with its weight.
    private struct Range {
        /// `*` for any.
        let type: String
        let subtype: String
        /// In thousandths; 0 says that the range is not wanted.
        let weight: Int

        /// Nil unless the text is well-formed. Parameters besides `q` are not compared.
        init?(_ text: Substring) {
            var scanner = ParameterScanner(String(text.drop { $0 == " " || $0 == "\t" }))
            guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
                let parameters = scanner.parameters(),
                let weight = Self.weight(parameters.first { $0.name == "q" }?.value ?? "1")
            else { return nil }
            self.type = type.lowercased()
            self.subtype = subtype.lowercased()
            self.weight = weight
        }

        /// A `qvalue`: 0 to 1 with at most three digits after the point.
        private static func weight(_ text: String) -> Int? {
            guard let weight = Double(text), (0...1).contains(weight), text.utf8.count <= 5,
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
            else { return nil }
            return Int((weight * 1000).rounded())
        }

        /// How exactly the range names the media type: 2 as itself, 1 by its type, 0 by `*/*`; nil when it does not.
        func exactness(for media: String) -> Int? {
            if "\(type)/\(subtype)" == media { return 2 }
            if subtype != "*" { return nil }
            if type == "*" { return 0 }
            return media.hasPrefix("\(type)/") ? 1 : nil
        }
    }

    private let ranges: [Range]
    /// Whether the client has said nothing, so that it takes everything.
    private let isAbsent: Bool

    /// - Parameter fields: the values of all fields of this name. Parts that are not well-formed are passed over.
    package init(_ fields: [String]) {
        isAbsent = fields.allSatisfy { $0.allSatisfy { $0 == " " || $0 == "\t" } }
        ranges = fields.flatMap { $0.split(separator: ",") }.compactMap { Range($0) }
    }

    /// What the client likes best of what there is; nil when it takes none of it.
    ///
    /// The greater weight wins, then what the client names more exactly: who asks for `application/json, */*` means
    /// JSON. Of equals the one wins that the client names first, as generated clients mean it that list all types of an
    /// answer; then the order of `offers` decides.
    ///
    /// - Parameter offers: media types in lower case, without parameters.
    package func preferred(among offers: [String]) -> String? {
        if isAbsent { return offers.first }
        var best: (offer: String, rank: (weight: Int, exactness: Int, place: Int))?
        for offer in offers {
            // The most exact range that names a type decides about its weight; of several the first.
            let fitting = ranges.enumerated().compactMap { place, range in
                range.exactness(for: offer).map { (weight: range.weight, exactness: $0, place: -place) }
            }
            guard let rank = fitting.max(by: { ($0.exactness, $0.place) < ($1.exactness, $1.place) }), rank.weight > 0
            else { continue }
            if let best, best.rank >= rank { continue }
            best = (offer, rank)
        }
        return best?.offer
    }
}

/// What a client would like to have, as it says in `Prefer` (RFC 7240). A wish that cannot be read is passed over, as
/// the RFC wants.
package struct PreferHeader: Sendable {
    /// How long the client would wait for the answer, in seconds; nil when it does not say.
    package let wait: Int?

    /// - Parameter fields: the values of all fields of this name. The first wish of a name counts.
    package init(_ fields: [String]) {
        let wishes = fields.flatMap { $0.split(separator: ",") }
        let wait = wishes.lazy.compactMap { wish -> Substring? in
            let parts = wish.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].filter({ $0 != " " && $0 != "\t" }).lowercased() == "wait" else {
                return nil
            }
            return parts[1]
        }.first
        self.wait = wait.flatMap { Int(digits: $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }) }
    }
}

/// The content coding gzip (RFC 9110, 8.4.1.3).
package enum Gzip {
    /// The coding's name in headers.
    package static let name = "gzip"

    /// Whether a client takes gzip, as it says in `Accept-Encoding` (RFC 9110, 12.5.3). Without the field it gets none:
    /// a plain client often cannot read it.
    ///
    /// - Parameter fields: the values of all fields of this name. Parts that are not well-formed are passed over.
    package static func isTaken(by fields: [String]) -> Bool {
        var isAnyTaken = false
        for part in fields.flatMap({ $0.split(separator: ",") }) {
            var scanner = ParameterScanner(String(part.drop { $0 == " " || $0 == "\t" }))
            guard let coding = scanner.token()?.lowercased(), let parameters = scanner.parameters() else { continue }
            let weight = parameters.first { $0.name == "q" }.map { Double($0.value) ?? 0 } ?? 1
            switch coding {
            // What names the coding itself decides; `*` is for those that are not named.
            case name, "x-gzip": return weight > 0
            case "*": isAnyTaken = weight > 0
            default: continue
            }
        }
        return isAnyTaken
    }

    /// The bytes as one gzip member, the same for the same bytes; nil when that is not shorter.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the format of gzip.
        let made = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard made == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        guard let size = UInt32(exactly: bytes.count), size > 0 else { return nil }
        // Room for what is shorter than the bytes, and for nothing else.
        var output = [UInt8](repeating: 0, count: bytes.count - 1)
        let state = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { room in
                // zlib does not write to its input; its header says so only if it is asked to.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = size
                stream.next_out = room.baseAddress
                stream.avail_out = size - 1
                return deflate(&stream, Z_FINISH)
            }
        }
        guard state == Z_STREAM_END else { return nil }
        // A copy that is no longer than it must be, because it is kept.
        return Array(output.dropLast(Int(stream.avail_out)))
    }
}

/// How routes answer. Headers that every answer has are added later, in one place.
extension Call {
    /// An answer with JSON that is already encoded. The bytes are not checked.
    @inlinable
    package func json(_ bytes: [UInt8], status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: .bytes(bytes))
    }

    /// A JSON value that a closure writes.
    @inlinable
    package func json(
        status: Int = 200, headers: [(String, String)] = [], _ write: (inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var json = JSONWriter()
        write(&json)
        return self.json(json.bytes, status: status, headers: headers)
    }

    /// 204, for operations that have nothing to show.
    @inlinable
    package func noContent(headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: 204, headers: headers)
    }

    /// The value of `Link` with the neighbouring pages (RFC 8288), as absolute paths with the request's query and
    /// another cursor; nil when there are no neighbours.
    package func links(next: String?, prev: String?) -> String? {
        var links: [String] = []
        for (cursor, relation) in [(next, "next"), (prev, "prev")] {
            guard let cursor else { continue }
            links.append("<\(request.path)?\(query.replacing(cursor: cursor))>; rel=\"\(relation)\"")
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// `Cache-Control` for data of one reader: the client may store the answer, and must revalidate it before each use.
    @inlinable
    package static var revalidate: (String, String) { ("Cache-Control", "private, no-cache") }
}
