import Formats

/// `PUT /users/{id}/mark_as_read_all`, `.../my_group_channels/leave`: of which channels; nil for all.
package struct ForChannels: SendbirdRequestBody, Hashable {
    package var urls: [String]?
    package var customType: String?

    package init(urls: [String]? = nil, customType: String? = nil) { (self.urls, self.customType) = (urls, customType) }

    package init(reading request: inout SendbirdRequestReader) {
        urls = request.texts("channel_urls", upTo: SendbirdBound.channelURL.upperBound)
        customType = request.text("custom_type", upTo: SendbirdBound.customType)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("channel_urls", ifPresent: urls)
            json.member("custom_type", customType)
        }
    }
}

/// `PUT /users/{id}/channel_invitation_preference`.
package struct SetInvitationPreference: SendbirdRequestBody, Hashable {
    /// Whether who is invited joins at once.
    package var acceptsAtOnce: Bool

    package init(_ acceptsAtOnce: Bool) { self.acceptsAtOnce = acceptsAtOnce }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("auto_accept")
        acceptsAtOnce = request.flag("auto_accept") ?? true
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("auto_accept", acceptsAtOnce) } }
}

/// `{"auto_accept": true}`
package struct SendbirdInvitationPreference: SendbirdShape {
    package var acceptsAtOnce: Bool

    package init(_ acceptsAtOnce: Bool) { self.acceptsAtOnce = acceptsAtOnce }

    package init?(_ value: SendbirdValue) {
        guard let accepts = value.flag("auto_accept") else { return nil }
        self.init(accepts)
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("auto_accept", acceptsAtOnce) } }
}

/// `PUT /users/{id}/count_preference/{url}`.
package struct SetCountPreference: SendbirdRequestBody, Hashable {
    package var preference: String

    /// `false` is in one of the platform's two descriptions, for `off`.
    package static let all = ["all", "unread_message_count_only", "unread_mentioned_count_only", "off", "false"]

    package init(_ preference: String) { self.preference = preference }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("count_preference")
        preference = request.choice("count_preference", of: Self.all) ?? "all"
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("count_preference", preference) } }
}

/// `{"count_preference": "all"}`
package struct SendbirdCountPreference: SendbirdShape {
    package var preference: String

    package init(_ preference: String) { self.preference = preference }

    package init?(_ value: SendbirdValue) {
        guard let preference = value.text("count_preference") else { return nil }
        self.init(preference)
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("count_preference", preference) } }
}

/// What `GET /users/{id}/unread_item_count` tells. Supergroups there are none, and mentions are not counted.
package struct SendbirdItemCounts: SendbirdShape {
    package var messages: Int
    package var invitations: Int

    package init(messages: Int, invitations: Int) { (self.messages, self.invitations) = (messages, invitations) }

    package init?(_ value: SendbirdValue) {
        guard let messages = value.count("group_channel_unread_message_count") else { return nil }
        self.init(messages: messages, invitations: value.count("group_channel_invitation_count") ?? 0)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("group_channel_unread_message_count", messages)
            json.member("group_channel_unread_mention_count", 0)
            json.member("group_channel_invitation_count", invitations)
            json.member("non_super_group_channel_unread_message_count", messages)
            json.member("non_super_group_channel_unread_mention_count", 0)
            json.member("non_super_group_channel_invitation_count", invitations)
            json.member("super_group_channel_unread_message_count", 0)
            json.member("super_group_channel_unread_mention_count", 0)
            json.member("super_group_channel_invitation_count", 0)
        }
    }
}

/// Unread messages of a channel by its members' ids: `{"unread": {"k-4711": 1}}`.
package struct SendbirdUnreadCounts: SendbirdShape {
    package var counts: [String: Int64]

    package init(_ counts: [String: Int64]) { self.counts = counts }

    package init?(_ value: SendbirdValue) {
        guard let counts = value.map("unread", { $0.number }) else { return nil }
        self.init(counts)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("unread") { json in
                for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
                    json.name(id)
                    json.value(count)
                }
            }
        }
    }
}
