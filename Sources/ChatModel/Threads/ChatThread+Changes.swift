import Formats

extension ChatThread {
    /// The names of the members of the JSON that differ from an earlier copy, in the order of the JSON.
    ///
    /// `updatedAt` and `canAddMoreMessages` are left out: the one changes with everything, the other with `state`.
    public func changes(since before: ChatThread) -> [String] {
        var names: [String] = []
        // What a message changes.
        names.reserveCapacity(4)
        func note(_ name: String, _ differs: Bool) { if differs { names.append(name) } }
        note("name", !name.hasSameBytes(as: before.name))
        note("state", state != before.state)
        note("deskUnreadCount", deskUnreadCount != before.deskUnreadCount)
        note("lastMessage", lastMessage != before.lastMessage)
        note("agent", agent != before.agent)
        note("previousAgent", previousAgent != before.previousAgent)
        note("members", members != before.members)
        note("customType", customType != before.customType)
        note("customFields", customFields != before.customFields)
        note("contactId", contactID != before.contactID)
        note("contactClosedAt", contactClosedAt != before.contactClosedAt)
        note("queuePosition", queuePosition != before.queuePosition)
        note("inactivityPopup", inactivityPopup != before.inactivityPopup)
        note("historyResetAt", historyResetAt != before.historyResetAt)
        note("waitingSince", waitingSince != before.waitingSince)
        return names
    }
}

extension Membership {
    /// The names of the members that ``splice(into:)`` writes, in their order.
    public static let names = ["unreadCount", "lastReadAt", "memberState", "hidden", "historyResetAt"]

    /// Those of ``names`` whose values differ from an earlier copy.
    public func changes(since before: Membership) -> [String] {
        var names: [String] = []
        func note(_ name: String, _ differs: Bool) { if differs { names.append(name) } }
        note("unreadCount", unreadCount != before.unreadCount)
        note("lastReadAt", lastReadAt != before.lastReadAt)
        note("memberState", state != before.state)
        note("hidden", isHidden != before.isHidden)
        note("historyResetAt", historyResetAt != before.historyResetAt)
        return names
    }
}
