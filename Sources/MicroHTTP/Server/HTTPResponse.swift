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

    /// The same answer with all of its fields and its body in this value, so that it shares nothing.
    public var unshared: HTTPResponse {
        guard case .prepared(let prepared) = body else { return self }
        return HTTPResponse(status: status, headers: prepared.headers + headers, body: .bytes(prepared.body))
    }
}

/// What an answer carries. An answer to HEAD has the length of its body but not the body; 204 has neither. A 304 whose
/// body is given has that body's length, otherwise 0.
public enum HTTPBody: Sendable {
    case none
    case bytes([UInt8])
    /// Shared header fields and a shared body. ``HTTPResponse/headers`` are those of this request alone.
    case prepared(PreparedResponse)
    /// A part of a file, sent by the kernel; never empty. If the file has fewer bytes by then, the connection closes.
    case file(HTTPFile, Range<Int64>)
    /// An event stream. It stays open until the source ends it, the client closes the connection, or the server stops.
    case events(any EventSource)
    /// The connection leaves HTTP; with status 101 only.
    case upgrade(HTTPUpgrade)
}

extension HTTPBody {
    /// How many bytes it has in memory; nil when they come from elsewhere, or when there is no body.
    var byteCount: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .prepared(let prepared): prepared.body.count
        case .none, .file, .events, .upgrade: nil
        }
    }
}
