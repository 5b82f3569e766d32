import Formats

/// How customers begin chats on a channel by themselves, from the pages of a shop. A channel without these settings takes
/// only customers for whom somebody makes a session or a link.
public struct VisitorSettings: CanonicalJSON, Hashable {
    /// Whether a customer says who they are, by a JWT of the shop's server.
    public enum Identity: String, Sendable, CaseIterable {
        case off, optional, required
    }

    /// Whether customers of whom nothing is known may begin.
    public enum Anonymous: String, Sendable, CaseIterable {
        case allowed
        /// Only those of whom the shop's server says that they are no robot, by a JWT without a customer.
        case vouched
    }

    /// What a browser has to do before it begins.
    public enum Proof: String, Sendable, CaseIterable {
        case off
        /// It computes for about a second.
        case work
    }

    /// What a customer agrees to before the first message.
    public struct Agreement: CanonicalJSON, Hashable {
        /// Another version asks everybody again.
        public var version: String
        public var isRequired: Bool
        /// Where the text is.
        public var url: String?

        public init(version: String, isRequired: Bool = true, url: String? = nil) {
            self.version = version
            self.isRequired = isRequired
            self.url = url
        }

        public func encode(to json: inout JSONWriter) {
            json.beginObject()
            json.member("version", version)
            json.member("required", isRequired)
            json.member("url", url)
            json.endObject()
        }

        public init(json: JSONValue) throws(ModelError) {
            version = try json.requiredString("version")
            isRequired = json["required"]?.bool ?? true
            url = json["url"]?.string
        }
    }

    /// How many origins a channel has at most.
    public static let maximumOrigins = 50

    public var isPublic = false
    /// The pages that may show the channel's chat: exact origins, and `https://*.shop.example` for all depths below.
    public var origins: [String] = []
    public var identity = Identity.off
    public var anonymous = Anonymous.allowed
    public var proof = Proof.off
    public var consent: Agreement?
    /// Days without use after which an anonymous customer's session ends.
    public var visitorDays = 30
    /// Days after its last JWT for which a session of a known customer lives.
    public var identityDays = 7
    /// Days after which a closed conversation of the channel is removed; 0 keeps it.
    public var retentionDays = 0
    /// Whether customers may erase themselves.
    public var selfErase = false
    public var limits = VisitorLimits()

    public init() {}

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("public", isPublic)
        json.member("origins", texts: origins)
        json.member("identity", identity.rawValue)
        json.member("anonymous", anonymous.rawValue)
        json.member("proof", proof.rawValue)
        if let consent { json.member("consent", consent) }
        json.member("visitorDays", visitorDays)
        json.member("identityDays", identityDays)
        json.member("retentionDays", retentionDays)
        json.member("selfErase", selfErase)
        if !limits.isEmpty { json.member("limits", limits) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        isPublic = json["public"]?.bool ?? false
        origins = (json["origins"]?.array ?? []).compactMap(\.string)
        identity = try json.requiredCase("identity")
        anonymous = try json.requiredCase("anonymous")
        proof = try json.requiredCase("proof")
        consent = try json.optional("consent")
        visitorDays = Int(try json.requiredInteger("visitorDays"))
        identityDays = Int(try json.requiredInteger("identityDays"))
        retentionDays = json["retentionDays"]?.integer.flatMap { Int(exactly: $0) } ?? 0
        selfErase = json["selfErase"]?.bool ?? false
        limits = try json.optional("limits") ?? VisitorLimits()
    }

    /// Whether a page of this origin may show the channel's chat. The origin is as browsers send it.
    public func accepts(origin: String) -> Bool {
        origins.contains { $0.utf8.elementsEqual(origin.utf8) || Self.wildcard($0, covers: origin) }
    }

    /// Whether `https://*.shop.example` stands for the origin.
    private static func wildcard(_ pattern: String, covers origin: String) -> Bool {
        guard let star = pattern.utf8.firstIndex(of: UInt8(ascii: "*")) else { return false }
        let (start, end) = (pattern.utf8[..<star], pattern.utf8[pattern.utf8.index(after: star)...])
        return origin.utf8.count > start.count + end.count && origin.utf8.starts(with: start)
            && origin.utf8.reversed().starts(with: end.reversed())
    }
}

