import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport

/// What customers and agents do in one thread, in any order, with or without luck; and what the network does to them.
struct RandomDeeds {
    let world: TwoGateways
    let clients: [ChatClient]
    let thread: String
    /// Otherwise there are polls alone.
    let hasWebhooks: Bool
    private(set) var random: SeededGenerator

    init(_ world: TwoGateways, _ clients: [ChatClient], in thread: String, seed: UInt64, hasWebhooks: Bool) {
        (self.world, self.clients, self.thread, self.hasWebhooks) = (world, clients, thread, hasWebhooks)
        random = SeededGenerator(seed: seed)
    }

    /// One deed, with its number. It may wait for time to pass.
    mutating func next(_ step: Int) -> @Sendable () async -> Void {
        let (client, world, thread) = (clients.randomElement(using: &random)!, world, thread)
        let place = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<22, using: &random) {
        case 0, 1, 2:
            let trouble = Self.troubles.randomElement(using: &random)!
            return { world.port.next(trouble.method, trouble.ending, trouble.fate) }
        case 3, 4: return { try? await world.deskSends("desk \(step)", to: thread) }
        case 5:
            return {
                guard let parent = try? await Self.ofDesk(place, world, thread) else { return }
                try? await world.deskSends("desk's reply \(step)", to: thread, parent: parent.id)
            }
        case 6, 7:
            return {
                guard let message = try? await Self.ofDesk(place, world, thread) else { return }
                world.environment.advance(milliseconds: 2)
                _ = try? await world.desk.edit(
                    message.id, in: DeskThread(id: thread), text: "edited \(step)", ifMatch: nil, as: TwoGateways.agent
                )
            }
        case 8:
            return {
                guard let message = try? await Self.ofDesk(place, world, thread) else { return }
                try? await world.desk.remove(
                    message.id, in: DeskThread(id: thread), ifMatch: nil, as: TwoGateways.agent)
            }
        case 9, 10: return { try? await client.ask { _ = try await $0.markRead(thread, receipt: nil) } }
        case 11, 12:
            return {
                guard let own = try? await Self.own(place, client, world, thread) else { return }
                world.environment.advance(milliseconds: 2)
                _ = try? await client.edit(own.id, in: thread, text: "changed \(step)", ifMatch: nil)
            }
        case 13:
            return {
                guard let own = try? await Self.own(place, client, world, thread) else { return }
                try? await client.remove(own.id, in: thread, ifMatch: nil)
            }
        case 20, 21:
            // Webhooks come late, several times, or never.
            let category = ["message_send", "message_update", "message_delete", "message_read"][place % 4]
            return { [hasWebhooks] in
                guard hasWebhooks else { return }
                let message = try? await Self.ofDesk(place, world, thread)?.id
                for _ in 0..<(place % 3) {
                    _ = world.hears(category, in: thread, message: message.flatMap { Int64($0) } ?? 7)
                }
            }
        case 14: return { try? await client.ask { _ = try await $0.setHidden(place % 2 == 0, thread, receipt: nil) } }
        case 15:
            return {
                guard
                    let parent = try? await world.messages(of: client, in: thread).recent({ _ in true })
                        .element(at: place)
                else { return }
                _ = try? await client.send(
                    MessageDraft(id: "m\(step)", text: "reply \(step)", parentID: parent.id), to: thread, receipt: nil)
            }
        default:
            return {
                world.environment.advance(milliseconds: 1)
                _ = try? await client.send(
                    MessageDraft(id: "m\(step)", text: "customer \(step)"), to: thread, receipt: nil)
            }
        }
    }

    private static let troubles: [(method: String, ending: String, fate: SandboxPort.Fate)] = [
        ("POST", "/messages", .loseAnswer), ("POST", "/messages", .loseAnswer), ("POST", "/messages", .loseRequest),
        ("POST", "/messages", .tooMany), ("POST", "/messages", .away), ("GET", "/messages", .loseAnswer),
        ("GET", "/messages", .tooMany), ("GET", "/messages", .cut), ("GET", "/group_channels", .loseRequest),
        ("GET", "/group_channels", .away), ("PUT", "/mark_as_read", .loseAnswer), ("PUT", "/hide", .loseAnswer),
    ]

    private static func ofDesk(_ place: Int, _ world: TwoGateways, _ thread: String) async throws -> Message? {
        try await world.farMessages(in: thread).recent { $0.direction == .toClient }.element(at: place)
    }

    private static func own(
        _ place: Int, _ client: ChatClient, _ world: TwoGateways, _ thread: String
    ) async throws -> Message? {
        try await world.messages(of: client, in: thread).recent { $0.author.id == client.key.customer }
            .element(at: place)
    }
}

extension [Message] {
    /// Changes of older ones are not looked for, as it is documented.
    fileprivate func recent(_ isMeant: (Message) -> Bool) -> [Message] { suffix(50).filter(isMeant) }

    fileprivate func element(at place: Int) -> Message? { isEmpty ? nil : self[place % count] }
}

extension SandboxPort.Fate {
    static let tooMany = Self.answer(
        status: 429, body: #"{"error":true,"code":500910,"message":"Too many requests."}"#,
        headers: ["x-ratelimit-retryafter": "2"])
    fileprivate static let away = Self.answer(status: 503, body: "<html>Away</html>", headers: [:])
    fileprivate static let cut = Self.answer(status: 200, body: #"{"messages": [{"message_id": 1, "mess"#, headers: [:])
}
