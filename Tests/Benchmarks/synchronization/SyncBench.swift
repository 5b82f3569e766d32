import ChatModel
import ChatStore
import Foundation

/// Measures background synchronization in process, since no service that ships is remote yet.
///
///     sync-bench synchronize FOLDER MESSAGES           how long until all of a simulated platform's thread is there
///     sync-bench send FOLDER SECONDS WRITERS MESSAGES  live sends on the embedded service, while that runs; 0: while nothing does
///
/// FOLDER is empty and becomes the store's. Prints one line of JSON.
@main enum SyncBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.count) {
        case ("synchronize", 4):
            print(try await synchronize(folder: arguments[2], messages: number(arguments[3])))
        case ("send", 6):
            print(
                try await send(
                    folder: arguments[2], for: .milliseconds(Int((Double(arguments[3]) ?? 0) * 1000)),
                    writers: number(arguments[4]),
                    messages: number(arguments[5])))
        default:
            fail("usage: sync-bench synchronize FOLDER MESSAGES | send FOLDER SECONDS WRITERS MESSAGES")
        }
    }

    private static func synchronize(folder: String, messages: Int) async throws -> String {
        let scene = try await BenchScene(folder: folder, messages: messages)
        let begin = ContinuousClock.now
        try await scene.connect()
        while try !scene.isComplete() { try await Task.sleep(for: .milliseconds(5)) }
        let seconds = (ContinuousClock.now - begin).seconds
        let count = try scene.count()
        guard count == messages else { fail("\(count) of \(messages) messages are there") }
        await scene.store.close()
        return #"{"messages":\#(count),"seconds":\#(seconds),"rate":\#(Double(count) / seconds)}"#
    }

    private static func send(folder: String, for duration: Duration, writers: Int, messages: Int) async throws -> String
    {
        let scene = try await BenchScene(folder: folder, messages: messages)
        let sends = try await LiveSends(scene.sessions, writers: writers)
        try await sends.run(for: .milliseconds(300))  // to warm up
        if messages > 0 {
            try await scene.connect()
            while try scene.synchronizedCount() == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        let before = try scene.synchronizedCount()
        let result = try await sends.run(for: duration)
        let synchronized = try scene.synchronizedCount() - before
        // Sends after its end would be no sends beside it.
        guard try messages == 0 || !scene.isComplete() else {
            fail("\(messages) messages were there before the sends ended")
        }
        let seconds = duration.seconds
        return """
            {"sends":\(result.count),"rate":\(Double(result.count) / seconds),"p50":\(result.percentile(0.5)),\
            "p99":\(result.percentile(0.99)),"synchronized":\(Double(synchronized) / seconds)}
            """
    }

    private static func number(_ text: String) -> Int {
        guard let number = Int(text), number >= 0 else { fail("\(text) is no number") }
        return number
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data((reason + "\n").utf8))
        exit(2)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
