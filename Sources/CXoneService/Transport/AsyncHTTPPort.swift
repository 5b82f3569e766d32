import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks by async-http-client.
public struct AsyncHTTPPort: HTTPPort {
    private let client: HTTPClient

    /// How long an answer may take, its body included.
    private static let patience = TimeAmount.seconds(60)

    public init(client: HTTPClient = .shared) { self.client = client }

    public func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        var request = HTTPClientRequest(url: call.url)
        request.method = HTTPMethod(rawValue: call.method)
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        if let body = call.body { request.body = .bytes(body, length: .known(Int64(body.count))) }
        let response = try await client.execute(request, timeout: Self.patience)
        let body = try await response.body.collect(upTo: limit)
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        return HTTPAnswer(status: Int(response.status.code), headers: headers, body: Array(body.readableBytesView))
    }
}
