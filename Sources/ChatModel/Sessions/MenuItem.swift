import Formats

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
