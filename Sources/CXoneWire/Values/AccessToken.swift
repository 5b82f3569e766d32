/// The token of a session that isn't secured: `accessToken`.
public struct AccessToken: Sendable, Hashable, WireReadable, WireWritable {
    public var token: String
    /// In seconds; clients leave it out.
    public var expiresIn: Int?

    public init(token: String, expiresIn: Int? = nil) {
        self.token = token
        self.expiresIn = expiresIn
    }

    public init(_ value: WireValue) throws(WireError) {
        token = try value.required("token")
        expiresIn = try value.optional("expiresIn")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("token", token)
            writer.member("expiresIn", ifPresent: expiresIn)
        }
    }
}
