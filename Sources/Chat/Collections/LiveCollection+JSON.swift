import ChatModel
import Formats

extension LiveCollection {
    /// The collection as it is now: `{"id"`, what was asked for, `"version","items",...,"cursor"}`. A stream that
    /// begins at its `cursor` continues it without a gap.
    public func snapshot() -> [UInt8] {
        // The state is copied first. Encoding many rows takes long, and would hold up whoever changes the view.
        let state = state.withLock { Shown($0) }
        let size = (state.messages?.rows.count ?? state.threads?.rows.count ?? 0) * 512
        var json = JSONWriter(reservingCapacity: size + 512)
        json.beginObject()
        json.member("id", id)
        state.definition.encodeRequest(to: &json, isDesk: owner == .desk)
        json.member("version", state.version)
        json.member("incarnation", incarnation)
        if let threads = state.threads {
            json.items("items", threads.rows.map(\.item))
            json.member("hasPrevious", false)
        } else if let messages = state.messages {
            json.items("items", messages.rows.map(\.item))
            json.items("pending", messages.pending.map(\.item))
            json.items("failed", messages.failed.map(\.item))
            json.parent(state.parent, messages)
            json.member("hasPrevious", state.hasPrevious)
        }
        json.member("hasNext", state.hasNext)
        json.member("cursor", "\(incarnation)-\(state.version)")
        json.endObject()
        return json.bytes
    }

    /// The state of one moment, as a snapshot shows it.
    private struct Shown {
        let definition: CollectionDefinition
        let messages: MessageView?
        let threads: ThreadView?
        let parent: CollectionItem?
        let version: Int64
        let hasPrevious: Bool
        let hasNext: Bool

        init(_ state: State) {
            definition = state.definition
            (messages, threads, parent, version) = (state.messages, state.threads, state.parent, state.version)
            (hasPrevious, hasNext) = (state.hasMore(.previous), state.hasMore(.next))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func items(_ name: StaticString, _ items: [CollectionItem]) {
        self.name(name)
        beginArray()
        for item in items { raw(item.json) }
        endArray()
    }

    /// The message that is replied to. Before the first fetch it is left out, because nobody has looked for it yet.
    fileprivate mutating func parent(_ parent: CollectionItem?, _ view: MessageView) {
        guard let id = view.filter.parentID, view.isOpen else { return }
        name("parent")
        if let parent {
            raw(parent.json)
        } else {
            beginObject()
            member("unavailable", true)
            member("id", id)
            endObject()
        }
    }
}
