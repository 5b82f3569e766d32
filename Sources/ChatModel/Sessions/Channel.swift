/// One configured entry point of a service (the SDK's `ChannelConfiguration`).
public struct Channel: CanonicalJSON, Hashable {
    public var id: String
    public var name: String
    public var mode: ChatMode
    public var capabilities: Set<Capability>
    public var fileRestrictions: FileRestrictions
    /// Whether new chats can begin now: only a live chat can be offline (the SDK's `isOnline`).
    public var isOnline = true

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
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        mode = try json.requiredCase("mode")
        capabilities = Set((json["capabilities"]?.array ?? []).compactMap { $0.string.flatMap(Capability.init) })
        fileRestrictions = try json.optional("fileRestrictions") ?? .embedded
        isOnline = json["isOnline"]?.bool ?? true
    }
}
