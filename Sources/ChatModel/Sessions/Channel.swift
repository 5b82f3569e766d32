import Formats

/// One configured entry point of a service (the SDK's `ChannelConfiguration`).
public struct Channel: CanonicalJSON, Hashable {
    public var id: String
    public var name: String
    public var mode: ChatMode
    public var capabilities: Set<Capability>
    public var fileRestrictions: FileRestrictions
    /// Whether new chats can begin now: only a live chat can be offline (the SDK's `isOnline`).
    public var isOnline = true
    /// What is asked before a thread begins; nil if nothing.
    public var preChatSurvey: PreChatSurvey?
    /// Further fields that threads may have.
    public var contactFields: [CustomFieldDefinition] = []
    public var customerFields: [CustomFieldDefinition] = []
    /// A template: what each new thread begins with.
    public var welcomeMessage: String?
    /// How long a live chat's customer may be silent; nil for ever.
    public var inactivity: InactivityLimits?
    /// What pushes say of messages; nil for what is usual.
    public var push: PushSettings?
    /// What customers may choose from at any time. A remote platform's menu is asked for by itself.
    public var menu: [MenuItem] = []
    /// How customers are asked for a rating when a conversation has ended; nil if they are not.
    public var rating: RatingForm?
    /// For how many days after its end a conversation goes on with the customer's next message; 0 for not at all.
    public var reopenDays = 0
    /// Whether a conversation that nobody has becomes that of the person who answers it.
    public var assignsOnAnswer = true
    /// How customers begin by themselves; nil if they do not.
    public var visitors: VisitorSettings?
    public var appearance: Appearance?
    /// The languages of the customer's pages, the first one for those who have none of them; empty for all.
    public var languages: [String] = []
    /// What the customer's pages say otherwise, by language and key.
    public var texts: [String: [String: String]] = [:]
    /// When its customers are answered; nil for always.
    public var hours: OpeningHours?
    /// What they meet when it is closed.
    public var outside: ClosedHours?
    /// Whether it is open now. Nobody stores it: it is set where a channel is shown.
    public var opening: Opening?

    public init(
        id: String, name: String, mode: ChatMode, capabilities: Set<Capability>,
        fileRestrictions: FileRestrictions = .embedded
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.capabilities = capabilities
        self.fileRestrictions = fileRestrictions
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("mode", mode.rawValue)
        json.name("capabilities")
        json.beginArray()
        for capability in capabilities.sorted() { json.value(capability.rawValue) }
        json.endArray()
        json.member("fileRestrictions", fileRestrictions)
        if mode == .liveChat { json.member("isOnline", isOnline) }
        opening?.encodeMembers(to: &json)
        if let preChatSurvey { json.member("preChatSurvey", preChatSurvey) }
        if !contactFields.isEmpty { json.member("contactFields", contactFields) }
        if !customerFields.isEmpty { json.member("customerFields", customerFields) }
        json.member("welcomeMessage", welcomeMessage)
        if let inactivity { json.member("inactivity", inactivity) }
        if let push { json.member("push", push) }
        if !menu.isEmpty { json.member("menu", menu) }
        json.member("rating", rating?.rawValue)
        if reopenDays > 0 { json.member("reopenDays", reopenDays) }
        if !assignsOnAnswer { json.member("assignOnAnswer", false) }
        if let visitors { json.member("visitors", visitors) }
        if let appearance { json.member("appearance", appearance) }
        if !languages.isEmpty { json.member("languages", texts: languages) }
        if !texts.isEmpty {
            json.name("texts")
            json.beginObject()
            for (language, entries) in texts.sorted(by: { $0.key < $1.key }) {
                json.name(language)
                json.value(entries)
            }
            json.endObject()
        }
        if let hours { json.member("hours", hours) }
        if let outside { json.member("outside", outside) }
        json.endObject()
    }

    /// The channel as customers may see it: without the desk's settings, which are those for visitors, its languages, its
    /// texts, and how it assigns. Its hours are not shown, only whether it is open.
    public var forCustomers: Channel {
        var channel = self
        (channel.visitors, channel.languages, channel.texts) = (nil, [], [:])
        channel.assignsOnAnswer = true
        (channel.hours, channel.outside) = (nil, nil)
        return channel
    }

    /// The names of what is not as it was before: members of its JSON, and of the objects there, such as
    /// `visitors.origins`.
    public func changes(since before: Channel) -> [String] {
        guard let new = try? JSONParser.parse(canonicalJSON), let old = try? JSONParser.parse(before.canonicalJSON)
        else { return [] }
        return Self.names(in: old, new).flatMap { name -> [String] in
            guard old[name] != new[name] else { return [] }
            let (one, other) = (old[name] ?? .object([]), new[name] ?? .object([]))
            guard name != "texts", one.members != nil, other.members != nil else { return [name] }
            return Self.names(in: one, other).filter { one[$0] != other[$0] }.map { "\(name).\($0)" }
        }
    }

