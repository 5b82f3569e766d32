import Foundation
import HTTPClientPort
import TestSupport
import Testing

/// To whom a call over TLS speaks.
@Suite(.timeLimit(.minutes(5))) struct CertificateTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// The roots of the tests' own CA.
    private func roots() throws -> TrustRoots {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(TestCertificates.authority.utf8).write(to: file)
        return try TrustRoots(file: file.path)
    }

    /// A port of each make with these roots.
    private func ports(_ roots: TrustRoots?) -> [AsyncHTTPPort] {
        [
            AsyncHTTPPort(trustRoots: roots), .keepingConnection(trustRoots: roots),
            AsyncHTTPPort(judge: { $0.addresses.filter { $0.bytes.count == 4 } }, trustRoots: roots),
        ]
    }

    @Test func aCertificateOfTrustedRootsIsTaken() async throws {
        let server = try await EchoServer(answer: Self.ok, tls: TestCertificates.server(for: .localhost))
        for port in try ports(roots()) {
            let call = HTTPCall("GET", "https://localhost:\(server.port)/", timeout: .seconds(200))
            let answer = try await port.send(call, limit: 100)
            #expect(answer.status == 200 && answer.version == .http1)
        }
        await server.stop()
    }

    @Test func aCertificateOfUnknownRootsIsRefusedBeforeAnythingIsSent() async throws {
        let server = try await EchoServer(answer: Self.ok, tls: TestCertificates.server(for: .localhost))
        for port in ports(nil) {
            await #expect(throws: HTTPCallError.untrustedCertificate) {
                _ = try await port.send(
                    HTTPCall("GET", "https://localhost:\(server.port)/", timeout: .seconds(200)), limit: 100)
            }
        }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test func aCertificateForAnotherHostIsRefusedBeforeAnythingIsSent() async throws {
        let server = try await EchoServer(answer: Self.ok, tls: TestCertificates.server(for: .other))
        for port in try ports(roots()) {
            await #expect(throws: HTTPCallError.certificateOfAnotherHost) {
                _ = try await port.send(
                    HTTPCall("GET", "https://localhost:\(server.port)/", timeout: .seconds(200)), limit: 100)
            }
        }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test func aServerWithoutTLSIsNotConnected() async throws {
        let server = try await EchoServer(answer: Self.ok)
        let call = HTTPCall("GET", "https://localhost:\(server.port)/", timeout: .seconds(200))
        let error = await #expect(throws: (any Error).self) { _ = try await AsyncHTTPPort().send(call, limit: 100) }
        #expect(error as? HTTPCallError == nil, "it says nothing of a certificate")
        await server.stop()
    }

    @Test func aKeptConnectionServesAllCallsAndOthersHaveNone() async throws {
        let server = try await EchoServer(answer: Self.ok, tls: TestCertificates.server(for: .localhost))
        let roots = try roots()
        let call = HTTPCall("GET", "https://localhost:\(server.port)/", timeout: .seconds(200))
        for count in 1...2 {
            let port = AsyncHTTPPort.keepingConnection(trustRoots: roots)
            for _ in 1...3 { _ = try await port.send(call, limit: 100) }
            #expect(server.openedCount == count)
        }
        await server.stop()
    }

    @Test(arguments: ["", "no certificate"]) func aFileWithoutCertificatesHasNoRoots(text: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: TrustRoots.Unreadable.self) { try TrustRoots(file: file.path) }
        try Data(text.utf8).write(to: file)
        #expect(throws: TrustRoots.Unreadable.self) { try TrustRoots(file: file.path) }
    }
}
