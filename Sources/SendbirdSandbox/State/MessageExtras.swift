import Formats
import SendbirdWire

/// What is kept beside a message.
struct MessageExtras: SandboxExtras {
    var data = ""
    var items: [SendbirdExtra] = []
    /// `users` or `channel`.
    var mentionType: String?
    var mentioned: [String] = []
    /// A file that has an address elsewhere. Nothing of it is here.
    var file: SendbirdFile?
    var reactions: [SendbirdReaction] = []

    init() {}

    init?(_ value: SendbirdValue) {
        data = value.text("data") ?? ""
        items = value.list("items") ?? []
        mentionType = value.text("mention")
        mentioned = value.texts("mentioned") ?? []
        file = value.shape("file")
        reactions = value.list("reactions") ?? []
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("data", data)
        json.member("items", items)
        json.member("mention", mentionType)
        json.member("mentioned", mentioned)
        json.member("file", ifPresent: file)
        json.member("reactions", reactions)
        json.endObject()
    }
}

/// What lists can tell of a channel's removed messages: the last 200, never their texts.
struct RemovedMessages: SandboxExtras {
    static let key = "sendbird.removed"
    private static let most = 200

    struct Item: SendbirdShape {
        var id: Int64
        var type: SendbirdMessageType
        var sender: String?
        var at: UnixMilliseconds
        var removedAt: UnixMilliseconds

        init(id: Int64, type: SendbirdMessageType, sender: String?, at: UnixMilliseconds, removedAt: UnixMilliseconds) {
            (self.id, self.type, self.sender, self.at, self.removedAt) = (id, type, sender, at, removedAt)
        }

        init?(_ value: SendbirdValue) {
            guard let id = value.number("id"), let type = value.text("type"), let at = value.number("at") else {
                return nil
            }
            self.init(
                id: id, type: SendbirdMessageType(rawValue: type), sender: value.text("sender"),
                at: UnixMilliseconds(at),
                removedAt: UnixMilliseconds(value.number("removed") ?? at))
        }

        func write(to json: inout JSONWriter) {
            json.beginObject()
            json.member("id", id)
            json.member("type", type.rawValue)
            json.member("sender", sender)
            json.member("at", at.value)
            json.member("removed", removedAt.value)
            json.endObject()
        }
    }

    private(set) var items: [Item] = []

    init() {}

    init?(_ value: SendbirdValue) { items = value.list("items") ?? [] }

    mutating func add(_ item: Item) { items = (items + [item]).suffix(Self.most) }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("items", items)
        json.endObject()
    }
}
