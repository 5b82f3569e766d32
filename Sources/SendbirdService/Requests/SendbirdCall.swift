import Formats
import SendbirdWire

/// One call of the platform's API, without who makes it.
struct SendbirdCall: Sendable {
    enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT", delete = "DELETE" }

    var method: Method
    /// After `/v3`, each segment percent-encoded.
    var path: String
    var body: [UInt8]?
    var contentType = "application/json; charset=utf8"
    /// For connection and answer together.
    var patience = Duration.seconds(30)
    /// The user or channel by which the platform counts it, too.
    var scope: String?

    var kind: RequestBudget.Kind { method == .get ? .get : .write }

    /// - Parameters:
    ///   - segments: of the path; each is encoded as a whole, whatever it has.
    ///   - query: what is nil is left out.
    init(
        _ method: Method, _ segments: [String], _ query: [(name: String, value: String?)] = [],
        body: (any SendbirdRequestBody)? = nil, scope: String? = nil
    ) {
        self.method = method
        path = "/" + segments.map(\.percentEncoded).joined(separator: "/")
        let pairs = query.compactMap { pair in pair.value.map { "\(pair.name)=\($0.percentEncoded)" } }
        if !pairs.isEmpty { path += "?" + pairs.joined(separator: "&") }
        self.body = body.map { $0.encoded }
        self.scope = scope
    }
}

// MARK: Users

extension SendbirdCall {
    static func user(_ id: String) -> SendbirdCall { SendbirdCall(.get, ["users", id]) }

    static func create(_ user: CreateUser) -> SendbirdCall { SendbirdCall(.post, ["users"], body: user) }

    static func update(_ user: UpdateUser, id: String) -> SendbirdCall {
        SendbirdCall(.put, ["users", id], body: user, scope: "user \(id)")
    }

    static func writeMetadata(_ values: [String: String], ofUser id: String) -> SendbirdCall {
        SendbirdCall(.put, ["users", id, "metadata"], body: WriteMetadata(values, isUpsert: true))
    }
}

// MARK: Channels

extension SendbirdCall {
    /// One user's channels, with what is personal.
    ///
    /// - Parameter token: of a later page.
    static func channels(
        of user: String, customType: String, token: String? = nil,
        size: AnswerSize.Asked = AnswerSize.Asked(items: 100)
    ) -> SendbirdCall {
        SendbirdCall(
            .get, ["users", user, "my_group_channels"],
            [
                ("limit", String(size.items)), ("token", token), ("order", "latest_last_message"),
                ("hidden_mode", "all"),
                ("member_state_filter", "all"), ("show_empty", "true"), ("show_read_receipt", "true"),
                ("show_metadata", "true"), ("show_member", size.hasMembers ? "true" : nil), ("super_mode", "nonsuper"),
                // There is no word for those without a type: the reader leaves out the others.
                ("custom_types", customType.isEmpty ? nil : customType),
            ])
    }

    /// The channels of the application that have changed last, with their members.
    static func latestChannels(customTypes: [String], token: String?, size: AnswerSize.Asked) -> SendbirdCall {
        SendbirdCall(
            .get, ["group_channels"],
            [
                ("order", "latest_last_message"), ("limit", String(size.items)), ("token", token),
                ("super_mode", "nonsuper"),
                ("custom_types", customTypes.contains("") ? nil : customTypes.joined(separator: ",")),
                ("show_read_receipt", "true"),
                ("show_member", size.hasMembers ? "true" : nil), ("show_frozen", "true"), ("show_empty", "true"),
            ])
    }

    static func channel(_ url: String, for user: String, hasMembers: Bool = true) -> SendbirdCall {
        SendbirdCall(
            .get, ["group_channels", url],
            [
                ("user_id", user), ("show_member", hasMembers ? "true" : nil), ("show_read_receipt", "true"),
                ("show_delivery_receipt", "true"), ("show_metadata", "true"),
            ])
    }

    static func create(_ channel: CreateChannel, by user: String) -> SendbirdCall {
        SendbirdCall(.post, ["group_channels"], body: channel, scope: "user \(user)")
    }

