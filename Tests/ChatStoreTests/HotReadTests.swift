import ChatModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Where reads run, and that nobody waits behind anybody's long read.
@Suite struct HotReadTests {
    /// The lines of all sources, by file.
    private func sources() throws -> [String: [Substring]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardizedFileURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
            })
    }

    /// All other code runs on a ``DatabaseSession``, whatever the engine is.
    @Test func onlyTheFilesOfSQLiteKnowSQLite() throws {
        let words = ["import CSQLite", "sqlite3_", "SQLiteError", "json_extract", "instr(", "sqlite_"]
        for (path, lines) in try sources() where !path.hasPrefix("ChatStore/SQLite/") {
            let found = words.filter { word in lines.contains { !$0.trimmed.hasPrefix("//") && $0.contains(word) } }
            #expect(found.isEmpty, "\(path)")
        }
    }

    /// Runs a closure while reads of other tasks last, which use so many of the store's four readers.
    private func whileReading(
        on count: Int, in store: ChatStore, _ body: (_ end: @Sendable () -> Void) async throws -> Void
    ) async throws {
        let (begun, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let long = (0..<count).map { _ in
            Task {
                try await store.read { _ in
                    begun.continuation.yield()
                    release.wait()
                }
            }
        }
        var beginnings = begun.stream.makeAsyncIterator()
        for _ in long { await beginnings.next() }
        try await body { for _ in 0..<count { release.signal() } }
        for task in long { try await task.value }
    }

    @Test func aReadWaitsForNoLongerOne() async throws {
        try await withStore { store in
            try await whileReading(on: 3, in: store) { end in
                let head = try await store.read { try $0.headOffset() }
                #expect(head == 0)
                end()
            }
        }
    }

    @Test func aShortReadOnSQLiteStaysOnItsThread() async throws {
        try await withStore { store in
            guard store.backend is SQLiteBackend else { return }
            try await whileReading(on: 4, in: store) { end in
                let here = pthread_self()
                let there = try await store.readNow { _ in pthread_self() }
                #expect(there == here)
                end()
            }
        }
    }

    @Test func aShortReadWaitsForNoOtherOne() async throws {
        try await withStore { store in
            guard store.backend is SQLiteBackend else { return }
            let (begun, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                try? store.backend.readHere { _ in
                    begun.continuation.yield()
                    release.wait()
                }
                begun.continuation.finish()
            }
            var beginnings = begun.stream.makeAsyncIterator()
            await beginnings.next()
            let head = try await store.readNow { try $0.headOffset() }
            #expect(head == 0)
            release.signal()
            await beginnings.next()
        }
    }

    /// Such a page may pass over any number of replies.
    @Test func aPageWithoutRepliesIsReadAside() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "text")
            let order = Journal<String>()
            try await whileReading(on: 4, in: store) { end in
                let page = Task.immediate {
                    _ = try await store.messagePage(
                        of: room.account.number, thread: room.thread, replies: .none,
                        PageRequest(limit: 5, cursor: nil))
                    order.add("page")
                }
                order.add("end of the others")
                end()
                try await page.value
            }
            #expect(order.entries == ["end of the others", "page"])
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
