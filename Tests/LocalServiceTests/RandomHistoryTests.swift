import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// What the service should have after a history of operations, kept in the simplest way.
private struct Model {
    struct Entry: Equatable {
        var id: String
        var text: String
        var isToAgent: Bool
        var isSeen = false
    }

    struct Conversation {
        var owner: Int
        var name: String?
        var state = "pending"
        var isKnownToDesk = false
        var agent: String?
        var entries: [Entry] = []
        var removed: Set<String> = []

        func unseen(toAgent: Bool) -> Int { entries.count { $0.isToAgent == toAgent && !$0.isSeen } }

        mutating func send(_ id: String, _ text: String, toAgent: Bool) -> ChatError.Code? {
            if let known = entries.first(where: { $0.id == id }) {
                return known.text == text && known.isToAgent == toAgent ? nil : .messageIdConflict
            }
            if state == "closed" { return .illegalChatState }
            if removed.contains(id) { return .messageIdConflict }
            entries.append(Entry(id: id, text: text, isToAgent: toAgent))
            (state, isKnownToDesk) = ("ready", true)
            return nil
        }

        mutating func edit(_ id: String, _ text: String, byAgent: Bool) -> ChatError.Code? {
            guard let index = entries.firstIndex(where: { $0.id == id }) else { return .unknownMessage }
            if entries[index].isToAgent == byAgent { return .notAuthor }
            if state == "closed" { return .illegalChatState }
            entries[index].text = text
            return nil
        }

        mutating func remove(_ id: String, byAgent: Bool) -> ChatError.Code? {
            guard let index = entries.firstIndex(where: { $0.id == id }) else { return .unknownMessage }
            if entries[index].isToAgent == byAgent { return .notAuthor }
            entries.remove(at: index)
            removed.insert(id)
            return nil
        }

        mutating func see(toAgent: Bool) {
            for index in entries.indices where entries[index].isToAgent == toAgent { entries[index].isSeen = true }
        }
    }

    var threads: [String: Conversation] = [:]
}

/// Rows, log and counts agree with the model after any history.
@Suite struct RandomHistoryTests {
    @Test(arguments: [UInt64(1), 2026]) func rowsLogAndCountsAgree(seed: UInt64) async throws {
        try await Local.run { local in
            var generator = SeededGenerator(seed: seed)
            let people = [try await local.person("c1"), try await local.person("c2")]
            var model = Model()
            for step in 0..<1000 {
                try await act(step, local, people, &model, &generator)
                if step % 100 == 99 {
                    try compareRows(local, people, model)
                    try await compareLog(local, people)
                }
            }
        }
    }

    private func act(
        _ step: Int, _ local: Local, _ people: [Person], _ model: inout Model, _ generator: inout SeededGenerator
    ) async throws {
        // The clock goes on, stands still and sometimes jumps back.
        local.environment.advance(milliseconds: Int64.random(in: 0..<10, using: &generator) == 0 ? -5000 : Int64.random(in: 0...1000, using: &generator))
        if model.threads.count < 4 || Int.random(in: 0..<100, using: &generator) == 0 {
            let (id, owner) = ("t\(model.threads.count)", Int.random(in: 0...1, using: &generator))
            try await people[owner].create(id)
            model.threads[id] = Model.Conversation(owner: owner)
            return
        }
        let id = model.threads.keys.sorted().randomElement(using: &generator)!
        var thread = model.threads[id]!
        let person = people[thread.owner], connection = person.connection, named = DeskThread(id: id)
        let byAgent = Bool.random(using: &generator)
        let isHidden = byAgent && !thread.isKnownToDesk
        // An id that is there, that was removed, or that is new.
        let known = (thread.entries.map(\.id) + thread.removed.sorted()).randomElement(using: &generator) ?? "none"
        let message = Int.random(in: 0..<4, using: &generator) == 0 ? known : "m\(step)"
        let text = "text \(Int.random(in: 0..<3, using: &generator))"
        let operation = Int.random(in: 0..<100, using: &generator)
        var expected: ChatError.Code?
        let code: ChatError.Code?
        switch operation {
        case ..<50:
            expected = isHidden ? .unknownThread : thread.send(message, text, toAgent: !byAgent)
            code = await refusal {
                if byAgent { return try await local.send(message, text, to: id) }
                return try await person.send(message, text, to: id)
            }
        case ..<62:
            expected = isHidden ? .unknownThread : thread.edit(known, text, byAgent: byAgent)
            code = await refusal {
                if byAgent { return try await local.desk.edit(known, in: named, text: text, ifMatch: nil) }
                return try await connection.edit(known, in: id, text: text, ifMatch: nil)
            }
        case ..<74:
            expected = isHidden ? .unknownThread : thread.remove(known, byAgent: byAgent)
            code = await refusal {
                if byAgent { return try await local.desk.remove(known, in: named, ifMatch: nil) }
                return try await connection.remove(known, in: id, ifMatch: nil)
            }
        case ..<90:
            expected = isHidden ? .unknownThread : nil
            if byAgent ? thread.isKnownToDesk : thread.state == "ready" { thread.see(toAgent: byAgent) }
            code = await refusal {
                if byAgent { return try await local.desk.markRead(named, receipt: nil) }
                return try await connection.markRead(id, receipt: nil)
            }
        case ..<94:
            expected = thread.state == "closed" ? .illegalThreadState : nil
            if expected == nil { thread.name = text }
            code = await refusal { try await connection.rename(id, to: text, ifMatch: nil) }
        case ..<98:
            expected = !thread.isKnownToDesk ? .unknownThread : thread.state == "closed" ? .illegalThreadState : nil
            if expected == nil { thread.agent = "a1" }
            code = await refusal { try await local.desk.assign(Local.agent, to: named, receipt: nil) }
        case 98:
            expected = thread.state == "closed" ? .illegalChatState : nil
            if expected == nil { thread.state = "closed" }
            code = await refusal { try await connection.archive(id, receipt: nil) }
        default:
            expected = !thread.isKnownToDesk ? .unknownThread : thread.state == "closed" ? .illegalThreadState : nil
            if expected == nil { thread.state = "closed" }
            code = await refusal { try await local.desk.close(named, receipt: nil) }
        }
        #expect(code == expected, "step \(step), operation \(operation) on \(id)")
        model.threads[id] = thread
    }