/// How much the visitors of a channel may do. What a channel does not say has its usual value.
public struct VisitorLimits: CanonicalJSON, Hashable {
    /// What is limited, by the name that the API has for it.
    public enum Name: String, Sendable, CaseIterable {
        /// Chats that are begun from one address.
        case addressBeginsPerMinute, addressBeginsPerHour
        /// Chats that are begun on the channel before everybody has to work for it. At ten times as many nobody begins.
        case channelBeginsPerHour
        /// Of one session.
        case messagesPerMinute, messagesPerHour
        /// Of all visitors' sessions at one address.
        case addressMessagesPerMinute
        /// Of one message's text, in UTF-8.
        case messageBytes
        /// Of one session.
        case uploadsPerHour, uploadBytesPerDay
        /// Of one customer, at a time.
        case openThreads
        /// Event streams that are open at a time: of one session, and of all visitors' sessions at one address.
        case streams, addressStreams
        /// Of one session.
        case collections

        public var usual: Int {
            switch self {
            case .addressBeginsPerMinute: 6
            case .addressBeginsPerHour: 30
            case .channelBeginsPerHour: 600
            case .messagesPerMinute: 20
            case .messagesPerHour: 200
            case .addressMessagesPerMinute: 60
            case .messageBytes: 16 << 10
            case .uploadsPerHour: 20
            case .uploadBytesPerDay: 100_000_000
            case .openThreads: 5
            case .streams: 4
            case .addressStreams: 50
            case .collections: 3
            }
        }

        /// The most that a channel may allow: ten times what is usual. No message is longer than the chat's own limit.
        public var greatest: Int { self == .messageBytes ? 64 << 10 : usual * 10 }
    }

    private var own: [Name: Int] = [:]

    public init() {}

    public subscript(name: Name) -> Int {
        get { own[name] ?? name.usual }
        set { own[name] = newValue }
    }

    /// Whether the channel says nothing of them.
    public var isEmpty: Bool { own.isEmpty }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        for name in Name.allCases {
            guard let number = own[name] else { continue }
            json.name(name.rawValue)
            json.value(number)
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        for name in Name.allCases {
            guard let number = json[name.rawValue]?.integer.flatMap({ Int(exactly: $0) }) else { continue }
            own[name] = min(max(1, number), name.greatest)
        }
    }
}

/// How a channel's chat looks on the pages of a shop.
public struct Appearance: CanonicalJSON, Hashable {
    /// At which side of the page the button stands, in the direction of its text.
    public enum Position: String, Sendable, CaseIterable {
        case end, start
    }

    /// `#rrggbb`
    public static let usualColour = "#0b57d0"

    /// `#rrggbb`: of the button and of the chat's head.
    public var colour: String?
    public var position: Position?
    /// What the chat is called, where that is not the channel's name.
    public var name: String?
    /// What stands above an empty conversation.
    public var greeting: String?
    /// Whether the page shows a button. Without one the page opens the chat itself.
    public var showsBubble: Bool?
    /// The address of the picture that stands in the chat's head.
    public var logo: String?

    public init() {}

    public var isEmpty: Bool { self == Appearance() }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("colour", colour)
        json.member("position", position?.rawValue)
        json.member("name", name)
        json.member("greeting", greeting)
        if let showsBubble { json.member("showBubble", showsBubble) }
        json.member("logo", logo)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        colour = json["colour"]?.string
        position = json["position"]?.string.flatMap(Position.init)
        name = json["name"]?.string
        greeting = json["greeting"]?.string
        showsBubble = json["showBubble"]?.bool
        logo = json["logo"]?.string
    }

    /// Whether the text is a colour of six hexadecimal digits.
    public static func isColour(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && text.dropFirst().allSatisfy(\.isHexDigit)
    }
}
