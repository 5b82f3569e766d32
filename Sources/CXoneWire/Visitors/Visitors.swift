import Formats

/// Who visits, and from which device: the body of `PUT .../visitors/{v}` of the web analytics.
public struct WireVisitor: Sendable, Hashable {
    /// Without names.
    public var customer: WireCustomer?
    /// The device; its token says where the platform pushes to.
    public var fingerprint: DeviceFingerprint?
    /// The iOS SDK sends neither this nor ``location``.
    public var ip: String?
    public var location: String?
    /// `journey`, passed on unchanged. The mobile SDKs do not fill it.
    public var journey: RawJSON?
    public var customVariables: [CustomVariable]

    /// An element of `customVariables`.
    public struct CustomVariable: Sendable, Hashable, WireReadable, WireWritable {
        public var identifier: String
        public var value: String

        public init(identifier: String, value: String) {
            self.identifier = identifier
            self.value = value
        }

        public init(_ value: WireValue) throws(WireError) {
            identifier = try value.id("identifier")
            self.value = try value.id("value")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("identifier", identifier)
                writer.member("value", value)
            }
        }
    }

    public init(
        customer: WireCustomer?, fingerprint: DeviceFingerprint?, ip: String? = nil, location: String? = nil,
        journey: RawJSON? = nil, customVariables: [CustomVariable] = []
    ) {
        self.customer = customer
        self.fingerprint = fingerprint
        self.ip = ip
        self.location = location
        self.journey = journey
        self.customVariables = customVariables
    }
}

extension WireVisitor: WireDocument {
    /// Reads the members by their old names too. All may be absent; the platform answers nothing that clients read.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        customer = try value.optional("customerIdentity", or: "consumerIdentity")
        fingerprint = try value.optional("browserFingerprint", or: "deviceFingerprint")
        ip = try value.optional("ip")
        location = try value.optional("location")
        journey = value["journey"].map { RawJSON($0) }
        customVariables = try value.list("customVariables")
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("customerIdentity", ifPresent: customer)
                writer.member("browserFingerprint", ifPresent: fingerprint)
                writer.member("ip", ifPresent: ip)
                writer.member("location", ifPresent: location)
                writer.member("journey", ifPresent: journey)
                if !customVariables.isEmpty { writer.member("customVariables", customVariables) }
            }
        }
    }
}

/// `settings.pushNotifications` of a channel: what the platform pushes to apps while their customer is not connected.
public struct WirePushNotifications: Sendable, Hashable, WireReadable, WireWritable {
    /// Whether the platform pushes anything.
    public var isActive: Bool
    /// Of the project at the platform's push service.
    public var pinpointProjectID: String
    /// The texts of the notification. They are the same for each message of the channel.
    public var title: String
    public var body: String
    /// The link that a tap on the notification opens.
    public var deepLink: String

    public init(
        isActive: Bool, pinpointProjectID: String = "", title: String = "", body: String = "", deepLink: String = ""
    ) {
        self.isActive = isActive
        self.pinpointProjectID = pinpointProjectID
        self.title = title
        self.body = body
        self.deepLink = deepLink
    }

    /// Reads the object; an absent member counts as off or "".
    public init(_ value: WireValue) throws(WireError) {
        isActive = try value.optional("isActive") ?? false
        pinpointProjectID = try value.optional("pinpointProjectId") ?? ""
        title = try value.optional("title") ?? ""
        body = try value.optional("body") ?? ""
        deepLink = try value.optional("deeplink") ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("isActive", isActive)
            writer.member("pinpointProjectId", pinpointProjectID)
            writer.member("title", title)
            writer.member("body", body)
            writer.member("deeplink", deepLink)
        }
    }
}

/// A line that a mobile SDK logs on the platform: the body of `POST {logger}`.
///
/// After any answer but 200 and 204 the SDKs stop sending lines for the rest of the session.
public struct RemoteLogEntry: Sendable, Hashable {
    /// A digit.
    public var level: String
    public var message: String
    /// Such as `3.3.1`.
    public var appVersion: String?
    /// The place in the program, and the device. Passed on unchanged.
    public var detail: RawJSON?

    public init(level: String, message: String, appVersion: String?, detail: RawJSON? = nil) {
        self.level = level
        self.message = message
        self.appVersion = appVersion
        self.detail = detail
    }
}

extension RemoteLogEntry: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        level = try value.id("level")
        message = try value.required("message")
        appVersion = try value.optional("appVersion")
        detail = value["detail"].map { RawJSON($0) }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("level", level)
                writer.member("message", message)
                writer.member("appVersion", ifPresent: appVersion)
                writer.member("detail", ifPresent: detail)
            }
        }
    }
}

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