    private static func names(in old: JSONValue, _ new: JSONValue) -> [String] {
        var names = (old.members ?? []).map(\.name)
        for name in (new.members ?? []).map(\.name) where !names.contains(name) { names.append(name) }
        return names
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        mode = try json.requiredCase("mode")
        capabilities = Set((json["capabilities"]?.array ?? []).compactMap { $0.string.flatMap(Capability.init) })
        fileRestrictions = try json.optional("fileRestrictions") ?? .embedded
        isOnline = json["isOnline"]?.bool ?? true
        preChatSurvey = try json.optional("preChatSurvey")
        contactFields = json["contactFields"] == nil ? [] : try json.requiredArray("contactFields")
        customerFields = json["customerFields"] == nil ? [] : try json.requiredArray("customerFields")
        welcomeMessage = json["welcomeMessage"]?.string
        inactivity = try json.optional("inactivity")
        push = try json.optional("push")
        menu = json["menu"] == nil ? [] : try json.requiredArray("menu")
        rating = json["rating"]?.string.flatMap(RatingForm.init)
        reopenDays = Int(clamping: json["reopenDays"]?.integer ?? 0)
        assignsOnAnswer = json["assignOnAnswer"]?.bool ?? true
        visitors = try json.optional("visitors")
        appearance = try json.optional("appearance")
        languages = (json["languages"]?.array ?? []).compactMap(\.string)
        for language in json["texts"]?.members ?? [] {
            let pairs = (language.value.members ?? []).compactMap { text in text.value.string.map { (text.name, $0) } }
            texts[language.name] = Dictionary(pairs) { first, _ in first }
        }
        hours = try json.optional("hours")
        outside = try json.optional("outside")
        opening = Opening(members: json)
    }
}

/// What a service can do on a channel. What it cannot do is refused by name, never ignored.
public enum Capability: String, Sendable, CaseIterable, Comparable {
    case threads, rename, archive, typing, readReceipts, customFields, editMessages, deleteMessages
    case members, replies, attachments, search, collections, liveChat, transcript, historyReset, richMessages,
        preChatSurvey
    case analytics, triggers, menu, offlineMessages, typingPreview

    public static func < (left: Capability, right: Capability) -> Bool { left.rawValue < right.rawValue }
}

/// How long a live chat's customer may be silent.
public struct InactivityLimits: CanonicalJSON, Hashable {
    /// Of silence, until the customer is asked.
    public var secondsUntilPopup: Int
    /// After that, until the chat is ended.
    public var secondsUntilEnd: Int

    public init(secondsUntilPopup: Int, secondsUntilEnd: Int) {
        self.secondsUntilPopup = secondsUntilPopup
        self.secondsUntilEnd = secondsUntilEnd
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("secondsUntilPopup", secondsUntilPopup)
        json.member("secondsUntilEnd", secondsUntilEnd)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        secondsUntilPopup = Int(try json.requiredInteger("secondsUntilPopup"))
        secondsUntilEnd = Int(try json.requiredInteger("secondsUntilEnd"))
    }
}

/// An entry of the menu that a channel offers at any time (CXone's persistent menu). The customer chooses it by a message
/// that has the label as its text, and the postback.
public struct MenuItem: CanonicalJSON, Hashable {
    public var id: String
    public var label: String
    /// The entry's own value. It goes back with the message, and customers do not see it.
    public var postback: String?

    public init(id: String, label: String, postback: String? = nil) {
        self.id = id
        self.label = label
        self.postback = postback
    }

    /// The most entries of a channel's menu, and the most characters of a label and of a postback.
    public static let maximumCount = 100, maximumLabelLength = 256, maximumPostbackLength = 4096

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("label", label)
        json.member("postback", postback)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        label = try json.requiredString("label")
        postback = json["postback"]?.string
    }
}

/// The link that an app opens when its notification is tapped, with `{channelId}` and `{threadId}` in the places of the
/// ids: `com.example.app://{channelId}/threads?idOnExternalPlatform={threadId}`.
public struct DeepLinkTemplate: Sendable, Hashable {
    /// Bytes of a template.
    public static let maximumLength = 512
    /// Bytes of a link, so that a payload can hold it.
    public static let maximumLinkLength = 1024

    public let text: String

    /// Nil unless it begins with a scheme and a colon, and has only characters of URLs and the two placeholders.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < text.utf8.count, let first = scheme.first, Self.isLetter(first),
            scheme.allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) })
        else { return nil }
        let rest = text.replacing("{channelId}", with: "").replacing("{threadId}", with: "")
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The link to a thread, the ids percent-encoded. Nil when it would be longer than ``maximumLinkLength``.
    public func link(channel: String, thread: String) -> String? {
        // An encoded id has no braces, so it is never taken for a placeholder.
        let link = text.replacing("{channelId}", with: channel.percentEncoded)
            .replacing("{threadId}", with: thread.percentEncoded)
        return link.utf8.count <= Self.maximumLinkLength ? link : nil
    }
}
