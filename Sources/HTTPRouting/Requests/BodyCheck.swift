import Foundation
import MicroHTTP

/// The checks on a body before a handler reads it.
package enum BodyCheck {
    /// Checks the content coding, `Content-Type` and the size. It works on the head alone and on a complete request,
    /// and does nothing for GET. Streamed and foreign bodies have rules of their own for all but the coding.
    ///
    /// - Parameter limit: bytes.
    /// - Throws: `unsupportedMediaType` for a body in a coding, and unless it is `application/json` (for PATCH also
    ///   `application/merge-patch+json`, RFC 7396); `bodyTooLarge`.
    @inlinable
    package static func head<Context>(_ request: HTTPRequest, for route: Route<Context>, limit: Int) throws(Problem) {
        if route.method == .get { return }
        try coding(request)
        switch route.body {
        case .streamed, .foreign: return
        case .none, .optionalJSON, .json: try head(request, isPatch: route.method == .patch, limit: limit)
        }
    }

    /// Refuses a body in a content coding, such as gzip: nothing here unpacks it, and packed bytes must not be taken
    /// for what they show. Throws `unsupportedMediaType` with `Accept-Encoding` (RFC 9110, 12.5.3).
    @usableFromInline
    static func coding(_ request: HTTPRequest) throws(Problem) {
        guard request.headers["Content-Encoding"] != nil else { return }
        let codings = request.headers.all("Content-Encoding").flatMap { $0.split(separator: ",") }.map(\.trimmed)
        guard let coding = codings.first(where: { !$0.isEmpty && $0.lowercased() != "identity" }) else { return }
        throw Problem(
            .unsupportedMediaType,
            "The body is in the coding \(coding.prefix(64)). Send it as it is, without Content-Encoding.",
            headers: [("Accept-Encoding", "identity")])
    }

    @usableFromInline
    static func head(_ request: HTTPRequest, isPatch: Bool, limit: Int) throws(Problem) {
        let announced = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
        let isChunked = request.headers["Transfer-Encoding"] != nil
        guard announced > 0 || isChunked || !request.body.isEmpty else { return }
        let type = request.headers["Content-Type"]
        guard let type, isJSON(type, isPatch: isPatch) else {
            let came = type.map { " It came as \($0.prefix(64))." } ?? " It came without a type."
            let accepted = isPatch ? ("Accept-Patch", Self.patchTypes) : ("Accept", "application/json")
            throw Problem(
                .unsupportedMediaType, "The body must be JSON, with Content-Type: application/json.\(came)",
                headers: [accepted])
        }
        if max(announced, request.body.count) > limit {
            throw Problem(.bodyTooLarge, "The body has more than \(limit) bytes.")
        }
    }

    /// Checks the body of a route that takes none: it may be empty or an object without members. Throws
    /// `unknownMember`, `invalidValue` or `invalidJSON`.
    @inlinable
    package static func emptiness<Context>(_ call: Call<Context>) throws(Problem) {
        guard case .none = call.route.body, call.route.method != .get, !call.request.body.isEmpty else { return }
        try emptiness(call.request)
    }

    @usableFromInline
    static func emptiness(_ request: HTTPRequest) throws(Problem) {
        var reader = ObjectReader(try request.json())
        reader.finish()
        if !reader.problems.isEmpty { throw Problem(items: reader.problems) }
    }

    /// Compares the body, which is complete, with the digests that its head announces; nothing is computed without
    /// them. A body that went to a sink is the sink's to compare. Throws `digestMismatch` and `invalidHeader`.
    package static func digest(_ request: HTTPRequest) throws(Problem) {
        if request.sink != nil { return }
        for name in DigestField.Name.allCases where request.headers[name.rawValue] != nil {
            let field = try DigestField(name, of: request)
            if field.isEmpty { continue }
            var digest = BodyDigest(needsSHA512: field.needsSHA512)
            digest.update(request.body)
            try field.check(digest.finish())
        }
    }

    /// What the body of a PATCH may be, for `Accept-Patch` (RFC 5789, 3.1). Both have the meaning of a merge patch.
    package static let patchTypes = "application/merge-patch+json, application/json"

    /// Whether the type is one of those that the operation takes, with any parameters and in any case.
    private static func isJSON(_ type: String, isPatch: Bool) -> Bool {
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json" || isPatch && essence == "application/merge-patch+json"
    }
}

