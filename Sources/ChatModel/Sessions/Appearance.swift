import Formats

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