    static func update(_ channel: UpdateChannel, url: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url], body: channel)
    }

    static func writeMetadata(_ values: [String: String], ofChannel url: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "metadata"], body: WriteMetadata(values, isUpsert: true))
    }

    /// The users are members at once.
    static func invite(_ users: [String], to url: String) -> SendbirdCall {
        var invitation = InviteMembers(userIDs: users)
        invitation.invitationStatus = Dictionary(users.map { ($0, "joined") }) { first, _ in first }
        return SendbirdCall(.post, ["group_channels", url, "invite"], body: invitation)
    }

    static func accept(_ url: String, by user: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "accept"], body: ForUser(user))
    }

    /// Of who is invited, and did not join.
    static func decline(_ url: String, by user: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "decline"], body: ForUser(user))
    }

    static func leave(_ url: String, by user: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "leave"], body: LeaveChannel(userIDs: [user]))
    }

    /// - Parameter isUntilMessage: whether the next message shows it again.
    static func hide(_ url: String, for user: String, isUntilMessage: Bool) -> SendbirdCall {
        SendbirdCall(
            .put, ["group_channels", url, "hide"],
            body: HideChannel(userID: user, allowsAutoUnhide: isUntilMessage))
    }

    static func show(_ url: String, for user: String) -> SendbirdCall {
        SendbirdCall(.delete, ["group_channels", url, "hide"], [("user_id", user)])
    }

    static func resetHistory(of url: String, for user: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "reset_user_history"], body: ResetHistory(userID: user))
    }

    static func typing(_ isTyping: Bool, in url: String, by user: String) -> SendbirdCall {
        SendbirdCall(isTyping ? .post : .delete, ["group_channels", url, "typing"], body: ReportTyping([user]))
    }
}

// MARK: Messages

extension SendbirdCall {
    /// Messages around a time, with all that is exactly of that time.
    ///
    /// - Parameter sender: only what this user has sent; but of a user whose id has a comma, what all have.
    static func messages(
        of url: String, at time: Int64, previous: Int, next: Int, sender: String? = nil
    ) -> SendbirdCall {
        SendbirdCall(
            .get, ["group_channels", url, "messages"],
            [
                ("message_ts", "\(time)"), ("prev_limit", "\(previous)"), ("next_limit", "\(next)"),
                ("include", "true"),
                // It is a list: an id with a comma would be two.
                ("sender_ids", sender.flatMap { $0.contains(",") ? nil : $0 }),
            ] + details + [("including_removed", "true"), ("include_reply_type", "ALL")])
    }

    static func message(_ id: String, in url: String) -> SendbirdCall {
        SendbirdCall(.get, ["group_channels", url, "messages", id], details)
    }

    private static let details: [(name: String, value: String?)] = [
        ("include_thread_info", "true"), ("with_sorted_meta_array", "true"),
    ]

    static func send(_ message: SendMessage, to url: String) -> SendbirdCall {
        SendbirdCall(.post, ["group_channels", url, "messages"], body: message, scope: "channel \(url)")
    }

    /// - Parameter boundary: nobody who chooses the file may be able to guess it.
    static func send(_ form: MessageForm, boundary: String, to url: String) -> SendbirdCall {
        var call = SendbirdCall(.post, ["group_channels", url, "messages"], scope: "channel \(url)")
        call.body = form.encoded(boundary: boundary)
        call.contentType = MessageForm.contentType(boundary)
        call.patience = .seconds(120)
        return call
    }

    static func edit(_ id: String, in url: String, text: String) -> SendbirdCall {
        SendbirdCall(.put, ["group_channels", url, "messages", id], body: UpdateMessage(.text, text: text))
    }

    static func remove(_ id: String, in url: String) -> SendbirdCall {
        SendbirdCall(.delete, ["group_channels", url, "messages", id])
    }

    static func markRead(_ url: String, by user: String) -> SendbirdCall {
        SendbirdCall(
            .put, ["group_channels", url, "messages", "mark_as_read"], body: ForUser(user), scope: "channel \(url)")
    }
}
