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
        if let preChatSurvey { json.member("preChatSurvey", preChatSurvey) }
        if !contactFields.isEmpty { json.member("contactFields", contactFields) }
        if !customerFields.isEmpty { json.member("customerFields", customerFields) }
        json.member("welcomeMessage", welcomeMessage)
        if let inactivity { json.member("inactivity", inactivity) }
        if let push { json.member("push", push) }
        if !menu.isEmpty { json.member("menu", menu) }
        json.endObject()
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
