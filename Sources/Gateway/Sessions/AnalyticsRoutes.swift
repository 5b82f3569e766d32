import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// What a visitor does besides chatting, reported to the platform: page views, conversions, proactive actions,
/// triggers.
struct AnalyticsRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}"

    var routes: [Route] {
        [
            Route(
                .post, "\(Self.one)/analytics", "recordActivity", access: .session, body: .json, idempotency: .recorded,
                handler: .later { call in
                    let body: ActivityBody = try call.body()
                    try await call.client().record(body.activity)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/triggers/{trigger}", "executeTrigger", access: .session, idempotency: .recorded,
                handler: .later { call in
                    let trigger = call.parameters["trigger"]
                    try await call.client().perform(needing: .triggers) { (connection) throws(ChatError) in
                        try await connection.executeTrigger(trigger)
                    }
                    return call.noContent()
                }),
        ]
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
