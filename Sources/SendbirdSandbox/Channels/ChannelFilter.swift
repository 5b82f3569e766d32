import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// Which channels a list has, and in which order.
struct ChannelFilter: Sendable {
    /// Whose list it is; nil for the list of all channels.
    private let user: String?
    private let urls: [String]?
    private let customTypes: [String]?
    private let customTypePrefix: String
    private let name: String?
    private let namePart: String?
    private let namePrefix: String
    /// Also channels without a message. Without this they are left out.
    private let showsEmpty: Bool
    private let showsFrozen: Bool
    private let isUnreadOnly: Bool
    /// Nil: all.
    private let state: MemberState?
    private let hidden: Hidden
    private let isDistinct: Bool?
    private let isPublic: Bool?
    private let exactMembers: [String]?
    private let members: (ids: [String], isAny: Bool)?
    private let nicknames: [String]?
    private let nicknamePart: String?
    private let metadata: (key: String, values: [String]?, prefix: String)?
    private let created: ClosedRange<Int64>?
    private let order: Order

    private enum Order: String { case latest_last_message, chronological, channel_name_alphabetical }
    private enum Hidden { case all, shown, any, automatic, steady }

    /// What a channel's place in the list depends on.
    struct Place: Sendable {
        var number: Int64
        var time: Timestamp
        var name: String
    }

    static let names = [
        "channel_urls", "custom_types", "custom_type_startswith", "name", "name_contains", "name_startswith",
        "show_empty", "show_frozen", "order", "unread_filter", "member_state_filter", "hidden_mode", "distinct_mode",
        "public_mode", "members_exactly_in", "members_include_in", "query_type", "members_nickname",
        "members_nickname_contains", "metadata_key", "metadata_values", "metadata_value_startswith", "created_after",
        "created_before",
    ]

    init(_ request: SandboxRequest, of user: String?) throws(SendbirdError) {
        for name in ["search_query", "search_fields", "metadata_order_key"] where request.query[name] != nil {
            throw SendbirdError(.notServed, "The sandbox does not serve \"\(name)\".")
        }
        self.user = user
        urls = request.texts("channel_urls")
        customTypes = request.texts("custom_types")
        customTypePrefix = request.query["custom_type_startswith"] ?? ""
        name = request.query["name"]
        namePart = request.query["name_contains"]?.lowercased()
        namePrefix = request.query["name_startswith"] ?? ""
        showsEmpty = try request.flag("show_empty") ?? false
        showsFrozen = try request.flag("show_frozen") ?? true
        isUnreadOnly = try request.choice("unread_filter", of: ["all", "unread_message"]) == "unread_message"
        switch request.query["member_state_filter"] {
        case "invited_only", "invited_by_friend", "invited_by_non_friend": state = .invited
        case "joined_only": state = .joined
        default: state = nil
        }
        switch try request.choice(
            "hidden_mode",
            of: ["unhidden_only", "hidden_only", "hidden_allow_auto_unhide", "hidden_prevent_auto_unhide", "all"])
        {
        case "all": hidden = .all
        case "hidden_only": hidden = .any
        case "hidden_allow_auto_unhide": hidden = .automatic
        case "hidden_prevent_auto_unhide": hidden = .steady
        default: hidden = .shown
        }
        isDistinct = try request.choice("distinct_mode", of: ["all", "distinct", "nondistinct"]).flatMap {
            $0 == "all" ? nil : $0 == "distinct"
        }
        isPublic = try request.choice("public_mode", of: ["all", "public", "private"]).flatMap {
            $0 == "all" ? nil : $0 == "public"
        }
        exactMembers = request.texts("members_exactly_in")?.sorted()
        let isAny = try request.choice("query_type", of: ["AND", "OR"]) == "OR"
        members = request.texts("members_include_in").map { ($0, isAny) }
        nicknames = request.texts("members_nickname")
        nicknamePart = request.query["members_nickname_contains"]?.lowercased()
        metadata = request.query["metadata_key"].map {
            ($0, request.texts("metadata_values"), request.query["metadata_value_startswith"] ?? "")
        }
        let after = try request.number("created_after", in: 0...Int64.max)
        let before = try request.number("created_before", in: 0...Int64.max)
        let (first, last) = (after.map(Self.milliseconds) ?? 0, before.map(Self.milliseconds) ?? Int64.max)
        created = after == nil && before == nil ? nil : min(first, last)...last
        let orders = ["latest_last_message", "chronological", "channel_name_alphabetical"]
        order = try request.choice("order", of: orders).flatMap(Order.init(rawValue:)) ?? .latest_last_message
    }

