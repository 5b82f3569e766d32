import Formats

/// How long somebody may not write in a channel, which is a mute, or not be in it, which is a ban.
package struct SendbirdRestriction: SendbirdShape {
    package var startAt: UnixMilliseconds
    package var endAt: UnixMilliseconds
    package var text: String

    /// What -1 stands for: ten years, in seconds.
    package static let longest: Int64 = 315_360_000

    /// - Parameter seconds: -1 or nil for ten years.
    package init(from start: UnixMilliseconds, seconds: Int64?, text: String) {
        let length = seconds.flatMap { $0 < 0 ? nil : $0 } ?? Self.longest
        self.init(startAt: start, endAt: UnixMilliseconds(start.value + 1000 * length), text: text)
    }

    private init(startAt: UnixMilliseconds, endAt: UnixMilliseconds, text: String) {
        (self.startAt, self.endAt, self.text) = (startAt, endAt, text)
    }

    /// Nil without its times.
    package init?(_ value: SendbirdValue) {
        guard let start = value.milliseconds("start_at"), let end = value.milliseconds("end_at") else { return nil }
        self.init(startAt: start, endAt: end, text: value.text("description") ?? "")
    }

    package func holds(at time: UnixMilliseconds) -> Bool { time < endAt }

    package func write(to json: inout JSONWriter) { json.object { members(to: &$0) } }

    func members(to json: inout JSONWriter) {
        json.member("start_at", startAt)
        json.member("end_at", endAt)
        json.member("description", text)
    }
}

/// Whether a user is muted: `{"is_muted", "remaining_duration", "start_at", "end_at", "description"}`.
package struct SendbirdMuteAnswer: SendbirdShape {
    /// Nil for who is not muted.
    package var restriction: SendbirdRestriction?
    package var now: UnixMilliseconds

    package init(_ restriction: SendbirdRestriction?, at now: UnixMilliseconds) {
        (self.restriction, self.now) = (restriction, now)
    }

    package init?(_ value: SendbirdValue) {
        guard let isMuted = value.flag("is_muted") else { return nil }
        restriction = isMuted ? SendbirdRestriction(value) : nil
        now = UnixMilliseconds((restriction?.endAt.value ?? 0) - (value.number("remaining_duration") ?? 0))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("is_muted", restriction != nil)
            json.member("remaining_duration", restriction.map { $0.endAt.value - now.value } ?? 0)
            let shown = restriction ?? SendbirdRestriction(from: .never, seconds: 0, text: "")
            shown.members(to: &json)
        }
    }
}

/// Somebody who is muted or banned, and until when. In a list of the muted the user's members stand beside the times;
/// of a ban the user is a member.
package struct SendbirdRestrictedUser: SendbirdShape {
    package enum Kind: Sendable, CaseIterable { case mute, ban }

    package var kind: Kind
    package var person: SendbirdPerson
    package var restriction: SendbirdRestriction

    package init(_ kind: Kind, _ person: SendbirdPerson, _ restriction: SendbirdRestriction) {
        (self.kind, self.person, self.restriction) = (kind, person, restriction)
    }

    package init?(_ value: SendbirdValue) {
        guard let restriction = SendbirdRestriction(value) else { return nil }
        if let person: SendbirdPerson = value.shape("user") {
            self.init(.ban, person, restriction)
        } else if let person = SendbirdPerson(value) {
            self.init(.mute, person, restriction)
        } else {
            return nil
        }
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            switch kind {
            case .mute:
                json.member("user_id", person.id)
                json.member("nickname", person.nickname)
                json.member("profile_url", person.profileURL)
                json.member("metadata", person.metadata)
            case .ban: json.member("user", person)
            }
            restriction.members(to: &json)
        }
    }
}

/// A page of those who are muted or banned: `{"muted_list", "total_mute_count", "next"}`.
package struct SendbirdRestrictedUsers: SendbirdShape {
    package var kind: SendbirdRestrictedUser.Kind
    package var items: [SendbirdRestrictedUser]
    package var total: Int
    package var next: String

    package init(_ kind: SendbirdRestrictedUser.Kind, _ items: [SendbirdRestrictedUser], total: Int, next: String) {
        (self.kind, self.items, self.total, self.next) = (kind, items, total, next)
    }

    package init?(_ value: SendbirdValue) {
        guard let kind = SendbirdRestrictedUser.Kind.allCases.first(where: { value[$0.listName] != nil }) else {
            return nil
        }
        self.init(
            kind, value.list(kind.listName) ?? [], total: value.count(kind.totalName) ?? 0,
            next: value.text("next") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member(kind.listName, items)
            json.member(kind.totalName, total)
            json.member("next", next)
        }
    }
}

extension SendbirdRestrictedUser.Kind {
    var listName: StaticString {
        switch self {
        case .mute: "muted_list"
        case .ban: "banned_list"
        }
    }

    var totalName: StaticString {
        switch self {
        case .mute: "total_mute_count"
        case .ban: "total_ban_count"
        }
    }
}

/// The channels in which a user is muted, or from which they are banned: `{"muted_channels", "next"}`.
package struct SendbirdRestrictedChannels: SendbirdShape {
    package var kind: SendbirdRestrictedUser.Kind
    package var channels: [SendbirdChannel]
    package var next: String

    package init(_ kind: SendbirdRestrictedUser.Kind, _ channels: [SendbirdChannel], next: String) {
        (self.kind, self.channels, self.next) = (kind, channels, next)
    }

    package init?(_ value: SendbirdValue) {
        guard let kind = SendbirdRestrictedUser.Kind.allCases.first(where: { value[$0.channelsName] != nil }) else {
            return nil
        }
        self.init(kind, value.list(kind.channelsName) ?? [], next: value.text("next") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member(kind.channelsName, channels)
            json.member("next", next)
        }
    }
}

extension SendbirdRestrictedUser.Kind {
    fileprivate var channelsName: StaticString {
        switch self {
        case .mute: "muted_channels"
        case .ban: "banned_channels"
        }
    }
}
