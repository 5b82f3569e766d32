import Testing

@testable import parley

/// Reads answers of HTTP that come in pieces of any length.
@Suite struct AnswerTests {
    private struct Answer: Equatable {
        var status = 0
        var body = ""
        var isComplete = false
    }

    /// Reads the text in pieces of so many bytes.
    private func read(_ text: String, pieces: Int, method: String = "GET") throws -> Answer {
        var (received, rest) = (ArraySlice<UInt8>(), Array(text.utf8)[...])
        var (answer, body) = (Answer(), [UInt8]())
        var decoder: BodyDecoder?
        while true {
            if decoder == nil, let head = try AnswerHead.parse(from: &received) {
                answer.status = head.status
                decoder = try BodyDecoder(head, method: method)
            }
            body += try decoder?.decode(from: &received) ?? []
            if rest.isEmpty { break }
            received = received + rest.prefix(pieces)
            rest = rest.dropFirst(pieces)
        }
        answer.body = String(decoding: body, as: UTF8.self)
        answer.isComplete = decoder?.mayEnd ?? false
        return answer
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func readsBodiesOfEachKind(pieces: Int) throws {
        let head = "HTTP/1.1 200 OK\r\nX: 1\r\n"
        for (text, expected) in [
            (head + "Content-Length: 5\r\n\r\nhello", Answer(status: 200, body: "hello", isComplete: true)),
            (head + "Content-Length: 5\r\n\r\nhell", Answer(status: 200, body: "hell", isComplete: false)),
            (head + "content-length: 0\r\n\r\n", Answer(status: 200, body: "", isComplete: true)),
            (
                head + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n",
                Answer(status: 200, body: "hello", isComplete: true)
            ),
            (
                head + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n",
                Answer(status: 200, body: "hel", isComplete: false)
            ),
            (head + "\r\nhello", Answer(status: 200, body: "hello", isComplete: true)),
            ("HTTP/1.1 204 No Content\r\n\r\n", Answer(status: 204, body: "", isComplete: true)),
        ] {
            #expect(try read(text, pieces: pieces) == expected)
        }
        #expect(
            try read(head + "Content-Length: 5\r\n\r\n", pieces: pieces, method: "HEAD")
                == Answer(status: 200, body: "", isComplete: true))
    }

    @Test func refusesWhatIsNoAnswer() {
        let ok = "HTTP/1.1 200 OK\r\n"
        let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
        for text in [
            "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", ok + "no colon\r\n\r\n",
            ok + "Content-Length: -1\r\n\r\n", ok + "Content-Length: 99999999999999999999\r\n\r\n",
            chunked + "xyz\r\n", chunked + "fffffffff\r\n", chunked + "-1\r\n", chunked + "1\r\nabc\r\n",
            chunked + String(repeating: "0", count: 2000),
        ] {
            for pieces in [1, 1000] { #expect(throws: BrokenAnswer.self) { try read(text, pieces: pieces) } }
        }
        let endless = ok + "X: " + String(repeating: "x", count: 70_000)
        #expect(throws: BrokenAnswer.self) { try read(endless, pieces: 30_000) }
    }

    @Test func headersAreFoundInAnyCase() throws {
        var bytes = Array("HTTP/1.1 200 OK\r\nContent-Type:  text/plain\r\n\r\nrest".utf8)[...]
        let head = try #require(try AnswerHead.parse(from: &bytes))
        #expect(head["content-type"] == "text/plain")
        #expect(Array(bytes) == Array("rest".utf8))
    }
}
