import Formats

/// The customer is to be shown something that is no message.
public struct ProactiveEvent: FeedEvent {
    public static let type = EventType.proactive

    public enum Content: Sendable, Hashable {
        /// Shown in its thread. It is logged.
        case inactivityPopup(InactivityPopup, threadID: String)
        /// Belongs to no thread. It is live only.
        case customPopupBox(CustomPopupBox)
    }

    public var content: Content

    public init(_ content: Content) { self.content = content }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        switch content {
        case .inactivityPopup(let popup, let threadID):
            json.member("threadId", threadID)
            json.member("type", "inactivityPopup")
            json.member("inactivityPopup", popup)
        case .customPopupBox(let box):
            json.member("type", "customPopupBox")
            json.member("customPopupBox", box)
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        switch try json.requiredString("type") {
        case "inactivityPopup":
            let popup = try InactivityPopup(json: json["inactivityPopup"] ?? .null)
            content = .inactivityPopup(popup, threadID: try json.requiredString("threadId"))
        case "customPopupBox": content = .customPopupBox(try CustomPopupBox(json: json["customPopupBox"] ?? .null))
        default: throw ModelError(member: "type")
        }
    }
}

/// A box that the platform wants to be shown beside the conversation (the SDK's `customPopupBox`).
public struct CustomPopupBox: CanonicalJSON, Hashable {
    /// The platform's name for the action, and its name for people.
    public var actionID: String
    public var actionName: String
    public var heading: String?
    public var text: String?
    public var buttonText: String?
    /// Where the button leads, as the platform wrote it. It is not checked.
    public var buttonURL: String?

    public init(
        actionID: String, actionName: String, heading: String? = nil, text: String? = nil, buttonText: String? = nil,
        buttonURL: String? = nil
    ) {
        self.actionID = actionID
        self.actionName = actionName
        self.heading = heading
        self.text = text
        self.buttonText = buttonText
        self.buttonURL = buttonURL
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("actionId", actionID)
        json.member("actionName", actionName)
        json.member("heading", heading)
        json.member("text", text)
        json.member("buttonText", buttonText)
        json.member("buttonUrl", buttonURL)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        actionID = try json.requiredString("actionId")
        actionName = try json.requiredString("actionName")
        heading = json["heading"]?.string
        text = json["text"]?.string
        buttonText = json["buttonText"]?.string
        buttonURL = json["buttonUrl"]?.string
    }
}
