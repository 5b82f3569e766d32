/// The most that is taken of what others choose. Lengths are in characters (Unicode scalars), as the platform counts them;
/// sizes are in bytes.
package enum SendbirdBound {
    // MARK: Sizes

    /// Of an answer of the platform.
    package static let answer = 16 << 20
    /// Of a request without a file.
    package static let request = 1 << 20
    /// Of a file of a message, by default.
    package static let file = 25_000_000
    /// Of a request with a file.
    package static let form = 32 << 20
    package static let webhook = 1 << 20
    /// Of one text in an answer or a webhook; the rest is cut off.
    static let text = 64 << 10
    /// Of an id in an answer or a webhook. What has a longer one cannot be used.
    static let id = 1 << 10
    /// Elements of a list, and members of a map, in an answer or a webhook; the rest is left out.
    static let items = 2000

    // MARK: What the platform allows

    package static let userID = 80
    package static let nickname = 80
    package static let url = 2048
    package static let channelURL = 4...100
    package static let channelName = 191
    package static let customType = 128
    /// Of a channel's or a message's `data`; the platform tells none.
    package static let data = 16 << 10
    package static let metadataKey = 128
    package static let metadataValue = 190
    package static let metadataItems = 5
    package static let messageText = 5000
    /// Users whom one request may name.
    package static let users = 100
    /// Users who may type in one request.
    package static let typists = 10
    package static let description = 250
    package static let reaction = 192
    /// Different ones of one message; the platform tells no bound.
    package static let reactions = 50
    /// Items of a message's extra data, and values of each.
    package static let metaArray = 20
}
