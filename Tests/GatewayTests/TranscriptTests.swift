import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import GatewaySupport
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

extension TranscriptStream: ReadableSource {
    package var isFetching: Bool { isReading }
}

@Suite(.timeLimit(.minutes(5))) struct TranscriptTests {
    private static let hostile = "</p><script src=\"//x\">&\u{1b}[2J\u{202e}\n]]>"

    private func message(
        _ id: String, _ text: String?, _ kind: Author.Kind = .customer, name: String? = nil, replies: Int = 0,
        to parent: String? = nil, edited: Bool = false, files: [ChatModel.Attachment] = []
    ) -> Message {
        let time = Timestamp(milliseconds: 1_777_887_072_480)
        var message = Message(
            id: id, threadID: "t", createdAt: time, direction: kind == .customer ? .toAgent : .toClient,
            author: Author(id: "a", name: name, kind: kind), text: text, status: .delivered)
        message.parentID = parent
        message.editedAt = edited ? time : nil
        message.attachments = files
        if replies > 0 {
            message.replyInfo = ReplyInfo(count: replies, mostReplies: [], lastRepliedAt: nil, updatedAt: time)
        }
        return message
    }

    private func written(
        _ form: TranscriptForm, _ messages: Message..., removed: Int = 0, offset: String? = nil,
        thread: String = #"{"id":"t","name":"<b>"}"#
    ) throws -> String {
        var writer = TranscriptWriter(form, offset.flatMap(UTCOffset.init) ?? .utc, removed: removed)
        var bytes = try writer.head(of: Array(thread.utf8))
        for message in messages { bytes += try writer.add([message.canonicalJSON[...]]) }
        return String(decoding: bytes + writer.end(isComplete: true), as: UTF8.self)
    }

    // MARK: Words

    @Test func aLineTellsWhoWroteWhatAndWhen() throws {
        let file = ChatModel.Attachment(id: "f", name: "a.pdf", mimeType: "application/pdf", size: 5)
        let text = try written(
            .text, message("1", "Hello", name: "Ada", replies: 1),
            message("2", "Yes?", .bot, name: "Robin", to: "1", edited: true), message("3", "Late", .agent, to: "gone"),
            message("4", nil, name: "Ada", files: [file]), message("5", "two\nlines", files: [file]))
        #expect(
            text.split(separator: "\n").map { $0.dropFirst(26) } == [
                "Ada: Hello", "Robin (bot): (to Ada: Hello) (edited) Yes?", "a: (a reply) Late",
                "Ada: [file a.pdf, application/pdf, 5 bytes]",
                "a: two\\u{a}lines [file a.pdf, application/pdf, 5 bytes]",
            ])
        #expect(text.hasPrefix("2026-05-04T09:31:12.480Z  Ada: "))
    }

    @Test func aLongParentIsNamedInShort() throws {
        let text = try written(
            .text, message("1", String(repeating: "x", count: 100), replies: 1), message("2", "y", to: "1"))
        #expect(text.hasSuffix("a: (to a: \(String(repeating: "x", count: 60))…) y\n"))
    }

    @Test func timesAreThoseOfTheZone() throws {
        let one = message("1", "x")
        #expect(try written(.text, one, offset: "+02:30").hasPrefix("2026-05-04T12:01:12.480+02:30  "))
        #expect(try written(.text, one, offset: "-10:00").hasPrefix("2026-05-03T23:31:12.480-10:00  "))
        let page = try written(.html, one, offset: "+02:30")
        #expect(page.contains("<time datetime=\"2026-05-04T09:31:12.480Z\">2026-05-04 12:01:12</time>"))
        #expect(page.contains("Times are in UTC+02:30."))
        #expect(try written(.html, one).contains("Times are in UTC."))
    }

    @Test(arguments: ["+14:00", "-00:00", "+00:59"]) func anOffsetIsRead(text: String) {
        #expect(UTCOffset(text)?.text == text)
    }

    @Test(arguments: ["", "+2:00", "02:00", "+14:01", "+99:00", "+00:60", "+0a:00", "+02-00", "+02:000", "Z", "+٠٢:00"])
    func anotherOffsetIsNone(text: String) { #expect(UTCOffset(text) == nil) }

    @Test func removedMessagesAreCounted() throws {
        #expect(try written(.text, message("1", "x"), removed: 1).hasSuffix("x\nOne message was removed.\n"))
        #expect(try written(.html, removed: 2).contains("<p class=\"note\">2 messages were removed.</p>"))
        #expect(try written(.json, removed: 2) == #"{"thread":{"id":"t","name":"<b>"},"removedCount":2,"items":[]}"#)
    }

    @Test func aHostileTextStaysText() throws {
        let one = message("1", Self.hostile, name: Self.hostile, replies: 1)
        let all = [one, message("2", "x", name: Self.hostile, to: "1")]
        let text = try written(.text, all[0], all[1])
        #expect(text.split(separator: "\n").count == 2 && text.contains("\\u{1b}[2J\\u{202e}\\u{a}]]>"))
        let page = try written(.html, all[0], all[1], thread: #"{"id":"t","name":"</h1><script>"}"#)
        #expect(!page.contains("<script") && !page.contains("\u{1b}") && page.contains("<h1 dir=\"auto\">&lt;/h1&gt;"))
        #expect(page.matches(of: /<p[^>]*dir="auto">/).count == 3)
        let json = try JSONParser.parse(Array(try written(.json, all[0], all[1]).utf8))
        #expect(json["items"]?.array?.first?["text"]?.string == Self.hostile)
    }

    @Test func thePagesStyleIsTheOneThatItsPolicyNames() throws {
        let page = try written(.html)
        #expect(page.contains("content=\"default-src 'none'; \(TranscriptPage.policy)\""))
        #expect(TranscriptPage.policy.contains(/^style-src 'sha256-[A-Za-z0-9+\/]{43}='$/))
    }

    // MARK: Pages

    /// A stream of a thread with so many messages, read as the loop would.
    private func streamed(_ gateway: TestGateway, _ form: TranscriptForm, limit: Int) async throws -> Reader {
        let loop = TestLoop()
        gateway.application.attach(to: loop)
        var writer = TranscriptWriter(form, .utc, removed: 0)
        var pages = TranscriptPages(form) { [client = gateway.client] in
            try await client.history(of: "t1", replies: .all, page: $0)
        }
        let begun = try writer.head(of: Array("{}".utf8)) + writer.add(try await pages.next().messages)
        let source = TranscriptStream(
            gateway.application.core, pages, writer, begun: begun, memory: ByteCounter(limit: 1 << 20))
        let reader = Reader(source, loop: loop, limit: limit)
        await reader.pumpThroughDatabase()
        return reader
    }

    @Test(arguments: [100, 1 << 20]) func aLongThreadComesInOrder(limit: Int) async throws {
        try await TestGateway.run { gateway in
            let count = 2 * TranscriptPages.limit + 7
            for number in 1..<count {
                _ = try await gateway.client.send(MessageDraft(text: "\(number)"), to: "t1", receipt: nil)
            }
            let reader = try await streamed(gateway, .json, limit: limit)
            #expect(reader.isEnded)
            let texts = try JSONParser.parse(Array(reader.text.utf8))["items"]?.array?.compactMap { $0["text"]?.string }
            #expect(texts == ["hello"] + (1..<count).map(String.init))
        }
    }

    @Test func whatBreaksOffSaysSo() async throws {
        struct Broken: Error {}
        for (form, end) in [(TranscriptForm.text, "could not read on.\n"), (.html, "</body></html>\n"), (.json, "{}")] {
            try await TestGateway.run { gateway in
                let loop = TestLoop()
                gateway.application.attach(to: loop)
                let writer = TranscriptWriter(form, .utc, removed: 0)
                let pages = TranscriptPages(form) { _ in throw Broken() }
                let source = TranscriptStream(
                    gateway.application.core, pages, writer, begun: Array("{}".utf8),
                    memory: ByteCounter(limit: 1 << 20))
                let reader = Reader(source, loop: loop)
                await reader.pumpThroughDatabase()
                #expect(reader.isEnded && reader.text.hasSuffix(end))
                #expect(reader.text.contains("breaks off here") == (form != .json))
            }
        }
    }

    // MARK: Memory

    /// What a transcript holds is about a page of 256 KiB, is counted, and goes when the reader leaves.
    @Test func greatMessagesMakeShortPages() async throws {
        try await TestGateway.run { gateway in
            for number in 1..<20 {
                let text = "\(number) " + String(repeating: "x", count: 60_000)
                _ = try await gateway.client.send(MessageDraft(text: text), to: "t1", receipt: nil)
            }
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            var writer = TranscriptWriter(.json, .utc, removed: 0)
            var pages = TranscriptPages(.json) { [client = gateway.client] in
                try await client.history(of: "t1", replies: .all, page: $0)
            }
            let begun = try writer.head(of: Array("{}".utf8)) + writer.add(try await pages.next().messages)
            #expect(begun.count < 256 << 10)
            let process = ByteCounter(limit: 1 << 20)
            let source = TranscriptStream(
                gateway.application.core, pages, writer, begun: begun,
                memory: ByteCounter(limit: 1 << 20, within: process))
            #expect(process.used == 256 << 10)
            let reader = Reader(source, loop: loop, limit: 65_536)
            await reader.pumpThroughDatabase()
            #expect(try JSONParser.parse(Array(reader.text.utf8))["items"]?.array?.count == 20)
            #expect(process.used <= 256 << 10)
            source.closed(.peerGone)
            #expect(process.used == 0)
        }
    }

    /// What markup or a terminal's safety makes of a text may be many times as long. A page counts as it is sent.
    @Test(arguments: [(TranscriptForm.html, "&"), (.html, "\""), (.text, "\u{7F}"), (.text, "\u{9B}")])
    func aPageIsBoundedAsItIsSent(_ form: TranscriptForm, _ character: String) async throws {
        try await TestGateway.run { gateway in
            for _ in 0..<60 {
                let text = String(repeating: character, count: 4000)
                _ = try await gateway.client.send(MessageDraft(text: text), to: "t1", receipt: nil)
            }
            var writer = TranscriptWriter(form, .utc, removed: 0)
            var pages = TranscriptPages(form) { [client = gateway.client] in
                try await client.history(of: "t1", replies: .all, page: $0)
            }
            var messages = 0
            while !pages.isAtEnd {
                let page = try await pages.next().messages
                let written = try writer.add(page)
                #expect(written.count <= ByteBound.transcriptPage.bytes)
                #expect(written.capacity <= written.count * 5 / 4 + 4096, "no more is held than is counted")
                messages += page.count
            }
            #expect(messages == 61)
        }
    }

    /// The parents of replies that a transcript remembers are bounded in bytes. A character may have any length.
    @Test func theParentsThatAreRememberedAreBounded() throws {
        let long = String(repeating: "e" + String(repeating: "\u{301}", count: 5), count: 20)
        var writer = TranscriptWriter(.text, .utc, removed: 0)
        for number in 0..<4000 {
            _ = try writer.add([message("\(number)", long, replies: 1).canonicalJSON[...]])
        }
        func reply(to parent: Int) throws -> String {
            String(decoding: try writer.add([message("r", "x", to: "\(parent)").canonicalJSON[...]]), as: UTF8.self)
        }
        #expect(try reply(to: 0).contains("(to a: "))
        #expect(try reply(to: 3999).contains("(a reply)"))
    }
}
