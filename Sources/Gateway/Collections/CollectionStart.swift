import Chat
import ChatModel
import Formats
import HTTPRouting

/// The version at which a collection's own stream begins, as the client asked for it.
enum CollectionStart: Sendable, Equatable {
    /// All events after this version. The version may be above the present one; the stream checks that when it opens.
    case after(Int64)
    /// A version that cannot be used; the stream begins with `reset`.
    case reset(ResetReason)

    /// Reads the place of a client that comes back, or else `?version=`. Both are
    /// `<incarnation>-<version>` or a version alone. Without either, the stream begins at version 0.
    init(_ call: Call, _ collection: LiveCollection) {
        self.init(call.lastEventID ?? call.query["version"], collection)
    }

    /// - Parameter text: nil for none. An incarnation other than the collection's gives `reset` with `foreignEpoch`,
    ///   other texts give `malformed`.
    init(_ text: String?, _ collection: LiveCollection) {
        guard let text else {
            self = .after(0)
            return
        }
        if let version = Int64(digits: text) {
            self = .after(version)
        } else if let hyphen = text.lastIndex(of: "-"), let version = Int64(digits: text[text.index(after: hyphen)...])
        {
            self = text[..<hyphen] == collection.incarnation ? .after(version) : .reset(.foreignEpoch)
        } else {
            self = .reset(.malformed)
        }
    }
}
