import Synchronization
import TestSupport
import Testing

@testable import HTTPClientPort

/// A call connects to an address that the judge has seen, and to no other.
@Suite(.timeLimit(.minutes(5))) struct JudgedConnectionTests {
    private struct Refused: Error {}

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func loopback() throws -> NetworkAddress { try #require(NetworkAddress("127.0.0.1")) }

    @Test func theJudgeSeesAllAddressesOfTheName() async throws {
        let server = try await EchoServer(answer: Self.ok)
        let seen = Mutex<[ConnectionTarget]>([])
        let port = AsyncHTTPPort(judge: { target in
            seen.withLock { $0.append(target) }
            return target.addresses.filter { $0.bytes.count == 4 }
        })
        let answer = try await port.send(HTTPCall("GET", "http://localhost:\(server.port)/a"), limit: 100)
        #expect(answer.status == 200 && answer.body == Array("ok".utf8))
        let target = try #require(seen.withLock { $0.first })
        #expect(target.scheme == "http" && target.host == "localhost" && target.port == server.port)
        #expect(target.addresses.contains(try loopback()))
        await server.stop()
    }

    @Test func theNameStaysInTheRequestAndTheAddressIsTheOneThatWasChosen() async throws {
        // The judge's own choice: no name server knows this name under this address.
        let server = try await EchoServer(host: "127.0.0.9", answer: Self.ok)
        let port = AsyncHTTPPort(judge: { _ in NetworkAddress("127.0.0.9").map { [$0] } ?? [] })
        let answer = try await port.send(HTTPCall("GET", "http://localhost:\(server.port)/a"), limit: 100)
        #expect(answer.status == 200)
        #expect(server.requests.first?.lowercased().contains("host: localhost:\(server.port)\r\n") == true)
        await server.stop()
    }

    /// As for `localhost` where a server listens on 127.0.0.1 alone, and the system says ::1 first.
    @Test func theNextAddressIsTriedWhereNobodyTakesTheConnection() async throws {
        let server = try await EchoServer(host: "127.0.0.9", answer: Self.ok)
        let here = try #require(NetworkAddress("127.0.0.9")), nobody = try #require(NetworkAddress("127.0.0.8"))
        let port = AsyncHTTPPort(judge: { _ in [nobody, here] })
        let answer = try await port.send(HTTPCall("GET", "http://localhost:\(server.port)/a"), limit: 100)
        #expect(answer.status == 200)
        await server.stop()
        await #expect(throws: (any Error).self) {
            try await port.send(HTTPCall("GET", "http://localhost:\(server.port)/a"), limit: 100)
        }
    }

    /// The first address leads nowhere: it must leave time for the next one.
    @Test func anAddressThatDoesNotAnswerLeavesTimeForTheNextOne() async throws {
        let server = try await EchoServer(host: "127.0.0.9", answer: Self.ok)
        let silent = try SilentListener(host: "127.0.0.8", port: server.port)
        let addresses = try ["127.0.0.8", "127.0.0.9"].map { try #require(NetworkAddress($0)) }
        let port = AsyncHTTPPort(judge: { _ in addresses })
        // Less than one address alone may take.
        let call = HTTPCall("GET", "http://localhost:\(server.port)/a", timeout: .seconds(6))
        #expect(try await port.send(call, limit: 100).status == 200)
        silent.close()
        await server.stop()
    }

    /// What one address has begun to answer is not asked of the next one.
    @Test func anAnswerOfTheFirstAddressIsTheAnswer() async throws {
        let first = try await EchoServer(host: "127.0.0.8", answer: "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
        let addresses = try ["127.0.0.8", "127.0.0.9"].map { try #require(NetworkAddress($0)) }
        let port = AsyncHTTPPort(judge: { _ in addresses })
        let answer = try await port.send(HTTPCall("POST", "http://localhost:\(first.port)/a", body: [1]), limit: 100)
        #expect(answer.status == 500 && first.requests.count == 1)
        await first.stop()
    }

    /// A name that meant something else a moment ago is judged anew, also while a connection to the old address is
    /// open.
    @Test func eachCallIsJudged() async throws {
        let server = try await EchoServer(answer: Self.ok)
        let calls = Atomic<Int>(0)
        let port = AsyncHTTPPort(judge: { target in
            if calls.add(1, ordering: .relaxed).newValue > 1 { throw Refused() }
            return target.addresses.filter { $0.bytes.count == 4 }
        })
        let call = HTTPCall("GET", "http://localhost:\(server.port)/a")
        _ = try await port.send(call, limit: 100)
        await #expect(throws: Refused.self) { _ = try await port.send(call, limit: 100) }
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
    func addressesInTheURLAreJudgedToo(host: String) async throws {
        let seen = Mutex<[ConnectionTarget]>([])
        let port = AsyncHTTPPort(judge: { target in
            seen.withLock { $0.append(target) }
            throw Refused()
        })
        await #expect(throws: Refused.self) {
            _ = try await port.send(HTTPCall("GET", "http://\(host):9/"), limit: 100)
        }
        let target = try #require(seen.withLock { $0.first })
        #expect(target.host == host.filter { $0 != "[" && $0 != "]" })
        #expect(target.addresses.count == 1)
    }

    @Test(arguments: ["ftp://localhost/", "http:///path", "nothing", "http+unix://%2Ftmp%2Fsocket/"])
    func whatIsNoURLOfHTTPIsNotJudged(url: String) async throws {
        let port = AsyncHTTPPort(judge: { $0.addresses })
        await #expect(throws: HTTPCallError.invalidURL) { _ = try await port.send(HTTPCall("GET", url), limit: 100) }
    }

    @Test func aNameWithoutAddressIsSaidToBeUnknown() async throws {
        let port = AsyncHTTPPort(judge: { $0.addresses })
        await #expect(throws: HTTPCallError.unknownHost) {
            _ = try await port.send(HTTPCall("GET", "http://nobody.invalid/", timeout: .seconds(200)), limit: 100)
        }
    }

    @Test func redirectsAreAnswers() async throws {
        let target = try await EchoServer(answer: Self.ok)
        let server = try await EchoServer(
            answer: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(target.port)/\r\nContent-Length: 0\r\n\r\n")
        let port = AsyncHTTPPort(judge: { $0.addresses })
        let answer = try await port.send(HTTPCall("POST", "http://127.0.0.1:\(server.port)/", body: [1]), limit: 100)
        #expect(answer.status == 302)
        #expect(target.openedCount == 0)
        await server.stop()
        await target.stop()
    }

    @Test func clientsOfUnusedNamesGiveWay() async throws {
        let clients = PinnedClients(capacity: 2, configuration: AsyncHTTPPort.configuration)
        for number in 1...5 {
            try await clients.with(PinnedClients.Key(name: "n\(number)", address: loopback())) { _ in }
        }
        #expect(clients.count == 2)
        // Those that are in use keep their place, and what comes beyond them is not kept.
        try await clients.with(PinnedClients.Key(name: "n4", address: loopback())) { _ in
            try await clients.with(PinnedClients.Key(name: "n5", address: loopback())) { _ in
                try await clients.with(PinnedClients.Key(name: "n6", address: loopback())) { _ in
                    #expect(clients.count == 2)
                }
            }
        }
        #expect(clients.count == 2)
        await clients.close()
    }
}
