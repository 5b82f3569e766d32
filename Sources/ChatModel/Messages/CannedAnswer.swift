import Formats

/// A text that agents use often, kept for all of them under a name.
public struct CannedAnswer: CanonicalJSON, Hashable {
    /// How long a name may be, in Unicode code points.
    public static let nameLength = 1...80
    /// How many answers are kept at most.
    public static let maximumCount = 1000
    /// How many bytes of JSON all answers together have at most: a desk loads them all.
    public static let maximumByteCount = 4 << 20
    /// How many channels an answer names at most.
    public static let maximumChannels = 100
    /// How long a shortcut may be.
    public static let shortcutLength = 1...32

    public var id: String
    /// No two answers have the same.
    public var name: String
    public var text: String
    /// The word that calls the answer up: see ``isShortcut(_:)``. No two answers have the same, in upper or lower case.
    public var shortcut: String?
    /// The ids of the only channels that the answer is for; nil for all.
    public var channels: [String]?
    /// The language of the text, as BCP 47 writes it.
    public var language: String?
    public var updatedAt: Timestamp

    public init(
        id: String, name: String, text: String, shortcut: String? = nil, channels: [String]? = nil,
        language: String? = nil, updatedAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.text = text
        self.shortcut = shortcut
        self.channels = channels
        self.language = language
        self.updatedAt = updatedAt
    }

    /// Whether the text may be a shortcut: letters and digits of ASCII, hyphens and underscores.
    public static func isShortcut(_ text: String) -> Bool {
        shortcutLength.contains(text.utf8.count)
            && text.utf8.allSatisfy { isAlphanumeric($0) || "-_".utf8.contains($0) }
    }

    /// Whether the text has the form of a language's tag, such as `de` or `pt-BR`.
    public static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.utf8.count <= 35 && parts.allSatisfy { (1...8).contains($0.utf8.count) }
            && (2...8).contains(parts[0].utf8.count)
            && parts[0].utf8.allSatisfy { isAlphanumeric($0) && !(0x30...0x39).contains($0) }
            && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether somebody who sees only these channels sees the answer; nil for all channels.
    public func isVisible(within visible: Set<String>?) -> Bool {
        guard let visible, let channels else { return true }
        return channels.contains { visible.contains($0) }
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("text", text)
        json.member("shortcut", shortcut)
        if let channels { json.member("channels", texts: channels) }
        json.member("language", language)
        json.member("updatedAt", updatedAt)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        text = try json.requiredString("text")
        shortcut = json["shortcut"]?.string
        channels = json["channels"] == nil ? nil : try json.requiredTexts("channels")
        language = json["language"]?.string
        updatedAt = try json.requiredTimestamp("updatedAt")
    }
}
