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
