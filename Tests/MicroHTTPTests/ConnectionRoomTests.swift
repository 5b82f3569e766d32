import Glibc
import MicroHTTP
import Testing

/// Who loses a connection when all are taken.
@Suite(.timeLimit(.minutes(5))) struct ConnectionRoomTests {
    /// What strangers leave open: nothing sent, a part of a head, of a body, and a request that was answered.
    private static let ofStrangers = [
        "", "GET /x HTTP/1.1\r\nHost: h\r\nX-Holder: nob",
        "POST /x HTTP/1.1\r\nHost: h\r\nX-Holder: nobody\r\nContent-Length: 100\r\n\r\na",
        "GET /x HTTP/1.1\r\nHost: h\r\nX-Holder: nobody\r\n\r\n",
    ]

    /// It is the oldest of them all, and does nothing.
    @Test func aConnectionOfAKnownSenderStays() async throws {
        try await withServer(configure: { $0.maxConnections = 16 }) { server in
            let (known, half) = (try server.client(), try server.client())
            try expectEqual(try known.get("/x", "X-Holder: ann\r\n").status, 200)
            half.send("POST /x HTTP/1.1\r\nHost: h\r\nX-Holder: ann\r\nContent-Length: 2\r\n\r\na")
            try server.settle()
            var strangers: [RawClient] = []
            for index in 0..<60 {
                strangers.append(try server.client())
                strangers.last?.send(Self.ofStrangers[index % 4])
                try server.eventually("accepted") { server.server.statistics.connectionsAccepted >= index + 3 }
            }
            try expectEqual(try known.get("/x", "X-Holder: ann\r\n").status, 200)
            half.send("b")
            try expectEqual(try half.answer().text, "POST /x 2")
            try expectEqual(try server.client().get("/x", "X-Holder: bo\r\n").status, 200)
            _ = strangers
        }
    }

    /// Known senders share what is left when strangers have none: the one that did nothing for longest goes.
    @Test func amongKnownSendersTheLongestIdleGoes() async throws {
        try await withServer(configure: { $0.maxConnections = 4 }) { server in
            let known = try (0..<4).map { _ in
                let client = try server.client()
                try expectEqual(try client.get("/x", "X-Holder: ann\r\n").status, 200)
                try server.settle()
                return client
            }
            try expectEqual(try known[0].get("/x", "X-Holder: ann\r\n").status, 200)
            try expectEqual(try server.client().get("/x", "X-Holder: bo\r\n").status, 200)
            try expectEqual(try known[1].rest(), [])
            try expectEqual(try known[0].get("/x", "X-Holder: ann\r\n").status, 200)
        }
    }

    /// Long before the time that a known sender has for it.
    @Test func anAnswerThatAStrangerDoesNotTakeGivesWay() async throws {
        try await withServer(configure: { $0.maxConnections = 4 }) { server in
            let slow = try (0..<4).map { index in
                let client = try server.client(receiveBuffer: 4096)
                client.send("GET /big HTTP/1.1\r\nHost: h\r\nX-Holder: \(index == 0 ? "ann" : "nobody")\r\n\r\n")
                try server.settle()
                return client
            }
            try expectEqual(try server.client().get("/x", "X-Holder: bo\r\n").status, 200)
            try expectEqual(try slow[0].answer().body.count, 3 << 20)
        }
    }
}
