import Formats

/// What a channel is for one of its members: a part of the channel, not an object of its own.
package struct SendbirdMembership: Sendable, Hashable {
    package var state: SendbirdMemberState
    package var role: SendbirdRole = .none
    package var hiddenState: SendbirdHiddenState = .unhidden
    package var isMuted = false
    /// What is not younger was reset.
    package var messageOffset: UnixMilliseconds = .never
    package var joinedAt: UnixSeconds
    package var unreadCount = 0
    package var mentionCount = 0
    package var lastReadAt: UnixMilliseconds = .never
    package var countPreference = "all"

    package init(state: SendbirdMemberState, joinedAt: UnixSeconds) { (self.state, self.joinedAt) = (state, joinedAt) }

    /// Nil where nothing personal is told.
    init?(_ channel: SendbirdValue) {
        guard let state = channel.text("member_state") else { return nil }
        self.init(state: SendbirdMemberState(rawValue: state), joinedAt: channel.seconds("joined_ts") ?? UnixSeconds(0))
        role = channel.text("my_role").map(SendbirdRole.init(rawValue:)) ?? .none
        hiddenState = channel.text("hidden_state").map(SendbirdHiddenState.init(rawValue:)) ?? .unhidden
        isMuted = channel.flag("is_muted") ?? false
        messageOffset = channel.milliseconds("ts_message_offset") ?? .never
        unreadCount = channel.count("unread_message_count") ?? 0
        mentionCount = channel.count("unread_mention_count") ?? 0
        lastReadAt = channel.milliseconds("user_last_read") ?? .never
        countPreference = channel.text("count_preference") ?? "all"
    }

    /// Writes the members into the channel.
    func write(to json: inout JSONWriter) {
        json.member("member_state", state.rawValue)
        json.member("my_role", role.rawValue)
        json.member("hidden_state", hiddenState.rawValue)
        json.member("is_hidden", hiddenState != .unhidden)
        json.member("is_muted", isMuted)
        json.member("ts_message_offset", messageOffset)
        json.member("joined_ts", joinedAt)
        json.member("unread_message_count", unreadCount)
        json.member("unread_mention_count", mentionCount)
        json.member("user_last_read", lastReadAt)
        json.member("count_preference", countPreference)
    }
}

/// Whether a user belongs to a channel. Unknown ones are kept as they are.
package struct SendbirdMemberState: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let invited = Self(rawValue: "invited")
    package static let joined = Self(rawValue: "joined")
    package static let none = Self(rawValue: "none")
}

/// Whether a channel is shown in a user's list. Unknown ones are kept as they are.
package struct SendbirdHiddenState: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let unhidden = Self(rawValue: "unhidden")
    /// The next message shows it again.
    package static let allowAutoUnhide = Self(rawValue: "hidden_allow_auto_unhide")
    package static let preventAutoUnhide = Self(rawValue: "hidden_prevent_auto_unhide")
}

/// A user in a channel's list of members.
package struct SendbirdMember: SendbirdShape {
    package var id: String
    package var nickname = ""
    package var profileURL = ""
    package var metadata: [String: String] = [:]
    package var isActive = true
    package var isOnline = false
    package var lastSeenAt: UnixMilliseconds = .never
    package var state: SendbirdMemberState
    package var role: SendbirdRole = .nobody
    package var readAt: UnixMilliseconds = .never
    package var deliveredAt: UnixMilliseconds = .never
    package var isMuted = false

    package init(id: String, state: SendbirdMemberState) { (self.id, self.state) = (id, state) }

    /// Nil without an id.
    package init?(_ value: SendbirdValue) {
        guard let id = value.id("user_id") else { return nil }
        self.init(id: id, state: value.text("state").map(SendbirdMemberState.init(rawValue:)) ?? .joined)
        nickname = value.text("nickname") ?? ""
        profileURL = value.text("profile_url") ?? ""
        metadata = value.texts(inMap: "metadata") ?? [:]
        isActive = value.flag("is_active") ?? true
        isOnline = value.flag("is_online") ?? false
        lastSeenAt = value.milliseconds("last_seen_at") ?? .never
        role = value.text("role").map(SendbirdRole.init(rawValue:)) ?? .nobody
        readAt = value.milliseconds("read_ts") ?? .never
        deliveredAt = value.milliseconds("delivered_ts") ?? .never
        isMuted = value.flag("is_muted") ?? false
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", id)
            json.member("nickname", nickname)
            json.member("profile_url", profileURL)
            json.member("metadata", metadata)
            json.member("is_active", isActive)
            json.member("is_online", isOnline)
            json.member("last_seen_at", lastSeenAt)
            json.member("state", state.rawValue)
            json.member("role", role.rawValue)
            json.member("read_ts", readAt)
            json.member("delivered_ts", deliveredAt)
            json.member("is_muted", isMuted)
        }
    }
}
