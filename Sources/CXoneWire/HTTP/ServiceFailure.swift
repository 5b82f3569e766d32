/// Why the platform refuses a request: the body of an error on any of its endpoints.
public struct ServiceFailure: Error, Sendable, Hashable {
    public var code: ErrorCode
    public var message: String

    public init(code: ErrorCode, message: String) {
        self.code = code
        self.message = message
    }
}

extension ServiceFailure: WireDocument {
    /// Reads `{"error": {"errorCode"}}` and, as the token service may write it, `{"errorCode"}`.
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        let error = value["error"] ?? value
        guard error.isObject else { throw error.expected("an object").within("error") }
        code = try error.required("errorCode")
        message = try error.optional("errorMessage") ?? ""
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            writer.object { writer in
                writer.object("error") { writer in
                    writer.member("errorCode", code)
                    writer.member("errorMessage", message)
                }
            }
        }
    }
}

extension ErrorCode {
    /// The token service doesn't talk to this address.
    public static let ipBlocked = ErrorCode(rawValue: "ip_blocked")
}
