import Formats

/// `PUT /applications/settings/webhook`. What is not named stays as it is.
package struct UpdateWebhook: SendbirdRequestBody, Hashable {
    package var isEnabled: Bool
    package var url: String
    package var includesMembers: Bool?
    package var includesUnreadCount: Bool?
    package var events: [String]?

    package init(isEnabled: Bool, url: String) { (self.isEnabled, self.url) = (isEnabled, url) }

    package init(reading request: inout SendbirdRequestReader) {
        let isEnabled = request.flag("enabled")
        if isEnabled == nil { request.need("enabled") }
        self.isEnabled = isEnabled ?? false
        url = request.requiredText("url", upTo: SendbirdBound.url)
        includesMembers = request.flag("include_members")
        includesUnreadCount = request.flag("include_unread_count")
        events = request.texts("enabled_events", upTo: SendbirdBound.customType)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("enabled", isEnabled)
            json.member("url", url)
            json.member("include_members", ifPresent: includesMembers)
            json.member("include_unread_count", ifPresent: includesUnreadCount)
            json.member("enabled_events", ifPresent: events)
        }
    }
}

/// The one webhook of an application.
package struct SendbirdWebhookSettings: SendbirdShape {
    package var isEnabled = false
    package var url = ""
    package var includesMembers = false
    package var includesUnreadCount = false
    /// Names of categories, or `*` for all.
    package var events: [String] = []
    /// All that there are, where they are asked for.
    package var allCategories: [String]?

    package init() {}

    package init?(_ value: SendbirdValue) {
        let webhook = value["webhook"] ?? value
        isEnabled = webhook.flag("enabled") ?? false
        url = webhook.text("url") ?? ""
        includesMembers = webhook.flag("include_members") ?? false
        includesUnreadCount = webhook.flag("include_unread_count") ?? false
        events = webhook.texts("enabled_events") ?? []
        allCategories = webhook.texts("all_webhook_categories")
    }

    package func wants(_ category: SendbirdCategory) -> Bool {
        isEnabled && events.contains { $0 == "*" || $0 == category.rawValue }
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("webhook") { json in
                json.member("enabled", isEnabled)
                json.member("url", url)
                json.member("include_members", includesMembers)
                json.member("enabled_events", events)
                json.member("include_unread_count", includesUnreadCount)
                json.member("all_webhook_categories", ifPresent: allCategories)
            }
        }
    }
}
