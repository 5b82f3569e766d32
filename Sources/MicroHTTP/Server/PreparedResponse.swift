import CMicroHTTPD

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
