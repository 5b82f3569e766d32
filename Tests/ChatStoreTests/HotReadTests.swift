import ChatModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Who may read on the calling thread, and that nobody waits behind anybody's long read.
@Suite struct HotReadTests {
    /// The files whose functions the server's loop calls, and which therefore read on its thread.
    private static let hot: Set<String> = [
        "ChatStore/ChatStore+Reading.swift", "Chat/Sessions/ChatClient+Reading.swift",
        "Chat/Sessions/Sessions+Restoring.swift",
        "LocalService/LocalDesk+Reading.swift",
    ]

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

    @Test func onlyTheHotReadsReadOnTheCallingThread() throws {
        let users = try sources().filter { $0.value.contains { $0.contains(".readNow") || $0.contains(" readNow") } }
        #expect(Set(users.keys) == Self.hot)
    }

    @Test func whatReadsOnTheCallingThreadIsClosedToAsynchronousFunctions() throws {
        let all = try sources()
        for path in Self.hot {
            let lines = try #require(all[path])
            for (index, line) in lines.enumerated() where line.contains("readNow") && !line.trimmed.hasPrefix("///") {
                // The function that it stands in, or that it declares.
                let head = try #require(lines[...index].lastIndex { $0.contains("func ") })
                let attribute = lines[..<head].last { !$0.trimmed.hasPrefix("///") }
                #expect(attribute?.contains("@available(*, noasync") == true, "\(path):\(index + 1)")
                #expect(!line.contains("replyPage"), "the filters of replies pass over any number of rows")
            }
        }
    }

    /// Everything else runs on a ``Session``, whatever the engine is.
    @Test func onlyTheFilesOfSQLiteKnowSQLite() throws {
        let words = ["import CSQLite", "sqlite3_", "SQLiteError", "json_extract", "instr(", "sqlite_"]
        for (path, lines) in try sources() where !path.hasPrefix("ChatStore/SQLite/") {
            let found = words.filter { word in lines.contains { !$0.trimmed.hasPrefix("//") && $0.contains(word) } }
            #expect(found.isEmpty, "\(path)")
        }
    }

    @Test func aReadWaitsForNoLongerOne() async throws {
        try await withStore { store in
            let release = DispatchSemaphore(value: 0)
            let begun = AsyncStream.makeStream(of: Void.self)
            // One lane of four is left.
            let long = (0..<3).map { _ in
                Task {
                    try await store.read { _ in
                        begun.continuation.yield()
                        release.wait()
                    }
                }
            }
            var beginnings = begun.stream.makeAsyncIterator()
            for _ in long { await beginnings.next() }
            #expect(try await store.read { try $0.headOffset() } == 0)
            for _ in long { release.signal() }
            for task in long { try await task.value }
        }
    }

    @Test func theLoopWaitsForNoOtherRead() async throws {
        try await withStore { store in
            let release = DispatchSemaphore(value: 0)
            let long = (0..<8).map { _ in Task { try await store.read { _ in release.wait() } } }
            let head = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Int64, any Error>) in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try store.readNow { try $0.headOffset() } })
                }
            }
            #expect(head == 0)
            for _ in long { release.signal() }
            for task in long { try await task.value }
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
