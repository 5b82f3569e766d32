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
