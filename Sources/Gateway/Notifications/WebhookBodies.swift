import Chat
import ChatModel
import Formats
import HTTPRouting

/// `{"id"?,"audience"?,"after"?}` and the settings: a new webhook. No setting may be null.
struct NewWebhook: RequestBody {
    /// 1 to 64 characters, under the rule for channel ids; nil lets the service choose one.
    let id: String?
    /// The session whose events are delivered; nil for the desk's.
    let session: String?
    /// An object with the settings that were given. ``WebhookService`` checks their values.
    let settings: JSONValue
    /// The position in the log after which deliveries begin.
    let after: Cursor?

    init(reading object: inout ObjectReader) {
        id = object.optionalString("id", length: 1...64)
        // The id becomes a segment of paths.
        if let id, !id.isEmpty, !NewChannel.isChannelID(id) {
            object.reject("id", "letters, digits and . _ ~ - were expected, a letter or digit first")
        }
        session = object.object(object.optional("audience"), "audience", as: AudienceBody.self)?.session
        settings = WebhookPatch.settings(&object, takesNull: false)
        after = CursorMember.optional("after", &object)
    }

    /// The webhook for the service. Throws `unknownSession` when the audience is a session that does not exist.
    func draft(in call: Call) async throws(ChatError) -> WebhookDraft {
        var audience = WebhookAudience.desk
        if let session { audience = .session(session, account: try await call.session(session).account) }
        return WebhookDraft(id: id, audience: audience, settings: settings, after: after)
    }
}

/// Settings of a webhook to change; null removes a setting (RFC 7396). ``WebhookService`` checks their values.
struct WebhookPatch: RequestBody {
    let settings: JSONValue

    init(reading object: inout ObjectReader) { settings = Self.settings(&object, takesNull: true) }

    /// Collects the members that are settings, as one object.
    /// - Parameter takesNull: whether null is accepted, also for a single header of `headers`.
    static func settings(_ object: inout ObjectReader, takesNull: Bool) -> JSONValue {
        var members: [JSONMember] = []
        for name in WebhookDraft.settingNames {
            guard let value = object.optional(name) else { continue }
            let isNull = value == .null || name == "headers" && value.members?.contains { $0.value == .null } == true
            if isNull, !takesNull { object.reject(name, "null removes a value, and there is no value yet") }
            members.append(JSONMember(name: name, value: value))
        }
        return .object(members)
    }
}

/// `{"desk":true}` or `{"session":"<id>"}`: whose events a webhook gets. Anything else is a fault.
struct AudienceBody: RequestBody {
    /// Nil means the desk.
    let session: String?

    init(reading object: inout ObjectReader) {
        session = object.optionalID("session")
        let desk = object.optionalBool("desk")
        if (desk == true) == (session != nil) || desk == false {
            object.reject(nil, #"{"desk":true} or {"session":"<id>"} was expected"#)
        }
    }
}

/// `{"graceSeconds"?}`: for how long the old secret still signs beside the new one. A day by default.
struct Rotation: RequestBody {
    /// 0 to 2,592,000 seconds; with 0 the old secret ends at once.
    let graceSeconds: Int

    init(reading object: inout ObjectReader) {
        graceSeconds = object.optionalInteger("graceSeconds", in: 0...Self.longestGrace) ?? 86_400
    }

    /// Seconds: 30 days.
    private static let longestGrace = 30 * 86_400
}

/// `{"after":"<cursor>"}` or `{"since":"<time>"}`: where a webhook begins again. Exactly one of them.
struct Replay: RequestBody {
    /// The epoch of a cursor is checked by the service, not here.
    let start: ReplayStart

    init(reading object: inout ObjectReader) {
        let after = CursorMember.optional("after", &object)
        let text = object.optionalString("since", length: 1...64)
        let since = text.flatMap(Timestamp.init(rfc3339:))
        if text != nil, since == nil { object.reject("since", "a time was expected, as 2026-05-04T09:30:00Z") }
        if object.optional("after") != nil, text != nil || object.optional("since") != nil {
            object.reject("since", "either after or since was expected, not both")
        } else if object.optional("after") == nil, object.optional("since") == nil {
            _ = object.required("after")
        }
        start = after.map { .after($0) } ?? .since(since ?? Timestamp(milliseconds: 0))
    }
}

/// `{"state":"dead"}`: which deliveries are sent again. Deliveries in other states need no redelivery, so no other
/// value is accepted.
struct Redelivery: RequestBody {
    private enum State: String, CaseIterable {
        case dead
    }

    init(reading object: inout ObjectReader) {
        let _: State? = object.requiredChoice("state", of: State.allCases)
    }
}

/// A member with a cursor, `<epoch>-<offset>`. Only its form is checked here.
private enum CursorMember {
    static func optional(_ name: String, _ object: inout ObjectReader) -> Cursor? {
        guard let text = object.optionalString(name, length: 1...128) else { return nil }
        let cursor = Cursor(text)
        if cursor == nil { object.reject(name, "a cursor was expected, <epoch>-<offset>") }
        return cursor
    }
}
