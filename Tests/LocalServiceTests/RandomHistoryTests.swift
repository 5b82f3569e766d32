import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Rows, log and counts agree with the model after any history: of several members, with replies, and histories that
/// are reset.
@Suite struct RandomHistoryTests {
    private typealias Party = HistoryModel.Party
    private static let names = ["c1", "c2", "c3"]

    @Test(arguments: [UInt64(1), 7, 2026]) func rowsLogAndCountsAgree(seed: UInt64) async throws {
        try await run(seed: seed)
    }

    @Test(.withPostgres, arguments: [UInt64(1), 7, 2026]) func bothEnginesHoldTheSame(seed: UInt64) async throws {
        try await run(seed: seed, onBothEngines: true)
    }

    private func run(seed: UInt64, onBothEngines: Bool = false) async throws {
        try await Local.run(onBothEngines: onBothEngines) { local in
            var generator = SeededGenerator(seed: seed)
            var people: [Person] = []
            for name in Self.names { people.append(try await local.person(name)) }
            var model = HistoryModel()
            for step in 0..<1000 {
                try await act(step, local, people, &model, &generator)
                if step % 50 == 49 {
                    try compareRows(local, people, model, step)
                    try await compareLog(local, people, model, step)
                }
            }
            let faults = try local.store.faults().map(\.description)
            #expect(faults == [])
        }
    }

    private func create(
        _ local: Local, _ people: [Person], _ model: inout HistoryModel, _ generator: inout SeededGenerator
    ) async throws {
        let (id, owner) = ("t\(model.threads.count)", Int.random(in: 0..<3, using: &generator))
        var thread = HistoryModel.Conversation(members: [owner: .init()])
        if Bool.random(using: &generator) {
            try await people[owner].create(id)
        } else {
            let other = (owner + 1) % 3, isInvited = Bool.random(using: &generator)
            thread.add(other, isInvited: isInvited)
            (thread.state, thread.isKnownToDesk) = ("ready", true)
            let members = [
                MemberDraft(id: Self.names[owner]),
                MemberDraft(id: Self.names[other], state: isInvited ? .invited : .joined),
            ]
            _ = try await local.desk.createThread(
                DeskThreadDraft(id: id, channel: "multi", members: members), receipt: nil)
        }
        model.threads[id] = thread
    }

