import Foundation

/// What a client says its body's digest is (`Repr-Digest`, RFC 9530): `sha-256=:base64:`, `sha-512=:base64:`.
///
/// Other algorithms are passed over, as the RFC demands.
package struct ReprDigest: Sendable, Equatable {
    package var sha256: [UInt8]?
    package var sha512: [UInt8]?

    package var needsSHA512: Bool { sha512 != nil }

    package init() {}

    /// Throws `invalidHeader`.
    package init(_ header: String) throws(Problem) {
        for member in header.split(separator: ",", omittingEmptySubsequences: false) {
            let member = member.trimmed
            guard let equals = member.firstIndex(of: "=") else { throw Self.malformed }
            // Parameters of a member mean nothing here.
            let value = member[member.index(after: equals)...].prefix { $0 != ";" }.trimmed
            guard value.utf8.count >= 2, value.hasPrefix(":"), value.hasSuffix(":") else { throw Self.malformed }
            let (algorithm, length) = (
                member[..<equals].lowercased(), ["sha-256": 32, "sha-512": 64][member[..<equals].lowercased()]
            )
            guard let length else { continue }
            guard let bytes = Data(base64Encoded: String(value.dropFirst().dropLast())), bytes.count == length else {
                throw Self.malformed
            }
            if algorithm == "sha-256" { sha256 = Array(bytes) } else { sha512 = Array(bytes) }
        }
    }

    private static let malformed = Problem(.invalidHeader, "Repr-Digest is a list like sha-256=:<base64>: (RFC 9530).")

    /// Throws `digestMismatch` if the body is another.
    package func check(_ digest: BodyDigest.Values) throws(Problem) {
        guard sha256 == nil || sha256 == digest.sha256, sha512 == nil || sha512 == digest.sha512 else {
            throw Problem(.digestMismatch, "The bytes that came do not have the digest that Repr-Digest gives.")
        }
    }

    package static func text(sha256 digest: [UInt8]) -> String { "sha-256=:\(Data(digest).base64EncodedString()):" }
}

extension Substring {
    /// Without the white space that HTTP allows around values.
    var trimmed: Substring {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
