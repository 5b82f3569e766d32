import ChatModel
import Formats
import HTTPClientPort

/// Where the chat page of a registration is, as its browser sees it; a tap on a notification leads there.
package struct PushPage: Sendable, Hashable {
    /// Bytes.
    package static let maximumLength = 256

    /// An `http` or `https` URL without a query. Several slashes at its end become one; without a path it ends with
    /// one.
    package let url: String

    package init(_ text: String) throws(AddressRefusal) {
        let url = try TargetAddress(text, maximumLength: Self.maximumLength)
        guard !url.pathAndQuery.contains("?") else { throw AddressRefusal("The page's URL must not have a query.") }
        let end = url.url.lastIndex { $0 != "/" } ?? url.url.startIndex
        let trimmed = String(url.url[...end])
        let hasPath = trimmed.split(separator: "/", maxSplits: 3).count > 2
        self.url = trimmed == url.url && hasPath ? trimmed : trimmed + "/"
    }

    /// `<page>?name=value&...`
    func link(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? url : "\(url)?\(query)"
    }
}
