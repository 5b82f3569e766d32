import Formats

/// A user inside of something else: who sent a message, who made a channel, who is mentioned.
package struct SendbirdPerson: SendbirdShape {
    package var id: String
    package var nickname: String
    package var profileURL: String
    package var metadata: [String: String]
    package var isActive: Bool?
    /// In the channel; "" for nobody special.
    package var role: SendbirdRole?
    package var requiresAuthForImage: Bool?
    package var isBlockedByMe: Bool?

    package init(id: String, nickname: String = "", profileURL: String = "", metadata: [String: String] = [:]) {
        (self.id, self.nickname, self.profileURL, self.metadata) = (id, nickname, profileURL, metadata)
    }

    /// Nil without an id.
    package init?(_ value: SendbirdValue) {
        guard let id = value.id("user_id") else { return nil }
        self.init(
            id: id, nickname: value.text("nickname") ?? "", profileURL: value.text("profile_url") ?? "",
            metadata: value.texts(inMap: "metadata") ?? [:])
        isActive = value.flag("is_active")
        role = value.text("role").map(SendbirdRole.init(rawValue:))
        requiresAuthForImage = value.flag("require_auth_for_profile_image")
        isBlockedByMe = value.flag("is_blocked_by_me")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", id)
            json.member("nickname", nickname)
            json.member("profile_url", profileURL)
            json.member("metadata", metadata)
            json.member("is_active", ifPresent: isActive)
            json.member("role", role?.rawValue)
            json.member("require_auth_for_profile_image", ifPresent: requiresAuthForImage)
            json.member("is_blocked_by_me", ifPresent: isBlockedByMe)
        }
    }
}

/// What a user is in a channel. Unknown ones are kept as they are.
package struct SendbirdRole: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// In a list of members, and in a message.
    package static let nobody = Self(rawValue: "")
    /// The same where a channel says what oneself is.
    package static let none = Self(rawValue: "none")
    package static let `operator` = Self(rawValue: "operator")
}