/// The digests of a body as the client announces them: `sha-256=:<base64>:, sha-512=:<base64>:` (RFC 9530).
///
/// Other algorithms are ignored, as the RFC demands.
package struct DigestField: Sendable, Equatable {
    /// Which bytes the digests are of.
    package enum Name: String, Sendable, CaseIterable {
        /// The body as it came.
        case content = "Content-Digest"
        /// What the body shows. No content coding is taken, so these are the same bytes, except in a form with a file:
        /// there it is the file.
        case representation = "Repr-Digest"
    }

    package let name: Name
    /// 32 bytes; nil when the client gave none.
    package var sha256: [UInt8]?
    /// 64 bytes; nil when the client gave none.
    package var sha512: [UInt8]?

    /// Whether there is something to compare with.
    package var isEmpty: Bool { sha256 == nil && sha512 == nil }

    /// Whether the SHA-512 of the body must be computed at all.
    package var needsSHA512: Bool { sha512 != nil }

    /// The header of a request; without it ``check(_:)`` accepts every body. Throws `invalidHeader`.
    package init(_ name: Name, of request: HTTPRequest) throws(Problem) {
        let values = request.headers.all(name.rawValue)
        try self.init(name, values.isEmpty ? nil : values.joined(separator: ","))
    }

    /// Reads the header; nil for none. If an algorithm comes several times, the last one counts. Throws `invalidHeader` when a member
    /// is not well-formed or its digest has the wrong length.
    package init(_ name: Name, _ header: String?) throws(Problem) {
        self.name = name
        guard let header else { return }
        let malformed = Problem(
            .invalidHeader, "\(name.rawValue) must be a list such as sha-256=:<base64>: (RFC 9530).")
        for member in header.split(separator: ",", omittingEmptySubsequences: false) {
            let member = member.trimmed
            guard let equals = member.firstIndex(of: "=") else { throw malformed }
            // Parameters of a member mean nothing here.
            let value = member[member.index(after: equals)...].prefix { $0 != ";" }.trimmed
            guard value.utf8.count >= 2, value.hasPrefix(":"), value.hasSuffix(":") else { throw malformed }
            let (algorithm, length) = (
                member[..<equals].lowercased(), ["sha-256": 32, "sha-512": 64][member[..<equals].lowercased()]
            )
            guard let length else { continue }
            guard let bytes = Data(base64Encoded: String(value.dropFirst().dropLast())), bytes.count == length else {
                throw malformed
            }
            if algorithm == "sha-256" { sha256 = Array(bytes) } else { sha512 = Array(bytes) }
        }
    }

    /// Compares the announced digests with those of the received body; all of them must match. Throws `digestMismatch`.
    package func check(_ digest: BodyDigest.Values) throws(Problem) {
        guard sha256 == nil || sha256 == digest.sha256, sha512 == nil || sha512 == digest.sha512 else {
            throw Problem(.digestMismatch, "The bytes that came do not have the digest that \(name.rawValue) gives.")
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

/// Computes the digests of a body that arrives in pieces, for `Repr-Digest` (RFC 9530).
///
/// SHA-256 is always computed, because it also identifies the stored file; SHA-512 only on demand.
package struct BodyDigest {
    /// The finished digests as bytes.
    package struct Values {
        /// 32 bytes.
        package var sha256: [UInt8]
        /// 64 bytes; nil unless SHA-512 was requested.
        package var sha512: [UInt8]?
    }

    private var sha256 = SHA256()
    private var sha512: SHA512?

    /// - Parameter needsSHA512: whether the client sent a SHA-512 to compare with.
    package init(needsSHA512: Bool) { sha512 = needsSHA512 ? SHA512() : nil }

    /// Adds the next piece of the body; pieces must come in order.
    package mutating func update(_ bytes: [UInt8]) {
        sha256.update(bytes)
        sha512?.update(bytes)
    }

    /// The digests of everything so far. It changes nothing, so more pieces could follow.
    package func finish() -> Values {
        Values(sha256: sha256.finish(), sha512: sha512?.finish())
    }
}
