import Formats

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
