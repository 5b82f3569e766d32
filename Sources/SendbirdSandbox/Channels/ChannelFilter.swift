import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// Which channels a list has, and in which order.
struct ChannelFilter: Sendable {
    private let urls: [String]?
    private let customTypes: [String]?
    private let customTypePrefix: String
    private let name: String?
    private let namePart: String?
    private let namePrefix: String
    /// Also channels without a message. Without this they are left out.
    private let showsEmpty: Bool
    private let isChronological: Bool
    private let isUnreadOnly: Bool
    /// Nil: all.
    private let state: MemberState?
    /// Nil: all. A user's own list has no hidden channels unless it is asked.
    private let isHidden: Bool?

    static let names = [
        "channel_urls", "custom_types", "custom_type_startswith", "name", "name_contains", "name_startswith",
        "show_empty", "order", "unread_filter", "member_state_filter", "hidden_mode",
    ]

    init(_ request: SandboxRequest) throws(SendbirdError) {
        urls = request.texts("channel_urls")
        customTypes = request.texts("custom_types")
        customTypePrefix = request.query["custom_type_startswith"] ?? ""
        name = request.query["name"]
        namePart = request.query["name_contains"]?.lowercased()
        namePrefix = request.query["name_startswith"] ?? ""
        showsEmpty = try request.flag("show_empty") ?? false
        isChronological = request.query["order"] == "chronological"
        isUnreadOnly = request.query["unread_filter"] == "unread_message"
        switch request.query["member_state_filter"] {
        case "invited_only", "invited_by_friend", "invited_by_non_friend": state = .invited
        case "joined_only": state = .joined
        default: state = nil
        }
        switch request.query["hidden_mode"] {
        case nil, "unhidden_only": isHidden = false
        case "hidden_only", "hidden_allow_auto_unhide": isHidden = true
        default: isHidden = nil
        }
    }

    /// - Parameter account: whose own list it is; nil for the list of all channels.
    func fits(_ record: ThreadRecord, for account: Int64?) -> Bool {
        let (name, type) = (record.thread.name ?? "", record.thread.customType ?? "")
        guard urls?.contains(record.thread.id) != false, customTypes?.contains(type) != false,
            type.hasPrefix(customTypePrefix), self.name == nil || self.name == name,
            namePart.map({ name.lowercased().contains($0) }) != false, name.hasPrefix(namePrefix),
            showsEmpty || record.lastMessageNumber != nil
        else { return false }
        guard let account else { return true }
        guard let member = record.members.first(where: { $0.account == account }) else { return false }
        return (state == nil || state == member.state) && (isHidden == nil || isHidden == member.isHidden)
            && (!isUnreadOnly || member.unreadCount > 0)
    }

    /// The latest message first; with `chronological` the newest channel.
    func sorted(_ records: [ThreadRecord]) -> [ThreadRecord] {
        func time(_ record: ThreadRecord) -> Timestamp {
            isChronological ? record.thread.createdAt : record.thread.lastMessage?.createdAt ?? record.thread.createdAt
        }
        return records.sorted { (time($0), $0.number) > (time($1), $1.number) }
    }
}
