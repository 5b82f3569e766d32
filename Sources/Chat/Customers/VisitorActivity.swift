/// What a customer does beside talking, for the platform's analytics (the SDK's `AnalyticsProvider`).
public enum VisitorActivity: Sendable, Hashable {
    /// Begins a visit or prolongs it, and ends the page that was open (`viewPage`).
    case pageViewed(Page)
    /// Counts only for the page that is open (`viewPageEnded`).
    case pageLeft(Page)
    case chatWindowOpened
    case conversion(type: String, value: Double)
    /// What became of a proactive action.
    case proactiveAction(ProactiveOutcome, id: String, name: String, type: String)

    public struct Page: Sendable, Hashable {
        public var title: String
        public var url: String

        public init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    public enum ProactiveOutcome: String, Sendable, CaseIterable {
        case displayed, clicked, success, failed
    }
}
