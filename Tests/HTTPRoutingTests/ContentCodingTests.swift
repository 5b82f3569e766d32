import Foundation
import Testing

@testable import HTTPRouting

/// gzip: who gets it, and what it is.
@Suite struct ContentCodingTests {
    @Test(
        arguments: [
            ([], false), ([""], false), (["identity"], false), (["br, deflate"], false), (["gzip"], true),
            (["GZIP"], true), (["gzip, deflate, br, zstd"], true), (["br", "gzip;q=0.1"], true), (["x-gzip"], true),
            (["gzip;q=0"], false), (["gzip; q=0.0"], false), (["*"], true), (["*;q=0"], false),
            // What names gzip decides, wherever it stands.
            (["*, gzip;q=0"], false), (["gzip, *;q=0"], true), (["gzip;q=0, *"], false), (["identity;q=0, *"], true),
            // What cannot be read is no wish.
            (["gzip;q=much"], false), (["gzip;"], true), (["=gzip"], false),
        ] as [([String], Bool)]) func isNegotiated(fields: [String], isTaken: Bool)
    {
        #expect(Gzip.isTaken(by: fields) == isTaken)
    }

    /// The tool of the system reads it, and the same bytes give the same bytes.
    @Test func isReadByOthers() throws {
        let text = Array((1...2000).map { "line \($0)\n" }.joined().utf8)
        let coded = try #require(Gzip.compress(text))
        #expect(coded.count < text.count / 3 && coded == Gzip.compress(text))
        let path = NSTemporaryDirectory() + "parley-\(ProcessInfo.processInfo.globallyUniqueString).gz"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(coded).write(to: URL(fileURLWithPath: path))
        let (tool, pipe) = (Process(), Pipe())
        tool.executableURL = URL(fileURLWithPath: "/bin/gzip")
        tool.arguments = ["-dc", path]
        tool.standardOutput = pipe
        try tool.run()
        let read = pipe.fileHandleForReading.readDataToEndOfFile()
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 0 && Array(read) == text)
    }

    @Test(arguments: [0, 1, 20]) func whatWouldNotBeShorterIsLeft(count: Int) {
        #expect(Gzip.compress((0..<count).map { UInt8($0 * 37 % 251) }) == nil)
    }
}
