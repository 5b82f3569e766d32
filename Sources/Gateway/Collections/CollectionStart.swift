import Chat
import ChatModel
import Formats
import HTTPRouting

/// Where a collection's stream begins, as the client asked for it.
enum CollectionStart: Sendable, Equatable {
    /// Everything after this version.
    case after(Int64)
    /// A version that cannot be used.
    case reset(ResetReason)

    /// `Last-Event-ID`, as browsers send it, or else `?version=`: `<incarnation>-<version>`, or a version alone. Without
    /// either it begins at version 0.
    init(_ call: Call, _ collection: LiveCollection) {
        var text = call.query["version"]
        if let header = call.request.headers["Last-Event-ID"], !header.isEmpty { text = header }
        self.init(text, collection)
    }

    init(_ text: String?, _ collection: LiveCollection) {
        guard let text else {
            self = .after(0)
            return
        }
        if let version = Int64(digits: text) {
            self = .after(version)
        } else if let hyphen = text.lastIndex(of: "-"), let version = Int64(digits: text[text.index(after: hyphen)...]) {
            self = text[..<hyphen] == collection.incarnation ? .after(version) : .reset(.foreignEpoch)
        } else {
            self = .reset(.malformed)
        }
    }
}
