import Formats

/// The sandbox of the gateway, which only a gateway that was started with it has.
struct SandboxClient {
    let client: GatewayClient

    init(_ client: GatewayClient) { self.client = client }

    /// A path of the sandbox, of segments that are encoded here, with a query.
    static func path(_ segments: [String], _ query: [(String, String?)] = []) -> String {
        GatewayClient.path(["sandbox"] + segments, query)
    }

    /// The answer to a GET, as JSON. Throws ``CommandFailure``, as the others do.
    func get(_ segments: [String], _ query: [(String, String?)] = []) throws(CommandFailure) -> JSONText {
        try explained { () throws(CommandFailure) in try client.get(Self.path(segments, query)) }
    }

    /// A whole list.
    func list(_ segments: [String]) throws(CommandFailure) -> Pages {
        try explained { () throws(CommandFailure) in try Pages(client, Self.path(segments), isPaged: false) }
    }

    /// The answer to a POST, as JSON.
    ///
    /// - Parameter body: JSON; nil for none.
    func post(_ segments: [String], body: [UInt8]? = nil) throws(CommandFailure) -> JSONText {
        let headers = body == nil ? [] : [("Content-Type", "application/json")]
        return try explained { () throws(CommandFailure) in
            try GatewayClient.json(client.call("POST", Self.path(segments), headers: headers, body: body))
        }
    }

    func delete(_ segments: [String]) throws(CommandFailure) {
        _ = try explained { () throws(CommandFailure) in try client.call("DELETE", Self.path(segments)) }
    }

    /// Does a request, and says what to do about a gateway that has no sandbox.
    private func explained<T>(_ work: () throws(CommandFailure) -> T) throws(CommandFailure) -> T {
        do throws(CommandFailure) {
            return try work()
        } catch {
            guard error.code == "notFound",
                try client.get("/v1/info").root["sandbox"] == nil
            else { throw error }
            throw CommandFailure(
                .refused, code: "notFound", "This gateway has no sandbox: start it with --cxone-sandbox. (notFound)")
        }
    }
}
