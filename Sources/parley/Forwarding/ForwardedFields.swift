import MicroHTTP

/// The header fields of a request that is passed on, and of its answer: all but those of one connection (RFC 9110, 7.6.1),
/// and those that the next sender makes itself.
///
/// A field that the client names in `Connection` is passed on all the same. It could be Host, or what a proxy in front says:
/// a client must not be able to take away what was checked.
enum ForwardedFields {
    private static let ofOneConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te", "trailer",
        "transfer-encoding", "upgrade", "content-length",
    ]

    static func of(_ request: HTTPRequest) -> [(String, String)] {
        kept(request.headers.map { ($0.name, $0.value) }, besides: ["expect"])
    }

    static func ofAnswer(_ fields: [(String, String)]) -> [(String, String)] { kept(fields, besides: ["date"]) }

    /// The length of an answer's body; nil where nobody knows it.
    static func length(in fields: [(String, String)]) -> Int64? {
        fields.first { $0.0.lowercased() == "content-length" }.flatMap { Int64($0.1) }.flatMap { $0 < 0 ? nil : $0 }
    }

    private static func kept(_ fields: [(String, String)], besides: Set<String>) -> [(String, String)] {
        let dropped = ofOneConnection.union(besides)
        return fields.filter { !dropped.contains($0.0.lowercased()) }
    }
}
