import ChatModel

/// Where the chat page of a registration is, as its browser sees it; a tap on a notification leads there.
package struct PushPage: Sendable, Hashable {
    /// Bytes.
    package static let maximumLength = 256

    /// `http` or `https`, without a query and without a slash at the end.
    package let url: String

    package init(_ text: String) throws(AddressRefusal) {
        let url = try TargetAddress(text, maximumLength: Self.maximumLength)
        guard !url.pathAndQuery.contains("?") else { throw AddressRefusal("The page's URL must not have a query.") }
        let end = url.url.lastIndex { $0 != "/" } ?? url.url.startIndex
        self.url = String(url.url[...end])
    }

    /// `<page>/?name=value&...`
    func link(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? url + "/" : "\(url)/?\(query)"
    }
}
