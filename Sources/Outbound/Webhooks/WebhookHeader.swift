/// A header of the webhook owner's own, sent with each request.
///
/// Its value may be a password: it is stored, and never shown.
package struct WebhookHeader: Sendable, Hashable {
    package let name: String
    package let value: String

    static let maximumNameLength = 100
    static let maximumValueLength = 4096

    /// The name must be a token (RFC 9110, 5.6.2) and no header that the gateway writes itself. The value must be
    /// printable ASCII, with spaces and tabs inside only. Throws the sentence that says what is wrong.
    init(checking name: String, _ value: String) throws(InvalidHeader) {
        guard (1...Self.maximumNameLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.isToken) else {
            throw InvalidHeader(detail: "a token of 1 to \(Self.maximumNameLength) characters was expected as the name")
        }
        let lowercased = name.lowercased()
        guard !Self.forbidden.contains(lowercased), !Self.forbiddenPrefixes.contains(where: lowercased.hasPrefix) else {
            throw InvalidHeader(detail: "the gateway writes this header itself, or it belongs to the connection")
        }
        guard value.utf8.count <= Self.maximumValueLength, value.utf8.allSatisfy({ $0.isPrintable || $0.isBlank }),
            value.trimmingOptionalSpace.utf8.count == value.utf8.count
        else {
            throw InvalidHeader(
                detail: "up to \(Self.maximumValueLength) printable ASCII characters were expected, no space around")
        }
        self.init(name: name, value: value)
    }

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    struct InvalidHeader: Error, Equatable {
        var detail: String
    }

    private static let forbidden: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "keep-alive",
        "te", "trailer", "upgrade", "expect", "accept-encoding",
    ]
    private static let forbiddenPrefixes = ["webhook-", "proxy-"]

    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

extension WebhookHeader: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "\(name): (hidden)" }
    package var debugDescription: String { description }
}
