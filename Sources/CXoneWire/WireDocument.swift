/// A whole JSON text of the protocol: a frame, or a body of HTTP.
public protocol WireDocument: Sendable {
    /// Reads the text; more than `limit` bytes are refused.
    init(json: [UInt8], limit: Int) throws(WireError)

    /// The text that is sent.
    func encoded() -> [UInt8]
}

/// How many bytes are read at most.
public enum WireLimit {
    /// Of a frame: 1 MiB.
    public static let frame = 1 << 20
    /// Of an event that is too large for a frame and is fetched instead (`EventInS3`): 16 MiB.
    public static let largeEvent = 16 << 20
    /// Of a body: an attachment of 40 MiB in base64, and its name.
    public static let body = 64 << 20
}
