import Formats

/// What the pages for customers say, in all languages: the tables of `web/texts/`.
///
/// A table is JSON behind `export default`, so that pages load it as a module and the gateway reads it, too. Its member
/// `widget` has groups of texts; a text's key is `group.name`. Where a text has another form for each plural, it is an
/// object.
public struct CustomerTexts: Sendable {
    package struct Table: Sendable {
        package let direction: String
        /// The texts by their keys.
        let texts: [String: JSONValue]
        /// The whole file.
        package let json: JSONValue
    }

    /// The language that has all texts, and that stands in for every other.
    package static let usual = "en"

    private let tables: [String: Table]
    /// The tags of all languages, English first.
    public let languages: [String]

    /// - Parameter files: the content of each file, by its name without the ending. One that is no table is left out.
    public init(files: [String: [UInt8]]) {
        tables = files.compactMapValues(Self.table)
        languages = tables.keys.sorted { ($0 == Self.usual ? 0 : 1, $0) < ($1 == Self.usual ? 0 : 1, $1) }
    }

    private static func table(_ file: [UInt8]) -> Table? {
        guard let start = file.firstIndex(of: UInt8(ascii: "{")), let end = file.lastIndex(of: UInt8(ascii: "}")),
            start < end, let json = try? JSONParser.parse(Array(file[start...end]))
        else { return nil }
        var texts: [String: JSONValue] = [:]
        for group in json["widget"]?.members ?? [] {
            for text in group.value.members ?? [] { texts["\(group.name).\(text.name)"] = text.value }
        }
        return Table(direction: json["dir"]?.string ?? "ltr", texts: texts, json: json)
    }

    package func table(_ language: String) -> Table? { tables[language] }

    /// All texts of a language, with those that a channel says otherwise. What the language lacks is English.
    package func texts(in language: String, changed: [String: String]) -> [String: JSONValue] {
        let usual = tables[Self.usual]?.texts ?? [:]
        return usual.merging(tables[language]?.texts ?? [:]) { $1 }.merging(changed.mapValues(JSONValue.string)) { $1 }
    }

    /// The language for somebody who wants these, the most wanted first; among those that are offered
    /// (``LanguageTag/find(_:in:)``).
    package func language(for wanted: [String], among offered: [String]) -> String {
        let offered = offered.filter { tables[$0] != nil }
        let tags = offered.isEmpty ? languages : offered
        return wanted.lazy.compactMap { LanguageTag.find($0, in: tags) }.first ?? tags.first ?? Self.usual
    }

    /// What is wrong with another text for a key; nil if nothing is.
    func fault(of text: String, key: String, language: String) -> String? {
        guard tables[language] != nil else {
            return "one of these languages was expected: \(languages.joined(separator: ", "))"
        }
        guard let usual = tables[Self.usual]?.texts[key] else { return "there is no text \(key.prefix(64))" }
        let forms = usual.members?.compactMap(\.value.string) ?? [usual.string ?? ""]
        let known = Set(forms.flatMap(Self.places))
        guard let other = Self.places(text).first(where: { !known.contains($0) }) else {
            return (1...2000).contains(text.utf8.count) ? nil : "1 to 2000 bytes were expected"
        }
        let places = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
        return "the text \(key) has no place {\(other.prefix(64))}" + (places.isEmpty ? "" : ", only \(places)")
    }

    /// The names between braces.
    static func places(_ text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}
