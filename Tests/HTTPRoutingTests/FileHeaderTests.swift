import Testing

@testable import HTTPRouting

@Suite struct FileHeaderTests {
    @Test(arguments: [
        ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=99-", .part(99..<100)), ("bytes=-1", .part(99..<100)),
        ("bytes=-200", .part(0..<100)),
        ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=3-2", .whole), ("bytes=1-2,4-5", .whole),
        ("bytes=--1", .whole),
        ("bytes=1", .whole), ("items=0-1", .whole), ("", .whole), (" bytes = 0 - 0 ", .part(0..<1)),
    ])
    func ranges(_ header: String, _ range: ByteRange) { #expect(ByteRange(header, size: 100) == range) }

    @Test(arguments: ["bytes=-5", "bytes=0-", "bytes=0-0"]) func anEmptyFileHasNoPart(_ header: String) {
        #expect(ByteRange(header, size: 0) == .unsatisfiable)
    }

    @Test(
        arguments: [
            ("text/plain", "text/plain"), ("Text/HTML;Charset=utf-8", "text/html; charset=utf-8"),
            ("a/b; x=\"y z\"", "a/b; x=\"y z\""),
            ("a/b; x=\"q\\\"q\"", "a/b; x=\"q\\\"q\""), ("a/b;", "a/b"), ("a", nil), ("a/", nil), ("a/b c", nil),
            ("a/b; x=é", nil),
        ] as [(String, String?)])
    func mediaTypes(_ header: String, _ text: String?) { #expect(MediaType(header)?.text == text) }

    @Test func aTypeThatIsTooLongWhenWrittenIsNone() {
        func header(_ count: Int) -> String { "a/b;x=\"\(String(repeating: " ", count: count))\"" }
        #expect(MediaType(header(246))?.text.utf8.count == 255)
        #expect(MediaType(header(247)) == nil)
    }

    /// Names that came past the upload's own check: of a platform, of another version.
    @Test(arguments: [
        ("a\r\nX-B: c.txt", "attachment; filename=\"aX-B: c.txt\""), ("a\u{0}b.txt", "attachment; filename=\"ab.txt\""),
        ("../../etc/passwd", "attachment; filename=\"passwd\""), ("", "attachment; filename=\"file\""),
        ("\u{202E}gpj.exe", "attachment; filename=\"gpj.exe\""),
        ("é\r\n", "attachment; filename=\"_\"; filename*=UTF-8''%C3%A9"),
    ])
    func aDispositionIsAlwaysOneHeader(_ name: String, _ header: String) {
        #expect(FileNameHeader.disposition(name, isShown: false) == header)
    }

    @Test func aDispositionIsShortEnoughToBeSent() {
        for name in [String(repeating: "x", count: 8000) + ".txt", String(repeating: "é", count: 20_000)] {
            let header = FileNameHeader.disposition(name, isShown: true)
            #expect(header.utf8.count < 1200 && header.hasPrefix("inline; filename=\""))
            #expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }

    @Test func aDispositionSaysTheNameTwiceWhereItMust() {
        #expect(
            FileNameHeader.disposition("a\"b%.txt", isShown: false)
                == "attachment; filename=\"a_b_.txt\"; filename*=UTF-8''a%22b%25.txt"
        )
    }
}
