import Testing

@testable import HTTPRouting

/// What was read of a form that came in pieces.
private struct ReadForm: Equatable {
    var names: [String] = []
    var dispositions: [String] = []
    var types: [String?] = []
    var contents: [[UInt8]] = []
    var fault: String?
    /// The greatest number of bytes of content that one piece has given.
    var most = 0

    static func == (left: Self, right: Self) -> Bool {
        left.names == right.names && left.dispositions == right.dispositions && left.types == right.types
            && left.contents == right.contents && left.fault == right.fault
    }

    init(_ pieces: [[UInt8]], boundary: String? = "XX") {
        do throws(Problem) {
            var reader = try MultipartReader(boundary: boundary)
            for piece in pieces { try read(piece, with: &reader) }
            try reader.finish()
        } catch {
            fault = "\(error.kind.code): \(error.detail ?? "")"
        }
    }

    init(_ text: String, boundary: String? = "XX") { self.init([Array(text.utf8)], boundary: boundary) }

    private mutating func read(_ piece: [UInt8], with reader: inout MultipartReader) throws(Problem) {
        var content: [UInt8] = []
        defer { keep(content) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: piece)
        var rest = UnsafeRawBufferPointer(bytes)[...]
        while let part = try reader.next(in: &rest, content: &content) {
            keep(content)
            content = []
            names.append(part.name)
            dispositions.append(part.disposition)
            types.append(part.type)
            contents.append([])
        }
    }

    private mutating func keep(_ content: [UInt8]) {
        most = max(most, content.count)
        if content.isEmpty { return }
        if contents.isEmpty { contents.append(Array("content before the first part".utf8)) }
        contents[contents.count - 1] += content
    }
}

@Suite struct MultipartReaderTests {
    private static let head = "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"

    /// Contents that look like the boundary as long as possible.
    static let contents = [
        "", "hello", "\r", "\n", "\r\n", "\r\r", "\r\r\n", "\r\n\r\n", "-", "--", "--XX", "--XX--", "\r\n-", "\r\n--",
        "\r\n--X",
        "\r\r\n--X", "\r\n--X\r\n--X", "\r\n-\r\n--\r", "a\r\n--Xb\r\n--X", "\n--XX\n", "\r--XX\r", "\r\n--x",
    ]

    @Test(arguments: contents) func theContentIsFoundWhereverTheBodyIsCut(_ content: String) {
        let body = Array("\(Self.head)\(content)\r\n--XX--\r\n".utf8)
        let whole = ReadForm([body])
        #expect(whole.contents == [Array(content.utf8)] && whole.names == ["file"] && whole.fault == nil)
        for cut in 0...body.count {
            #expect(ReadForm([Array(body[..<cut]), Array(body[cut...])]) == whole, "cut at \(cut)")
        }
        #expect(ReadForm(body.map { [$0] }) == whole)
        let tail = Self.head.utf8.count - 2
        for first in tail..<body.count {
            for second in first..<body.count {
                let pieces = [Array(body[..<first]), Array(body[first..<second]), Array(body[second...])]
                #expect(ReadForm(pieces) == whole, "cut at \(first) and \(second)")
            }
        }
    }

