import MicroHTTP
import Testing

/// Answers that many requests share, and what is carried from one request to the next one with the same head.
@Suite(.timeLimit(.minutes(5))) struct PreparedResponseTests {
    @Test func eachRequestGetsItsOwnFieldsOnce() async throws {
        try await withServer { server in
            let clients = try (0..<3).map { _ in try server.client() }
            for _ in 0..<20 {
                for client in clients {
                    client.send(String(repeating: "GET /prepared HTTP/1.1\r\nHost: h\r\n\r\n", count: 5))
                }
            }
            var numbers: [String] = []
            for _ in 0..<100 {
                for client in clients {
                    let answer = try client.answer()
                    try expectEqual(answer.text, "shared")
                    try expectEqual(answer.header("X-Shared"), "yes")
                    let own = answer.headers.filter { $0.0 == "X-Number" }
                    try expectEqual(own.count, 1)
                    numbers.append(own[0].1)
                }
            }
            try expectEqual(Set(numbers).count, 300)
        }
    }

    /// The head of such an answer is written after the callback in which it is queued.
    @Test func tasksThatEndTogetherGetTheirOwnFields() async throws {
        try await withServer { server in
            let clients = try (0..<8).map { _ in try server.client() }
            for client in clients { client.send("GET /prepared/gate HTTP/1.1\r\nHost: h\r\n\r\n") }
            _ = try server.handler.seen.wait(for: clients.count)
            server.handler.gates.open()
            let answers = try clients.map { try $0.answer() }
            try expectEqual(Set(answers.compactMap { $0.header("X-Number") }).count, clients.count)
            for answer in answers {
                try expectEqual(answer.text, "shared")
                try expectEqual(answer.header("X-Shared"), "yes")
            }
        }
    }

    @Test func headGetsTheLengthOfTheSharedBody() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("HEAD /prepared HTTP/1.1\r\nHost: h\r\n\r\nGET /prepared HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.answer(toHead: true).header("Content-Length"), "6")
            try expectEqual(try client.answer().text, "shared")
            let summaries = try server.handler.summaries.wait(for: 2)
            try expectEqual(summaries.map(\.bytes), [0, 6])
        }
    }

    @Test func findingsAreCarriedToTheNextRequestWithTheSameHead() async throws {
        try await withServer { server in
            let client = try server.client()
            // How often an equal head came before.
            let steps: [(path: String, more: String, count: Int)] = [
                ("/found", "", 0), ("/found", "", 1), ("/found", "", 2), ("/found", "X-A: 1\r\n", 0),
                ("/found", "X-A: 1\r\n", 1), ("/found", "X-A: 2\r\n", 0), ("/found", "x-A: 2\r\n", 0),
                ("/found", "", 0),
                ("/found?", "", 0), ("/found?a", "", 0), ("/found?b", "", 0), ("/found?b", "", 1),
            ]
            for step in steps {
                client.send("GET \(step.path) HTTP/1.1\r\nHost: h\r\n\(step.more)\r\n")
                try expectEqual(try client.answer().text, "\(step.count)")
            }
            client.send("POST /found?b HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.answer().text, "0")
            let other = try server.client()
            other.send("POST /found?b HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try other.answer().text, "0")
        }
    }
}
