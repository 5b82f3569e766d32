import Formats

/// `POST /users`.
package struct CreateUser: SendbirdRequestBody, Hashable {
    package var id: String
    package var nickname: String
    package var profileURL: String
    package var metadata: [String: String]?
    package var discoveryKeys: [String]?
    package var issuesAccessToken: Bool?

    package init(id: String, nickname: String, profileURL: String = "") {
        (self.id, self.nickname, self.profileURL) = (id, nickname, profileURL)
    }

    package init(reading request: inout SendbirdRequestReader) {
        id = request.requiredUserID("user_id")
        nickname = request.requiredText("nickname", upTo: SendbirdBound.nickname)
        // The newest clients send none.
        profileURL = request.text("profile_url", upTo: SendbirdBound.url) ?? ""
        metadata = request.metadata("metadata")
        discoveryKeys = request.texts("discovery_keys", upTo: SendbirdBound.metadataValue)
        issuesAccessToken = request.flag("issue_access_token")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", id)
            json.member("nickname", nickname)
            json.member("profile_url", profileURL)
            json.member("metadata", ifPresent: metadata)
            json.member("discovery_keys", ifPresent: discoveryKeys)
            json.member("issue_access_token", ifPresent: issuesAccessToken)
        }
    }
}

/// `PUT /users/{id}`: what is nil stays as it is.
package struct UpdateUser: SendbirdRequestBody, Hashable {
    package var nickname: String?
    package var profileURL: String?
    package var isActive: Bool?
    /// Whether the user leaves all channels when it is deactivated; nil: it does.
    package var leavesAllWhenDeactivated: Bool?
    package var issuesAccessToken: Bool?
    package var discoveryKeys: [String]?
    package var preferredLanguages: [String]?

    package init() {}

    package init(reading request: inout SendbirdRequestReader) {
        nickname = request.text("nickname", upTo: SendbirdBound.nickname)
        profileURL = request.text("profile_url", upTo: SendbirdBound.url)
        isActive = request.flag("is_active")
        leavesAllWhenDeactivated = request.flag("leave_all_when_deactivated")
        issuesAccessToken = request.flag("issue_access_token")
        discoveryKeys = request.texts("discovery_keys", upTo: SendbirdBound.metadataValue)
        preferredLanguages = request.texts("preferred_languages", upTo: SendbirdBound.metadataKey)
        request.refuseUnserved("issue_session_token")
        // Known, and of no effect.
        request.ignore("session_token_expires_at", "last_seen_at")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("nickname", nickname)
            json.member("profile_url", profileURL)
            json.member("is_active", ifPresent: isActive)
            json.member("leave_all_when_deactivated", ifPresent: leavesAllWhenDeactivated)
            json.member("issue_access_token", ifPresent: issuesAccessToken)
            json.member("discovery_keys", ifPresent: discoveryKeys)
            json.member("preferred_languages", ifPresent: preferredLanguages)
        }
    }
}

/// `POST /users/{id}/token`: a token for client SDKs. The body is needed, and may be `{}`.
package struct IssueToken: SendbirdRequestBody, Hashable {
    package var expiresAt: UnixMilliseconds?

    package init(expiresAt: UnixMilliseconds? = nil) { self.expiresAt = expiresAt }

    package init(reading request: inout SendbirdRequestReader) {
        expiresAt = request.number("expires_at", in: 0...Int64.max).map(UnixMilliseconds.init(reading:))
    }

    package func write(to json: inout JSONWriter) {
        json.object { $0.member("expires_at", ifPresent: expiresAt) }
    }
}

/// `POST`, `PUT .../metadata` of a user or a channel.
package struct WriteMetadata: SendbirdRequestBody, Hashable {
    package var values: [String: String]
    /// Whether what is missing is added by `PUT`, too.
    package var isUpsert: Bool?

    package init(_ values: [String: String], isUpsert: Bool? = nil) {
        (self.values, self.isUpsert) = (values, isUpsert)
    }

    package init(reading request: inout SendbirdRequestReader) {
        values = request.metadata("metadata") ?? [:]
        request.need("metadata")
        isUpsert = request.flag("upsert")
        request.ignore("include_ts")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("metadata", values)
            json.member("upsert", ifPresent: isUpsert)
        }
    }
}

/// The body of `PUT .../metadata/{key}`, which sets one value.
package struct WriteMetadataValue: SendbirdRequestBody, Hashable {
    package var value: String
    package var isUpsert: Bool?

    package init(_ value: String, isUpsert: Bool? = nil) { (self.value, self.isUpsert) = (value, isUpsert) }

    package init(reading request: inout SendbirdRequestReader) {
        value = request.requiredText("value", upTo: SendbirdBound.metadataValue)
        isUpsert = request.flag("upsert")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("value", value)
            json.member("upsert", ifPresent: isUpsert)
        }
    }
}