    @Test func severalPartsAreFoundWhereverTheBodyIsCut() {
        let body = Array(
            """
            preamble\r\n--X\r\n--XX \t \r\nX-Other: 1\r\ncontent-disposition:form-data;name=a\r\n\r\none\r\n--XX\r
            CONTENT-DISPOSITION: Form-Data; Name="b c"; filename="x\\"y"\r\nContent-Type:  image/png \r
            Content-Transfer-Encoding: Binary\r\n\r\n\r\n--XX--epilogue\r\n--XX\r\n
            """.utf8)
        let whole = ReadForm([body])
        #expect(whole.names == ["a", "b c"] && whole.types == [nil, "image/png "] && whole.fault == nil)
        #expect(whole.dispositions == ["form-data;name=a", "Form-Data; Name=\"b c\"; filename=\"x\\\"y\""])
        #expect(whole.contents == [Array("one".utf8), []])
        for cut in 0...body.count { #expect(ReadForm([Array(body[..<cut]), Array(body[cut...])]) == whole) }
        #expect(ReadForm(body.map { [$0] }) == whole)
    }

    @Test func aBodyThatEndsEarlyIsNotAForm() {
        let body = Array("\(Self.head)hello\r\n--XX--".utf8)
        for end in body.indices {
            let fault = ReadForm([Array(body[..<end])]).fault
            #expect(fault?.hasPrefix("invalidForm: ") == true, "\(end) bytes of \(body.count)")
            if end >= 4 { #expect(fault?.hasSuffix("the last line of a form is --XX--.") == true) }
        }
        #expect(ReadForm([body]).fault == nil)
    }

    @Test(
        arguments: [
            ("", "No line of the body is --XX"), ("--X\r\n", "No line of the body is --XX"),
            ("--XX\nContent-Disposition: form-data; name=a\n\nx\n--XX--\n", "in the middle of a line"),
            ("x--XX--", "No line of the body is --XX"), ("\n--XX--", "No line of the body is --XX"),
            ("--XXX\r\n", "in the middle of a line"), ("--XX \r\r\n", "in the middle of a line"),
            ("--XX -", "in the middle of a line"), ("--XX-\r\n", "in the middle of a line"),
            ("--XX\r\n\r\nx\r\n--XX--", "needs Content-Disposition"),
            ("--XX\r\nContent-Type: text/plain\r\n\r\nx\r\n--XX--", "needs Content-Disposition"),
            ("--XX\r\nContent-Disposition: attachment; name=a\r\n\r\n", "needs Content-Disposition"),
            ("--XX\r\nContent-Disposition: form-data\r\n\r\n", "needs Content-Disposition"),
            ("--XX\r\nContent-Disposition: form-data; name=\"a\r\n\r\n", "needs Content-Disposition"),
            ("--XX\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n", "needs Content-Disposition"),
            ("--XX\r\nContent-Disposition\r\n\r\n", "not like Name: value"),
            ("--XX\r\n: x\r\n\r\n", "not like Name: value"),
            ("--XX\r\nContent-Disposition : form-data; name=a\r\n\r\n", "not like Name: value"),
            ("--XX\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\n", "not like Name: value"),
            ("\(head)a\r\n--XX\r\nContent-Type: a/b\r\nContent-type: c/d\r\n\r\n", "content-type twice"),
            (
                "--XX\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n",
                "content-disposition twice"
            ),
            (
                "--XX\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n",
                "Content-Transfer-Encoding"
            ),
        ])
    func aFormThatIsBrokenIsRefused(_ body: String, _ detail: String) {
        let fault = ReadForm(body).fault ?? "none"
        #expect(fault.hasPrefix("invalidForm: ") && fault.contains(detail), "\(fault)")
        #expect(ReadForm(Array(body.utf8).map { [$0] }).fault == fault)
    }

    @Test func aPartsHeadersAreBounded() {
        let fixed = "Content-Disposition: form-data; name=a\r\nX: \r\n\r\n".utf8.count
        func form(_ count: Int) -> String {
            let filler = String(repeating: "x", count: count - fixed)
            return "--XX\r\nContent-Disposition: form-data; name=a\r\nX: \(filler)\r\n\r\n1\r\n--XX--"
        }
        #expect(ReadForm(form(MultipartReader.headerLimit)).fault == nil)
        let fault = ReadForm(form(MultipartReader.headerLimit + 1)).fault
        #expect(fault == "invalidForm: A part's headers have more than 8192 bytes.")
        // Many short ones count together.
        let many = "--XX\r\n" + String(repeating: "A: b\r\n", count: 2000)
        #expect(ReadForm(many).fault == fault)
    }

    @Test(arguments: [
        nil, "", "X ", "é", "a\u{7F}", String(repeating: "x", count: 71),
    ])
    func aBoundaryIsShortAndPrintable(_ boundary: String?) {
        let fault = ReadForm("--\(boundary ?? "")--", boundary: boundary).fault
        #expect(fault?.hasPrefix("invalidForm: ") == true && fault?.contains("boundary") == true)
    }

    @Test(arguments: ["X", "a b", "'()+_,-./:=?", String(repeating: "x", count: 70), "--"])
    func anyOtherBoundaryWorks(_ boundary: String) {
        let body = "--\(boundary)\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--\(boundary)--"
        #expect(ReadForm(body, boundary: boundary).contents == [[UInt8(ascii: "1")]])
    }

    /// What is kept between two pieces is a part of the boundary, never of a content.
    @Test func aContentIsPassedOnAsItComes() {
        var pieces = [Array(Self.head.utf8)]
        let piece = (0..<4096).map { UInt8(truncatingIfNeeded: $0 % 7 == 0 ? 0x0D : $0 % 7 == 1 ? 0x0A : $0) }
        for _ in 0..<200 { pieces.append(piece) }
        pieces.append(Array("\r\n--XX--".utf8))
        let form = ReadForm(pieces)
        #expect(form.fault == nil && form.contents == [(0..<200).flatMap { _ in piece }])
        #expect(form.most <= piece.count + "\r\n--X".utf8.count)
    }
}
