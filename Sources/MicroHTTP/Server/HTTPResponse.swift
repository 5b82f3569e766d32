/// An answer.
///
/// The server sets Date, Content-Length, Transfer-Encoding and Connection; do not set them. `Connection: close`
/// is allowed, and closes the connection. A header that HTTP does not allow, for example one with a line break in
/// its value, is left out.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var headers: [(String, String)]
    public var body: HTTPBody

    public init(status: Int, headers: [(String, String)] = [], body: HTTPBody = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What an answer carries. An answer to HEAD has the length of its body but not the body; 204 has neither. A 304 whose
/// body is given has that body's length, otherwise 0.
public enum HTTPBody: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file, sent by the kernel; never empty. If the file has fewer bytes by then, the connection closes.
    case file(HTTPFile, Range<Int64>)
    /// An event stream. It stays open until the source ends it, the client closes the connection, or the server stops.
    case events(any EventSource)
    /// The connection leaves HTTP; with status 101 only.
    case upgrade(HTTPUpgrade)
}
