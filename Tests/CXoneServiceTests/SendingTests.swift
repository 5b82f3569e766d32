import Chat
import ChatModel
import ChatStore
import CXoneService
import CXoneWire
import Formats
import Glibc
import TestSupport
import Testing

/// Own messages, what the platform says of them, and files.
@Suite struct SendingTests {
    private func withThread(_ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            try await body(cxone, client)
        }
    }

    @Test func aMessageHasThePlatformsTimeAndIsThereOnce() async throws {
        try await withThread { cxone, client in
            let outcome = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(outcome.kind == .created)
            let sent = try #require(cxone.platform.room("t1")?.messages.last)
            let messages = try await cxone.messages("t1", of: client)
            #expect(messages.map(\.id) == ["s-t1-0", "m1"])
            #expect(messages[1].createdAt.milliseconds == sent.time.milliseconds)
            #expect(messages[1].status == .delivered)
        }
    }

    @Test func aMessageTakesTwoUnitsOfTheStore() async throws {
        try await withThread { cxone, client in
            let before = cxone.store.statistics.units
            for number in 1...20 {
                _ = try await client.send(MessageDraft(id: "m\(number)", text: "hi"), to: "t1", receipt: nil)
            }
            // Pending, and confirmed by the platform's copy: the send itself finds nothing left to write. The
            // background has its own few.
            let units = cxone.store.statistics.units - before
            #expect((40..<55).contains(units))
        }
    }

    @Test func aMessageWithAKeyTakesNoMoreAndItsKeyFindsItConfirmed() async throws {
        try await withThread { cxone, client in
            let before = cxone.store.statistics.units
            for number in 1...20 {
                let outcome = try await client.send(
                    MessageDraft(id: "m\(number)", text: "hi"), to: "t1",
                    receipt: Receipt(scope: "key \(number)", fingerprint: "body"))
                let message = try Message(canonicalJSON: outcome.body)
                #expect(message.status == .delivered)
                let stored = try #require(try await cxone.store.receipt(scope: "key \(number)"))
                #expect(stored.fingerprint == "body")
                #expect(stored.outcome.kind == .created && stored.outcome.body == outcome.body)
            }
            #expect((40..<55).contains(cxone.store.statistics.units - before))
        }
    }

    /// The thread that is carried with a message is the one of its moment: here it was given a name since it was read
    /// last.
    @Test func aMessageNamesItsThreadAsItIsNow() async throws {
        try await withThread { cxone, client in
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            for name in ["Invoice", "Parcel"] {
                _ = try await client.ask { try await $0.rename("t1", to: name, ifMatch: nil) }
                _ = try await client.send(MessageDraft(text: "hi"), to: "t1", receipt: nil)
                guard case .sendMessage(let sent)? = cxone.platform.requests("SendMessage").last?.event else {
                    Issue.record("nothing was sent")
                    return
                }
                #expect(sent.thread.name == name)
            }
        }
    }

    /// Sends a message that the platform acknowledges and never tells of.
    ///
    /// - Parameter isTaken: it is there all the same.
    private func sendAcknowledgedOnly(_ cxone: Fixture, _ client: ChatClient, isTaken: Bool) async throws -> Message {
        cxone.platform.script("SendMessage") { [platform = cxone.platform] request in
            if isTaken { _ = platform.answer(request) }
            let after = platform.created(platform.add("after", to: "t1"))
            return [
                .acknowledgement(Acknowledgement(eventID: request.eventID)),
                .push(ServerPush(eventID: "push", createdAt: nil, event: .messageCreated(after))),
            ]
        }
        async let outcome = client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
        // Frames are taken in their order: what follows the acknowledgement shows that it has arrived.
        #expect(try await eventually { try await cxone.messages("t1", of: client).contains { $0.text == "after" } })
        cxone.clock.advance(by: .seconds(10))
        _ = try await outcome
        return try await settled(client)
    }

    /// The message, once it is not pending any more: the answer may come before.
    private func settled(_ client: ChatClient) async throws -> Message {
        @Sendable func message() async throws -> Message {
            try Message(canonicalJSON: try await client.message("m1", in: "t1").body)
        }
        #expect(try await eventually { try await message().status != .pending })
        return try await message()
    }

    @Test func anAcknowledgementAloneMakesItSent() async throws {
        try await withThread { cxone, client in
            let message = try await sendAcknowledgedOnly(cxone, client, isTaken: false)
            #expect(message.status == .sent)
        }
    }

    @Test func whatIsOnlyAcknowledgedIsLookedUpForItsTime() async throws {
        try await withThread { cxone, client in
            let message = try await sendAcknowledgedOnly(cxone, client, isTaken: true)
            let there = try #require(cxone.platform.room("t1")?.messages.first { $0.id == "m1" })
            #expect(message.status == .delivered)
            #expect(message.createdAt.milliseconds == there.time.milliseconds)
            #expect(cxone.platform.requests("SendMessage").count == 1)
        }
    }

    @Test func aMessageWhoseAnswersAreLostIsLookedUp() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("SendMessage") { [platform = cxone.platform] request in
                _ = platform.answer(request)
                return []
            }
            async let outcome = client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(await eventually { !cxone.platform.requests("SendMessage").isEmpty })
            cxone.clock.advance(by: .seconds(10))
            _ = try await outcome
            let message = try await settled(client)
            #expect(message.status == .delivered)
            #expect(cxone.platform.requests("SendMessage").count == 1)
        }
    }

    @Test func closedThreadsAndOtherThingsThatCannotBeAreRefused() async throws {
        try await withThread { cxone, client in
            #expect(
                await refusal { try await client.send(MessageDraft(text: "x", parentID: "m"), to: "t1", receipt: nil) }
                    == .unsupportedCapability)
            #expect(
                await refusal { try await client.edit("s-t1-0", in: "t1", text: "x", ifMatch: nil) }
                    == .unsupportedCapability)
            #expect(
                await refusal { try await client.ask { try await $0.resetHistory("t1", receipt: nil) } }
                    == .unsupportedCapability)
            _ = try await client.ask { try await $0.archive("t1", receipt: nil) }
            #expect(try cxone.thread("t1", of: client)?.state == .closed)
            #expect(
                await refusal { try await client.send(MessageDraft(text: "x"), to: "t1", receipt: nil) }
                    == .illegalThreadState)
        }
    }

    @Test func namesTypingAndReadingAreTold() async throws {
        try await withThread { cxone, client in
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            _ = try await client.ask { try await $0.rename("t1", to: "Invoice", ifMatch: nil) }
            try await client.ask { try await $0.reportTyping(true, in: "t1") }
            try await client.ask { try await $0.reportTyping(false, in: "t1") }
            _ = try await client.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(
                cxone.platform.types.suffix(4) == [
                    "UpdateThread", "SenderTypingStarted", "SenderTypingEnded", "MessageSeenByCustomer",
                ])
        }
    }

    @Test func fieldsGoAtOnceWhereThereIsAContactAndWithTheFirstMessageElsewhere() async throws {
        try await withThread { cxone, client in
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            let fields = try await client.ask { try await $0.setCustomFields(["topic": "billing"], of: "t1") }
            #expect(fields == ["topic": "billing"])
            guard case .setContactCustomFields(let set)? = cxone.platform.requests("SetContactCustomFields").last?.event
            else {
                Issue.record("nothing was told")
                return
            }
            #expect(set.fields.map(\.value) == ["billing"])
            #expect(set.contactID == "70012346")
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            _ = try await client.ask { try await $0.setCustomFields(["topic": "tech"], of: thread) }
            #expect(cxone.platform.requests("SetContactCustomFields").count == 1)
            _ = try await client.ask { try await $0.setCustomerCustomFields(["vip": "yes"]) }
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil)
            guard case .sendMessage(let sent)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(sent.contactFields.map(\.value) == ["tech"])
            #expect(sent.customerFields.map(\.value) == ["yes"])
        }
    }

    // MARK: Files

    private func upload(_ cxone: Fixture, _ client: ChatClient, _ text: String) async throws -> String {
        let file = try cxone.store.stageFile()
        try Array(text.utf8).withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        return try await client.attach(
            FileUpload(file: file, name: "note.txt", mimeType: "text/plain", size: Int64(text.utf8.count), digest: [1]),
            receipt: nil
        ).id
    }

    @Test func aFileGoesToThePlatformWithItsMessage() async throws {
        try await withThread { cxone, client in
            let file = try await upload(cxone, client, "hello")
            #expect(cxone.platform.calls("/attachment").isEmpty)
            _ = try await client.send(MessageDraft(id: "m1", attachments: [file]), to: "t1", receipt: nil)
            let call = try #require(cxone.platform.calls("/attachment").first)
            #expect(try AttachmentUpload(json: call.body ?? []).content == Array("hello".utf8))
            let sent = try #require(cxone.platform.room("t1")?.messages.last)
            #expect(sent.attachments.map(\.url) == ["https://files.example/1"])
            #expect(try await cxone.messages("t1", of: client).last?.attachments.map(\.id) == [file])
        }
    }

    @Test(arguments: [(5, ChatError.Code.invalidFileSize), (40, .invalidFileType)])
    func aFileThatThePlatformRefusesFailsItsMessage(_ size: Int, _ code: ChatError.Code) async throws {
        try await withThread { cxone, client in
            cxone.platform.http("/attachment") { _ in
                .init(
                    status: 200,
                    body: AttachmentUploadAnswer.refused(
                        WireFileRestrictions(allowedFileSize: size, allowedFileTypes: [], isAttachmentsEnabled: true)
                    ).encoded())
            }
            let file = try await upload(cxone, client, "hello")
            #expect(
                await refusal { try await client.send(MessageDraft(attachments: [file]), to: "t1", receipt: nil) }
                    == code)
        }
    }

    @Test func aFileOfThePlatformIsFetchedWhenItIsAskedFor() async throws {
        try await withThread { cxone, client in
            cxone.platform.http("files.test") { _ in .init(status: 200, body: Array("there".utf8)) }
            #expect(try await cxone.messages("t1", of: client).count == 1)
            var message = cxone.platform.add("look", to: "t1")
            message.attachments = [
                WireAttachment(
                    url: "https://files.test/1", friendlyName: "a.txt", mimeType: "text/plain", fileName: "a.txt")
            ]
            let carrying = message
            cxone.platform.change("t1") { $0.messages[1] = carrying }
            cxone.platform.push(.messageCreated(cxone.platform.created(message)))
            try await cxone.platform.heard()
            let attachment = try #require(try await cxone.messages("t1", of: client).last?.attachments.first)
            #expect(cxone.platform.calls("files.test").isEmpty)
            for _ in 1...2 {
                let open = try await client.attachment(attachment.id)
                #expect(open.attachment.size == 5)
                close(open.descriptor)
            }
            #expect(cxone.platform.calls("files.test").count == 1)
        }
    }

    @Test func aTranscriptIsAskedForByItsContact() async throws {
        try await withThread { cxone, client in
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            try await client.ask { try await $0.sendTranscript(of: "t1", to: "eva@example.com") }
            #expect(
                cxone.platform.requests("SendTranscript").map(\.event) == [
                    .sendTranscript(SendTranscript(contactID: "70012346", recipients: ["eva@example.com"]))
                ])
            #expect(
                await refusal { try await client.ask { try await $0.sendTranscript(of: "t1", to: "nobody") } }
                    == .invalidParameter)
            cxone.platform.fail("SendTranscript", "SendingTranscriptFailed")
            #expect(
                await refusal { try await client.ask { try await $0.sendTranscript(of: "t1", to: "eva@example.com") } }
                    == .sendTranscriptFailed)
        }
    }
}
