import ChatModel

extension LiveCollection {
    /// The collection as it is: `{"id","kind",...,"version","items",...}`. Following its stream from this version joins exactly.
    public func snapshot() -> [UInt8] {
        state.withLock { state in
            let size = (state.messages?.rows.count ?? state.threads?.rows.count ?? 0) * 512
            var json = JSONWriter(reservingCapacity: size + 512)
            json.beginObject()
            json.member("id", id)
            json.member("kind", state.threads == nil ? "messages" : "threads")
            json.member("threadId", thread)
            json.member("channel", threadOwner?.channel)
            json.member("customer", threadOwner?.customer)
            json.member("parentId", state.messages?.filter.parentID)
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
                json.member("hasPrevious", state.hasMore(.previous))
            }
            json.member("hasNext", state.hasMore(.next))
            json.member("cursor", "\(incarnation)-\(state.version)")
            json.endObject()
            return json.bytes
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

    /// The message that is replied to; once the view is open it is known whether it is there.
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
