import Formats

/// `POST /group_channels/{url}/invite`.
package struct InviteMembers: SendbirdRequestBody, Hashable {
    package var userIDs: [String]
    package var inviterID: String?
    package var invitationStatus: [String: String]?

    package init(userIDs: [String], inviterID: String? = nil) { (self.userIDs, self.inviterID) = (userIDs, inviterID) }

    package init(reading request: inout SendbirdRequestReader) {
        let ids = request.userIDs("user_ids")
        userIDs = ids ?? request.userIDs(ofUsers: "users") ?? []
        if ids != nil { request.ignore("users") } else if userIDs.isEmpty { request.need("user_ids") }
        inviterID = request.userID("inviter_id")
        invitationStatus = request.choices("invitation_status", of: CreateChannel.invitations)
        request.refuseUnserved("hidden_status")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_ids", userIDs)
            json.member("inviter_id", inviterID)
            json.member("invitation_status", ifPresent: invitationStatus)
        }
    }
}

/// What is asked for one user: `PUT .../accept`, `.../decline`, `.../join`, `.../messages/mark_as_read`.
package struct ForUser: SendbirdRequestBody, Hashable {
    package var userID: String

    package init(_ userID: String) { self.userID = userID }

    package init(reading request: inout SendbirdRequestReader) {
        userID = request.requiredUserID("user_id")
        // A code opens nothing here, and the time of reading is deprecated.
        request.ignore("access_code", "timestamp")
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("user_id", userID) } }
}

/// `PUT .../leave`.
package struct LeaveChannel: SendbirdRequestBody, Hashable {
    package var userIDs: [String]
    package var isForAll: Bool?
    package var reason: String?
    /// Whether who leaves is no operator any more.
    package var removesOperators: Bool?

    package init(userIDs: [String], isForAll: Bool? = nil) { (self.userIDs, self.isForAll) = (userIDs, isForAll) }

    package init(reading request: inout SendbirdRequestReader) {
        isForAll = request.flag("should_leave_all")
        if isForAll != true { request.need("user_ids") }
        userIDs = request.userIDs("user_ids") ?? []
        reason = request.text("reason", upTo: SendbirdBound.description)
        removesOperators = request.flag("should_remove_operator_status")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_ids", userIDs)
            json.member("should_leave_all", ifPresent: isForAll)
            json.member("reason", reason)
            json.member("should_remove_operator_status", ifPresent: removesOperators)
        }
    }
}

/// The body of `PUT .../hide`, which hides a channel from a member's list.
package struct HideChannel: SendbirdRequestBody, Hashable {
    package var userID: String?
    /// Whether the next message shows it again; nil: it does.
    package var allowsAutoUnhide: Bool?
    package var hidesPreviousMessages: Bool?
    package var isForAll: Bool?

    package init(userID: String?, allowsAutoUnhide: Bool? = nil) {
        (self.userID, self.allowsAutoUnhide) = (userID, allowsAutoUnhide)
    }

    package init(reading request: inout SendbirdRequestReader) {
        isForAll = request.flag("should_hide_all")
        if isForAll != true { request.need("user_id") }
        userID = request.userID("user_id")
        allowsAutoUnhide = request.flag("allow_auto_unhide")
        hidesPreviousMessages = request.flag("hide_previous_messages")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", userID)
            json.member("allow_auto_unhide", ifPresent: allowsAutoUnhide)
            json.member("hide_previous_messages", ifPresent: hidesPreviousMessages)
            json.member("should_hide_all", ifPresent: isForAll)
        }
    }
}

/// `PUT .../reset_user_history`.
package struct ResetHistory: SendbirdRequestBody, Hashable {
    package var userID: String?
    package var isForAll: Bool?

    package init(userID: String?, isForAll: Bool? = nil) { (self.userID, self.isForAll) = (userID, isForAll) }

    package init(reading request: inout SendbirdRequestReader) {
        isForAll = request.flag("reset_all")
        if isForAll != true { request.need("user_id") }
        userID = request.userID("user_id")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", userID)
            json.member("reset_all", ifPresent: isForAll)
        }
    }
}

/// `PUT .../freeze`.
package struct FreezeChannel: SendbirdRequestBody, Hashable {
    package var isFrozen: Bool

    package init(_ isFrozen: Bool) { self.isFrozen = isFrozen }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("freeze")
        isFrozen = request.flag("freeze") ?? false
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("freeze", isFrozen) } }
}

/// `POST`, `DELETE .../typing`.
package struct ReportTyping: SendbirdRequestBody, Hashable {
    package var userIDs: [String]

    package init(_ userIDs: [String]) { self.userIDs = userIDs }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("user_ids")
        userIDs = request.userIDs("user_ids", count: SendbirdBound.typists) ?? []
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("user_ids", userIDs) } }
}

/// `POST .../operators`.
package struct AddOperators: SendbirdRequestBody, Hashable {
    package var userIDs: [String]

    package init(_ userIDs: [String]) { self.userIDs = userIDs }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("operator_ids")
        userIDs = request.userIDs("operator_ids") ?? []
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("operator_ids", userIDs) } }
}
