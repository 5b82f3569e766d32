import Formats

/// A user of the application, as calls about users answer.
package struct SendbirdUser: SendbirdShape {
    package var id: String
    package var nickname = ""
    package var profileURL = ""
    /// For client SDKs; "" if none was issued.
    package var accessToken: String?
    package var isActive = true
    /// Whether an SDK is connected.
    package var isOnline: Bool?
    /// -1 or 0 for who was never there.
    package var lastSeenAt: UnixMilliseconds?
    package var createdAt: UnixSeconds?
    package var hasEverLoggedIn: Bool?
    package var discoveryKeys: [String]?
    package var preferredLanguages: [String]?
    package var metadata: [String: String] = [:]
    package var requiresAuthForImage: Bool?
    package var isHiddenFromFriends: Bool?
    package var isShadowBlocked: Bool?
    package var locale: String?
    /// Only in the answer to creating, as ``isCreated``.
    package var phoneNumber: String?
    package var isCreated: Bool?
    /// Of all channels, where that was asked for.
    package var unreadCount: Int?

    package init(id: String) { self.id = id }

    /// Nil without an id.
    package init?(_ value: SendbirdValue) {
        guard let id = value.id("user_id") else { return nil }
        self.init(id: id)
        nickname = value.text("nickname") ?? ""
        profileURL = value.text("profile_url") ?? ""
        accessToken = value.text("access_token")
        isActive = value.flag("is_active") ?? true
        isOnline = value.flag("is_online")
        lastSeenAt = value.milliseconds("last_seen_at")
        createdAt = value.seconds("created_at")
        hasEverLoggedIn = value.flag("has_ever_logged_in")
        discoveryKeys = value.texts("discovery_keys")
        preferredLanguages = value.texts("preferred_languages")
        metadata = value.texts(inMap: "metadata") ?? [:]
        requiresAuthForImage = value.flag("require_auth_for_profile_image")
        isHiddenFromFriends = value.flag("is_hide_me_from_friends")
        isShadowBlocked = value.flag("is_shadow_blocked")
        locale = value.text("locale")
        phoneNumber = value.text("phone_number")
        isCreated = value.flag("is_created")
        unreadCount = value.count("unread_message_count")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", id)
            json.member("nickname", nickname)
            json.member("profile_url", profileURL)
            json.member("access_token", accessToken)
            json.member("is_active", isActive)
            json.member("is_online", ifPresent: isOnline)
            json.member("last_seen_at", ifPresent: lastSeenAt)
            json.member("created_at", ifPresent: createdAt)
            json.member("has_ever_logged_in", ifPresent: hasEverLoggedIn)
            json.member("discovery_keys", ifPresent: discoveryKeys)
            json.member("preferred_languages", ifPresent: preferredLanguages)
            json.member("metadata", metadata)
            json.member("require_auth_for_profile_image", ifPresent: requiresAuthForImage)
            json.member("is_hide_me_from_friends", ifPresent: isHiddenFromFriends)
            json.member("is_shadow_blocked", ifPresent: isShadowBlocked)
            json.member("locale", locale)
            json.member("phone_number", phoneNumber)
            json.member("is_created", ifPresent: isCreated)
            json.member("unread_message_count", ifPresent: unreadCount)
        }
    }
}
