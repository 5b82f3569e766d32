/// Asks the app to show something to the customer: the data of `FireProactiveAction`.
public struct FireProactiveAction: Sendable, Hashable {
    /// The run of the app (`destination.id`) that the action is for. iOS needs the member.
    public var destinationID: String?
    /// Names the action in the analytics events about it.
    public var actionID: String
    public var actionName: String
    public var actionType: ProactiveActionType
    public var content: ProactiveContent
    /// `handover.customFields`: they become the customer's.
    public var handoverFields: [CustomField]
    /// `template.id`
    public var templateID: String?
    public var callToAction: CallToAction?
    /// Colours, borders and so on. Passed on unchanged.
    public var design: RawJSON?
    /// `position.general`: `bottomRight`, `bottomLeft` or `centerCenter`.
    public var position: String?

    public init(
        destinationID: String?, actionID: String, actionName: String, actionType: ProactiveActionType,
        content: ProactiveContent, handoverFields: [CustomField] = [], templateID: String? = nil,
        callToAction: CallToAction? = nil, design: RawJSON? = nil, position: String? = nil
    ) {
        self.destinationID = destinationID
        self.actionID = actionID
        self.actionName = actionName
        self.actionType = actionType
        self.content = content
        self.handoverFields = handoverFields
        self.templateID = templateID
        self.callToAction = callToAction
        self.design = design
        self.position = position
    }

    /// `call2action`
    public struct CallToAction: Sendable, Hashable {
        public var isVisible: Bool
        public var text: String

        public init(isVisible: Bool, text: String) {
            self.isVisible = isVisible
            self.text = text
        }
    }
}

/// What kind of action it is: `actionType`.
public struct ProactiveActionType: WireName {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its `bodyText` is the template of the first message of new threads.
    public static let welcomeMessage = ProactiveActionType(rawValue: "WelcomeMessage")
    /// A box with a heading, a text and a button; its texts are in the content's `variables`.
    public static let customPopupBox = ProactiveActionType(rawValue: "CustomPopupBox")
}

extension FireProactiveAction: WireReadable, WireWritable {
    /// Reads the action in `proactiveAction.action`. Its id and type must be there. Parts of its `data` may be absent.
    public init(_ data: WireValue) throws(WireError) {
        destinationID = try data.nestedID("destination")
        let action: WireValue = try data.inside("proactiveAction") { value throws(WireError) in
            try value.inside("action") { $0 }
        }
        do throws(WireError) {
            actionID = try action.id("actionId")
            actionName = try action.optional("actionName") ?? ""
            actionType = try action.required("actionType")
            let details = action["data"] ?? .emptyObject
            content = try details.optional("content") ?? ProactiveContent()
            handoverFields = try details.customFields(in: "handover") ?? []
            templateID = details["template"]?["id"]?.idText
            callToAction = details["call2action"].map(CallToAction.init)
            design = details["design"].map { RawJSON($0) }
            position = details["position"]?["general"]?.string
        } catch {
            throw error.within("action").within("proactiveAction")
        }
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            if let destinationID { writer.nested("destination", id: destinationID) }
            writer.object("proactiveAction") { writer in
                writer.emptyArray("conditions")
                writer.object("action") { writer in
                    writer.member("actionId", actionID)
                    writer.member("actionName", actionName)
                    writer.member("actionType", actionType)
                    writer.object("data") { details(to: &$0) }
                }
            }
        }
    }

    /// The action's `data`. `handover` is written even without fields, because the iOS SDK needs it.
    private func details(to writer: inout WireWriter) {
        writer.member("content", content)
        writer.member("handover", customFields: handoverFields)
        if let templateID { writer.nested("template", id: templateID) }
        if let callToAction {
            writer.object("call2action") { writer in
                writer.member("isVisible", callToAction.isVisible)
                writer.member("text", callToAction.text)
            }
        }
        writer.member("design", ifPresent: design)
        if let position { writer.object("position") { $0.member("general", position) } }
    }
}

extension FireProactiveAction.CallToAction {
    fileprivate init(_ value: WireValue) {
        isVisible = value["isVisible"]?.bool == true
        text = value["text"]?.string ?? ""
    }
}

/// What a proactive action shows: `content`.
public struct ProactiveContent: Sendable, Hashable, WireReadable, WireWritable {
    /// A template with placeholders such as `{{customer.firstName|customer}}`.
    public var bodyText: String?
    /// The headlines and the image, a URL, are there for some templates only.
    public var headlineText: String?
    public var headlineSecondaryText: String?
    public var image: String?
    /// The texts of a `CustomPopupBox`.
    public var variables: Variables?

    /// `variables`, on the wire `[]` when there are none.
    public struct Variables: Sendable, Hashable {
        public var headingText: String?
        public var bodyText: String?
        public var actionText: String?
        public var actionURL: String?

        public init(
            headingText: String? = nil, bodyText: String? = nil, actionText: String? = nil, actionURL: String? = nil
        ) {
            self.headingText = headingText
            self.bodyText = bodyText
            self.actionText = actionText
            self.actionURL = actionURL
        }
    }

    public init(
        bodyText: String? = nil, headlineText: String? = nil, headlineSecondaryText: String? = nil,
        image: String? = nil, variables: Variables? = nil
    ) {
        self.bodyText = bodyText
        self.headlineText = headlineText
        self.headlineSecondaryText = headlineSecondaryText
        self.image = image
        self.variables = variables
    }

    /// Reads `content`. Only `bodyText` must be a text if it is there; other members of another type count as absent.
    public init(_ value: WireValue) throws(WireError) {
        bodyText = try value.optional("bodyText")
        headlineText = value["headlineText"]?.string
        headlineSecondaryText = value["headlineSecondaryText"]?.string
        image = value["image"]?.string
        guard let variables = value["variables"], !variables.isEmptyArray else { return }
        self.variables = Variables(
            headingText: variables["headingText"]?.string, bodyText: variables["bodyText"]?.string,
            actionText: variables["action"]?["text"]?.string, actionURL: variables["action"]?["url"]?.string)
    }

    /// The `mimeType` is written with `variables` only.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("bodyText", ifPresent: bodyText)
            writer.member("headlineText", ifPresent: headlineText)
            writer.member("headlineSecondaryText", ifPresent: headlineSecondaryText)
            writer.member("image", ifPresent: image)
            guard let variables else { return }
            writer.member("mimeType", "application/json")
            writer.object("variables") { writer in
                writer.member("headingText", ifPresent: variables.headingText)
                writer.member("bodyText", ifPresent: variables.bodyText)
                guard variables.actionText != nil || variables.actionURL != nil else { return }
                writer.object("action") { writer in
                    writer.member("text", ifPresent: variables.actionText)
                    writer.member("url", ifPresent: variables.actionURL)
                }
            }
        }
    }
}
