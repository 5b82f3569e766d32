import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport

/// What is done with threads as a whole.
extension RandomDeeds {
    static let ofThreads = [
        Kind("thread", 1, makesThread: true) { scene in
            let draft = ThreadDraft(
                id: scene.thread, name: "made \(scene.step)", customFields: ["made": "\(scene.step)"])
            _ = try await scene.client.createThread(draft, receipt: nil)
        },
        Kind("name", 1) { scene in
            try await scene.ask { _ = try await $0.rename($1, to: "name \(scene.step)", ifMatch: nil) }
        },
        Kind("desk's name", 1) { scene in
            _ = try await scene.world.desk.update(
                scene.desk, DeskThreadPatch(name: .some("desk's name \(scene.step)")), ifMatch: nil, as: nil)
        },
        Kind("field", 1) { scene in
            let fields = ["field\(scene.place % 3)": "near \(scene.step)"]
            try await scene.ask { _ = try await $0.setCustomFields(fields, of: $1, ifMatch: nil) }
        },
        Kind("program's field", 1) { scene in
            try await scene.world.asks(
                "PUT", "/group_channels/\(scene.thread)/metadata",
                #"{"metadata":{"field\#(scene.place % 3)":"far \#(scene.step)"},"upsert":true}"#)
        },
        Kind("reading", 2) { scene in try await scene.ask { _ = try await $0.markRead($1, receipt: nil) } },
        Kind("hiding", 1) { scene in
            try await scene.ask { _ = try await $0.setHidden(scene.place % 2 == 0, $1, receipt: nil) }
        },
        Kind("archive", 1) { scene in
            try await scene.ask { _ = try await $0.archive($1, ifMatch: nil, receipt: nil) }
        },
        Kind("reset", 1) { scene in
            scene.world.environment.advance(milliseconds: 1)
            try await scene.ask { _ = try await $0.resetHistory($1, receipt: nil) }
            scene.world.environment.advance(milliseconds: 1)
        },
    ]

    /// Who is in a thread.
    static let ofMembers = [
        Kind("leaving", 1) { scene in try await scene.ask { _ = try await $0.leave($1, receipt: nil) } },
        Kind("joining", 2) { scene in try await scene.ask { _ = try await $0.join($1, receipt: nil) } },
        Kind("desk's invitation", 1) { try await $0.add(.invited) },
        Kind("desk's addition", 2) { try await $0.add(.joined) },
        Kind("desk's exclusion", 1) {
            try await $0.world.desk.remove(member: $0.customer, from: $0.desk, as: nil)
        },
    ]
}

extension RandomDeeds.Scene {
    fileprivate func ask(
        _ request: @escaping @Sendable (any ServiceConnection, String) async throws -> Void
    ) async throws {
        try await client.ask { [thread] in try await request($0, thread) }
    }

    /// Who has left comes back when all gateways know of it: where one does not, it keeps the line of a history that
    /// was reset, and the platform does not.
    fileprivate func add(_ state: MemberState) async throws {
        let (thread, key, customer) = (thread, client.key, customer)
        let isMember = try await world.farStore.read { transaction in
            try transaction.deskThreads(thread, onService: "local", channel: nil, customer: nil).first?
                .thread.members.contains { $0.id == customer } ?? false
        }
        for store in isMember ? [] : world.nearStores.withLock({ $0 }) {
            _ = await eventually {
                let isHere = try? await store.read { transaction in
                    try transaction.account(key).map { try transaction.hasThread(thread, of: $0.number) } ?? false
                }
                return isHere != true
            }
        }
        _ = try await world.desk.add([MemberDraft(id: customer, state: state)], to: desk, as: nil, receipt: nil)
    }
}
