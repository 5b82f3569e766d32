import ChatModel

/// Where the chat page of a registration is, as its browser sees it; a tap on a notification leads there.
package struct PushPage: Sendable, Hashable {
    /// Bytes.
    package static let maximumLength = 256

    /// `http` or `https`, without a query and without a slash at the end.
    package let url: String

    package init(_ text: String) throws(AbsoluteURL.Malformed) {
        let url = try AbsoluteURL(text, schemes: ["http", "https"], maximumLength: Self.maximumLength)
        guard !url.target.contains("?") else { throw .init(reason: "The page's URL must not have a query.") }
        let end = url.text.lastIndex { $0 != "/" } ?? url.text.startIndex
        self.url = String(url.text[...end])
    }

    /// `<page>/?name=value&...`
    func link(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? url + "/" : "\(url)/?\(query)"
    }
}
