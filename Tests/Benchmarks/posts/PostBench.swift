import AsyncHTTPClient
import Foundation
import NIOCore

/// Posts one body over and over by a bare async-http-client: what the library does with a webhook's requests, and
/// nothing else.
///
///     post-bench PORT CONCURRENCY COUNT BODY
///
/// Each of CONCURRENCY tasks posts its next request when its last one is answered. BODY is a file. The server measures
/// the time.
@main enum PostBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let port = Int(arguments[1]), let concurrency = Int(arguments[2]), concurrency > 0,
            let count = Int(arguments[3]), let body = FileManager.default.contents(atPath: arguments[4])
        else {
            FileHandle.standardError.write(Data("usage: post-bench PORT CONCURRENCY COUNT BODY\n".utf8))
            exit(2)
        }
        let url = "http://127.0.0.1:\(port)/", bytes = Array(body)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<concurrency {
                group.addTask {
                    for number in stride(from: task, to: count, by: concurrency) {
                        try await post(bytes, number: number, to: url, by: client)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await client.shutdown()
    }

    /// With headers of a webhook's length.
    private static func post(_ body: [UInt8], number: Int, to url: String, by client: HTTPClient) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = [
            "Content-Type": "application/json", "webhook-id": "0123456789ab-\(number)",
            "webhook-timestamp": "1772442904",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "User-Agent": "Parley",
        ]
        request.body = .bytes(body, length: .known(Int64(body.count)))
        let response = try await client.execute(request, timeout: .seconds(15))
        for try await _ in response.body {}
        guard response.status == .noContent else { exit(3) }
    }
}