    /// A time in seconds or milliseconds.
    private static func milliseconds(_ number: Int64) -> Int64 {
        number < 100_000_000_000 ? number * 1000 : number
    }

    /// - Parameter account: of the user whose list it is.
    func fits(
        _ record: ThreadRecord, for account: Int64?, in transaction: ReadTransaction, _ sandbox: SendbirdSandbox
    ) throws -> Bool {
        let (name, type) = (record.thread.name ?? "", record.thread.customType ?? "")
        guard urls?.contains(record.thread.id) != false, customTypes?.contains(type) != false,
            type.utf8.starts(with: customTypePrefix.utf8), self.name == nil || self.name.hasSameBytes(as: name),
            namePart.map({ name.lowercased().utf8.contains($0.utf8) }) != false,
            name.utf8.starts(with: namePrefix.utf8), showsEmpty || record.lastMessageNumber != nil,
            created?.contains(record.thread.createdAt.milliseconds) != false
        else { return false }
        let extras = try transaction.extras(of: record)
        guard isDistinct == nil || isDistinct == extras.isDistinct, isPublic == nil || isPublic == extras.isPublic,
            showsFrozen || !extras.isFrozen, fits(extras.metadata)
        else { return false }
        if let account {
            guard let member = record.members.first(where: { $0.account == account }) else { return false }
            guard state == nil || state == member.state, !isUnreadOnly || member.unreadCount > 0,
                fits(SendbirdMembership.hidden(member, of: user ?? "", extras))
            else { return false }
        }
        return try fits(membersOf: record, in: transaction)
    }

    private func fits(_ state: SendbirdHiddenState) -> Bool {
        switch hidden {
        case .all: true
        case .shown: state == .unhidden
        case .any: state != .unhidden
        case .automatic: state == .allowAutoUnhide
        case .steady: state == .preventAutoUnhide
        }
    }

    private func fits(_ kept: [String: String]) -> Bool {
        guard let metadata else { return true }
        guard let value = kept[metadata.key] else { return false }
        return metadata.values?.contains(value) != false && value.utf8.starts(with: metadata.prefix.utf8)
    }

    private func fits(membersOf record: ThreadRecord, in transaction: ReadTransaction) throws -> Bool {
        guard exactMembers != nil || members != nil || nicknames != nil || nicknamePart != nil else { return true }
        let people = try record.members.map { try transaction.account($0.account) }
        let ids = people.map(\.key.customer)
        if let exactMembers, ids.sorted() != exactMembers { return false }
        if let members {
            let isThere = members.ids.map(ids.contains)
            guard members.isAny ? isThere.contains(true) : !isThere.contains(false) else { return false }
        }
        let names = people.map { $0.customer.fullName ?? "" }
        if let nicknames, !names.contains(where: nicknames.contains) { return false }
        if let part = nicknamePart, !names.contains(where: { $0.lowercased().utf8.contains(part.utf8) }) {
            return false
        }
        return true
    }

    func place(of record: ThreadRecord) -> Place {
        let time =
            order == .chronological
            ? record.thread.createdAt : record.thread.lastMessage?.createdAt ?? record.thread.createdAt
        return Place(number: record.number, time: time, name: (record.thread.name ?? "").cut(toBytes: 256))
    }

    /// The latest message first; with `chronological` the newest channel.
    func isBefore(_ left: Place, _ right: Place) -> Bool {
        order == .channel_name_alphabetical
            ? (left.name, left.number) < (right.name, right.number)
            : (left.time, left.number) > (right.time, right.number)
    }
}
