import Formats

/// Asks a customer of a live chat who is silent whether they are still there: a `PLUGIN` element
/// `INACTIVITY_POPUP`.
///
/// The answer is a hidden message with the text and the postback of one of the two buttons.
public struct InactivityPopup: Sendable, Hashable {
    /// An element `BUTTON` of the popup.
    public struct Button: Sendable, Hashable {
        /// A UUID, for the iOS SDK.
        public var id: String
        public var text: String
        /// A JSON text with the member `isExpired`: true ends the chat.
        public var postback: String

        public init(id: String, text: String, postback: String) {
            self.id = id
            self.text = text
            self.postback = postback
        }
    }

    /// Of the element that holds the others.
    public var id: String
    public var title: String
    /// The first `TEXT`.
    public var text: String
    /// The second `TEXT`.
    public var callToAction: String
    /// When the countdown began.
    public var startedAt: Timestamp
    /// How long the countdown lasts, in seconds.
    public var numberOfSeconds: Int
    /// Goes on with the chat.
    public var refresh: Button
    /// Ends the chat.
    public var expire: Button

    public init(
        id: String, title: String, text: String, callToAction: String, startedAt: Timestamp, numberOfSeconds: Int,
        refresh: Button, expire: Button
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.callToAction = callToAction
        self.startedAt = startedAt
        self.numberOfSeconds = numberOfSeconds
        self.refresh = refresh
        self.expire = expire
    }
}

extension InactivityPopup {
    /// The popup in a payload of `PLUGIN`, or of `INACTIVITY_POPUP` itself. Elements are found
    /// by their types, the button that goes on by `"isExpired": false` in its postback.
    init?(payload: WireValue, type: String) {
        let outer = payload["elements"]?.elements ?? []
        let plugin = outer.first { $0["type"]?.string == "INACTIVITY_POPUP" }
        guard let elements = plugin?["elements"]?.elements ?? (type == "INACTIVITY_POPUP" ? outer : nil)
        else { return nil }
        func texts(_ type: String) -> [String] {
            elements.filter { $0["type"]?.string == type }.map { $0["text"]?.string ?? "" }
        }
        guard let countdown = elements.first(where: { $0["type"]?.string == "COUNTDOWN" })?["variables"],
            let startedAt = try? countdown.required("startedAt") as Timestamp,
            let seconds = try? countdown.required("numberOfSeconds") as Int
        else { return nil }
        let buttons = elements.filter { $0["type"]?.string == "BUTTON" }.compactMap(Button.init)
        guard buttons.count == 2 else { return nil }
        let refresh = buttons.firstIndex { $0.isExpired == false } ?? buttons.firstIndex { $0.isExpired == nil } ?? 0
        id = plugin?["id"]?.idText ?? ""
        title = texts("TITLE").first ?? ""
        text = texts("TEXT").first ?? ""
        callToAction = texts("TEXT").dropFirst().first ?? ""
        self.startedAt = startedAt
        numberOfSeconds = seconds
        self.refresh = buttons[refresh]
        expire = buttons[1 - refresh]
    }
}

extension InactivityPopup.Button {
    fileprivate init?(_ value: WireValue) {
        guard let text = value["text"]?.string, let postback = value["postback"]?.string else { return nil }
        self.init(id: value["id"]?.idText ?? "", text: text, postback: postback)
    }

    /// The member of the postback's JSON; nil if the postback is no JSON or has no such member.
    fileprivate var isExpired: Bool? {
        guard let postback = try? WireValue(json: Array(postback.utf8), limit: .max) else { return nil }
        return try? postback.optional("isExpired")
    }
}

extension InactivityPopup: WireWritable {
    /// Writes the elements in the order that the Android SDK relies on.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.name("elements")
            writer.array { writer in
                writer.object { writer in
                    writer.member("id", id)
                    writer.member("type", "INACTIVITY_POPUP")
                    writer.name("elements")
                    writer.array { elements(to: &$0) }
                }
            }
        }
    }

    /// The six elements: `TITLE`, `TEXT`, `COUNTDOWN`, `TEXT` and two `BUTTON`s, of which the first goes on with the
    /// chat.
    private func elements(to writer: inout WireWriter) {
        func element(_ id: String, _ type: String, text: String?, _ rest: (inout WireWriter) -> Void = { _ in }) {
            writer.object { writer in
                writer.member("id", id)
                writer.member("type", type)
                writer.member("text", ifPresent: text)
                rest(&writer)
            }
        }
        element("1", "TITLE", text: title)
        element("2", "TEXT", text: text)
        element("3", "COUNTDOWN", text: nil) { writer in
            writer.object("variables") { writer in
                writer.member("startedAt", startedAt)
                writer.member("numberOfSeconds", numberOfSeconds)
            }
        }
        element("4", "TEXT", text: callToAction)
        for button in [refresh, expire] {
            element(button.id, "BUTTON", text: button.text) { $0.member("postback", button.postback) }
        }
    }
}
