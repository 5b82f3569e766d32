import Chat
import ChatModel
import ChatStore
@testable import CXoneSandbox
import CXoneWire
import Glibc
import MicroHTTP
import TestSupport
import Testing

/// The limits of the REST API hold for the platform's clients too, and everything that is kept has a bound.
@Suite struct LimitTests {
    @Test("A file's name and type are cleaned, whatever a client sends", arguments: [
        ("../../etc/passwd", "text/plain", "passwd", "text/plain"),
        ("a\r\nb\u{0}.html", "text/html", "ab.html", "text/html"),
        ("\u{202E}gpj.exe", "image/png\r\nX: y", "gpj.exe", "application/octet-stream"),
        ("", "", "document", "application/octet-stream"),
        (String(repeating: "ä", count: 10_000_000) + ".pdf", "application/pdf", String(repeating: "ä", count: 125) + ".pdf", "application/pdf"),
        ("a\u{301}\u{301}.txt", "text/plain; charset=utf-8", "a\u{301}\u{301}.txt", "text/plain; charset=utf-8"),
    ])
    func aFilesNameIsCleaned(_ name: String, _ type: String, _ cleanName: String, _ cleanType: String) async throws {
        try await Scene.run { scene in
            let face = try scene.face("multi")
            let upload = AttachmentUpload(content: Array("content".utf8), fileName: name, mimeType: type)
            let request = HTTPRequest(
                method: "POST", target: "/chat/1.0/brand/1/channel/\(face.id)/attachment", headers: [("Host", "localhost")],
                body: upload.encoded())
            let response = await scene.sandbox.upload(to: face.id, brand: "\(scene.sandbox.brandID)", request)
            guard case .bytes(let body) = response.body, case .stored(let url) = try AttachmentUploadAnswer(json: body) else {
                Issue.record("not stored: \(response.status)")
                return
            }
            let id = try #require(FileLink.attachment(url, brand: scene.sandbox.brandID))
            let open = try await scene.sandbox.attachment(id)
            #expect(open.attachment.name.unicodeScalars.elementsEqual(cleanName.unicodeScalars))
            #expect(open.attachment.mimeType == cleanType)
            close(open.descriptor)
        }
    }

    @Test func largeEventsOfOneClientPushOutNobodyElses() throws {
        let events = LargeEvents(environment: TestEnvironment().environment, brand: 1)
        let other = events.keep([UInt8](repeating: 1, count: 1 << 20), of: 1, base: "")
        var urls: [String] = []
        for _ in 0..<200 { urls.append(events.keep([UInt8](repeating: 2, count: 1 << 20), of: 2, base: "")) }
        func id(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }
        #expect(events.body(id(other)) != nil)
        #expect(events.body(id(urls[199])) != nil && events.body(id(urls[0])) == nil)
        #expect(events.byteCount <= LargeEvents.capacityOfOne + 1 << 20)
        events.forget(2)
        #expect(events.byteCount == 1 << 20)
        for owner in 3..<100 { for _ in 0..<8 { _ = events.keep([UInt8](repeating: 3, count: 1 << 20), of: owner, base: "") } }
        #expect(events.byteCount <= LargeEvents.capacity)
    }

    @Test func voidTokensAreKnownOfABoundedNumberOfCustomers() {
        let book = FaultBook(), now = Timestamp(milliseconds: 1_000_000_000)
        for number in 0..<FaultBook.limit { #expect(book.expireTokens(of: "c\(number)", at: now)) }
        #expect(!book.expireTokens(of: "another", at: now))
        #expect(book.expireTokens(of: "another", at: now.advanced(byMilliseconds: 3_600_001)))
        #expect(book.expireTokens(of: nil, at: now))
        #expect(book.expireTokens(of: "another", at: now))
    }
}
