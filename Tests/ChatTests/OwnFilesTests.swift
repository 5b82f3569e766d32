import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// Own messages of a remote service that carry files.
@Suite struct OwnFilesTests {
    private func upload(_ scene: RemoteScene) async throws -> String {
        let file = try scene.store.stageFile()
        try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
        let upload = FileUpload(file: file, name: "a.txt", mimeType: "text/plain", size: 5, digest: [])
        return try #require(try await scene.client.attach(upload, receipt: nil).id)
    }

    private func send(_ scene: RemoteScene, _ file: String) async throws -> Message {
        let outcome = try await scene.client.send(MessageDraft(id: "m1", attachments: [file]), to: "t", receipt: nil)
        return try Message(json: JSONParser.parse(outcome.body))
    }

    private func canRead(_ scene: RemoteScene, _ file: String) -> Bool {
        (try? scene.store.readBlocking { try $0.attachment(file, for: .account(scene.client.account)) }) != nil
    }

    @Test func aSentFileKeepsTheIDOfItsUpload() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let file = try await upload(scene)
            #expect(canRead(scene, file))
            let sent = try await send(scene, file)
            #expect(sent.type == .file && sent.status == .delivered && sent.attachments.map(\.id) == [file])
            // The platform knows it by another, and says so whenever it tells of the message.
            let remote = try #require(scene.platform.room("t")?.messages.last?.message)
            #expect(remote.attachments.map(\.id) == ["remote-\(file)"])
            scene.platform.edit(remote.id, in: "t", to: "caption")
            await scene.service.settle()
            let row = try #require(try scene.rows().last)
            #expect(row.text == "caption" && row.attachments.map(\.id) == [file])
            #expect(canRead(scene, file))
            await #expect(throws: ChatError.self) {
                try await scene.client.send(MessageDraft(attachments: [file]), to: "t", receipt: nil)
            }
        }
    }

    @Test func aFileThatCouldNotBeSentGoesOutWithAResend() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let file = try await upload(scene)
            scene.service.script("send", .fail(.serverError))
            let failed = try await send(scene, file)
            #expect(failed.status == .failed && failed.attachments.map(\.id) == [file])
            // A day later it is still the message's: uploads that nobody sent have gone.
            scene.environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds + 1)
            await scene.store.sweepFiles()
            #expect(canRead(scene, file))
            _ = try await scene.client.resend("m1", in: "t", receipt: nil)
            #expect(scene.platform.room("t")?.messages.last?.message.attachments.map(\.name) == ["a.txt"])
            #expect(canRead(scene, file))
        }
    }

    @Test func aFailedMessageThatIsRemovedTakesItsFilesWithIt() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let file = try await upload(scene)
            scene.service.script("send", .fail(.serverError))
            _ = try await send(scene, file)
            try await scene.client.remove("m1", in: "t", ifMatch: nil)
            #expect(!canRead(scene, file))
        }
    }

    @Test func aMessageWithAFileThatNobodyUploadedIsRefused() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let error = await #expect(throws: ChatError.self) { try await send(scene, "none") }
            #expect(error?.code == .unknownAttachment)
            #expect(try scene.outgoing().isEmpty)
        }
    }
}
