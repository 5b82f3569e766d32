import Formats
import HTTPRouting

/// Which languages a reader wants, by the address and by the browser.
extension Call {
    /// The tags of languages that the address (`?lang=`) and the browser name, the most wanted first.
    package var wantedLanguages: [String] { (query["lang"].map { [String($0.prefix(35))] } ?? []) + acceptedLanguages }

    /// The tags in `Accept-Language`, the most wanted first; at most 20.
    package var acceptedLanguages: [String] {
        guard let header = request.headers["Accept-Language"] else { return [] }
        func trimmed(_ text: Substring) -> Substring {
            text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        }
        let accepted = header.prefix(512).split(separator: ",").prefix(20)
            .compactMap { entry -> (tag: String, weight: Double)? in
                let parts = entry.split(separator: ";").map(trimmed)
                guard let tag = parts.first, !tag.isEmpty, tag != "*" else { return nil }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
                return weight > 0 ? (String(tag), weight) : nil
            }
        return accepted.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.tag)
    }
}
