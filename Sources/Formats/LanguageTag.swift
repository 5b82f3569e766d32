/// Tags of languages, such as `de` and `pt-BR` (RFC 5646).
public enum LanguageTag {
    /// The most bytes of a tag.
    public static let maximumLength = 35

    /// Whether the text has the form of a tag: parts of 1 to 8 letters and digits, letters alone in the first, with hyphens
    /// between them.
    public static func isTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        return text.utf8.count <= maximumLength && (parts.first?.allSatisfy(isLetter) ?? false)
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    /// The tag among those that there are which serves somebody who wants another; nil if none does.
    ///
    /// By look-up (RFC 4647, 3.4): `de-AT` finds `de`, `pt` finds `pt-BR`, `zh-CN` finds `zh-Hans`. Traditional Chinese does
    /// not find the simplified one.
    public static func find(_ wanted: String, in tags: [String]) -> String? {
        var parts = wanted.lowercased().split(separator: "-")
        if parts.first == "zh" {
            let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
            return tags.first { $0.lowercased() == (isTraditional ? "zh-hant" : "zh-hans") }
        }
        while !parts.isEmpty {
            let tag = parts.joined(separator: "-")
            if let found = tags.first(where: { $0.lowercased() == tag }) { return found }
            parts.removeLast()
        }
        guard let language = wanted.lowercased().split(separator: "-").first else { return nil }
        return tags.first { $0.lowercased().hasPrefix("\(language)-") }
    }
}
