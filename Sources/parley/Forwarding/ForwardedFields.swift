import MicroHTTP

/// The header fields of a request that is passed on, and of its answer: all but those that concern one connection (RFC
/// 9110, 7.6.1), and those that the next sender makes itself.
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
        let named = fields.filter { $0.0.lowercased() == "connection" }
            .flatMap { $0.1.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() }
        let dropped = ofOneConnection.union(besides).union(named)
        return fields.filter { !dropped.contains($0.0.lowercased()) }
    }
}