    private func compareRows(_ local: Local, _ people: [Person], _ model: Model) throws {
        for (index, person) in people.enumerated() {
            let mine = model.threads.filter { $0.value.owner == index }
            #expect(Set(try person.threads().compactMap { $0["id"]?.string }) == Set(mine.keys))
            #expect(Set(try person.threads(.closed).compactMap { $0["id"]?.string }) == Set(mine.filter { $0.value.state == "closed" }.keys))
        }
        #expect(Set(try local.deskThreads().compactMap { $0["id"]?.string }) == Set(model.threads.filter { $0.value.isKnownToDesk }.keys))
        for (id, expected) in model.threads {
            let person = people[expected.owner]
            let entries = try person.messages(id).reversed().map { message in
                Model.Entry(
                    id: message["id"]?.string ?? "?", text: message["text"]?.string ?? "?",
                    isToAgent: message["direction"] == .string("toAgent"), isSeen: message["status"] == .string("seen"))
            }
            #expect(entries == expected.entries, "\(id)")
            let thread = try person.thread(id)
            #expect(thread["unreadCount"] == .integer(Int64(expected.unseen(toAgent: false))), "\(id)")
            #expect(thread["deskUnreadCount"] == .integer(Int64(expected.unseen(toAgent: true))), "\(id)")
            #expect(thread["state"]?.string == expected.state)
            #expect(thread["name"]?.string == expected.name)
            #expect(thread[path: "agent", "id"]?.string == expected.agent)
            #expect(thread[path: "lastMessage", "id"]?.string == expected.entries.last?.id)
            #expect(thread[path: "lastMessage", "text"]?.string == expected.entries.last?.text)
            #expect((thread[path: "lastMessage", "status"] == .string("seen")) == (expected.entries.last?.isSeen == true))
        }
    }

    /// Whoever follows the log from its beginning has in the end what the rows have.
    private func compareLog(_ local: Local, _ people: [Person]) async throws {
        for person in people {
            var threads: [String: JSONValue] = [:]
            var messages: [String: [String: JSONValue]] = [:]
            var position: Int64 = 0
            while position < local.store.feed.head {
                let step = try await local.store.replay([.account(person.account)], after: position, limit: 50_000)
                for event in step.events {
                    let json = try event.json(for: .account(person.account))
                    let thread = json["threadId"]?.string ?? ""
                    switch event.type {
                    case .threadCreated, .threadUpdated: threads[json[path: "thread", "id"]?.string ?? ""] = json["thread"]
                    case .messageRemoved: messages[thread]?[json["messageId"]?.string ?? ""] = nil
                    default: messages[thread, default: [:]][json[path: "message", "id"]?.string ?? ""] = json["message"]
                    }
                }
                position = step.through
            }
            #expect(Set(threads.keys) == Set(try person.threads().compactMap { $0["id"]?.string }))
            for thread in try person.threads() {
                let id = thread["id"]?.string ?? ""
                #expect(threads[id] == thread, "\(id)")
                let rows = try person.messages(id).map { ($0["id"]?.string ?? "", $0) }
                #expect(messages[id] ?? [:] == Dictionary(uniqueKeysWithValues: rows), "\(id)")
            }
        }
    }
}
