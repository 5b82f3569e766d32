/// A line that a mobile SDK logs on the platform: the body of `POST {logger}`.
public struct RemoteLogEntry: Sendable, Hashable {
    /// A digit.
    public var level: String
    public var message: String
    public var appVersion: String?
    /// Where in the program, and on what device; as it is.
    public var detail: RawJSON?

    public init(level: String, message: String, appVersion: String?, detail: RawJSON? = nil) {
        self.level = level
        self.message = message
        self.appVersion = appVersion
        self.detail = detail
    }
}

extension RemoteLogEntry: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        level = try value.id("level")
        message = try value.required("message")
        appVersion = try value.optional("appVersion")
        detail = value["detail"].map { RawJSON($0) }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("level", level)
                writer.member("message", message)
                writer.member("appVersion", ifPresent: appVersion)
                writer.member("detail", ifPresent: detail)
            }
        }
    }
}
