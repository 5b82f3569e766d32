import Chat
import ChatModel
import ChatStore

/// Customers of the embedded service, each with a thread, who send one message after the other.
struct LiveSends {
    private let writers: [(client: ChatClient, thread: String)]

    init(_ sessions: Sessions, writers count: Int) async throws {
        var writers: [(ChatClient, String)] = []
        for number in 0..<count {
            let client = try await sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "writer\(number)"), connect: true,
                receipt: nil)
            writers.append((client, try await client.createThread(ThreadDraft(), receipt: nil).id))
        }
        self.writers = writers
    }

    /// How long each send took.
    struct Result {
        /// Ascending, in milliseconds.
        private let latencies: [Double]

        fileprivate init(_ latencies: [Double]) { self.latencies = latencies.sorted() }

        var count: Int { latencies.count }

        func percentile(_ share: Double) -> Double {
            latencies.isEmpty ? 0 : latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]
        }
    }

    @discardableResult
    func run(for duration: Duration) async throws -> Result {
        let end = ContinuousClock.now + duration
        let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
            for (client, thread) in writers {
                group.addTask {
                    var latencies: [Double] = []
                    var begin = ContinuousClock.now
                    while begin < end {
                        _ = try await client.send(MessageDraft(text: BenchScene.text), to: thread, receipt: nil)
                        let now = ContinuousClock.now
                        latencies.append((now - begin).seconds * 1000)
                        begin = now
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Result(latencies)
    }
}
