import Glibc
import MicroHTTP
import Testing

/// Connections that leave HTTP.
@Suite(.timeLimit(.minutes(5))) struct UpgradeTests {
    private func upgrade(_ client: RawClient, _ path: String = "/upgrade", early: String = "") throws -> Answer {
        client.send("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n\(early)")
        return try client.head()
    }

    private func read(_ socket: UpgradedSocket, _ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var ready = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, Int32(patience) * 1000) != 1 { throw Failure(description: "nothing came") }
            var chunk = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(socket.descriptor, &chunk, chunk.count, 0)
            if got <= 0 { throw Failure(description: "closed") }
            bytes += chunk[..<got]
        }
        return bytes
    }

    @Test(arguments: ["/upgrade", "/upgrade/later"]) func theSocketIsAnothersAfterThe101(path: String) async throws {
        try await withServer { server in
            let client = try server.client()
            let answer = try upgrade(client, path)
            try expectEqual(answer.status, 101)
            try expectEqual(answer.header("Upgrade"), "echo")
            try expectEqual(answer.header("Connection")?.lowercased(), "upgrade")
            let socket = try server.handler.upgraded.wait()[0]
            // The library is done with its own by then, and the connection lives on.
            try server.handler.summaries.wait()
            try server.settle()
            client.send("hello")
            try expectEqual(try read(socket, 5), Array("hello".utf8))
            _ = [1, 2, 3].withUnsafeBytes { send(socket.descriptor, $0.baseAddress, 3, 0) }
            try expectEqual(try client.take(1), [1])
            close(socket.descriptor)
            try expectEqual(try client.rest().count, 2)
        }
    }

    @Test func whatCameBehindTheRequestIsNotLost() async throws {
        try await withServer { server in
            let client = try server.client()
            _ = try upgrade(client, early: "early")
            let socket = try server.handler.upgraded.wait()[0]
            let rest = try read(socket, 5 - socket.early.count)
            try expectEqual(socket.early + rest, Array("early".utf8))
            close(socket.descriptor)
        }
    }

    @Test func manyUpgradesLeaveNothingBehind() async throws {
        try await withServer { server in
            for round in 1...50 {
                let client = try server.client()
                _ = try upgrade(client, round % 2 == 0 ? "/upgrade" : "/upgrade/later")
                let socket = try server.handler.upgraded.wait(for: round)[round - 1]
                close(socket.descriptor)
                // The end of input comes only when the library has closed its own descriptor too.
                _ = try client.rest()
            }
            try server.handler.summaries.wait(for: 50)
            try server.settle()
            try expectEqual(server.server.statistics.upgrades, 50)
            try expectEqual(server.server.statistics.connections, 0)
        }
    }

    @Test func theServerStopsWhileSocketsAreAnothers() async throws {
        try await withServer { server in
            let client = try server.client()
            _ = try upgrade(client)
            let socket = try server.handler.upgraded.wait()[0]
            server.server.stopNow()
            client.send("still")
            try expectEqual(try read(socket, 5), Array("still".utf8))
            close(socket.descriptor)
        }
    }
}
