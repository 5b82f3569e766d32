import ChatModel

/// What the service should have after a history of operations, kept in the simplest way.
struct HistoryModel {
    /// Who acts: a person by index, or the desk.
    enum Party: Equatable {
        case person(Int)
        case desk
    }

    struct Entry: Equatable {
        var id: String
        var text: String
        var author: Party
        var parent: String?
        var isInThread = true
        /// Counts the thread's messages from 1.
        var order: Int
        /// Milliseconds since 1970.
        var createdAt: Int64 = 0
        var isSeen = false

        var isToAgent: Bool { author != .desk }
    }

    struct Member {
        var isInvited = false
        var isHidden = false
        var unread: Set<String> = []
        var readTo = 0
        /// Up to there the history is reset.
        var line = 0
        /// The order of the newest message when the member came: what is newer reaches it as events.
        var since = 0
    }

    struct Conversation {
        var members: [Int: Member]
        var name: String?
        var state = "pending"
        var isKnownToDesk = false
        var agent: String?
        var customType: String?
        var entries: [Entry] = []
        var removed: Set<String> = []
        var count = 0

        var newest: Int { entries.last?.order ?? 0 }
        var conversation: [Entry] { entries.filter(\.isInThread) }
        var deskUnreadCount: Int { conversation.count { $0.isToAgent && !$0.isSeen } }

        func replies(to id: String) -> [Entry] { entries.filter { $0.parent == id } }

        func visible(_ id: String, to party: Party) -> Entry? {
            entries.first { $0.id == id && $0.order > line(of: party) }
        }

        func line(of party: Party) -> Int {
            if case .person(let index) = party { members[index]?.line ?? 0 } else { 0 }
        }

        /// Why the party may not act at all, or only read.
        func refusal(of party: Party, reading: Bool = false) -> ChatError.Code? {
            switch party {
            case .desk: return isKnownToDesk ? nil : .unknownThread
            case .person(let index):
                guard let member = members[index] else { return .unknownThread }
                return member.isInvited && !reading ? .notJoined : nil
            }
        }

        mutating func send(
            _ id: String, _ text: String, parent: String?, isInThread: Bool, by party: Party
        ) -> ChatError.Code? {
            if let code = refusal(of: party) { return code }
            let known = entries.first { $0.id == id }
            let isSame = known.map {
                $0.text == text && $0.author == party && $0.parent == parent
                    && (parent == nil || $0.isInThread == isInThread)
            }
            if parent != nil || state == "closed" {
                if let isSame { return isSame ? nil : .messageIdConflict }
                if state == "closed" { return .illegalThreadState }
            }
            if let parent {
                guard let found = visible(parent, to: party) else { return .unknownParent }
                if found.parent != nil { return .replyDepthExceeded }
            }
            if let isSame { return isSame ? nil : .messageIdConflict }
            if removed.contains(id) { return .messageIdConflict }
            count += 1
            let entry = Entry(
                id: id, text: text, author: party, parent: parent, isInThread: parent == nil || isInThread, order: count
            )
            entries.append(entry)
            (state, isKnownToDesk) = ("ready", true)
            guard entry.isInThread else { return nil }
            for index in members.keys {
                members[index]?.isHidden = false
                if party != .person(index) { members[index]?.unread.insert(id) }
            }
            return nil
        }

        mutating func edit(_ id: String, _ text: String, by party: Party) -> ChatError.Code? {
            if let code = refusal(of: party) { return code }
            guard let entry = visible(id, to: party) else { return .unknownMessage }
            if entry.author != party { return .notAuthor }
            if state == "closed" { return .illegalThreadState }
            for index in entries.indices where entries[index].id == id { entries[index].text = text }
            return nil
        }

        mutating func remove(_ id: String, by party: Party) -> ChatError.Code? {
            if let code = refusal(of: party) { return code }
            guard let entry = visible(id, to: party) else { return .unknownMessage }
            if party != .desk, entry.author != party { return .notAuthor }
            if !replies(to: id).isEmpty { return .parentHasReplies }
            entries.removeAll { $0.id == id }
            removed.insert(id)
            for index in members.keys { members[index]?.unread.remove(id) }
            return nil
        }

        mutating func read(by party: Party) -> ChatError.Code? {
            if let code = refusal(of: party) { return code }
            switch party {
            case .desk:
                for index in entries.indices where entries[index].isToAgent { entries[index].isSeen = true }
            case .person(let person):
                guard state != "pending", let member = members[person] else { return nil }
                let hasUnseenAside = entries.contains {
                    !$0.isInThread && !$0.isToAgent && !$0.isSeen && $0.order > member.readTo
                }
                guard !member.unread.isEmpty || hasUnseenAside else { return nil }
                for index in entries.indices where !entries[index].isToAgent && entries[index].order > member.readTo {
                    entries[index].isSeen = true
                }
                members[person]?.unread = []
                let readTo = max(member.readTo, newest)
                members[person]?.readTo = readTo
            }
            return nil
        }

        mutating func add(_ index: Int, isInvited: Bool) {
            if members[index] == nil {
                let (readTo, since) = (newest, count)
                members[index] = Member(isInvited: isInvited, readTo: readTo, since: since)
            } else if !isInvited {
                members[index]?.isInvited = false
            }
        }

        mutating func resetHistory(by party: Party) {
            switch party {
            case .person(let index):
                let (line, readTo) = (count, newest)
                members[index]?.line = line
                members[index]?.readTo = readTo
                members[index]?.unread = []
            case .desk:
                removed.formUnion(entries.map(\.id))
                for index in members.keys {
                    members[index]?.unread = []
                    members[index]?.line = 0
                }
                entries = []
            }
        }
    }

    var threads: [String: Conversation] = [:]

    /// Messages that were created before a time are kept no longer.
    mutating func removeMessages(before time: Int64) {
        for (id, thread) in threads where thread.isKnownToDesk {
            let gone = Set(thread.entries.filter { $0.createdAt < time }.map(\.id))
            threads[id]?.entries.removeAll { gone.contains($0.id) }
            threads[id]?.removed.formUnion(gone)
            for index in thread.members.keys { threads[id]?.members[index]?.unread.subtract(gone) }
        }
    }
}
