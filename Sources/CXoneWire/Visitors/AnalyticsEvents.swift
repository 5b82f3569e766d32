import Formats

/// What a visitor does, for the web analytics: the body of `POST .../visitors/{v}/events`.
///
/// A visit lasts 30 minutes from its last page view. The mobile SDKs ignore the status of the answer.
public struct AnalyticsEvent: Sendable, Hashable {
    /// A new id for each event.
    public var id: String
    /// Absent in `StoreVisitorEvents`.
    public var visitID: String?
    /// Absent in `StoreVisitorEvents`.
    public var destinationID: String?
    /// `createdAtWithMilliseconds`
    public var createdAt: Timestamp
    public var action: VisitorAction

    public init(id: String, visitID: String?, destinationID: String?, createdAt: Timestamp, action: VisitorAction) {
        self.id = id
        self.visitID = visitID
        self.destinationID = destinationID
        self.createdAt = createdAt
        self.action = action
    }
}

/// The types of analytics events, with their data.
public enum VisitorAction: Sendable, Hashable {
    /// A visit began: it precedes the visit's first page view.
    case visitorVisit
    /// A page was opened.
    case pageView(title: String, url: String)
    /// A page was left, after that many whole seconds.
    case timeSpentOnPage(title: String, url: String, seconds: Int)
    /// The customer opened the chat.
    case chatWindowOpened
    /// The visit led to a result, such as a sale, of that value.
    case conversion(type: String, value: Double, time: Timestamp)
    /// What became of a proactive action that was shown.
    case proactiveAction(ProactiveActionOutcome, id: String, name: String, type: String)
    /// `Custom`, and types that aren't known.
    case other(type: String, data: RawJSON)
}

/// What became of a proactive action.
public enum ProactiveActionOutcome: String, Sendable, CaseIterable {
    case displayed = "Displayed"
    case clicked = "Clicked"
    case success = "Success"
    case failed = "Failed"
}

extension AnalyticsEvent: WireReadable, WireWritable, WireDocument {
    /// Reads the body of one `POST`.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        self = try AnalyticsEvent(try WireValue(json: json, limit: limit))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .client) { write(to: &$0) } }

    /// Reads one event: a whole body, or an element of `visitorEvents`. `createdAt` stands in for a missing
    /// `createdAtWithMilliseconds`. An unknown type is no error.
    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        visitID = try value.idIfPresent("visitId")
        destinationID = try value.nestedID("destination")
        createdAt = try value.required("createdAtWithMilliseconds", or: "createdAt")
        let type: String = try value.required("type")
        do throws(WireError) {
            action = try VisitorAction(type: type, data: value["data"] ?? .emptyObject)
        } catch {
            throw error.within("data")
        }
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("type", action.type)
            writer.member("visitId", ifPresent: visitID)
            if let destinationID { writer.nested("destination", id: destinationID) }
            writer.member("createdAtWithMilliseconds", milliseconds: createdAt)
            writer.name("data")
            action.writeData(to: &writer)
        }
    }
}

extension VisitorAction {
    /// `type` on the wire.
    public var type: String {
        switch self {
        case .visitorVisit: "VisitorVisit"
        case .pageView: "PageView"
        case .timeSpentOnPage: "TimeSpentOnPage"
        case .chatWindowOpened: "ChatWindowOpened"
        case .conversion: "Conversion"
        case .proactiveAction(let outcome, _, _, _): "ProactiveAction" + outcome.rawValue
        case .other(let type, _): type
        }
    }

    /// A known type needs all members of its data. The data of an unknown type is kept unchanged.
    fileprivate init(type: String, data: WireValue) throws(WireError) {
        switch type {
        case "VisitorVisit": self = .visitorVisit
        case "PageView":
            self = .pageView(title: try data.required("title"), url: try data.required("url"))
        case "TimeSpentOnPage":
            self = .timeSpentOnPage(
                title: try data.required("title"), url: try data.required("url"),
                seconds: try data.required("timeSpentOnPage"))
        case "ChatWindowOpened": self = .chatWindowOpened
        case "Conversion":
            self = .conversion(
                type: try data.required("conversionType"), value: try data.required("conversionValue"),
                time: try data.required("conversionTimeWithMilliseconds"))
        default:
            let outcome = ProactiveActionOutcome.allCases.first { "ProactiveAction" + $0.rawValue == type }
            guard let outcome else {
                self = .other(type: type, data: RawJSON(data))
                return
            }
            self = .proactiveAction(
                outcome, id: try data.id("actionId"), name: try data.required("actionName"),
                type: try data.required("actionType"))
        }
    }

    /// An object in each case: `{}` for a type without data.
    fileprivate func writeData(to writer: inout WireWriter) {
        if case .other(_, let data) = self { return data.write(to: &writer) }
        writer.object { writer in
            switch self {
            case .visitorVisit, .chatWindowOpened, .other: break
            case .pageView(let title, let url):
                writer.member("title", title)
                writer.member("url", url)
            case .timeSpentOnPage(let title, let url, let seconds):
                writer.member("title", title)
                writer.member("url", url)
                writer.member("timeSpentOnPage", seconds)
            case .conversion(let type, let value, let time):
                writer.member("conversionType", type)
                writer.member("conversionValue", value)
                writer.member("conversionTimeWithMilliseconds", milliseconds: time)
            case .proactiveAction(_, let id, let name, let type):
                writer.member("actionId", id)
                writer.member("actionName", name)
                writer.member("actionType", type)
            }
        }
    }
}
