import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// What a visitor does besides chatting: page views, conversions, proactive actions and triggers, which are reported to
/// the platform; the channel's menu; a message for agents who are away.
struct AnalyticsRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}"

    var routes: [Route] {
        [
            Route(
                .post, "\(Self.one)/analytics", "recordActivity", access: .session(.sessionsWrite), body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: ActivityBody = try call.body()
                    try await call.client().record(body.activity)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/triggers/{trigger}", "executeTrigger", access: .session(.sessionsWrite),
                idempotency: .recorded,
                handler: .aside { call in
                    let trigger = call.parameters["trigger"]
                    try await call.client().perform(needing: .triggers) { (connection) throws(ChatError) in
                        try await connection.executeTrigger(trigger)
                    }
                    return call.noContent()
                }),
            Route(
                .get, "\(Self.one)/menu", "getMenu", access: .session(.sessionsRead),
                handler: .aside { call in
                    let items = try await call.client().menu()
                    return call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.member("items", items)
                        json.endObject()
                    }
                }),
            Route(
                .post, "\(Self.one)/offlineMessages", "leaveOfflineMessage", access: .session(.sessionsWrite),
                body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: OfflineMessageBody = try call.body()
                    try await call.client().leave(body.message)
                    return call.noContent()
                }
            ).counted(as: .messages),
        ]
    }
}

/// `{"name","email","text"}`: a message for agents who are away. The syntax of the address is not checked here.
struct OfflineMessageBody: RequestBody {
    let message: OfflineMessage

    init(reading object: inout ObjectReader) {
        message = OfflineMessage(
            name: object.requiredString("name", length: 1...256),
            email: object.requiredString("email", length: 1...254), text: MessageText.required(&object))
    }
}

/// One activity of a visitor. The member `type` decides which others it has:
/// - `{"type":"pageView"|"pageViewEnded","title","url"}`
/// - `{"type":"chatWindowOpened"}`
/// - `{"type":"conversion","conversionType","value"}`
/// - `{"type":"proactiveAction","outcome","actionId","actionName","actionType"}`
struct ActivityBody: RequestBody {
    /// The values of `type`.
    enum Kind: String, CaseIterable {
        case pageView, pageViewEnded, chatWindowOpened, conversion, proactiveAction
    }

    /// A placeholder if a fault was reported.
    let activity: VisitorActivity

    init(reading object: inout ObjectReader) {
        switch object.requiredChoice("type", of: Kind.allCases) {
        case .pageView: activity = .pageViewed(Self.page(&object))
        case .pageViewEnded: activity = .pageLeft(Self.page(&object))
        case .conversion:
            activity = .conversion(
                type: object.requiredString("conversionType", length: 1...256), value: object.requiredNumber("value"))
        case .proactiveAction:
            activity = .proactiveAction(
                object.requiredChoice("outcome", of: VisitorActivity.ProactiveOutcome.allCases) ?? .displayed,
                id: object.requiredString("actionId", length: 1...128),
                name: object.requiredString("actionName", length: 1...256),
                type: object.requiredString("actionType", length: 1...64))
        case .chatWindowOpened, nil: activity = .chatWindowOpened
        }
    }

    /// The members `title`, which may be empty, and `url`.
    private static func page(_ object: inout ObjectReader) -> VisitorActivity.Page {
        VisitorActivity.Page(
            title: object.requiredString("title", length: 0...1024), url: object.requiredString("url", length: 1...4096)
        )
    }
}
