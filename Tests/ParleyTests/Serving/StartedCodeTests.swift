import Foundation
import Testing

@testable import parley

@Suite struct StartedCodeTests {
    @Test(
        arguments: [
            ("55d0-56d0 r-xp 00001000 fe:00 1419857    /usr/bin/parley\n", 0x55d0..<0x56d0),
            ("7f00-7f10 r-xp 00000000 fe:00 12         /lib/a b.so\n", 0x7f00..<0x7f10),
            // Data that a program has relocated, or written, is not on the disk.
            ("55d0-56d0 r--p 00001000 fe:00 1419857    /usr/bin/parley\n", nil),
            ("55d0-56d0 rw-p 00001000 fe:00 1419857    /usr/bin/parley\n", nil),
            ("55d0-56d0 rwxp 00001000 fe:00 1419857    /usr/bin/parley\n", nil),
            ("7ffe-7fff r-xp 00000000 00:00 0          [vdso]\n", nil),
            ("7ffe-7fff r-xp 00000000 00:00 0 \n", nil), ("", nil), ("x-y r-xp 0 0 0 /a", nil),
            ("2-1 r-xp 0 0 0 /a", nil),
        ] as [(String, Range<UInt>?)])
    func findsCodeAlone(line: String, range: Range<UInt>?) {
        #expect(StartedCode.codeRange(line) == range)
    }

    @Test func givesMemoryBackAndGoesOn() throws {
        let before = try Self.residentFiles()
        StartedCode.giveBack()
        #expect(try Self.residentFiles() < before)
    }

    /// `RssFile` in kB.
    private static func residentFiles() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }
}
