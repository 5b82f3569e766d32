import ChatModel
import Formats

/// The properties of a thread that are copied into its `member` rows, so that indexes of an account's threads can
/// order and filter by them.
struct ThreadKeys: Equatable {
    var createdAt: Int64
    var name: ExactText?
    var customType: ExactText?

    init(_ thread: ChatThread) {
        createdAt = thread.createdAt.milliseconds
        name = thread.name.map(ExactText.init)
        customType = thread.customType.map(ExactText.init)
    }

    var nameKey: [UInt8] { Self.nameKey(name?.text) }

    /// The name in lower case as UTF-8, to be compared byte by byte. A thread without a name gets the byte `FF`,
    /// which UTF-8 never contains, so it comes last.
    static func nameKey(_ name: String?) -> [UInt8] { name.map { Array($0.lowercased().utf8) } ?? [0xFF] }
}

extension Session {
    /// Writes the keys into all member rows of a thread.
    func write(_ keys: ThreadKeys, ofThread number: Int64) throws {
        try run(
            "UPDATE member SET createdAt = ?, nameKey = ?, customType = ? WHERE thread = ?",
            [.integer(keys.createdAt), .blob(keys.nameKey), .optional(keys.customType?.text), .integer(number)])
    }
}
