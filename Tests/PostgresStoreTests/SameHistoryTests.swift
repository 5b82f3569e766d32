import ChatModel
import ChatStore
import TestSupport
import Testing

/// The same random units leave the same rows, log, pages and replays on both engines. Some of them fail after all their
/// changes, which the services' units seldom do.
struct SameHistoryTests {
    private static let outcomes: Set = [
        "made", "sent", "removed", "read", "edited", "messageIdConflict", "unknownMessage", "tooManyUnsent",
    ]

    @Test(.withPostgres, arguments: [UInt64(1), 7, 2026]) func bothEnginesHoldTheSame(seed: UInt64) async throws {
        let environment = TestEnvironment()
        try await withStore(onBothEngines: true, environment: environment) { store in
            var (generator, outcomes) = (SeededGenerator(seed: seed), Set<String>())
            var sent: [String: [String]] = [:]
            for step in 0..<250 {
                environment.advance(milliseconds: Int64.random(in: 0...500, using: &generator))
                outcomes.insert(await act(step, store, &sent, &generator))
            }
            #expect(outcomes.isSuperset(of: Self.outcomes))
        }
    }

    /// One unit. Returns what came of it.
    ///
    /// - Parameter sent: messages of each thread, also removed ones and ones whose unit has failed.
    private func act(
        _ step: Int, _ store: ChatStore, _ sent: inout [String: [String]], _ generator: inout SeededGenerator
    ) async -> String {
        let customer = "c\(Int.random(in: 1...3, using: &generator))"
        let name = "t\(Int.random(in: 0..<3, using: &generator))"
        let operation = Int.random(in: 0..<20, using: &generator)
        let known = sent[customer + name]?.randomElement(using: &generator) ?? "none"
        let isRemote = Bool.random(using: &generator), isFailing = Int.random(in: 0..<8, using: &generator) == 0
        let text = ["", "'quoted' \"text\" \\u0000 ?", "ä \u{1F600}"].randomElement(using: &generator) ?? ""
        if operation < 12 { sent[customer + name, default: []].append("m\(step)") }
        do throws(ChatError) {
            return try await store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: customer))
                guard var record = try transaction.thread(name, of: account.number) else {
                    var made = try transaction.insert(
                        ChatThread(id: name, createdAt: transaction.now, members: [account.customer]), owner: account)
                    made.thread.state = .ready
                    try transaction.save(&made, logging: .threadCreated, withDesk: true)
                    return "made"
                }
                var result: String
                switch operation {
                case ..<12:
                    let message = Message(
                        id: operation == 0 ? known : "m\(step)", threadID: name, createdAt: transaction.now,
                        direction: isRemote ? .toClient : .toAgent,
                        author: isRemote ? Author(id: "a1", kind: .agent) : Author(account.customer), text: text,
                        status: .delivered)
                    guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
                        throw ChatError(.messageIdConflict, "twice")
                    }
                    transaction.setLastMessage(sent, of: &record)
                    if isRemote { record.members[0].unreadCount += 1 }
                    try transaction.record(
                        Receipt(scope: "s\(step)", fingerprint: "f"),
                        Outcome(.created, id: message.id, body: message.canonicalJSON), message: sent.number)
                    result = "sent"
                case ..<15:
                    guard let message = try transaction.message(known, in: record) else {
                        throw ChatError.unknownMessage(known)
                    }
                    try transaction.remove(message, in: &record, withDesk: true)
                    transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
                    result = "removed"
                case ..<17:
                    var read = record.members[0].read
                    _ = try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: true)
                    record.members[0].read = read
                    record.members[0].unreadCount = 0
                    result = "read"
                default:
                    guard var message = try transaction.message(known, in: record) else {
                        throw ChatError.unknownMessage(known)
                    }
                    message.message.text = text + "!"
                    try transaction.save(&message, in: &record, withDesk: true)
                    result = "edited"
                }
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                try transaction.markDone("\(operation)")
                if isFailing { throw ChatError(.tooManyUnsent, "after all changes") }
                return result
            }
        } catch {
            return "\(error.code)"
        }
    }
}
