import Chat
import ChatModel
@testable import SendbirdService
import TestSupport

/// What customers do with messages.
extension RandomDeeds {
    static let ofMessages = [
        Kind("text", 6) { scene in
            scene.world.environment.advance(milliseconds: 1)
            try await scene.send(MessageDraft(id: "m\(scene.step)", text: "customer \(scene.step)"))
        },
        Kind("reply", 1) { scene in
            let parent = try await scene.message()
            try await scene.send(
                MessageDraft(id: "m\(scene.step)", text: "reply \(scene.step)", parentID: parent.id))
        },
        Kind("file", 1) { scene in
            let upload = try FileUpload(staged: "file \(scene.step)", in: scene.world.store)
            let id = try await scene.client.attach(upload, receipt: nil).id
            try await scene.send(MessageDraft(id: "m\(scene.step)", attachments: [id]))
        },
        Kind("edit", 2) { scene in
            let own = try await scene.message { $0.author.id == scene.customer }
            scene.world.environment.advance(milliseconds: 2)
            _ = try await scene.client.edit(own.id, in: scene.thread, text: "changed \(scene.step)", ifMatch: nil)
        },
        Kind("remove", 1) { scene in
            let own = try await scene.message { $0.author.id == scene.customer }
            try await scene.client.remove(own.id, in: scene.thread, ifMatch: nil)
        },
    ]
}

/// What agents do with messages at the far gateway.
extension RandomDeeds {
    static let ofDesk = [
        Kind("desk's text", 2) { try await $0.world.deskSends("desk \($0.step)", to: $0.thread) },
        Kind("desk's reply", 1) { scene in
            let parent = try await scene.deskMessage()
            try await scene.world.deskSends("desk's reply \(scene.step)", to: scene.thread, parent: parent.id)
        },
        Kind("desk's file", 1) { scene in
            let (world, name) = (scene.world, "desk's file \(scene.step)")
            let id = try await world.desk.attach(FileUpload(staged: name, in: world.farStore), receipt: nil).id
            world.environment.advance(milliseconds: 1)
            _ = try await world.desk.send(
                MessageDraft(attachments: [id]), as: TwoGateways.agent, to: scene.desk, receipt: nil)
        },
        Kind("desk's edit", 2) { scene in
            let message = try await scene.deskMessage()
            scene.world.environment.advance(milliseconds: 2)
            _ = try await scene.world.desk.edit(
                message.id, in: scene.desk, text: "edited \(scene.step)", ifMatch: nil, as: TwoGateways.agent)
        },
        Kind("desk's removal", 1) { scene in
            let message = try await scene.deskMessage()
            try await scene.world.desk.remove(message.id, in: scene.desk, ifMatch: nil, as: TwoGateways.agent)
        },
        Kind("desk's reading", 1) {
            _ = try await $0.world.desk.markRead($0.desk, as: TwoGateways.agent, receipt: nil)
        },
    ]
}

extension RandomDeeds.Scene {
    fileprivate func send(_ draft: MessageDraft) async throws {
        _ = try await client.send(draft, to: thread, receipt: nil)
    }
}
