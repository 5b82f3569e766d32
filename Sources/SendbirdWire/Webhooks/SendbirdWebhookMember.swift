import Formats

/// A member of the channel as a webhook with `include_members` tells of them.
package struct SendbirdWebhookMember: SendbirdShape {
    package var person: SendbirdPerson
    package var state: SendbirdMemberState
    package var isActive = true
    package var isHidden = false
    package var unreadCount = 0
    /// Of all channels.
    package var totalUnreadCount = 0

    package init(_ person: SendbirdPerson, _ state: SendbirdMemberState) { (self.person, self.state) = (person, state) }

    package init?(_ value: SendbirdValue) {
        guard let person = SendbirdPerson(value) else { return nil }
        self.init(person, SendbirdMemberState(rawValue: value.text("state") ?? ""))
        isActive = value.flag("is_active") ?? true
        isHidden = value.flag("is_hidden") ?? false
        unreadCount = value.count("channel_unread_message_count") ?? 0
        totalUnreadCount = value.count("total_unread_message_count") ?? 0
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", person.id)
            json.member("nickname", person.nickname)
            json.member("profile_url", person.profileURL)
            json.member("metadata", person.metadata)
            json.member("is_active", isActive)
            // Nobody has an SDK here.
            json.member("is_online", false)
            json.member("is_hidden", isHidden ? 1 : 0)
            json.member("state", state.rawValue)
            json.member("unread_message_count", totalUnreadCount)
            json.member("total_unread_message_count", totalUnreadCount)
            json.member("channel_unread_message_count", unreadCount)
            json.member("channel_mention_count", 0)
            json.member("push_enabled", false)
            json.member("push_trigger_option", "default")
            json.member("do_not_disturb", false)
        }
    }
}
