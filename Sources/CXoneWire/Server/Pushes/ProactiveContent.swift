/// What a proactive action shows: `content`.
public struct ProactiveContent: Sendable, Hashable, WireReadable, WireWritable {
    /// A template with placeholders such as `{{customer.firstName|customer}}`.
    public var bodyText: String?
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
        bodyText: String? = nil, headlineText: String? = nil, headlineSecondaryText: String? = nil, image: String? = nil,
        variables: Variables? = nil
    ) {
        self.bodyText = bodyText
        self.headlineText = headlineText
        self.headlineSecondaryText = headlineSecondaryText
        self.image = image
        self.variables = variables
    }

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
