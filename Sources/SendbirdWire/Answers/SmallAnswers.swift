import Formats

/// `{}`: what calls answer that tell nothing.
package struct SendbirdNothing: SendbirdShape {
    package init() {}
    package init?(_ value: SendbirdValue) { if !value.isObject { return nil } }
    package func write(to json: inout JSONWriter) { json.object { _ in } }
}

/// Metadata, flat: `{"tier": "gold"}`.
package struct SendbirdMetadata: SendbirdShape {
    package var values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    package init?(_ value: SendbirdValue) {
        guard let values = value.map({ $0.string?.cut(toBytes: SendbirdBound.text) }) else { return nil }
        self.init(values)
    }

    package func write(to json: inout JSONWriter) { json.value(values) }
}

/// A number under one name.
package struct SendbirdCount: SendbirdShape {
    package enum Name: Sendable, CaseIterable {
        /// Of messages, or of channels, that a user has not read.
        case unread
        /// Of messages of a channel.
        case total
        case channels
        /// Up to when a history was reset, in milliseconds.
        case messageOffset
        /// When a message was marked as delivered, in milliseconds.
        case time

        var member: StaticString {
            switch self {
            case .unread: "unread_count"
            case .total: "total"
            case .channels: "group_channel_count"
            case .messageOffset: "ts_message_offset"
            case .time: "ts"
            }
        }
    }

    package var name: Name
    package var number: Int64

    package init(_ name: Name, _ number: Int64) { (self.name, self.number) = (name, number) }

    /// Nil if no name is there.
    package init?(_ value: SendbirdValue) {
        for name in Name.allCases {
            guard let number = value.number(name.member) else { continue }
            self.init(name, number)
            return
        }
        return nil
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member(name.member, number) } }
}

/// Whether a user is a member: `{"is_member": true, "state": "joined"}`.
package struct SendbirdMembershipAnswer: SendbirdShape {
    package var isMember: Bool
    /// `none` for a stranger.
    package var state: SendbirdMemberState

    package init(_ state: SendbirdMemberState) { (isMember, self.state) = (state != .none, state) }

    package init?(_ value: SendbirdValue) {
        guard let isMember = value.flag("is_member") else { return nil }
        self.isMember = isMember
        state = value.text("state").map(SendbirdMemberState.init(rawValue:)) ?? (isMember ? .joined : .none)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("is_member", isMember)
            json.member("state", state.rawValue)
        }
    }
}

/// A token for client SDKs: `{"token": "...", "expires_at": ms}`.
package struct SendbirdSessionToken: SendbirdShape {
    package var token: String
    package var expiresAt: UnixMilliseconds

    package init(token: String, expiresAt: UnixMilliseconds) { (self.token, self.expiresAt) = (token, expiresAt) }

    package init?(_ value: SendbirdValue) {
        guard let token = value.text("token") else { return nil }
        self.init(token: token, expiresAt: value.milliseconds("expires_at") ?? .never)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("token", token)
            json.member("expires_at", expiresAt)
        }
    }
}

/// A message's extra data, alone: `{"sorted_metaarray": [...]}`.
package struct SendbirdExtras: SendbirdShape {
    package var items: [SendbirdExtra]

    package init(_ items: [SendbirdExtra]) { self.items = items }

    package init?(_ value: SendbirdValue) {
        guard value.isObject else { return nil }
        items = value.list("sorted_metaarray") ?? []
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("sorted_metaarray", items) } }
}