    private func act(
        _ step: Int, _ local: Local, _ people: [Person], _ model: inout HistoryModel, _ generator: inout SeededGenerator
    ) async throws {
        // The clock goes on, stands still and sometimes jumps back.
        local.environment.advance(
            milliseconds: Int64.random(in: 0..<10, using: &generator) == 0
                ? -5000 : Int64.random(in: 0...1000, using: &generator))
        if model.threads.count < 4 || Int.random(in: 0..<100, using: &generator) == 0 {
            return try await create(local, people, &model, &generator)
        }
        let id = model.threads.keys.sorted().randomElement(using: &generator)!
        var thread = model.threads[id]!
        let index = Int.random(in: 0..<5, using: &generator), party = index < 3 ? Party.person(index) : .desk
        let person = people[min(index, 2)], connection = person.connection, named = DeskThread(id: id)
        // An id that is there, that was removed, or that is new.
        let known = (thread.entries.map(\.id) + thread.removed.sorted()).randomElement(using: &generator) ?? "none"
        let message = Int.random(in: 0..<4, using: &generator) == 0 ? known : "m\(step)"
        let text = "text \(Int.random(in: 0..<3, using: &generator))"
        let operation = Int.random(in: 0..<109, using: &generator)
        var expected: ChatError.Code?
        let code: ChatError.Code?
        switch operation {
        case ..<50:
            let parent = Int.random(in: 0..<2, using: &generator) == 0 ? known : nil
            let isInThread = Bool.random(using: &generator)
            let draft = MessageDraft(
                id: message, text: text, parentID: parent, alsoInThread: parent == nil ? nil : isInThread)
            expected = thread.send(message, text, parent: parent, isInThread: isInThread, by: party)
            code = await refusal {
                if party == .desk { return try await local.desk.send(draft, as: Local.agent, to: named, receipt: nil) }
                return try await connection.send(draft, to: id, receipt: nil)
            }
            if code == nil, let index = thread.entries.lastIndex(where: { $0.id == message }) {
                thread.entries[index].createdAt = try await createdAt(message, in: id, local)
            }
        case ..<60:
            expected = thread.edit(known, text, by: party)
            code = await refusal {
                if party == .desk { return try await local.desk.edit(known, in: named, text: text, ifMatch: nil) }
                return try await connection.edit(known, in: id, text: text, ifMatch: nil)
            }
        case ..<74:
            expected = thread.remove(known, by: party)
            code = await refusal {
                if party == .desk { return try await local.desk.remove(known, in: named, ifMatch: nil) }
                return try await connection.remove(known, in: id, ifMatch: nil)
            }
        case ..<86:
            expected = thread.read(by: party)
            code = await refusal {
                if party == .desk { return try await local.desk.markRead(named, receipt: nil) }
                return try await connection.markRead(id, receipt: nil)
            }
        case ..<89:
            guard case .person(let index) = party else { return }
            expected = thread.refusal(of: party) ?? (thread.state == "closed" ? .illegalThreadState : nil)
            if expected == nil { thread.name = text }
            code = await refusal { try await people[index].connection.rename(id, to: text, ifMatch: nil) }
        case ..<91:
            expected = thread.refusal(of: .desk) ?? (thread.state == "closed" ? .illegalThreadState : nil)
            if expected == nil { (thread.agent, thread.customType) = ("a1", text) }
            code = await refusal {
                _ = try await local.desk.assign(Local.agent, to: named, receipt: nil)
                return try await local.desk.update(named, DeskThreadPatch(customType: .some(text)), ifMatch: nil)
            }
        case ..<97:
            let (added, isInvited) = (Int.random(in: 0..<3, using: &generator), Bool.random(using: &generator))
            expected = thread.refusal(of: .desk) ?? (thread.state == "closed" ? .illegalThreadState : nil)
            if expected == nil { thread.add(added, isInvited: isInvited) }
            let draft = MemberDraft(id: Self.names[added], state: isInvited ? .invited : .joined)
            code = await refusal { try await local.desk.add([draft], to: named, receipt: nil) }
        case ..<102:
            guard case .person(let index) = party else { return }
            expected = thread.refusal(of: party, reading: true)
            let choice = Int.random(in: 0..<4, using: &generator)
            if expected == nil {
                switch choice {
                case 0: thread.members[index] = nil
                case 1: thread.members[index]?.isInvited = false
                default: thread.members[index]?.isHidden = choice == 2
                }
            }
            code = await refusal {
                switch choice {
                case 0: try await connection.leave(id, receipt: nil)
                case 1: try await connection.join(id, receipt: nil)
                default: try await connection.setHidden(choice == 2, id, receipt: nil)
                }
            }
        case ..<106:
            // For all it is rare, or nothing would ever grow.
            if party == .desk, Int.random(in: 0..<4, using: &generator) > 0 { return }
            expected = thread.refusal(of: party)
            if expected == nil { thread.resetHistory(by: party) }
            code = await refusal {
                if party == .desk { return try await local.desk.resetHistory(named, receipt: nil) }
                return try await connection.resetHistory(id, receipt: nil)
            }
        case 106:
            guard party != .desk, Bool.random(using: &generator) else { return }
            expected = thread.refusal(of: party) ?? (thread.state == "closed" ? .illegalChatState : nil)
            if expected == nil { thread.state = "closed" }
            code = await refusal { try await connection.archive(id, receipt: nil) }
        case 107:
            // In all threads, so that what is old in one of them is older than most in another.
            guard let entry = thread.entries.prefix(8).randomElement(using: &generator) else { return }
            try await local.store.removeMessages(
                ofService: LocalService.serviceID, before: Timestamp(milliseconds: entry.createdAt))
            return model.removeMessages(before: entry.createdAt)
        default:
            guard Bool.random(using: &generator) else { return }
            expected = thread.refusal(of: .desk) ?? (thread.state == "closed" ? .illegalThreadState : nil)
            if expected == nil { thread.state = "closed" }
            code = await refusal { try await local.desk.close(named, receipt: nil) }
        }
        #expect(code == expected, "step \(step), operation \(operation) on \(id)")
        model.threads[id] = thread
    }

