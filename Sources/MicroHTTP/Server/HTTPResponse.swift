import CMicroHTTPD
import Glibc

/// An answer.
///
/// The server sets Date, Content-Length, Transfer-Encoding and Connection; do not set them. `Connection: close`
/// is allowed, and closes the connection. A header that HTTP does not allow, for example one with a line break in
/// its value, is left out.
///
/// ```swift
/// let answer = HTTPResponse(status: 201, headers: [("Location", "/v1/threads/t-1")])
/// print(answer.status)
/// ```
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
    /// So many bytes from a source, more than none. If the source ends before, the client sees that something is missing.
    case pieces(any EventSource, count: Int64)
    /// The connection leaves HTTP; with status 101 only.
    case upgrade(HTTPUpgrade)
    /// The connection breaks: it closes when so many bytes of the body were sent, and at 0 without an answer.
    case broken([UInt8], at: Int)
}

extension HTTPBody {
    /// How many bytes it has in memory; nil when they come from elsewhere, or when there is no body.
    var byteCount: Int? {
        switch self {
        case .bytes(let bytes), .broken(let bytes, _): bytes.count
        case .prepared(let prepared): prepared.body.count
        case .none, .file, .events, .pieces, .upgrade: nil
        }
    }

    /// What produces it piece by piece, if something does.
    var source: (any EventSource)? {
        switch self {
        case .events(let source), .pieces(let source, _): source
        case .none, .bytes, .prepared, .file, .upgrade, .broken: nil
        }
    }
}

/// An open file to be sent. It is closed when the last reference to it is released.
public final class HTTPFile: Sendable {
    let descriptor: Int32

    /// - Parameter descriptor: of a regular file that is open for reading. It belongs to the new object.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Its size now, in bytes.
    public var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads a part of the file, at most up to its end. Meant for callers without a socket.
    public func read(_ range: Range<Int64>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(range.count))
        let count = pread(descriptor, &bytes, bytes.count, off_t(range.lowerBound))
        return Array(bytes.prefix(max(0, count)))
    }
}

/// An answer that is made once and sent to many requests, which share its header fields and its body.
///
/// An `HTTPResponse` with ``HTTPBody/prepared(_:)`` has only its own request's fields as `headers`. They are sent after
/// the shared ones. All of its requests must come to one server.
///
/// `@unchecked Sendable`: `made` and `added` are for the loop's thread, and for `deinit`.
public final class PreparedResponse: @unchecked Sendable {
    /// The fields that all requests get.
    public let headers: [(String, String)]
    public let body: [UInt8]

    /// The library's answer, from its first use on.
    private var made: OpaquePointer?
    /// The fields of the last request, which stand in `made`.
    private var added: [(String, String)] = []

    public init(headers: [(String, String)], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    deinit { if let made { MHD_destroy_response(made) } }

    /// The library's answer with the fields of one more request, which replace those of the last one. Nil when the
    /// library does not make it.
    ///
    /// The library must write the head before the next call. It does so within the callback in which the answer is
    /// queued, if the connection is not suspended. Until then the answer belongs to this object.
    func answer(adding fields: [(String, String)]) -> OpaquePointer? {
        guard let made = made ?? make() else { return nil }
        for (name, value) in added {
            name.withCString { name in value.withCString { _ = MHD_del_response_header(made, name, $0) } }
        }
        for (name, value) in fields { addField(name, value, to: made) }
        added = fields
        return made
    }

    private func make() -> OpaquePointer? {
        made = SharedBytes.response(body)
        if let made {
            for (name, value) in headers { addField(name, value, to: made) }
        }
        return made
    }
}

/// Adds a header field to an answer of the library.
///
/// `withCString` lends the bytes of the text. A text that is given to C as it is would be copied first.
func addField(_ name: String, _ value: String, to answer: OpaquePointer) {
    name.withCString { name in value.withCString { _ = MHD_add_response_header(answer, name, $0) } }
}

/// A body that the library sends from where it is, and that lives until the library has sent it.
final class SharedBytes {
    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func response(_ bytes: [UInt8]) -> OpaquePointer? {
        let owner = Unmanaged.passRetained(SharedBytes(bytes))
        // The elements of an array stay where they are as long as it is not changed, and nobody can change the owner's.
        let made = bytes.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer_with_free_callback_cls(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                { Unmanaged<SharedBytes>.fromOpaque($0!).release() }, owner.toOpaque())
        }
        if made == nil { owner.release() }
        return made
    }
}

/// Leaves HTTP: after an answer with status 101 the connection's socket speaks another protocol, and has a new owner.
///
/// The answer needs a header `Upgrade` that names the protocol; the server adds `Connection: Upgrade`. A server that
/// stops makes no more upgrades. It does not close the sockets that it has given away.
public struct HTTPUpgrade: Sendable {
    /// Called once, on the loop's thread, when the 101 has been sent; not called if the client goes before that.
    public let adopt: @Sendable (UpgradedSocket) -> Void

    public init(adopt: @escaping @Sendable (UpgradedSocket) -> Void) { self.adopt = adopt }
}

/// A socket that has left HTTP.
public struct UpgradedSocket: Sendable {
    /// Connected and non-blocking. The receiver must close it, which ends the connection.
    public let descriptor: Int32
    /// Bytes that the client sent after its request, already in the new protocol.
    public let early: [UInt8]
    public let peer: Peer
}

/// Connections that leave HTTP after a 101.
///
/// The new owner gets a duplicate of the socket, and the library closes its own descriptor in the same turn. Without a
/// duplicate the new owner could not close the socket itself, and the server could not stop before it was given back.
extension Loop {
    /// The library's response for a 101, after which it calls `onUpgrade`.
    func upgradeResponse(_ upgrade: HTTPUpgrade, for connection: Connection) -> OpaquePointer? {
        guard let made = MHD_create_response_for_upgrade(onUpgrade, nil) else { return nil }
        connection.upgrade = upgrade
        return made
    }

    /// The 101 has been sent, and the library has suspended the connection.
    /// - Parameter early: bytes that the client sent after its request, in the new protocol.
    fileprivate func upgraded(
        _ connection: Connection, early: UnsafeRawBufferPointer, socket: Int32, handle: OpaquePointer
    ) {
        connection.phase = .upgraded
        // The library is still working on this connection. It is told to close it after the daemons have run.
        upgradesToClose.append(handle)
        daemons[connection.daemon].mustRun = true
        guard let upgrade = connection.upgrade else { return }
        connection.upgrade = nil
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, !isStopping else {
            if descriptor >= 0 { close(descriptor) }
            shutdown(socket, Int32(SHUT_RDWR))
            return
        }
        statistics.upgrades += 1
        upgrade.adopt(UpgradedSocket(descriptor: descriptor, early: Array(early), peer: connection.peer))
    }

    /// Tells the library that it may close its descriptors of upgraded connections. Not inside a daemon's run.
    func closeUpgraded() {
        guard !upgradesToClose.isEmpty else { return }
        for handle in upgradesToClose { _ = cmhd_close_upgraded(handle) }
        upgradesToClose = []
    }
}

private let onUpgrade: MHD_UpgradeHandler = { _, _, request, early, count, socket, handle in
    guard let request, let handle else { return }
    let connection = Unmanaged<Connection>.fromOpaque(request).takeUnretainedValue()
    connection.loop.upgraded(
        connection, early: UnsafeRawBufferPointer(start: early, count: count), socket: socket, handle: handle)
}
