import Formats

extension Message {
    /// The names of the members of the JSON that differ from an earlier copy of the message, in the order of the JSON;
    /// `updatedAt` is left out, because it changes with everything.
    public func changes(since before: Message) -> [String] {
        var names: [String] = []
        func note(_ name: String, _ differs: Bool) { if differs { names.append(name) } }
        note("createdAt", createdAt != before.createdAt)
        note("editedAt", editedAt != before.editedAt)
        note("direction", direction != before.direction)
        note("author", author != before.author)
        note("type", type != before.type)
        note("customType", customType != before.customType)
        note("text", !text.hasSameBytes(as: before.text))
        note("content", content != before.content)
        note("postback", postback != before.postback)
        note("attachments", attachments != before.attachments)
        note("status", status != before.status)
        note("failure", failure != before.failure)
        note("seenAt", seenAt != before.seenAt)
        note("parentId", parentID != before.parentID)
        note("alsoInThread", alsoInThread != before.alsoInThread)
        note("replyInfo", replyInfo != before.replyInfo)
        return names
    }
}
