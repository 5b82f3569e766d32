import Formats

/// `POST /group_channels`.
package struct CreateChannel: SendbirdRequestBody, Hashable {
    package var userIDs: [String]
    package var url: String?
    package var name: String?
    package var customType: String?
    package var data: String?
    package var coverURL: String?
    package var isDistinct: Bool?
    package var isPublic: Bool?
    /// Who made it; not a member by that.
    package var inviterID: String?
    package var operatorIDs: [String]?
    /// `joined` for who is not named.
    package var invitationStatus: [String: String]?
    /// Whether unknown users are an error; without it they are left out silently.
    package var isStrict: Bool?

    package static let invitations = ["joined", "invited_by_friend", "invited_by_non_friend"]

    package init(userIDs: [String], url: String? = nil) { (self.userIDs, self.url) = (userIDs, url) }

    package init(reading request: inout SendbirdRequestReader) {
        let ids = request.userIDs("user_ids")
        // The newest clients send whole users instead.
        userIDs = ids ?? request.userIDs(ofUsers: "users") ?? []
        if ids != nil { request.ignore("users") }
        url = request.channelURL("channel_url")
        name = request.text("name", upTo: SendbirdBound.channelName)
        customType = request.text("custom_type", upTo: SendbirdBound.customType)
        data = request.text("data", upTo: SendbirdBound.data)
        coverURL = request.text("cover_url", upTo: SendbirdBound.url)
        isDistinct = request.flag("is_distinct")
        isPublic = request.flag("is_public")
        inviterID = request.userID("inviter_id")
        operatorIDs = request.userIDs("operator_ids") ?? request.userIDs(ofUsers: "operators")
        invitationStatus = request.choices("invitation_status", of: Self.invitations)
        isStrict = request.flag("strict")
        request.refuseUnserved(
            "hidden_status", "is_super", "is_ephemeral", "access_code", "is_discoverable", "message_survival_seconds",
            "users_to_invite", "cover_file")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_ids", userIDs)
            json.member("channel_url", url)
            json.member("name", name)
            json.member("custom_type", customType)
            json.member("data", data)
            json.member("cover_url", coverURL)
            json.member("is_distinct", ifPresent: isDistinct)
            json.member("is_public", ifPresent: isPublic)
            json.member("inviter_id", inviterID)
            json.member("operator_ids", ifPresent: operatorIDs)
            json.member("invitation_status", ifPresent: invitationStatus)
            json.member("strict", ifPresent: isStrict)
        }
    }
}

/// `PUT /group_channels/{url}`: what is nil stays as it is.
package struct UpdateChannel: SendbirdRequestBody, Hashable {
    package var name: String?
    package var customType: String?
    package var data: String?
    package var coverURL: String?
    package var isDistinct: Bool?
    package var isPublic: Bool?
    package var operatorIDs: [String]?

    package init() {}

    package init(reading request: inout SendbirdRequestReader) {
        name = request.text("name", upTo: SendbirdBound.channelName)
        customType = request.text("custom_type", upTo: SendbirdBound.customType)
        data = request.text("data", upTo: SendbirdBound.data)
        coverURL = request.text("cover_url", upTo: SendbirdBound.url)
        isDistinct = request.flag("is_distinct")
        isPublic = request.flag("is_public")
        operatorIDs = request.userIDs("operator_ids") ?? request.userIDs(ofUsers: "operators")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("custom_type", customType)
            json.member("data", data)
            json.member("cover_url", coverURL)
            json.member("is_distinct", ifPresent: isDistinct)
            json.member("is_public", ifPresent: isPublic)
            json.member("operator_ids", ifPresent: operatorIDs)
        }
    }
}

extension SendbirdRequestReader {
    /// The URL of a channel: 4 to 100 letters, digits and underscores.
    package mutating func channelURL(_ name: StaticString) -> String? {
        guard let url = text(name, length: SendbirdBound.channelURL) else { return nil }
        let isPlain = url.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isPlain else {
            refuse(name, .characterNotAllowed, "may have letters, digits and underscores only.")
            return nil
        }
        return url
    }
}
