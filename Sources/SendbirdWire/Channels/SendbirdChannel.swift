import Formats

/// A group channel. What is nil is left out: lists have neither members nor metadata nor receipts unless they were asked
/// for, and only one user's own list tells what is personal.
package struct SendbirdChannel: SendbirdShape {
    /// An opaque id; it is no address.
    package var url: String
    package var name = ""
    package var customType = ""
    package var data = ""
    package var coverURL = ""
    package var createdAt: UnixSeconds
    package var createdBy: SendbirdPerson?
    package var inviter: SendbirdPerson?
    /// Only in the answer to an invitation.
    package var invitedAt: UnixMilliseconds?
    package var isFrozen = false
    package var isDistinct = false
    package var isSuper = false
    package var isPublic = false
    package var isBroadcast = false
    package var isDiscoverable = false
    package var isEphemeral = false
    package var needsAccessCode = false
    package var hasBot = false
    /// With those who are invited.
    package var memberCount = 0
    package var joinedMemberCount = 0
    package var maximumMessageLength = SendbirdBound.messageText
    package var messageSurvivalSeconds: Int64 = -1
    package var personal: SendbirdMembership?
    package var metadata: [String: String]?
    /// Up to when each member has read. Who never read anything is not in it.
    package var readReceipts: [String: UnixMilliseconds]?
    package var deliveryReceipts: [String: UnixMilliseconds]?
    package var members: [SendbirdMember]?
    package var operators: [SendbirdPerson]?
    package var lastMessage: SendbirdMessage?
    /// Whether the answer repeats the channel inside of itself, as the one to creating does.
    package var isRepeatedInside = false

    package init(url: String, createdAt: UnixSeconds) { (self.url, self.createdAt) = (url, createdAt) }

    /// Nil without a URL.
    package init?(_ value: SendbirdValue) {
        guard let url = value.id("channel_url") else { return nil }
        self.init(url: url, createdAt: value.seconds("created_at") ?? UnixSeconds(0))
        name = value.text("name") ?? ""
        customType = value.text("custom_type") ?? ""
        data = value.text("data") ?? ""
        coverURL = value.text("cover_url") ?? ""
        createdBy = value.shape("created_by")
        inviter = value.shape("inviter")
        invitedAt = value.milliseconds("invited_at")
        isFrozen = value.flag("freeze") ?? false
        isDistinct = value.flag("is_distinct") ?? false
        isSuper = value.flag("is_super") ?? false
        isPublic = value.flag("is_public") ?? false
        isBroadcast = value.flag("is_broadcast") ?? false
        isDiscoverable = value.flag("is_discoverable") ?? false
        isEphemeral = value.flag("is_ephemeral") ?? false
        needsAccessCode = value.flag("is_access_code_required") ?? false
        hasBot = value.flag("has_bot") ?? false
        memberCount = value.count("member_count") ?? 0
        joinedMemberCount = value.count("joined_member_count") ?? 0
        maximumMessageLength = value.count("max_length_message") ?? SendbirdBound.messageText
        messageSurvivalSeconds = value.number("message_survival_seconds") ?? -1
        personal = SendbirdMembership(value)
        metadata = value.texts(inMap: "metadata")
        readReceipts = value.map("read_receipt") { $0.number.map(UnixMilliseconds.init(reading:)) }
        deliveryReceipts = value.map("delivery_receipt") { $0.number.map(UnixMilliseconds.init(reading:)) }
        members = value.list("members")
        operators = value.list("operators")
        lastMessage = value.shape("last_message")
        isRepeatedInside = value["channel"]?.isObject ?? false
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("channel_url", url)
            json.member("name", name)
            json.member("custom_type", customType)
            json.member("data", data)
            json.member("cover_url", coverURL)
            json.member("created_at", createdAt)
            json.member("created_by", orNull: createdBy)
            json.member("inviter", orNull: inviter)
            json.member("invited_at", ifPresent: invitedAt)
            json.member("freeze", isFrozen)
            json.member("is_distinct", isDistinct)
            json.member("is_super", isSuper)
            json.member("is_public", isPublic)
            json.member("is_broadcast", isBroadcast)
            json.member("is_discoverable", isDiscoverable)
            json.member("is_ephemeral", isEphemeral)
            json.member("is_access_code_required", needsAccessCode)
            json.member("has_bot", hasBot)
            json.member("has_ai_bot", false)
            json.member("member_count", memberCount)
            json.member("joined_member_count", joinedMemberCount)
            json.member("max_length_message", maximumMessageLength)
            json.member("message_survival_seconds", messageSurvivalSeconds)
            personal?.write(to: &json)
            json.member("metadata", ifPresent: metadata)
            json.member("read_receipt", ifPresent: readReceipts)
            json.member("delivery_receipt", ifPresent: deliveryReceipts)
            json.member("members", ifPresent: members)
            json.member("operators", ifPresent: operators)
            json.member("last_message", orNull: lastMessage)
            if isRepeatedInside { json.member("channel", object: writeInside) }
            json.member("disappearing_message") { json in
                json.member("message_survival_seconds", messageSurvivalSeconds)
                json.member("is_triggered_by_message_read", false)
            }
            json.member("sms_fallback") { json in
                json.member("wait_seconds", -1)
                json.member("exclude_user_ids", [] as [String])
            }
        }
    }

    private func writeInside(_ json: inout JSONWriter) {
        json.member("channel_url", url)
        json.member("name", name)
        json.member("cover_url", coverURL)
        json.member("data", data)
        json.member("created_at", createdAt)
        json.member("custom_type", customType)
        json.member("max_length_message", maximumMessageLength)
        json.member("member_count", memberCount)
    }
}