    private func createdAt(_ message: String, in thread: String, _ local: Local) async throws -> Int64 {
        let found = try await local.desk.message(message, in: DeskThread(id: thread))
        return try Message(canonicalJSON: found.body).createdAt.milliseconds
    }

    private func compareRows(_ local: Local, _ people: [Person], _ model: HistoryModel, _ step: Int) throws {
        for (index, person) in people.enumerated() {
            let mine = model.threads.filter { $0.value.members[index] != nil }
            #expect(Set(try person.threads().compactMap { $0["id"]?.string }) == Set(mine.keys), "step \(step)")
            #expect(
                Set(try person.threads(.closed).compactMap { $0["id"]?.string })
                    == Set(mine.filter { $0.value.state == "closed" }.keys))
            for (id, expected) in mine {
                let member = expected.members[index]!
                let entries = expected.entries.filter { $0.order > member.line }
                #expect(try ids(local, person, id, .all) == entries.map(\.id), "\(id), step \(step)")
                #expect(
                    try ids(local, person, id, .alsoInThread) == entries.filter(\.isInThread).map(\.id),
                    "\(id), step \(step)")
                #expect(
                    try ids(local, person, id, .none) == entries.filter { $0.parent == nil }.map(\.id),
                    "\(id), step \(step)")
                try compare(person.thread(id), expected, line: member.line)
                let thread = try person.thread(id)
                #expect(try person.threads().first { $0["id"] == thread["id"] } == thread)
                #expect(
                    thread["unreadCount"] == .integer(Int64(member.unread.count)), "\(id) of \(index), step \(step)")
                #expect((thread["hidden"] == .bool(true)) == member.isHidden, "\(id) of \(index), step \(step)")
                #expect(
                    (thread["memberState"] == .string("invited")) == member.isInvited, "\(id) of \(index), step \(step)"
                )
            }
        }
        #expect(
            Set(try local.deskThreads().compactMap { $0["id"]?.string })
                == Set(model.threads.filter { $0.value.isKnownToDesk }.keys))
        for (id, expected) in model.threads where expected.isKnownToDesk {
            try compare(local.deskThread(id), expected, line: 0)
            let request = PageRequest(limit: 10_000, cursor: nil)
            let messages = try items(
                blocking { try await local.desk.messages(of: DeskThread(id: id), replies: .all, page: request) })
            #expect(messages.count == expected.entries.count)
            for (message, entry) in zip(messages.reversed(), expected.entries) { compare(message, entry, in: expected) }
        }
    }

    private func ids(_ local: Local, _ person: Person, _ thread: String, _ replies: ReplyFilter) throws -> [String] {
        let request = PageRequest(limit: 10_000, cursor: nil)
        return try items(
            blocking {
                try await local.store.messagePage(of: person.account, thread: thread, replies: replies, request)
            }
        )
        .reversed().compactMap { $0["id"]?.string }
    }

    private func compare(_ thread: JSONValue, _ expected: HistoryModel.Conversation, line: Int) throws {
        let last = expected.conversation.last.flatMap { $0.order > line ? $0 : nil }
        #expect(thread["deskUnreadCount"] == .integer(Int64(expected.deskUnreadCount)))
        #expect(thread["state"]?.string == expected.state)
        #expect(thread["name"]?.string == expected.name)
        #expect(thread["customType"]?.string == expected.customType)
        #expect(thread[path: "agent", "id"]?.string == expected.agent)
        #expect(thread[path: "lastMessage", "id"]?.string == last?.id)
        #expect(thread[path: "lastMessage", "text"]?.string == last?.text)
        #expect((thread[path: "lastMessage", "status"] == .string("seen")) == (last?.isSeen == true))
        #expect(
            Set(thread["members"]?.array?.compactMap { $0["id"]?.string } ?? [])
                == Set(expected.members.keys.map { Self.names[$0] }))
    }

    private func compare(_ message: JSONValue, _ entry: HistoryModel.Entry, in thread: HistoryModel.Conversation) {
        #expect(message["id"]?.string == entry.id)
        #expect(message["text"]?.string == entry.text)
        #expect((message["direction"] == .string("toAgent")) == entry.isToAgent)
        #expect((message["status"] == .string("seen")) == entry.isSeen, "\(entry)")
        #expect(message["parentId"]?.string == entry.parent)
        #expect((message["alsoInThread"] == .bool(false)) == !entry.isInThread)
        let replies = thread.replies(to: entry.id)
        #expect(message[path: "replyInfo", "count"]?.integer ?? 0 == Int64(replies.count))
        let counts = Dictionary(grouping: replies) { reply in
            if case .person(let index) = reply.author { "customer \(Self.names[index])" } else { "agent a1" }
        }
        let most = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.key)
        let told =
            message[path: "replyInfo", "mostReplies"]?.array?.map {
                "\($0["kind"]?.string ?? "") \($0["id"]?.string ?? "")"
            } ?? []
        #expect(told == most)
    }

    /// Whoever follows the log from its beginning has in the end what the rows have, as far back as the log goes for
    /// that account.
    private func compareLog(_ local: Local, _ people: [Person], _ model: HistoryModel, _ step: Int) async throws {
        for (index, person) in people.enumerated() {
            var follower = Follower()
            var position: Int64 = 0
            while position < local.store.feed.head {
                let step = try await local.store.replay([.account(person.account)], after: position, limit: 50_000)
                for event in step.events { try follower.take(event.type, event.json(for: .account(person.account))) }
                position = step.through
            }
            #expect(Set(follower.threads.keys) == Set(try person.threads().compactMap { $0["id"]?.string }))
            for thread in try person.threads() {
                let id = thread["id"]?.string ?? ""
                #expect(follower.threads[id] == thread, "\(id), step \(step)")
                let all = try await items(
                    local.store.messagePage(
                        of: person.account, thread: id, replies: .all, PageRequest(limit: 10_000, cursor: nil)))
                let rows = Dictionary(uniqueKeysWithValues: all.map { ($0["id"]?.string ?? "", $0) })
                let followed = follower.messages[id] ?? [:]
                for (message, json) in followed { #expect(rows[message] == json, "\(message) of \(id), step \(step)") }
                let since = model.threads[id]?.members[index]?.since ?? 0
                for entry in model.threads[id]?.entries ?? [] where entry.order > since && rows[entry.id] != nil {
                    #expect(followed[entry.id] != nil, "\(entry.id) of \(id), step \(step)")
                }
            }
        }
    }
}

/// A client that knows nothing but the log.
private struct Follower {
    var threads: [String: JSONValue] = [:]
    var messages: [String: [String: JSONValue]] = [:]

    mutating func take(_ type: EventType, _ json: JSONValue) throws {
        let thread = json["threadId"]?.string ?? ""
        switch type {
        case .threadCreated, .threadUpdated:
            let id = json[path: "thread", "id"]?.string ?? ""
            threads[id] = json["thread"]
            if let line = json[path: "thread", "historyResetAt"]?.string {
                messages[id] = messages[id]?.filter { $0.value["createdAt"]?.string ?? "" > line }
            }
        case .threadRemoved:
            (threads[thread], messages[thread]) = (nil, nil)
        case .messageRemoved: messages[thread]?[json["messageId"]?.string ?? ""] = nil
        case .threadInfo:
            let parent = json["parentId"]?.string ?? ""
            guard let known = messages[thread]?[parent], var message = try? Message(json: known) else { return }
            message.replyInfo = try json["replyInfo"].map { try ReplyInfo(json: $0) }
            messages[thread]?[parent] = try JSONParser.parse(message.canonicalJSON)
        default: messages[thread, default: [:]][json[path: "message", "id"]?.string ?? ""] = json["message"]
        }
    }
}
