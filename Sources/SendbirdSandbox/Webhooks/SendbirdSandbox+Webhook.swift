import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import SendbirdWire

/// How the sandbox reaches what calls its program: the gateway's deliveries.
package struct CallbackTargets: Sendable {
    /// Throws why nothing may be sent to a URL.
    let check: @Sendable (_ url: String) throws -> Void
    /// A target was made, changed or removed.
    let refresh: @Sendable (_ target: Int64) async throws(ChatError) -> Void

    package init(
        check: @escaping @Sendable (_ url: String) throws -> Void = { _ in },
        refresh: @escaping @Sendable (_ target: Int64) async throws(ChatError) -> Void = { _ in }
    ) {
        (self.check, self.refresh) = (check, refresh)
    }
}

/// The webhook of the application.
extension SendbirdSandbox {
    /// `GET /applications/settings/webhook`
    func webhook(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let showsAll = try request.flag("display_all_webhook_categories") ?? false
        var settings = try await read { try $0.webhook(of: self)?.shown ?? SendbirdWebhookSettings() }
        if showsAll { settings.allCategories = SendbirdCategory.served.map(\.rawValue) }
        return settings
    }

    /// `PUT /applications/settings/webhook`
    func updateWebhook(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked: UpdateWebhook = try request.read()
        try checkTarget(asked.url, "url")
        let origin = request.origin
        let (target, settings) = try await write { transaction in
            var settings = try transaction.webhook(of: self) ?? TargetSettings(origin: origin)
            settings.change(asked, origin: origin)
            return (try transaction.setCallback(of: self, to: settings), settings.shown)
        }
        try await refresh(target)
        return settings
    }

    /// Throws 400114 for a URL at which nobody may be called.
    func checkTarget(_ url: String, _ name: String) throws(SendbirdError) {
        do {
            try targets.check(url)
        } catch {
            throw SendbirdError(.invalidURL, "\"\(name)\" is refused. \(error)".cut(toBytes: 500))
        }
    }

    /// The webhook is set by a program, so a reset removes it.
    func removeWebhook() async throws(ChatError) {
        let id = callbackID
        if let target = try await store.write({ try $0.deleteTarget(id) }) { try await targets.refresh(target.number) }
    }

    /// The id of the target.
    var callbackID: String { "sendbird-" + ids.uuid("webhook\n\(channel)") }
}

/// What a target keeps: the webhook's settings, and the URL by which the sender knows it.
struct TargetSettings: SendbirdShape {
    var shown = SendbirdWebhookSettings()
    /// Where the program reaches the gateway, for the addresses of files.
    var origin: String

    init(origin: String) {
        self.origin = origin
        shown.events = ["*"]
    }

    init?(_ value: SendbirdValue) {
        guard let shown = SendbirdWebhookSettings(value) else { return nil }
        (self.shown, origin) = (shown, value.text("origin") ?? "")
    }

    mutating func change(_ asked: UpdateWebhook, origin: String) {
        self.origin = origin
        (shown.isEnabled, shown.url) = (asked.isEnabled, asked.url)
        if let includes = asked.includesMembers { shown.includesMembers = includes }
        if let includes = asked.includesUnreadCount { shown.includesUnreadCount = includes }
        if let events = asked.events { shown.events = unique(events) }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("url", shown.url)
            json.member("enabled", shown.isEnabled)
            json.member("include_members", shown.includesMembers)
            json.member("include_unread_count", shown.includesUnreadCount)
            json.member("enabled_events", shown.events)
            json.member("origin", origin)
        }
    }
}

extension ReadTransaction {
    /// Nil if none was set.
    func webhook(of sandbox: SendbirdSandbox) throws -> TargetSettings? {
        try target(sandbox.callbackID).flatMap { try? TargetSettings(answer: $0.settings) }
    }
}

extension WriteTransaction {
    /// Makes the target of callbacks, or changes it. Returns its number.
    fileprivate func setCallback(of sandbox: SendbirdSandbox, to settings: TargetSettings) throws -> Int64 {
        if try target(sandbox.callbackID) != nil {
            return try setSettings(settings.encoded, ofTarget: sandbox.callbackID).number
        }
        let audience = Audience.account(try callbackAccount(of: sandbox).number)
        return try insert(
            TargetDraft(id: sandbox.callbackID, kind: .callback, audience: audience, settings: settings.encoded)
        ).target.number
    }

    /// The account that stands for the application. Nobody can sign in to it.
    func callbackAccount(of sandbox: SendbirdSandbox) throws -> AccountRecord {
        try openAccount(sandbox.applicationKey)
    }
}

extension SendbirdSandbox {
    /// Of the account that stands for the application.
    var applicationKey: AccountKey {
        AccountKey(service: "sendbird.callbacks", channel: channel, customer: applicationID)
    }
}
