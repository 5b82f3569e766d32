import Foundation

/// The digests of a body as the client announces them: `Repr-Digest: sha-256=:<base64>:, sha-512=:<base64>:` (RFC
/// 9530).
///
/// Other algorithms are ignored, as the RFC demands.
package struct ReprDigest: Sendable, Equatable {
    /// 32 bytes; nil when the client gave none.
    package var sha256: [UInt8]?
    /// 64 bytes; nil when the client gave none.
    package var sha512: [UInt8]?

    /// Whether the SHA-512 of the body must be computed at all.
    package var needsSHA512: Bool { sha512 != nil }

    /// For a request without the header: ``check(_:)`` accepts every body.
    package init() {}

    /// Reads the header. If an algorithm comes several times, the last one counts. Throws `invalidHeader` when a member
    /// is not well-formed or its digest has the wrong length.
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

    private static let malformed = Problem(
        .invalidHeader, "Repr-Digest must be a list such as sha-256=:<base64>: (RFC 9530).")

    /// Compares the announced digests with those of the received body; all of them must match. Throws `digestMismatch`.
    package func check(_ digest: BodyDigest.Values) throws(Problem) {
        guard sha256 == nil || sha256 == digest.sha256, sha512 == nil || sha512 == digest.sha512 else {
            throw Problem(.digestMismatch, "The bytes that came do not have the digest that Repr-Digest gives.")
        }
    }

    /// The value of `Repr-Digest` for an answer; `digest` has 32 bytes.
    package static func text(sha256 digest: [UInt8]) -> String { "sha-256=:\(Data(digest).base64EncodedString()):" }
}

extension Substring {
    /// The text without the spaces and tabs around it: the optional white space (OWS) of RFC 9110, 5.6.3.
    var trimmed: Substring {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
